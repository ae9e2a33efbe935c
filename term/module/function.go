package module

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"egad/diag"
	"egad/internal/slice"
	"egad/term/ast"
	"egad/term/ops"
	"egad/term/size"
	"egad/term/types"
)

// closure is a function value, and the arguments that it has been given so far.
type closure[V any] struct {
	lambda  *ast.Lambda
	scope   *scope[V]
	op      *ops.Operator // a built-in function of values only
	def     *checkedDef   // a definition
	general *General
	goes    *goFunction[V]
	typ     *types.Type // when checking, a function of which the type is known
	given   []*arg[V]
}

// arg is an argument: a value, or a size for a parameter of type size, or axes.
type arg[V any] struct {
	val   *val[V]
	size  size.Size
	axes  []int
	e     ast.Expr // where it stands, nil if nowhere
	scope *scope[V]
}

func valuesOf[V any](args []*arg[V]) []*val[V] {
	return slice.Map(args, func(a *arg[V]) *val[V] { return a.val })
}

// where is the scope and the place for findings about the argument of a call.
func (a *arg[V]) where(at ast.Expr, s *scope[V]) (*scope[V], ast.Expr) {
	if a.e == nil {
		return s, at
	}
	return a.scope, a.e
}

// arity is how many arguments f takes, with those that it has.
func (f *closure[V]) arity() int {
	switch {
	case f.op != nil:
		return f.op.Arity
	case f.def != nil:
		return len(f.def.Params)
	case f.goes != nil:
		return f.goes.arity
	case f.general != nil && f.general.derives && len(f.given) > 0:
		of := f.given[0].val.fn
		n := of.arity() - len(of.given)
		if f.general.doubled {
			n *= 2
		}
		return n + f.general.least
	case f.general != nil:
		return max(f.general.least, len(f.given))
	case f.typ != nil:
		return len(f.typ.Parts) - 1
	}
	return len(f.lambda.Params)
}

// takes says what f takes: "f takes 2 arguments (a: R[n], b: R[n])".
func (f *closure[V]) takes() string {
	n := diag.Count(f.arity(), "argument")
	switch {
	case f.op != nil:
		return f.op.Name + " takes " + n
	case f.def != nil:
		return f.def.Name + " takes " + f.def.signature()
	case f.general != nil && f.general.more:
		return fmt.Sprintf("%s takes at least %s, %s", f.general.Name, n, f.general.Call)
	case f.general != nil:
		return fmt.Sprintf("%s takes %s, %s", f.general.Name, n, f.general.Call)
	case f.typ != nil:
		return fmt.Sprintf("a function of type %s takes %s", f.typ, n)
	}
	return "this function takes " + n
}

// describe says what f is, in a message about something else.
func (f *closure[V]) describe() string {
	if len(f.given) == 0 {
		return "a function"
	}
	return fmt.Sprintf("a function: %s, and %s given", f.takes(), isOrAre(len(f.given)))
}

func isOrAre(n int) string {
	if n == 1 {
		return "1 is"
	}
	return fmt.Sprintf("%d are", n)
}

