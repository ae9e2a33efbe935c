package rules

import (
	"egad/internal/slice"
	"egad/slot"
	"egad/term/ops"
	"egad/term/size"
	"egad/term/types"
)

// MeantOp says what an operator of a language means that has a list of operands or
// attributes: a function of its attributes, in the order of the declaration, and of its
// operands. Lists are arrays.
type MeantOp struct {
	of     *ops.Sorted
	As     ops.Sym      // the function
	elems  []types.Elem // what operands are, those of a list all the last
	Result types.Elem
}

// MeantOp says how terms of an operator are translated; it is nil if it is applied to its
// operands alone.
func (m *Meaning) MeantOp(d *ops.Sorted, as ops.Sym) *MeantOp {
	if !d.Attributed() {
		return nil
	}
	o := &MeantOp{of: d, As: as, Result: m.l.Elem[d.Result]}
	for _, c := range d.Children {
		o.elems = append(o.elems, m.l.Elem[c.Type])
	}
	return o
}

// Kid is the type of what stands at place i among the operands.
func (o *MeantOp) Kid(i int) *types.Type { return types.ArrayOf(o.elems[min(i, len(o.elems)-1)]) }

// Apply is what an operator with attributes means, applied to what its operands mean, where
// make makes a term, and size a size as an integer.
func (o *MeantOp) Apply(op ops.Op, kids []slot.Ref, make func(op ops.Op, kids []slot.Ref) slot.Ref, sizeTerm func(size.Size) slot.Ref) slot.Ref {
	array := func(e types.Elem, of []slot.Ref) slot.Ref {
		if len(of) == 0 {
			none := types.ArrayOf(e, size.Const(0))
			return make(ops.Op{Sym: ops.SymConst, Const: ops.ConstFill(ops.ScalarZero(e)), Type: none}, nil)
		}
		return make(ops.Op{Sym: ops.SymStack}, of)
	}
	var args []slot.Ref
	sizes := op.Sizes
	for i, a := range o.of.Attrs {
		switch a.Kind {
		case ops.AttrNumber:
			args = append(args, make(ops.Op{Sym: ops.SymConst, Const: op.Const, Type: types.ArrayOf(types.R)}, nil))
		case ops.AttrPerm:
			args = append(args, array(types.I, slice.Map(op.Perm, func(k int) slot.Ref { return sizeTerm(size.Const(int64(k))) })))
		case ops.AttrNatural:
			args, sizes = append(args, sizeTerm(sizes[0])), sizes[1:]
		case ops.AttrNaturals:
			n := len(sizes) - o.of.NaturalsAfter(i)
			args, sizes = append(args, array(types.I, slice.Map(sizes[:n], sizeTerm))), sizes[n:]
		}
	}
	if o.of.List() {
		fixed := len(o.of.Children) - 1
		kids = append(kids[:fixed:fixed], array(o.elems[fixed], kids[fixed:]))
	}
	return make(ops.Op{Sym: o.As}, append(args, kids...))
}
