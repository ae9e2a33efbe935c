package term

import (
	"slices"

	"egad/slot"
)

// Definitions with derivatives of their own: def … with nabla …. A call results in the
// value of the body, held back, with a slope by each argument: the operator withslope
// is its first operand, and its change that of the first operand and the product of the
// third with the change of the second.

// varied are the parameters of d by which it has a derivative.
func (d *checkedDef) varied() []int {
	var out []int
	for i, t := range d.params {
		if t != nil && t.Kind != KFun && t.RealPart() != nil {
			out = append(out, i)
		}
	}
	return out
}

// checkOwn checks the derivative of a definition, of which the sizes are in ctx.
func (w *walker[V]) checkOwn(d *checkedDef, ctx *context) {
	s := &scope[V]{ctx: ctx}
	by, to := d.varied(), d.result.RealPart()
	for i, p := range d.Params {
		if t := d.params[i]; t != nil && t.has(KFun) {
			w.errorf(s, p.Pos, "a definition with a derivative of its own takes no function: there is none by what the function captures")
			return
		}
	}
	switch {
	case len(by) == 0:
		w.errorf(s, d.Own.Pos, "nothing that %s takes is real: it has no derivative", d.Name)
		return
	case to == nil:
		w.errorf(s, d.Own.Pos, "%s results in %s, which has no real part: it has no derivative", d.Name, d.result)
		return
	}
	var args []*val[V]
	for _, t := range d.params {
		if t != nil {
			args = append(args, w.opaque(t, s, d.Own.F))
		}
	}
	v := w.owned(d, args, s)
	if v == nil {
		return
	}
	for k, i := range by {
		from, at := d.params[i], "the derivative of "+d.Name
		if len(by) > 1 {
			at += " by " + d.Params[i].Name
		}
		m := v[k]
		if !m.tuple && m.fn == nil && w.dom.typ(m.v).Kind == KLin {
			if msg := w.mismatch(LinOf(from.RealPart(), to), m); msg != "" {
				w.errorf(s, d.Own.F.At(), "%s: %s", at, msg)
			}
			continue
		}
		if msg := w.mismatch(jacobianType(d.result, from), m); msg != "" {
			w.errorf(s, d.Own.F.At(), "%s is a linear map %s or all partial derivatives, %s: %s", at, LinOf(from.RealPart(), to), jacobianType(d.result, from), msg)
		}
	}
}

// owned are the derivatives of d by its varied parameters, for all arguments.
func (w *walker[V]) owned(d *checkedDef, args []*val[V], s *scope[V]) []*val[V] {
	f := w.eval(d.Own.F, s)
	if f == nil {
		return nil
	}
	at := d.Own.F.At()
	if f.fn == nil {
		w.errorf(s, at, "the derivative of %s is a function of what it takes, as in \\x -> …, and this is %s", d.Name, w.describe(f))
		return nil
	}
	if k := f.fn.arity() - len(f.fn.given); k != len(args) {
		w.errorf(s, at, "the derivative of %s is a function of %s, as %s is, and this one takes %d", d.Name, countOf(len(args), "argument"), d.Name, k)
		return nil
	}
	v := w.applyValues(f.fn, d.Own.F, args, s)
	n := len(d.varied())
	switch {
	case v == nil:
		return nil
	case n == 1:
		return []*val[V]{v}
	case !v.tuple || len(v.parts) != n:
		w.errorf(s, at, "the derivative of %s is a tuple of %d, one for each parameter that has a real part, and this is %s", d.Name, n, w.describe(v))
		return nil
	}
	return v.parts
}

