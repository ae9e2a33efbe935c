package slope_test

import (
	"math"
	"testing"

	"egad/fun"
	"egad/internal/defs"
	"egad/internal/slice"
	"egad/routes/slope"
	"egad/term/ops"
	"egad/term/types"
)

// slopeAt is the factor by which a map multiplies a change, at a point.
func slopeAt(t *testing.T, m *slope.Map, at []fun.Value) float64 {
	by := func() fun.Value {
		v, err := (&fun.Machine{Domain: fun.Floats()}).Eval(m.By, at)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	switch {
	case m == nil || m.Kind == slope.Held:
		return 0
	case m.Kind == slope.Same:
		return 1
	case m.Kind == slope.Scaled:
		return by().(float64)
	case m.Kind == slope.Where:
		if by().(*fun.Side).Right {
			return 0
		}
		return 1
	case m.Kind == slope.Composed:
		return slopeAt(t, m.Of[0], at) * slopeAt(t, m.Of[1], at)
	}
	return slopeAt(t, m.Of[0], at) + slopeAt(t, m.Of[1], at)
}

// TestMapsAreSlopes compares the maps of all operators on reals that have some with central
// differences.
func TestMapsAreSlopes(t *testing.T) {
	lib, p := defs.Last(t, "def f(x: R): R = x\n")
	table := slope.NewTable(lib, p.Store.Signature())
	tested := 0
	for sym := ops.Sym(0); ops.Builtin(sym) != nil; sym++ {
		o := ops.Builtin(sym)
		elems := make([]types.Elem, max(o.Arity, 0))
		for i := range elems {
			elems[i] = types.R
		}
		if sym == ops.SymWhere {
			elems[0] = types.B
		}
		if !o.Elementwise || sym == ops.SymStopgrad || sym == ops.SymWithslope {
			continue
		}
		if e, ok := o.OnElements(elems...); !ok || e != types.R {
			continue
		}
		op := ops.Op{Sym: sym}
		maps, err := table.Maps(slope.On(op, slice.Map(elems, fun.OfElem)))
		if err != nil {
			t.Errorf("%s: %v", o.Name, err)
			continue
		}
		run := func(xs []fun.Value) float64 {
			return fun.Floats().Op(op, xs).(float64)
		}
		point := []fun.Value{0.37, 0.81, 0.55}[:len(elems)]
		if sym == ops.SymWhere {
			point[0] = fun.True
		}
		at := append(append([]fun.Value{}, point...), run(point))
		for i, x := range point {
			x, ok := x.(float64)
			if !ok {
				continue
			}
			const h = 1e-6
			xs := append([]fun.Value{}, point...)
			xs[i] = x + h
			up := run(xs)
			xs[i] = x - h
			want := (up - run(xs)) / (2 * h)
			if got := slopeAt(t, maps[i], at); math.Abs(got-want) > 1e-6*(1+math.Abs(want)) {
				t.Errorf("%s, operand %d: %v, differences say %v", o.Name, i, got, want)
			}
		}
		tested++
	}
	if tested < 25 {
		t.Errorf("%d operators", tested)
	}
}
