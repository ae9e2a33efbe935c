package load

import (
	"slices"

	"egad/internal/slice"
	"egad/rules"
	"egad/term/ast"
	"egad/term/module"
	"egad/term/numeric"
	"egad/term/ops"
)

// term converts an expression that stands for one term.
func (c *converter) term(e ast.Expr) *rules.Pattern {
	if c.f.lang != nil {
		return c.form(e)
	}
	switch e := e.(type) {
	case *ast.Ident:
		return c.ident(e)
	case *ast.Call:
		return c.call(e)
	case *ast.SubstExpr:
		return c.subst(e)
	case *ast.Let:
		return c.let(e)
	}
	p := &rules.Pattern{Pos: e.At()}
	switch e := e.(type) {
	case *ast.Number:
		p.Kind, p.Value = rules.PNumber, e.Num
		return p
	case *ast.Bool:
		p.Kind, p.Truth = rules.PTruth, e.Value
		return p
	case *ast.Unary:
		if ast.IsIdent(e.X, "inf") {
			p.Kind, p.Value = rules.PNumber, numeric.Inf(-1)
			return p
		}
		return c.apply(p, ops.SymNeg, e.X)
	case *ast.Binary:
		sym, swap, negate, ok := ops.InfixSym(e.Op)
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
			return &rules.Pattern{Kind: rules.PApp, Pos: p.Pos, Sym: ops.SymNot, Kids: []rules.Elem{{Pat: q}}}
		}
		if c.left && c.isSize(e) {
			return &rules.Pattern{Kind: rules.PSizeVal, Pos: p.Pos, Lit: c.computed(e), X: q}
		}
		return q
	case *ast.If:
		return c.apply(p, ops.SymCond, e.Cond, e.Then, e.Else)
	case *ast.IndexExpr:
		q := c.apply(p, ops.SymIndex, e.Array)
		if q == nil {
			return nil
		}
		q.Kids = append(q.Kids, slice.Map(e.Ix, c.elem)...)
		return q
	case *ast.ListLit:
		p.Kind, p.Sym = rules.PApp, ops.SymStack
		p.Kids = c.elems(e.Elems)
		return p
	case *ast.TupleLit:
		p.Kind, p.Sym = rules.PApp, ops.SymTuple
		p.Kids = c.elems(e.Elems)
		return p
	case *ast.Component:
		q := c.apply(p, ops.SymProj, e.X)
		if q != nil {
			q.Attrs.N = &rules.AttrExpr{Kind: rules.AInt, Int: e.N}
		}
		return q
	}
	c.formErrorf(e.At(), "this form cannot stand in a rule")
	return nil
}

func (c *converter) ident(e *ast.Ident) *rules.Pattern {
	p := &rules.Pattern{Pos: e.At(), Name: e.Name}
	if b, ok := c.isBound(e.Name); ok {
		if b.list {
			c.errorf(e.At(), "%s is a list of index variables", e.Name)
			return nil
		}
		p.Kind = rules.PIvar
		if slices.Contains(c.lets, e.Name) {
			p.Kind = rules.PLetVar
		}
		return p
	}
	switch e.Name {
	case "zero":
		p.Kind = rules.PZero
		return p
	case "self":
		p.Kind = rules.PSelf
		c.rightOnly(e)
		return p
	case position:
		p.Kind = rules.PPosition
		c.isPlace(e)
		return p
	}
	if c.sizes[e.Name] || c.v.Sort[e.Name] == rules.SortSize {
		p.Kind, p.Name = rules.PSizeVal, ""
		p.Lit = c.computed(e)
		return p
	}
	if c.v.Sort[e.Name] == rules.SortLit && c.inCondition {
		p.Kind, p.Name = rules.PLit, ""
		p.Lit = c.attr(e, rules.SortLit)
		return p
	}
	if n, ok := module.Constant(e.Name); ok {
		p.Kind, p.Name, p.Value = rules.PNumber, "", n
		return p
	}
	if e.Name == ops.Lmap {
		c.errorf(e.At(), "%s needs its arguments", e.Name)
		return nil
	}
	if o, form, ok := c.f.sig.Form(e.Name); ok {
		if len(form) > 0 && !(c.left && o.Linear && allTypes(form)) {
			c.errorf(e.At(), "%s needs its arguments", e.Name)
			return nil
		}
		p.Kind, p.Sym, p.Name, p.Implicit = rules.PApp, o.Sym, "", true
		return p
	}
	return c.meta(p)
}

// meta is a metavariable for a term: in a spread, the element of a list.
func (c *converter) meta(p *rules.Pattern) *rules.Pattern {
	sort := rules.SortTerm
	if c.inSpread > 0 && (c.v.Sort[p.Name] == rules.SortTerms || c.left && c.lists[p.Name]) {
		p.Kind, sort = rules.PElem, rules.SortTerms
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
func (c *converter) computed(e ast.Expr) *rules.AttrExpr {
	outer := c.computing
	c.computing = true
	defer func() { c.computing = outer }()
	return c.attr(e, rules.SortSize)
}

// position is the name of the place in a spread list.
const position = "position"

// isPlace reports whether position stands where there is a place; it is an error if not.
func (c *converter) isPlace(e ast.Expr) bool {
	if c.left || c.inSpread == 0 {
		c.errorf(e.At(), "position is the place in a spread list (…)... of the right side")
		return false
	}
	return true
}

func allTypes(form []ops.FormArg) bool {
	return !slices.ContainsFunc(form, func(f ops.FormArg) bool { return f != ops.FormType && f != ops.FormType2 })
}

func (c *converter) rightOnly(e ast.Expr) {
	if c.left {
		c.errorf(e.At(), "this form is for right sides only")
	}
}

// apply converts operands of an operator without attributes.
func (c *converter) apply(p *rules.Pattern, sym ops.Sym, operands ...ast.Expr) *rules.Pattern {
	p.Kind, p.Sym = rules.PApp, sym
	whole := true
	for _, o := range operands { // all, to find what is wrong with each
		k := c.term(o)
		whole = whole && k != nil
		p.Kids = append(p.Kids, rules.Elem{Pat: k})
	}
	if !whole {
		return nil
	}
	return p
}
