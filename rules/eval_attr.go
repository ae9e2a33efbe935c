package rules

import (
	"fmt"
	"math/big"
	"slices"

	"egad/egraph"
	"egad/internal/slice"
	"egad/slot"
	"egad/term"
	"egad/term/numeric"
)

// builder computes attributes and builds right sides under a match.
type builder struct {
	space Space
	m     *Match
	place int // the place in a spread
	// left is set while the left side of an instance is built: it knows what
	// the pattern leaves open.
	left *Left
	lets map[string]*term.Type // of let-bound variables in scope
	// find, if it is not nil, looks terms up, and adds none.
	find Finder
	// typed, unless it is nil, decides conditions about types, which may bind something.
	typed func(*Cond, *term.Type) bool
	// integers says that sizes are computed as integers, which may be negative.
	integers bool
}

// failure ends the building of a right side: the rule does not apply. A
// mistake in the rule is told apart from a function that has no value.
type failure struct {
	msg     string
	mistake bool
}

// failed is the failure that was recovered, if there is one. Another panic goes on.
func failed(recovered any) (f failure, is bool) {
	if f, is = recovered.(failure); !is && recovered != nil {
		panic(recovered)
	}
	return f, is
}

func (b *builder) fail(format string, args ...any) {
	panic(failure{fmt.Sprintf(format, args...), true})
}

// noValue says that a function has no value here, as fold of a division by 0.
func (b *builder) noValue(what string) { panic(failure{what, false}) }

// A Bounded is a space that notes where a rule is kept out, since what it would make is larger than
// may be.
type Bounded interface {
	KeepOut(r *Rule, what string)
}

// tooLarge leaves a function without a value that would be larger than may be.
func (b *builder) tooLarge(what string) {
	if s, ok := b.space.(Bounded); ok && b.find == nil {
		s.KeepOut(b.m.Rule, what)
	}
	b.noValue(what)
}

func (b *builder) sizes(a *AttrExpr) []term.Size { return b.attr(a, SortSizes).sizes }

func (b *builder) size(a *AttrExpr) term.Size { return b.attr(a, SortSize).sizes[0] }

// integer is a size as an integer.
func (b *builder) integer(a *AttrExpr) term.Size {
	b.integers = true
	defer func() { b.integers = false }()
	return b.size(a)
}

// attr computes an attribute.
func (b *builder) attr(a *AttrExpr, s Sort) attrValue {
	v := attrValue{sort: s}
	switch a.Kind {
	case AVar:
		x := b.value(a.Name)
		if s == SortInt && a.Sort == SortSize {
			n, _ := x.Sizes[0].Const()
			return attrValue{sort: s, n: int(n)}
		}
		return x.value(s)
	case ASize:
		v.sizes = []term.Size{a.Size}
	case AInt:
		v.n = a.Int
	case APerm:
		v.perm = a.Perm
	case ANil:
	case ACons:
		v.sizes = slices.Concat(b.attr(a.Args[0], SortSize).sizes, b.sizes(a.Args[1]))
	case ATermShape:
		t := b.space.Type(b.term(a.Term, nil))
		if t.Kind != term.KArray {
			b.fail("shape of something that is not an array")
		}
		v.sizes = t.Shape
	case APosition:
		v.setLen(b.place)
	case ATermLen:
		v.setLen(len(b.list(a.List)))
	case ADivisor:
		v.sizes = []term.Size{b.divisor(b.m.Get(a.Name), b.term(a.Term, nil))}
	case ALit:
		v.lit, v.number = term.ScalarR(a.Lit), true
	case ALitOf:
		v.lit, v.number = b.sizeLiteral(a.Args[0]), true
	case AFun:
		b.function(a, &v)
	}
	if max(len(v.sizes), len(v.perm)) > egraph.MaxArity {
		b.tooLarge("a list that is too long")
	}
	return v
}

