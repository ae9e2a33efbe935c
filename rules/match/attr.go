package match

import (
	"math/big"
	"slices"

	"egad/egraph"
	"egad/internal/slice"
	"egad/rules"
	"egad/term/eval"
	"egad/term/numeric"
	"egad/term/ops"
	"egad/term/size"
	"egad/term/types"
)

func (b *builder) sizes(a *rules.AttrExpr) []size.Size { return b.attr(a, rules.SortSizes).sizes }

func (b *builder) size(a *rules.AttrExpr) size.Size { return b.attr(a, rules.SortSize).sizes[0] }

// integer is a size as an integer.
func (b *builder) integer(a *rules.AttrExpr) size.Size {
	b.integers = true
	defer func() { b.integers = false }()
	return b.size(a)
}

// attr computes an attribute.
func (b *builder) attr(a *rules.AttrExpr, s rules.Sort) attrValue {
	v := attrValue{sort: s}
	switch a.Kind {
	case rules.AVar:
		x := b.value(a.Name)
		if s == rules.SortInt && a.Sort == rules.SortSize {
			n, _ := x.Sizes[0].Const()
			return attrValue{sort: s, n: int(n)}
		}
		return x.value(s)
	case rules.ASize:
		v.sizes = []size.Size{a.Size}
	case rules.AInt:
		v.n = a.Int
	case rules.APerm:
		v.perm = a.Perm
	case rules.ANil:
	case rules.ACons:
		for ; a.Kind == rules.ACons; a = a.Args[1] {
			v.sizes = append(v.sizes, b.size(a.Args[0]))
		}
		v.sizes = joined(v.sizes, b.sizes(a))
	case rules.ATermShape:
		t := b.space.Type(b.term(a.Term, nil))
		if t.Kind != types.KArray {
			b.fail("shape of something that is not an array")
		}
		v.sizes = t.Shape
	case rules.APosition:
		v.setLen(b.place)
	case rules.ATermLen:
		v.setLen(len(b.list(a.List)))
	case rules.ADivisor:
		v.sizes = []size.Size{b.divisor(b.m.Get(a.Name), b.term(a.Term, nil))}
	case rules.ALit:
		v.lit, v.number = ops.ScalarR(a.Lit), true
	case rules.ALitOf:
		v.lit, v.number = b.sizeLiteral(a.Args[0]), true
	case rules.AFun:
		b.function(a, &v)
	}
	if max(len(v.sizes), len(v.perm)) > egraph.MaxArity {
		b.tooLarge("a list that is too long")
	}
	return v
}

// sizeLiteral is a size or a number as a literal.
func (b *builder) sizeLiteral(a *rules.AttrExpr) ops.Scalar {
	x := b.attr(a, a.Sort)
	if a.Sort == rules.SortInt {
		return ops.ScalarR(numeric.Int(int64(x.n)))
	}
	n, ok := x.sizes[0].Const()
	if !ok {
		b.noValue("a size that is not known")
	}
	return ops.ScalarR(numeric.Int(n))
}

// joined is two lists in one, which is a list itself where the other is empty.
func joined(front, rest []size.Size) []size.Size {
	switch {
	case len(front) == 0:
		return rest
	case len(rest) == 0:
		return front
	}
	return slices.Concat(front, rest)
}

// setLen is the length of a list, as a number or as a size.
func (v *attrValue) setLen(n int) {
	v.n = n
	if v.sort == rules.SortSize {
		v.sizes = []size.Size{size.Const(int64(n))}
	}
}

