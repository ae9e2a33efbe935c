package rules

import (
	"egad/internal/slice"
	"egad/slot"
	"egad/term"
)

// MeantOp says what an operator of a language means that has a list of operands or
// attributes: a function of its attributes, in the order of the declaration, and of its
// operands. Lists are arrays.
type MeantOp struct {
	of     *term.Sorted
	As     term.Sym    // the function
	elems  []term.Elem // what operands are, those of a list all the last
	Result term.Elem
}

// MeantOp says how terms of an operator are translated; it is nil if it is applied to its
// operands alone.
func (m *Meaning) MeantOp(d *term.Sorted, as term.Sym) *MeantOp {
	if len(d.Attrs) == 0 && !d.List() {
		return nil
	}
	o := &MeantOp{of: d, As: as, Result: m.l.Elem[d.Result]}
	for _, c := range d.Children {
		o.elems = append(o.elems, m.l.Elem[c.Type])
	}
	return o
}

// Kid is the type of what stands at place i among the operands.
func (o *MeantOp) Kid(i int) *term.Type { return term.ArrayOf(o.elems[min(i, len(o.elems)-1)]) }

// Apply is what an operator with attributes means, applied to what its operands mean, where
// make makes a term, and size a size as an integer.
func (o *MeantOp) Apply(op term.Op, kids []slot.Ref, make func(op term.Op, kids []slot.Ref) slot.Ref, size func(term.Size) slot.Ref) slot.Ref {
	array := func(e term.Elem, of []slot.Ref) slot.Ref {
		if len(of) == 0 {
			none := term.ArrayOf(e, term.SizeConst(0))
			return make(term.Op{Sym: term.SymConst, Const: term.ConstFill(term.ScalarZero(e)), Type: none}, nil)
		}
		return make(term.Op{Sym: term.SymStack}, of)
	}
	var args []slot.Ref
	sizes := op.Sizes
	for i, a := range o.of.Attrs {
		switch a.Kind {
		case term.AttrNumber:
			args = append(args, make(term.Op{Sym: term.SymConst, Const: op.Const, Type: term.ArrayOf(term.R)}, nil))
		case term.AttrPerm:
			args = append(args, array(term.I, slice.Map(op.Perm, func(k int) slot.Ref { return size(term.SizeConst(int64(k))) })))
		case term.AttrNatural:
			args, sizes = append(args, size(sizes[0])), sizes[1:]
		case term.AttrNaturals:
			n := len(sizes) - o.of.NaturalsAfter(i)
			args, sizes = append(args, array(term.I, slice.Map(sizes[:n], size))), sizes[n:]
		}
	}
	if o.of.List() {
		fixed := len(o.of.Children) - 1
		kids = append(kids[:fixed:fixed], array(o.elems[fixed], kids[fixed:]))
	}
	return make(term.Op{Sym: o.As}, append(args, kids...))
}
