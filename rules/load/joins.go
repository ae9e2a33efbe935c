package load

import (
	"slices"

	"egad/rules"
	"egad/rules/syntax"
	"egad/term/ast"
)

// joins converts the conditions of a rule of a language that bind metavariables, with all that
// can be looked for in the same way: facts and equations. Each comes after one that binds
// something in it, as far as there is one. It returns the other conditions.
func (c *converter) joins(ks []syntax.Cond) (rest []syntax.Cond) {
	var open []syntax.Cond
	binds := false
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
		i := slices.IndexFunc(open, func(k syntax.Cond) bool { return len(c.unbound(&k)) == 0 })
		if i < 0 {
			i = slices.IndexFunc(open, func(k syntax.Cond) bool { return len(c.unbound(&k)) < len(c.names(&k)) })
		}
		if i < 0 {
			i = slices.IndexFunc(open, func(k syntax.Cond) bool { return !isName(k.A) || k.B != nil && !isName(k.B) })
		}
		if i < 0 {
			return append(rest, open...)
		}
		c.join(&open[i])
		open = slices.Delete(open, i, i+1)
	}
	return rest
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
			if _, operator := c.f.sig.Lookup(n); !operator {
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
			c.errorf(k.Pos, "a condition with a function, an attribute or a list binds no metavariable, and nothing else binds %s", unbound[0])
		}
	}
	for _, n := range unbound { // where a condition is wrong, that is enough
		c.v.Sort[n], c.v.Scope[n] = rules.SortTerm, slices.Clone(scope)
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