// function computes the functions of the closed list.
func (b *builder) function(a *rules.AttrExpr, v *attrValue) {
	switch a.Name {
	case "++":
		v.sizes = joined(b.sizes(a.Args[0]), b.sizes(a.Args[1]))
	case "+", "-", "*", "/", "div", "mod":
		b.arithmetic(a, v)
	case "len":
		x := b.attr(a.Args[0], a.Args[0].Sort)
		n := len(x.sizes)
		if x.sort == rules.SortPerm {
			n = len(x.perm)
		}
		v.setLen(n)
	case "take", "drop":
		n, l := b.attr(a.Args[0], rules.SortInt).n, b.sizes(a.Args[1])
		if n > len(l) {
			b.noValue("a list is too short")
		}
		if v.sizes = l[:n]; a.Name == "drop" {
			v.sizes = l[n:]
		}
	case "permute":
		p, l := b.attr(a.Args[0], rules.SortPerm).perm, b.sizes(a.Args[1])
		if len(p) > len(l) {
			b.noValue("a list is too short")
		}
		for _, i := range p {
			v.sizes = append(v.sizes, l[i])
		}
	case "product":
		n := size.Const(1)
		for _, k := range b.sizes(a.Args[0]) {
			n = b.inReach(n.Mul(k))
		}
		v.sizes = []size.Size{n}
	case "natural":
		x := b.attr(a.Args[0], rules.SortLit).lit
		if x.Elem != types.I || x.Int < 0 {
			b.noValue("no size")
		}
		v.sizes = []size.Size{size.Const(x.Int)}
	case "compose":
		v.perm = ops.ComposePerm(b.attr(a.Args[0], rules.SortPerm).perm, b.attr(a.Args[1], rules.SortPerm).perm)
	case "invert":
		v.perm = ops.InvertPerm(b.attr(a.Args[0], rules.SortPerm).perm)
	case "lift":
		v.perm = append(v.perm, 0)
		for _, i := range b.attr(a.Args[0], rules.SortPerm).perm {
			v.perm = append(v.perm, i+1)
		}
	case "rotate": // (1, …, n, 0)
		n := b.attr(a.Args[0], rules.SortInt).n
		if n >= egraph.MaxArity { // before it is made
			b.tooLarge("a permutation that is too long")
		}
		for i := range n {
			v.perm = append(v.perm, i+1)
		}
		v.perm = append(v.perm, 0)
	case "fold":
		op := b.m.Get(a.Args[0].Name).Op
		v.lit = b.fold(*op, b.alike(b.attr(a.Args[1], rules.SortLit), b.attr(a.Args[2], rules.SortLit))...)
	case "fold1":
		op := b.m.Get(a.Args[0].Name).Op
		v.lit = b.fold(*op, b.attr(a.Args[1], rules.SortLit).lit)
	default:
		b.fail("no function %s", a.Name)
	}
}

// arithmetic computes with sizes, numbers or literals. A literal that is a number takes the type
// of what it is computed with.
func (b *builder) arithmetic(a *rules.AttrExpr, v *attrValue) {
	x, y := b.attr(a.Args[0], v.sort), b.attr(a.Args[1], v.sort)
	if v.sort == rules.SortLit {
		sym, _, _, _ := ops.InfixSym(a.Name)
		v.lit, v.number = b.fold(ops.Op{Sym: sym}, b.alike(x, y)...), x.number && y.number
		return
	}
	sizeOf := func(x attrValue) size.Size {
		if v.sort == rules.SortInt {
			return size.Const(int64(x.n))
		}
		return x.sizes[0]
	}
	r := ComputedSize(a.Name, sizeOf(x), sizeOf(y))
	c, known := b.inReach(r).Const()
	switch {
	case known && c < 0 && (v.sort == rules.SortInt || !b.integers):
		b.noValue("a negative number")
	case v.sort == rules.SortInt:
		v.n = int(c)
	default:
		v.sizes = []size.Size{r}
	}
}

// inReach is a size, if it is not a number of more than 63 bits: that has no value, as what is
// computed with it would grow without end.
func (b *builder) inReach(n size.Size) size.Size {
	if _, known := n.Const(); !known && len(n.Vars()) == 0 {
		b.tooLarge("a number of more than 63 bits")
	}
	return n
}

