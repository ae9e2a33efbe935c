package module

import (
	"fmt"
	"maps"
	"slices"

	"egad/diag"
	"egad/internal/slice"
	"egad/slot"
	"egad/term/ast"
	"egad/term/numeric"
	"egad/term/ops"
	"egad/term/overflow"
	"egad/term/size"
	"egad/term/types"
)

// A domain is what a walker computes with: types when a definition is checked
// (once, with symbolic sizes), terms when it is instantiated.
type domain[V any] interface {
	typ(v V) *types.Type
	make(op ops.Op, own, binders []slot.Name, kids []V) (V, *ops.TypeError)
	// number is a literal; its element type may still be open when checking.
	number(n *ast.Number) V
	// numbers is an array literal of nothing but numbers.
	numbers(ns []*ast.Number, shape []size.Size) V
	// named says that a let or a parameter gave v a name.
	named(v V, name string, src *diag.Source, pos diag.Pos) V
	// placed says where the text has v.
	placed(v V, src *diag.Source, at diag.Pos)
	// indexed says where the text has the indices of v.
	indexed(v V, src *diag.Source, at []diag.Pos)
	// binder says that an index variable of the given range was called name.
	binder(name string, size size.Size, src *diag.Source, pos diag.Pos)
	// result is the value of a call of d, given the sizes and arguments.
	result(w *walker[V], d *checkedDef, sizes map[string]size.Size, args []*val[V], src *diag.Source, at diag.Pos) *val[V]
	// apply applies an opaque function, of which only the type is known.
	apply(f *types.Type, args []*val[V], src *diag.Source, at diag.Pos) *val[V]
	fresh(n int) []slot.Name
	unify() ops.Unifier
	// key is equal for equal values.
	key(v V) string
	// derive makes the derivative of a function.
	derive(w *walker[V], d *derivation[V]) (*val[V], error)
}

// val is the value of an expression: one of an array or linear map (the V), a
// tuple, a function. A nil *val stands for an expression that has an error.
type val[V any] struct {
	v     V
	parts []*val[V]
	fn    *closure[V]
	tuple bool
	list  bool       // the tuple is a list of functions
	sym   *size.Size // what is known of an integer
}

// hasFunction reports whether a value is a function, or has one in it.
func (v *val[V]) hasFunction() bool {
	return v.fn != nil || slices.ContainsFunc(v.parts, (*val[V]).hasFunction)
}

// context is the definition an expression belongs to.
type context struct {
	src     *diag.Source
	prelude bool
	facts   bool // relations may stand in it that have no meaning
	sizes   map[string]size.Size
}

// without is the context where name is not a size.
func (c *context) without(name string) *context {
	if _, is := c.sizes[name]; !is {
		return c
	}
	hidden := *c
	hidden.sizes = maps.Clone(c.sizes)
	delete(hidden.sizes, name)
	return &hidden
}

// walker gives expressions their values in a domain.
type walker[V any] struct {
	mod   *Module
	dom   domain[V]
	errs  *diag.List
	steps int // evaluations so far
	// misplaced counts the findings about a function where none can be in an array program, and
	// about what is no tuple: a functional program may have passed one, as in f (a, b).
	misplaced int
	deep      int // evaluations that have not ended
	// applied are the results of functions \x -> …, by their keys, so that a function
	// that is applied twice is evaluated once; functions numbers function values.
	applied   map[string]*val[V]
	functions map[function]int
	// privates counts the integers that polynomials name, and ranges are those of index
	// variables among them.
	privates int
	ranges   map[string]size.Size
}

// maxSteps bounds the evaluations of expressions in one run, and maxDeep how deep
// they nest: functions may apply themselves.
const (
	maxSteps = 20_000_000
	maxDeep  = 100_000
)

// step counts an evaluation.
func (w *walker[V]) step() {
	if w.steps++; w.steps > maxSteps {
		panic(&overflow.Error{Msg: fmt.Sprintf("more than %d steps (is a function applied to itself?)", maxSteps)})
	}
}

