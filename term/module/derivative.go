package module

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"egad/internal/memo"
	"egad/internal/slice"
	"egad/slot"
	"egad/term"
	"egad/term/ops"
	"egad/term/types"
)

// Derivatives of functions, as functions: grad f and so on. What they result in is
// derived while the program is instantiated, and no trace of f is left.

// derivative applies a derivative of a function to the arguments of that, and what the
// derivative takes beside.
func (c *generalCall[V]) derivative() *val[V] {
	f := c.args[0].val.fn
	n := f.arity() - len(f.given)
	fs, at := c.args[0].where(c.at, c.s)
	xs, with := c.values(1)[:n], c.values(1+n)
	for i, x := range xs {
		if x.hasFunction() {
			c.fail(1+i, "%s is by arrays, and this is %s; a function of the others does with it: \\x -> f x …", c.g.Name, c.w.describe(x))
			return nil
		}
	}
	d := &derivation[V]{how: c.g.Name, xs: xs, wrt: make([]bool, n), with: with}
	d.f = func(xs []*val[V]) *val[V] { return c.w.applyValues(f, at, xs, fs) }
	k, checking := any(c.w.dom).(*checker)
	var r *val[V]
	if checking {
		if r = d.f(xs); r == nil {
			return nil
		}
	}
	for i, x := range xs {
		if d.wrt[i] = c.w.real(c.w.typeOf(x)); !d.wrt[i] && c.g.Name == "jvp" {
			c.fail(1+i, "there is no change of %s; a function of the others does with it: \\x -> f x …", c.w.describe(x))
			return nil
		}
	}
	if !slices.Contains(d.wrt, true) {
		return c.w.errorf(fs, at.At(), "%s is by real arguments, and the function is given none", c.g.Name)
	}
	if checking {
		return c.checkDerivative(k, d, r)
	}
	v, err := c.w.dom.derive(c.w, d)
	if err != nil {
		return c.w.errorf(fs, at.At(), "%s: %s", c.g.Name, err)
	}
	return v
}

// derivation is a derivative of f at xs by those that wrt says.
type derivation[V any] struct {
	how  string
	f    func(xs []*val[V]) *val[V]
	xs   []*val[V]
	wrt  []bool
	with []*val[V] // changes, or a cotangent
}

// real reports whether a type has a real part; what may be real is made so.
func (w *walker[V]) real(t *types.Type) bool {
	switch t.Kind {
	case types.KArray:
		return w.dom.unify().ElemIn(t.Elem, types.R)
	case types.KTuple:
		some := false
		for _, p := range t.Parts {
			some = w.real(p) || some
		}
		return some
	}
	return false
}

// checkDerivative is the type of a derivative of what results in r.
func (c *generalCall[V]) checkDerivative(k *checker, d *derivation[V], r *val[V]) *val[V] {
	fail := func(format string, args ...any) *val[V] {
		c.fail(0, format, args...)
		return nil
	}
	if r.hasFunction() {
		return fail("%s is of a function to arrays, and this one results in %s", c.g.Name, c.w.describe(r))
	}
	isReal := c.w.real(c.w.typeOf(r))
	t := k.resolved(c.w.typeOf(r))
	scalar := d.how == "grad" || d.how == "hessian"
	switch {
	case scalar && !t.IsScalar(types.R):
		return fail("%s is of a function to a real scalar, and this one results in %s", c.g.Name, t.Described())
	case !isReal:
		return fail("%s is of a function to reals, and this one results in %s", c.g.Name, t.Described())
	}
	var by []*types.Type
	for i, x := range d.xs {
		if d.wrt[i] {
			by = append(by, k.resolved(c.w.typeOf(x)))
		}
	}
	each := func(f func(x *types.Type) *types.Type) *types.Type {
		return term.PackedType(slice.Map(by, f))
	}
	out := each(func(x *types.Type) *types.Type { return x })
	switch d.how {
	case "jvp":
		for i, dx := range d.with {
			if msg := c.w.mismatch(by[i], dx); msg != "" {
				c.fail(1+len(d.xs)+i, "the change of argument %d of the function: %s", i+1, msg)
				return nil
			}
		}
		out = t.RealPart()
	case "vjp":
		if msg := c.w.mismatch(t.RealPart(), d.with[0]); msg != "" {
			c.fail(1+len(d.xs), "the cotangent of what the function results in: %s", msg)
			return nil
		}
	case "jacobian":
		out = each(func(x *types.Type) *types.Type { return jacobianType(t, x) })
	case "hessian":
		out = each(func(x *types.Type) *types.Type {
			return each(func(y *types.Type) *types.Type { return jacobianType(x, y) })
		})
	}
	return any(typeValue(out)).(*val[V])
}

