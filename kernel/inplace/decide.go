package inplace

import (
	"slices"

	"egad/kernel"
	"egad/kernel/sparsity"
	"egad/term/ops"
)

// maxAtoms bounds the conditions by which a sum of choices is decided.
const maxAtoms = 4

// decided is a sum of choices between an old value and 0 of which one at most is the old one, as choices
// of one condition each between the two, or nil:
//
//	where (a and b) x 0 + where (not a and b) x 0
//
// is where b x 0, but that -0 + 0 is 0.
func decided(v, old *kernel.Value, known []sparsity.Truth) *kernel.Value {
	x := &sparsity.Knower{Known: known, Made: map[*kernel.Value]*kernel.Value{old: old}}
	is, atom := decision(x.Value(v), old)
	switch {
	case atom == nil:
		return is
	case len(known) == maxAtoms:
		return nil
	}
	var ways [2]*kernel.Value
	for i, one := range []bool{true, false} {
		if ways[i] = decided(v, old, append(slices.Clone(known), sparsity.Truth{Of: atom, One: one})); ways[i] == nil {
			return nil
		}
	}
	if ways[0] == ways[1] || ways[0].IsZero() && ways[1].IsZero() {
		return ways[0]
	}
	return kernel.RealOf(ops.SymWhere, atom, ways[0], ways[1])
}

// decision is what a sum of choices is: the old value, 0 or nil for something else; or a truth value by which it is
// decided, of which others are made.
func decision(v, old *kernel.Value) (is, atom *kernel.Value) {
	switch {
	case v == old, v.IsZero():
		return v, nil
	case v.Kind != kernel.Compute:
	case v.Op == ops.SymWhere:
		for atom = v.Args[0]; atom.Kind == kernel.Compute && (atom.Op == ops.SymNot || atom.Op == ops.SymAnd || atom.Op == ops.SymOr); {
			atom = atom.Args[0]
		}
	case v.Op == ops.SymAdd:
		x, atom := decision(v.Args[0], old)
		if atom != nil {
			return nil, atom
		}
		y, atom := decision(v.Args[1], old)
		switch {
		case atom != nil || x == nil || y == nil:
			return nil, atom
		case x.IsZero():
			return y, nil
		case y.IsZero():
			return x, nil
		}
	}
	return nil, atom
}