func (w *walker[V]) errorf(s *scope[V], pos diag.Pos, format string, args ...any) *val[V] {
	w.errs.Add(s.ctx.src, pos, format, args...)
	return nil
}

// eval is the value of e, or nil after reporting an error.
func (w *walker[V]) eval(e ast.Expr, s *scope[V]) *val[V] {
	w.step()
	if w.deep++; w.deep > maxDeep {
		panic(&overflow.Error{Msg: fmt.Sprintf("calls and expressions nest more than %d deep (is a function applied to itself?)", maxDeep)})
	}
	v := w.evalForm(e, s)
	w.deep--
	return v
}

func (w *walker[V]) evalForm(e ast.Expr, s *scope[V]) *val[V] {
	switch e := e.(type) {
	case *ast.Number:
		v := &val[V]{v: w.dom.number(e)}
		if n, ok := e.Num.Int64(); ok && !e.Real {
			v = v.symbolic(size.Const(n))
		}
		return v
	case *ast.Bool:
		return w.literal(s, e, ops.ScalarB(e.Value))
	case *ast.Ident:
		return w.ident(e, s)
	case *ast.TupleLit:
		return w.tuple(e, e.Elems, s)
	case *ast.ListLit:
		return w.arrayLiteral(e, s)
	case *ast.Call:
		return w.call(e, s)
	case *ast.Binary:
		return w.binary(e, s)
	case *ast.Unary:
		if ast.IsIdent(e.X, "inf") {
			return w.literal(s, e, ops.ScalarR(numeric.Inf(-1)))
		}
		x := w.array(e.X, s)
		if x == nil {
			return nil
		}
		zero := size.Const(0)
		return w.elementwise(s, e, ops.Op{Sym: ops.SymNeg}, []ast.Expr{e.X}, []*val[V]{x}).arithmetic("-", &val[V]{sym: &zero}, x)
	case *ast.IndexExpr:
		return w.indexExpr(e, s)
	case *ast.Component:
		return w.component(e, s)
	case *ast.Lambda:
		return &val[V]{fn: &closure[V]{lambda: e, scope: s}}
	case *ast.Let:
		return w.let(e, s)
	case *ast.If:
		return w.conditional(e, s)
	case *Typed:
		if e.quotient {
			return w.errorf(s, e.At(), "a quotient of sizes is a size, and no value; div rounds down")
		}
		v, _ := any(e.val).(*val[V])
		return w.unknown(v)
	case *ast.TypeArg:
		return w.errorf(s, e.At(), "a type stands only after the name of a linear map")
	case *ast.Operation:
		return &val[V]{fn: &closure[V]{lambda: e.Lambda(), scope: s}}
	case *ast.Case, *ast.Rec:
		return w.errorf(s, e.At(), "case and rec are for functional programs")
	case *ast.Spread, *ast.OpVar, *ast.SubstExpr:
		return w.errorf(s, e.At(), "this form is for rules only")
	}
	return nil
}

// array is the value of e, which must be an array or a linear map.
func (w *walker[V]) array(e ast.Expr, s *scope[V]) *val[V] {
	return w.isArray(w.eval(e, s), e, s)
}

// isArray is v, the value of e, if that is an array or a linear map.
func (w *walker[V]) isArray(v *val[V], e ast.Expr, s *scope[V]) *val[V] {
	if v != nil && (v.tuple || v.fn != nil) {
		return w.errorf(s, e.At(), "expected an array, found %s%s", w.describe(v), negated(e, s.ctx.src))
	}
	return v
}

func (w *walker[V]) arrays(es []ast.Expr, s *scope[V]) []*val[V] {
	out := make([]*val[V], len(es))
	ok := true
	for i, e := range es {
		out[i] = w.array(e, s)
		ok = ok && out[i] != nil
	}
	if !ok {
		return nil
	}
	return out
}

