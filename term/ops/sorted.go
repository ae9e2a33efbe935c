package ops

import (
	"slices"
	"strings"

	"egad/internal/slice"
	"egad/term/ast"
	"egad/term/size"
	"egad/term/types"
)

// Sorted is what a rule file says of an operator of a language of its own, as in
//
//	op let [x : E] E x.E : E
//	op shift[n] E... : E
//
// of which the one binds a variable of the sort E in its second operand, and the other has
// a natural number besides any number of operands.
type Sorted struct {
	Name, Doc string
	Attrs     []Attr
	Children  []Child
	Binders   []Binder
	Result    *types.Type
	// Classes are the names of the classes to which it belongs.
	Classes []string
	// Symbol says that it was declared as a symbol, and Relation that its terms are
	// facts, which result in a truth value.
	Symbol, Relation bool
}

// Child is an operand of an operator of a language: its sort, and whether the
// variables that the operator binds are in scope there. The last one may be a list, of
// any number of operands.
type Child struct {
	Type  *types.Type
	Under bool
	List  bool
}

// Attr is a static operand of an operator of a language.
type Attr struct {
	Name string // in the declaration
	Kind AttrKind
}

// AttrKind tells the kinds of an [Attr] apart.
type AttrKind uint8

// The kinds of attributes. Natural numbers, with those of a list, are in Op.Sizes, in
// order; a rational number is Op.Const, and a permutation Op.Perm.
const (
	AttrNatural AttrKind = iota
	AttrNaturals
	AttrNumber
	AttrPerm
)

// Binder is a variable that an operator of a language binds.
type Binder struct {
	Name string // in the declaration
	Type *types.Type
}

// Fact is the type of the facts of a language: truth values.
var Fact = types.ArrayOf(types.B)

// Descriptor returns the descriptor of an operator of a language.
func (d *Sorted) Descriptor() Operator {
	o := Operator{Name: d.Name, Arity: len(d.Children), Sorted: d, Commutative: d.Commutative(), typing: (*typing).sorted}
	if d.List() {
		o.Arity = -1
	}
	o.Bound = append(o.Bound, slice.Map(d.Binders, func(b Binder) *types.Type { return b.Type })...)
	for i, x := range d.Children {
		switch {
		case x.Under && x.List:
			o.Scope |= ^uint64(0) << min(i, 63)
		case x.Under:
			o.Scope |= 1 << min(i, 63) // the last bit is for all that follow
		}
	}
	return o
}

// Form is the form of terms that the name stands for, as a + b, if the operator does not
// have the operands that it has there; "" if it has, or if its name stands for none.
func (d *Sorted) Form() string {
	children, binders, form := 0, 0, d.Name
	switch _, _, infix := ast.InfixStrength(d.Name); {
	case infix:
		children, form = 2, "a "+d.Name+" b"
	case d.Name == "if":
		children, form = 3, "if a then b else c"
	case d.Name == "let":
		children, binders, form = 2, 1, "let x = a in b"
	case d.Name != "true" && d.Name != "false":
		return ""
	}
	if len(d.Children) == children && len(d.Binders) == binders && !d.List() && len(d.Attrs) == 0 && (binders == 0 || !d.Children[0].Under) {
		return ""
	}
	return form
}

// List reports whether it has any number of operands: of those that are declared the last
// stands for a list.
func (d *Sorted) List() bool { return len(d.Children) > 0 && d.Children[len(d.Children)-1].List }

// Child is what is declared of operand i.
func (d *Sorted) Child(i int) Child { return d.Children[min(i, len(d.Children)-1)] }

// Naturals reports whether natural numbers, or a list of them, are among its attributes.
func (d *Sorted) Naturals() bool {
	return slices.ContainsFunc(d.Attrs, func(a Attr) bool { return a.Kind == AttrNatural || a.Kind == AttrNaturals })
}

// complete reports whether op has the attributes of the operator, and no others.
func (d *Sorted) complete(op Op) bool {
	count := make(map[AttrKind]int)
	for _, a := range d.Attrs {
		count[a.Kind]++
	}
	n, list := len(op.Sizes), count[AttrNaturals] > 0
	return (n == count[AttrNatural] || list && n > count[AttrNatural]) &&
		(count[AttrNumber] > 0) == (op.Const != nil) && (op.Const == nil || op.Const.Data == nil && op.Const.Fill.Num.Rat() != nil) && (count[AttrPerm] > 0 || len(op.Perm) == 0) &&
		len(op.Targets) == 0 && op.N == 0 && op.Name == "" && op.Type == nil && op.Type2 == nil
}

