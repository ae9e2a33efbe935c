package term

import (
	"egad/internal/slice"
	"egad/term/ops"
)

// BuildOver gives the array of x for all values of the index variables on which t depends, with an axis
// for each, in their order.
func (s *Store) BuildOver(t, x Term) Term {
	sizes := ops.Ranges(s.Vars(t))
	for i := len(t.Args) - 1; i >= 0; i-- {
		x = s.MustMake(ops.Op{Sym: ops.SymBuild, Sizes: sizes[i : i+1]}, nil, t.Args[i:i+1], []Term{x})
	}
	return x
}

// Ivars gives the index variables on which t depends, in their order.
func (s *Store) Ivars(t Term) []Term {
	return slice.Make(len(t.Args), func(i int) Term { return s.Ivar(t.Args[i], s.Vars(t)[i].Size) })
}
