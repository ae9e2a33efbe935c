package load

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"egad/diag"
	"egad/internal/memo"
	"egad/internal/slice"
	"egad/rules"
	"egad/term/ast"
	"egad/term/ops"
)

// form converts a term of a language: each form is an operator with its operands.
func (c *converter) form(e ast.Expr) *rules.Pattern {
	switch e := e.(type) {
	case *ast.Ident:
		return c.named(e)
	case *ast.Number:
		return &rules.Pattern{Kind: rules.PNumber, Pos: e.At(), Value: e.Num}
	case *ast.Bool:
		return c.operation(e.At(), e.At(), strconv.FormatBool(e.Value), nil)
	case *ast.Binary:
		return c.operation(e.At(), e.OpAt, e.Op, nil, e.L, e.R)
	case *ast.Unary:
		return c.operation(e.At(), e.At(), "neg", nil, e.X)
	case *ast.If:
		return c.operation(e.At(), e.At(), "if", nil, e.Cond, e.Then, e.Else)
	case *ast.Let:
		return c.operation(e.At(), e.At(), "let", nil, e.Bound, &ast.Lambda{Params: []ast.Pattern{e.Pat}, Body: e.Body})
	case *ast.IndexExpr:
		return c.applied(e, e, nil)
	case *ast.Call:
		return c.applied(e, e.Fn, e.Args)
	case *ast.SubstExpr:
		return c.replaced(e)
	case *ast.OpVar:
		if name := "?" + e.Name; !c.missed[name] {
			memo.Set(&c.missed, name, true)
			c.formErrorf(e.At(), "%s is an operator, and lacks its operands: a metavariable for a term is called %s", name, e.Name)
		}
		return nil
	case *ast.Lambda:
		c.formErrorf(e.At(), "a function stands where an operator binds variables only")
		return nil
	}
	c.formErrorf(e.At(), "this form is for arrays: a term is a name, a number, or an operator with its operands")
	return nil
}

// replaced converts t[x := u].
func (c *converter) replaced(e *ast.SubstExpr) *rules.Pattern {
	switch {
	case c.inTest || c.inCondition:
		c.formErrorf(e.At(), "a substitution is for right sides of rules")
	case c.left:
		c.rightOnly(e)
	default:
		return c.subst(e)
	}
	return nil
}

// applied converts an operator or an operator variable, perhaps with attributes, with its
// operands.
func (c *converter) applied(e, fn ast.Expr, args []ast.Expr) *rules.Pattern {
	var attrs []ast.Expr
	if x, ok := fn.(*ast.IndexExpr); ok {
		fn, attrs = x.Array, x.Ix
	}
	switch id := fn.(type) {
	case *ast.OpVar:
		return c.chosen(e, id, attrs, args)
	case *ast.Ident:
		if _, bound := c.isBound(id.Name); !bound {
			return c.operation(e.At(), id.At(), id.Name, attrs, args...)
		}
		c.formErrorf(id.At(), "%s is a variable, and is not applied", id.Name)
	default:
		c.formErrorf(fn.At(), "an operator is a name, and stands before its operands")
	}
	return nil
}

// named converts what stands by itself: a variable, a symbol, or a metavariable, which
// is any other name. On a right side, and in a condition, a number among the attributes is a
// term, too.
func (c *converter) named(e *ast.Ident) *rules.Pattern {
	if b, ok := c.isBound(e.Name); ok {
		if c.v.Sort[b.is] == rules.SortTerm && c.v.Variable[b.is] {
			return &rules.Pattern{Kind: rules.PMeta, Pos: e.At(), Name: b.is} // the variable that it stands for
		}
		return &rules.Pattern{Kind: rules.PIvar, Pos: e.At(), Name: b.is}
	}
	if _, ok := c.f.sig.Lookup(e.Name); ok {
		return c.operation(e.At(), e.At(), e.Name, nil)
	}
	if n, known := c.lens[e.Name]; known && c.copy > 0 && c.copy <= n {
		return c.meta(&rules.Pattern{Pos: e.At(), Name: fmt.Sprintf("%s.%d", e.Name, c.copy)})
	}
	if s := c.v.Sort[e.Name]; !c.left && s == rules.SortSize {
		return &rules.Pattern{Kind: rules.PSizeVal, Pos: e.At(), Lit: c.computed(e)}
	} else if !c.left && s == rules.SortLit {
		return &rules.Pattern{Kind: rules.PLit, Pos: e.At(), Lit: c.attr(e, s)}
	}
	if c.inTest {
		c.unknown(e.At(), e.Name)
		return nil
	}
	if e.Name == position {
		if !c.isPlace(e) {
			return nil
		}
		return &rules.Pattern{Kind: rules.PSizeVal, Pos: e.At(), Lit: c.computed(e)}
	}
	if sort, met := c.v.Sort[e.Name]; met && sort == rules.SortIndex {
		c.errorf(e.At(), "the variable %s is not in scope here", e.Name)
		return nil
	}
	return c.meta(&rules.Pattern{Pos: e.At(), Name: e.Name})
}

