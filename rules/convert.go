package rules

import (
	"cmp"
	"maps"
	"slices"
	"sync"

	"egad/diag"
	"egad/internal/slice"
	"egad/rules/syntax"
	"egad/term"
	"egad/term/ast"
	"egad/term/numeric"
)

// Variables is what is known of the metavariables of a rule.
type Variables struct {
	sort  map[string]Sort
	Order []string // in order of first occurrence on the left
	// Scope lists the bound variables that a term metavariable may mention:
	// those in scope at every occurrence on the left, without those that a
	// condition excludes.
	Scope map[string][]string
	Class map[string][]Class // of operator variables
	lets  []string           // let-bound variables, of both sides
	// Variable has the metavariables that stand for variables of a language.
	Variable map[string]bool
	// types are the sorts of metavariables and of bound variables of a language.
	types map[string]*term.Type
}

// converter turns the expressions of one rule into patterns.
type converter struct {
	f        *fileParser
	r        *Rule
	v        *Variables
	left     bool
	bound    []boundVar // binders in scope, innermost last
	conds    []Cond
	lets     []string // let-bound variables in scope
	inSpread int      // how many spreads enclose the expression
	// right is the right side; the names that are spread there are lists on the left.
	right ast.Expr
	lists map[string]bool
	// sizes are the metavariables that stand for the size of an axis on the left
	// side: elsewhere there they are that size as an integer.
	sizes map[string]bool
	// matched are the metavariables that are matched, not only computed with.
	matched map[string]bool
	// inCondition says that the expression is in a condition, where a literal stands
	// for itself.
	inCondition bool
	// inTest says that the expression is a term of a test: there are no metavariables.
	inTest bool
	// binding says that the expression is in a condition that binds metavariables.
	binding bool
	// broken says that the left side is wrong.
	broken bool
	// computing says that the expression is computed, not matched.
	computing bool
	// lens are the lengths of lists among the operands of operators of a language that have
	// a fixed number of them: each element is a metavariable. Copy is 1 + the place of the
	// element in a spread over such lists, 0 outside.
	lens map[string]int
	copy int
}

type boundVar struct {
	name string
	is   string // the variable, which may have been bound by another name
	list bool
}

func newConverter(f *fileParser, r *Rule) *converter {
	return &converter{f: f, r: r, v: &Variables{
		sort: make(map[string]Sort), Scope: make(map[string][]string), Class: make(map[string][]Class), Variable: make(map[string]bool),
	}, sizes: make(map[string]bool), matched: make(map[string]bool), lens: make(map[string]int)}
}

// sizesOf finds the metavariables that stand for the size of an axis on the left
// side or in a condition on types, which may come after the places where they
// are used as integers.
func sizesOf(f *fileParser, lhs ast.Expr, conds []syntax.Cond) map[string]bool {
	c := f.trial()
	c.leftSide(lhs, conds)
	return c.sizes
}

// trial is a converter of which nobody reads what is wrong.
func (f *fileParser) trial() *converter {
	scratch := *f
	scratch.errs = new(diag.List)
	return newConverter(&scratch, &Rule{})
}

// errorf reports what is wrong. After a left side that is, only formErrorf does:
// what the right side's names are is not known.
func (c *converter) errorf(pos diag.Pos, format string, args ...any) {
	if !c.broken {
		c.formErrorf(pos, format, args...)
	}
}

// formErrorf reports what is wrong whatever names stand for.
func (c *converter) formErrorf(pos diag.Pos, format string, args ...any) {
	c.f.errs.Add(c.f.src, pos, format, args...)
}

