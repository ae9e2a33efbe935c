package load

import (
	"egad/rules"
	"egad/term/ast"
	"egad/term/module"
)

// rightFunction is a function to terms that right sides may use.
type rightFunction struct {
	args    int
	left    bool // left sides may use it too
	convert func(c *converter, e *ast.Call) *rules.Pattern
}

var rightFunctions map[string]rightFunction

func (c *converter) typeOperand(e ast.Expr) *rules.TypePat {
	ta, ok := e.(*ast.TypeArg)
	if !ok {
		c.formErrorf(e.At(), "expected a type, as in @R[n] or @a for the type of a")
		return &rules.TypePat{}
	}
	return c.typePat(ta.Type)
}

func init() { // a map literal would refer to itself
	rightFunctions = map[string]rightFunction{
		"lit": {1, true, func(c *converter, e *ast.Call) *rules.Pattern {
			return &rules.Pattern{Kind: rules.PLit, Pos: e.At(), Lit: c.attr(e.Args[0], rules.SortLit)}
		}},
		"fill": {2, true, func(c *converter, e *ast.Call) *rules.Pattern {
			p := &rules.Pattern{Kind: rules.PNumber, Pos: e.At(), LitFor: c.typeOperand(e.Args[1])}
			id, named := e.Args[0].(*ast.Ident)
			switch x := e.Args[0].(type) {
			case *ast.Number:
				p.Value = x.Num
				return p
			case *ast.Ident:
				if n, ok := module.Constant(x.Name); ok {
					p.Value = n
					return p
				}
			}
			switch {
			case c.attrSort(e.Args[0]) == rules.SortLit, c.left && named && !c.sizes[id.Name]:
				p.Kind, p.Lit = rules.PLit, c.attr(e.Args[0], rules.SortLit)
			default:
				p.Kind, p.Lit = rules.PSizeVal, c.computed(e.Args[0])
			}
			return p
		}},
		"nth": {2, false, func(c *converter, e *ast.Call) *rules.Pattern {
			return &rules.Pattern{Kind: rules.PNth, Pos: e.At(), Lit: c.attr(e.Args[0], rules.SortInt),
				Kids: rules.Splice(c.list(e.Args[1]))}
		}},
		"total": {1, false, func(c *converter, e *ast.Call) *rules.Pattern {
			return &rules.Pattern{Kind: rules.PTotal, Pos: e.At(), Kids: rules.Splice(c.list(e.Args[0]))}
		}},
		"inject": {3, false, func(c *converter, e *ast.Call) *rules.Pattern {
			return &rules.Pattern{Kind: rules.PInject, Pos: e.At(), Lit: c.attr(e.Args[0], rules.SortInt),
				LitFor: c.typeOperand(e.Args[1]), X: c.term(e.Args[2])}
		}},
		"zero": {1, false, func(c *converter, e *ast.Call) *rules.Pattern {
			return &rules.Pattern{Kind: rules.PZero, Pos: e.At(), LitFor: c.typeOperand(e.Args[0])}
		}},
		"inside": {2, false, func(c *converter, e *ast.Call) *rules.Pattern {
			p := &rules.Pattern{Kind: rules.PInside, Pos: e.At(), Kids: rules.Splice(c.list(e.Args[0]))}
			c.bounds(e.Args[1], &p.X, &p.Lit)
			return p
		}},
		"place": {3, false, func(c *converter, e *ast.Call) *rules.Pattern {
			k, u, x := c.attr(e.Args[0], rules.SortSize), c.term(e.Args[1]), c.term(e.Args[2])
			if u == nil || x == nil {
				return nil
			}
			return &rules.Pattern{Kind: rules.PPlace, Pos: e.At(), Lit: k, Kids: []rules.Elem{{Kind: rules.EOne, Pat: u}}, X: x}
		}},
		"spread": {2, false, func(c *converter, e *ast.Call) *rules.Pattern {
			return &rules.Pattern{Kind: rules.PSpread, Pos: e.At(), Lit: c.attr(e.Args[0], rules.SortSizes), X: c.term(e.Args[1])}
		}},
		"digits": {2, false, func(c *converter, e *ast.Call) *rules.Pattern {
			k, n := c.attr(e.Args[0], rules.SortSize), c.attr(e.Args[1], rules.SortSize) // each one size
			return &rules.Pattern{Kind: rules.PDigits, Pos: e.At(), Lit: &rules.AttrExpr{Kind: rules.ACons, Args: []*rules.AttrExpr{k, {Kind: rules.ACons, Args: []*rules.AttrExpr{n, {Kind: rules.ANil}}}}}}
		}},
		"preimage": {3, false, func(c *converter, e *ast.Call) *rules.Pattern {
			i, u := c.indexVariable(e.Args[0]), e.Args[1]
			if i == nil {
				return nil
			}
			if t, is := u.(*ast.Ident); !is || c.v.Sort[t.Name] != rules.SortTerm {
				c.errorf(u.At(), "a preimage is that of a metavariable, as in preimage i u a")
				return nil
			}
			depth := len(c.bound)
			c.bound = append(c.bound, boundVar{i.Name, i.Name, false})
			x := c.term(u)
			c.bound = c.bound[:depth]
			return &rules.Pattern{Kind: rules.PPreimage, Pos: e.At(), X: x, Subs: []rules.Binding{{Var: i.Name, By: c.term(e.Args[2])}}}
		}},
		"multiples": {2, false, func(c *converter, e *ast.Call) *rules.Pattern {
			return &rules.Pattern{Kind: rules.PMultiples, Pos: e.At(), X: c.term(e.Args[0]), Lit: c.divisor(e.Args[1])}
		}},
		"others": {2, false, func(c *converter, e *ast.Call) *rules.Pattern {
			return &rules.Pattern{Kind: rules.POthers, Pos: e.At(), X: c.term(e.Args[0]), Lit: c.divisor(e.Args[1])}
		}},
		"ravel": {2, false, func(c *converter, e *ast.Call) *rules.Pattern {
			return &rules.Pattern{Kind: rules.PRavel, Pos: e.At(), Lit: c.attr(e.Args[0], rules.SortSizes),
				Kids: rules.Splice(c.list(e.Args[1]))}
		}},
	}
}

// divisor converts the number of which terms are multiples.
func (c *converter) divisor(e ast.Expr) *rules.AttrExpr {
	of, minus := e, false
	if u, ok := e.(*ast.Unary); ok {
		of, minus = u.X, true
	}
	if n, ok := of.(*ast.Number); ok {
		if k, whole := n.Num.Int64(); !whole || k <= 0 || minus {
			return c.noAttr(e.At(), "multiples are those of an integer above 0")
		}
	}
	return c.attr(e, rules.SortLit)
}