// called is the body of d in s, where its parameters have values, with the derivative
// that d has of its own.
func (el *elaborator) called(w *walker[Term], d *checkedDef, s *scope[Term]) *val[Term] {
	v := w.eval(d.Body, s)
	if v == nil || d.Own == nil || slices.Contains(el.owns, d) {
		return v
	}
	var args, by []*val[Term]
	for i, p := range d.Params {
		if d.params[i] != nil {
			b, _ := s.lookup(p.Name)
			args = append(args, b.val)
			if d.params[i].RealPart() != nil {
				by = append(by, b.val)
			}
		}
	}
	// What has been computed elsewhere is with the derivative of d.
	memo, applied := el.memo, w.applied
	el.memo, w.applied, el.owns = make(map[string]*val[Term]), nil, append(el.owns, d)
	slopes := w.owned(d, args, &scope[Term]{ctx: s.ctx})
	el.memo, w.applied, el.owns = memo, applied, el.owns[:len(el.owns)-1]
	if slopes == nil {
		return nil
	}
	o := &owner{el: el, name: d.Name}
	out := o.each(v, func(t Term) Term {
		if el.typ(t).Elem != R || el.typ(t).HasEmptyAxis() {
			return t
		}
		return o.make(Op{Sym: SymStopgrad}, nil, t)
	})
	for i, x := range by {
		out = o.slope(out, x, slopes[i])
	}
	if o.err != "" {
		return w.errorf(s, d.Own.F.At(), "%s", o.err)
	}
	h := el.hint(d.Name, d.Src, d.Own.Pos)
	o.each(out, func(t Term) Term {
		if el.prog.Store.Op(t).Sym == SymWithslope {
			el.prog.Names[t.ID] = h
		}
		return t
	})
	return out
}

// owner puts the derivative of a definition in place.
type owner struct {
	el   *elaborator
	name string
	err  string
}

func (o *owner) make(op Op, binders []slot.Name, kids ...Term) Term {
	if o.err != "" {
		return kids[0]
	}
	t, err := o.el.make(op, nil, binders, kids)
	if err != nil {
		o.err = sprintf("the derivative of %s: %s", o.name, err.Msg)
		return kids[0]
	}
	return t
}

// each applies f to all arrays of a value.
func (o *owner) each(v *val[Term], f func(Term) Term) *val[Term] {
	if !v.tuple {
		return &val[Term]{v: f(v.v)}
	}
	out := &val[Term]{tuple: true}
	for _, p := range v.parts {
		out.parts = append(out.parts, o.each(p, f))
	}
	return out
}

// real is the real part of a value, nil if there is none.
func (o *owner) real(v *val[Term]) *val[Term] {
	if !v.tuple {
		if o.el.typ(v.v).Elem != R {
			return nil
		}
		return v
	}
	out := &val[Term]{tuple: true}
	for _, p := range v.parts {
		if p = o.real(p); p != nil {
			out.parts = append(out.parts, p)
		}
	}
	if len(out.parts) == 0 {
		return nil
	}
	return out
}

// with is v with the change of what is of its type.
func (o *owner) with(v, change Term) Term {
	if o.el.typ(v).HasEmptyAxis() {
		return v
	}
	return o.scaled(v, change, o.filled(1, o.el.typ(v)))
}

// scaled is v with the change of x times by.
func (o *owner) scaled(v, x, by Term) Term { return o.make(Op{Sym: SymWithslope}, nil, v, x, by) }

func (o *owner) filled(n int64, t *Type) Term {
	return o.el.prog.Store.Lit(ScalarR(NumInt(n)), t.Shape...)
}

// slope is v with a derivative by x: a linear map, or all partial derivatives.
func (o *owner) slope(v, x, by *val[Term]) *val[Term] {
	if !by.tuple && o.el.typ(by.v).Kind == KLin {
		change := o.mapped(by.v, o.real(x)).arrays(nil)
		return o.each(v, func(t Term) Term {
			if o.el.typ(t).Elem != R || o.err != "" {
				return t
			}
			c := change[0]
			change = change[1:]
			return o.with(t, c.v)
		})
	}
	partials, xs := by.arrays(nil), o.real(x).arrays(nil)
	return o.each(v, func(t Term) Term {
		if o.el.typ(t).Elem != R {
			return t
		}
		for _, x := range xs {
			p := partials[0]
			partials = partials[1:]
			t = o.partial(t, x.v, p.v)
		}
		return t
	})
}

