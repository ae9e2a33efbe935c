package load

import (
	"egad/rules"
	"egad/term"
	"egad/term/ast"
)

// lambda converts the function argument of a binding operator.
func (c *converter) lambda(p *rules.Pattern, e ast.Expr, f term.FormArg) {
	list, params := f == term.FormIx, 1
	if f == term.FormStep {
		params = 2
	}
	l, ok := e.(*ast.Lambda)
	if !ok || len(l.Params) != params {
		c.errorf(e.At(), "expected a function, as in %s", map[term.FormArg]string{term.FormBody: "\\i -> t", term.FormIx: "\\is -> ix", term.FormStep: "\\i s -> t"}[f])
		return
	}
	b := &rules.BinderList{}
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
	bind := func(name string, sort rules.Sort) {
		if _, inside := c.isBound(name); inside && c.left {
			c.errorf(pat.Pos, "%s is bound inside of what binds it; use different names", name)
		} else if _, dup := c.v.Sort[name]; !dup && c.left {
			c.v.Sort[name] = sort
			c.v.Order = append(c.v.Order, name)
		} else if old, ok := c.v.Sort[name]; ok && old != sort {
			c.errorf(pat.Pos, "%s is %s elsewhere on the left side", name, old)
		}
		c.bound = append(c.bound, boundVar{name, name, sort == rules.SortIndices})
	}
	for _, h := range b.Heads {
		bind(h, rules.SortIndex)
	}
	if b.Rest != "" {
		bind(b.Rest, rules.SortIndices)
	}
	if b.State != "" {
		bind(b.State, rules.SortState)
	}
	if list {
		p.Kids = append(p.Kids, rules.Elem{Kind: rules.ESplice, List: c.list(l.Body)})
	} else {
		p.Kids = append(p.Kids, c.elem(l.Body))
	}
	c.bound = c.bound[:depth]
}