// sizeLiteral is a size or a number as a literal.
func (b *builder) sizeLiteral(a *AttrExpr) term.Scalar {
	x := b.attr(a, a.Sort)
	if a.Sort == SortInt {
		return term.ScalarR(numeric.Int(int64(x.n)))
	}
	n, ok := x.sizes[0].Const()
	if !ok {
		b.noValue("a size that is not known")
	}
	return term.ScalarR(numeric.Int(n))
}

// setLen is the length of a list, as a number or as a size.
func (v *attrValue) setLen(n int) {
	v.n = n
	if v.sort == SortSize {
		v.sizes = []term.Size{term.SizeConst(int64(n))}
	}
}

// function computes the functions of the closed list.
func (b *builder) function(a *AttrExpr, v *attrValue) {
	switch a.Name {
	case "++":
		v.sizes = slices.Concat(b.sizes(a.Args[0]), b.sizes(a.Args[1]))
	case "+", "-", "*", "/", "div", "mod":
		b.arithmetic(a, v)
	case "len":
		x := b.attr(a.Args[0], a.Args[0].Sort)
		n := len(x.sizes)
		if x.sort == SortPerm {
			n = len(x.perm)
		}
		v.setLen(n)
	case "take", "drop":
		n, l := b.attr(a.Args[0], SortInt).n, b.sizes(a.Args[1])
		if n > len(l) {
			b.noValue("a list is too short")
		}
		if v.sizes = l[:n]; a.Name == "drop" {
			v.sizes = l[n:]
		}
	case "permute":
		p, l := b.attr(a.Args[0], SortPerm).perm, b.sizes(a.Args[1])
		if len(p) > len(l) {
			b.noValue("a list is too short")
		}
		for _, i := range p {
			v.sizes = append(v.sizes, l[i])
		}
	case "product":
		n := term.SizeConst(1)
		for _, k := range b.sizes(a.Args[0]) {
			n = b.inReach(n.Mul(k))
		}
		v.sizes = []term.Size{n}
	case "natural":
		x := b.attr(a.Args[0], SortLit).lit
		if x.Elem != term.I || x.Int < 0 {
			b.noValue("no size")
		}
		v.sizes = []term.Size{term.SizeConst(x.Int)}
	case "compose":
		v.perm = term.ComposePerm(b.attr(a.Args[0], SortPerm).perm, b.attr(a.Args[1], SortPerm).perm)
	case "invert":
		v.perm = term.InvertPerm(b.attr(a.Args[0], SortPerm).perm)
	case "lift":
		v.perm = append(v.perm, 0)
		for _, i := range b.attr(a.Args[0], SortPerm).perm {
			v.perm = append(v.perm, i+1)
		}
	case "rotate": // (1, …, n, 0)
		n := b.attr(a.Args[0], SortInt).n
		if n >= egraph.MaxArity { // before it is made
			b.tooLarge("a permutation that is too long")
		}
		for i := range n {
			v.perm = append(v.perm, i+1)
		}
		v.perm = append(v.perm, 0)
	case "fold":
		op := b.m.Get(a.Args[0].Name).Op
		v.lit = b.fold(*op, b.alike(b.attr(a.Args[1], SortLit), b.attr(a.Args[2], SortLit))...)
	case "fold1":
		op := b.m.Get(a.Args[0].Name).Op
		v.lit = b.fold(*op, b.attr(a.Args[1], SortLit).lit)
	default:
		b.fail("no function %s", a.Name)
	}
}

// arithmetic computes with sizes, numbers or literals. A literal that is a number takes the type
// of what it is computed with.
func (b *builder) arithmetic(a *AttrExpr, v *attrValue) {
	x, y := b.attr(a.Args[0], v.sort), b.attr(a.Args[1], v.sort)
	if v.sort == SortLit {
		sym, _, _, _ := term.InfixSym(a.Name)
		v.lit, v.number = b.fold(term.Op{Sym: sym}, b.alike(x, y)...), x.number && y.number
		return
	}
	size := func(x attrValue) term.Size {
		if v.sort == SortInt {
			return term.SizeConst(int64(x.n))
		}
		return x.sizes[0]
	}
	r := ComputedSize(a.Name, size(x), size(y))
	c, known := b.inReach(r).Const()
	switch {
	case known && c < 0 && (v.sort == SortInt || !b.integers):
		b.noValue("a negative number")
	case v.sort == SortInt:
		v.n = int(c)
	default:
		v.sizes = []term.Size{r}
	}
}