// partial is t with all partial derivatives of its elements by those of x, of which the
// axes come last.
func (o *owner) partial(t, x, by Term) Term {
	s, own, others := o.el.prog.Store, o.el.typ(t).Shape, o.el.typ(x).Shape
	if o.el.typ(by).HasEmptyAxis() {
		return t
	}
	all := s.ReplicateTo(own, x)
	if len(others) == 0 {
		return o.scaled(t, all, by)
	}
	change := o.scaled(o.filled(0, o.el.typ(by)), all, by)
	change = o.make(Op{Sym: SymTr, Perm: slices.Concat(count(len(own), len(own)+len(others)), count(0, len(own)))}, nil, change)
	for range others {
		change = o.make(Op{Sym: SymSum}, nil, change)
	}
	return o.with(t, change)
}

// mapped is something with the change that the linear map m makes of that of x. Its
// value is not looked at.
func (o *owner) mapped(m Term, x *val[Term]) *val[Term] {
	s := o.el.prog.Store
	v := s.Open(m)
	zeros := func(t *Type) *val[Term] { return o.el.split(s.Zeros(t)) }
	on := func(f func(Term) Term) *val[Term] { return o.each(x, f) }
	sum := func(vs []*val[Term]) *val[Term] {
		r := vs[0]
		for _, v := range vs[1:] {
			rest := v.arrays(nil)
			r = o.each(r, func(t Term) Term {
				u := rest[0]
				rest = rest[1:]
				return o.make(Op{Sym: SymAdd}, nil, t, u.v)
			})
		}
		return r
	}
	parts := func(f func(i int, m Term) *val[Term]) []*val[Term] {
		out := make([]*val[Term], len(v.Kids))
		for i, k := range v.Kids {
			out[i] = f(i, k)
		}
		return out
	}
	same := func(_ int, m Term) *val[Term] { return o.mapped(m, x) }
	switch op := v.Op; op.Sym {
	case SymLone:
		return x
	case SymLzero:
		return zeros(op.Type2)
	case SymLscale:
		return on(func(t Term) Term { return o.scaled(o.filled(0, o.el.typ(t)), t, v.Kids[0]) })
	case SymLmask:
		return on(func(t Term) Term { return o.make(Op{Sym: SymWhere}, nil, v.Kids[0], t, s.Zeros(o.el.typ(t))) })
	case SymLcond:
		return on(func(t Term) Term { return o.make(Op{Sym: SymCond}, nil, v.Kids[0], t, s.Zeros(o.el.typ(t))) })
	case SymLcompose:
		return o.mapped(v.Kids[0], o.mapped(v.Kids[1], x))
	case SymLadd:
		return sum(parts(same))
	case SymLpair:
		return &val[Term]{tuple: true, parts: parts(same)}
	case SymLjoin:
		return sum(parts(func(i int, m Term) *val[Term] { return o.mapped(m, x.parts[i]) }))
	case SymLproj:
		return x.parts[op.N]
	case SymLinj:
		out := zeros(op.Type)
		out.parts[op.N] = x
		return out
	case SymLbuild, SymLbuildT:
		if op.Sym == SymLbuildT {
			i := s.Ivar(v.Binders[0], op.Sizes[0])
			x = on(func(t Term) Term { return o.make(Op{Sym: SymIndex}, nil, t, i) })
		}
		return o.each(o.mapped(v.Kids[0], x), func(t Term) Term {
			if t = o.make(Op{Sym: SymBuild, Sizes: op.Sizes}, v.Binders, t); op.Sym == SymLbuildT {
				t = o.make(Op{Sym: SymSum}, nil, t)
			}
			return t
		})
	}
	of := s.sig.Operator(v.Op.Sym)
	if of.Of == SymNone || s.sig.Operator(of.Of).Operand() > 0 || o.err != "" {
		if o.err == "" {
			o.err = sprintf("the derivative of %s is put together from maps that are known forwards and have no operands of their own that are real: %s is none (all partial derivatives, as an array, will do)", o.name, of.Name)
		}
		return x
	}
	return on(func(t Term) Term {
		op := v.Op
		op.Sym, op.Type = of.Of, nil
		return o.make(op, v.Binders, append([]Term{t}, v.Kids...)...)
	})
}
