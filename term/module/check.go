package module

import (
	"fmt"
	"slices"

	"egad/diag"
	"egad/internal/memo"
	"egad/internal/slice"
	"egad/slot"
	"egad/term"
	"egad/term/ast"
	"egad/term/ops"
	"egad/term/size"
	"egad/term/types"
)

// checker is the domain of types: a definition is checked once, with its sizes
// as symbols.
type checker struct {
	ops.Known
	types.ElemVars
	sig *term.Signature
	// literals are those met, of one or many numbers, by the first one, and elems
	// their types.
	literals [][]*ast.Number
	elems    map[*ast.Number]types.Elem
	eqs      map[string]size.Size // what `where` equations say of single sizes
	names    slot.Name
}

func (c *checker) typ(t *types.Type) *types.Type { return c.Resolve(t) }

func (c *checker) make(op ops.Op, own, binders []slot.Name, kids []*types.Type) (*types.Type, *ops.TypeError) {
	return ops.InferType(c, c.sig.Operator(op.Sym), op, kids)
}

// number gives a literal its type: one, also if a function around it is applied
// several times.
func (c *checker) number(n *ast.Number) *types.Type { return types.ArrayOf(c.elem([]*ast.Number{n})) }

func (c *checker) numbers(ns []*ast.Number, shape []size.Size) *types.Type {
	return types.ArrayOf(c.elem(ns), shape...)
}

// elem is the one element type of the numbers of a literal.
func (c *checker) elem(ns []*ast.Number) types.Elem {
	e, met := c.elems[ns[0]]
	if !met {
		if e = types.R; !slices.ContainsFunc(ns, func(n *ast.Number) bool { return n.Real }) {
			e = c.NewElem(types.R, types.I)
		}
		memo.Set(&c.elems, ns[0], e)
		c.literals = append(c.literals, ns)
	}
	return e
}

func (c *checker) placed(*types.Type, *diag.Source, diag.Pos) {}

func (c *checker) indexed(*types.Type, *diag.Source, []diag.Pos) {}

func (c *checker) named(t *types.Type, name string, src *diag.Source, pos diag.Pos) *types.Type {
	return t
}

func (c *checker) binder(name string, size size.Size, src *diag.Source, pos diag.Pos) {}

func (c *checker) result(w *walker[*types.Type], d *checkedDef, sizes map[string]size.Size, args []*val[*types.Type], src *diag.Source, at diag.Pos) *val[*types.Type] {
	return typeValue(d.result.Subst(sizes))
}

func (c *checker) apply(f *types.Type, args []*val[*types.Type], src *diag.Source, at diag.Pos) *val[*types.Type] {
	return typeValue(f.Parts[len(f.Parts)-1])
}

// typeValue is a value of which the type is known.
func typeValue(t *types.Type) *val[*types.Type] {
	switch t.Kind {
	case types.KFun:
		return opaqueFunction[*types.Type](t)
	case types.KArray, types.KLin:
		return &val[*types.Type]{v: t}
	}
	return &val[*types.Type]{tuple: true, parts: slice.Map(t.Parts, typeValue)}
}

func (c *checker) fresh(n int) []slot.Name {
	out := make([]slot.Name, n)
	for i := range out {
		c.names++
		out[i] = c.names
	}
	return out
}

func (c *checker) unify() ops.Unifier { return c }

func (c *checker) key(t *types.Type) string {
	return fmt.Sprintf("%d %s", c.FindElem(t.Elem), t.Key())
}

func (c *checker) Sizes(a, b size.Size) bool {
	return a.Equal(b) || a.Subst(c.eqs).Equal(b.Subst(c.eqs))
}

func (c *checker) Shapes(a, b []size.Size) bool { return slices.EqualFunc(a, b, c.Sizes) }

func (c *checker) Products(a, b []size.Size) bool { return c.Sizes(size.Product(a), size.Product(b)) }

func (c *checker) Types(a, b *types.Type) bool {
	if a.Kind != b.Kind || !c.Shapes(a.Shape, b.Shape) {
		return false
	}
	if a.Kind == types.KArray && !c.Elems(a.Elem, b.Elem) {
		return false
	}
	return slices.EqualFunc(a.Parts, b.Parts, c.Types)
}

// Vector restricts element types to R.
func (c *checker) Vector(t *types.Type) bool {
	return t.IsVector(func(e types.Elem) bool { return c.ElemIn(e, types.R) })
}

// Force does nothing: a checked program has no type variables.
func (c *checker) Force(t *types.Type, kind types.Kind) *types.Type { return t }

// Resolve replaces element variables that are known.
func (c *checker) Resolve(t *types.Type) *types.Type {
	if t.Kind == types.KArray {
		if e := c.FindElem(t.Elem); e != t.Elem {
			return types.ArrayOf(e, t.Shape...)
		}
	}
	return t
}

// maxParams bounds the sizes and the parameters of a definition.
const maxParams = 1000

