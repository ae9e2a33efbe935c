package native

import (
	"testing"

	"egad/kernel"
	"egad/kernel/schedule"
	"egad/kernel/wasm"
	"egad/term/ops"
	"egad/term/types"
)

// TestNatural: an index that may be below 0 counts from the least that it may be, so that what
// is constant in an address can be an offset.
func TestNatural(t *testing.T) {
	for _, c := range []struct {
		least, konst int64
		natural      bool
		bytes        int64
	}{
		{0, 1, true, 8},
		{-1, 1, true, 0},
		{-3, 7, true, 32},
		{-1 << 40, 7, false, 56},
	} {
		ix := &kernel.Value{Kind: kernel.Load, Elem: types.I, Access: kernel.Access{Array: &kernel.Array{Name: "ix", Elem: types.I}}, Range: ops.Range{Lo: c.least, Hi: 9}}
		f := kernel.FormOf(scaledBy(c.konst, 1, ix))
		e := &emitter{Variance: kernel.NewVariance(nil), rows: kernel.NewVariance(nil), lines: 1, ids: make(map[*kernel.Value]int)}
		if got := e.natural(f); got != c.natural {
			t.Errorf("from %d: natural is %v", c.least, got)
		}
		if got := e.apart(f, place{}); got != c.bytes {
			t.Errorf("from %d: %d bytes apart, and not %d", c.least, got, c.bytes)
		}
	}
}

// TestNaturalRow: how far the row of a state is from the first is known, so that what is constant in an address of a
// state can be an offset.
func TestNaturalRow(t *testing.T) {
	const cell = 64
	state := &kernel.Array{Name: "s", Elem: types.R, Shape: []int{30, 40}}
	i := indexOf(30)
	next := scaledBy(1, 1, i)
	next.Range = ops.Range{Lo: 1, Hi: 30}
	m := &module{layout: &layout{far: map[uint32]int64{cell: 21 * 30 * 40}}}
	e := &emitter{module: m, f: m.Func("", nil), Variance: kernel.NewVariance(nil), rows: kernel.NewVariance(nil), lines: 1, flats: make(map[string]kernel.Form), ids: make(map[*kernel.Value]int),
		counters: map[*kernel.Value]wasm.Local{}, moving: make(map[*kernel.Array]*kernel.Value)}
	e.moving[state] = e.row(cell)
	if f := e.flat(kernel.Access{Array: state, At: []*kernel.Value{next, i}}); !e.natural(f) || e.apart(f, place{}) != 8*40 {
		t.Errorf("an element of the next row is %d bytes apart", e.apart(f, place{}))
	}
}

// scaledBy is konst + coef * x.
func scaledBy(konst, coef int64, x *kernel.Value) *kernel.Value {
	return &kernel.Value{Kind: kernel.Linear, Elem: types.I, Const: ops.ScalarI(konst), Coef: []int64{coef}, Args: []*kernel.Value{x}}
}

// indexOf is the index of a loop of n runs.
func indexOf(n int64) *kernel.Value {
	return &kernel.Value{Kind: kernel.Var, Elem: types.I, Range: ops.Range{Hi: n - 1}}
}

// TestNaturalBack: what is known around a loop of an address from which an index is taken away is not negative, so that
// what is constant can be an offset.
func TestNaturalBack(t *testing.T) {
	m := &module{}
	i, j := indexOf(10), indexOf(1<<40)
	for _, c := range []struct {
		of      *kernel.Value
		natural bool
		bytes   int64
	}{{scaledBy(9, -1, i), true, 0}, {scaledBy(30, -2, i), true, 96}, {scaledBy(9, -1, j), false, 72}} {
		e := &emitter{module: m, f: m.Func("", nil), Variance: kernel.NewVariance(nil), rows: kernel.NewVariance(nil), lines: 1, ids: make(map[*kernel.Value]int), begun: make(map[string]begun)}
		e.counters = map[*kernel.Value]wasm.Local{i: e.f.Local(wasm.I32), j: e.f.Local(wasm.I32)}
		f := kernel.FormOf(c.of)
		if e.natural(f) {
			t.Errorf("%v: natural before the loop", f)
		}
		e.beginForm(f)
		if got := e.natural(f); got != c.natural {
			t.Errorf("%v: natural is %v", f, got)
		}
		if got := e.apart(f, place{}); got != c.bytes {
			t.Errorf("%v: %d bytes apart, and not %d", f, got, c.bytes)
		}
	}
}

