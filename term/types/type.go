package types

import (
	"fmt"
	"slices"
	"strings"

	"egad/internal/slice"
	"egad/term/size"
)

// Kind tells the forms of a [Type] apart.
type Kind uint8

// The forms of types.
const (
	KArray Kind = iota // Elem and Shape; a scalar has an empty Shape
	KTuple             // Parts
	KLin               // linear map from Parts[0] to Parts[1]
	KFun               // function from Parts[:n-1] to Parts[n-1]; source programs only
	KVar               // a type variable of a rule, called Name
	KSort              // a sort of a language that a rule file declares, called Name
	KEach              // in a rule, as many components or operands of type Parts[0] as Shape[0] says
)

// Type is the type of a term. Types are immutable.
type Type struct {
	Kind  Kind
	Elem  Elem
	Shape []size.Size
	Parts []*Type
	Name  string
	// Rows says that a tuple of arrays was written as an array of tuples, with so many
	// axes: it is read and printed as such, and means the same.
	Rows int
	// Sum says that a tuple of a truth value and two values is one of a sum: inr of the
	// second of these if it is true, else inl of the first. It is read and printed as such.
	Sum bool
	// Sides says that a tuple is of the real parts of both sides of a sum (see
	// [Type.RealPart]).
	Sides bool
}

// ArrayOf returns the type of arrays of e with the given shape.
func ArrayOf(e Elem, shape ...size.Size) *Type { return &Type{Kind: KArray, Elem: e, Shape: shape} }

// TupleOf returns the type of tuples.
func TupleOf(parts ...*Type) *Type { return &Type{Kind: KTuple, Parts: parts} }

// SumOf returns the type of values of a or of b, which is a tuple.
func SumOf(a, b *Type) *Type {
	out := TupleOf(ArrayOf(B), a, b)
	out.Sum = true
	return out
}

// LinOf returns the type of linear maps from s to t.
func LinOf(s, t *Type) *Type { return &Type{Kind: KLin, Parts: []*Type{s, t}} }

// FunOf returns the type of functions.
func FunOf(params []*Type, result *Type) *Type {
	return &Type{Kind: KFun, Parts: append(slices.Clone(params), result)}
}

// ArrayOfShape returns the type of an array of known shape.
func ArrayOfShape(e Elem, shape []int) *Type {
	return ArrayOf(e, slice.Map(shape, func(n int) size.Size { return size.Const(int64(n)) })...)
}

// EachOf returns the type of each of n components of a tuple, or operands, of a rule.
func EachOf(n size.Size, t *Type) *Type {
	return &Type{Kind: KEach, Shape: []size.Size{n}, Parts: []*Type{t}}
}

// IsScalar reports whether t is a rank-0 array of e.
func (t *Type) IsScalar(e Elem) bool {
	return t.Kind == KArray && len(t.Shape) == 0 && t.Elem == e
}

// Rank returns the number of axes of an array type.
func (t *Type) Rank() int { return len(t.Shape) }

// Equal reports whether t and u are the same type.
func (t *Type) Equal(u *Type) bool {
	if t == u {
		return true
	}
	return t.Kind == u.Kind && t.Elem == u.Elem && t.Name == u.Name &&
		size.Equal(t.Shape, u.Shape) && slices.EqualFunc(t.Parts, u.Parts, (*Type).Equal)
}

// Subst replaces named sizes in t.
func (t *Type) Subst(env map[string]size.Size) *Type {
	if len(env) == 0 {
		return t
	}
	out := *t
	out.Shape = SubstSizes(t.Shape, env)
	out.Parts = slice.Map(t.Parts, func(p *Type) *Type { return p.Subst(env) })
	return &out
}

// At is t with values for named sizes.
func (t *Type) At(sizes map[string]int64) *Type {
	env := make(map[string]size.Size, len(sizes))
	for name, n := range sizes {
		env[name] = size.Const(n)
	}
	return t.Subst(env)
}

// SubstSizes replaces named sizes in each of ss.
func SubstSizes(ss []size.Size, env map[string]size.Size) []size.Size {
	return slice.Map(ss, func(s size.Size) size.Size { return s.Subst(env) })
}

// Has reports whether t is of a kind, or a component of it is.
func (t *Type) Has(k Kind) bool {
	return t.Kind == k || t.Kind == KTuple && slices.ContainsFunc(t.Parts, func(p *Type) bool { return p.Has(k) })
}

// HasEmptyAxis reports whether some axis of an array type is the constant 0.
func (t *Type) HasEmptyAxis() bool {
	return slices.ContainsFunc(t.Shape, func(s size.Size) bool { return s.IsConst(0) })
}

// Elements returns the number of elements of an array type, or of all arrays of a
// tuple type.
func (t *Type) Elements() size.Size {
	if t.Kind == KArray {
		return size.Product(t.Shape)
	}
	sum := size.Const(0)
	for _, p := range t.Parts {
		sum = sum.Add(p.Elements())
	}
	return sum
}

// Differentiable reports whether a value of type t has a real part: whether t
// is an array of R or a tuple with one.
func (t *Type) Differentiable() bool {
	switch t.Kind {
	case KArray:
		return t.Elem == R
	case KTuple:
		return slices.ContainsFunc(t.Parts, (*Type).Differentiable)
	}
	return false
}

