package maps

import (
	"errors"

	"egad/fun"
	"egad/internal/raise"
	"egad/routes/krawiec"
	"egad/term"
	"egad/term/ops"
	"egad/term/types"
)

// meaning reads Deltas: h(u), from Γ* to the changes that u describes (003, Section 9), or what
// evaluating u by a factor adds to the map of Deltas, which takes changes back to Γ*
// (Fig. 10).
type meaning struct {
	maker
	eval bool
	ids  []variable // that an id stands for, the id 1 first
}

// delta is h(u), or evaluation; nil stands for 0.
func (h *meaning) delta(u *krawiec.Delta, g *environment) *term.Term {
	switch u.Kind {
	case krawiec.Scale:
		return h.then(h.make(ops.Op{Sym: ops.SymLscale}, *u.By), h.delta(u.A, g))
	case krawiec.Add:
		return h.add(h.delta(u.A, g), h.delta(u.B, g))
	case krawiec.Var:
		if h.eval {
			return h.into(h.ids[u.ID-1], g)
		}
		return h.from(h.ids[u.ID-1], g)
	case krawiec.If:
		real := types.ArrayOf(types.R)
		return h.add(h.then(h.when(*u.By, real), h.delta(u.A, g)), h.then(h.when(h.s.Apply(ops.SymNot, *u.By), real), h.delta(u.B, g)))
	}
	return nil
}

// then is m after a Delta; in evaluation the Delta after m.
func (h *meaning) then(m, u *term.Term) *term.Term {
	if h.eval {
		return h.after(u, m)
	}
	return h.after(m, u)
}

// orZero is a map between the given types and Γ*.
func (h *meaning) orZero(m *term.Term, t *types.Type, g *environment) *term.Term {
	switch {
	case m != nil:
		return m
	case h.eval:
		return h.zero(t, g.all)
	}
	return h.zero(g.all, t)
}

// result is that of Lets around a result: h(Let y u₁ u₂) = h(u₂) ∘ [1; h(u₁)], and evaluation
// is (1 ⋈ …) after that of the body.
func (h *meaning) result(v fun.Value, t *fun.Type, bound []*krawiec.Delta, g *environment) *term.Term {
	if len(bound) == 0 {
		return h.value(v, t, g)
	}
	in := g.bind(types.ArrayOf(types.R))
	m := h.orZero(h.delta(bound[0], g), in.added, g)
	h.ids = append(h.ids, variable{at: in})
	body := h.result(v, t, bound[1:], in)
	if h.eval {
		return h.after(h.drop(m, in), body)
	}
	return h.after(body, h.extend(m, in))
}

// value is the map of a result in which each real is a pair of a term and a Delta.
func (h *meaning) value(v fun.Value, t *fun.Type, g *environment) *term.Term {
	both := h.pair
	if h.eval {
		both = h.join
	}
	switch t.Kind {
	case fun.KReal:
		return h.orZero(h.delta(v.(*fun.Pairing).R.(*krawiec.Delta), g), types.ArrayOf(types.R), g)
	case fun.KProd:
		p := v.(*fun.Pairing)
		return both(h.value(p.L, t.Parts[0], g), h.value(p.R, t.Parts[1], g))
	case fun.KSum:
		var parts [2]*term.Term
		l, r, _ := h.d.Sides(v)
		for i, x := range []fun.Value{l, r} {
			of := h.changes(x, t.Parts[i])
			if x != nil {
				parts[i] = h.value(x, t.Parts[i], g)
			}
			if of != nil {
				parts[i] = h.orZero(parts[i], of, g)
			}
		}
		return both(parts[0], parts[1])
	case fun.KArray:
		if !t.HasReals() {
			return nil
		}
		noSums(t)
		e, ok := v.(*fun.Elements)
		if !ok {
			raise.Error(errors.New("an array of the result is not written element by element"))
		}
		var sum *term.Term
		for i, x := range e.X {
			m := h.value(x, t.Parts[0], g)
			of := h.changes(x, t.Parts[0])
			sum = h.add(sum, h.then(h.place(int64(len(e.X)), h.s.LitInt(int64(i)), of, h.eval), m))
		}
		return sum
	}
	return nil
}
