package load

import (
	"maps"
	"slices"

	"egad/diag"
	"egad/internal/slice"
	"egad/rules"
	"egad/term/ast"
	"egad/term/module"
	"egad/term/ops"
)

// call converts a function call: an operator, an operator variable, or one of
// the functions of right sides.
func (c *converter) call(e *ast.Call) *rules.Pattern {
	p := &rules.Pattern{Kind: rules.PApp, Pos: e.At()}
	if e = c.member(e); e == nil {
		return nil
	}
	if op, ok := e.Fn.(*ast.OpVar); ok {
		c.use(op.Name, rules.SortOp, op.At())
		p.Name = op.Name
		p.Kids = c.elems(e.Args)
		return p
	}
	id, ok := e.Fn.(*ast.Ident)
	if !ok {
		c.formErrorf(e.Fn.At(), "only an operator can be applied in a rule")
		return nil
	}
	if f, ok := rightFunctions[id.Name]; ok {
		if len(e.Args) != f.args {
			c.formErrorf(e.At(), "%s takes %s, not %d", id.Name, diag.Count(f.args, "argument"), len(e.Args))
			c.inner(e.Args)
			return nil
		}
		if !f.left {
			c.rightOnly(e)
		}
		return f.convert(c, e)
	}
	if f, ok := rules.AttrFunctions[id.Name]; ok && f.Result == rules.SortSize || id.Name == "len" {
		return &rules.Pattern{Kind: rules.PSizeVal, Pos: e.At(), Lit: c.computed(e)}
	}
	o, args := c.f.sig.Called(e)
	if o == nil {
		name, pos := id.Name, id.At()
		if name == ops.Lmap && len(e.Args) > 0 {
			name, pos = "", e.Args[0].At()
			if of, ok := e.Args[0].(*ast.Ident); ok {
				name = of.Name
			}
			if _, _, known := c.f.sig.Form(name); known || name == "" {
				c.formErrorf(pos, "lmap is followed by a linear operator, as in lmap sum @s")
				return nil
			}
		}
		if module.InPrelude(name) {
			c.formErrorf(pos, "%s is a definition of the prelude, and rules are about operators: write what it means", name)
		} else {
			c.formErrorf(pos, "unknown operator %s%s", name, diag.DidYouMean(name, c.operatorNames()))
		}
		c.inner(e.Args)
		return nil
	}
	p.Sym = o.Sym
	form := o.Form()
	if len(form) == 1 && form[0] == ops.FormRest {
		p.Kids = c.elems(args)
		return p
	}
	// The type of a linear map may be left out on a left side.
	if c.left && len(args) < len(form) && slices.Contains(form, ops.FormType) {
		p.Implicit = true
		form = slices.DeleteFunc(slices.Clone(form), func(f ops.FormArg) bool {
			return f == ops.FormType || f == ops.FormType2
		})
	}
	if len(args) != len(form) {
		c.formErrorf(e.At(), "%s takes %s, not %d", o.Name, diag.Count(len(form), "argument"), len(args))
		c.inner(args)
		return nil
	}
	for i, f := range form {
		c.argument(p, f, args[i])
	}
	return p
}

// inner looks for what is wrong in the arguments of something that is wrong itself.
func (c *converter) inner(args []ast.Expr) {
	outer := c.broken
	c.broken = true
	for _, a := range args {
		if call, ok := a.(*ast.Call); ok {
			c.term(call)
		}
	}
	c.broken = outer
}

func (c *converter) operatorNames() []string {
	out := slice.Map(c.f.sig.All(), func(o *ops.Operator) string { return o.Name })
	return slices.AppendSeq(out, maps.Keys(rightFunctions))
}

func (c *converter) argument(p *rules.Pattern, f ops.FormArg, e ast.Expr) {
	switch f {
	case ops.FormValue, ops.FormCount:
		p.Kids = append(p.Kids, c.elem(e))
	case ops.FormSize:
		p.Attrs.Sizes = c.single(e)
	case ops.FormSizes:
		if _, list := e.(*ast.ListLit); list {
			p.Attrs.Sizes = c.attr(e, rules.SortSizes)
		} else {
			p.Attrs.Sizes = c.single(e)
		}
	case ops.FormShape:
		p.Attrs.Sizes = c.attr(e, rules.SortSizes)
	case ops.FormTo:
		p.Attrs.Targets = c.attr(e, rules.SortSizes)
	case ops.FormPerm:
		p.Attrs.Perm = c.attr(e, rules.SortPerm)
	case ops.FormInt:
		p.Attrs.N = c.attr(e, rules.SortInt)
	case ops.FormType, ops.FormType2:
		ta, ok := e.(*ast.TypeArg)
		if !ok {
			c.errorf(e.At(), "expected a type, as in @R[n]")
			return
		}
		if f == ops.FormType {
			p.Attrs.Type = c.typePat(ta.Type)
		} else {
			p.Attrs.Type2 = c.typePat(ta.Type)
		}
	case ops.FormList:
		p.Kids = append(p.Kids, rules.Elem{Kind: rules.ESplice, List: c.list(e)})
	case ops.FormBody, ops.FormIx, ops.FormStep:
		c.lambda(p, e, f)
	}
}

// single is one size as a list of sizes.
func (c *converter) single(e ast.Expr) *rules.AttrExpr {
	return &rules.AttrExpr{Kind: rules.ACons, Args: []*rules.AttrExpr{c.attr(e, rules.SortSize), {Kind: rules.ANil}}}
}
