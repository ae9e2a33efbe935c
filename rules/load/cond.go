package load

import (
	"slices"
	"strings"

	"egad/diag"
	"egad/internal/slice"
	"egad/rules"
	"egad/rules/syntax"
	"egad/term/ast"
)

// bounds converts what indices are compared with: the axes of a term, or a list
// of sizes.
func (c *converter) bounds(e ast.Expr, of **rules.Pattern, sizes **rules.AttrExpr) {
	if id, ok := e.(*ast.Ident); ok && c.v.Sort[id.Name] != rules.SortSizes {
		*of = c.term(e)
		return
	}
	*sizes = c.attr(e, rules.SortSizes)
}

// conditions converts side conditions.
func (c *converter) conditions(ks []syntax.Cond) {
	condition := c.condition
	if c.f.lang != nil {
		condition = c.languageCondition
		c.variablesOf(ks)
		ks = c.joins(ks)
	}
	for i := range ks {
		n := len(c.conds)
		condition(&ks[i])
		for j := range c.conds[n:] {
			c.conds[n+j].Text = ks[i].Text
		}
	}
}

// condition converts one side condition. What it means depends on the sorts of
// the variables, which are known when the left side has been converted.
func (c *converter) condition(k *syntax.Cond) {
	switch k.Kind {
	case syntax.CondClass:
		if !slices.Contains(syntax.Classes, k.Word.Text) {
			c.errorf(k.Word.Pos, "unknown class %s of operators%s; there are %s", k.Word.Text, diag.DidYouMean(k.Word.Text, syntax.Classes), strings.Join(syntax.Classes, ", "))
		}
		if op, ok := k.A.(*ast.OpVar); ok {
			c.conds = append(c.conds, rules.Cond{Kind: rules.CondClass, Pos: k.Pos, Name: op.Name, Class: rules.Class{Name: k.Word.Text, Arity: k.Arity}})
		} else {
			c.errorf(k.Pos, "expected an operator variable, as in ?op : %s", k.Word.Text)
		}
	case syntax.CondNotIn:
		c.notIn(k.A, k.B)
	case syntax.CondType:
		c.typeCond(k.A, k.Type)
	case syntax.CondEqual:
		c.equalCond(rules.CondEqual, k.A, k.B)
	case syntax.CondIs:
		if k.Word.Text != "literal" {
			c.errorf(k.Word.Pos, "a term may be known to be a literal, not %s", k.Word.Text)
		} else if k.Not {
			c.about(rules.Cond{Kind: rules.CondNotLiteral, Pos: k.Pos}, k.A)
		} else {
			c.about(rules.Cond{Kind: rules.CondLiteral, Pos: k.Pos}, k.A)
		}
	default:
		c.exprCond(k.A)
	}
}

// notIn converts i not in t.
func (c *converter) notIn(e, in ast.Expr) {
	i, ok := e.(*ast.Ident)
	if !ok || c.v.Sort[i.Name] != rules.SortIndex && c.v.Sort[i.Name] != rules.SortIndices && c.v.Sort[i.Name] != rules.SortState {
		c.errorf(e.At(), "this is not an index variable of the left side")
		return
	}
	t, ok := in.(*ast.Ident)
	if !ok {
		c.errorf(in.At(), "expected a metavariable")
		return
	}
	if s := c.v.Sort[t.Name]; s != rules.SortTerm && s != rules.SortTerms {
		c.errorf(t.At(), "%s is not a metavariable of the left side", t.Name)
		return
	}
	c.conds = append(c.conds, rules.Cond{Kind: rules.CondNotIn, Pos: e.At(), Name: i.Name, List: c.v.Sort[i.Name] == rules.SortIndices, Terms: []string{t.Name}})
	// The right side is converted after the conditions and relies on this.
	c.v.Scope[t.Name] = slices.DeleteFunc(c.v.Scope[t.Name], func(s string) bool { return s == i.Name })
}

// typeCond converts t : T, which binds the metavariables of T.
func (c *converter) typeCond(e ast.Expr, t ast.TypeExpr) {
	p := c.term(e)
	c.left = true
	tp := c.typePat(t)
	c.left = false
	if p != nil {
		c.conds = append(c.conds, rules.Cond{Kind: rules.CondType, Pos: e.At(), Of: p, Type: tp})
	}
}

