package term

import (
	"fmt"

	"egad/diag"
	"egad/slot"
)

func sprintf(format string, args ...any) string { return fmt.Sprintf(format, args...) }

// call evaluates a function applied to arguments.
func (w *walker[V]) call(e *Call, s *scope[V]) *val[V] {
	id, ok := e.Fn.(*Ident)
	if !ok {
		f := w.eval(e.Fn, s)
		if f == nil {
			return nil
		}
		if f.fn == nil {
			return w.errorf(s, e.Fn.At(), "this is not a function, and %s it", followedBy(len(e.Args)))
		}
		return w.applyClosure(f.fn, e, e.Args, s)
	}
	if b, ok := s.lookup(id.Name); ok {
		switch {
		case b.val == nil:
			return nil
		case b.val.fn == nil:
			return w.errorf(s, id.At(), "%s is not a function, and %s it", id.Name, followedBy(len(e.Args)))
		}
		return w.applyClosure(b.val.fn, e, e.Args, s)
	}
	if _, ok := s.ctx.sizes[id.Name]; ok {
		return w.errorf(s, id.At(), "%s is a size, and %s it", id.Name, followedBy(len(e.Args)))
	}
	if d, ok := w.mod.find(id.Name, s.ctx.prelude); ok {
		return w.callDef(d, e, e.Args, s)
	}
	if isBuiltinName(w.mod.sig, id.Name) {
		return w.builtin(e, s)
	}
	return w.errorf(s, id.At(), "unknown function %s%s", id.Name, w.suggest(id.Name, s))
}

func followedBy(n int) string {
	if n == 1 {
		return "an argument follows"
	}
	return fmt.Sprintf("%d arguments follow", n)
}

// applyClosure applies a function value to argument expressions.
func (w *walker[V]) applyClosure(f *closure[V], at Expr, args []Expr, s *scope[V]) *val[V] {
	if f.def != nil {
		return w.callDef(f.def, at, args, s)
	}
	vs := make([]*val[V], len(args))
	for i, a := range args {
		if vs[i] = w.eval(a, s); vs[i] == nil {
			return nil
		}
	}
	return w.applyValues(f, at, args, vs, s)
}

// applyValues applies a function value to values; args are the expressions they
// came from, for messages, or nil.
func (w *walker[V]) applyValues(f *closure[V], at Expr, args []Expr, vs []*val[V], s *scope[V]) *val[V] {
	switch {
	case f.op != nil:
		if len(vs) != f.op.Arity {
			return w.errorf(s, at.At(), "%s takes %s, not %d", f.op.Name, countOf(f.op.Arity, "argument"), len(vs))
		}
		for _, v := range vs {
			if v.tuple || v.fn != nil {
				return w.errorf(s, at.At(), "%s works on arrays", f.op.Name)
			}
		}
		return w.elementwise(s, at, Op{Sym: f.op.Sym}, args, vs)
	case f.def != nil:
		return w.callDefValues(f.def, at, args, vs, s)
	case f.typ != nil:
		if len(vs) != len(f.typ.Parts)-1 {
			return w.errorf(s, at.At(), "a function of type %s takes %s, not %d", f.typ, countOf(len(f.typ.Parts)-1, "argument"), len(vs))
		}
		for i, v := range vs {
			if msg := w.mismatch(f.typ.Parts[i], v); msg != "" {
				pos := at.At()
				if i < len(args) {
					pos = args[i].At()
				}
				return w.errorf(s, pos, "argument %d of a function of type %s: %s", i+1, f.typ, msg)
			}
		}
		return w.dom.apply(f.typ, vs, s.ctx.src, at.At())
	}
	inner := f.scope
	if len(f.lambda.Params) != len(vs) {
		return w.errorf(f.scope, f.lambda.At(), "this function takes %s, and is given %d", countOf(len(f.lambda.Params), "argument"), len(vs))
	}
	for i, p := range f.lambda.Params {
		inner = w.bindPattern(p, vs[i], inner)
	}
	return w.eval(f.lambda.Body, inner)
}