// rule converts both sides, the conditions and the guard.
func (c *converter) rule(lhs, rhs ast.Expr, conds, assumed, guard []syntax.Cond) {
	c.right = rhs
	if c.f.lang == nil {
		c.sizes = sizesOf(c.f, lhs, conds)
	}
	c.broken = !c.leftSide(lhs, conds)
	test := c.guard(guard)
	c.conditions(assumed)
	c.r.Assumes, c.bound, c.inCondition = c.conds, nil, false
	for _, k := range c.r.Assumes {
		if k.Kind != CondOrder && k.Kind != CondFinite {
			c.errorf(k.Pos, "only facts about numbers can be assumed, as in: assuming finite a, b != 0")
		}
	}
	for _, k := range c.r.Conds {
		if k.Kind == CondClass {
			if c.v.sort[k.Name] != SortOp {
				c.errorf(k.Pos, "?%s is not on the left side", k.Name)
			}
			c.v.Class[k.Name] = append(c.v.Class[k.Name], k.Class)
		}
	}
	for _, n := range c.v.Order {
		if c.v.sort[n] == SortOp && len(c.v.Class[n]) == 0 {
			c.errorf(c.r.Pos, "the operator variable ?%s needs a class, as in: if ?%s : elementwise/2", n, n)
		}
	}
	c.operands(c.r.Lhs)
	c.openLists(c.r.Lhs, make(map[string]bool))
	if c.r.Nabla {
		c.maps(rhs)
	} else {
		c.r.Rhs = c.term(rhs)
	}
	if test != nil && c.r.Rhs != nil {
		c.r.Rhs = operation(term.SymCond, test, c.r.Rhs, &Pattern{Kind: PZero, Pos: test.Pos})
	}
	c.r.BySharing = Find(c.r.Lhs, func(p *Pattern) bool { return p.Kind == PLet }) != nil
	c.r.Vars = c.v
	c.r.Memo = new(sync.Map)
}

// operands reports operator variables that are applied to more or fewer operands
// than the operators of their class have.
func (c *converter) operands(p *Pattern) {
	if p == nil {
		return
	}
	for _, k := range c.v.Class[p.Name] {
		if p.Kind == PApp && k.Arity != 0 && k.Arity != len(p.Kids) && !hasLists(p.Kids) {
			c.errorf(p.Pos, "?%s has %d operands here, and the operators of its class %s/%d have %d", p.Name, len(p.Kids), k.Name, k.Arity, k.Arity)
			return
		}
	}
	for _, q := range p.inside() {
		c.operands(q)
	}
}

// openLists reports operands among which there are two lists of unknown length. An
// operator variable has few operands, so that all ways to divide them can be tried; the
// author of a language knows how many its terms have.
func (c *converter) openLists(p *Pattern, known map[string]bool) {
	if p == nil || c.f.lang != nil {
		return
	}
	open := 0
	for _, e := range Flatten(p.Kids) {
		over := e.Over
		if e.Kind == ESplice {
			over = []string{e.List.Name}
		}
		if len(over) > 0 && !slices.ContainsFunc(over, func(l string) bool { return known[l] || c.v.sort[l] == SortIndices }) {
			open++
		}
		for _, l := range over {
			known[l] = true
		}
		c.openLists(e.Pat, known)
	}
	if open > 1 && p.Name == "" {
		c.errorf(p.Pos, "there are %d lists of unknown length among these operands: only those of an operator variable may be divided in many ways", open)
	}
}

// leftSide converts the left side and the conditions. It is false if there is no
// left side.
func (c *converter) leftSide(lhs ast.Expr, conds []syntax.Cond) bool {
	c.left = true
	if call, ok := lhs.(*ast.Call); ok && ast.IsIdent(call.Fn, "nabla") && len(call.Args) == 1 && c.f.lang == nil {
		c.r.Nabla = true
		lhs = call.Args[0]
	}
	c.r.Lhs = c.term(lhs)
	c.left = false
	switch {
	case c.r.Lhs == nil:
		c.broken = true
	case c.r.Lhs.Kind != PApp && c.r.Lhs.Kind != PLet && (c.r.Lhs.Kind != PMeta || c.r.Nabla):
		c.errorf(c.r.Lhs.Pos, "the left side of a rule is an operator applied to something, or a metavariable")
		c.broken = true
	}
	// A condition may speak of a term below binders.
	for _, n := range c.v.Order {
		switch c.v.sort[n] {
		case SortIndex, SortIndices, SortState:
			c.bound = append(c.bound, boundVar{n, n, c.v.sort[n] == SortIndices})
		}
	}
	c.inCondition = true
	if !c.broken {
		c.holding()
	}
	c.conditions(conds)
	c.r.Conds, c.conds = c.conds, nil
	for _, n := range c.v.Order {
		if s := c.v.sort[n]; s != SortIndex && s != SortIndices && s != SortState && !c.matched[n] {
			c.errorf(c.r.Pos, "%s is %s, and nothing says which: on the left side it is only computed with", n, s)
		}
	}
	return !c.broken
}

