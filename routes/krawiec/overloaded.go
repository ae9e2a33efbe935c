package krawiec

import (
	"cmp"

	"egad/fun"
	"egad/internal/raise"
	"egad/routes/slope"
	"egad/term"
	"egad/term/numeric"
	"egad/term/ops"
	"egad/term/types"
)

// twin is a dual number: a real with the Delta of it.
type twin struct {
	x float64
	d *Delta
}

// duals is the arithmetic of dual numbers (Section 8): each operator binds its Delta, which
// is that of Fig. 14.
type duals struct {
	*run
	maps   *slope.Table
	floats *fun.Concrete[float64]
	slopes *fun.Machine // evaluates factors
}

func (a *duals) FromNum(n numeric.Num) twin { return twin{a.floats.Scalars.FromNum(n), zero} }
func (a *duals) FromInt(i int64) twin       { return twin{a.floats.Scalars.FromInt(i), zero} }

func (a *duals) Unary(sym ops.Sym, n int, x twin) twin {
	return a.apply(ops.Op{Sym: sym, N: n}, []fun.Value{x})
}

func (a *duals) Binary(sym ops.Sym, x, y twin) twin {
	return a.apply(ops.Op{Sym: sym}, []fun.Value{x, y})
}

func (a *duals) Compare(sym ops.Sym, x, y twin) bool {
	return a.floats.Scalars.Compare(sym, x.x, y.x)
}
func (a *duals) Floor(x twin) int64 { return a.floats.Scalars.Floor(x.x) }
func (a *duals) Round(x twin) int64 { return a.floats.Scalars.Round(x.x) }
func (a *duals) IsNaN(x twin) bool  { return a.floats.Scalars.IsNaN(x.x) }

// apply applies an operator with a real result to operands, of which some are dual numbers.
func (a *duals) apply(op ops.Op, xs []fun.Value) twin {
	o := slope.Operator{Sym: op.Sym, N: op.N}
	at := make([]fun.Value, len(xs), len(xs)+1+2)
	for i, x := range xs {
		switch x := x.(type) {
		case twin:
			o.Elems[i], at[i] = types.R, x.x
		case int64:
			o.Elems[i], at[i] = types.I, x
		default:
			o.Elems[i], at[i] = types.B, x
		}
	}
	y := a.floats.Op(op, at)
	maps := raise.Must(a.maps.Maps(o))
	at = append(at, y)
	var sum *Delta
	for i, m := range maps {
		if m == nil || m.Kind == slope.Held {
			continue
		}
		sum = a.plus(sum, a.through(m, at, xs[i].(twin).d))
	}
	return a.bound(y.(float64), sum)
}

// plus adds to a sum of Deltas, which is nil at first.
func (a *duals) plus(sum, part *Delta) *Delta {
	if sum == nil {
		return part
	}
	return a.make(&Delta{Kind: Add, A: sum, B: part})
}

// bound is a real with the Delta of it, a sum, which is bound.
func (a *duals) bound(y float64, sum *Delta) twin {
	return twin{y, a.make(&Delta{Kind: Var, ID: a.let(cmp.Or(sum, zero))})}
}

func (a *duals) make(d *Delta) *Delta {
	a.made++
	return d
}

// through is what a map makes of a Delta.
func (a *duals) through(m *slope.Map, at []fun.Value, d *Delta) *Delta {
	switch m.Kind {
	case slope.Same:
		return d
	case slope.Scaled:
		return a.make(&Delta{Kind: Scale, X: a.slopes.Value(m.By, at).(float64), A: d})
	case slope.Where:
		if a.slopes.Value(m.By, at).(*fun.Side).Right {
			return zero
		}
		return d
	case slope.Composed:
		return a.through(m.Of[0], at, a.through(m.Of[1], at, d))
	case slope.Sum:
		l := a.through(m.Of[0], at, d)
		return a.make(&Delta{Kind: Add, A: l, B: a.through(m.Of[1], at, d)})
	}
	return zero
}

// overload is the domain of dual numbers. In its arithmetic a choice of reals is an operator
// like others.
type overload struct {
	*fun.Concrete[twin]
	duals *duals
}

// Op applies an operator to scalars.
func (d *overload) Op(op ops.Op, xs []fun.Value) fun.Value {
	for _, x := range xs {
		if _, ok := x.(twin); ok && (op.Sym == ops.SymWhere || op.Sym == ops.SymWithslope) {
			return d.duals.apply(op, xs)
		}
	}
	return d.Concrete.Op(op, xs)
}

// Whole applies an operator to whole arrays.
func (d *overload) Whole(op ops.Op, x fun.Value, of, to *types.Type) fun.Value {
	from := raise.Must(fun.TypeOf(of))
	a := d.duals
	var deltas []*Delta
	primal := fun.MapLeaves(x, from, func(x twin) fun.Value {
		deltas = append(deltas, x.d)
		return x.x
	})
	f := newFanned(a.maps, op, primal, of, to)
	return f.results(func(y float64, by []float64) fun.Value {
		var sum *Delta
		for i, k := range by {
			if k == 0 {
				continue
			}
			sum = a.plus(sum, a.make(&Delta{Kind: Scale, X: k, A: deltas[i]}))
		}
		if len(by) == 0 {
			return twin{y, zero}
		}
		return a.bound(y, sum)
	})
}

// overloaded runs the program over dual numbers, and evaluates the Delta as monadic does.
func (t *Task) overloaded(m *fun.Machine, state *run, inputs []fun.Value, value fun.Value, cotangent []float64) *Outcome {
	a := &duals{run: state, maps: slope.NewTable(t.Lib, term.NewSignature()), floats: fun.Floats(), slopes: &fun.Machine{Domain: fun.Floats(), Limit: 1 << 62}}
	m.Domain = &overload{&fun.Concrete[twin]{Scalars: a}, a}
	bound := &listed{next: 1}
	var env []fun.Value
	result, body := t.Program.Result, t.Program.Body
	factor := cotangent
	if result.Kind != fun.KReal { // e s ⊙ dt, as Fig. 15 has it
		body = dotted(body, result, len(t.Program.Context))
		dt := fun.MapLeaves(filled(value, result, cotangent), result, func(x float64) fun.Value { return twin{x, zero} })
		env, factor = append(env, dt), []float64{1}
	}
	env = append(env, t.evaluated(m)...)
	for i, x := range inputs {
		env = append(env, fun.MapLeaves(x, t.Program.Context[len(t.Units)+i], func(x float64) fun.Value {
			bound.next++
			return twin{x, &Delta{Kind: Var, ID: bound.next - 1}}
		}))
	}
	ids := bound.next
	state.binds = bound
	y := m.Value(body, env)
	um := make(Map)
	state.root = bound.wrap(y.(twin).d)
	state.eval(factor[0], state.root, nil, um)
	out := &Outcome{Value: value, Counts: state.counts(m), Delta: state.root, Gradient: make([]float64, 0, ids-1)}
	for id := 1; id < ids; id++ {
		out.Gradient = append(out.Gradient, um[id])
	}
	return out
}
