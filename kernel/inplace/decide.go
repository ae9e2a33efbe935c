package inplace

import (
	"maps"

	"egad/kernel"
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
func decided(v, old *kernel.Value, known map[*kernel.Value]bool) *kernel.Value {
	is, atom := decision(v, old, known)
	switch {
	case atom == nil:
		return is
	case len(known) == maxAtoms:
		return nil
	}
	var ways [2]*kernel.Value
	for i, one := range []bool{true, false} {
		also := maps.Clone(known)
		also[atom] = one
		if ways[i] = decided(v, old, also); ways[i] == nil {
			return nil
		}
	}
	if ways[0] == ways[1] || ways[0].IsZero() && ways[1].IsZero() {
		return ways[0]
	}
	return kernel.RealOf(ops.SymWhere, atom, ways[0], ways[1])
}

// decision is what a sum of choices is where truth values are known: the old value, 0 or nil for
// something else; or a truth value that decides it.
func decision(v, old *kernel.Value, known map[*kernel.Value]bool) (is, atom *kernel.Value) {
	switch {
	case v == old, v.IsZero():
		return v, nil
	case v.Kind != kernel.Compute:
		return nil, nil
	case v.Op == ops.SymWhere:
		one, atom := holdsIf(v.Args[0], known)
		switch {
		case atom != nil:
			return nil, atom
		case one:
			return decision(v.Args[1], old, known)
		}
		return decision(v.Args[2], old, known)
	case v.Op == ops.SymAdd:
		x, atom := decision(v.Args[0], old, known)
		if atom != nil {
			return nil, atom
		}
		y, atom := decision(v.Args[1], old, known)
		switch {
		case atom != nil || x == nil || y == nil:
			return nil, atom
		case x.IsZero():
			return y, nil
		case y.IsZero():
			return x, nil
		}
	}
	return nil, nil
}

// holdsIf is a truth value where others are known, or one that decides it.
func holdsIf(c *kernel.Value, known map[*kernel.Value]bool) (one bool, atom *kernel.Value) {
	if one, ok := known[c]; ok {
		return one, nil
	}
	if c.Kind != kernel.Compute {
		return false, c
	}
	switch c.Op {
	case ops.SymNot:
		one, atom = holdsIf(c.Args[0], known)
		return !one, atom
	case ops.SymAnd, ops.SymOr:
		all := c.Op == ops.SymAnd
		one, atom = holdsIf(c.Args[0], known)
		if atom == nil && one != all {
			return one, nil
		}
		also, other := holdsIf(c.Args[1], known)
		switch {
		case other == nil && also != all:
			return also, nil
		case atom != nil:
			return false, atom
		}
		return also, other
	}
	return false, c
}
