package rules

import (
	"maps"
	"slices"
	"strings"

	"egad/diag"
	"egad/internal/slice"
	"egad/rules/syntax"
	"egad/term"
	"egad/term/ast"
	"egad/term/numeric"
)

// attrFunction is a function on attributes: the closed list of docs/rules.md.
type attrFunction struct {
	args   []Sort
	result Sort
}

var attrFunctions = map[string]attrFunction{
	"take":    {[]Sort{SortInt, SortSizes}, SortSizes},
	"drop":    {[]Sort{SortInt, SortSizes}, SortSizes},
	"permute": {[]Sort{SortPerm, SortSizes}, SortSizes},
	"product": {[]Sort{SortSizes}, SortSize},
	"natural": {[]Sort{SortLit}, SortSize},
	"compose": {[]Sort{SortPerm, SortPerm}, SortPerm},
	"invert":  {[]Sort{SortPerm}, SortPerm},
	"lift":    {[]Sort{SortPerm}, SortPerm},
	"rotate":  {[]Sort{SortInt}, SortPerm},
	"fold":    {[]Sort{SortOp, SortLit, SortLit}, SortLit},
	"fold1":   {[]Sort{SortOp, SortLit}, SortLit},
}

// maxNatural bounds the sizes and other natural numbers that are written.
const maxNatural = 1 << 40

// noAttr reports what is wrong with an attribute.
func (c *converter) noAttr(at diag.Pos, format string, args ...any) *AttrExpr {
	c.errorf(at, format, args...)
	return &AttrExpr{}
}

// attr converts an expression that stands for a static attribute.
func (c *converter) attr(e ast.Expr, sort Sort) *AttrExpr {
	switch e := e.(type) {
	case *ast.Ident:
		if s := c.v.sort[e.Name]; sort == SortLit && (s == SortSize || s == SortInt) {
			return &AttrExpr{Kind: ALitOf, Args: []*AttrExpr{c.attr(e, s)}}
		}
		if n, ok := term.Constant(e.Name); ok && sort == SortLit && c.f.lang == nil {
			return &AttrExpr{Kind: ALit, Lit: n}
		}
		if _, bound := c.isBound(e.Name); bound {
			return c.noAttr(e.At(), "%s is an index variable, and %s is needed here", e.Name, sort)
		}
		if e.Name == "position" && c.inSpread > 0 && (sort == SortInt || sort == SortSize && c.f.lang != nil) {
			return &AttrExpr{Kind: APosition}
		}
		if c.f.lang != nil && sort == SortInt && c.v.sort[e.Name] == SortSize {
			sort = SortSize // in a language both are natural numbers
		}
		c.use(e.Name, sort, e.At())
		return &AttrExpr{Kind: AVar, Name: e.Name, Sort: sort}
	case *ast.Unary:
		if sort == SortLit { // 0 - x
			if c.left {
				c.arithmetic(e.At(), "number")
			}
			return &AttrExpr{Kind: AFun, Name: "-", Args: []*AttrExpr{{Kind: ALit, Lit: numeric.Int(0)}, c.attr(e.X, SortLit)}}
		}
	case *ast.Number:
		if sort == SortLit && (!c.left || c.f.lang != nil) {
			return &AttrExpr{Kind: ALit, Lit: e.Num}
		}
		n := e.Num.Rat()
		if e.Real || !n.IsInt() || n.Sign() < 0 || sort != SortSize && sort != SortInt {
			break
		}
		if !n.Num().IsInt64() || n.Num().Int64() > maxNatural {
			return c.noAttr(e.At(), "expected a number from 0 to %d", maxNatural)
		}
		if sort == SortSize {
			return &AttrExpr{Kind: ASize, Size: term.SizeConst(n.Num().Int64())}
		}
		return &AttrExpr{Kind: AInt, Int: int(n.Num().Int64())}
	case *ast.ListLit:
		return c.attrList(e, sort)
	case *ast.OpVar:
		if sort == SortOp {
			c.use(e.Name, SortOp, e.At())
			return &AttrExpr{Kind: AVar, Name: e.Name, Sort: SortOp}
		}
	case *ast.Binary:
		return c.attrBinary(e, sort)
	case *ast.Call:
		return c.attrCall(e, sort)
	}
	return c.noAttr(e.At(), "expected %s", sort)
}

