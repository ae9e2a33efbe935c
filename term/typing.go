package term

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// TypeError says why an operator cannot be applied to its children.
type TypeError struct {
	Kid int // the child at fault, -1 if it is the operator itself
	Msg string
}

func (e *TypeError) Error() string { return e.Msg }

// Unifier decides when the parts of types agree. Checking a concrete or a
// symbolic program compares; inferring the types of a rule solves.
type Unifier interface {
	Sizes(a, b Size) bool
	// Shapes is Sizes axis by axis.
	Shapes(a, b []Size) bool
	// Products decides whether two shapes have equally many elements.
	Products(a, b []Size) bool
	// Rank is how many axes a shape has, which a shape of a rule need not say.
	Rank(shape []Size) Size
	// Split takes the first n axes off a shape; it is false if there are fewer.
	Split(shape []Size, n Size) (front, rest []Size, ok bool)
	// Permute puts the axes of a shape into the order of the permutation of op; it
	// is false if there are fewer than that has.
	Permute(op Op, shape []Size) ([]Size, bool)
	// Part is the component of a tuple type that op names; it is false if there is
	// none.
	Part(op Op, t *Type) (*Type, bool)
	// Some decides whether a list of operands has any.
	Some(count Size) bool
	// Alike decides whether a type of each operand of a list does not depend on the
	// place there.
	Alike(t *Type) bool
	Elems(a, b Elem) bool
	// ElemIn restricts e to the listed element types.
	ElemIn(e Elem, among ...Elem) bool
	Types(a, b *Type) bool
	// Vector restricts t to the types linear maps act on: arrays of R and
	// tuples of such.
	Vector(t *Type) bool
	// Resolve follows type variables that have been solved.
	Resolve(t *Type) *Type
	// Force is called where a type variable stands and a type of the given kind
	// is needed; the result is t itself if there is nothing to decide.
	Force(t *Type, kind TypeKind) *Type
}

// Known is what a unifier says of shapes, operands and tuples that have no lists of
// unknown length, as all have but in a rule.
type Known struct{}

// Rank counts.
func (Known) Rank(shape []Size) Size { return SizeConst(int64(len(shape))) }

// Split takes axes off.
func (Known) Split(shape []Size, n Size) (front, rest []Size, ok bool) {
	k, _ := n.Const()
	if k < 0 || k > int64(len(shape)) {
		return nil, nil, false
	}
	return shape[:k], shape[k:], true
}

// Permute permutes axes.
func (Known) Permute(op Op, shape []Size) ([]Size, bool) {
	if len(op.Perm) > len(shape) {
		return nil, false
	}
	out := slices.Clone(shape)
	for i, j := range op.Perm {
		out[i] = shape[j]
	}
	return out, true
}

// Part looks the component up.
func (Known) Part(op Op, t *Type) (*Type, bool) {
	if op.N < 0 || op.N >= len(t.Parts) {
		return nil, false
	}
	return t.Parts[op.N], true
}

// Some compares with 0.
func (Known) Some(count Size) bool { return !count.IsConst(0) }

// Alike is true: no operand is a list.
func (Known) Alike(t *Type) bool { return true }

// Equality is the unifier that only compares.
type Equality struct{ Known }

// Sizes compares sizes.
func (Equality) Sizes(a, b Size) bool { return a.Equal(b) }

// Shapes compares shapes.
func (Equality) Shapes(a, b []Size) bool { return SizesEqual(a, b) }

// Products compares numbers of elements.
func (Equality) Products(a, b []Size) bool { return Product(a).Equal(Product(b)) }

// Elems compares element types.
func (Equality) Elems(a, b Elem) bool { return a == b }

// ElemIn looks e up.
func (Equality) ElemIn(e Elem, among ...Elem) bool { return slices.Contains(among, e) }

// Types compares types.
func (Equality) Types(a, b *Type) bool { return a.Equal(b) }

// Vector looks at the parts of t.
func (Equality) Vector(t *Type) bool { return t.vector(func(e Elem) bool { return e == R }) }

