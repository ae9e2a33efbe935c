package load

import (
	"slices"

	"egad/rules"
	"egad/term/ast"
)

// subst converts t[i := u] in the place of a term, where t is a metavariable or one of a list: what
// a rule makes may be in a class with other terms, of which a proof could not speak.
func (c *converter) subst(e *ast.SubstExpr) *rules.Pattern {
	c.rightOnly(e)
	if t, is := e.X.(*ast.Ident); !is || c.v.Sort[t.Name] != rules.SortTerm && c.v.Sort[t.Name] != rules.SortTerms {
		c.errorf(e.X.At(), "variables are replaced in a metavariable, as in t[x := u]")
		return nil
	}
	undo := c.bindSubst(e)
	x := c.term(e.X)
	undo()
	return &rules.Pattern{Kind: rules.PSubst, Pos: e.At(), X: x, Subs: c.bindings(e)}
}

// bindSubst brings the variables of a substitution into scope.
func (c *converter) bindSubst(e *ast.SubstExpr) (undo func()) {
	depth := len(c.bound)
	for _, v := range e.Vars {
		c.bound = append(c.bound, boundVar{v.Name, v.Name, c.v.Sort[v.Name] == rules.SortIndices})
	}
	return func() { c.bound = c.bound[:depth] }
}

func (c *converter) bindings(e *ast.SubstExpr) []rules.Binding {
	var out []rules.Binding
	for i, v := range e.Vars {
		switch s := c.v.Sort[v.Name]; {
		case s == rules.SortIndices:
			out = append(out, rules.Binding{Var: v.Name, List: true, ByL: c.list(e.By[i])})
		case s == rules.SortIndex || s == rules.SortState || slices.Contains(c.lets, v.Name):
			out = append(out, rules.Binding{Var: v.Name, By: c.term(e.By[i])})
		default:
			c.errorf(v.At(), "%s is not a variable bound on the left side", v.Name)
		}
	}
	return out
}

// let converts let x = v in t; such rules hold by sharing and are only tested.
func (c *converter) let(e *ast.Let) *rules.Pattern {
	if e.Pat.Kind != ast.PatName {
		c.errorf(e.Pat.Pos, "let binds a name in a rule")
		return nil
	}
	p := &rules.Pattern{Kind: rules.PLet, Pos: e.At(), Name: e.Pat.Name}
	p.Bound = c.term(e.Bound)
	c.lets = append(c.lets, e.Pat.Name)
	c.v.Lets = append(c.v.Lets, e.Pat.Name)
	c.bound = append(c.bound, boundVar{e.Pat.Name, e.Pat.Name, false})
	p.Body = c.term(e.Body)
	c.bound = c.bound[:len(c.bound)-1]
	if p.Bound == nil || p.Body == nil {
		return nil
	}
	return p
}