// call evaluates a function applied to arguments.
func (w *walker[V]) call(e *ast.Call, s *scope[V]) *val[V] {
	id, ok := e.Fn.(*ast.Ident)
	if !ok {
		f := w.eval(e.Fn, s)
		if f == nil {
			return nil
		}
		if f.fn == nil {
			return w.errorf(s, e.Fn.At(), "this is not a function, and %s it%s", followedBy(len(e.Args)), w.foreignAmong(e.Fn, e.Args, s))
		}
		return w.applyClosure(f.fn, e, e.Args, s)
	}
	if b, ok := s.lookup(id.Name); ok {
		switch {
		case b.val == nil:
			return nil
		case b.val.fn == nil:
			return w.errorf(s, id.At(), "%s is not a function, and %s it%s", id.Name, followedBy(len(e.Args)), cmp.Or(w.foreignAmong(e.Fn, e.Args, s), w.hides(id.Name, s)))
		}
		return w.applyClosure(b.val.fn, e, e.Args, s)
	}
	if _, ok := s.ctx.sizes[id.Name]; ok {
		return w.errorf(s, id.At(), "%s is a size, and %s it", id.Name, followedBy(len(e.Args)))
	}
	if d, ok := w.mod.find(id.Name, s.ctx.prelude); ok {
		return w.applyClosure(&closure[V]{def: d, scope: s}, e, e.Args, s)
	}
	if o, ok := w.mod.sig.Surface(id.Name); ok && o.ValuesOnly() && (o.Elementwise || len(e.Args) < o.Arity) && len(e.Args) <= o.Arity {
		return w.applyClosure(&closure[V]{op: o, scope: s}, e, e.Args, s)
	}
	if isBuiltinName(w.mod.sig, id.Name) {
		return w.builtin(e, s)
	}
	if g, ok := generalCalled(id.Name); ok {
		return w.applyClosure(&closure[V]{general: g, scope: s}, e, e.Args, s)
	}
	return w.errorf(s, id.At(), "unknown function %s%s", id.Name, w.suggest(id.Name, s))
}

// hides says that the name of a value is that of a function, too, or is "".
func (w *walker[V]) hides(name string, s *scope[V]) string {
	d, defined := w.mod.find(name, s.ctx.prelude)
	if _, general := generalCalled(name); !(defined && len(d.Params) > 0) && !general && !isBuiltinName(w.mod.sig, name) {
		return ""
	}
	return "; the name hides a function"
}

func followedBy(n int) string {
	if n == 1 {
		return "an argument follows"
	}
	return fmt.Sprintf("%d arguments follow", n)
}

// applyClosure applies a function value to argument expressions. With fewer than it
// takes the result is a function of the others; with more, the result is applied to
// the rest.
func (w *walker[V]) applyClosure(f *closure[V], at ast.Expr, es []ast.Expr, s *scope[V]) *val[V] {
	if f.def != nil && f.def.params == nil {
		return nil // its signature has an error of its own
	}
	if f.general != nil && f.general.derives && len(f.given) == 0 {
		a := &arg[V]{e: es[0], scope: s}
		if a.val = w.eval(a.e, s); a.val == nil {
			return nil
		}
		of := w.derivative(f, a, at, s)
		if of == nil || len(es) == 1 {
			return of
		}
		return w.applyClosure(of.fn, at, es[1:], s)
	}
	if len(es) > 1 && f.takesTuple(len(es)) {
		p := w.tuple(at, es, s)
		if p == nil {
			return nil
		}
		return w.applyArgs(f, at, []*arg[V]{{val: p, e: es[0], scope: s}}, s)
	}
	n := f.arity() - len(f.given)
	if n > len(es) || f.general != nil && f.general.more {
		n = len(es)
	} else if n < len(es) && !f.mayGive() {
		return w.tooMany(f, at, es, s)
	}
	args := slices.Clone(f.given)
	for _, e := range es[:n] {
		a := &arg[V]{e: e, scope: s}
		if f.def != nil && f.def.params[len(args)] == nil {
			var ok bool
			if a.size, ok = w.size(e, s); !ok {
				return nil
			}
		} else if f.general != nil && f.general.steps && len(args) == 0 {
			if !w.stepCount(e, a, s) {
				return nil
			}
		} else if f.general != nil && f.general.axes && len(args) == 0 {
			if a.axes = w.axes(e, s); a.axes == nil {
				return nil
			}
		} else if a.val = w.eval(e, s); a.val == nil {
			return nil
		}
		args = append(args, a)
	}
	if len(args) < f.arity() {
		part := *f
		part.given = args
		return &val[V]{fn: &part}
	}
	r := w.applyArgs(f, at, args, s)
	switch {
	case r == nil || n == len(es):
		return r
	case r.fn == nil:
		return w.tooMany(f, at, es, s)
	}
	return w.applyClosure(r.fn, at, es[n:], s)
}