func (w *walker[V]) literal(s *scope[V], e ast.Expr, c ops.Scalar) *val[V] {
	return w.make(s, e, ops.Op{Sym: ops.SymConst, Const: ops.ConstFill(c), Type: types.ArrayOf(c.Elem)}, nil, nil, nil, nil)
}

// make applies op to the values of es; an error is reported at the operand at
// fault.
func (w *walker[V]) make(s *scope[V], at ast.Expr, op ops.Op, own, binders []slot.Name, es []ast.Expr, kids []*val[V]) *val[V] {
	v, err := w.dom.make(op, own, binders, slice.Map(kids, func(k *val[V]) V { return k.v }))
	pos := at.At()
	if b, ok := at.(*ast.Binary); ok {
		pos = b.OpAt
	}
	if err != nil {
		origins := ""
		if err.Kid >= 0 && err.Kid < len(es) && es[err.Kid] != nil {
			pos, origins = es[err.Kid].At(), w.origins(s, es)
		}
		return w.errorf(s, pos, "%s%s", err.Msg, origins)
	}
	w.dom.placed(v, s.ctx.src, pos)
	return w.split(s, at, v)
}

// read is make of an operator that reads or adds at indices: all operands but the first.
func (w *walker[V]) read(s *scope[V], at ast.Expr, op ops.Op, binders []slot.Name, es []ast.Expr, kids []*val[V]) *val[V] {
	v := w.make(s, at, op, nil, binders, es, kids)
	if v == nil || len(es) != len(kids) {
		return v
	}
	pos := make([]diag.Pos, len(es)-1)
	for i, e := range es[1:] {
		pos[i] = e.At()
	}
	w.dom.indexed(v.v, s.ctx.src, pos)
	return v
}

// split takes a term of tuple type apart.
func (w *walker[V]) split(s *scope[V], at ast.Expr, v V) *val[V] {
	t := w.dom.typ(v)
	if t.Kind != types.KTuple {
		return &val[V]{v: v}
	}
	out := &val[V]{tuple: true}
	for i := range t.Parts {
		p := w.make(s, at, ops.Op{Sym: ops.SymProj, N: i}, nil, nil, nil, []*val[V]{{v: v}})
		if p == nil {
			return nil
		}
		out.parts = append(out.parts, p)
	}
	return out
}

// origins says where the named operands of an operation were declared.
func (w *walker[V]) origins(s *scope[V], es []ast.Expr) string {
	out := ""
	seen := make(map[string]bool)
	for _, e := range es {
		id, ok := e.(*ast.Ident)
		if !ok || seen[id.Name] {
			continue
		}
		b, ok := s.lookup(id.Name)
		if !ok || b.val == nil || b.val.fn != nil || b.val.tuple {
			continue
		}
		seen[id.Name] = true
		line, _ := s.ctx.src.LineCol(b.pos)
		out += fmt.Sprintf("; %s: %s is from line %d", id.Name, w.dom.typ(b.val.v), line)
	}
	return out
}

// apply evaluates operands and applies an operator that binds nothing.
func (w *walker[V]) apply(s *scope[V], at ast.Expr, op ops.Op, es []ast.Expr) *val[V] {
	if op.Sym == ops.SymLapply {
		return w.applyLinear(s, at, es)
	}
	switch op.Sym {
	case ops.SymReplicate, ops.SymTr, ops.SymReshape:
		return w.each(w.moved(es[0], s), func(v *val[V]) *val[V] { return w.make(s, at, op, nil, nil, es, []*val[V]{v}) })
	}
	kids := w.arrays(es, s)
	if kids == nil && len(es) > 0 {
		return nil
	}
	return w.operate(s, at, op, es, kids)
}

// operate applies an operator that binds nothing to arrays.
func (w *walker[V]) operate(s *scope[V], at ast.Expr, op ops.Op, es []ast.Expr, kids []*val[V]) *val[V] {
	if w.mod.sig.Operator(op.Sym).Elementwise {
		return w.elementwise(s, at, op, es, kids)
	}
	if v, ok := w.reshaped(s, at, op, es, kids); ok {
		return v
	}
	return w.make(s, at, op, nil, nil, es, kids)
}