// maps converts the right side of a derivative rule: [l1, l2, none].
func (c *converter) maps(rhs ast.Expr) {
	l, ok := rhs.(*ast.ListLit)
	if !ok {
		c.errorf(rhs.At(), "a derivative is a list of linear maps, one for each operand (none where there is none)")
		return
	}
	for _, e := range l.Elems {
		if ast.IsIdent(e, "none") {
			c.r.Maps = append(c.r.Maps, Elem{Kind: ENone})
			continue
		}
		c.r.Maps = append(c.r.Maps, c.elem(e))
	}
}

// use notes an occurrence of a metavariable of the given sort.
func (c *converter) use(name string, sort Sort, pos diag.Pos) bool {
	if c.left && !c.computing {
		c.matched[name] = true
		c.sizes[name] = c.sizes[name] || sort == SortSize
	}
	old, ok := c.v.sort[name]
	switch {
	case !ok && !c.left && !(c.binding && sort == SortTerm):
		known := slices.Concat(c.v.Order, slice.Map(c.bound, func(b boundVar) string { return b.name }))
		text := "%s is not bound by the left side%s"
		if c.f.lang != nil {
			text, known = "%s is no symbol and does not occur on the left%s", append(known, c.f.operatorNames()...)
			if c.inCondition {
				text = "%s is no symbol, and nothing binds it: the left side does, or after if a fact, but of !=, or an equation of terms%s"
			}
		}
		c.errorf(pos, text, name, diag.DidYouMean(name, known))
		return false
	case !ok:
		c.v.sort[name] = sort
		c.v.Order = append(c.v.Order, name)
		c.matched[name] = c.matched[name] || c.binding
		if sort == SortTerm || sort == SortTerms {
			c.v.Scope[name] = c.boundNames()
		}
		return true
	case old != sort:
		c.errorf(pos, "%s is %s elsewhere and %s here", name, old, sort)
		return false
	}
	if sort == SortTerm || sort == SortTerms {
		in := c.boundNames()
		if c.left {
			c.v.Scope[name] = slices.DeleteFunc(c.v.Scope[name], func(s string) bool { return !slices.Contains(in, s) })
		} else {
			for _, s := range c.v.Scope[name] {
				if !slices.Contains(in, s) {
					c.errorf(pos, "%s may mention %s, which is not bound here; add the condition: %s not in %s", name, s, s, name)
					return false
				}
			}
		}
	}
	return true
}

func (c *converter) boundNames() []string {
	return slice.Map(c.bound, func(b boundVar) string { return b.is })
}

func (c *converter) isBound(name string) (boundVar, bool) {
	for i := len(c.bound) - 1; i >= 0; i-- {
		if c.bound[i].name == name {
			return c.bound[i], true
		}
	}
	return boundVar{}, false
}

// term converts an expression that stands for one term.
func (c *converter) term(e ast.Expr) *Pattern {
	if c.f.lang != nil {
		return c.form(e)
	}
	p := &Pattern{Pos: e.At()}
	switch e := e.(type) {
	case *ast.Ident:
		return c.ident(e)
	case *ast.Number:
		p.Kind, p.Value = PNumber, e.Num
		return p
	case *ast.Bool:
		p.Kind, p.Truth = PTruth, e.Value
		return p
	case *ast.Unary:
		if ast.IsIdent(e.X, "inf") {
			p.Kind, p.Value = PNumber, numeric.Inf(-1)
			return p
		}
		return c.apply(p, term.SymNeg, e.X)
	case *ast.Binary:
		sym, swap, negate, ok := term.InfixSym(e.Op)
		if !ok {
			c.errorf(e.OpAt, "%s makes a list, and a term is needed here", e.Op)
			return nil
		}
		l, r := e.L, e.R
		if swap {
			l, r = r, l
		}
		q := c.apply(p, sym, l, r)
		if negate && q != nil {
			return &Pattern{Kind: PApp, Pos: p.Pos, Sym: term.SymNot, Kids: []Elem{{Pat: q}}}
		}
		if c.left && c.isSize(e) {
			return &Pattern{Kind: PSizeVal, Pos: p.Pos, Lit: c.computed(e), X: q}
		}
		return q
	case *ast.If:
		return c.apply(p, term.SymCond, e.Cond, e.Then, e.Else)
	case *ast.IndexExpr:
		q := c.apply(p, term.SymIndex, e.Array)
		if q == nil {
			return nil
		}
		q.Kids = append(q.Kids, slice.Map(e.Ix, c.elem)...)
		return q
	case *ast.ListLit:
		p.Kind, p.Sym = PApp, term.SymStack
		p.Kids = c.elems(e.Elems)
		return p
	case *ast.TupleLit:
		p.Kind, p.Sym = PApp, term.SymTuple
		p.Kids = c.elems(e.Elems)
		return p
	case *ast.Component:
		q := c.apply(p, term.SymProj, e.X)
		if q != nil {
			q.Attrs.N = &AttrExpr{Kind: AInt, Int: e.N}
		}
		return q
	case *ast.Call:
		return c.call(e)
	case *ast.SubstExpr:
		return c.subst(e)
	case *ast.Let:
		return c.let(e)
	}
	c.formErrorf(e.At(), "this form cannot stand in a rule")
	return nil
}