// resolveSignature reads the types of a definition.
func (m *Module) resolveSignature(d *checkedDef, errs *diag.List) {
	sizes := make(map[string]size.Size)
	ok := true
	fail := func(pos diag.Pos, format string, args ...any) {
		errs.Add(d.Src, pos, format, args...)
		ok = false
	}
	addSize := func(name string, pos diag.Pos) {
		if _, dup := sizes[name]; dup {
			fail(pos, "the size %s is declared twice", name)
		}
		if isReserved(name) {
			fail(pos, "%s is a built-in name", name)
		}
		sizes[name] = size.Var(name)
		d.sizes = append(d.sizes, name)
	}
	for _, s := range d.Sizes {
		addSize(s.Name, s.At())
	}
	for _, p := range d.Params {
		if p.Type.Kind == ast.TyName && p.Type.Name == "size" {
			addSize(p.Name, p.Pos)
		}
	}
	if n := max(len(d.sizes), len(d.Params)); n > maxParams {
		fail(d.Pos, "a definition has at most %d sizes and parameters, not %d", maxParams, n)
		return
	}
	params := []*types.Type{}
	seen := make(map[string]bool)
	for _, p := range d.Params {
		if p.Type.Kind == ast.TyName && p.Type.Name == "size" {
			params = append(params, nil)
			continue
		}
		if _, clash := sizes[p.Name]; clash || seen[p.Name] {
			fail(p.Pos, "%s is declared twice", p.Name)
		}
		if isReserved(p.Name) {
			fail(p.Pos, "%s is a built-in name", p.Name)
		}
		seen[p.Name] = true
		t, err := resolveType(p.Type, sizes)
		if err != nil {
			fail(err.Pos, "%s", err.Msg)
			continue
		}
		params = append(params, t)
	}
	r, err := resolveType(d.Result, sizes)
	if err != nil {
		fail(err.Pos, "%s", err.Msg)
	}
	for _, e := range d.Where {
		b := e.(*ast.Binary)
		l, right, err := size.ReadBoth(b.L, b.R, sizes)
		if err != nil {
			fail(err.Pos, "%s", err.Msg)
			continue
		}
		d.where = append(d.where, sizeCond{b.OpAt, b.Op, l, right})
	}
	if ok {
		d.params, d.result = params, r
	}
}

// checkBody checks the body of a definition whose signature is sound. It counts the findings
// that are about functions where none can be in an array program.
func (m *Module) checkBody(d *checkedDef, steps *int, errs *diag.List) (misplaced int) {
	if d.params == nil {
		return 0
	}
	c := &checker{sig: m.sig, eqs: make(map[string]size.Size)}
	for _, w := range d.where {
		c.assume(w)
	}
	w := &walker[*types.Type]{mod: m, dom: c, errs: errs, steps: *steps}
	defer func() { *steps, misplaced = w.steps, w.misplaced }()
	ctx := &context{src: d.Src, prelude: d.Prelude, sizes: make(map[string]size.Size)}
	for _, s := range d.sizes {
		ctx.sizes[s] = size.Var(s)
	}
	s := &scope[*types.Type]{ctx: ctx}
	for i, p := range d.Params {
		if t := d.params[i]; t != nil {
			s = s.bind(p.Name, typeValue(t), p.Pos)
		}
	}
	v := w.eval(d.Body, s)
	if d.Own != nil {
		w.checkOwn(d, ctx)
	}
	switch {
	case v == nil:
	case d.result.Kind == types.KFun:
		w.checkFunction(d.result, v, "the result of "+d.Name, s, d.Body)
	default:
		if msg := w.mismatch(d.result, v); msg != "" {
			errs.Add(d.Src, d.Body.At(), "the result of %s is declared as %s; its body: %s%s", d.Name, d.result, msg, w.axisHint(d.Body, d.result, v))
		}
	}
	c.settle(m.elems, errs, d.Src)
	return w.misplaced
}

// axisHint says how a reduction goes along another axis, or along how many, where its result has
// another shape than is asked for.
func (w *walker[V]) axisHint(e ast.Expr, want *types.Type, v *val[V]) string {
	call, ok := e.(*ast.Call)
	if !ok || v.tuple || v.fn != nil || want.Kind != types.KArray {
		return ""
	}
	if id, ok := call.Fn.(*ast.Ident); ok && id.Name == "along" && len(call.Args) > 0 {
		if axes, ok := call.Args[0].(*ast.ListLit); ok && len(axes.Elems) > 1 {
			return "; along takes all elements along the listed axes for one vector"
		}
	}
	o, _ := w.mod.sig.Called(call)
	got := w.dom.typ(v.v)
	if o == nil || !o.OnAxis() || o.Columnwise || got.Kind != types.KArray || len(got.Shape) == 0 || size.Equal(got.Shape, want.Shape) {
		return ""
	}
	return fmt.Sprintf("; %s goes along the outer axis", o.Name) + alongHint(o.Name)
}

// settle says in elems what the element types of literals are, by their first
// number; I where nothing says. The tree keeps none: it may be checked again, for
// other types or by several goroutines.
func (c *checker) settle(elems map[*ast.Number]types.Elem, errs *diag.List, src *diag.Source) {
	for _, ns := range c.literals {
		e := c.FindElem(c.elems[ns[0]])
		if e.IsVar() {
			e = types.I
		}
		elems[ns[0]] = e
		for _, n := range ns {
			if _, fits := n.Num.Int64(); e == types.I && !fits {
				errs.Add(src, n.At(), "%s does not fit 64 bits", n.Num)
			}
		}
	}
}

// assume uses an equation of one size with others in the comparison of sizes.
func (c *checker) assume(w sizeCond) {
	if w.op != "==" {
		return
	}
	l, r := w.l.Subst(c.eqs), w.r.Subst(c.eqs)
	name, ok := l.Var()
	if !ok {
		if name, ok = r.Var(); !ok {
			return
		}
		l, r = r, l
	}
	if slices.Contains(r.Vars(), name) {
		return
	}
	one := map[string]size.Size{name: r}
	for k, v := range c.eqs {
		c.eqs[k] = v.Subst(one)
	}
	c.eqs[name] = r
}