// TestSingle: integers that lanes load one by one, and what is made of them alone, are kept so.
func TestSingle(t *testing.T) {
	l := &kernel.Loop{Name: "i", Var: indexOf(40), N: 40}
	p := &kernel.Array{Name: "p", Elem: types.I, Shape: []int{80}, Range: ops.AnyInt}
	load := func(at *kernel.Value) *kernel.Value {
		return &kernel.Value{Kind: kernel.Load, Elem: types.I, Access: kernel.Access{Array: p, At: []*kernel.Value{at}}, Range: ops.AnyInt}
	}
	number := func(n int64) *kernel.Value {
		return &kernel.Value{Kind: kernel.Lit, Elem: types.I, Const: ops.ScalarI(n)}
	}
	op := func(sym ops.Sym, args ...*kernel.Value) *kernel.Value {
		return &kernel.Value{Kind: kernel.Compute, Elem: types.I, Op: sym, Args: args, Range: ops.AnyInt}
	}
	twice, next := load(scaledBy(0, 2, l.Var)), load(l.Var)
	far := load(op(ops.SymMin, twice, number(79)))
	e := &emitter{module: &module{layout: &layout{}}, Variance: kernel.NewVariance(nil, l), rows: kernel.NewVariance(nil), lines: 1, vectors: 1,
		flats: make(map[string]kernel.Form), ids: make(map[*kernel.Value]int), scalars: make(map[*kernel.Value][]wasm.Local)}
	e.scalars[twice] = make([]wasm.Local, 2)
	for _, c := range []struct {
		v    *kernel.Value
		want bool
	}{
		{twice, true}, {next, false}, {far, true},
		{op(ops.SymMax, twice, number(3)), true}, {op(ops.SymMax, twice, next), false}, {op(ops.SymMax, twice, l.Var), true}, {op(ops.SymMod, scaledBy(2, 3, l.Var), number(7)), true},
	} {
		if got := e.single(c.v); got != c.want {
			t.Errorf("%v is kept so: %v", c.v.Op, got)
		}
	}
}

// TestPartOf: what is at an index that may be out of range is in a part of an array whose place is known, also where
// other indices are, if they are known before all loops.
func TestPartOf(t *testing.T) {
	l := &kernel.Loop{Name: "i", Var: indexOf(40), N: 40}
	load := func(a *kernel.Array, at ...*kernel.Value) *kernel.Value {
		return &kernel.Value{Kind: kernel.Load, Elem: a.Elem, Access: kernel.Access{Array: a, At: at, Checked: !kernel.Fits(kernel.Access{Array: a, At: at})}, Range: a.Range}
	}
	number := func(n int64) *kernel.Value {
		return &kernel.Value{Kind: kernel.Lit, Elem: types.I, Const: ops.ScalarI(n), Range: ops.Range{Lo: n, Hi: n}}
	}
	plane := load(&kernel.Array{Name: "s", Elem: types.I, Range: ops.Range{Hi: 4}})
	ix := load(&kernel.Array{Name: "ix", Elem: types.I, Shape: []int{40}, Range: ops.AnyInt}, l.Var)
	a := &kernel.Array{Name: "a", Elem: types.R, Shape: []int{5, 20, 40}}
	l.Body = []kernel.Stmt{&kernel.Let{Value: ix}}
	e := &emitter{module: &module{layout: &layout{}}, Schedule: &schedule.Schedule{Body: []kernel.Stmt{&kernel.Let{Value: plane}, l}}, Variance: kernel.NewVariance(nil, l), rows: kernel.NewVariance(nil), lines: 1,
		flats: make(map[string]kernel.Form), ids: make(map[*kernel.Value]int), begun: make(map[string]begun)}
	e.fix()
	back := scaledBy(4, -1, plane)
	back.Range = plane.Range
	for _, c := range []struct {
		at   []*kernel.Value
		part int64 // -1: none
	}{
		{[]*kernel.Value{number(2), ix, number(0)}, 0},
		{[]*kernel.Value{number(0), ix, number(3)}, 3},
		{[]*kernel.Value{plane, ix, number(3)}, 3},
		{[]*kernel.Value{back, ix, number(3)}, 3},
		{[]*kernel.Value{plane, ix, l.Var}, -1},
		{[]*kernel.Value{ix, number(1), number(3)}, 43},
		{[]*kernel.Value{ix, plane, number(3)}, -1},
	} {
		v, _, at, ok := e.partOf(load(a, c.at...).Access)
		if ok != (c.part >= 0) || ok && (v != ix || at != c.part) {
			t.Errorf("a%v: %v, at %d of a part", c.at, ok, at)
		}
	}
}