func (c *converter) ident(e *ast.Ident) *Pattern {
	p := &Pattern{Pos: e.At(), Name: e.Name}
	if b, ok := c.isBound(e.Name); ok {
		if b.list {
			c.errorf(e.At(), "%s is a list of index variables", e.Name)
			return nil
		}
		p.Kind = PIvar
		if slices.Contains(c.lets, e.Name) {
			p.Kind = PLetVar
		}
		return p
	}
	switch e.Name {
	case "zero":
		p.Kind = PZero
		return p
	case "self":
		p.Kind = PSelf
		c.rightOnly(e)
		return p
	case "position":
		p.Kind = PPosition
		if c.inSpread == 0 {
			c.errorf(e.At(), "position is the place in a spread list (…)...")
		}
		return p
	}
	if c.sizes[e.Name] || c.v.sort[e.Name] == SortSize {
		p.Kind, p.Name = PSizeVal, ""
		p.Lit = c.computed(e)
		return p
	}
	if c.v.sort[e.Name] == SortLit && c.inCondition {
		p.Kind, p.Name = PLit, ""
		p.Lit = c.attr(e, SortLit)
		return p
	}
	if n, ok := term.Constant(e.Name); ok {
		p.Kind, p.Name, p.Value = PNumber, "", n
		return p
	}
	if e.Name == term.Lmap {
		c.errorf(e.At(), "%s needs its arguments", e.Name)
		return nil
	}
	if o, form, ok := c.f.sig.Form(e.Name); ok {
		if len(form) > 0 && !(c.left && o.Linear && allTypes(form)) {
			c.errorf(e.At(), "%s needs its arguments", e.Name)
			return nil
		}
		p.Kind, p.Sym, p.Name, p.Implicit = PApp, o.Sym, "", true
		return p
	}
	return c.meta(p)
}

// meta is a metavariable for a term: in a spread, the element of a list.
func (c *converter) meta(p *Pattern) *Pattern {
	sort := SortTerm
	if c.inSpread > 0 && (c.v.sort[p.Name] == SortTerms || c.left && c.lists[p.Name]) {
		p.Kind, sort = PElem, SortTerms
	}
	if !c.use(p.Name, sort, p.Pos) {
		return nil
	}
	return p
}

// isSize reports whether an expression of the left side is arithmetic on sizes.
func (c *converter) isSize(e ast.Expr) bool {
	found := false
	var all func(e ast.Expr) bool
	all = func(e ast.Expr) bool {
		switch e := e.(type) {
		case *ast.Ident:
			_, bound := c.isBound(e.Name)
			is := c.sizes[e.Name] && !bound
			found = found || is
			return is
		case *ast.Number:
			return !e.Real && e.Num.Rat() != nil && e.Num.Rat().IsInt() && e.Num.Sign() >= 0
		case *ast.Binary:
			return (e.Op == "+" || e.Op == "-" || e.Op == "*") && all(e.L) && all(e.R)
		}
		return false
	}
	return all(e) && found
}

// computed converts a size that is computed when the others are known, also on the
// left side.
func (c *converter) computed(e ast.Expr) *AttrExpr {
	outer := c.computing
	c.computing = true
	defer func() { c.computing = outer }()
	return c.attr(e, SortSize)
}

func allTypes(form []term.FormArg) bool {
	return !slices.ContainsFunc(form, func(f term.FormArg) bool { return f != term.FormType && f != term.FormType2 })
}