// applyLinear applies a linear map, which may be one of tuples.
func (w *walker[V]) applyLinear(s *scope[V], at ast.Expr, es []ast.Expr) *val[V] {
	m, x := w.array(es[0], s), w.eval(es[1], s)
	if m == nil || x == nil {
		return nil
	}
	if x.fn != nil {
		return w.errorf(s, es[1].At(), "a linear map is applied to arrays, and this is a function")
	}
	if x = w.pack(s, es[1], x); x == nil {
		return nil
	}
	return w.make(s, at, ops.Op{Sym: ops.SymLapply}, nil, nil, es, []*val[V]{m, x})
}

// pack makes one term of a tuple.
func (w *walker[V]) pack(s *scope[V], at ast.Expr, v *val[V]) *val[V] {
	if !v.tuple {
		return v
	}
	vs := make([]V, len(v.parts))
	for i, p := range v.parts {
		if p = w.pack(s, at, p); p == nil {
			return nil
		}
		vs[i] = p.v
	}
	t, err := w.dom.make(ops.Op{Sym: ops.SymTuple}, nil, nil, vs)
	if err != nil {
		return w.errorf(s, at.At(), "%s", err.Msg)
	}
	return &val[V]{v: t}
}

// elementwise applies op after replicating scalar operands to the shape of the
// others: the core language does not broadcast.
func (w *walker[V]) elementwise(s *scope[V], at ast.Expr, op ops.Op, es []ast.Expr, kids []*val[V]) *val[V] {
	shape, from := []size.Size(nil), -1
	for i, k := range kids {
		t := w.dom.typ(k.v)
		if t.Kind == types.KArray && from < 0 && len(t.Shape) > 0 {
			shape, from = t.Shape, i
		}
	}
	if from >= 0 {
		kids = append([]*val[V](nil), kids...)
		for i, k := range kids {
			if t := w.dom.typ(k.v); t.Kind == types.KArray && len(t.Shape) == 0 {
				if kids[i] = w.replicate(s, at, shape, k); kids[i] == nil {
					return nil
				}
			}
		}
	}
	return w.make(s, at, op, nil, nil, es, kids)
}

// replicate adds axes in front of v.
func (w *walker[V]) replicate(s *scope[V], at ast.Expr, shape []size.Size, v *val[V]) *val[V] {
	for i := len(shape) - 1; i >= 0 && v != nil; i-- {
		v = w.make(s, at, ops.Op{Sym: ops.SymReplicate, Sizes: []size.Size{shape[i]}}, nil, nil, nil, []*val[V]{v})
	}
	return v
}

func (w *walker[V]) ident(e *ast.Ident, s *scope[V]) *val[V] {
	if b, ok := s.lookup(e.Name); ok {
		return w.unknown(b.val)
	}
	if size, ok := s.ctx.sizes[e.Name]; ok {
		return w.sizeValue(s, e, size)
	}
	if d, ok := w.mod.find(e.Name, s.ctx.prelude); ok {
		f := &closure[V]{def: d, scope: s}
		if len(d.Params) == 0 {
			return w.applyClosure(f, e, nil, s)
		}
		return &val[V]{fn: f}
	}
	switch e.Name {
	case "inf":
		return w.literal(s, e, ops.ScalarR(numeric.Inf(1)))
	case "nan":
		return w.literal(s, e, ops.ScalarR(numeric.NaN()))
	}
	if o, ok := w.mod.sig.Surface(e.Name); ok && o.ValuesOnly() {
		return &val[V]{fn: &closure[V]{op: o, scope: s}}
	}
	if isBuiltinName(w.mod.sig, e.Name) {
		return w.errorf(s, e.At(), "%s needs its arguments", e.Name)
	}
	if g, ok := generalCalled(e.Name); ok {
		return &val[V]{fn: &closure[V]{general: g, scope: s}}
	}
	return w.errorf(s, e.At(), "unknown name %s%s", e.Name, w.suggest(e.Name, s))
}

