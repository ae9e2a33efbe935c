package load

import (
	"slices"

	"egad/internal/memo"
	"egad/rules"
	"egad/rules/syntax"
	"egad/term/ast"
	"egad/term/ops"
)

// joins converts the conditions of a rule of a language that bind metavariables, with all that
// can be looked for in the same way: facts and equations. Each comes after one that binds
// something in it, as far as there is one, and before those that find terms come those that say
// what attributes known terms have: there is mostly one answer. It returns the other conditions.
func (c *converter) joins(ks []syntax.Cond) (rest []syntax.Cond) {
	var open []syntax.Cond
	binds := false
	for _, k := range ks {
		if k.Kind == syntax.CondExpr || k.Kind == syntax.CondEqual {
			c.attributesIn(k.A)
			c.attributesIn(k.B)
		}
	}
	for _, k := range ks {
		if !c.searched(&k) {
			rest = append(rest, k)
			continue
		}
		open = append(open, k)
		binds = binds || len(c.unbound(&k)) > 0
	}
	if !binds {
		return ks
	}
	c.r.Joins = true
	for len(open) > 0 {
		i := -1
		for _, next := range []func(k *syntax.Cond) bool{
			func(k *syntax.Cond) bool { return len(c.unbound(k)) == 0 },
			func(k *syntax.Cond) bool { return !c.computes(k) && c.aboutKnown(k) },
			func(k *syntax.Cond) bool { return !c.computes(k) && len(c.unbound(k)) < len(c.names(k)) },
			func(k *syntax.Cond) bool { return !c.computes(k) && (!isName(k.A) || k.B != nil && !isName(k.B)) },
			c.computes,
		} {
			if i = slices.IndexFunc(open, func(k syntax.Cond) bool { return next(&k) }); i >= 0 {
				break
			}
		}
		if i < 0 {
			return append(rest, open...)
		}
		c.join(&open[i])
		open = slices.Delete(open, i, i+1)
	}
	return rest
}

// attributesIn notes which names in a condition stand for attributes: other conditions may compare
// them and compute with them, and come before what binds them.
func (c *converter) attributesIn(e ast.Expr) {
	c.eachAttribute(e, func(a ast.Expr, kind ops.AttrKind) {
		if s, ok := a.(*ast.Spread); ok {
			a = s.X
		} else if kind == ops.AttrNaturals {
			kind = ops.AttrNatural
		}
		id, ok := a.(*ast.Ident)
		if !ok {
			return
		}
		if _, operator := c.f.sig.Lookup(id.Name); !operator {
			memo.Set(&c.awaited, id.Name, attrSorts[kind])
		}
	})
}

// computes reports whether an attribute in a condition is computed.
func (c *converter) computes(k *syntax.Cond) (is bool) {
	for _, e := range []ast.Expr{k.A, k.B} {
		c.eachAttribute(e, func(a ast.Expr, kind ops.AttrKind) {
			if s, ok := a.(*ast.Spread); ok {
				a = s.X
			}
			switch a.(type) {
			case *ast.Ident, *ast.Number, *ast.ListLit:
			default:
				is = true
			}
		})
	}
	return is
}

// eachAttribute calls f for the attributes of the operators in a term.
func (c *converter) eachAttribute(e ast.Expr, f func(a ast.Expr, kind ops.AttrKind)) {
	switch e := e.(type) {
	case *ast.Call:
		c.eachAttribute(e.Fn, f)
		for _, x := range e.Args {
			c.eachAttribute(x, f)
		}
	case *ast.Binary:
		c.eachAttribute(e.L, f)
		c.eachAttribute(e.R, f)
	case *ast.Unary:
		c.eachAttribute(e.X, f)
	case *ast.If:
		for _, x := range []ast.Expr{e.Cond, e.Then, e.Else} {
			c.eachAttribute(x, f)
		}
	case *ast.IndexExpr:
		id, ok := e.Array.(*ast.Ident)
		if !ok {
			return
		}
		if o, declared := c.f.sig.Lookup(id.Name); declared {
			kinds, _ := o.Sorted.AttrKinds(len(e.Ix)) // or it is an error
			for i, x := range e.Ix[:min(len(e.Ix), len(kinds))] {
				f(x, kinds[i])
			}
		}
	}
}