func (c *converter) attrList(e *ast.ListLit, sort Sort) *AttrExpr {
	switch sort {
	case SortPerm:
		a := &AttrExpr{Kind: APerm}
		for _, x := range e.Elems {
			n, ok := x.(*ast.Number)
			if !ok || n.Real || n.Num.Sign() < 0 || !n.Num.Rat().Num().IsInt64() || n.Num.Rat().Num().Int64() > 100 {
				return c.noAttr(x.At(), "a permutation lists axes, as in [1, 0]")
			}
			a.Perm = append(a.Perm, int(n.Num.Rat().Num().Int64()))
		}
		if !term.IsPerm(a.Perm) {
			c.errorf(e.At(), "%v is not a permutation", a.Perm)
		}
		return a
	case SortSizes:
		return c.sizeList(e.Elems...)
	}
	return c.noAttr(e.At(), "expected %s", sort)
}

// sizeList is a list of sizes, of which some are lists.
func (c *converter) sizeList(es ...ast.Expr) *AttrExpr {
	a := &AttrExpr{Kind: ANil}
	for _, e := range slices.Backward(es) {
		if s, ok := e.(*ast.Spread); ok {
			a = &AttrExpr{Kind: AFun, Name: "++", Args: []*AttrExpr{c.attr(s.X, SortSizes), a}}
		} else {
			a = &AttrExpr{Kind: ACons, Args: []*AttrExpr{c.attr(e, SortSize), a}}
		}
	}
	return a
}

func (c *converter) attrBinary(e *ast.Binary, sort Sort) *AttrExpr {
	a := &AttrExpr{Kind: AFun, Name: e.Op}
	switch {
	case e.Op == "::" && sort == SortSizes:
		a.Kind = ACons
		a.Args = []*AttrExpr{c.attr(e.L, SortSize), c.attr(e.R, SortSizes)}
	case e.Op == "++" && sort == SortSizes:
		a.Args = []*AttrExpr{c.attr(e.L, SortSizes), c.attr(e.R, SortSizes)}
	case slices.Contains([]string{"+", "-", "*"}, e.Op) && (sort == SortSize || sort == SortInt):
		a.Args = []*AttrExpr{c.attr(e.L, sort), c.attr(e.R, sort)}
		if c.left && !c.computing {
			c.arithmetic(e.At(), "size")
		}
	case slices.Contains([]string{"+", "-", "*", "/", "div", "mod"}, e.Op) && sort == SortLit:
		a.Args = []*AttrExpr{c.attr(e.L, sort), c.attr(e.R, sort)}
		if c.left {
			c.arithmetic(e.At(), "number")
		}
	default:
		c.errorf(e.At(), "expected %s", sort)
	}
	return a
}

// arithmetic reports that an attribute of a left side is computed.
func (c *converter) arithmetic(at diag.Pos, what string) {
	c.errorf(at, "arithmetic on %ss is for right sides and conditions: give the %[1]s a name, and say in a condition what it is", what)
}

