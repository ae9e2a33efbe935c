package rules

import (
	"egad/internal/slice"
	"egad/rules/syntax"
	"egad/term"
)

// guard is the truth value that all of some conditions hold, nil if there are none.
func (c *converter) guard(conds []syntax.Cond) *Pattern {
	c.conditions(conds)
	var all *Pattern
	for i := range c.conds {
		k := &c.conds[i]
		one := c.test(k)
		if one == nil {
			c.errorf(k.Pos, "a guard compares numbers, or says that indices are inside: only that can be tested")
			break
		}
		if v := c.hidden(one); v != "" {
			c.errorf(k.Pos, "%s may mention an index variable that is not bound outside of what binds it", v)
		}
		if all != nil {
			one = operation(term.SymAnd, all, one)
		}
		all = one
	}
	c.conds = nil
	return all
}

// test is the truth value that a condition holds, nil if there is none.
func (c *converter) test(k *Cond) *Pattern {
	switch {
	case k.Kind == CondInside && k.Op == "inside":
		return &Pattern{Kind: PInside, Pos: k.Pos, Kids: Splice(k.Ix), X: k.Of, Lit: k.Sizes}
	case k.Kind != CondOrder:
		return nil
	case k.Op == "<":
		return operation(term.SymLt, k.L, k.R)
	case k.Op == "<=":
		return operation(term.SymLe, k.L, k.R)
	}
	return operation(term.SymNot, operation(term.SymEq, k.L, k.R))
}

// operation is an operator applied to operands, where the first of them stands.
func operation(sym term.Sym, operands ...*Pattern) *Pattern {
	kids := slice.Map(operands, func(o *Pattern) Elem { return Elem{Pat: o} })
	return &Pattern{Kind: PApp, Sym: sym, Pos: operands[0].Pos, Kids: kids}
}

// hidden is a metavariable in a pattern that may mention index variables, "" if there
// is none.
func (c *converter) hidden(p *Pattern) string {
	for q := range p.all() {
		names := []string{q.Name}
		for _, e := range q.Kids {
			if e.List != nil {
				names = append(names, e.List.Name)
			}
		}
		for _, n := range names {
			if len(c.v.Scope[n]) > 0 {
				return n
			}
		}
	}
	return ""
}
