package load

import (
	"maps"
	"slices"

	"egad/diag"
	"egad/internal/memo"
	"egad/rules"
	"egad/rules/syntax"
	"egad/term/ast"
)

// variablesOf notes which metavariables stand for variables: other conditions may
// bind them.
func (c *converter) variablesOf(ks []syntax.Cond) {
	for i := range ks {
		if id, ok := ks[i].A.(*ast.Ident); ok && ks[i].Kind == syntax.CondIs && ks[i].Word.Text == "variable" {
			memo.Set(&c.v.Variable, id.Name, true)
		}
	}
}

// languageCondition converts a side condition of a rule of a language.
func (c *converter) languageCondition(k *syntax.Cond) {
	if k.Kind == syntax.CondEqual && (c.static(k.A) || c.static(k.B)) {
		c.equalCond(rules.CondEqual, k.A, k.B)
		return
	}
	switch k.Kind {
	case syntax.CondIs:
		p := c.metavariable(k.A)
		if k.Not {
			c.formErrorf(k.Word.Pos, "a condition on what a term is not is for arrays")
			return
		}
		kinds := map[string]rules.CondKind{"number": rules.CondLiteral, "symbol": rules.CondSymbol, "variable": rules.CondVariable}
		kind, known := kinds[k.Word.Text]
		if !known {
			c.formErrorf(k.Word.Pos, "a term is a number, a symbol or a variable, not %s%s", k.Word.Text, diag.DidYouMean(k.Word.Text, slices.Sorted(maps.Keys(kinds))))
		} else if p != nil {
			c.conds = append(c.conds, rules.Cond{Kind: kind, Pos: k.Pos, L: p})
		}
	case syntax.CondNotIn:
		x, t := c.term(k.A), (*rules.Pattern)(nil)
		if id, ok := k.B.(*ast.Ident); ok && c.v.Sort[id.Name] == rules.SortTerms {
			t = &rules.Pattern{Kind: rules.PMeta, Name: id.Name}
		} else {
			t = c.term(k.B)
		}
		switch {
		case x == nil || t == nil:
			return
		case x.Kind != rules.PIvar && !(x.Kind == rules.PMeta && c.v.Variable[x.Name]):
			c.errorf(k.A.At(), "expected a variable")
			return
		case t.Kind != rules.PMeta:
			c.errorf(k.B.At(), "expected a metavariable")
			return
		}
		c.conds = append(c.conds, rules.Cond{Kind: rules.CondNotIn, Pos: k.Pos, Name: x.Name, Terms: []string{t.Name}})
		c.v.Scope[t.Name] = slices.DeleteFunc(c.v.Scope[t.Name], func(s string) bool { return s == x.Name })
	case syntax.CondEqual:
		c.about(rules.Cond{Kind: rules.CondSame, Pos: k.Pos}, k.A, k.B)
	case syntax.CondType:
		p, t := c.metavariable(k.A), c.f.sortNamed(k.Type)
		if p == nil || t == nil {
			return
		}
		if old := c.v.Types[p.Name]; old != nil && old != t {
			c.errorf(k.A.At(), "%s has the sort %s, expected %s", p.Name, rules.SortName(old), rules.SortName(t))
			return
		}
		memo.Set(&c.v.Types, p.Name, t)
	case syntax.CondExpr:
		if b, ok := k.A.(*ast.Binary); ok && (c.static(b.L) || c.static(b.R)) {
			c.order(b)
			return
		}
		if call, ok := k.A.(*ast.Call); ok && ast.IsIdent(call.Fn, "distinct") {
			if _, taken := c.f.sig.Lookup("distinct"); !taken {
				if len(call.Args) != 2 {
					c.formErrorf(k.Pos, "distinct compares two terms")
				} else {
					c.about(rules.Cond{Kind: rules.CondDistinct, Pos: k.Pos}, call.Args...)
				}
				return
			}
		}
		c.about(rules.Cond{Kind: rules.CondFact, Pos: k.Pos}, k.A)
	default:
		c.formErrorf(k.Pos, "a condition of this form is for arrays")
	}
}

// static reports whether an expression of a condition is an attribute.
func (c *converter) static(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Ident, *ast.Binary:
		if b, ok := e.(*ast.Binary); ok {
			return c.static(b.L) || c.static(b.R)
		}
		return c.attrSort(e) != rules.SortNone
	case *ast.Call:
		id, ok := e.Fn.(*ast.Ident)
		if ok {
			_, declared := c.f.sig.Lookup(id.Name)
			return !declared && c.attrSort(e) != rules.SortNone
		}
	}
	return false
}

// order converts a comparison of attributes.
func (c *converter) order(e *ast.Binary) {
	l, r, op := e.L, e.R, e.Op
	switch op {
	case "!=":
		c.equalCond(rules.CondDiffer, l, r)
		return
	case ">", ">=":
		l, r, op = r, l, "<"+op[1:]
	case "<", "<=":
	default:
		c.errorf(e.At(), "attributes are compared by = != < <= > and >=")
		return
	}
	side := func(e ast.Expr) *rules.Pattern {
		if n, ok := e.(*ast.Number); ok {
			return &rules.Pattern{Kind: rules.PNumber, Pos: e.At(), Value: n.Num}
		}
		if c.attrSort(e) == rules.SortLit {
			return &rules.Pattern{Kind: rules.PLit, Pos: e.At(), Lit: c.attr(e, rules.SortLit)}
		}
		return &rules.Pattern{Kind: rules.PSizeVal, Pos: e.At(), Lit: c.computed(e)}
	}
	c.conds = append(c.conds, rules.Cond{Kind: rules.CondOrder, Pos: e.At(), Op: op, L: side(l), R: side(r)})
}

// metavariable is the metavariable that an expression is, nil with a finding if it is
// none.
func (c *converter) metavariable(e ast.Expr) *rules.Pattern {
	p := c.term(e)
	if p != nil && p.Kind != rules.PMeta {
		c.errorf(e.At(), "expected a metavariable")
		return nil
	}
	return p
}