// inReach is a size, if it is not a number of more than 63 bits: that has no value, as what is
// computed with it would grow without end.
func (b *builder) inReach(n term.Size) term.Size {
	if _, known := n.Const(); !known && len(n.Vars()) == 0 {
		b.tooLarge("a number of more than 63 bits")
	}
	return n
}

// alike are two literals, of which a number is of the type of the other.
func (b *builder) alike(x, y attrValue) []term.Scalar {
	switch {
	case x.number && !y.number:
		x.lit = b.literalOf(x, y.lit.Elem)
	case y.number && !x.number:
		y.lit = b.literalOf(y, x.lit.Elem)
	}
	return []term.Scalar{x.lit, y.lit}
}

// literalOf is a literal as an element of a type, if it is a number that takes the
// type of its context.
func (b *builder) literalOf(v attrValue, e term.Elem) term.Scalar {
	if !v.number || e == v.lit.Elem {
		return v.lit
	}
	r := v.lit.Num.Rat()
	if e != term.I || r == nil || !r.IsInt() || !r.Num().IsInt64() {
		b.noValue("not of this type")
	}
	return term.ScalarI(r.Num().Int64())
}

// fold applies an operator to literals exactly: to rationals, integers or truth
// values. It has no value where the result is not a literal.
func (b *builder) fold(op term.Op, args ...term.Scalar) term.Scalar {
	rats := make([]*term.Value[*big.Rat], len(args))
	types := make([]*term.Type, len(args))
	for i, x := range args {
		v, err := term.RationalArrays().Apply(term.Op{Sym: term.SymConst, Const: term.ConstFill(x)}, nil, nil, term.ArrayOf(x.Elem))
		if err != nil {
			b.noValue("not a rational number")
		}
		rats[i], types[i] = v, term.ArrayOf(x.Elem)
	}
	t, terr := term.TypeOf(b.space.Signature(), op, types)
	if terr != nil {
		b.noValue("not an operator on these")
	}
	r, err := term.RationalArrays().Apply(op, rats, nil, t)
	if err != nil {
		b.noValue("not a rational number")
	}
	switch t.Elem {
	case term.I:
		return term.ScalarI(r.N[0])
	case term.B:
		return term.ScalarB(r.N[0] != 0)
	}
	n, err := numeric.FromRat(r.R[0])
	if err != nil {
		b.noValue("too many digits")
	}
	return term.ScalarR(n)
}

// typ computes a type.
func (b *builder) typ(p *TypePat) *term.Type {
	switch p.Kind {
	case TypeVar:
		return b.value(p.Name).Type
	case TypeOfMeta:
		x := b.value(p.Name)
		if x.Terms != nil {
			return b.space.Type(x.Terms[b.place])
		}
		return b.space.Type(x.Ref)
	case TypeOfSelf:
		return b.space.Type(b.m.Root)
	case TypeArray:
		return term.ArrayOf(p.Elem, b.sizes(p.Shape)...)
	}
	return p.Made(slice.Map(p.Parts, b.typ))
}

// valueless makes a function without a value a condition that does not hold.
func valueless(holds *bool) {
	if f, is := failed(recover()); is {
		if f.mistake {
			panic(f)
		}
		*holds = false
	}
}