// sizeValue is a size used as an integer.
func (w *walker[V]) sizeValue(s *scope[V], at ast.Expr, size size.Size) *val[V] {
	if c, ok := size.Const(); ok {
		return w.literal(s, at, ops.ScalarI(c)).symbolic(size)
	}
	// A symbolic size is an integer of which nothing else is known.
	return w.make(s, at, ops.Op{Sym: ops.SymVar, Name: "size " + size.Key(), Type: types.ArrayOf(types.I)}, nil, nil, nil, nil).symbolic(size)
}

// suggest is " (did you mean …?)" with a name in reach that is like name.
func (w *walker[V]) suggest(name string, s *scope[V]) string {
	if w.errs.Full() {
		return ""
	}
	if say := ast.Instead(name); say != "" {
		return "; here one writes " + say
	}
	names := surfaceNames(w.mod.sig)
	names = append(names, slice.Map(Generals, func(g *General) string { return g.Name })...)
	for b := s; b != nil && len(names) <= diag.MaxCandidates; b = b.parent {
		names = append(names, b.name)
	}
	for n := range s.ctx.sizes {
		names = append(names, n)
	}
	if len(names)+len(w.mod.all) <= diag.MaxCandidates {
		names = append(names, slice.Map(w.mod.all, func(d *checkedDef) string { return d.Name })...)
	}
	return diag.DidYouMean(name, names)
}

func (w *walker[V]) tuple(at ast.Expr, es []ast.Expr, s *scope[V]) *val[V] {
	v := &val[V]{tuple: true}
	ok := true
	for _, e := range es {
		p := w.eval(e, s)
		ok = ok && p != nil
		v.parts = append(v.parts, p)
	}
	if !ok {
		return nil
	}
	if v.leaves() > maxLeaves {
		return w.errorf(s, at.At(), "a tuple has at most %d components", maxLeaves)
	}
	return v
}

// leaves counts the arrays, linear maps and functions of a value.
func (v *val[V]) leaves() int {
	n := 1
	for _, p := range v.parts {
		n += p.leaves()
	}
	return n
}

// MaxListed bounds the elements of an array literal that are not all literals.
const MaxListed = 1 << 14

func (w *walker[V]) arrayLiteral(e *ast.ListLit, s *scope[V]) *val[V] {
	if len(e.Elems) == 0 {
		return w.errorf(s, e.At(), "an array literal needs an element; write replicate 0 0.0 for an empty array")
	}
	if f := flatten(e); f != nil && len(f.numbers) > 0 {
		return &val[V]{v: w.dom.numbers(f.numbers, f.shape)}
	} else if f != nil {
		return w.make(s, e, ops.Op{Sym: ops.SymConst, Const: ops.ConstData(f.truths), Type: types.ArrayOf(types.B, f.shape...)}, nil, nil, nil, nil)
	}
	first := w.eval(e.Elems[0], s)
	if first != nil && first.fn != nil {
		return w.functionList(first, e, s)
	}
	kids, ok := []*val[V]{first}, first != nil && w.isData(first, e.Elems[0], s)
	for _, x := range e.Elems[1:] {
		v := w.moved(x, s)
		kids, ok = append(kids, v), ok && v != nil
	}
	if !ok {
		return nil
	}
	if len(e.Elems) > MaxListed {
		return w.errorf(s, e.At(), "an array literal of %d elements that are not all numbers; at most %d are possible", len(e.Elems), MaxListed)
	}
	return w.across(s, e, "the elements of an array", kids, func(kids []*val[V]) *val[V] {
		return w.make(s, e, ops.Op{Sym: ops.SymStack}, nil, nil, e.Elems, kids)
	})
}