// mismatch says where v departs from the type t; it is "" if v is of that type.
func (w *walker[V]) mismatch(t *Type, v *val[V]) string {
	if t.Kind == KTuple && v.tuple && len(v.parts) == len(t.Parts) {
		for i, p := range t.Parts {
			if msg := w.mismatch(p, v.parts[i]); msg != "" {
				return sprintf("component %d: %s", i, msg)
			}
		}
		return ""
	}
	if v.fn == nil && !v.tuple {
		u, got := w.dom.unify(), w.dom.typ(v.v)
		if t.Kind != KArray || got.Kind != KArray || len(t.Shape) != len(got.Shape) {
			if u.Types(t, got) {
				return ""
			}
			return sprintf("expected %s, found %s", described{t}, described{got})
		}
		if !u.Elems(t.Elem, got.Elem) {
			return sprintf("expected elements of type %s, found %s%s", t.Elem, got.Elem, toElem(t.Elem, got.Elem))
		}
		for i, s := range t.Shape {
			if !u.Sizes(s, got.Shape[i]) {
				return sprintf("axis %d has size %s, expected %s", i, got.Shape[i], s)
			}
		}
		return ""
	}
	return sprintf("expected %s, found %s", described{t}, w.describe(v))
}

func (w *walker[V]) describe(v *val[V]) string {
	switch {
	case v.fn != nil:
		return "a function"
	case v.tuple:
		return "a tuple " + w.typeOf(v).String()
	}
	return described{w.dom.typ(v.v)}.String()
}

// typeOf is the type of a value that is not a function.
func (w *walker[V]) typeOf(v *val[V]) *Type {
	if !v.tuple {
		return w.dom.typ(v.v)
	}
	parts := make([]*Type, len(v.parts))
	for i, p := range v.parts {
		parts[i] = w.typeOf(p)
	}
	return TupleOf(parts...)
}

// callDef calls a definition.
func (w *walker[V]) callDef(d *checkedDef, at Expr, args []Expr, s *scope[V]) *val[V] {
	if d.params == nil {
		return nil // its signature has an error of its own
	}
	if len(args) != len(d.Params) {
		return w.errorf(s, at.At(), "%s takes %s, not %d%s", d.Name, d.signature(), len(args), d.tupleHint())
	}
	vs := make([]*val[V], len(args))
	sizes := make(map[string]Size)
	for i, a := range args {
		if d.params[i] == nil { // a parameter of type size
			size, ok := w.size(a, s)
			if !ok {
				return nil
			}
			sizes[d.Params[i].Name] = size
			continue
		}
		if vs[i] = w.eval(a, s); vs[i] == nil {
			return nil
		}
	}
	return w.finishCall(d, at, args, vs, sizes, s)
}

// callDefValues calls a definition that was passed as a function.
func (w *walker[V]) callDefValues(d *checkedDef, at Expr, args []Expr, vs []*val[V], s *scope[V]) *val[V] {
	if d.params == nil {
		return nil // its signature has an error of its own
	}
	if len(vs) != len(d.Params) {
		return w.errorf(s, at.At(), "%s takes %s, not %d", d.Name, d.signature(), len(vs))
	}
	for i := range vs {
		if d.params[i] == nil {
			return w.errorf(s, at.At(), "%s has a parameter of type size and cannot be passed as a function", d.Name)
		}
	}
	return w.finishCall(d, at, args, vs, make(map[string]Size), s)
}

// finishCall infers the sizes of a call from its arguments and evaluates it.
func (w *walker[V]) finishCall(d *checkedDef, at Expr, args []Expr, vs []*val[V], sizes map[string]Size, s *scope[V]) *val[V] {
	pos := func(i int) diag.Pos {
		if i < len(args) {
			return args[i].At()
		}
		return at.At()
	}
	m := &sizeMatcher{sizes: sizes, origin: make(map[string]string)}
	for i, t := range d.params {
		if t != nil && t.Kind != KFun {
			w.inferSizes(m, t, vs[i], sprintf("argument %d (%s)", i+1, d.Params[i].Name))
		}
	}
	for _, name := range d.sizes {
		if _, ok := sizes[name]; !ok {
			return w.errorf(s, at.At(), "the size %s of %s cannot be told from the arguments; declare it as a parameter (%s: size)", name, d.Name, name)
		}
	}
	for i, t := range d.params {
		if t == nil {
			continue
		}
		want := t.Subst(sizes)
		if t.Kind == KFun {
			if !w.checkFunction(want, vs[i], pos(i), at, d, i, s) {
				return nil
			}
			continue
		}
		if msg := w.mismatch(want, vs[i]); msg != "" {
			return w.errorf(s, pos(i), "argument %d of %s (%s: %s): %s%s",
				i+1, d.Name, d.Params[i].Name, t, msg, m.explain(t))
		}
	}
	for _, c := range d.where {
		if holds, known := c.holds(sizes); known && !holds {
			return w.errorf(s, at.At(), "%s needs %s, and here %s", d.Name, c, c.sides(sizes))
		}
	}
	return w.dom.result(w, d, sizes, vs, s.ctx.src, at.At())
}