func (c *converter) attrCall(e *ast.Call, sort Sort) *AttrExpr {
	id, ok := e.Fn.(*ast.Ident)
	if !ok {
		return c.noAttr(e.At(), "expected %s", sort)
	}
	if c.left && !c.computing {
		return c.noAttr(e.At(), "a function of attributes is for right sides and conditions")
	}
	a := &AttrExpr{Kind: AFun, Name: id.Name}
	switch id.Name {
	case "shape":
		if c.f.lang != nil {
			c.formErrorf(id.At(), "shape is for arrays")
			return a
		}
		if sort != SortSizes || len(e.Args) != 1 {
			return c.noAttr(e.At(), "shape t is a list of sizes; %s is needed here", sort)
		}
		return &AttrExpr{Kind: ATermShape, Term: c.term(e.Args[0])}
	case "len":
		if sort != SortInt && sort != SortSize || len(e.Args) != 1 {
			return c.noAttr(e.At(), "len l is a number; %s is needed here", sort)
		}
		a.Sort = sort
		if arg, ok := e.Args[0].(*ast.Ident); ok {
			switch s := c.v.sort[arg.Name]; s {
			case SortSizes, SortPerm:
				a.Args = []*AttrExpr{c.attr(arg, s)}
				return a
			case SortIndices:
				a.Kind, a.List = ATermLen, &ListPat{Kind: LBound, Pos: arg.At(), Name: arg.Name}
				return a
			case SortTerms: // the length of a list may be asked where its terms have no place
				a.Kind, a.List = ATermLen, &ListPat{Kind: LVar, Pos: arg.At(), Name: arg.Name}
				return a
			}
		}
		a.Kind, a.List = ATermLen, c.list(e.Args[0])
		return a
	case "divisor":
		if sort != SortSize || len(e.Args) != 2 {
			return c.noAttr(e.At(), "divisor i t is a size; %s is needed here", sort)
		}
		i := c.indexVariable(e.Args[0])
		if i == nil {
			return &AttrExpr{}
		}
		return &AttrExpr{Kind: ADivisor, Name: i.Name, Term: c.term(e.Args[1])}
	}
	f, ok := attrFunctions[id.Name]
	if !ok {
		c.formErrorf(id.At(), "unknown function %s%s", id.Name, diag.DidYouMean(id.Name, slices.Collect(maps.Keys(attrFunctions))))
		return a
	}
	if f.result != sort || len(e.Args) != len(f.args) {
		return c.noAttr(e.At(), "%s with %d arguments is %s; %s is needed here", id.Name, len(f.args), f.result, sort)
	}
	for i, s := range f.args {
		a.Args = append(a.Args, c.attr(e.Args[i], s))
	}
	return a
}

// indexVariable is an index variable of the left side, nil after an error.
func (c *converter) indexVariable(e ast.Expr) *ast.Ident {
	i, ok := e.(*ast.Ident)
	if !ok || c.v.sort[i.Name] != SortIndex {
		c.errorf(e.At(), "this is not an index variable of the left side")
		return nil
	}
	return i
}

// typePat converts a type. Besides R, I and B a name is a term metavariable,
// for its type, or a type metavariable.
func (c *converter) typePat(t ast.TypeExpr) *TypePat {
	p := &TypePat{}
	switch t.Kind {
	case ast.TyTuple, ast.TyLin:
		p.Kind = TypeTuple
		if len(t.Sizes) > 0 {
			c.errorf(t.Pos, "a rule has no arrays of tuples")
		}
		if t.Kind == ast.TyLin {
			p.Kind = TypeLin
		}
		p.Parts = slice.Map(t.Parts, c.typePat)
		return p
	case ast.TyFun:
		c.errorf(t.Pos, "functions have no place in a rule")
		return p
	}
	elem, ok := term.ElemNamed(t.Name)
	if ok {
		p.Kind, p.Elem, p.Shape = TypeArray, elem, c.sizeList(t.Sizes...)
		return p
	}
	p.Name = t.Name
	switch {
	case len(t.Sizes) > 0:
		c.formErrorf(t.Pos, "unknown element type %s (R, I or B)", t.Name)
	case t.Name == "self" && !c.left:
		p.Kind = TypeOfSelf
	case !c.left && (c.v.sort[t.Name] == SortTerm || c.v.sort[t.Name] == SortTerms):
		p.Kind = TypeOfMeta
		if c.v.sort[t.Name] == SortTerms && c.inSpread == 0 {
			c.errorf(t.Pos, "%s is a list: @%s is the type of its element in a spread list (…)...", t.Name, t.Name)
		}
	default:
		p.Kind = TypeVar
		c.use(t.Name, SortType, t.Pos)
	}
	return p
}

// rightFunction is a function to terms that right sides may use.
type rightFunction struct {
	args    int
	left    bool // left sides may use it too
	convert func(c *converter, e *ast.Call) *Pattern
}

var rightFunctions map[string]rightFunction

