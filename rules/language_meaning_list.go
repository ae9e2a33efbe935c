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
	as     term.Sym    // the function
	elems  []term.Elem // what operands are, those of a list all the last
	Result term.Elem
}

// MeantOp says how terms of an operator are translated; it is nil if it is applied to its
// operands alone.
func (m *Meaning) MeantOp(d *term.Sorted, as term.Sym) *MeantOp {
	if len(d.Attrs) == 0 && !d.List() {
		return nil
	}
	o := &MeantOp{of: d, as: as, Result: m.l.Elem[d.Result]}
	for _, c := range d.Children {
		o.elems = append(o.elems, m.l.Elem[c.Type])
	}
	return o
}

// Kid is the type of what stands at place i among the operands.
func (o *MeantOp) Kid(i int) *term.Type { return term.ArrayOf(o.elems[min(i, len(o.elems)-1)]) }

// meant is what an operator with attributes means, applied to what its operands mean.
func (b *builder) meant(o *MeantOp, op term.Op, kids []slot.Ref) slot.Ref {
	var args []slot.Ref
	naturals := func(ss []term.Size) []slot.Ref {
		return slice.Map(ss, b.sizeInt)
	}
	sizes := op.Sizes
	for i, a := range o.of.Attrs {
		switch a.Kind {
		case term.AttrNumber:
			args = append(args, b.fill(op.Const.Fill, nil))
		case term.AttrPerm:
			args = append(args, b.array(term.I, slice.Map(op.Perm, func(k int) slot.Ref { return b.int(int64(k)) })))
		case term.AttrNatural:
			args, sizes = append(args, b.sizeInt(sizes[0])), sizes[1:]
		case term.AttrNaturals:
			n := len(sizes) - o.of.NaturalsAfter(i)
			args, sizes = append(args, b.array(term.I, naturals(sizes[:n]))), sizes[n:]
		}
	}
	if o.of.List() {
		fixed := len(o.of.Children) - 1
		kids = append(kids[:fixed:fixed], b.array(o.elems[fixed], kids[fixed:]))
	}
	return b.apply(o.as, append(args, kids...)...)
}

// array is the array of scalars.
func (b *builder) array(e term.Elem, of []slot.Ref) slot.Ref {
	if len(of) == 0 {
		return b.fill(term.ScalarZero(e), []term.Size{term.SizeConst(0)})
	}
	return b.apply(term.SymStack, of...)
}