// Head is the operator with its attributes, as it is declared.
func (d *Sorted) Head() string {
	if len(d.Attrs) == 0 {
		return d.Name
	}
	out := slice.Map(d.Attrs, func(a Attr) string { return a.Name + map[AttrKind]string{AttrNaturals: "..."}[a.Kind] })
	return d.Name + "[" + strings.Join(out, ", ") + "]"
}

// Text is the operator with its attributes, as it is written.
func (d *Sorted) Text(op Op) string {
	var out []string
	sizes := op.Sizes
	for i, a := range d.Attrs {
		n := 1
		switch a.Kind {
		case AttrNumber:
			out = append(out, op.Const.Fill.String())
			continue
		case AttrPerm:
			out = append(out, slice.Text(op.Perm))
			continue
		case AttrNaturals:
			n = len(sizes) - d.NaturalsAfter(i)
		}
		out = append(out, slice.Map(sizes[:n], size.Size.String)...)
		sizes = sizes[n:]
	}
	if len(d.Attrs) == 0 {
		return d.Name
	}
	return d.Name + "[" + strings.Join(out, ", ") + "]"
}

// Attributed reports whether an operator has attributes or a list of operands.
func (d *Sorted) Attributed() bool { return len(d.Attrs) > 0 || d.List() }

// AttrKinds are the kinds of so many attributes of a term. Those of a list are natural numbers, or
// lists that are put into it. It is false if a term has more or fewer.
func (d *Sorted) AttrKinds(n int) (out []AttrKind, ok bool) {
	for _, a := range d.Attrs {
		k := 1
		if a.Kind == AttrNaturals {
			k = n - len(d.Attrs) + 1
		}
		for range k {
			out = append(out, a.Kind)
		}
	}
	return out, len(out) == n
}

// Natural is the place of an attribute among the natural numbers of a term, from the last one back,
// which is -1, where a list is before it. It is false if no attribute of that name is one.
func (d *Sorted) Natural(name string) (at int, ok bool) {
	list := false
	for i, a := range d.Attrs {
		switch {
		case a.Kind == AttrNaturals:
			list = true
		case a.Kind == AttrNatural && a.Name == name && list:
			return -1 - d.NaturalsAfter(i), true
		case a.Kind == AttrNatural && a.Name == name:
			return at, true
		case a.Kind == AttrNatural:
			at++
		}
	}
	return 0, false
}

// NaturalsAfter counts the natural numbers after attribute i.
func (d *Sorted) NaturalsAfter(i int) (n int) {
	for _, a := range d.Attrs[i+1:] {
		if a.Kind == AttrNatural {
			n++
		}
	}
	return n
}

// Takes reports whether it has so many operands.
func (d *Sorted) Takes(n int) bool {
	return n == len(d.Children) || d.List() && n >= len(d.Children)-1
}

// Commutative reports whether the operator means the same in both orders of its operands.
func (d *Sorted) Commutative() bool { return slices.Contains(d.Classes, "commutative") }

// Known reports whether all of its sorts are known: a file may name one that it does not
// declare.
func (d *Sorted) Known() bool {
	return d.Result != nil && !slices.ContainsFunc(d.Children, func(c Child) bool { return c.Type == nil }) &&
		!slices.ContainsFunc(d.Binders, func(b Binder) bool { return b.Type == nil })
}

// Variables are the names of the variables that the operator binds, as it is declared.
func (d *Sorted) Variables() []string {
	return slice.Map(d.Binders, func(b Binder) string { return b.Name })
}

// sorted types an operator of a language.
func (t *typing) sorted() *types.Type {
	d := t.o.Sorted
	if !d.Takes(len(t.kids)) {
		t.fail(-1, "%s takes other operands", d.Name)
		return nil
	}
	for i, k := range t.kids {
		if want := d.Child(i).Type; !t.u.Types(k, want) {
			t.fail(i, "operand %d of %s has the sort %s, expected %s", i+1, d.Name, k, want)
			return nil
		}
	}
	return d.Result
}