func init() { // a map literal would refer to itself
	rightFunctions = map[string]rightFunction{
		"lit": {1, true, func(c *converter, e *ast.Call) *Pattern {
			return &Pattern{Kind: PLit, Pos: e.At(), Lit: c.attr(e.Args[0], SortLit)}
		}},
		"fill": {2, true, func(c *converter, e *ast.Call) *Pattern {
			p := &Pattern{Kind: PNumber, Pos: e.At(), LitFor: c.typeOperand(e.Args[1])}
			id, named := e.Args[0].(*ast.Ident)
			switch x := e.Args[0].(type) {
			case *ast.Number:
				p.Value = x.Num
				return p
			case *ast.Ident:
				if n, ok := term.Constant(x.Name); ok {
					p.Value = n
					return p
				}
			}
			switch {
			case c.attrSort(e.Args[0]) == SortLit, c.left && named && !c.sizes[id.Name]:
				p.Kind, p.Lit = PLit, c.attr(e.Args[0], SortLit)
			default:
				p.Kind, p.Lit = PSizeVal, c.computed(e.Args[0])
			}
			return p
		}},
		"nth": {2, false, func(c *converter, e *ast.Call) *Pattern {
			return &Pattern{Kind: PNth, Pos: e.At(), Lit: c.attr(e.Args[0], SortInt),
				Kids: Splice(c.list(e.Args[1]))}
		}},
		"total": {1, false, func(c *converter, e *ast.Call) *Pattern {
			return &Pattern{Kind: PTotal, Pos: e.At(), Kids: Splice(c.list(e.Args[0]))}
		}},
		"inject": {3, false, func(c *converter, e *ast.Call) *Pattern {
			return &Pattern{Kind: PInject, Pos: e.At(), Lit: c.attr(e.Args[0], SortInt),
				LitFor: c.typeOperand(e.Args[1]), X: c.term(e.Args[2])}
		}},
		"zero": {1, false, func(c *converter, e *ast.Call) *Pattern {
			return &Pattern{Kind: PZero, Pos: e.At(), LitFor: c.typeOperand(e.Args[0])}
		}},
		"inside": {2, false, func(c *converter, e *ast.Call) *Pattern {
			p := &Pattern{Kind: PInside, Pos: e.At(), Kids: Splice(c.list(e.Args[0]))}
			c.bounds(e.Args[1], &p.X, &p.Lit)
			return p
		}},
		"spread": {2, false, func(c *converter, e *ast.Call) *Pattern {
			return &Pattern{Kind: PSpread, Pos: e.At(), Lit: c.attr(e.Args[0], SortSizes), X: c.term(e.Args[1])}
		}},
		"digits": {2, false, func(c *converter, e *ast.Call) *Pattern {
			k, n := c.attr(e.Args[0], SortSize), c.attr(e.Args[1], SortSize) // each one size
			return &Pattern{Kind: PDigits, Pos: e.At(), Lit: &AttrExpr{Kind: ACons, Args: []*AttrExpr{k, {Kind: ACons, Args: []*AttrExpr{n, {Kind: ANil}}}}}}
		}},
		"preimage": {3, false, func(c *converter, e *ast.Call) *Pattern {
			i, u := c.indexVariable(e.Args[0]), e.Args[1]
			if i == nil {
				return nil
			}
			if t, is := u.(*ast.Ident); !is || c.v.sort[t.Name] != SortTerm {
				c.errorf(u.At(), "a preimage is that of a metavariable, as in preimage i u a")
				return nil
			}
			depth := len(c.bound)
			c.bound = append(c.bound, boundVar{i.Name, i.Name, false})
			x := c.term(u)
			c.bound = c.bound[:depth]
			return &Pattern{Kind: PPreimage, Pos: e.At(), X: x, Subs: []Binding{{Var: i.Name, By: c.term(e.Args[2])}}}
		}},
		"multiples": {2, false, func(c *converter, e *ast.Call) *Pattern {
			return &Pattern{Kind: PMultiples, Pos: e.At(), X: c.term(e.Args[0]), Lit: c.attr(e.Args[1], SortLit)}
		}},
		"others": {2, false, func(c *converter, e *ast.Call) *Pattern {
			return &Pattern{Kind: POthers, Pos: e.At(), X: c.term(e.Args[0]), Lit: c.attr(e.Args[1], SortLit)}
		}},
		"ravel": {2, false, func(c *converter, e *ast.Call) *Pattern {
			return &Pattern{Kind: PRavel, Pos: e.At(), Lit: c.attr(e.Args[0], SortSizes),
				Kids: Splice(c.list(e.Args[1]))}
		}},
	}
}

