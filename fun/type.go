package fun

import (
	"slices"
	"strings"

	"egad/internal/slice"
	"egad/term/types"
)

// Kind tells the forms of a [Type] apart. Those above [FirstTarget] are of the target
// languages of transformations.
type Kind uint8

// The kinds of types of the core.
const (
	KVar   Kind = iota // a type that is not known yet, in inference
	KReal              // R
	KInt               // I
	KUnit              // ()
	KProd              // A * B: pairs
	KSum               // A + B
	KFun               // A -> B
	KArray             // A[_], arrays of any length

	FirstTarget
)

// Type is the type of a term. Types are immutable; compare them by [Type.Equal].
type Type struct {
	Kind  Kind
	Parts []*Type
	// Form says what a type of a target language is.
	Form *TypeForm
	// Name tells types of one form apart that have no parts, as variables.
	Name string
}

// TypeForm is a former of types of a target language, as "M".
type TypeForm struct {
	Name string
	// Infix is the sign between two parts, if it is written so.
	Infix string
	// Zero is the value that stands outside of an array of it, if it may be an element.
	Zero Value
}

// The types without parts.
var (
	Real = &Type{Kind: KReal}
	Int  = &Type{Kind: KInt}
	Unit = &Type{Kind: KUnit}
	// Bool is () + (), with true on the left.
	Bool = Sum(Unit, Unit)
)

// Prod is the type of pairs.
func Prod(a, b *Type) *Type { return &Type{Kind: KProd, Parts: []*Type{a, b}} }

// Sum is the type of values of either side.
func Sum(a, b *Type) *Type { return &Type{Kind: KSum, Parts: []*Type{a, b}} }

// Fun is the type of functions.
func Fun(a, b *Type) *Type { return &Type{Kind: KFun, Parts: []*Type{a, b}} }

// Array is the type of arrays.
func Array(a *Type) *Type { return &Type{Kind: KArray, Parts: []*Type{a}} }

// nested is the type of arrays of so many axes: of arrays, where there are several.
func nested(of *Type, axes int) *Type {
	for range axes {
		of = Array(of)
	}
	return of
}

// Of makes a type of a form.
func (f *TypeForm) Of(parts ...*Type) *Type { return &Type{Kind: FirstTarget, Form: f, Parts: parts} }

// Tuple is the type of tuples, which are pairs nested to the left: (A, B, C) is
// (A * B) * C. Of nothing it is (), and of one type that type.
func Tuple(ts ...*Type) *Type {
	if len(ts) == 0 {
		return Unit
	}
	out := ts[0]
	for _, t := range ts[1:] {
		out = Prod(out, t)
	}
	return out
}

// Components are the types of the components of a tuple of n; nil if t is no type of such.
func (t *Type) Components(n int) []*Type {
	out := make([]*Type, n)
	for k := n - 1; k > 0; k-- {
		if t.Kind != KProd {
			return nil
		}
		t, out[k] = t.Parts[0], t.Parts[1]
	}
	out[0] = t
	return out
}

// Equal reports whether t and u are the same type.
func (t *Type) Equal(u *Type) bool {
	return t == u || t.Kind == u.Kind && t.Form == u.Form && t.Name == u.Name && slices.EqualFunc(t.Parts, u.Parts, (*Type).Equal)
}

// FirstOrder reports whether no function is part of a value of type t.
func (t *Type) FirstOrder() bool {
	return t.Kind != KFun && !slices.ContainsFunc(t.Parts, func(p *Type) bool { return !p.FirstOrder() })
}

// unknown reports whether a part of t is not known yet.
func (t *Type) unknown() bool {
	return t.Kind == KVar || slices.ContainsFunc(t.Parts, (*Type).unknown)
}

// HasReals reports whether there may be reals in a value of type t.
func (t *Type) HasReals() bool {
	return t.Kind == KReal || slices.ContainsFunc(t.Parts, (*Type).HasReals)
}

// MapParts is t with what f makes of its parts.
func (t *Type) MapParts(f func(*Type) *Type) *Type {
	if len(t.Parts) == 0 {
		return t
	}
	out := *t
	out.Parts = slice.Map(t.Parts, f)
	return &out
}

// Elem is the element type of the array language that a scalar type is.
func (t *Type) Elem() (e types.Elem, ok bool) {
	switch {
	case t.Kind == KReal:
		return types.R, true
	case t.Kind == KInt:
		return types.I, true
	case t.Equal(Bool):
		return types.B, true
	}
	return types.NoElem, false
}

// OfElem is the type of the elements of arrays of e.
func OfElem(e types.Elem) *Type {
	switch e {
	case types.R:
		return Real
	case types.I:
		return Int
	}
	return Bool
}

// The strengths with which parts of types bind.
const (
	typeFun = iota
	typeSum
	typeProd
	typeApp
	typeAtom
)

func (t *Type) String() string { return t.in(typeFun) }

// in is a type as an operand.
func (t *Type) in(prec int) string {
	var b strings.Builder
	t.write(&b, prec)
	return b.String()
}

func (t *Type) write(b *strings.Builder, prec int) {
	infix := func(sign string, at, left, right int) {
		if prec > at {
			b.WriteByte('(')
		}
		t.Parts[0].write(b, left)
		b.WriteString(" " + sign + " ")
		t.Parts[1].write(b, right)
		if prec > at {
			b.WriteByte(')')
		}
	}
	switch {
	case t.Kind == KVar:
		b.WriteString(t.Name)
	case t.Kind == KReal:
		b.WriteByte('R')
	case t.Kind == KInt:
		b.WriteByte('I')
	case t.Kind == KUnit:
		b.WriteString("()")
	case t.Kind == KProd:
		b.WriteByte('(')
		for i, p := range t.Parts {
			if i > 0 {
				b.WriteString(", ")
			}
			p.write(b, typeFun)
		}
		b.WriteByte(')')
	case t.Equal(Bool):
		b.WriteByte('B')
	case t.Kind == KSum:
		infix("+", typeSum, typeSum, typeProd)
	case t.Kind == KFun:
		infix("->", typeFun, typeSum, typeFun)
	case t.Kind == KArray:
		t.Parts[0].write(b, typeAtom)
		b.WriteString("[_]")
	case t.Form.Infix != "":
		infix(t.Form.Infix, typeFun, typeSum, typeSum)
	default:
		many := len(t.Parts) > 0 && prec > typeApp
		if many {
			b.WriteByte('(')
		}
		b.WriteString(t.Form.Name)
		for _, p := range t.Parts {
			b.WriteByte(' ')
			p.write(b, typeAtom)
		}
		if many {
			b.WriteByte(')')
		}
	}
}