func (c *converter) rightOnly(e ast.Expr) {
	if c.left {
		c.errorf(e.At(), "this form is for right sides only")
	}
}

// apply converts operands of an operator without attributes.
func (c *converter) apply(p *Pattern, sym term.Sym, operands ...ast.Expr) *Pattern {
	p.Kind, p.Sym = PApp, sym
	whole := true
	for _, o := range operands { // all, to find what is wrong with each
		k := c.term(o)
		whole = whole && k != nil
		p.Kids = append(p.Kids, Elem{Pat: k})
	}
	if !whole {
		return nil
	}
	return p
}

func (c *converter) elems(es []ast.Expr) []Elem {
	return slice.Map(es, c.elem)
}

// elem converts an item of a list of children.
func (c *converter) elem(e ast.Expr) Elem {
	s, ok := e.(*ast.Spread)
	if !ok {
		return Elem{Kind: EOne, Pat: cmp.Or(c.term(e), &Pattern{Pos: e.At()})}
	}
	return c.spread(s.X)
}

// spread converts what stands for a list among children: a list metavariable, or what is
// there for each of its elements.
func (c *converter) spread(e ast.Expr) Elem {
	if id, ok := e.(*ast.Ident); ok {
		return Elem{Kind: ESplice, List: c.listVar(id)}
	}
	c.listNames(e)
	c.inSpread++
	defer func() { c.inSpread-- }()
	p := c.term(e)
	if p == nil {
		return Elem{Pat: &Pattern{Pos: e.At()}}
	}
	over := c.elementLists(p)
	if c.left {
		switch bad := Find(p, func(q *Pattern) bool { return !repeats(q) }); {
		case bad != nil:
			c.errorf(bad.Pos, "in a spread of the left side there are variables, and operators without types and lists")
		case len(over) == 0:
			c.errorf(e.At(), "a spread needs a list metavariable to run over: one that stands on the right side in spreads alone, as in ts...")
		}
		return Elem{Kind: EMap, Pat: p, Over: over}
	}
	if len(over) == 0 { // the one list there is, or the parts of the one tuple type
		for _, n := range c.v.Order {
			if c.v.sort[n] == SortTerms {
				over = append(over, n)
			}
		}
		if len(over) == 0 {
			over = typeVars(p)
		}
		if len(over) == 0 {
			over = slices.DeleteFunc(slices.Clone(c.v.Order), func(n string) bool { return c.v.sort[n] != SortType })
		}
		if len(over) != 1 {
			c.errorf(e.At(), "a spread needs a list metavariable to run over")
		}
	}
	return Elem{Kind: EMap, Pat: p, Over: over}
}

// repeats reports whether a pattern, but for its children, may be matched at every
// place of a list.
func repeats(p *Pattern) bool {
	switch p.Kind {
	case PMeta, PElem:
		return true
	case PApp:
		return p.Name == "" && !p.Implicit && p.Attrs.Type == nil && p.Attrs.Type2 == nil && p.Binders == nil && !hasLists(p.Kids)
	}
	return false
}

// listsOf finds the names that are spread in an expression.
func listsOf(f *fileParser, e ast.Expr) map[string]bool {
	c := f.trial()
	c.left, c.lists = true, make(map[string]bool)
	if e != nil { // nil where only sizes are looked for
		c.term(e)
	}
	for n, s := range c.v.sort {
		if s == SortTerms {
			c.lists[n] = true
		}
	}
	for n := range c.lens {
		c.lists[n] = true
	}
	return c.lists
}

// elementLists collects the list metavariables of which p takes one element at
// a time, or the type of one.
func (c *converter) elementLists(p *Pattern) []string {
	var out []string
	for q := range p.all() {
		if q.Kind == PElem {
			out = append(out, q.Name)
		}
		q.types(func(t *TypePat) {
			if t.Kind == TypeOfMeta && c.v.sort[t.Name] == SortTerms {
				out = append(out, t.Name)
			}
		})
	}
	return out
}

// typeVars collects the type metavariables in p.
func typeVars(p *Pattern) []string {
	var out []string
	for q := range p.all() {
		q.types(func(t *TypePat) {
			if t.Kind == TypeVar {
				out = append(out, t.Name)
			}
		})
	}
	return out
}