// alike are two literals, of which a number is of the type of the other.
func (b *builder) alike(x, y attrValue) []ops.Scalar {
	switch {
	case x.number && !y.number:
		x.lit = b.literalOf(x, y.lit.Elem)
	case y.number && !x.number:
		y.lit = b.literalOf(y, x.lit.Elem)
	}
	return []ops.Scalar{x.lit, y.lit}
}

// literalOf is a literal as an element of a type, if it is a number that takes the
// type of its context.
func (b *builder) literalOf(v attrValue, e types.Elem) ops.Scalar {
	if !v.number || e == v.lit.Elem {
		return v.lit
	}
	r := v.lit.Num.Rat()
	if e != types.I || r == nil || !r.IsInt() || !r.Num().IsInt64() {
		b.noValue("not of this type")
	}
	return ops.ScalarI(r.Num().Int64())
}

// fold applies an operator to literals exactly: to rationals, integers or truth
// values. It has no value where the result is not a literal.
func (b *builder) fold(op ops.Op, args ...ops.Scalar) ops.Scalar {
	rats := make([]*eval.Value[*big.Rat], len(args))
	ts := make([]*types.Type, len(args))
	for i, x := range args {
		v, err := eval.RationalArrays().Apply(ops.Op{Sym: ops.SymConst, Const: ops.ConstFill(x)}, nil, nil, types.ArrayOf(x.Elem))
		if err != nil {
			b.noValue("not a rational number")
		}
		rats[i], ts[i] = v, types.ArrayOf(x.Elem)
	}
	t, terr := ops.TypeOf(b.space.Signature().Operator(op.Sym), op, ts)
	if terr != nil {
		b.noValue("not an operator on these")
	}
	r, err := eval.RationalArrays().Apply(op, rats, nil, t)
	if err != nil {
		b.noValue("not a rational number")
	}
	switch t.Elem {
	case types.I:
		return ops.ScalarI(r.N[0])
	case types.B:
		return ops.ScalarB(r.N[0] != 0)
	}
	n, err := numeric.FromRat(r.R[0])
	if err != nil {
		b.noValue("too many digits")
	}
	return ops.ScalarR(n)
}

// typ computes a type.
func (b *builder) typ(p *rules.TypePat) *types.Type {
	switch p.Kind {
	case rules.TypeVar:
		return b.value(p.Name).Type
	case rules.TypeOfMeta:
		x := b.value(p.Name)
		if x.Terms != nil {
			return b.space.Type(x.Terms[b.place])
		}
		return b.space.Type(x.Ref)
	case rules.TypeOfSelf:
		return b.space.Type(b.m.Root)
	case rules.TypeArray:
		return types.ArrayOf(p.Elem, b.sizes(p.Shape)...)
	}
	return p.Made(slice.Map(p.Parts, b.typ))
}

// attrValue is the value of a static attribute.
type attrValue struct {
	sort  rules.Sort
	sizes []size.Size // SortSizes; one for SortSize
	perm  []int
	n     int
	lit   ops.Scalar
	// number says that lit is a number, which takes the type of its context.
	number bool
}

func (v attrValue) equal(w attrValue) bool {
	switch v.sort {
	case rules.SortSizes, rules.SortSize:
		return size.Equal(v.sizes, w.sizes)
	case rules.SortPerm:
		return slices.Equal(ops.CanonPerm(v.perm), ops.CanonPerm(w.perm))
	case rules.SortInt:
		return v.n == w.n
	}
	switch {
	case v.number:
		return w.lit.Elem != types.B && sameNumber(w.lit, v.lit.Num)
	case w.number:
		return w.equal(v)
	}
	return v.lit.Elem == w.lit.Elem && v.lit.Key() == w.lit.Key()
}

// value is the attribute that a metavariable is bound to.
func (b *Variable) value(s rules.Sort) attrValue {
	return attrValue{sort: s, sizes: b.Sizes, perm: b.Perm, n: b.N, lit: b.Lit}
}

func sameNumber(c ops.Scalar, n numeric.Num) bool {
	if c.Elem == types.R {
		return c.Num.Key() == n.Key()
	}
	return n.IsInt(c.Int)
}