// Resolve returns t.
func (Equality) Resolve(t *Type) *Type { return t }

// Force returns t.
func (Equality) Force(t *Type, kind TypeKind) *Type { return t }

// MaxRank is how many axes an array can have.
const MaxRank = 64

// typing is one question "what is the type of op applied to kids?".
type typing struct {
	u    Unifier
	sig  *Signature
	op   Op
	kids []*Type
	err  *TypeError
	mute bool // nobody reads the error
}

// typeOf gives the type of op applied to children of the given types (Fig. 8
// of the dual-numbers paper; Fig. 3 of Coconut for the linear maps).
func typeOf(u Unifier, sig *Signature, op Op, kids []*Type) (*Type, *TypeError) {
	return (&typing{u: u, sig: sig, op: op, kids: kids}).answer()
}

func (t *typing) answer() (*Type, *TypeError) {
	kids := make([]*Type, len(t.kids))
	for i, k := range t.kids {
		kids[i] = t.u.Resolve(k)
	}
	t.kids = kids
	name := t.sig.Operator(t.op.Sym).Name
	if a := t.sig.Operator(t.op.Sym).Arity; a >= 0 && !countKids(kids).IsConst(int64(a)) {
		return nil, &TypeError{-1, fmt.Sprintf("%s takes %s, not %d", name, countOf(a, "operand"), len(kids))}
	}
	r := t.result()
	if t.err == nil && r == nil {
		t.fail(-1, "%s cannot be applied here", name)
	}
	if t.err == nil && len(r.Shape) > MaxRank {
		t.fail(-1, "an array has at most %d axes, and this one would have %d", MaxRank, len(r.Shape))
	}
	if t.err != nil {
		return nil, t.err
	}
	return r, nil
}

func (t *typing) fail(kid int, format string, args ...any) {
	switch {
	case t.err != nil:
	case t.mute:
		t.err = &TypeError{Kid: kid}
	default:
		t.err = &TypeError{kid, fmt.Sprintf(format, args...)}
	}
}

func (t *typing) result() *Type {
	if t.sig.Operator(t.op.Sym).Elementwise {
		return t.elementwise()
	}
	if t.sig.Operator(t.op.Sym).Linear {
		return t.linear()
	}
	if d := t.sig.Operator(t.op.Sym).Declared; d != nil {
		return t.declared(d)
	}
	op := t.op
	switch op.Sym {
	case SymVar, SymConst:
		return op.Type
	case SymIvar:
		return ArrayOf(I)
	case SymIota:
		return ArrayOf(I, op.Sizes...)
	case SymIndex:
		if a := t.array(0); a != nil {
			return ArrayOf(a.Elem, t.indexes(1, a)...)
		}
	case SymSum, SymMaximum, SymMinimum, SymArgmax:
		return t.reduction()
	case SymGather:
		if a := t.array(0); a != nil {
			return ArrayOf(a.Elem, slices.Concat(op.Sizes, t.indexes(1, a))...)
		}
	case SymScatter:
		return t.scatter(t.array(0), 1)
	case SymStack:
		return t.stack()
	case SymReplicate:
		if a := t.array(0); a != nil {
			return ArrayOf(a.Elem, slices.Concat(op.Sizes, a.Shape)...)
		}
	case SymTr:
		if a := t.array(0); a != nil {
			return t.tr(a)
		}
	case SymReshape:
		if a := t.array(0); a != nil {
			return t.reshape(a)
		}
	case SymBuild:
		if a := t.array(0); a != nil {
			return ArrayOf(a.Elem, slices.Concat(op.Sizes, a.Shape)...)
		}
	case SymCond:
		t.scalar(0, B, "the condition")
		a, b := t.array(1), t.array(2)
		if a == nil || b == nil {
			return nil
		}
		if !t.sameElem(2, a, b) || !t.sameShape(2, a, b, "the branches of a conditional") {
			return nil
		}
		return a
	case SymTuple:
		return TupleOf(t.kids...)
	case SymProj:
		p := t.u.Force(t.kids[0], KTuple)
		if p.Kind != KTuple {
			t.fail(0, "only a tuple has components, and this is %s", described{p})
			return nil
		}
		part, ok := t.u.Part(op, p)
		if !ok {
			t.fail(0, "there is no component %d in %s", op.N, p)
		}
		return part
	case SymLreached:
		m := t.lin(0)
		if m == nil {
			return nil
		}
		a := t.u.Force(t.u.Resolve(m.Parts[1]), KArray)
		if !t.realArray(0, a) {
			return nil
		}
		return ArrayOf(B, a.Shape...)
	case SymLapply:
		m := t.lin(0)
		if m == nil {
			return nil
		}
		if !t.u.Types(m.Parts[0], t.kids[1]) {
			t.fail(1, "a linear map from %s cannot be applied to %s", m.Parts[0], described{t.kids[1]})
			return nil
		}
		return m.Parts[1]
	}
	return nil
}