// operation converts an operator with its attributes and operands. Operands under the
// variables that it binds are functions of these, as in lam (\x -> x); the others are terms.
func (c *converter) operation(pos, at diag.Pos, name string, attrs []ast.Expr, args ...ast.Expr) *rules.Pattern {
	o, known := c.f.sig.Lookup(name)
	if !known {
		c.unknown(at, name)
		c.inner(args)
		return nil
	}
	d := o.Sorted
	all, open, ok := c.listed(d, args)
	if !ok {
		return nil
	}
	if !open && !d.Takes(len(all)) {
		want := operands(len(d.Children))
		if d.List() {
			want = operands(len(d.Children)-1) + " or more"
		}
		c.formErrorf(pos, "%s has %s, not %d", d.Name, want, len(all))
		c.inner(args)
		return nil
	}
	// Where a sort is not known there has been a finding.
	p := &rules.Pattern{Kind: rules.PApp, Pos: pos, Sym: o.Sym}
	whole := c.attributes(p, d, attrs) && d.Known()
	for i, o := range all {
		x, depth, outer := o.expr, len(c.bound), c.copy
		if o.list && !d.Child(i).List {
			c.formErrorf(x.At(), "%s has a term here, and no list", d.Name)
			whole = false
			continue
		}
		c.copy = cmp.Or(o.copy, outer)
		if d.Child(i).Under {
			f, is := x.(*ast.Lambda)
			if !is || len(f.Params) != len(d.Binders) {
				c.formErrorf(x.At(), "%s binds %s here: write \\%s -> …", d.Name, diag.Count(len(d.Binders), "variable"), strings.Join(d.Variables(), " "))
				whole = false
				continue
			}
			whole = c.variables(p, f.Params) && whole
			x = f.Body
		}
		k := rules.Elem{}
		if o.list {
			k = c.spread(x)
			whole = whole && k.Kind != rules.EOne
		} else {
			k.Pat = c.term(x)
			whole = whole && k.Pat != nil
		}
		c.bound, c.copy = c.bound[:depth], outer
		p.Kids = append(p.Kids, k)
	}
	if !whole {
		return nil
	}
	return p
}

// attributes converts the attributes of an operator. It is false if there are others than
// it has.
func (c *converter) attributes(p *rules.Pattern, d *ops.Sorted, es []ast.Expr) bool {
	kinds, ok := d.AttrKinds(len(es))
	if !ok {
		have := diag.Count(len(d.Attrs), "attribute")
		if slices.ContainsFunc(d.Attrs, func(a ops.Attr) bool { return a.Kind == ops.AttrNaturals }) {
			have = diag.Count(len(d.Attrs)-1, "attribute") + " or more"
		}
		c.formErrorf(p.Pos, "%s has %s, not %d: write %s", d.Name, have, len(es), d.Head())
		return false
	}
	before := len(*c.f.errs)
	var sizes []ast.Expr
	for i, e := range es {
		switch kinds[i] {
		case ops.AttrNaturals:
			sizes = append(sizes, e)
		case ops.AttrNatural:
			if s, ok := e.(*ast.Spread); ok {
				c.formErrorf(s.At(), "an attribute of %s is a number here, and no list: write %s", d.Name, d.Head())
			} else {
				sizes = append(sizes, e)
			}
		case ops.AttrNumber:
			p.Attrs.Lit = c.attr(e, rules.SortLit)
		case ops.AttrPerm:
			p.Attrs.Perm = c.attr(e, rules.SortPerm)
		}
	}
	if d.Naturals() {
		p.Attrs.Sizes = c.sizeList(sizes...)
	}
	return len(*c.f.errs) == before
}

func (c *converter) unknown(pos diag.Pos, name string) {
	names := append(c.f.operatorNames(), slice.Map(c.bound, func(b boundVar) string { return b.name })...)
	c.formErrorf(pos, "there is no symbol or operator %s%s", name, diag.DidYouMean(name, names))
}

// variables brings the parameters of a function into scope. Those of the first function
// are what the operator binds, and those of others are other names for them.
func (c *converter) variables(p *rules.Pattern, params []ast.Pattern) bool {
	first := p.Binders == nil
	if first {
		p.Binders = &rules.BinderList{}
	}
	ok := true
	for _, x := range params {
		if x.Kind != ast.PatName {
			c.formErrorf(x.Pos, "expected the name of a variable")
			ok = false
		} else if first {
			ok = c.binder(x) && ok
		}
	}
	for i, x := range params {
		if first {
			p.Binders.Heads = append(p.Binders.Heads, x.Name)
		}
		c.bound = append(c.bound, boundVar{name: x.Name, is: p.Binders.Heads[i]})
	}
	return ok
}

// binder notes a variable that an operator binds. Where a left side binds one name in several
// places, these are one variable. On a right side it may be a metavariable that stands for a
// variable, which is then bound.
func (c *converter) binder(x ast.Pattern) bool {
	sort, met := c.v.Sort[x.Name]
	switch {
	case met && sort == rules.SortTerm && c.v.Variable[x.Name] && !c.left:
	case c.inTest:
	case met && sort != rules.SortIndex:
		c.errorf(x.Pos, "%s is %s on the left side", x.Name, sort)
		return false
	case c.left:
		if _, inside := c.isBound(x.Name); inside {
			c.errorf(x.Pos, "%s is bound inside of what binds it; use different names", x.Name)
			return false
		}
		if !met {
			c.v.Sort[x.Name] = rules.SortIndex
			c.v.Order = append(c.v.Order, x.Name)
		}
	}
	return true
}

// operatorNames are the names of the operators of a language that may have been meant, as long as
// somebody reads it.
func (f *fileParser) operatorNames() []string {
	if f.errs.Full() {
		return nil
	}
	out := slice.Map(f.lang.Operators, func(o *ops.Operator) string { return o.Name })
	slices.Sort(out)
	return out
}

func operands(n int) string { return diag.Count(n, "operand") }
