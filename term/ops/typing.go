package ops

import (
	"fmt"
	"slices"
	"strings"

	"egad/diag"
	"egad/internal/slice"
	"egad/term/size"
	"egad/term/types"
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
	Sizes(a, b size.Size) bool
	// Shapes is Sizes axis by axis.
	Shapes(a, b []size.Size) bool
	// Products decides whether two shapes have equally many elements.
	Products(a, b []size.Size) bool
	// Rank is how many axes a shape has, which a shape of a rule need not say.
	Rank(shape []size.Size) size.Size
	// Split takes the first n axes off a shape; it is false if there are fewer.
	Split(shape []size.Size, n size.Size) (front, rest []size.Size, ok bool)
	// Permute puts the axes of a shape into the order of the permutation of op; it
	// is false if there are fewer than that has.
	Permute(op Op, shape []size.Size) ([]size.Size, bool)
	// Part is the component of a tuple type that op names; it is false if there is
	// none.
	Part(op Op, t *types.Type) (*types.Type, bool)
	// Some decides whether a list of operands has any.
	Some(count size.Size) bool
	// Arrays is t if it is an array or a tuple; of a type that is not known, one of
	// both is chosen.
	Arrays(t *types.Type) *types.Type
	// Alike decides whether a type of each operand of a list does not depend on the
	// place there.
	Alike(t *types.Type) bool
	Elems(a, b types.Elem) bool
	// ElemIn restricts e to the listed element types.
	ElemIn(e types.Elem, among ...types.Elem) bool
	Types(a, b *types.Type) bool
	// Vector restricts t to the types linear maps act on: arrays of R and
	// tuples of such.
	Vector(t *types.Type) bool
	// Resolve follows type variables that have been solved.
	Resolve(t *types.Type) *types.Type
	// Force is called where a type variable stands and a type of the given kind
	// is needed; the result is t itself if there is nothing to decide.
	Force(t *types.Type, kind types.Kind) *types.Type
}

// Known is what a unifier says of shapes, operands and tuples that have no lists of
// unknown length, as all have but in a rule.
type Known struct{}

// Rank counts.
func (Known) Rank(shape []size.Size) size.Size { return size.Const(int64(len(shape))) }

// Split takes axes off.
func (Known) Split(shape []size.Size, n size.Size) (front, rest []size.Size, ok bool) {
	k, _ := n.Const()
	if k < 0 || k > int64(len(shape)) {
		return nil, nil, false
	}
	return shape[:k], shape[k:], true
}