// derivative gives a derivative its function, which says how many arguments it takes.
func (w *walker[V]) derivative(f *closure[V], a *arg[V], at ast.Expr, s *scope[V]) *val[V] {
	if a.val.fn == nil {
		s, e := a.where(at, s)
		return w.errorf(s, e.At(), "%s needs a function here, and this is %s", f.general.Name, w.describe(a.val))
	}
	return &val[V]{fn: &closure[V]{general: f.general, scope: f.scope, given: []*arg[V]{a}}}
}

// takesTuple reports whether f is of one tuple of n components, and makes no function of it, so that
// f (a, b) is f ((a, b)).
func (f *closure[V]) takesTuple(n int) bool {
	takes, gives := (*types.Type)(nil), (*types.Type)(nil)
	switch {
	case f.arity() != 1 || len(f.given) > 0:
		return false
	case f.def != nil:
		takes, gives = f.def.params[0], f.def.result
	case f.typ != nil:
		takes, gives = f.typ.Parts[0], f.typ.Parts[1]
	case f.lambda != nil:
		p := f.lambda.Params[0]
		return p.Kind == ast.PatTuple && len(p.Subs) == n && !makesFunction(f.lambda.Body)
	default:
		return false
	}
	return takes != nil && takes.Kind == types.KTuple && len(takes.Parts) == n && gives.Kind != types.KFun
}

// makesFunction reports whether an expression is \x -> …, maybe after lets.
func makesFunction(e ast.Expr) bool {
	for {
		switch x := e.(type) {
		case *ast.Lambda:
			return true
		case *ast.Let:
			e = x.Body
		default:
			return false
		}
	}
}

// mayGive reports whether the result of f may be a function.
func (f *closure[V]) mayGive() bool {
	switch {
	case f.def != nil:
		return f.def.result.Kind == types.KFun
	case f.typ != nil:
		return f.typ.Parts[len(f.typ.Parts)-1].Kind == types.KFun
	}
	return f.op == nil
}

// tooMany reports that f is given more arguments es, and these are too many.
func (w *walker[V]) tooMany(f *closure[V], at ast.Expr, es []ast.Expr, s *scope[V]) *val[V] {
	n := len(f.given) + len(es)
	hint := whereHint(es)
	switch {
	case f.def != nil && hint == "":
		hint = f.def.tupleHint() + f.def.vectorHint(n)
	case f.def == nil && f.op == nil && f.general == nil && f.typ == nil:
		w.misplaced++
	}
	return w.errorf(s, at.At(), "%s, not %d%s", f.takes(), n, hint)
}

// axes reads an axis or a list of axes.
func (w *walker[V]) axes(e ast.Expr, s *scope[V]) []int {
	es := []ast.Expr{e}
	if l, ok := e.(*ast.ListLit); ok && len(l.Elems) > 0 {
		es = l.Elems
	}
	var out []int
	for _, x := range es {
		k, ok := w.whole(x, s)
		if !ok {
			return nil
		}
		out = append(out, k)
	}
	return out
}

// applyValues applies a function value to values.
func (w *walker[V]) applyValues(f *closure[V], at ast.Expr, vs []*val[V], s *scope[V]) *val[V] {
	if f.def != nil && f.def.params == nil {
		return nil
	}
	if f.general != nil && f.general.derives && len(f.given) == 0 && len(vs) > 0 {
		of := w.derivative(f, &arg[V]{val: vs[0]}, at, s)
		if of == nil || len(vs) == 1 {
			return of
		}
		return w.applyValues(of.fn, at, vs[1:], s)
	}
	args := slices.Clone(f.given)
	for _, v := range vs {
		if f.general != nil && f.general.steps && len(args) == 0 {
			return w.errorf(s, at.At(), "%s is given the number of its steps where it is named, as in %s", f.general.Name, f.general.Call)
		}
		if f.general != nil && f.general.axes && len(args) == 0 {
			return w.errorf(s, at.At(), "%s is given its axes where it is named, as in %s", f.general.Name, f.general.Call)
		}
		if f.def != nil && len(args) < len(f.def.params) && f.def.params[len(args)] == nil {
			return w.errorf(s, at.At(), "%s has a parameter of type size and cannot be passed as a function", f.def.Name)
		}
		args = append(args, &arg[V]{val: v})
	}
	if len(args) != f.arity() && (f.general == nil || !f.general.more || len(args) < f.general.least) {
		return w.errorf(s, at.At(), "%s, not %d", f.takes(), len(args))
	}
	return w.applyArgs(f, at, args, s)
}

