package rules

import (
	"slices"
	"strconv"
	"strings"

	"egad/diag"
	"egad/term"
)

// form converts a term of a language: each form is an operator with its operands.
func (c *converter) form(e term.Expr) *Pattern {
	switch e := e.(type) {
	case *term.Ident:
		return c.named(e)
	case *term.Number:
		return &Pattern{Kind: PNumber, Pos: e.At(), Value: e.Num}
	case *term.Bool:
		return c.operation(e.At(), e.At(), strconv.FormatBool(e.Value))
	case *term.Binary:
		return c.operation(e.At(), e.OpAt, e.Op, e.L, e.R)
	case *term.Unary:
		return c.operation(e.At(), e.At(), "neg", e.X)
	case *term.If:
		return c.operation(e.At(), e.At(), "if", e.Cond, e.Then, e.Else)
	case *term.Let:
		return c.operation(e.At(), e.At(), "let", e.Bound, &term.Lambda{Params: []term.Pattern{e.Pat}, Body: e.Body})
	case *term.Call:
		if v, ok := e.Fn.(*term.OpVar); ok {
			return c.chosen(e, v)
		}
		id, ok := e.Fn.(*term.Ident)
		if !ok {
			c.formErrorf(e.Fn.At(), "an operator is a name, and stands before its operands")
			return nil
		}
		if _, bound := c.isBound(id.Name); bound {
			c.formErrorf(id.At(), "%s is a variable, and is not applied", id.Name)
			return nil
		}
		args, ok := c.spread(e.Args)
		if !ok {
			return nil
		}
		return c.operation(e.At(), id.At(), id.Name, args...)
	case *term.Lambda:
		c.formErrorf(e.At(), "a function stands where an operator binds variables only")
		return nil
	}
	c.formErrorf(e.At(), "this form is for arrays: a term is a name, a number, or an operator with its operands")
	return nil
}

// named converts what stands by itself: a variable, a symbol, or a metavariable, which
// is any other name.
func (c *converter) named(e *term.Ident) *Pattern {
	if b, ok := c.isBound(e.Name); ok {
		if c.v.sort[b.is] == SortTerm && c.v.variable[b.is] {
			return &Pattern{Kind: PMeta, Pos: e.At(), Name: b.is} // the variable that it stands for
		}
		return &Pattern{Kind: PIvar, Pos: e.At(), Name: b.is}
	}
	if _, ok := c.f.sig.Lookup(e.Name); ok {
		return c.operation(e.At(), e.At(), e.Name)
	}
	if c.inTest {
		c.unknown(e.At(), e.Name)
		return nil
	}
	if sort, met := c.v.sort[e.Name]; met && sort == SortIndex {
		c.errorf(e.At(), "the variable %s is not in scope here", e.Name)
		return nil
	}
	if !c.use(e.Name, SortTerm, e.At()) {
		return nil
	}
	return &Pattern{Kind: PMeta, Pos: e.At(), Name: e.Name}
}

// operation converts an operator with its operands. Those under the variables that it
// binds are functions of these, as in lam (\x -> x); the others are terms.
func (c *converter) operation(pos, at diag.Pos, name string, args ...term.Expr) *Pattern {
	o, known := c.f.sig.Lookup(name)
	if !known {
		c.unknown(at, name)
		c.inner(args)
		return nil
	}
	d := o.Sorted
	if len(args) != len(d.Children) {
		c.formErrorf(pos, "%s has %s, not %d", d.Name, operands(len(d.Children)), len(args))
		c.inner(args)
		return nil
	}
	// Where a sort is not known there has been a finding.
	p, whole := &Pattern{Kind: PApp, Pos: pos, Sym: o.Sym}, d.Known()
	for i, x := range args {
		depth := len(c.bound)
		if d.Children[i].Under {
			f, is := x.(*term.Lambda)
			if !is || len(f.Params) != len(d.Binders) {
				c.formErrorf(x.At(), "%s binds %s here: write \\%s -> …", d.Name, diag.Count(len(d.Binders), "variable"), strings.Join(d.Variables(), " "))
				whole = false
				continue
			}
			whole = c.variables(p, f.Params) && whole
			x = f.Body
		}
		k := c.term(x)
		c.bound = c.bound[:depth]
		whole = whole && k != nil
		p.Kids = append(p.Kids, Elem{Pat: k})
	}
	if !whole {
		return nil
	}
	return p
}

func (c *converter) unknown(pos diag.Pos, name string) {
	names := c.f.operatorNames()
	for _, b := range c.bound {
		names = append(names, b.name)
	}
	c.formErrorf(pos, "there is no symbol or operator %s%s", name, diag.DidYouMean(name, names))
}

// variables brings the parameters of a function into scope. Those of the first function
// are what the operator binds, and those of others are other names for them.
func (c *converter) variables(p *Pattern, params []term.Pattern) bool {
	first := p.Binders == nil
	if first {
		p.Binders = &BinderList{}
	}
	for i, x := range params {
		if x.Kind != term.PatName {
			c.formErrorf(x.Pos, "expected the name of a variable")
			return false
		}
		if first {
			if !c.binder(x) {
				return false
			}
			p.Binders.Heads = append(p.Binders.Heads, x.Name)
		}
		c.bound = append(c.bound, boundVar{name: x.Name, is: p.Binders.Heads[i]})
	}
	return true
}

// binder notes a variable that an operator binds. On a right side it may be a
// metavariable that stands for a variable, which is then bound.
func (c *converter) binder(x term.Pattern) bool {
	sort, met := c.v.sort[x.Name]
	switch {
	case met && sort == SortTerm && c.v.variable[x.Name] && !c.left:
	case c.inTest:
	case met && sort != SortIndex:
		c.errorf(x.Pos, "%s is %s on the left side", x.Name, sort)
		return false
	case met && c.left:
		c.errorf(x.Pos, "%s is bound twice on the left: give the variables different names", x.Name)
		return false
	case !met && c.left:
		c.v.sort[x.Name] = SortIndex
		c.v.order = append(c.v.order, x.Name)
	}
	return true
}

// operatorNames are the names of the operators of a language.
func (f *fileParser) operatorNames() []string {
	var out []string
	for _, o := range f.lang.Operators {
		out = append(out, o.Name)
	}
	slices.Sort(out)
	return out
}

// SortName is a sort in messages.
func SortName(t *term.Type) string {
	if t.Kind == term.KArray {
		return "fact"
	}
	return t.Name
}

func operands(n int) string { return diag.Count(n, "operand") }
