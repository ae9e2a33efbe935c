package routes

import (
	"egad/term"
)

// dual is a real with the Delta of it (Fig. 1a).
type dual[S any] struct {
	x S
	d Delta
}

// duals is the arithmetic of dual numbers over another: D of the operators on scalars
// (Figs. 2 and 3), by their local maps.
type duals[S any] struct {
	of     term.Scalars[S]
	tape   *tape[S]
	slopes *slopes[S]
	// ids says that results get ids, as in Fig. 3.
	ids bool
	// inside says that this is the arithmetic inside an operator on arrays, the result
	// of which gets an id as a whole: Eq. (3) for sums, which begin with their first
	// summand.
	inside bool
	at     []S // the operands of an operator, and its result
}

func (a *duals[S]) FromNum(n term.Num) (dual[S], error) {
	x, err := a.of.FromNum(n)
	return dual[S]{x: x}, err
}

func (a *duals[S]) FromInt(i int64) (dual[S], error) {
	x, err := a.of.FromInt(i)
	return dual[S]{x: x}, err
}

func (a *duals[S]) Unary(sym term.Sym, n int, x dual[S]) (dual[S], error) {
	y, err := a.of.Unary(sym, n, x.x)
	if err != nil || x.d == Zero {
		return dual[S]{x: y}, err
	}
	a.at = append(a.at[:0], x.x, y)
	d, err := a.delta(operator{sym, n, 1}, x.d, Zero)
	return dual[S]{y, d}, err
}

func (a *duals[S]) Binary(sym term.Sym, x, y dual[S]) (dual[S], error) {
	z, err := a.of.Binary(sym, x.x, y.x)
	switch {
	case err != nil || x.d == Zero && y.d == Zero:
		return dual[S]{x: z}, err
	case a.inside && sym == term.SymAdd && x.d == Zero:
		return dual[S]{z, y.d}, nil
	case a.inside && sym == term.SymAdd && y.d == Zero:
		return dual[S]{z, x.d}, nil
	}
	a.at = append(a.at[:0], x.x, y.x, z)
	d, err := a.delta(operator{sym, 0, 2}, x.d, y.d)
	return dual[S]{z, d}, err
}

// delta is the Delta of an operator on one, two or three scalars with the given Deltas.
func (a *duals[S]) delta(o operator, of ...Delta) (Delta, error) {
	maps, err := a.slopes.get(o)
	if err != nil {
		return Zero, err
	}
	sum, some := Zero, false
	for i, m := range maps {
		// What does not change adds nothing, whatever the factor: 0 times infinity is no number.
		if m == nil || of[i] == Zero {
			continue
		}
		how, by, err := m.at(a.at)
		if err != nil {
			return Zero, err
		}
		part := of[i]
		switch how {
		case held:
			continue
		case scaled:
			if part, err = a.tape.scale(by, part); err != nil {
				return Zero, err
			}
		}
		if !some {
			sum, some = part, true
			continue
		}
		if sum, err = a.tape.add(sum, part); err != nil {
			return Zero, err
		}
	}
	if !a.ids || a.inside {
		return sum, nil
	}
	return a.tape.share(sum)
}

func (a *duals[S]) Compare(sym term.Sym, x, y dual[S]) bool { return a.of.Compare(sym, x.x, y.x) }
func (a *duals[S]) Floor(x dual[S]) int64                   { return a.of.Floor(x.x) }
func (a *duals[S]) Round(x dual[S]) int64                   { return a.of.Round(x.x) }
func (a *duals[S]) IsNaN(x dual[S]) bool                    { return a.of.IsNaN(x.x) }
