package load

import (
	"maps"
	"slices"

	"egad/diag"
	"egad/internal/slice"
	"egad/rules"
	"egad/term/ast"
	"egad/term/module"
	"egad/term/numeric"
	"egad/term/ops"
	"egad/term/size"
	"egad/term/types"
)

// maxNatural bounds the sizes and other natural numbers that are written.
const maxNatural = 1 << 40

// noAttr reports what is wrong with an attribute.
func (c *converter) noAttr(at diag.Pos, format string, args ...any) *rules.AttrExpr {
	c.errorf(at, format, args...)
	return &rules.AttrExpr{}
}

// attr converts an expression that stands for a static attribute.
func (c *converter) attr(e ast.Expr, sort rules.Sort) *rules.AttrExpr {
	switch e := e.(type) {
	case *ast.Ident:
		if s := c.v.Sort[e.Name]; sort == rules.SortLit && (s == rules.SortSize || s == rules.SortInt) {
			return &rules.AttrExpr{Kind: rules.ALitOf, Args: []*rules.AttrExpr{c.attr(e, s)}}
		}
		if n, ok := module.Constant(e.Name); ok && sort == rules.SortLit && c.f.lang == nil {
			return &rules.AttrExpr{Kind: rules.ALit, Lit: n}
		}
		if _, bound := c.isBound(e.Name); bound {
			return c.noAttr(e.At(), "%s is an index variable, and %s is needed here", e.Name, sort)
		}
		if e.Name == position && (sort == rules.SortInt || sort == rules.SortSize && c.f.lang != nil) {
			c.isPlace(e) // or it is an error
			return &rules.AttrExpr{Kind: rules.APosition, Sort: sort}
		}
		if c.f.lang != nil && sort == rules.SortInt && c.v.Sort[e.Name] == rules.SortSize {
			sort = rules.SortSize // in a language both are natural numbers
		}
		c.use(e.Name, sort, e.At())
		return &rules.AttrExpr{Kind: rules.AVar, Name: e.Name, Sort: sort}
	case *ast.Unary:
		if sort == rules.SortLit { // 0 - x
			if c.left {
				c.arithmetic(e.At(), "number")
			}
			return &rules.AttrExpr{Kind: rules.AFun, Name: "-", Args: []*rules.AttrExpr{{Kind: rules.ALit, Lit: numeric.Int(0)}, c.attr(e.X, rules.SortLit)}}
		}
	case *ast.Number:
		if sort == rules.SortLit && (!c.left || c.f.lang != nil) {
			return &rules.AttrExpr{Kind: rules.ALit, Lit: e.Num}
		}
		n := e.Num.Rat()
		if e.Real || !n.IsInt() || n.Sign() < 0 || sort != rules.SortSize && sort != rules.SortInt {
			break
		}
		if !n.Num().IsInt64() || n.Num().Int64() > maxNatural {
			return c.noAttr(e.At(), "expected a number from 0 to %d", maxNatural)
		}
		if sort == rules.SortSize {
			return &rules.AttrExpr{Kind: rules.ASize, Size: size.Const(n.Num().Int64())}
		}
		return &rules.AttrExpr{Kind: rules.AInt, Int: int(n.Num().Int64())}
	case *ast.ListLit:
		return c.attrList(e, sort)
	case *ast.OpVar:
		if sort == rules.SortOp {
			c.use(e.Name, rules.SortOp, e.At())
			return &rules.AttrExpr{Kind: rules.AVar, Name: e.Name, Sort: rules.SortOp}
		}
	case *ast.Binary:
		return c.attrBinary(e, sort)
	case *ast.Call:
		return c.attrCall(e, sort)
	}
	return c.noAttr(e.At(), "expected %s", c.called(sort))
}