// Permute permutes axes.
func (Known) Permute(op Op, shape []size.Size) ([]size.Size, bool) {
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
func (Known) Part(op Op, t *types.Type) (*types.Type, bool) {
	if op.N < 0 || op.N >= len(t.Parts) {
		return nil, false
	}
	return t.Parts[op.N], true
}

// Some compares with 0.
func (Known) Some(count size.Size) bool { return !count.IsConst(0) }

// Arrays returns t.
func (Known) Arrays(t *types.Type) *types.Type { return t }

// Alike returns true: no operand is a list.
func (Known) Alike(t *types.Type) bool { return true }

// Equality is the unifier that only compares.
type Equality struct{ Known }

// Sizes compares sizes.
func (Equality) Sizes(a, b size.Size) bool { return a.Equal(b) }

// Shapes compares shapes.
func (Equality) Shapes(a, b []size.Size) bool { return size.Equal(a, b) }

// Products compares numbers of elements.
func (Equality) Products(a, b []size.Size) bool { return size.Product(a).Equal(size.Product(b)) }

// Elems compares element types.
func (Equality) Elems(a, b types.Elem) bool { return a == b }

// ElemIn looks e up.
func (Equality) ElemIn(e types.Elem, among ...types.Elem) bool { return slices.Contains(among, e) }

// Types compares types.
func (Equality) Types(a, b *types.Type) bool { return a.Equal(b) }

// Vector looks at the parts of t.
func (Equality) Vector(t *types.Type) bool {
	return t.IsVector(func(e types.Elem) bool { return e == types.R })
}

// Resolve returns t.
func (Equality) Resolve(t *types.Type) *types.Type { return t }

// Force returns t.
func (Equality) Force(t *types.Type, kind types.Kind) *types.Type { return t }

// MaxRank is how many axes an array can have.
const MaxRank = 64

// typing is one question "what is the type of op applied to kids?".
type typing struct {
	u    Unifier
	o    *Operator
	op   Op
	kids []*types.Type
	err  *TypeError
}

// InferType returns the type of op, which is of the operator o, applied to children of the
// given types (Fig. 8 of the dual-numbers paper; Fig. 3 of Coconut for the linear maps), which
// may have variables that u knows.
func InferType(u Unifier, o *Operator, op Op, kids []*types.Type) (*types.Type, *TypeError) {
	return (&typing{u: u, o: o, op: op, kids: kids}).answer()
}

func (t *typing) answer() (*types.Type, *TypeError) {
	t.kids = slice.Map(t.kids, t.u.Resolve)
	if a := t.o.Arity; a >= 0 && !countKids(t.kids).IsConst(int64(a)) {
		return nil, &TypeError{-1, fmt.Sprintf("%s takes %s, not %d", t.name(), diag.Count(a, "operand"), len(t.kids))}
	}
	r := t.result()
	if t.err == nil && r == nil {
		t.fail(-1, "%s cannot be applied here", t.name())
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
	if t.err == nil {
		t.err = &TypeError{kid, fmt.Sprintf(format, args...)}
	}
}

func (t *typing) result() *types.Type {
	if t.o.Linear && !t.vectors() {
		return nil
	}
	if t.o.typing != nil {
		return t.o.typing(t)
	}
	return nil
}

// name is the operator in a message.
func (t *typing) name() string { return t.o.Name }

// TypeOf returns the type of op applied to children of types without variables.
func TypeOf(o *Operator, op Op, kids []*types.Type) (*types.Type, *TypeError) {
	return InferType(Equality{}, o, op, kids)
}

// kid is the type of child k, or of each of the list that it is.
func (t *typing) kid(k int) *types.Type {
	if t.kids[k].Kind == types.KEach {
		return t.u.Resolve(t.kids[k].Parts[0])
	}
	return t.kids[k]
}

// array demands that child k is an array.
func (t *typing) array(k int) *types.Type {
	if k >= len(t.kids) {
		t.fail(-1, "operand %d is missing", k+1)
		return nil
	}
	a := t.u.Force(t.kid(k), types.KArray)
	if t.kids[k].Kind != types.KEach {
		t.kids[k] = a
	}
	if a.Kind != types.KArray {
		t.fail(k, "expected an array, found %s", a.Described())
		return nil
	}
	return a
}

// scalar demands that child k is a scalar of e; hint says what to do about an array.
func (t *typing) scalar(k int, e types.Elem, what, hint string) {
	if a := t.kid(k); a.Kind == types.KVar {
		if !t.u.Types(a, types.ArrayOf(e)) {
			t.fail(k, "%s must be a scalar", what)
		}
		return
	}
	a := t.array(k)
	if a == nil {
		return
	}
	if !t.u.Shapes(a.Shape, nil) {
		if e == types.I && a.Elem == types.B {
			hint = " (where m a 0 has 0 in place of the elements of a for which m is false)"
		}
		t.fail(k, "%s must be a scalar, and this is %s%s", what, a.Described(), hint)
	} else if !t.u.Elems(a.Elem, e) {
		t.fail(k, "%s must be of type %s, not %s%s", what, e, a, types.Conversion(e, a.Elem))
	}
}

// countKids is how many operands there are, with those of lists.
func countKids(kids []*types.Type) size.Size {
	n := int64(0)
	var lists []size.Size
	for _, k := range kids {
		if k.Kind == types.KEach {
			lists = append(lists, k.Shape[0])
		} else {
			n++
		}
	}
	sum := size.Const(n)
	for _, l := range lists {
		sum = sum.Add(l)
	}
	return sum
}

func (t *typing) sameElem(k int, a, b *types.Type) bool {
	if t.u.Elems(a.Elem, b.Elem) {
		return true
	}
	hint := ""
	if a.Elem != types.B && b.Elem != types.B && types.Conversion(a.Elem, b.Elem) != "" {
		hint = " (an I becomes an R by real, an R an I by floor or round)"
	}
	t.fail(k, "elements of type %s and of type %s do not go together%s", a.Elem, b.Elem, hint)
	return false
}

func (t *typing) sameShape(k int, a, b *types.Type, what string) bool {
	if t.u.Shapes(a.Shape, b.Shape) {
		return true
	}
	if len(a.Shape) != len(b.Shape) {
		t.fail(k, "%s must have one shape: %s against %s%s", what, a.Described(), b.Described(), t.repeated(a.Shape, b.Shape))
		return false
	}
	i := t.differ(a.Shape, b.Shape)
	t.fail(k, "%s must have one shape: axis %d has size %s in %s and %s in %s", what, i, a.Shape[i], a, b.Shape[i], b)
	return false
}

// repeated tells how the smaller of two shapes becomes the other, if by new axes at one
// end.
func (t *typing) repeated(a, b []size.Size) string {
	if len(a) > len(b) {
		a, b = b, a
	}
	n := len(b) - len(a)
	switch {
	case len(a) == 0:
		return ""
	case t.u.Shapes(a, b[n:]):
		return fmt.Sprintf(" (replicate %s x repeats x along new axes in front)", sizesText(b[:n]))
	case n == 1 && len(a) == 1 && t.u.Sizes(a[0], b[0]):
		return fmt.Sprintf(" (tr [1, 0] (replicate %s x) repeats x along a new axis behind)", b[1])
	}
	return ""
}

// sizesText is what replicate is given.
func sizesText(ss []size.Size) string {
	if len(ss) == 1 {
		if _, ok := ss[0].Var(); ok || ss[0].Natural() && len(ss[0].Vars()) == 0 {
			return ss[0].String()
		}
	}
	return types.ShapeText(ss)
}

// differ is the first axis in which two shapes differ, for a message.
func (t *typing) differ(a, b []size.Size) int {
	for i := range min(len(a), len(b)) {
		if !t.u.Sizes(a[i], b[i]) {
			return i
		}
	}
	return 0
}

// elemList lists element types, as in "R or I".
func elemList(es []types.Elem) string {
	return strings.Join(slice.Map(es, types.Elem.String), " or ")
}
