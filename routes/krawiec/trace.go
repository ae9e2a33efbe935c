package krawiec

import (
	"egad/fun"
	"egad/internal/raise"
	"egad/internal/slice"
	"egad/term"
)

// Choose is If (see [fun.Chosen]).
func (d *Delta) Choose(c term.Term, other fun.Value) fun.Value {
	e := other.(*Delta)
	if d == e || d.Kind == e.Kind && (d.Kind == Zero || d.Kind == Var && d.ID == e.ID) {
		return d
	}
	return &Delta{Kind: If, By: &c, A: d, B: e}
}

// Trace runs D{e} of a program on a domain of terms, with inputs of which each real is a pair
// of a term and a Delta: for any inputs, where [Route.Gradient] does it for some. It gives the
// result, and what was bound, the first to the id first. Of a case on a side that is not known
// both branches bind what they bind, and the result has [If].
func (r *Route) Trace(t *Task, of fun.Domain, inputs []fun.Value, first int) (result fun.Value, bound []*Delta, err error) {
	defer raise.Caught(&err)
	raise.Error(t.check())
	d, _, _, err := r.Translate(t)
	raise.Error(err)
	m, state := t.machine()
	m.Domain = of
	l := &listed{next: first}
	state.binds = l
	return raise.Must(m.Run(d, inputs)), slice.Map(l.of, func(b binding) *Delta { return b.delta }), nil
}