func (c *converter) typeOperand(e ast.Expr) *TypePat {
	ta, ok := e.(*ast.TypeArg)
	if !ok {
		c.formErrorf(e.At(), "expected a type, as in @R[n] or @a for the type of a")
		return &TypePat{}
	}
	return c.typePat(ta.Type)
}

// bounds converts what indices are compared with: the axes of a term, or a list
// of sizes.
func (c *converter) bounds(e ast.Expr, of **Pattern, sizes **AttrExpr) {
	if id, ok := e.(*ast.Ident); ok && c.v.sort[id.Name] != SortSizes {
		*of = c.term(e)
		return
	}
	*sizes = c.attr(e, SortSizes)
}

// conditions converts side conditions.
func (c *converter) conditions(ks []syntax.Cond) {
	condition := c.condition
	if c.f.lang != nil {
		condition = c.languageCondition
		c.variablesOf(ks)
		ks = c.joins(ks)
	}
	for i := range ks {
		n := len(c.conds)
		condition(&ks[i])
		for j := range c.conds[n:] {
			c.conds[n+j].Text = ks[i].Text
		}
	}
}

// condition converts one side condition. What it means depends on the sorts of
// the variables, which are known when the left side has been converted.
func (c *converter) condition(k *syntax.Cond) {
	switch k.Kind {
	case syntax.CondClass:
		if !slices.Contains(syntax.Classes, k.Word.Text) {
			c.errorf(k.Word.Pos, "unknown class %s of operators%s; there are %s", k.Word.Text, diag.DidYouMean(k.Word.Text, syntax.Classes), strings.Join(syntax.Classes, ", "))
		}
		if op, ok := k.A.(*ast.OpVar); ok {
			c.conds = append(c.conds, Cond{Kind: CondClass, Pos: k.Pos, Name: op.Name, Class: Class{k.Word.Text, k.Arity}})
		} else {
			c.errorf(k.Pos, "expected an operator variable, as in ?op : %s", k.Word.Text)
		}
	case syntax.CondNotIn:
		c.notIn(k.A, k.B)
	case syntax.CondType:
		c.typeCond(k.A, k.Type)
	case syntax.CondEqual:
		c.equalCond(CondEqual, k.A, k.B)
	case syntax.CondIs:
		if k.Word.Text != "literal" {
			c.errorf(k.Word.Pos, "a term may be known to be a literal, not %s", k.Word.Text)
		} else if k.Not {
			c.about(Cond{Kind: CondNotLiteral, Pos: k.Pos}, k.A)
		} else {
			c.about(Cond{Kind: CondLiteral, Pos: k.Pos}, k.A)
		}
	default:
		c.exprCond(k.A)
	}
}

// notIn converts i not in t.
func (c *converter) notIn(e, in ast.Expr) {
	i, ok := e.(*ast.Ident)
	if !ok || c.v.sort[i.Name] != SortIndex && c.v.sort[i.Name] != SortIndices && c.v.sort[i.Name] != SortState {
		c.errorf(e.At(), "this is not an index variable of the left side")
		return
	}
	t, ok := in.(*ast.Ident)
	if !ok {
		c.errorf(in.At(), "expected a metavariable")
		return
	}
	if s := c.v.sort[t.Name]; s != SortTerm && s != SortTerms {
		c.errorf(t.At(), "%s is not a metavariable of the left side", t.Name)
		return
	}
	c.conds = append(c.conds, Cond{Kind: CondNotIn, Pos: e.At(), Name: i.Name, List: c.v.sort[i.Name] == SortIndices, Terms: []string{t.Name}})
	// The right side is converted after the conditions and relies on this.
	c.v.Scope[t.Name] = slices.DeleteFunc(c.v.Scope[t.Name], func(s string) bool { return s == i.Name })
}

// typeCond converts t : T, which binds the metavariables of T.
func (c *converter) typeCond(e ast.Expr, t ast.TypeExpr) {
	p := c.term(e)
	c.left = true
	tp := c.typePat(t)
	c.left = false
	if p != nil {
		c.conds = append(c.conds, Cond{Kind: CondType, Pos: e.At(), Of: p, Type: tp})
	}
}

