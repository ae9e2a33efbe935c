package routes

import (
	"egad/internal/raise"
	"egad/term/eval"
	"egad/term/numeric"
	"egad/term/ops"
)

// dual is a real with the Delta of it (Fig. 1a).
type dual[S any] struct {
	x S
	d Delta
}

// duals is the arithmetic of dual numbers over another: D of the operators on scalars
// (Figs. 2 and 3), by their local maps.
type duals[S any] struct {
	of     eval.Scalars[S]
	tape   *tape[S]
	slopes *slopes[S]
	// ids says that results get ids, as in Fig. 3.
	ids bool
	// inside says that this is the arithmetic inside an operator on arrays, the result
	// of which gets an id as a whole: Eq. (3) for sums, which begin with their first
	// summand.
	inside bool
	at     [4]S // the operands of an operator, and its result
	by     S    // the factor of a local map
}

func (a *duals[S]) FromNum(n numeric.Num) dual[S] { return dual[S]{x: a.of.FromNum(n)} }
func (a *duals[S]) FromInt(i int64) dual[S]       { return dual[S]{x: a.of.FromInt(i)} }

func (a *duals[S]) Unary(sym ops.Sym, n int, x dual[S]) dual[S] { return a.PrepareUnary(sym, n)(x) }
func (a *duals[S]) Binary(sym ops.Sym, x, y dual[S]) dual[S]    { return a.PrepareBinary(sym)(x, y) }

func (a *duals[S]) PrepareUnary(sym ops.Sym, n int) func(x dual[S]) dual[S] {
	value, delta := eval.PreparedUnary(a.of, sym, n), a.prepareDelta(operator{sym, n, 1})
	return func(x dual[S]) dual[S] {
		y := value(x.x)
		if x.d == Zero {
			return dual[S]{x: y}
		}
		a.at[0], a.at[1] = x.x, y
		return dual[S]{y, delta(x.d, Zero, Zero)}
	}
}

func (a *duals[S]) PrepareBinary(sym ops.Sym) func(x, y dual[S]) dual[S] {
	value, delta := eval.PreparedBinary(a.of, sym), a.prepareDelta(operator{sym, 0, 2})
	first := a.inside && sym == ops.SymAdd
	return func(x, y dual[S]) dual[S] {
		z := value(x.x, y.x)
		if x.d == Zero && y.d == Zero || first && (x.d == Zero || y.d == Zero) {
			return dual[S]{z, x.d | y.d} // the one that is not Zero
		}
		a.at[0], a.at[1], a.at[2] = x.x, y.x, z
		return dual[S]{z, delta(x.d, y.d, Zero)}
	}
}

// prepareDelta gives the Delta of an operator on scalars with the given Deltas, at the point
// where its operands and its result are.
func (a *duals[S]) prepareDelta(o operator) func(d, e, f Delta) Delta {
	var maps []*slopeOf[S]
	share := a.ids && !a.inside
	return func(d, e, f Delta) Delta {
		if maps == nil {
			maps = raise.Must(a.slopes.get(o))
		}
		sum := Zero
		for _, m := range maps {
			// What does not change adds nothing, whatever the factor: 0 times infinity is no number.
			part := d
			d, e = e, f
			if m == nil || part == Zero {
				continue
			}
			how, by := m.how, &m.by
			if m.operand > 0 {
				how, by = scaled, &a.at[m.operand-1]
			} else if m.of != nil {
				how, a.by = m.of(a.at[:])
				by = &a.by
			}
			switch how {
			case held:
				continue
			case scaled:
				part = a.tape.scale(*by, part)
			}
			sum = a.tape.plus(sum, part)
		}
		if !share {
			return sum
		}
		return a.tape.share(sum)
	}
}

func (a *duals[S]) Compare(sym ops.Sym, x, y dual[S]) bool { return a.of.Compare(sym, x.x, y.x) }
func (a *duals[S]) Floor(x dual[S]) int64                  { return a.of.Floor(x.x) }
func (a *duals[S]) Round(x dual[S]) int64                  { return a.of.Round(x.x) }
func (a *duals[S]) IsNaN(x dual[S]) bool                   { return a.of.IsNaN(x.x) }