// resolved is t with all element types that are known.
func (c *checker) resolved(t *types.Type) *types.Type {
	if t.Kind != types.KTuple {
		return c.Resolve(t)
	}
	return types.TupleOf(slice.Map(t.Parts, c.resolved)...)
}

// jacobianType is the type of the derivative of what has one type by another.
func jacobianType(of, by *types.Type) *types.Type {
	parts := func(t *types.Type, f func(*types.Type) *types.Type) *types.Type {
		var out []*types.Type
		for _, p := range t.Parts {
			if p.RealPart() != nil {
				out = append(out, f(p))
			}
		}
		return types.TupleOf(out...)
	}
	switch {
	case of.Kind == types.KTuple:
		return parts(of, func(p *types.Type) *types.Type { return jacobianType(p, by) })
	case by.Kind == types.KTuple:
		return parts(by, func(p *types.Type) *types.Type { return jacobianType(of, p) })
	}
	return types.ArrayOf(types.R, slices.Concat(of.Shape, by.Shape)...)
}

// derive is not asked of a checker.
func (c *checker) derive(*walker[*types.Type], *derivation[*types.Type]) (*val[*types.Type], error) {
	return nil, nil
}

// Names of inputs of the programs that are derived while another is instantiated. No
// text can say them.
const (
	varied   = "·x" // by the depth of nesting and the number
	captured = "·c"
)

// derive makes a program of a function: what it captures becomes inputs. The derived
// program is put in place of the call.
func (el *elaborator) derive(w *walker[term.Term], d *derivation[term.Term]) (*val[term.Term], error) {
	s := el.prog.Store
	if s.Signature().Deriver == nil {
		return nil, errors.New("there are no rules here to differentiate by")
	}
	el.nested++
	defer func() { el.nested-- }()
	p := &term.Program{Store: term.NewStore(s.Signature()), Name: d.how, Names: make(map[uint32]term.Hint), Index: el.prog.Index, Sizes: el.prog.Sizes}
	mine := fmt.Sprintf("%s%d.", varied, el.nested)
	vars := make([]*val[term.Term], len(d.xs))
	var wrt []string
	values := make(map[string]term.Term) // of the inputs of the program
	give := func(in term.Input, v *val[term.Term]) {
		arrays := v.arrays(nil)
		for i, leaf := range in.Leaves() {
			values[leaf.Name] = arrays[i].v
		}
	}
	for i, x := range d.xs {
		in := term.Input{Name: fmt.Sprintf("%s%d", mine, i), Type: w.typeOf(x)}
		p.Inputs = append(p.Inputs, in)
		vars[i] = el.input(in)
		give(in, x)
		if d.wrt[i] {
			wrt = append(wrt, in.Name)
		}
	}
	r := d.f(vars)
	if r == nil {
		return nil, nil // which has been reported
	}
	root := el.term(r)
	capture := func(of term.Term) term.Term {
		in := term.Input{Name: fmt.Sprintf("%s%d.%d", captured, el.nested, len(p.Inputs)), Type: s.Type(of)}
		p.Inputs = append(p.Inputs, in)
		v := el.input(in)
		give(in, el.split(of))
		return el.term(v)
	}
	// Variables of loops around the call, and what does not depend on xs.
	root = el.close(root, capture)
	contains := make(map[uint32][2]bool) // a variable of ours, any variable
	var look func(t term.Term) [2]bool
	look = func(t term.Term) [2]bool {
		return memo.Of(contains, t.ID, func() [2]bool {
			var c [2]bool
			if op := s.Op(t); op.Sym == ops.SymVar {
				c = [2]bool{strings.HasPrefix(op.Name, mine), true}
			}
			for _, k := range s.Kids(t) {
				sub := look(term.Term{ID: k.ID})
				c[0], c[1] = c[0] || sub[0], c[1] || sub[1]
			}
			return c
		})
	}
	root = s.Replace(root, func(t term.Term) (term.Term, bool) {
		c := look(t)
		if len(t.Args) > 0 || c[0] || !c[1] || s.Type(t).Kind != types.KArray || s.Op(t).Sym == ops.SymVar && values[s.Op(t).Name].ID != 0 {
			return term.Term{}, false
		}
		return capture(t), true
	})
	p.Root = p.Store.Import(s, root, nil)
	q, err := el.derived(d.how, p, wrt, root)
	if err != nil {
		return nil, err
	}
	for i, v := range d.with {
		give(q.Inputs[len(p.Inputs)+i], v)
	}
	out := el.split(el.filled(s.Import(q.Store, q.Root, nil), values))
	n := len(wrt)
	switch d.how {
	case "jvp":
		return out.parts[1], nil
	case "hessian":
		return oneOf(slice.Make(n, func(i int) *val[term.Term] { return oneOf(out.parts[1+n+i*n : 1+n+(i+1)*n]) })), nil
	}
	return oneOf(out.parts[1 : 1+n]), nil
}