// equalCond converts an equation or inequation of attributes.
func (c *converter) equalCond(kind CondKind, l, r ast.Expr) {
	sort := c.attrSort(l)
	if s := c.attrSort(r); sort == SortNone || s == SortLit {
		sort = s
	}
	if sort == SortNone {
		c.about(Cond{Kind: CondSame, Pos: l.At()}, l, r)
		return
	}
	c.conds = append(c.conds, Cond{Kind: kind, Pos: l.At(), A: c.attr(l, sort), B: c.attr(r, sort)})
}

// attrSort guesses the sort of an attribute expression from its head.
func (c *converter) attrSort(e ast.Expr) Sort {
	switch e := e.(type) {
	case *ast.Ident:
		switch s := c.v.sort[e.Name]; s {
		case SortSize, SortSizes, SortPerm, SortInt, SortLit:
			return s
		}
	case *ast.Call:
		if id, ok := e.Fn.(*ast.Ident); ok {
			switch id.Name {
			case "shape":
				return SortSizes
			case "len":
				return SortInt
			}
			return attrFunctions[id.Name].result
		}
	case *ast.Binary:
		if e.Op == "::" || e.Op == "++" {
			return SortSizes
		}
		if s := c.attrSort(e.R); s == SortLit {
			return s
		}
		return c.attrSort(e.L)
	}
	return SortNone
}

// exprCond converts the conditions that read like expressions: orders, finite,
// inside, and !=.
func (c *converter) exprCond(e ast.Expr) {
	switch e := e.(type) {
	case *ast.Binary:
		op := e.Op
		if op == "!=" && (c.attrSort(e.L) != SortNone || c.attrSort(e.R) != SortNone) {
			c.equalCond(CondDiffer, e.L, e.R)
			return
		}
		switch op {
		case "&&":
			c.exprCond(e.L)
			c.exprCond(e.R)
			return
		case "<", "<=", ">", ">=", "!=":
			l, r := e.L, e.R
			if op[0] == '>' {
				l, r, op = r, l, "<"+op[1:]
			}
			c.about(Cond{Kind: CondOrder, Pos: e.At(), Op: op}, l, r)
			return
		}
	case *ast.Call:
		if ast.IsIdent(e.Fn, "finite") && len(e.Args) == 1 {
			c.about(Cond{Kind: CondFinite, Pos: e.At()}, e.Args[0])
			return
		}
		if id, ok := e.Args[0].(*ast.Ident); ok && len(e.Args) == 2 && (id.Name == "inside" || id.Name == "outside") {
			k := Cond{Kind: CondInside, Pos: e.At(), Op: id.Name, Ix: c.list(e.Fn)}
			c.bounds(e.Args[1], &k.Of, &k.Sizes)
			c.conds = append(c.conds, k)
			return
		}
		if ast.IsIdent(e.Fn, "distinct") && len(e.Args) == 2 {
			c.about(Cond{Kind: CondOrder, Pos: e.At(), Op: "!="}, e.Args...)
			return
		}
		if id, ok := e.Fn.(*ast.Ident); ok {
			if _, _, known := c.f.sig.Form(id.Name); known {
				c.about(Cond{Kind: CondFact, Pos: e.At()}, e)
				return
			}
		}
	case *ast.Ident:
		if c.v.sort[e.Name] == SortTerm {
			c.about(Cond{Kind: CondFact, Pos: e.At()}, e)
			return
		}
	}
	hint := ""
	if call, ok := e.(*ast.Call); ok {
		if id, ok := call.Fn.(*ast.Ident); ok && len(call.Args) == 1 {
			hint = diag.DidYouMean(id.Name, []string{"finite"})
		}
	}
	c.errorf(e.At(), "this is not a condition%s; see docs/rules.md", hint)
}

// about adds a condition on a term or on two, unless something is wrong with them.
func (c *converter) about(k Cond, terms ...ast.Expr) {
	ps := slice.Map(terms, c.term)
	if slices.Contains(ps, nil) {
		return
	}
	if k.L = ps[0]; len(ps) > 1 {
		k.R = ps[1]
	}
	c.conds = append(c.conds, k)
}

// Splice is the children that are those of a list.
func Splice(l *ListPat) []Elem { return []Elem{{Kind: ESplice, List: l}} }