// applyArgs applies a function value to all its arguments.
func (w *walker[V]) applyArgs(f *closure[V], at ast.Expr, args []*arg[V], s *scope[V]) *val[V] {
	switch {
	case f.op != nil:
		es, kids := make([]ast.Expr, len(args)), make([]*val[V], len(args))
		for i, a := range args {
			whole := a.val.tuple && f.op.Sym != ops.SymStopgrad && (f.op.Sym != ops.SymWhere || i == 0)
			if whole || a.val.hasFunction() {
				s, e := a.where(at, s)
				return w.errorf(s, e.At(), "%s works on arrays, and this is %s", f.op.Name, w.describe(a.val))
			}
			es[i], kids[i] = a.e, a.val
		}
		if f.op.Sym == ops.SymStopgrad {
			return w.each(kids[0], func(v *val[V]) *val[V] {
				return w.make(s, at, ops.Op{Sym: ops.SymStopgrad}, nil, nil, es, []*val[V]{v})
			})
		}
		if f.op.Sym == ops.SymWhere {
			return w.across(s, at, "what where chooses from", kids[1:], func(vs []*val[V]) *val[V] {
				return w.elementwise(s, at, ops.Op{Sym: ops.SymWhere}, es, append([]*val[V]{w.mask(s, at, kids[0], kids[1], vs)}, vs...))
			})
		}
		v := w.operate(s, at, ops.Op{Sym: f.op.Sym}, es, kids)
		if f.op.Elementwise && len(kids) == 2 {
			v = v.arithmetic(f.op.Name, kids[0], kids[1])
		}
		return v
	case f.def != nil:
		return w.finishCall(f.def, at, args, s)
	case f.general != nil:
		return w.applyGeneral(f.general, at, args, s)
	case f.typ != nil:
		vs := valuesOf(args)
		for i, a := range args {
			s, e := a.where(at, s)
			if want := f.typ.Parts[i]; want.Kind == types.KFun {
				if !w.checkFunction(want, a.val, fmt.Sprintf("argument %d of a function of type %s", i+1, f.typ), s, e) {
					return nil
				}
			} else if msg := w.mismatch(want, a.val); msg != "" {
				return w.errorf(s, e.At(), "argument %d of a function of type %s: %s", i+1, f.typ, msg)
			}
		}
		return w.dom.apply(f.typ, vs, s.ctx.src, at.At())
	case f.goes != nil:
		if f.goes.indices {
			return w.errorf(s, at.At(), "a function that makes a list of indices is for gather and scatter; an array is one value")
		}
		return f.goes.apply(valuesOf(args))
	}
	key := w.key(&val[V]{fn: &closure[V]{lambda: f.lambda, scope: f.scope, given: args}})
	if v, ok := w.applied[key]; ok {
		return v
	}
	inner := f.scope
	for i, p := range f.lambda.Params {
		inner = w.bindPattern(p, args[i].val, inner)
	}
	v := w.eval(f.lambda.Body, inner)
	if w.applied == nil {
		w.applied = make(map[string]*val[V])
	}
	if len(w.applied) < maxCalls {
		w.applied[key] = v
	}
	return v
}

// function tells function values apart, but for the arguments that they have.
type function struct {
	lambda  *ast.Lambda
	scope   any
	op      *ops.Operator
	def     *checkedDef
	general *General
	goes    any
	typ     *types.Type
}