// functionList is a list of functions, of which first is the first.
func (w *walker[V]) functionList(first *val[V], e *ast.ListLit, s *scope[V]) *val[V] {
	out := &val[V]{tuple: true, list: true, parts: []*val[V]{first}}
	for _, x := range e.Elems[1:] {
		v := w.eval(x, s)
		switch {
		case v == nil:
			return nil
		case v.fn == nil:
			return w.errorf(s, x.At(), "expected a function, as the first of the list is one, found %s", w.describe(v))
		}
		out.parts = append(out.parts, v)
	}
	return out
}

func (w *walker[V]) component(e *ast.Component, s *scope[V]) *val[V] {
	v := w.eval(e.X, s)
	if v == nil {
		return nil
	}
	if !v.tuple {
		w.misplaced++
		return w.errorf(s, e.At(), "only a tuple has components, and this is %s", w.describe(v))
	}
	if e.N >= len(v.parts) {
		return w.errorf(s, e.At(), "there is no component %d in a tuple of %d", e.N, len(v.parts))
	}
	return v.parts[e.N]
}

// let walks a chain of lets in a loop.
func (w *walker[V]) let(e *ast.Let, s *scope[V]) *val[V] {
	for {
		s = w.bindLet(e, s)
		next, ok := e.Body.(*ast.Let)
		if !ok {
			return w.eval(e.Body, s)
		}
		e = next
	}
}

// bindLet brings what a let binds into scope.
func (w *walker[V]) bindLet(e *ast.Let, s *scope[V]) *scope[V] {
	s = w.bindPattern(e.Pat, w.eval(e.Bound, s), s)
	if e.Pat.Kind == ast.PatName {
		s.let = e.Bound
	}
	return s
}

// bindPattern brings the names of a pattern into scope. After an error v is nil
// and so are the values of the names, which keeps the error from spreading.
func (w *walker[V]) bindPattern(p ast.Pattern, v *val[V], s *scope[V]) *scope[V] {
	switch p.Kind {
	case ast.PatName:
		if isReserved(p.Name) {
			w.errorf(s, p.Pos, "%s is a built-in name", p.Name)
		}
		v = w.ofType(p, v, s)
		if v != nil && !v.tuple && v.fn == nil {
			v = &val[V]{v: w.dom.named(v.v, p.Name, s.ctx.src, p.Pos), sym: v.sym}
		}
		return s.bind(p.Name, v, p.Pos)
	case ast.PatWild:
		return s
	case ast.PatTuple:
		if v != nil && (!v.tuple || len(v.parts) != len(p.Subs)) {
			w.misplaced++
			w.errorf(s, p.Pos, "the pattern has %s, and the value is %s", diag.Count(len(p.Subs), "part"), w.describe(v))
			v = nil
		}
		for i, sub := range p.Subs {
			var part *val[V]
			if v != nil {
				part = v.parts[i]
			}
			s = w.bindPattern(sub, part, s)
		}
		return s
	}
	hint := ""
	if p.Kind == ast.PatList {
		hint = "; the elements of an array a are a[0], a[1] and so on, and (x, y) takes a tuple apart"
	}
	w.errorf(s, p.Pos, "a list of variables is for build, gather and scatter%s", hint)
	for _, sub := range p.Subs {
		s = w.bindPattern(sub, nil, s)
	}
	return s
}

// ofType is the value of a pattern, which is of the type that the pattern has, if it has one.
func (w *walker[V]) ofType(p ast.Pattern, v *val[V], s *scope[V]) *val[V] {
	if p.Type == nil {
		return v
	}
	t, err := resolveType(*p.Type, s.ctx.sizes)
	if err != nil {
		return w.errorf(s, err.Pos, "%s", err.Msg)
	}
	if v == nil {
		return nil
	}
	if msg := w.mismatch(t, v); msg != "" {
		return w.errorf(s, p.Pos, "%s is of type %s: %s", p.Name, t, msg)
	}
	return v
}

func (w *walker[V]) conditional(e *ast.If, s *scope[V]) *val[V] {
	c, a, b := w.array(e.Cond, s), w.eval(e.Then, s), w.eval(e.Else, s)
	if c == nil || a == nil || b == nil {
		return nil
	}
	return w.across(s, e.Else, "the branches of a conditional", []*val[V]{a, b}, func(vs []*val[V]) *val[V] {
		return w.choose(e, s, w.mask(s, e, c, a, vs), vs[0], vs[1])
	})
}