// sizeMatcher binds the sizes that stand alone in parameter types.
type sizeMatcher struct {
	sizes  map[string]Size
	origin map[string]string // what fixed a size
}

func (w *walker[V]) inferSizes(m *sizeMatcher, t *Type, v *val[V], what string) {
	if t.Kind == KTuple {
		if v.tuple && len(v.parts) == len(t.Parts) {
			for i, p := range t.Parts {
				w.inferSizes(m, p, v.parts[i], what)
			}
		}
		return
	}
	if v.tuple || v.fn != nil {
		return
	}
	m.bind(t, w.dom.typ(v.v), what)
}

// bind matches a parameter type against the type of an argument.
func (m *sizeMatcher) bind(param, arg *Type, what string) {
	if param.Kind != arg.Kind {
		return
	}
	for i := 0; i < min(len(param.Shape), len(arg.Shape)); i++ {
		if name, ok := param.Shape[i].Var(); ok {
			if _, bound := m.sizes[name]; !bound {
				m.sizes[name] = arg.Shape[i]
				m.origin[name] = sprintf("%s, axis %d", what, i)
			}
		}
	}
	for i := 0; i < min(len(param.Parts), len(arg.Parts)); i++ {
		m.bind(param.Parts[i], arg.Parts[i], what)
	}
}

// explain says which arguments fixed the sizes in a parameter type.
func (m *sizeMatcher) explain(t *Type) string {
	out := ""
	seen := make(map[string]bool)
	var visit func(t *Type)
	visit = func(t *Type) {
		for _, s := range t.Shape {
			for _, v := range s.Vars() {
				if o, ok := m.origin[v]; ok && !seen[v] {
					seen[v] = true
					out += sprintf("; %s is %s by %s", v, m.sizes[v], o)
				}
			}
		}
		for _, p := range t.Parts {
			visit(p)
		}
	}
	visit(t)
	return out
}

// checkFunction checks a function passed for a parameter of type want.
func (w *walker[V]) checkFunction(want *Type, v *val[V], pos diag.Pos, at Expr, d *checkedDef, i int, s *scope[V]) bool {
	if v.fn == nil {
		w.errorf(s, pos, "argument %d of %s must be a function of type %s, and this is %s", i+1, d.Name, want, w.describe(v))
		return false
	}
	if _, checking := any(w.dom).(*checker); !checking {
		return true // it was checked with symbolic sizes
	}
	n := len(want.Parts) - 1
	if k := v.fn.arity(); k != n {
		w.errorf(s, pos, "argument %d of %s must be a function of type %s, and this one takes %s", i+1, d.Name, want, countOf(k, "argument"))
		return false
	}
	args := make([]*val[V], n)
	for k := range args {
		if args[k] = w.opaque(want.Parts[k], s, at); args[k] == nil {
			return false
		}
	}
	r := w.applyValues(v.fn, at, nil, args, s)
	if r == nil {
		return false
	}
	if msg := w.mismatch(want.Parts[n], r); msg != "" {
		w.errorf(s, pos, "argument %d of %s must be a function of type %s; its result: %s", i+1, d.Name, want, msg)
		return false
	}
	return true
}

// arity is how many arguments f takes.
func (f *closure[V]) arity() int {
	switch {
	case f.op != nil:
		return f.op.Arity
	case f.def != nil:
		return len(f.def.Params)
	case f.typ != nil:
		return len(f.typ.Parts) - 1
	}
	return len(f.lambda.Params)
}