func isName(e ast.Expr) bool {
	_, is := e.(*ast.Ident)
	return is
}

// searched reports whether a condition is a fact or an equation of terms. Of !=, more is known
// than the e-graph has.
func (c *converter) searched(k *syntax.Cond) bool {
	switch e := k.A.(type) {
	case *ast.Binary:
		if k.Kind == syntax.CondExpr && (e.Op == "!=" || c.static(e.L) || c.static(e.R)) {
			return false
		}
	case *ast.Call:
		if _, declared := c.f.sig.Lookup("distinct"); k.Kind == syntax.CondExpr && !declared && ast.IsIdent(e.Fn, "distinct") {
			return false
		}
	}
	return k.Kind == syntax.CondExpr || k.Kind == syntax.CondEqual && !c.static(k.A) && !c.static(k.B)
}

// names are the metavariables and bound variables in a condition, and what would be one.
func (c *converter) names(k *syntax.Cond) (out []string) {
	for _, e := range []ast.Expr{k.A, k.B} {
		if e == nil {
			continue
		}
		for _, n := range ast.FreeNames(e) {
			_, operator := c.f.sig.Lookup(n)
			if _, function := rules.AttrFunctions[n]; !operator && !function && n != "len" {
				out = append(out, n)
			}
		}
	}
	return out
}

// unbound are the names in a condition that are not known yet.
func (c *converter) unbound(k *syntax.Cond) []string {
	return slices.DeleteFunc(c.names(k), func(n string) bool {
		_, met := c.v.Sort[n]
		return met
	})
}

// aboutKnown reports whether a condition is about terms of which all are known: of it only attributes
// are not.
func (c *converter) aboutKnown(k *syntax.Cond) bool {
	terms := slices.DeleteFunc(c.names(k), func(n string) bool { _, is := c.awaited[n]; return is })
	return len(terms) > 0 && !slices.ContainsFunc(c.unbound(k), func(n string) bool { return slices.Contains(terms, n) })
}

// join converts a condition that may bind metavariables. What it binds may mention the
// variables that the rest of the condition may mention.
func (c *converter) join(k *syntax.Cond) {
	var scope []string
	unbound := c.unbound(k)
	for _, n := range c.names(k) {
		if c.v.Sort[n] == rules.SortIndex {
			scope = append(scope, n)
		}
		scope = append(scope, c.v.Scope[n]...)
	}
	c.binding = true
	before := len(c.conds)
	c.languageCondition(k)
	c.binding = false
	for i := range c.conds[before:] {
		x := &c.conds[before+i]
		if x.Text = k.Text; len(unbound) > 0 && !x.Searched() {
			what, hint := "a function or a list", ""
			if c.computes(k) {
				what, hint = "a computed attribute", ": name the attribute, and say in a condition of its own what it is, as m = n + 1"
			}
			c.errorf(k.Pos, "a condition with %s binds no metavariable, and nothing else binds %s%s", what, unbound[0], hint)
		}
	}
	for _, n := range unbound {
		if s, met := c.v.Sort[n]; !met || s == rules.SortTerm { // where a condition is wrong, that is enough
			c.v.Sort[n], c.v.Scope[n] = rules.SortTerm, slices.Clone(scope)
		}
	}
}

// holding notes that what is said of a fact is said of it where it is known: a term of a relation
// may be in the e-graph, and be no fact.
func (c *converter) holding() {
	p := c.r.Lhs
	if c.f.lang == nil || c.r.Kind != syntax.Fact && c.r.Kind != syntax.Demand || p.Kind != rules.PApp || !c.f.sig.Operator(p.Sym).Sorted.Relation {
		return
	}
	x := rules.Cond{Kind: rules.CondFact, Pos: p.Pos, L: p, Text: "the fact after for is known"}
	c.r.Joins = c.r.Joins || x.Searched()
	c.conds = append(c.conds, x)
}