// key is equal for equal values: functions are equal if they are of one text in one
// scope and have equal arguments.
func (w *walker[V]) key(v *val[V]) string {
	var b strings.Builder
	var add func(v *val[V])
	add = func(v *val[V]) {
		switch {
		case v.fn != nil:
			f := function{v.fn.lambda, nil, v.fn.op, v.fn.def, v.fn.general, v.fn.goes, v.fn.typ}
			if f.lambda != nil {
				f.scope = v.fn.scope
			}
			id, ok := w.functions[f]
			if !ok {
				if w.functions == nil {
					w.functions = make(map[function]int)
				}
				id = len(w.functions)
				w.functions[f] = id
			}
			fmt.Fprintf(&b, "f%d(", id)
			for _, a := range v.fn.given {
				if a.val == nil {
					fmt.Fprint(&b, a.size.Key(), a.axes, ",")
				} else {
					add(a.val)
				}
			}
			b.WriteByte(')')
		case v.tuple:
			b.WriteByte('(')
			for _, p := range v.parts {
				add(p)
			}
			b.WriteByte(')')
		default:
			b.WriteString(w.dom.key(v.v))
			if v.sym != nil {
				b.WriteString(" " + v.sym.Key())
			}
			b.WriteByte(';')
		}
	}
	add(v)
	return b.String()
}

// finishCall infers the sizes of a call of a definition and evaluates it.
func (w *walker[V]) finishCall(d *checkedDef, at ast.Expr, args []*arg[V], s *scope[V]) *val[V] {
	if v, is := w.lifted(d, at, args, s); is {
		return v
	}
	sizes := make(map[string]size.Size)
	m := &sizeMatcher{sizes: sizes}
	vs := make([]*val[V], len(args))
	for i, t := range d.params {
		if vs[i] = args[i].val; t == nil {
			sizes[d.Params[i].Name] = args[i].size
		}
	}
	for i, t := range d.params {
		if t != nil && t.Kind != types.KFun {
			w.inferSizes(m, t, vs[i], i)
		}
	}
	m.by = size.Tell(m.axes, sizes)
	for _, name := range d.sizes {
		if _, ok := sizes[name]; !ok {
			return w.untold(d, m, name, at, args, s)
		}
	}
	for i, t := range d.params {
		if t == nil {
			continue
		}
		want := t.Subst(sizes)
		as, e := args[i].where(at, s)
		if t.Kind == types.KFun {
			if !w.checkFunction(want, vs[i], fmt.Sprintf("argument %d of %s", i+1, d.Name), as, e) {
				return nil
			}
			continue
		}
		if msg := w.mismatch(want, vs[i]); msg != "" {
			hint := ""
			if !vs[i].tuple && vs[i].fn == nil {
				hint = d.vectorHint(w.dom.typ(vs[i].v).Rank()) + w.productHint(d, args, i)
			}
			return w.errorf(as, e.At(), "argument %d of %s (%s: %s): %s%s%s",
				i+1, d.Name, d.Params[i].Name, t, msg, m.explain(d, t), hint)
		}
	}
	for _, c := range d.where {
		if holds, known := c.holds(sizes); known && !holds {
			return w.errorf(s, at.At(), "%s needs %s, and here %s", d.Name, c, c.sides(sizes))
		}
	}
	return w.dom.result(w, d, sizes, vs, s.ctx.src, at.At())
}

// productHint names the product that is meant where argument k is a vector beside a matrix, and
// the function is for two matrices.
func (w *walker[V]) productHint(d *checkedDef, args []*arg[V], k int) string {
	like, product := ofVector[d.Name]
	rank := func(k int) int {
		if v := args[k].val; v.fn == nil && !v.tuple {
			return w.dom.typ(v.v).Rank()
		}
		return 0
	}
	if !product || !d.Prelude || rank(k) != 1 || rank(1-k) != 2 {
		return ""
	}
	return fmt.Sprintf(" (did you mean %s?)", like[k])
}