// equalCond converts an equation or inequation of attributes.
func (c *converter) equalCond(kind rules.CondKind, l, r ast.Expr) {
	sort := c.attrSort(l)
	if s := c.attrSort(r); sort == rules.SortNone || s == rules.SortLit {
		sort = s
	}
	if sort == rules.SortNone {
		c.about(rules.Cond{Kind: rules.CondSame, Pos: l.At()}, l, r)
		return
	}
	c.conds = append(c.conds, rules.Cond{Kind: kind, Pos: l.At(), A: c.attr(l, sort), B: c.attr(r, sort)})
}

// attrSort guesses the sort of an attribute expression from its head.
func (c *converter) attrSort(e ast.Expr) rules.Sort {
	switch e := e.(type) {
	case *ast.Ident:
		s, met := c.v.Sort[e.Name]
		if !met {
			s = c.awaited[e.Name]
		}
		switch s {
		case rules.SortSize, rules.SortSizes, rules.SortPerm, rules.SortInt, rules.SortLit:
			return s
		}
	case *ast.Call:
		if id, ok := e.Fn.(*ast.Ident); ok {
			switch id.Name {
			case "shape":
				return rules.SortSizes
			case "len":
				return rules.SortInt
			}
			return rules.AttrFunctions[id.Name].Result
		}
	case *ast.Binary:
		if e.Op == "::" || e.Op == "++" {
			return rules.SortSizes
		}
		if s := c.attrSort(e.R); s == rules.SortLit {
			return s
		}
		return c.attrSort(e.L)
	}
	return rules.SortNone
}

// exprCond converts the conditions that read like expressions: orders, finite,
// inside, and !=.
func (c *converter) exprCond(e ast.Expr) {
	switch e := e.(type) {
	case *ast.Binary:
		op := e.Op
		if op == "!=" && (c.attrSort(e.L) != rules.SortNone || c.attrSort(e.R) != rules.SortNone) {
			c.equalCond(rules.CondDiffer, e.L, e.R)
			return
		}
		switch op {
		case "&&":
			c.exprCond(e.L)
			c.exprCond(e.R)
			return
		case "<", "<=", ">", ">=", "!=":
			l, r := e.L, e.R
			if op[0] == '>' {
				l, r, op = r, l, "<"+op[1:]
			}
			c.about(rules.Cond{Kind: rules.CondOrder, Pos: e.At(), Op: op}, l, r)
			return
		}
	case *ast.Call:
		if ast.IsIdent(e.Fn, "finite") && len(e.Args) == 1 {
			c.about(rules.Cond{Kind: rules.CondFinite, Pos: e.At()}, e.Args[0])
			return
		}
		if id, ok := e.Args[0].(*ast.Ident); ok && len(e.Args) == 2 && (id.Name == "inside" || id.Name == "outside") {
			k := rules.Cond{Kind: rules.CondInside, Pos: e.At(), Op: id.Name, Ix: c.list(e.Fn)}
			c.bounds(e.Args[1], &k.Of, &k.Sizes)
			c.conds = append(c.conds, k)
			return
		}
		if ast.IsIdent(e.Fn, "distinct") && len(e.Args) == 2 {
			c.about(rules.Cond{Kind: rules.CondOrder, Pos: e.At(), Op: "!="}, e.Args...)
			return
		}
		if id, ok := e.Fn.(*ast.Ident); ok {
			if _, _, known := c.f.sig.Form(id.Name); known {
				c.about(rules.Cond{Kind: rules.CondFact, Pos: e.At()}, e)
				return
			}
		}
	case *ast.Ident:
		if c.v.Sort[e.Name] == rules.SortTerm {
			c.about(rules.Cond{Kind: rules.CondFact, Pos: e.At()}, e)
			return
		}
	}
	hint := ""
	if call, ok := e.(*ast.Call); ok {
		if id, ok := call.Fn.(*ast.Ident); ok && len(call.Args) == 1 {
			hint = diag.DidYouMean(id.Name, []string{"finite"})
		}
	}
	c.errorf(e.At(), "this is not a condition%s; see docs/rules.md", hint)
}

// about adds a condition on a term or on two, unless something is wrong with them.
func (c *converter) about(k rules.Cond, terms ...ast.Expr) {
	ps := slice.Map(terms, c.term)
	if slices.Contains(ps, nil) {
		return
	}
	if k.L = ps[0]; len(ps) > 1 {
		k.R = ps[1]
	}
	c.conds = append(c.conds, k)
}