// TypeOf is the type of op applied to children of the given types.
func TypeOf(sig *Signature, op Op, kids []*Type) (*Type, *TypeError) {
	return typeOf(Equality{}, sig, op, kids)
}

// InferType is TypeOf with unification: the types may have variables that u
// knows. It does not say why there is no type.
func InferType(u Unifier, sig *Signature, op Op, kids []*Type) (*Type, bool) {
	t, err := (&typing{u: u, sig: sig, op: op, kids: kids, mute: true}).answer()
	return t, err == nil
}

// kid is the type of child k, or of each of the list that it is.
func (t *typing) kid(k int) *Type {
	if t.kids[k].Kind == KEach {
		return t.u.Resolve(t.kids[k].Parts[0])
	}
	return t.kids[k]
}

// array demands that child k is an array.
func (t *typing) array(k int) *Type {
	if k >= len(t.kids) {
		t.fail(-1, "operand %d is missing", k+1)
		return nil
	}
	a := t.u.Force(t.kid(k), KArray)
	if t.kids[k].Kind != KEach {
		t.kids[k] = a
	}
	if a.Kind != KArray {
		t.fail(k, "expected an array, found %s", described{a})
		return nil
	}
	return a
}

// scalar demands that child k is a scalar of e.
func (t *typing) scalar(k int, e Elem, what string) {
	if a := t.kid(k); a.Kind == KVar {
		if !t.u.Types(a, ArrayOf(e)) {
			t.fail(k, "%s must be a scalar", what)
		}
		return
	}
	a := t.array(k)
	if a == nil {
		return
	}
	if len(a.Shape) != 0 {
		hint := ""
		switch t.op.Sym {
		case SymCond:
			hint = " (where chooses element by element)"
		case SymIndex:
			hint = " (gather reads at many indices)"
		}
		t.fail(k, "%s must be a scalar, and this is %s%s", what, described{a}, hint)
	} else if !t.u.Elems(a.Elem, e) {
		t.fail(k, "%s must be of type %s, not %s%s", what, e, a, toElem(e, a.Elem))
	}
}

// indexes demands that the children from one on index a, and gives the axes that
// are left.
func (t *typing) indexes(from int, a *Type) []Size {
	n := countKids(t.kids[from:])
	_, rest, ok := t.u.Split(a.Shape, n)
	if !ok {
		t.fail(len(t.kids)-1, "too many indices: %s for %s", n, described{a})
		return nil
	}
	t.scalars(from)
	return rest
}

// scalars demands that the children from one on are indices.
func (t *typing) scalars(from int) {
	for k := from; k < len(t.kids); k++ {
		t.scalar(k, I, "an index")
	}
}

// countKids is how many operands there are, with those of lists.
func countKids(kids []*Type) Size {
	n := int64(0)
	var lists []Size
	for _, k := range kids {
		if k.Kind == KEach {
			lists = append(lists, k.Shape[0])
		} else {
			n++
		}
	}
	sum := SizeConst(n)
	for _, l := range lists {
		sum = sum.Add(l)
	}
	return sum
}

