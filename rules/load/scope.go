package load

import (
	"slices"

	"egad/diag"
	"egad/internal/memo"
	"egad/internal/slice"
	"egad/rules"
	"egad/term/ast"
	"egad/term/ops"
)

// called is what a sort is called: in languages sizes and literals are attributes, and these are numbers.
func (c *converter) called(s rules.Sort) string {
	if c.f.lang != nil {
		switch s {
		case rules.SortSize:
			return "a natural number"
		case rules.SortSizes:
			return "a list of natural numbers"
		case rules.SortLit:
			return "a rational number"
		}
	}
	return s.String()
}

// use notes an occurrence of a metavariable of the given sort.
func (c *converter) use(name string, sort rules.Sort, pos diag.Pos) bool {
	if c.left && !c.computing {
		c.matched[name] = true
		if sort == rules.SortSize {
			c.sizes[name] = true
		}
	}
	old, ok := c.v.Sort[name]
	switch {
	case !ok && !c.left && !(c.binding && (sort == rules.SortTerm || attribute(sort))):
		c.unbinds(name, sort, pos)
		return false
	case !ok:
		c.v.Sort[name] = sort
		c.v.Order = append(c.v.Order, name)
		c.matched[name] = c.matched[name] || c.binding
		if sort == rules.SortTerm || sort == rules.SortTerms {
			c.v.Scope[name] = c.boundNames()
		}
		return true
	case old != sort:
		c.errorf(pos, "%s is %s elsewhere and %s here", name, c.called(old), c.called(sort))
		return false
	}
	if sort == rules.SortTerm || sort == rules.SortTerms {
		in := c.boundNames()
		if c.left {
			c.v.Scope[name] = slices.DeleteFunc(c.v.Scope[name], func(s string) bool { return !slices.Contains(in, s) })
		} else {
			for _, s := range c.v.Scope[name] {
				if missed := name + " of " + s; !slices.Contains(in, s) {
					if c.missed[missed] {
						return false
					}
					memo.Set(&c.missed, missed, true)
					c.errorf(pos, "%s may mention %s, which is not bound here; add the condition: %s not in %s", name, s, s, name)
					return false
				}
			}
		}
	}
	return true
}

// unbinds says that nothing binds a name, once for a rule.
func (c *converter) unbinds(name string, sort rules.Sort, pos diag.Pos) {
	if c.missed[name] {
		return
	}
	memo.Set(&c.missed, name, true)
	known := slices.Concat(c.v.Order, slice.Map(c.bound, func(b boundVar) string { return b.name }))
	text := "%s is not bound by the left side%s"
	if c.f.lang != nil {
		_, declared := c.f.sig.Lookup(name)
		switch {
		case c.inTest && attribute(sort):
			c.errorf(pos, "expected %s", c.called(sort))
			return
		case declared:
			c.errorf(pos, "%s is declared as a symbol or an operator: a metavariable for an attribute needs another name", name)
			return
		case c.inTest:
			c.unknown(pos, name)
			return
		}
		text, known = "%s is no symbol and does not occur on the left%s", append(known, c.f.operatorNames()...)
		if c.inCondition {
			text = "%s is no symbol, and nothing binds it: the left side does, or after if a fact, but of !=, or an equation of terms%s"
		}
	}
	c.errorf(pos, text, name, diag.DidYouMean(name, known))
}

// attribute reports whether a metavariable of a sort stands for an attribute of an operator of a language.
func attribute(s rules.Sort) bool {
	return s == rules.SortSize || s == rules.SortSizes || s == rules.SortPerm || s == rules.SortLit
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

// lambda converts the function argument of a binding operator.
func (c *converter) lambda(p *rules.Pattern, e ast.Expr, f ops.FormArg) {
	list, params := f == ops.FormIx, 1
	if f == ops.FormStep {
		params = 2
	}
	l, ok := e.(*ast.Lambda)
	if !ok || len(l.Params) != params {
		c.errorf(e.At(), "expected a function, as in %s", map[ops.FormArg]string{ops.FormBody: "\\i -> t", ops.FormIx: "\\is -> ix", ops.FormStep: "\\i s -> t"}[f])
		return
	}
	b := &rules.BinderList{}
	pat := l.Params[0]
	if f == ops.FormStep {
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
			c.errorf(pat.Pos, "%s is %s elsewhere on the left side", name, c.called(old))
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
