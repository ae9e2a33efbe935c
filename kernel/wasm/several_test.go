package wasm_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/tetratelabs/wazero"

	"egad/kernel/wasm"
)

// runner gives what is in memory after a module has run in one way.
func runner(t *testing.T, how wazero.RuntimeConfig) func(code []byte) []byte {
	ctx := context.Background()
	defer func() {
		if p := recover(); p != nil {
			t.Skip("there is no compiler for this machine:", p)
		}
	}()
	r := wazero.NewRuntimeWithConfig(ctx, how)
	t.Cleanup(func() { r.Close(ctx) })
	return func(code []byte) []byte {
		mod, err := r.Instantiate(ctx, code)
		if err != nil {
			t.Fatal(err)
		}
		defer mod.Close(ctx)
		if _, err := mod.ExportedFunction("main").Call(ctx); err != nil {
			t.Fatal(err)
		}
		out, _ := mod.Memory().Read(0, mod.Memory().Size())
		return bytes.Clone(out)
	}
}

// manyOperands is a module with a loop that may jump over instructions, whose operands are more than there are
// registers, and are used in the next run again.
func manyOperands(r *rand.Rand, t wasm.Type, operands int, write func(f *wasm.Func), add wasm.Op) []byte {
	load, store := wasm.V128Load, wasm.V128Store
	if t == wasm.F64 {
		load, store = wasm.F64Load, wasm.F64Store
	}
	m := &wasm.Module{}
	f := m.Func("main", nil)
	all := make([]wasm.Local, 17+r.IntN(4))
	data := make([]float64, 2*len(all))
	for i := range all {
		all[i] = f.Local(t)
		f.I32(int32(16 * i))
		f.Memory(load, 0)
		f.Set(all[i])
	}
	for i := range data {
		if data[i] = float64(r.IntN(9) - 4); add == wasm.I64x2Add {
			data[i] = math.Float64frombits(r.Uint64())
		}
	}
	changed := all[:1+r.IntN(8)]
	any := func(of []wasm.Local) wasm.Local { return of[r.IntN(len(of))] }
	i := f.Local(wasm.I32)
	f.Loop(func() {
		for range 4 {
			f.Get(i)
			f.IfElse(func() {}, func() {
				for range 40 {
					for range operands {
						f.Get(any(all))
					}
					write(f)
					to := any(changed)
					f.Get(to)
					f.Op(add)
					f.Set(to)
				}
			})
		}
		f.OnI32(wasm.I32Add, i, 1)
		f.Tee(i)
		f.OpI32(wasm.I32LtS, 3)
		f.Again()
	})
	for i, l := range all {
		f.I32(int32(16 * i))
		f.Get(l)
		f.Memory(store, 0)
	}
	m.Memory(1)
	m.Data(0, data...)
	return m.Bytes()
}

// TestManyOperands: instructions on operands that are not all in registers make the same where they are compiled and
// where they are interpreted.
func TestManyOperands(t *testing.T) {
	op := func(op wasm.Op) func(f *wasm.Func) { return func(f *wasm.Func) { f.Op(op) } }
	compiled, interpreted := runner(t, wazero.NewRuntimeConfigCompiler()), runner(t, wazero.NewRuntimeConfigInterpreter())
	for _, c := range []struct {
		name     string
		of       wasm.Type
		operands int
		write    func(f *wasm.Func)
		add      wasm.Op // to what was there
	}{
		{"bitselect", wasm.V128, 3, op(wasm.V128Bitselect), wasm.I64x2Add},
		{"f64x2.min", wasm.V128, 2, op(wasm.F64x2Min), wasm.F64x2Add},
		{"f64x2.max", wasm.V128, 2, op(wasm.F64x2Max), wasm.F64x2Add},
		{"i64x2.mul", wasm.V128, 2, op(wasm.I64x2Mul), wasm.I64x2Add},
		{"select of reals", wasm.F64, 4, func(f *wasm.Func) {
			f.Op(wasm.F64Lt)
			f.SelectF64()
		}, wasm.F64Add},
	} {
		for seed := range uint64(20) {
			code := manyOperands(rand.New(rand.NewPCG(seed, 0)), c.of, c.operands, c.write, c.add)
			if !bytes.Equal(compiled(code), interpreted(code)) {
				t.Errorf("%s: compiled code of seed %d makes other numbers", c.name, seed)
				break
			}
		}
	}
}

// TestSeveral: instructions that are written as others make what the specification says, of NaN, infinities and zeros
// of either sign too.
func TestSeveral(t *testing.T) {
	mask := uint64(0xffff0000f0f05555)
	run, number := runner(t, wazero.NewRuntimeConfigInterpreter()), math.Float64frombits
	reals := func(g func(x, y float64) float64) func(x, y uint64) uint64 {
		return func(x, y uint64) uint64 { return math.Float64bits(g(number(x), number(y))) }
	}
	choice := func(c int32) func(f *wasm.Func) {
		return func(f *wasm.Func) {
			x, y := f.Local(wasm.V128), f.Local(wasm.V128)
			f.Set(y)
			f.Set(x)
			for _, l := range []wasm.Local{x, y} {
				f.Get(l)
				f.Lane(wasm.F64x2ExtractLane, 0)
			}
			f.I32(c)
			f.SelectF64()
			f.Op(wasm.F64x2Splat)
		}
	}
	for _, c := range []struct {
		name  string
		write func(f *wasm.Func)
		want  func(x, y uint64) uint64
	}{
		{"f64x2.min", func(f *wasm.Func) { f.Op(wasm.F64x2Min) }, reals(func(x, y float64) float64 { return min(x, y) })},
		{"f64x2.max", func(f *wasm.Func) { f.Op(wasm.F64x2Max) }, reals(func(x, y float64) float64 { return max(x, y) })},
		{"i64x2.mul", func(f *wasm.Func) { f.Op(wasm.I64x2Mul) }, func(x, y uint64) uint64 { return x * y }},
		{"bitselect", func(f *wasm.Func) {
			f.I64x2(int64(mask))
			f.Op(wasm.V128Bitselect)
		}, func(x, y uint64) uint64 { return x&mask | y&^mask }},
		{"the first", choice(1), func(x, _ uint64) uint64 { return x }},
		{"the second", choice(0), func(_, y uint64) uint64 { return y }},
	} {
		m := &wasm.Module{}
		f := m.Func("main", nil)
		xs := []float64{math.NaN(), math.Inf(-1), -2, math.Copysign(0, -1), 0, 3, math.Inf(1)}
		for i, x := range xs {
			for j, y := range xs {
				f.I32(int32(16 * (len(xs)*i + j)))
				f.F64x2(x)
				f.F64x2(y)
				c.write(f)
				f.Memory(wasm.V128Store, 0)
			}
		}
		m.Memory(1)
		out := run(m.Bytes())
		for i, x := range xs {
			for j, y := range xs {
				got, want := binary.LittleEndian.Uint64(out[16*(len(xs)*i+j):]), c.want(math.Float64bits(x), math.Float64bits(y))
				if got != want && !(math.IsNaN(number(got)) && math.IsNaN(number(want))) {
					t.Errorf("%s of %v and %v is %v, want %v", c.name, x, y, number(got), number(want))
				}
			}
		}
	}
}
