package load

import (
	"egad/internal/slice"
	"egad/rules"
	"egad/rules/syntax"
	"egad/term/ops"
)

// guard is the truth value that all of some conditions hold, nil if there are none.
func (c *converter) guard(conds []syntax.Cond) *rules.Pattern {
	c.conditions(conds)
	var all *rules.Pattern
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
			one = operation(ops.SymAnd, all, one)
		}
		all = one
	}
	c.conds = nil
	return all
}

// test is the truth value that a condition holds, nil if there is none.
func (c *converter) test(k *rules.Cond) *rules.Pattern {
	switch {
	case k.Kind == rules.CondInside && k.Op == "inside":
		return &rules.Pattern{Kind: rules.PInside, Pos: k.Pos, Kids: rules.Splice(k.Ix), X: k.Of, Lit: k.Sizes}
	case k.Kind != rules.CondOrder:
		return nil
	case k.Op == "<":
		return operation(ops.SymLt, k.L, k.R)
	case k.Op == "<=":
		return operation(ops.SymLe, k.L, k.R)
	}
	return operation(ops.SymNot, operation(ops.SymEq, k.L, k.R))
}

// operation is an operator applied to operands, where the first of them stands.
func operation(sym ops.Sym, operands ...*rules.Pattern) *rules.Pattern {
	kids := slice.Map(operands, func(o *rules.Pattern) rules.Elem { return rules.Elem{Pat: o} })
	return &rules.Pattern{Kind: rules.PApp, Sym: sym, Pos: operands[0].Pos, Kids: kids}
}

// hidden is a metavariable in a pattern that may mention index variables, "" if there
// is none.
func (c *converter) hidden(p *rules.Pattern) string {
	for q := range p.All() {
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