// derived derives p, of which root is the result in our store, once.
func (el *elaborator) derived(how string, p *term.Program, wrt []string, root term.Term) (*term.Program, error) {
	key := how + term.TermKey(root) + strings.Join(wrt, ",")
	for _, in := range p.Inputs {
		key += in.Type.Key()
	}
	if q, ok := el.programs[key]; ok {
		return q, nil
	}
	q, err := p.Store.Signature().Deriver(how, p, wrt)
	if err == nil {
		memo.Set(&el.programs, key, q)
	}
	return q, err
}

// oneOf is a value, or a tuple of several.
func oneOf(vs []*val[term.Term]) *val[term.Term] {
	if len(vs) == 1 {
		return vs[0]
	}
	return &val[term.Term]{tuple: true, parts: vs}
}

// split takes a term of tuple type apart.
func (el *elaborator) split(t term.Term) *val[term.Term] {
	s := el.prog.Store
	if s.Type(t).Kind != types.KTuple {
		return &val[term.Term]{v: t}
	}
	parts := slice.Make(len(s.Type(t).Parts), func(i int) *val[term.Term] { return el.split(s.Proj(i, t)) })
	return &val[term.Term]{tuple: true, parts: parts}
}

// carriedOut is a term without applications of linear maps, by the rules that carry them out.
func (el *elaborator) carriedOut(t term.Term) (term.Term, error) {
	s := el.prog.Store
	if s.Signature().Deriver == nil {
		return t, errors.New("there are no rules here to apply linear maps by")
	}
	values := make(map[string]term.Term)
	root := el.close(t, func(of term.Term) term.Term {
		v := s.Var(fmt.Sprintf("%sapply.%d", captured, len(values)), s.Type(of))
		values[s.Op(v).Name] = of
		return v
	})
	p := &term.Program{Store: term.NewStore(s.Signature()), Names: make(map[uint32]term.Hint), Index: el.prog.Index, Sizes: el.prog.Sizes}
	p.Root = p.Store.Import(s, root, nil)
	q, err := el.derived("apply", p, nil, root)
	if err != nil {
		return t, err
	}
	return el.filled(s.Import(q.Store, q.Root, nil), values), nil
}

// close captures the variables of loops in a term.
func (el *elaborator) close(t term.Term, capture func(term.Term) term.Term) term.Term {
	if len(t.Args) == 0 {
		return t
	}
	s := el.prog.Store
	env := make(map[slot.Name]term.Term)
	for i, v := range s.Vars(t) {
		env[t.Args[i]] = capture(s.Variable(t.Args[i], v))
	}
	return s.Subst(t, env)
}

// filled replaces inputs by their values.
func (el *elaborator) filled(t term.Term, values map[string]term.Term) term.Term {
	s := el.prog.Store
	for s.Contains(t, func(u term.Term) bool { return s.Op(u).Sym == ops.SymVar && values[s.Op(u).Name].ID != 0 }) {
		t = s.SubstVars(t, values)
	}
	return t
}
