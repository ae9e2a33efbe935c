package module

import (
	"fmt"
	"slices"

	"egad/diag"
	"egad/internal/slice"
	"egad/slot"
	"egad/term"
	"egad/term/numeric"
	"egad/term/ops"
	"egad/term/size"
	"egad/term/types"
)

// Definitions with derivatives of their own: def … with nabla …. A call results in the
// value of the body, held back, with a slope by each argument: the operator withslope
// is its first operand, and its change that of the first operand and the product of the
// third with the change of the second.

// varied are the parameters of d by which it has a derivative.
func (d *checkedDef) varied() []int {
	var out []int
	for i, t := range d.params {
		if t != nil && t.Kind != types.KFun && t.RealPart() != nil {
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
		if t := d.params[i]; t != nil && t.Kind == types.KFun && slices.ContainsFunc(t.Parts, func(p *types.Type) bool { return p.Has(types.KFun) }) {
			w.errorf(s, p.Pos, "a definition with a derivative of its own takes functions of arrays to arrays, and %s is one of functions", p.Name)
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
	v, c := w.owned(d, args, s, func(i int) *val[V] { return w.opaque(d.params[i].RealPart(), s, d.Own.F) })
	if c != nil {
		if msg := w.mismatch(to, c.val); msg != "" {
			w.errorf(s, d.Own.Slope().At(), "the change of %s is %s: %s", d.Name, to, msg)
		}
	}
	if v == nil {
		return
	}
	for k, i := range by {
		from, at := d.params[i], "the derivative of "+d.Name
		if len(by) > 1 {
			at += " by " + d.Params[i].Name
		}
		m := v[k]
		if !m.tuple && m.fn == nil && w.dom.typ(m.v).Kind == types.KLin {
			if msg := w.mismatch(types.LinOf(from.RealPart(), to), m); msg != "" {
				w.errorf(s, d.Own.F.At(), "%s: %s", at, msg)
			}
			continue
		}
		if msg := w.mismatch(jacobianType(d.result, from), m); msg != "" {
			w.errorf(s, d.Own.F.At(), "%s is a linear map %s or all partial derivatives, %s: %s", at, types.LinOf(from.RealPart(), to), jacobianType(d.result, from), msg)
		}
	}
}

// owned are the derivatives of d by its varied parameters, for all arguments, or the
// derivative as a function of changes, of which moved makes that of a parameter.
func (w *walker[V]) owned(d *checkedDef, args []*val[V], s *scope[V], moved func(i int) *val[V]) ([]*val[V], *change[V]) {
	f := w.eval(d.Own.F, s)
	if f == nil {
		return nil, nil
	}
	at := d.Own.F.At()
	if f.fn == nil {
		w.errorf(s, at, "the derivative of %s is a function of what it takes, as in \\x -> …, and this is %s", d.Name, w.describe(f))
		return nil, nil
	}
	by := d.varied()
	n := len(by)
	switch f.fn.arity() - len(f.fn.given) {
	case len(args):
	case len(args) + n:
		c := &change[V]{of: slice.Map(by, moved)}
		if c.val = w.applyValues(f.fn, d.Own.F, slices.Concat(args, c.of), s); c.val == nil {
			return nil, nil
		}
		return nil, c
	default:
		w.errorf(s, at, "the derivative of %s is a function of %s, as %s is, or of these and %s, and this one takes %d", d.Name, diag.Count(len(args), "argument"), d.Name,
			diag.Count(n, "change"), f.fn.arity()-len(f.fn.given))
		return nil, nil
	}
	v := w.applyValues(f.fn, d.Own.F, args, s)
	switch {
	case v == nil:
		return nil, nil
	case n == 1:
		return []*val[V]{v}, nil
	case !v.tuple || len(v.parts) != n:
		w.errorf(s, at, "the derivative of %s is a tuple of %d, one for each parameter that has a real part, and this is %s", d.Name, n, w.describe(v))
		return nil, nil
	}
	return v.parts, nil
}

// called is the body of d in s, where its parameters have values, with the derivative
// that d has of its own.
func (el *elaborator) called(w *walker[term.Term], d *checkedDef, s *scope[term.Term]) *val[term.Term] {
	v := w.eval(d.Body, s)
	if v == nil || d.Own == nil || slices.Contains(el.owns, d) {
		return v
	}
	var args, by []*val[term.Term]
	varied := d.varied()
	for i, p := range d.Params {
		if t := d.params[i]; t != nil {
			b, _ := s.lookup(p.Name)
			args = append(args, b.val)
			if slices.Contains(varied, i) {
				by = append(by, b.val)
			}
			if t.Kind == types.KFun && el.captures(w, b.val.fn, t.Subst(s.ctx.sizes), s, d) {
				return w.errorf(&scope[term.Term]{ctx: s.ctx}, p.Pos, "%s has a derivative of its own, and none by what the function %s captures: reals are given to it as arguments, or held by stopgrad", d.Name, p.Name)
			}
		}
	}
	// What has been computed elsewhere is with the derivative of d.
	memo, applied := el.memo, w.applied
	el.memo, w.applied, el.owns = make(map[string]*val[term.Term]), nil, append(el.owns, d)
	slopes, c := w.owned(d, args, &scope[term.Term]{ctx: s.ctx}, func(i int) *val[term.Term] {
		x, _ := s.lookup(d.Params[i].Name)
		return (&owner{el: el, name: d.Name}).moving(x.val, d.Params[i].Name)
	})
	el.memo, w.applied, el.owns = memo, applied, el.owns[:len(el.owns)-1]
	if slopes == nil && c == nil {
		return nil
	}
	o := &owner{el: el, name: d.Name}
	out := o.each(v, func(t term.Term) term.Term {
		if el.typ(t).Elem != types.R || el.typ(t).HasEmptyAxis() {
			return t
		}
		return o.make(ops.Op{Sym: ops.SymStopgrad}, nil, t)
	})
	at := d.Own.F
	if c != nil {
		out, at = o.changed(out, c, by), d.Own.Slope()
	}
	for i := range slopes {
		out = o.slope(out, by[i], slopes[i])
	}
	if o.err != "" {
		return w.errorf(&scope[term.Term]{ctx: s.ctx}, at.At(), "%s", o.err)
	}
	h := el.hint(d.Name, d.Src, d.Own.Pos)
	o.each(out, func(t term.Term) term.Term {
		if el.prog.Store.Op(t).Sym == ops.SymWithslope {
			el.prog.Names[t.ID] = h
		}
		return t
	})
	return out
}

// captures reports whether a function of the given type depends on reals beside its
// arguments: on those that have a derivative.
func (el *elaborator) captures(w *walker[term.Term], f *closure[term.Term], t *types.Type, s *scope[term.Term], d *checkedDef) bool {
	var args []*val[term.Term]
	own := make(map[string]bool)
	for i, p := range t.Parts[:len(t.Parts)-1] {
		in := term.Input{Name: fmt.Sprintf("argument %d", i), Type: p}
		for _, leaf := range in.Leaves() {
			own[leaf.Name] = true
		}
		args = append(args, el.input(in))
	}
	r := w.applyValues(f, d.Own.F, args, s)
	if r == nil {
		return false // which has been reported
	}
	st := el.prog.Store
	root := el.term(r)
	seen := make(map[uint32]bool)
	var depends func(t term.Term) bool
	depends = func(t term.Term) bool {
		if op := st.Op(t); seen[t.ID] || st.Type(t).RealPart() == nil || op.Sym == ops.SymStopgrad {
			return false
		} else if op.Sym == ops.SymVar {
			return !own[op.Name]
		}
		seen[t.ID] = true
		return slices.ContainsFunc(st.Kids(t), func(k slot.Kid) bool { return depends(term.Term{ID: k.ID}) })
	}
	free := slices.ContainsFunc(st.Vars(root), func(v ops.VarType) bool { return v.Type != nil && v.Type.RealPart() != nil })
	return free || depends(root)
}

// owner puts the derivative of a definition in place.
type owner struct {
	el   *elaborator
	name string
	err  string
}

func (o *owner) make(op ops.Op, binders []slot.Name, kids ...term.Term) term.Term {
	if o.err != "" {
		return kids[0]
	}
	t, err := o.el.make(op, nil, binders, kids)
	if err != nil {
		o.err = fmt.Sprintf("the derivative of %s: %s", o.name, err.Msg)
		return kids[0]
	}
	return t
}

// each applies f to all arrays of a value.
func (o *owner) each(v *val[term.Term], f func(term.Term) term.Term) *val[term.Term] {
	if !v.tuple {
		return &val[term.Term]{v: f(v.v)}
	}
	return &val[term.Term]{tuple: true, parts: slice.Map(v.parts, func(p *val[term.Term]) *val[term.Term] { return o.each(p, f) })}
}

// real is the real part of a value, nil if there is none.
func (o *owner) real(v *val[term.Term]) *val[term.Term] {
	if !v.tuple {
		if o.el.typ(v.v).Elem != types.R {
			return nil
		}
		return v
	}
	out := &val[term.Term]{tuple: true}
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

// moving are variables for a change of x.
func (o *owner) moving(x *val[term.Term], name string) *val[term.Term] {
	k := 0
	return o.each(o.real(x), func(t term.Term) term.Term {
		k++
		return o.el.prog.Store.Var(fmt.Sprintf("change %d of %s of %s", k, name, o.name), o.el.typ(t))
	})
}

// with is v with the change of what is of its type.
func (o *owner) with(v, change term.Term) term.Term {
	if o.el.typ(v).HasEmptyAxis() {
		return v
	}
	return o.scaled(v, change, o.filled(1, o.el.typ(v)))
}

// scaled is v with the change of x times by.
func (o *owner) scaled(v, x, by term.Term) term.Term {
	return o.make(ops.Op{Sym: ops.SymWithslope}, nil, v, x, by)
}

// factor is something with the change of x times by.
func (o *owner) factor(x, by term.Term) term.Term { return o.scaled(o.filled(0, o.el.typ(x)), x, by) }

// applied is something with the change that op, which is linear in its last operand after
// others, makes of that of x.
func (o *owner) applied(op ops.Op, others []term.Term, x term.Term) term.Term {
	s := o.el.prog.Store
	if o.err != "" {
		return x
	}
	a, t := others[0], o.el.typ(x)
	row := types.ArrayOf(types.R, t.Shape[1:]...)
	switch op.Sym {
	case ops.SymLinrec: // a loop
		n := t.Shape[0]
		steps, _ := n.Const()
		names := s.FreshN(2)
		i := s.Ivar(names[0], n)
		last := s.Variable(names[1], ops.VarType{Type: row})
		next := o.make(ops.Op{Sym: ops.SymAdd}, nil, o.factor(last, s.Index(a, i)), s.Index(x, i))
		all := o.make(ops.Op{Sym: ops.SymStates, Sizes: []size.Size{n}, Type: row}, names, s.Zeros(row), s.LitInt(steps), next)
		return s.Build(n, func(i term.Term) term.Term { return s.Index(all, s.Apply(ops.SymAdd, i, s.LitInt(1))) })
	case ops.SymSolve, ops.SymSolvet, ops.SymTrisolve, ops.SymTrisolvet:
	default:
		o.err = fmt.Sprintf("the derivative of %s is put together from sums, factors and linear operators of the language: %s is none (all partial derivatives, as an array, will do)", o.name, s.Signature().Operator(op.Sym).Name)
		return x
	}
	// By the inverse: what the operator makes of the unit matrix.
	rows, columns, rest := t.Shape[0], t.Shape[1], t.Shape[2:]
	one := o.make(ops.Op{Sym: op.Sym}, nil, a, s.Build(rows, func(i term.Term) term.Term {
		return s.Build(rows, func(j term.Term) term.Term {
			return s.ReplicateTo(rest, s.Apply(ops.SymCond, s.Apply(ops.SymEq, i, j), s.Lit(ops.ScalarR(numeric.Int(1))), s.Lit(ops.ScalarR(numeric.Int(0)))))
		})
	}))
	return s.Build(rows, func(i term.Term) term.Term {
		return o.make(ops.Op{Sym: ops.SymSum}, nil, s.Build(rows, func(j term.Term) term.Term {
			return o.factor(s.Index(x, j), s.Replicate(columns, s.Index(one, i, j)))
		}))
	})
}

func (o *owner) filled(n int64, t *types.Type) term.Term {
	return o.el.prog.Store.Lit(ops.ScalarR(numeric.Int(n)), t.Shape...)
}

// slope is v with a derivative by x: a linear map, or all partial derivatives.
func (o *owner) slope(v, x, by *val[term.Term]) *val[term.Term] {
	if !by.tuple && o.el.typ(by.v).Kind == types.KLin {
		dx := o.moving(x, "x")
		to, err := o.el.carriedOut(o.make(ops.Op{Sym: ops.SymLapply}, nil, by.v, o.el.term(dx)))
		if err != nil {
			o.err = fmt.Sprintf("the derivative of %s: %s", o.name, err)
			return v
		}
		return o.changed(v, &change[term.Term]{[]*val[term.Term]{dx}, o.el.split(to)}, []*val[term.Term]{x})
	}
	partials, xs := by.arrays(nil), o.real(x).arrays(nil)
	return o.each(v, func(t term.Term) term.Term {
		if o.el.typ(t).Elem != types.R {
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
func (o *owner) partial(t, x, by term.Term) term.Term {
	s, own, others := o.el.prog.Store, o.el.typ(t).Shape, o.el.typ(x).Shape
	if o.el.typ(by).HasEmptyAxis() {
		return t
	}
	all := s.ReplicateTo(own, x)
	if len(others) == 0 {
		return o.scaled(t, all, by)
	}
	change := o.scaled(o.filled(0, o.el.typ(by)), all, by)
	change = o.make(ops.Op{Sym: ops.SymTr, Perm: slices.Concat(slice.Count(len(own), len(own)+len(others)), slice.Count(0, len(own)))}, nil, change)
	for range others {
		change = o.make(ops.Op{Sym: ops.SymSum}, nil, change)
	}
	return o.with(t, change)
}
