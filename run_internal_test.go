package egad

import (
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
	"weak"

	"egad/fusion"
	"egad/kernel/machine"
	"egad/term"
	"egad/term/types"
)

// TestRunCompilesOnce: Run keeps what it has compiled while the program is in use, and
// no longer.
func TestRunCompilesOnce(t *testing.T) {
	m, err := Parse("f.egad", `def f(x: R[3]): (R, R[3]) = (sum x, x * x)`)
	if err != nil {
		t.Fatal(err)
	}
	kept := func(store weak.Pointer[term.Store]) (r *prepared) {
		r, _ = runs.Find(func(r *prepared) bool { return r.store == store })
		return r
	}
	stores := func() []weak.Pointer[term.Store] {
		p, err := m.Instantiate("f", nil)
		if err != nil {
			t.Fatal(err)
		}
		env := Env{"x": Array([]float64{1, 2, 3}, 3)}
		if _, err := Run(p, env); err != nil {
			t.Fatal(err)
		}
		first := kept(weak.Make(p.Store))
		v, err := Run(p, env)
		if err != nil || v.Parts[0].R[0] != 6 {
			t.Fatal(v, err)
		}
		if first == nil || kept(weak.Make(p.Store)) != first {
			t.Error("the program is compiled again")
		}
		// Another term of the store, and other inputs, are other programs.
		q := *p
		q.Root = p.Store.Proj(1, p.Root)
		if v, err := Run(&q, env); err != nil || v.R[2] != 9 {
			t.Error(v, err)
		}
		q = *p
		q.Inputs = append(q.Inputs[:1:1], term.Input{Name: "y", Type: types.ArrayOf(types.R)})
		if _, err := Run(&q, env); err == nil || err.Error() != "no value for input y: R" {
			t.Error(err)
		}
		env["y"] = Array([]float64{1})
		if v, err := Run(&q, env); err != nil || v.Parts[0].R[0] != 6 {
			t.Error(v, err)
		}
		return []weak.Pointer[term.Store]{weak.Make(p.Store)}
	}()
	for deadline := time.Now().Add(time.Minute); kept(stores[0]) != nil; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("what was compiled is kept when the program is gone")
		}
		runtime.GC()
	}
}

// TestNative: machine code is made where it is asked for, and with Exact results are the
// same bit for bit.
func TestNative(t *testing.T) {
	const text = `def f[n](x: R[n], y: R[n]): R = sum (exp (x * y) / (1 + x * x))`
	in := In{"x": []float64{0.5, 1.5, -2.25, 3}, "y": []float64{0.1, 0.2, 0.3, 0.4}}
	plain, err := Compile(text, "")
	if err != nil {
		t.Fatal(err)
	}
	want, wantG, err := plain.Grad(in)
	if err != nil {
		t.Fatal(err)
	}
	f, err := Compile(text, "", Native(), Exact())
	if err != nil {
		t.Fatal(err)
	}
	got, g, err := f.Grad(in)
	if err != nil || got != want || !slices.Equal(g.Get("x").R, wantG.Get("x").R) {
		t.Errorf("%v %v, wanted %v %v (%v)", got, g.Get("x").R, want, wantG.Get("x").R, err)
	}
	native := func(f *Func) bool {
		c, _, _ := f.latest.Load().compiled[modeGrad].Made()
		return c.machine.Native()
	}
	p, _, _ := f.latest.Load().program.Made()
	k, err := fusion.Lower(nil, p, nil)
	if err != nil {
		t.Fatal(err)
	}
	m, err := machine.CompileNative(k, false)
	if err != nil {
		t.Fatal(err)
	}
	if native(plain) || native(f) != m.Native() {
		t.Errorf("machine code: %t where it was not asked for, %t where it was", native(plain), native(f))
	}
}

// TestMaxMemory: what takes more memory than is allowed is an error that names the
// largest arrays, and what is allowed is not.
func TestMaxMemory(t *testing.T) {
	const text = `def f[n](x: R[n]): R = let y = exp x in sum (y * y) / sum y + sum (y / maximum y)`
	in := In{"x": make([]float64, 1000)}
	for _, native := range []bool{false, true} {
		opts := func(n int64) []Option {
			if native {
				return []Option{MaxMemory(n), Native()}
			}
			return []Option{MaxMemory(n)}
		}
		f, err := Compile(text, "", opts(1000)...)
		if err != nil {
			t.Fatal(err)
		}
		_, err = f.Value(in)
		if err == nil || !strings.Contains(err.Error(), "more than the 1 kB that are allowed; the largest: y: R[1000] (8 kB)") {
			t.Errorf("native %t: %v", native, err)
		}
		if f, err = Compile(text, "", opts(100_000)...); err != nil {
			t.Fatal(err)
		}
		if _, err := f.Value(in); err != nil {
			t.Errorf("native %t: %v", native, err)
		}
	}
}

// TestMaxMemoryOfResults: results count as the arrays on the way to them do, and inputs
// do not.
func TestMaxMemoryOfResults(t *testing.T) {
	const text = `def f[n](x: R[n]): R[n] = sin x`
	in := In{"x": make([]float64, 1000)}
	for bytes, refused := range map[int64]bool{0: true, 7999: true, 8000: false} {
		f, err := Compile(text, "", MaxMemory(bytes))
		if err != nil {
			t.Fatal(err)
		}
		if _, err = f.Value(in); (err != nil) != refused {
			t.Errorf("%d bytes for a result of 8000: %v", bytes, err)
		}
	}
}

// TestKeep: a function keeps programs for as many choices of sizes as it says.
func TestKeep(t *testing.T) {
	f, err := Compile(`def f[n](x: R[n]): R = sum (x * x)`, "", Keep(2))
	if err != nil {
		t.Fatal(err)
	}
	has := func(n int64) bool {
		_, ok := f.programs.Find(func(s *sized) bool { return s.sizes["n"] == n })
		return ok
	}
	for n := range 4 {
		for range 2 {
			if v, err := f.Value(In{"x": make([]float64, n)}); err != nil || v.R[0] != 0 {
				t.Fatal(v, err)
			}
		}
	}
	if has(0) || has(1) || !has(2) || !has(3) {
		t.Error("other sizes are kept than those used last")
	}
	s, _ := f.programs.Find(func(s *sized) bool { return s.sizes["n"] == 3 })
	_, _, value := s.compiled[modeValue].Made()
	if _, _, grad := s.compiled[modeGrad].Made(); !value || grad {
		t.Error("something is compiled before it is asked for")
	}
}