func (c *converter) listVar(id *ast.Ident) *ListPat {
	if b, ok := c.isBound(id.Name); ok {
		if !b.list {
			c.errorf(id.At(), "%s is one index variable, not a list", id.Name)
		}
		return &ListPat{Kind: LBound, Pos: id.At(), Name: id.Name}
	}
	c.use(id.Name, SortTerms, id.At())
	return &ListPat{Kind: LVar, Pos: id.At(), Name: id.Name}
}

// list converts an expression that stands for a list of terms.
func (c *converter) list(e ast.Expr) *ListPat {
	switch e := e.(type) {
	case *ast.Ident:
		return c.listVar(e)
	case *ast.ListLit:
		return &ListPat{Kind: LLit, Pos: e.At(), Elems: c.elems(e.Elems)}
	case *ast.Binary:
		l := &ListPat{Kind: LLit, Pos: e.At()}
		switch e.Op {
		case "::":
			l.Elems = []Elem{c.elem(e.L), {Kind: ESplice, List: c.list(e.R)}}
			return l
		case "++":
			l.Elems = []Elem{{Kind: ESplice, List: c.list(e.L)}, {Kind: ESplice, List: c.list(e.R)}}
			return l
		}
	case *ast.SubstExpr:
		c.rightOnly(e)
		undo := c.bindSubst(e)
		arg := c.list(e.X)
		undo()
		if arg.Kind != LVar {
			c.errorf(e.X.At(), "variables are replaced in a list that is matched, as in ix[i := u]")
		}
		return &ListPat{Kind: LSubst, Pos: e.At(), Arg: arg, Subs: c.bindings(e)}
	case *ast.Call:
		return c.listCall(e)
	}
	c.errorf(e.At(), "expected a list of indices")
	return &ListPat{Pos: e.At()}
}

func (c *converter) listCall(e *ast.Call) *ListPat {
	l := &ListPat{Pos: e.At()}
	id, ok := e.Fn.(*ast.Ident)
	if !ok || len(e.Args) != 2 {
		c.errorf(e.At(), "expected a list of indices")
		return l
	}
	if !c.left || id.Name != "permute" {
		c.rightOnly(e)
	}
	switch id.Name {
	case "permute", "unpermute":
		l.Kind = LPermute
		if id.Name == "unpermute" {
			l.Kind = LUnpermute
		}
		l.Perm, l.Arg = c.attr(e.Args[0], SortPerm), c.list(e.Args[1])
		if c.left && (l.Perm.Kind != AVar || l.Arg.Kind != LBound) {
			c.errorf(e.At(), "on a left side permute has a name for the permutation, and a list of bound variables")
		}
	case "unravel":
		l.Kind = LUnravel
		l.Sizes = c.attr(e.Args[0], SortSizes)
		l.Index = c.term(e.Args[1])
	default:
		c.errorf(e.At(), "unknown list function %s%s", id.Name, diag.DidYouMean(id.Name, []string{"permute", "unpermute", "unravel"}))
	}
	return l
}

// call converts a function call: an operator, an operator variable, or one of
// the functions of right sides.
func (c *converter) call(e *ast.Call) *Pattern {
	p := &Pattern{Kind: PApp, Pos: e.At()}
	if e = c.member(e); e == nil {
		return nil
	}
	if op, ok := e.Fn.(*ast.OpVar); ok {
		c.use(op.Name, SortOp, op.At())
		p.Name = op.Name
		p.Kids = c.elems(e.Args)
		return p
	}
	id, ok := e.Fn.(*ast.Ident)
	if !ok {
		c.formErrorf(e.Fn.At(), "only an operator can be applied in a rule")
		return nil
	}
	if f, ok := rightFunctions[id.Name]; ok {
		if len(e.Args) != f.args {
			c.formErrorf(e.At(), "%s takes %s, not %d", id.Name, diag.Count(f.args, "argument"), len(e.Args))
			c.inner(e.Args)
			return nil
		}
		if !f.left {
			c.rightOnly(e)
		}
		return f.convert(c, e)
	}
	if f, ok := attrFunctions[id.Name]; ok && f.result == SortSize || id.Name == "len" {
		return &Pattern{Kind: PSizeVal, Pos: e.At(), Lit: c.computed(e)}
	}
	o, args := c.f.sig.Called(e)
	if o == nil {
		name, pos := id.Name, id.At()
		if name == term.Lmap && len(e.Args) > 0 {
			name, pos = "", e.Args[0].At()
			if of, ok := e.Args[0].(*ast.Ident); ok {
				name = of.Name
			}
			if _, _, known := c.f.sig.Form(name); known || name == "" {
				c.formErrorf(pos, "lmap is followed by a linear operator, as in lmap sum @s")
				return nil
			}
		}
		if term.InPrelude(name) {
			c.formErrorf(pos, "%s is a definition of the prelude, and rules are about operators: write what it means", name)
		} else {
			c.formErrorf(pos, "unknown operator %s%s", name, diag.DidYouMean(name, c.operatorNames()))
		}
		c.inner(e.Args)
		return nil
	}
	p.Sym = o.Sym
	form := o.Form()
	if len(form) == 1 && form[0] == term.FormRest {
		p.Kids = c.elems(args)
		return p
	}
	// The type of a linear map may be left out on a left side.
	if c.left && len(args) < len(form) && slices.Contains(form, term.FormType) {
		p.Implicit = true
		form = slices.DeleteFunc(slices.Clone(form), func(f term.FormArg) bool {
			return f == term.FormType || f == term.FormType2
		})
	}
	if len(args) != len(form) {
		c.formErrorf(e.At(), "%s takes %s, not %d", o.Name, diag.Count(len(form), "argument"), len(args))
		c.inner(args)
		return nil
	}
	for i, f := range form {
		c.argument(p, f, args[i])
	}
	return p
}