// mask is the mask c for arrays that are components of whole: of an array of tuples that are
// arrays, c has no axes of the latter, and chooses them as a whole.
func (w *walker[V]) mask(s *scope[V], at ast.Expr, c, whole *val[V], arrays []*val[V]) *val[V] {
	t := w.dom.typ(c.v)
	if !whole.tuple || c.tuple || c.fn != nil || t.Kind != types.KArray || len(t.Shape) == 0 {
		return c
	}
	for _, a := range arrays {
		if a.tuple || a.fn != nil {
			return c
		}
		of := w.dom.typ(a.v)
		n := len(t.Shape)
		if of.Kind != types.KArray || len(of.Shape) <= n || !size.Equal(of.Shape[:n], t.Shape) {
			continue
		}
		rest := of.Shape[n:]
		all := w.replicate(s, at, rest, c)
		if all == nil {
			return c
		}
		return w.make(s, at, ops.Op{Sym: ops.SymTr, Perm: slices.Concat(slice.Count(len(rest), len(of.Shape)), slice.Count(0, len(rest)))}, nil, nil, []ast.Expr{at}, []*val[V]{all})
	}
	return c
}

// choose is cond, or where if the condition is an array; a scalar branch is replicated.
func (w *walker[V]) choose(e *ast.If, s *scope[V], c, a, b *val[V]) *val[V] {
	es := []ast.Expr{e.Cond, e.Then, e.Else}
	if a.fn != nil || b.fn != nil {
		w.misplaced++
		return w.errorf(s, e.Then.At(), "the branches of a conditional cannot be functions")
	}
	if t := w.dom.typ(c.v); t.Kind == types.KArray && len(t.Shape) > 0 {
		return w.elementwise(s, e, ops.Op{Sym: ops.SymWhere}, es, []*val[V]{c, a, b})
	}
	ta, tb := w.dom.typ(a.v), w.dom.typ(b.v)
	if ta.Kind == types.KArray && tb.Kind == types.KArray {
		if len(ta.Shape) == 0 {
			a = w.replicate(s, e, tb.Shape, a)
		} else if len(tb.Shape) == 0 {
			b = w.replicate(s, e, ta.Shape, b)
		}
	}
	if a == nil || b == nil {
		return nil
	}
	return w.make(s, e, ops.Op{Sym: ops.SymCond}, nil, nil, es, []*val[V]{c, a, b})
}

func (w *walker[V]) binary(e *ast.Binary, s *scope[V]) *val[V] {
	links, operands := e.Chain()
	vs := w.arrays(operands, s)
	if vs == nil {
		return nil
	}
	var all *val[V]
	for i, link := range links {
		v := w.infix(link, vs[i], vs[i+1], s)
		if i > 0 && v != nil {
			v = w.elementwise(s, e, ops.Op{Sym: ops.SymAnd}, nil, []*val[V]{all, v})
		}
		if all = v; v == nil {
			return nil
		}
	}
	return all
}

// infix applies an infix operator to the values of its operands.
func (w *walker[V]) infix(e *ast.Binary, l, r *val[V], s *scope[V]) *val[V] {
	sym, swap, negate, ok := ops.InfixSym(e.Op)
	if !ok {
		return w.errorf(s, e.OpAt, "%s is for rules only", e.Op)
	}
	es, kids := []ast.Expr{e.L, e.R}, []*val[V]{l, r}
	if swap {
		es, kids = []ast.Expr{e.R, e.L}, []*val[V]{r, l}
	}
	v := w.elementwise(s, e, ops.Op{Sym: sym}, es, kids).arithmetic(e.Op, l, r)
	if v != nil && negate {
		return w.make(s, e, ops.Op{Sym: ops.SymNot}, nil, nil, nil, []*val[V]{v})
	}
	return v
}