func (c *converter) attrList(e *ast.ListLit, sort rules.Sort) *rules.AttrExpr {
	switch sort {
	case rules.SortPerm:
		a := &rules.AttrExpr{Kind: rules.APerm}
		for _, x := range e.Elems {
			n, ok := x.(*ast.Number)
			if !ok || n.Real || n.Num.Sign() < 0 || !n.Num.Rat().Num().IsInt64() || n.Num.Rat().Num().Int64() > 100 {
				return c.noAttr(x.At(), "a permutation lists axes, as in [1, 0]")
			}
			a.Perm = append(a.Perm, int(n.Num.Rat().Num().Int64()))
		}
		if !ops.IsPerm(a.Perm) {
			c.errorf(e.At(), "%v is not a permutation", a.Perm)
		}
		return a
	case rules.SortSizes:
		return c.sizeList(e.Elems...)
	}
	return c.noAttr(e.At(), "expected %s", c.called(sort))
}

// sizeList is a list of sizes, of which some are lists.
func (c *converter) sizeList(es ...ast.Expr) *rules.AttrExpr {
	a := &rules.AttrExpr{Kind: rules.ANil}
	for _, e := range slices.Backward(es) {
		if s, ok := e.(*ast.Spread); ok && a.Kind == rules.ANil {
			a = c.attr(s.X, rules.SortSizes)
		} else if ok {
			a = &rules.AttrExpr{Kind: rules.AFun, Name: "++", Args: []*rules.AttrExpr{c.attr(s.X, rules.SortSizes), a}}
		} else {
			a = &rules.AttrExpr{Kind: rules.ACons, Args: []*rules.AttrExpr{c.attr(e, rules.SortSize), a}}
		}
	}
	return a
}

func (c *converter) attrBinary(e *ast.Binary, sort rules.Sort) *rules.AttrExpr {
	a := &rules.AttrExpr{Kind: rules.AFun, Name: e.Op}
	switch {
	case e.Op == "::" && sort == rules.SortSizes:
		a.Kind = rules.ACons
		a.Args = []*rules.AttrExpr{c.attr(e.L, rules.SortSize), c.attr(e.R, rules.SortSizes)}
	case e.Op == "++" && sort == rules.SortSizes:
		a.Args = []*rules.AttrExpr{c.attr(e.L, rules.SortSizes), c.attr(e.R, rules.SortSizes)}
	case slices.Contains([]string{"+", "-", "*"}, e.Op) && (sort == rules.SortSize || sort == rules.SortInt):
		a.Args = []*rules.AttrExpr{c.attr(e.L, sort), c.attr(e.R, sort)}
		if c.left && !c.computing {
			c.arithmetic(e.At(), "size")
		}
	case slices.Contains([]string{"+", "-", "*", "/", "div", "mod"}, e.Op) && sort == rules.SortLit:
		a.Args = []*rules.AttrExpr{c.attr(e.L, sort), c.attr(e.R, sort)}
		if c.left {
			c.arithmetic(e.At(), "number")
		}
	default:
		c.errorf(e.At(), "expected %s", c.called(sort))
	}
	return a
}

// arithmetic reports that an attribute of a left side is computed.
func (c *converter) arithmetic(at diag.Pos, what string) {
	c.errorf(at, "arithmetic on %ss is for right sides and conditions: give the %[1]s a name, and say in a condition what it is", what)
}