// condition reports whether a side condition holds. It is proved from types, ranges and
// constants.
func (b *builder) condition(c *Cond) (holds bool) {
	defer valueless(&holds)
	switch {
	case c.Kind == CondNotIn:
		v := b.m.Get(c.Name)
		names := v.Names
		if !c.List {
			names = []slot.Name{v.Index}
		}
		for _, t := range c.Terms {
			x := b.m.Get(t)
			for _, r := range append(slices.Clone(x.Terms), x.Ref) {
				if slices.ContainsFunc(names, r.Has) {
					return false
				}
			}
		}
		return true
	case c.Kind == CondType && b.typed != nil:
		return b.typed(c, b.space.Type(b.term(c.Of, nil)))
	}
	return b.holds(c)
}

// sizeFits reports whether a literal is the size that it must be.
func (b *builder) sizeFits(x Variable) (fits bool) {
	defer valueless(&fits)
	n, ok := b.integer(x.Size.Lit).Const()
	return ok && x.Lit.Elem != term.B && sameNumber(x.Lit, numeric.Int(n))
}

// holds reports whether a condition is proved of terms that are all known: those in
// which a variable must not be do not have it in their scope, and a type binds
// nothing.
func (b *builder) holds(c *Cond) bool {
	switch c.Kind {
	case CondNotIn:
		return true
	case CondClass:
		return c.Class.Has(b.space.Signature().Operator(b.m.Get(c.Name).Op.Sym))
	case CondOrder:
		return compare(c.Op, b.operand(c.L), b.operand(c.R))
	case CondFinite:
		return finite(b.operand(c.L))
	case CondInside:
		return b.indices(c, func(x slot.Ref, n int64, outside bool) bool {
			r := b.space.Bounds(x).Int
			return outside && (r.Hi < 0 || r.Lo >= n) || !outside && r.Lo >= 0 && r.Hi < n
		})
	case CondFact:
		x := b.known(c.L, nil)
		return b.space.Same(x, b.truth(x, b.known))
	case CondSame:
		x, y := b.sides(c)
		return b.space.Same(x, y)
	case CondLiteral, CondNotLiteral:
		literal := false
		b.space.Nodes(b.known(c.L, nil), func(v term.View) bool {
			literal = v.Op.Sym == term.SymConst
			return !literal
		})
		return literal == (c.Kind == CondLiteral)
	case CondEqual, CondDiffer:
		s := AttrSortOf(c.A, c.B)
		return b.attr(c.A, s).equal(b.attr(c.B, s)) == (c.Kind == CondEqual)
	case CondType:
		return b.typ(c.Type).Equal(b.space.Type(b.term(c.Of, nil)))
	}
	return false
}

// indices reports whether all indices of a condition are inside of axes, or one of them is outside,
// where is decides that for an index and a size.
func (b *builder) indices(c *Cond, is func(x slot.Ref, n int64, outside bool) bool) bool {
	ix, sizes, outside := b.list(c.Ix), b.axes(c.Of, c.Sizes), c.Op == "outside"
	if len(ix) > len(sizes) {
		return false
	}
	for i, x := range ix {
		if n, known := sizes[i].Const(); (known && is(x, n, outside)) == outside {
			return outside
		}
	}
	return !outside
}

// axes is the sizes that indices are compared with.
func (b *builder) axes(of *Pattern, sizes *AttrExpr) []term.Size {
	if of == nil {
		return b.sizes(sizes)
	}
	return b.space.Type(b.term(of, nil)).Shape
}

// AttrSortOf is the sort of two attributes that are compared.
func AttrSortOf(as ...*AttrExpr) Sort {
	for _, a := range as {
		switch a.Kind {
		case AVar:
			return a.Sort
		case ASize:
			return SortSize
		case ALit, ALitOf:
			return SortLit
		case AInt:
			return SortInt
		case APerm:
			return SortPerm
		case ACons, ANil, ATermShape:
			return SortSizes
		case ATermLen:
			return a.Sort
		case AFun:
			if a.Name == "len" {
				return a.Sort
			}
			if f, ok := AttrFunctions[a.Name]; ok {
				return f.Result
			}
			if a.Name == "++" {
				return SortSizes
			}
			return AttrSortOf(a.Args...)
		}
	}
	return SortSizes
}
