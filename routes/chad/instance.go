package chad

import (
	"slices"

	"egad/fun"
	"egad/internal/slice"
)

// shape is what is known of values of a type that may have functions in it: of a function,
// the instances of Σ that it may be (002, Section 9 and Appendix C).
type shape struct {
	typ   *fun.Type
	parts []*shape    // of a product or a sum
	alts  []*instance // of a function
	// target is the type of the values without functions: of a function the sum of the tuples
	// that its instances capture.
	target *fun.Type
}

// instance is a function as it is written, with what is known of what it captures.
type instance struct {
	lam  *fun.Term
	caps []*shape
	env  *fun.Type // of the tuple of what it captures, the argument's neighbour first
}

// never is the shape of values of which none is known yet: functions have no instance.
func never(t *fun.Type) *shape {
	if t.FirstOrder() {
		return &shape{typ: t, target: t}
	}
	switch t.Kind {
	case fun.KProd, fun.KSum:
		return compound(t.Kind, never(t.Parts[0]), never(t.Parts[1]))
	}
	return functionShape(t, nil)
}

// compound is the shape of pairs or of sides.
func compound(kind fun.Kind, l, r *shape) *shape {
	of := fun.Prod
	if kind == fun.KSum {
		of = fun.Sum
	}
	if t := of(l.typ, r.typ); t.FirstOrder() {
		return never(t)
	}
	return &shape{typ: of(l.typ, r.typ), parts: []*shape{l, r}, target: of(l.target, r.target)}
}

func functionShape(t *fun.Type, alts []*instance) *shape {
	return &shape{typ: t, alts: alts, target: instances(alts)}
}

// instances is the sum of what instances capture.
func instances(alts []*instance) *fun.Type {
	switch len(alts) {
	case 0:
		return fun.Unit
	case 1:
		return alts[0].env
	}
	return fun.Sum(alts[0].env, instances(alts[1:]))
}

// half is the shape of a part of a product or a sum.
func (s *shape) half(k int) *shape {
	if s.parts == nil {
		return never(s.typ.Parts[k])
	}
	return s.parts[k]
}

func (s *shape) equal(o *shape) bool {
	return s == o || s.target.Equal(o.target) && slices.EqualFunc(s.alts, o.alts, (*instance).equal) && slices.EqualFunc(s.parts, o.parts, (*shape).equal)
}

func (i *instance) equal(o *instance) bool {
	return i.lam == o.lam && slices.EqualFunc(i.caps, o.caps, (*shape).equal)
}

// join is what is known of values of either shape.
func (s *shape) join(o *shape) *shape {
	switch {
	case s.equal(o):
		return s
	case s.typ.Kind == fun.KFun:
		return functionShape(s.typ, slices.Concat(s.alts, slice.Filter(o.alts, func(a *instance) bool { return s.at(a) < 0 })))
	}
	return compound(s.typ.Kind, s.half(0).join(o.half(0)), s.half(1).join(o.half(1)))
}

func (s *shape) at(a *instance) int {
	return slices.IndexFunc(s.alts, a.equal)
}

// as is a term of shape s as one of a shape that was joined of it.
func (s *shape) as(to *shape, x *fun.Term) *fun.Term {
	if s.equal(to) {
		return x
	}
	switch s.typ.Kind {
	case fun.KProd:
		return fun.LetIn(x, pair(s.half(0).as(to.half(0), fun.Fst.Make(v(0))), s.half(1).as(to.half(1), fun.Snd.Make(v(0)))))
	case fun.KSum:
		return fun.Case.Make(x, fun.Inl.Typed(to.target, s.half(0).as(to.half(0), v(0))), fun.Inr.Typed(to.target, s.half(1).as(to.half(1), v(0))))
	}
	return s.choose(x, func(k int, env *fun.Term) *fun.Term { return to.inject(to.at(s.alts[k]), env) }, to)
}

// choose tells the instances of a function apart: of each, f makes a term of a shape out of
// what is captured, which it has as a variable of its own if there are several.
func (s *shape) choose(x *fun.Term, f func(k int, env *fun.Term) *fun.Term, of *shape) *fun.Term {
	if len(s.alts) == 0 {
		return someOf(of.target) // never
	}
	return s.choice(0, x, f)
}

func (s *shape) choice(k int, x *fun.Term, f func(k int, env *fun.Term) *fun.Term) *fun.Term {
	if k == len(s.alts)-1 {
		return f(k, x)
	}
	return fun.Case.Make(x, f(k, v(0)), s.choice(k+1, v(0), f))
}

// inject is what instance k captures as a value of the sum.
func (s *shape) inject(k int, env *fun.Term) *fun.Term {
	if k < len(s.alts)-1 {
		env = fun.Inl.Typed(instances(s.alts[k:]), env)
	}
	for i := k - 1; i >= 0; i-- {
		env = fun.Inr.Typed(instances(s.alts[i:]), env)
	}
	return env
}