func (t *typing) reduction() *Type {
	a := t.array(0)
	if a == nil {
		return nil
	}
	name := t.sig.Operator(t.op.Sym).Name
	_, rest, ok := t.u.Split(a.Shape, SizeConst(1))
	if !ok {
		t.fail(0, "%s reduces the outer axis of an array, and this is %s", name, described{a})
		return nil
	}
	among, elem := []Elem{R}, a.Elem
	switch t.op.Sym {
	case SymSum:
		among = []Elem{R, I}
	case SymArgmax:
		elem = I
	}
	if !t.u.ElemIn(a.Elem, among...) {
		t.fail(0, "%s works on elements of type %s, not %s", name, elemList(among), a.Elem)
		return nil
	}
	return ArrayOf(elem, rest...)
}

// scatter types scatter and lscatter: the binders take the leading axes of a.
func (t *typing) scatter(a *Type, firstIndex int) *Type {
	op := t.op
	if a == nil {
		return nil
	}
	if !t.u.ElemIn(a.Elem, R, I) {
		t.fail(0, "scatter adds numbers, and this is %s", described{a})
		return nil
	}
	front, rest, ok := t.u.Split(a.Shape, t.u.Rank(op.Sizes))
	if !ok {
		t.fail(0, "too many index variables: %d for %s", len(op.Sizes), described{a})
		return nil
	}
	if !t.u.Shapes(op.Sizes, front) {
		i := t.differ(op.Sizes, front)
		t.fail(0, "index variable %d ranges over %s, and axis %d has size %s", i, op.Sizes[i], i, front[i])
		return nil
	}
	if n := countKids(t.kids[firstIndex:]); !t.u.Sizes(n, t.u.Rank(op.Targets)) {
		t.fail(-1, "the function gives %s and the result has %s",
			countOf(len(t.kids)-firstIndex, "index", "indices"), countOf(len(op.Targets), "axis", "axes"))
		return nil
	}
	t.scalars(firstIndex)
	return ArrayOf(a.Elem, slices.Concat(op.Targets, rest)...)
}

func (t *typing) stack() *Type {
	n := countKids(t.kids)
	if !t.u.Some(n) {
		t.fail(-1, "an array literal needs an element")
		return nil
	}
	if slices.ContainsFunc(t.kids, func(k *Type) bool { return k.Kind == KEach && !t.u.Alike(k.Parts[0]) }) {
		return nil
	}
	a := t.array(0)
	for k := 1; k < len(t.kids) && t.err == nil; k++ {
		if b := t.array(k); b != nil && t.sameElem(k, a, b) {
			t.sameShape(k, a, b, "the elements of an array literal")
		}
	}
	if t.err != nil {
		return nil
	}
	return ArrayOf(a.Elem, slices.Concat([]Size{n}, a.Shape)...)
}

func (t *typing) tr(a *Type) *Type {
	p := t.op.Perm
	if !IsPerm(p) {
		t.fail(-1, "%s is not a permutation: it must have each of 0 to %d once", intsText(p), len(p)-1)
		return nil
	}
	shape, ok := t.u.Permute(t.op, a.Shape)
	if !ok {
		t.fail(0, "a permutation of %s for %s", countOf(len(p), "axis", "axes"), described{a})
		return nil
	}
	return ArrayOf(a.Elem, shape...)
}

func (t *typing) reshape(a *Type) *Type {
	if !t.u.Products(a.Shape, t.op.Sizes) {
		t.fail(0, "%s has %s elements, and shape %s has %s",
			a, Product(a.Shape), shapeText(t.op.Sizes), Product(t.op.Sizes))
		return nil
	}
	return ArrayOf(a.Elem, t.op.Sizes...)
}

