package kernel

import (
	"testing"

	"egad/kernel/wasm"
	"egad/term"
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
		b := newBuilder(nil)
		ix := &Array{Name: "ix", Elem: term.I, Range: term.Range{Lo: c.least, Hi: 9}}
		f := formOf(b.add(b.load(Access{Array: ix}), b.int(c.konst)))
		e := &emitter{variance: newVariance(nil), rows: newVariance(nil), lines: 1, ids: make(map[*Value]int)}
		if got := e.natural(f); got != c.natural {
			t.Errorf("from %d: natural is %v", c.least, got)
		}
		if got := e.apart(f, place{}); got != c.bytes {
			t.Errorf("from %d: %d bytes apart, and not %d", c.least, got, c.bytes)
		}
	}
}

// TestNaturalBack: what is known around a loop of an address from which an index is taken away is not negative, so that
// what is constant can be an offset.
func TestNaturalBack(t *testing.T) {
	b, m := newBuilder(nil), &module{}
	i, j := b.variable(10, 1), b.variable(1<<40, 1)
	for _, c := range []struct {
		of      *Value
		natural bool
		bytes   int64
	}{{b.linear(9, []int64{-1}, []*Value{i}), true, 0}, {b.linear(30, []int64{-2}, []*Value{i}), true, 96}, {b.linear(9, []int64{-1}, []*Value{j}), false, 72}} {
		e := &emitter{module: m, f: m.Func("", nil), variance: newVariance(nil), rows: newVariance(nil), lines: 1, ids: make(map[*Value]int), begun: make(map[string]begun)}
		e.counters = map[*Value]wasm.Local{i: e.f.Local(wasm.I32), j: e.f.Local(wasm.I32)}
		f := formOf(c.of)
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
	b := newBuilder(nil)
	l := &Loop{Name: "i", Var: b.variable(40, 1), N: 40}
	p := &Array{Name: "p", Elem: term.I, Shape: []int{80}, Range: term.AnyInt}
	load := func(at *Value) *Value { return b.load(Access{Array: p, At: []*Value{at}}) }
	twice, next := load(b.linear(0, []int64{2}, []*Value{l.Var})), load(l.Var)
	op := func(sym term.Sym, args ...*Value) *Value { return b.op(term.Op{Sym: sym}, term.I, args...) }
	far := load(op(term.SymMin, twice, b.int(79)))
	e := &emitter{module: &module{layout: &layout{}}, variance: newVariance(nil, l), rows: newVariance(nil), lines: 1, vectors: 1,
		flats: make(map[string]form), ids: make(map[*Value]int), scalars: make(map[*Value][]wasm.Local)}
	e.scalars[twice] = make([]wasm.Local, 2)
	for _, c := range []struct {
		v    *Value
		want bool
	}{
		{twice, true}, {next, false}, {far, true},
		{op(term.SymMax, twice, b.int(3)), true}, {op(term.SymMax, twice, next), false}, {op(term.SymMax, twice, l.Var), true}, {op(term.SymMod, b.linear(2, []int64{3}, []*Value{l.Var}), b.int(7)), true},
	} {
		if got := e.single(c.v); got != c.want {
			t.Errorf("%v is kept so: %v", c.v.Op, got)
		}
	}
}