// IsVector reports whether t is an array of reals or a tuple of such; real says of which element
// types it is.
func (t *Type) IsVector(real func(Elem) bool) bool {
	switch t.Kind {
	case KArray:
		return real(t.Elem)
	case KTuple:
		return !slices.ContainsFunc(t.Parts, func(p *Type) bool { return !p.IsVector(real) })
	}
	return false
}

// RealPart returns t without the parts that have no derivative, nil if nothing is
// left.
func (t *Type) RealPart() *Type {
	if t.Kind != KTuple {
		if t.Differentiable() {
			return t
		}
		return nil
	}
	var parts []*Type
	for _, p := range t.Parts {
		if r := p.RealPart(); r != nil {
			parts = append(parts, r)
		}
	}
	if len(parts) == 0 {
		return nil
	}
	out := TupleOf(parts...)
	out.Rows, out.Sides = t.Rows, t.Sum
	return out
}

// Change is the type of a change of values of t: that of the real arrays in it, together.
func (t *Type) Change() *Type {
	r := t.RealPart()
	if r != nil && r.Kind == KTuple && len(r.Parts) == 1 {
		return r.Parts[0]
	}
	return r
}

// WrittenAs is t with the arrays of tuples of u, a type of the same form.
func (t *Type) WrittenAs(u *Type) *Type {
	if t.Kind != KTuple || u == nil || len(u.Parts) != len(t.Parts) {
		return t
	}
	out := TupleOf(slices.Clone(t.Parts)...)
	out.Rows, out.Sum, out.Sides = u.Rows, u.Sum, u.Sides
	for i, p := range t.Parts {
		out.Parts[i] = p.WrittenAs(u.Parts[i])
	}
	return out
}

// String prints t as the language of array programs reads it.
func (t *Type) String() string { return t.text(0, false) }

// Written is how a program writes t: tuples that hold values of a sum as that sum.
func (t *Type) Written() string { return t.text(0, true) }

// text prints t; prec 1 asks for parentheses around arrows, and 2 also around sums, which are
// written as such if sums is set.
func (t *Type) text(prec int, sums bool) string {
	switch t.Kind {
	case KArray:
		if len(t.Shape) == 0 {
			return t.Elem.String()
		}
		return t.Elem.String() + ShapeText(t.Shape)
	case KTuple:
		if t.Rows > 0 {
			if e, shape := t.Element(); len(shape) == t.Rows {
				return e.text(2, sums) + ShapeText(shape)
			}
		}
		if sums && t.Sum {
			s := t.Parts[1].text(1, true) + " + " + t.Parts[2].text(2, true)
			if prec > 1 {
				s = "(" + s + ")"
			}
			return s
		}
		parts := slice.Map(t.Parts, func(p *Type) string { return p.text(0, sums) })
		if len(parts) == 1 {
			parts[0] += ","
		}
		return "(" + strings.Join(parts, ", ") + ")"
	case KVar, KSort:
		return t.Name
	case KEach:
		return t.Parts[0].text(1, sums) + "..."
	}
	arrow := " -> "
	if t.Kind == KLin {
		arrow = " -o "
	}
	s := strings.Join(slice.Map(t.Parts, func(p *Type) string { return p.text(1, sums) }), arrow)
	if prec > 0 {
		s = "(" + s + ")"
	}
	return s
}

// Key is equal for equal types and differs otherwise.
func (t *Type) Key() string {
	var b strings.Builder
	t.WriteKey(&b)
	return b.String()
}

// WriteKey writes [Type.Key].
func (t *Type) WriteKey(b *strings.Builder) {
	switch t.Kind {
	case KArray:
		b.WriteString(t.Elem.String())
		WriteSizes(b, t.Shape)
		return
	case KVar:
		b.WriteString("'" + t.Name)
		return
	case KSort:
		b.WriteString("s" + t.Name)
		return
	}
	b.WriteByte("xTLF"[t.Kind])
	b.WriteByte('(')
	for _, p := range t.Parts {
		p.WriteKey(b)
		b.WriteByte(',')
	}
	b.WriteByte(')')
}

// WriteSizes writes a text that is equal for equal shapes and differs otherwise.
func WriteSizes(b *strings.Builder, ss []size.Size) {
	b.WriteByte('[')
	for _, s := range ss {
		b.WriteString(s.Key())
		b.WriteByte(',')
	}
	b.WriteByte(']')
}

// ShapeText prints a list of sizes, "[n, 3]".
func ShapeText(ss []size.Size) string {
	return "[" + strings.Join(slice.Map(ss, size.Size.String), ", ") + "]"
}

// Described says what a type is, for a sentence.
func (t *Type) Described() string {
	switch t.Kind {
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
	return t.String()
}

// Element returns the type of the elements of an array of tuples, and the shape of that.
func (t *Type) Element() (*Type, []size.Size) {
	var shape []size.Size
	var strip func(t *Type) *Type
	strip = func(u *Type) *Type {
		out := *u
		if u.Kind == KTuple {
			out.Parts = slice.Map(u.Parts, strip)
			return &out
		}
		shape, out.Shape = u.Shape[:t.Rows], u.Shape[t.Rows:]
		return &out
	}
	e := strip(t)
	e.Rows = 0
	return e, shape
}

// SortOf is a sort of a language.
func SortOf(name string) *Type { return &Type{Kind: KSort, Name: name} }