func (t *typing) elementwise() *Type {
	o := t.sig.Operator(t.op.Sym)
	for k := range t.kids {
		if t.array(k) == nil {
			return nil
		}
	}
	a := t.kids[0]
	for k := 1; k < len(t.kids); k++ {
		if !t.sameShape(k, a, t.kids[k], "the operands of "+o.surface()) {
			return nil
		}
	}
	first, result := 0, a.Elem
	var among []Elem
	switch o.kind {
	case numToNum:
		among = []Elem{R, I}
	case realToR:
		among = []Elem{R}
	case intToI:
		among = []Elem{I}
	case numToB:
		among, result = []Elem{R, I}, B
	case anyToB:
		among, result = []Elem{R, I, B}, B
	case boolToB:
		among = []Elem{B}
	case realToI:
		among, result = []Elem{R}, I
	case intToR:
		among, result = []Elem{I}, R
	case whereKind:
		if !t.u.ElemIn(a.Elem, B) {
			t.fail(0, "the mask of where must be of type B, not %s", a)
			return nil
		}
		first, among, result = 1, []Elem{R, I, B}, t.kids[1].Elem
	}
	for k := first; k < len(t.kids); k++ {
		if !t.u.ElemIn(t.kids[k].Elem, among...) {
			have := t.kids[k].Elem
			t.fail(k, "%s works on elements of type %s, not %s%s", o.surface(), elemList(among), have, toElem(among[0], have))
			return nil
		}
		if k > first && !t.sameElem(k, t.kids[first], t.kids[k]) {
			return nil
		}
	}
	return ArrayOf(result, a.Shape...)
}

func (t *typing) sameElem(k int, a, b *Type) bool {
	if t.u.Elems(a.Elem, b.Elem) {
		return true
	}
	hint := ""
	if toElem(a.Elem, b.Elem) != "" {
		hint = " (an I becomes an R by real, an R an I by floor or round)"
	}
	t.fail(k, "elements of type %s and of type %s do not go together%s", a.Elem, b.Elem, hint)
	return false
}

// toElem tells how to make an element type of the one that is there.
func toElem(want, have Elem) string {
	switch {
	case want == R && have == I:
		return " (write real …)"
	case want == I && have == R:
		return " (write floor … or round …)"
	}
	return ""
}

func (t *typing) sameShape(k int, a, b *Type, what string) bool {
	if t.u.Shapes(a.Shape, b.Shape) {
		return true
	}
	if len(a.Shape) != len(b.Shape) {
		t.fail(k, "%s must have one shape: %s against %s", what, described{a}, described{b})
		return false
	}
	i := t.differ(a.Shape, b.Shape)
	t.fail(k, "%s must have one shape: axis %d has size %s in %s and %s in %s", what, i, a.Shape[i], a, b.Shape[i], b)
	return false
}

// differ is the first axis in which two shapes differ, for a message.
func (t *typing) differ(a, b []Size) int {
	for i := range min(len(a), len(b)) {
		if !t.u.Sizes(a[i], b[i]) {
			return i
		}
	}
	return 0
}

// elemList lists element types, as in "R or I".
func elemList(es []Elem) string {
	names := make([]string, len(es))
	for i, e := range es {
		names[i] = e.String()
	}
	return strings.Join(names, " or ")
}

// described says what a type is, for a sentence, when it is printed.
type described struct{ *Type }

func (d described) String() string {
	switch t := d.Type; t.Kind {
	case KArray:
		if len(t.Shape) == 0 {
			return "a scalar " + t.Elem.String()
		}
		return fmt.Sprintf("the array %s of rank %d", t, len(t.Shape))
	case KTuple:
		return "the tuple " + t.String()
	case KLin:
		return "a linear map " + t.String()
	case KFun:
		return "a function " + t.String()
	}
	return d.Type.String()
}

// countOf is "1 index", "2 indices", "3 operands".
func countOf(n int, noun ...string) string {
	if n == 1 {
		return "1 " + noun[0]
	}
	if len(noun) > 1 {
		return fmt.Sprintf("%d %s", n, noun[1])
	}
	return fmt.Sprintf("%d %ss", n, noun[0])
}

// intsText prints a list of numbers, "[1, 0]".
func intsText(ns []int) string {
	parts := make([]string, len(ns))
	for i, n := range ns {
		parts[i] = strconv.Itoa(n)
	}
	return "[" + strings.Join(parts, ", ") + "]"
}