func (c *converter) attrCall(e *ast.Call, sort rules.Sort) *rules.AttrExpr {
	id, ok := e.Fn.(*ast.Ident)
	if !ok {
		return c.noAttr(e.At(), "expected %s", c.called(sort))
	}
	if c.left && !c.computing {
		return c.noAttr(e.At(), "a function of attributes is for right sides and conditions")
	}
	a := &rules.AttrExpr{Kind: rules.AFun, Name: id.Name}
	switch id.Name {
	case "shape":
		if c.f.lang != nil {
			c.formErrorf(id.At(), "shape is for arrays")
			return a
		}
		if sort != rules.SortSizes || len(e.Args) != 1 {
			return c.noAttr(e.At(), "shape t is a list of sizes; %s is needed here", sort)
		}
		return &rules.AttrExpr{Kind: rules.ATermShape, Term: c.term(e.Args[0])}
	case "len":
		if sort != rules.SortInt && sort != rules.SortSize || len(e.Args) != 1 {
			return c.noAttr(e.At(), "len l is a number; %s is needed here", sort)
		}
		a.Sort = sort
		if arg, ok := e.Args[0].(*ast.Ident); ok {
			switch s := c.v.Sort[arg.Name]; s {
			case rules.SortSizes, rules.SortPerm:
				a.Args = []*rules.AttrExpr{c.attr(arg, s)}
				return a
			case rules.SortIndices:
				a.Kind, a.List = rules.ATermLen, &rules.ListPat{Kind: rules.LBound, Pos: arg.At(), Name: arg.Name}
				return a
			case rules.SortTerms: // the length of a list may be asked where its terms have no place
				a.Kind, a.List = rules.ATermLen, &rules.ListPat{Kind: rules.LVar, Pos: arg.At(), Name: arg.Name}
				return a
			}
		}
		a.Kind, a.List = rules.ATermLen, c.list(e.Args[0])
		return a
	case "divisor":
		if sort != rules.SortSize || len(e.Args) != 2 {
			return c.noAttr(e.At(), "divisor i t is a size; %s is needed here", sort)
		}
		i := c.indexVariable(e.Args[0])
		if i == nil {
			return &rules.AttrExpr{}
		}
		return &rules.AttrExpr{Kind: rules.ADivisor, Name: i.Name, Term: c.term(e.Args[1])}
	}
	f, ok := rules.AttrFunctions[id.Name]
	if !ok {
		c.formErrorf(id.At(), "unknown function %s%s", id.Name, diag.DidYouMean(id.Name, slices.Collect(maps.Keys(rules.AttrFunctions))))
		return a
	}
	if f.Result != sort || len(e.Args) != len(f.Args) {
		return c.noAttr(e.At(), "%s with %d arguments is %s; %s is needed here", id.Name, len(f.Args), f.Result, sort)
	}
	for i, s := range f.Args {
		a.Args = append(a.Args, c.attr(e.Args[i], s))
	}
	return a
}

// indexVariable is an index variable of the left side, nil after an error.
func (c *converter) indexVariable(e ast.Expr) *ast.Ident {
	i, ok := e.(*ast.Ident)
	if !ok || c.v.Sort[i.Name] != rules.SortIndex {
		c.errorf(e.At(), "this is not an index variable of the left side")
		return nil
	}
	return i
}

// typePat converts a type. Besides R, I and B a name is a term metavariable,
// for its type, or a type metavariable.
func (c *converter) typePat(t ast.TypeExpr) *rules.TypePat {
	p := &rules.TypePat{}
	switch t.Kind {
	case ast.TyTuple, ast.TyLin:
		p.Kind = rules.TypeTuple
		if len(t.Sizes) > 0 {
			c.errorf(t.Pos, "a rule has no arrays of tuples")
		}
		if t.Kind == ast.TyLin {
			p.Kind = rules.TypeLin
		}
		p.Parts = slice.Map(t.Parts, c.typePat)
		return p
	case ast.TyFun:
		c.errorf(t.Pos, "functions have no place in a rule")
		return p
	}
	elem, ok := types.ElemNamed(t.Name)
	if ok {
		p.Kind, p.Elem, p.Shape = rules.TypeArray, elem, c.sizeList(t.Sizes...)
		return p
	}
	p.Name = t.Name
	switch {
	case len(t.Sizes) > 0:
		c.formErrorf(t.Pos, "unknown element type %s (R, I or B)", t.Name)
	case t.Name == "self" && !c.left:
		p.Kind = rules.TypeOfSelf
	case !c.left && (c.v.Sort[t.Name] == rules.SortTerm || c.v.Sort[t.Name] == rules.SortTerms):
		p.Kind = rules.TypeOfMeta
		if c.v.Sort[t.Name] == rules.SortTerms && c.inSpread == 0 {
			c.errorf(t.Pos, "%s is a list: @%s is the type of its element in a spread list (…)...", t.Name, t.Name)
		}
	default:
		p.Kind = rules.TypeVar
		c.use(t.Name, rules.SortType, t.Pos)
	}
	return p
}