// inner looks for what is wrong in the arguments of something that is wrong itself.
func (c *converter) inner(args []ast.Expr) {
	outer := c.broken
	c.broken = true
	for _, a := range args {
		if call, ok := a.(*ast.Call); ok {
			c.term(call)
		}
	}
	c.broken = outer
}

func (c *converter) operatorNames() []string {
	out := slice.Map(c.f.sig.All(), func(o *term.Operator) string { return o.Name })
	return slices.AppendSeq(out, maps.Keys(rightFunctions))
}

func (c *converter) argument(p *Pattern, f term.FormArg, e ast.Expr) {
	switch f {
	case term.FormValue, term.FormCount:
		p.Kids = append(p.Kids, c.elem(e))
	case term.FormSize:
		p.Attrs.Sizes = c.single(e)
	case term.FormSizes:
		if _, list := e.(*ast.ListLit); list {
			p.Attrs.Sizes = c.attr(e, SortSizes)
		} else {
			p.Attrs.Sizes = c.single(e)
		}
	case term.FormShape:
		p.Attrs.Sizes = c.attr(e, SortSizes)
	case term.FormTo:
		p.Attrs.Targets = c.attr(e, SortSizes)
	case term.FormPerm:
		p.Attrs.Perm = c.attr(e, SortPerm)
	case term.FormInt:
		p.Attrs.N = c.attr(e, SortInt)
	case term.FormType, term.FormType2:
		ta, ok := e.(*ast.TypeArg)
		if !ok {
			c.errorf(e.At(), "expected a type, as in @R[n]")
			return
		}
		if f == term.FormType {
			p.Attrs.Type = c.typePat(ta.Type)
		} else {
			p.Attrs.Type2 = c.typePat(ta.Type)
		}
	case term.FormList:
		p.Kids = append(p.Kids, Elem{Kind: ESplice, List: c.list(e)})
	case term.FormBody, term.FormIx, term.FormStep:
		c.lambda(p, e, f)
	}
}

// single is one size as a list of sizes.
func (c *converter) single(e ast.Expr) *AttrExpr {
	return &AttrExpr{Kind: ACons, Args: []*AttrExpr{c.attr(e, SortSize), {Kind: ANil}}}
}