// opaque is a value of which only the type is known.
func (w *walker[V]) opaque(t *Type, s *scope[V], at Expr) *val[V] {
	switch t.Kind {
	case KTuple:
		v := &val[V]{tuple: true}
		for _, p := range t.Parts {
			v.parts = append(v.parts, w.opaque(p, s, at))
		}
		return v
	case KFun:
		return &val[V]{fn: &closure[V]{typ: t, scope: s}}
	}
	return w.make(s, at, Op{Sym: SymVar, Name: "?", Type: t}, nil, nil, nil, nil)
}

// bodyOf evaluates f, which must be a function of n index variables with the
// given ranges, and returns the names of the variables and the value.
func (w *walker[V]) bodyOf(f Expr, ranges []Size, list bool, s *scope[V]) ([]slot.Name, []Expr, []*val[V]) {
	names := w.dom.fresh(len(ranges))
	is := make([]*val[V], len(names))
	for k := range is {
		if is[k] = w.make(s, f, Op{Sym: SymIvar, Sizes: ranges[k : k+1]}, names[k:k+1], nil, nil, nil); is[k] == nil {
			return nil, nil, nil
		}
	}
	lam, ok := f.(*Lambda)
	if !ok {
		v := w.eval(f, s)
		if v == nil {
			return nil, nil, nil
		}
		if v.fn == nil || list {
			w.errorf(s, f.At(), "expected a function of %s, as in \\i -> …", countOf(len(ranges), "index variable"))
			return nil, nil, nil
		}
		r := w.applyValues(v.fn, f, nil, is, s)
		if r == nil {
			return nil, nil, nil
		}
		return names, []Expr{f}, []*val[V]{r}
	}
	inner, ok := w.bindIndices(lam, ranges, is, s)
	if !ok {
		return nil, nil, nil
	}
	if !list {
		r := w.eval(lam.Body, inner)
		if r == nil {
			return nil, nil, nil
		}
		return names, []Expr{lam.Body}, []*val[V]{r}
	}
	body, inner := w.stripLets(lam.Body, inner)
	es, ok := body.(*ListLit)
	if !ok {
		w.errorf(inner, body.At(), "expected a list of indices, as in \\[i] -> [i + 1]")
		return nil, nil, nil
	}
	vs := w.arrays(es.Elems, inner)
	if vs == nil && len(es.Elems) > 0 {
		return nil, nil, nil
	}
	return names, es.Elems, vs
}

// stripLets evaluates the lets around an index list.
func (w *walker[V]) stripLets(e Expr, s *scope[V]) (Expr, *scope[V]) {
	for {
		l, ok := e.(*Let)
		if !ok {
			return e, s
		}
		s = w.bindPattern(l.Pat, w.eval(l.Bound, s), s)
		e = l.Body
	}
}

// bindIndices binds the index variables of \i j -> … or \[i, j] -> ….
func (w *walker[V]) bindIndices(lam *Lambda, ranges []Size, is []*val[V], s *scope[V]) (*scope[V], bool) {
	ps := lam.Params
	if len(ps) == 1 && ps[0].Kind == PatList {
		ps = ps[0].Subs
	}
	if len(ps) != len(is) {
		w.errorf(s, lam.At(), "expected a function of %s, and this one takes %d", countOf(len(is), "index variable"), len(ps))
		return nil, false
	}
	for k, p := range ps {
		switch p.Kind {
		case PatName:
			if isReserved(p.Name) {
				w.errorf(s, p.Pos, "%s is a built-in name", p.Name)
			}
			w.dom.binder(p.Name, ranges[k], s.ctx.src, p.Pos)
			s = s.bind(p.Name, is[k], p.Pos)
		case PatWild:
		default:
			w.errorf(s, p.Pos, "an index variable is a name")
			return nil, false
		}
	}
	return s, true
}

// signature says what a definition takes: "2 arguments (a: R[n], b: R[n])".
func (d *checkedDef) signature() string {
	if len(d.Params) == 0 {
		return "no arguments"
	}
	out := countOf(len(d.Params), "argument") + " ("
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

// tupleHint says how a tuple is passed to a definition that takes just one.
func (d *checkedDef) tupleHint() string {
	if len(d.params) == 1 && d.params[0] != nil && d.params[0].Kind == KTuple {
		return sprintf(" (a tuple is passed as in %s ((a, b)))", d.Name)
	}
	return ""
}