// untold says why no argument tells a size of a definition.
func (w *walker[V]) untold(d *checkedDef, m *sizeMatcher, name string, at ast.Expr, args []*arg[V], s *scope[V]) *val[V] {
	for k, t := range d.params {
		v := args[k].val
		if t == nil || t.Kind != types.KArray || v.fn != nil || v.tuple || len(w.dom.typ(v.v).Shape) == len(t.Shape) {
			continue
		}
		as, e := args[k].where(at, s)
		return w.errorf(as, e.At(), "argument %d of %s (%s: %s): expected an array of rank %d, found %s%s",
			k+1, d.Name, d.Params[k].Name, t, len(t.Shape), w.dom.typ(v.v).Described(), d.vectorHint(w.dom.typ(v.v).Rank())+w.productHint(d, args, k))
	}
	i := size.Misfit(m.axes, m.sizes, name)
	if i < 0 {
		return w.errorf(s, at.At(), "the size %s of %s cannot be told from the arguments; declare it as a parameter (%s: size)", name, d.Name, name)
	}
	k, p := m.at[i].arg, m.axes[i]
	as, e := args[k].where(at, s)
	return w.errorf(as, e.At(), "argument %d of %s (%s: %s): axis %d has size %s, which %s is for no size %s%s",
		k+1, d.Name, d.Params[k].Name, d.params[k], m.at[i].axis, p.Is, p.Declared, name, m.explain(d, types.ArrayOf(types.R, p.Declared)))
}

// checkFunction checks a function that stands where one of type want is needed; what
// says where that is.
func (w *walker[V]) checkFunction(want *types.Type, v *val[V], what string, s *scope[V], at ast.Expr) bool {
	if v.fn == nil {
		w.errorf(s, at.At(), "%s must be a function of type %s, and this is %s", what, want, w.describe(v))
		return false
	}
	if _, checking := any(w.dom).(*checker); !checking {
		return true // it was checked with symbolic sizes
	}
	n := len(want.Parts) - 1
	if k := v.fn.arity() - len(v.fn.given); k != n {
		w.errorf(s, at.At(), "%s must be a function of type %s, and this one takes %s", what, want, diag.Count(k, "argument"))
		return false
	}
	args := make([]*val[V], n)
	for k := range args {
		if args[k] = w.opaque(want.Parts[k], s, at); args[k] == nil {
			return false
		}
	}
	r := w.applyValues(v.fn, at, args, s)
	if r == nil {
		return false
	}
	if last := want.Parts[n]; last.Kind == types.KFun {
		return w.checkFunction(last, r, "the result of "+what, s, at)
	} else if msg := w.mismatch(last, r); msg != "" {
		w.errorf(s, at.At(), "%s must be a function of type %s; its result: %s", what, want, msg)
		return false
	}
	return true
}

// signature says what a definition takes: "2 arguments (a: R[n], b: R[n])".
func (d *checkedDef) signature() string {
	if len(d.Params) == 0 {
		return "no arguments"
	}
	out := diag.Count(len(d.Params), "argument") + " ("
	for i, p := range d.Params {
		if i > 0 {
			out += ", "
		}
		t := "size"
		if d.params[i] != nil {
			t = d.params[i].String()
		}
		out += p.Name + ": " + t
	}
	return out + ")"
}

// vectorHint says how a definition of one vector is applied to arrays of more axes, and what adds all
// elements of those that are no matrices.
func (d *checkedDef) vectorHint(rank int) string {
	if len(d.params) == 1 && d.params[0] != nil && d.params[0].Kind == types.KArray && len(d.params[0].Shape) == 1 && rank > 1 {
		return fmt.Sprintf("; along 0 %s a works along the outer axis", d.Name) + alongHint(d.Name)
	}
	if d.Prelude && d.Name == "sum2" && rank != 2 {
		return "; sum (flat a) adds all elements"
	}
	return ""
}

// tupleHint says how a tuple is passed to a definition that takes just one.
func (d *checkedDef) tupleHint() string {
	if len(d.params) == 1 && d.params[0] != nil && d.params[0].Kind == types.KTuple {
		return fmt.Sprintf(" (a tuple is passed as in %s ((a, b)))", d.Name)
	}
	return ""
}