// lambda converts the function argument of a binding operator.
func (c *converter) lambda(p *Pattern, e ast.Expr, f term.FormArg) {
	list, params := f == term.FormIx, 1
	if f == term.FormStep {
		params = 2
	}
	l, ok := e.(*ast.Lambda)
	if !ok || len(l.Params) != params {
		c.errorf(e.At(), "expected a function, as in %s", map[term.FormArg]string{term.FormBody: "\\i -> t", term.FormIx: "\\is -> ix", term.FormStep: "\\i s -> t"}[f])
		return
	}
	b := &BinderList{}
	pat := l.Params[0]
	if f == term.FormStep {
		if l.Params[1].Kind != ast.PatName || pat.Kind != ast.PatName {
			c.errorf(l.Params[1].Pos, "the variables of a loop are names")
			return
		}
		b.State = l.Params[1].Name
	}
	switch pat.Kind {
	case ast.PatName:
		if list {
			b.Rest = pat.Name
		} else {
			b.Heads = []string{pat.Name}
		}
	case ast.PatList, ast.PatCons:
		for _, s := range pat.Subs {
			if s.Kind != ast.PatName {
				c.errorf(s.Pos, "an index variable is a name")
				return
			}
			b.Heads = append(b.Heads, s.Name)
		}
		if pat.Kind == ast.PatCons {
			b.Rest = pat.Name
		}
	default:
		c.errorf(pat.Pos, "expected index variables")
		return
	}
	p.Binders = b
	depth := len(c.bound)
	bind := func(name string, sort Sort) {
		if _, inside := c.isBound(name); inside && c.left {
			c.errorf(pat.Pos, "%s is bound inside of what binds it; use different names", name)
		} else if _, dup := c.v.sort[name]; !dup && c.left {
			c.v.sort[name] = sort
			c.v.Order = append(c.v.Order, name)
		} else if old, ok := c.v.sort[name]; ok && old != sort {
			c.errorf(pat.Pos, "%s is %s elsewhere on the left side", name, old)
		}
		c.bound = append(c.bound, boundVar{name, name, sort == SortIndices})
	}
	for _, h := range b.Heads {
		bind(h, SortIndex)
	}
	if b.Rest != "" {
		bind(b.Rest, SortIndices)
	}
	if b.State != "" {
		bind(b.State, SortState)
	}
	if list {
		p.Kids = append(p.Kids, Elem{Kind: ESplice, List: c.list(l.Body)})
	} else {
		p.Kids = append(p.Kids, c.elem(l.Body))
	}
	c.bound = c.bound[:depth]
}

// subst converts t[i := u] in the place of a term, where t is a metavariable or one of a list: what
// a rule makes may be in a class with other terms, of which a proof could not speak.
func (c *converter) subst(e *ast.SubstExpr) *Pattern {
	c.rightOnly(e)
	if t, is := e.X.(*ast.Ident); !is || c.v.sort[t.Name] != SortTerm && c.v.sort[t.Name] != SortTerms {
		c.errorf(e.X.At(), "variables are replaced in a metavariable, as in t[x := u]")
		return nil
	}
	undo := c.bindSubst(e)
	x := c.term(e.X)
	undo()
	return &Pattern{Kind: PSubst, Pos: e.At(), X: x, Subs: c.bindings(e)}
}

// bindSubst brings the variables of a substitution into scope.
func (c *converter) bindSubst(e *ast.SubstExpr) (undo func()) {
	depth := len(c.bound)
	for _, v := range e.Vars {
		c.bound = append(c.bound, boundVar{v.Name, v.Name, c.v.sort[v.Name] == SortIndices})
	}
	return func() { c.bound = c.bound[:depth] }
}

func (c *converter) bindings(e *ast.SubstExpr) []Binding {
	var out []Binding
	for i, v := range e.Vars {
		switch s := c.v.sort[v.Name]; {
		case s == SortIndices:
			out = append(out, Binding{Var: v.Name, List: true, ByL: c.list(e.By[i])})
		case s == SortIndex || s == SortState || slices.Contains(c.lets, v.Name):
			out = append(out, Binding{Var: v.Name, By: c.term(e.By[i])})
		default:
			c.errorf(v.At(), "%s is not a variable bound on the left side", v.Name)
		}
	}
	return out
}

// let converts let x = v in t; such rules hold by sharing and are only tested.
func (c *converter) let(e *ast.Let) *Pattern {
	if e.Pat.Kind != ast.PatName {
		c.errorf(e.Pat.Pos, "let binds a name in a rule")
		return nil
	}
	p := &Pattern{Kind: PLet, Pos: e.At(), Name: e.Pat.Name}
	p.Bound = c.term(e.Bound)
	c.lets = append(c.lets, e.Pat.Name)
	c.v.lets = append(c.v.lets, e.Pat.Name)
	c.bound = append(c.bound, boundVar{e.Pat.Name, e.Pat.Name, false})
	p.Body = c.term(e.Body)
	c.bound = c.bound[:len(c.bound)-1]
	if p.Bound == nil || p.Body == nil {
		return nil
	}
	return p
}
