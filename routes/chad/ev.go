package chad

import "egad/fun"

// vectors is an implementation of environment vectors EV Γ, of the basic transformation (002,
// Fig. 3): a cotangent for each variable of a context. Costs are in steps.
type vectors interface {
	zero(s *state, ctx *fun.Type) (fun.Value, int64)
	// one has x at the variable n, outside of which there are key.
	one(s *state, ctx *fun.Type, n, key int, x fun.Value) (fun.Value, int64)
	plus(s *state, a, b fun.Value) (fun.Value, int64)
	// split takes the innermost variable off, outside of which there are key.
	split(s *state, ctx *fun.Type, key int, v fun.Value) (rest, x fun.Value, c int64)
}

// The forms on environment vectors.
var (
	evZero = form("zero", formEV.Of(typOwn), func(m *fun.Machine, t *fun.Term, _ []fun.Value) fun.Value {
		s := stateOf(m)
		v, c := s.vector.zero(s, t.Type)
		m.Step(c - 1)
		return v
	})
	evOne = atVariable(formEV.Of(typOwn), withOperand(func(m *fun.Machine, t *fun.Term, x fun.Value) fun.Value {
		s := stateOf(m)
		v, c := s.vector.one(s, t.Type, t.N, t.Op.N, x)
		m.Step(c)
		return v
	}))
	evPlus = form("plus", formEV.Of(typCtx), withOperands(func(m *fun.Machine, _ *fun.Term, a, b fun.Value) fun.Value {
		s := stateOf(m)
		v, c := s.vector.plus(s, a, b)
		m.Step(c)
		return v
	}), formEV.Of(typCtx), formEV.Of(typCtx))
	evSplit = formAt(formMore.Of(typCtx, typA), "split", fun.Prod(formEV.Of(typCtx), typA), withOperand(func(m *fun.Machine, t *fun.Term, v fun.Value) fun.Value {
		s := stateOf(m)
		rest, x, c := s.vector.split(s, t.Type, t.N, v)
		m.Step(c)
		return &fun.Pairing{L: rest, R: x}
	}), formEV.Of(formMore.Of(typCtx, typA)))
)

// tuples are the vectors of Fig. 4: a tuple of all cotangents, the innermost first.
type tuples struct{}

func (tuples) zero(s *state, ctx *fun.Type) (fun.Value, int64) {
	return tuples{}.one(s, ctx, -1, 0, nil)
}

// one is made from the outermost variable on.
func (tuples) one(s *state, ctx *fun.Type, n, _ int, x fun.Value) (fun.Value, int64) {
	var all []*fun.Type
	for ; ctx.Form == formMore; ctx = ctx.Parts[0] {
		all = append(all, ctx.Parts[1])
	}
	var out fun.Value = fun.Nothing{}
	cost := int64(1)
	for i := len(all) - 1; i >= 0; i-- {
		y := x
		if i != n {
			var c int64
			y, c = s.linear.zero(all[i])
			cost += c
		}
		out = &fun.Pairing{L: out, R: y}
		cost++
	}
	return out, cost
}

func (tuples) plus(s *state, a, b fun.Value) (fun.Value, int64) {
	var xs []fun.Value
	cost := int64(0)
	for {
		p, ok := a.(*fun.Pairing)
		if !ok {
			break
		}
		q := b.(*fun.Pairing)
		x, c := s.plus(p.R, q.R)
		xs, cost = append(xs, x), cost+c+1
		a, b = p.L, q.L
	}
	out := a
	for i := len(xs) - 1; i >= 0; i-- {
		out = &fun.Pairing{L: out, R: xs[i]}
	}
	return out, cost
}

func (tuples) split(_ *state, _ *fun.Type, _ int, v fun.Value) (rest, x fun.Value, c int64) {
	p := v.(*fun.Pairing)
	return p.L, p.R, 0
}

// maps are the vectors of Section 4.1: persistent maps.
type maps struct{}

func (maps) zero(*state, *fun.Type) (fun.Value, int64) { return (*emap)(nil), 1 }

func (maps) one(_ *state, _ *fun.Type, _, key int, x fun.Value) (fun.Value, int64) {
	return node(key, x, nil, nil), 1
}

func (maps) plus(s *state, a, b fun.Value) (fun.Value, int64) {
	x, y := a.(*emap), b.(*emap)
	if x != nil && y != nil {
		s.Unions++
		s.Joined += min(x.len(), y.len())
	}
	cost := int64(0)
	w := &walk{plus: func(x, y fun.Value) fun.Value {
		z, c := s.plus(x, y)
		cost += c
		return z
	}}
	out := w.union(x, y)
	return out, cost + w.steps
}

func (maps) split(s *state, ctx *fun.Type, key int, v fun.Value) (rest, x fun.Value, c int64) {
	w := &walk{}
	out, x, found := w.take(v.(*emap), key)
	if !found {
		x, c = s.linear.zero(ctx.Parts[1])
	}
	return out, x, c + w.steps
}
