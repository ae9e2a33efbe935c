package term

import (
	"slices"

	"egad/term/ops"
	"egad/term/size"
	"egad/term/types"
)

// Linear maps that are applied have no arrays without elements in their types: no axis of
// size 0 enters an e-graph, and nothing goes that way.

// dense is a type of values without the arrays that have no elements; nil if none is left.
func dense(t *types.Type) *types.Type {
	if t.Kind != types.KTuple {
		if t.HasEmptyAxis() {
			return nil
		}
		return t
	}
	var parts []*types.Type
	for _, p := range t.Parts {
		if p = dense(p); p != nil {
			parts = append(parts, p)
		}
	}
	if parts == nil {
		return nil
	}
	return types.TupleOf(parts...)
}

// sparse reports whether an array in a type has no elements.
func sparse(t *types.Type) bool {
	return t.Kind == types.KArray && t.HasEmptyAxis() || slices.ContainsFunc(t.Parts, sparse)
}

// mentionsEmpty reports whether a linear map has an array without elements in its type or in
// that of a map that it is made of. What a map is made of must be known.
func (s *Store) mentionsEmpty(m Term) bool {
	found, known := false, true
	s.Walk(m, func(t Term) {
		if s.Type(t).Kind == types.KLin {
			found, known = found || sparse(s.Type(t)), known && s.sig.Operator(s.Op(t).Sym).Linear
		}
	})
	return found && known
}

// ApplyDense applies a linear map to a value. No array without elements is in the types of the
// maps that do so.
func (s *Store) ApplyDense(m, x Term) Term {
	if !s.mentionsEmpty(m) {
		return s.Apply(ops.SymLapply, m, x)
	}
	from, to := s.Type(m).Parts[0], s.Type(m).Parts[1]
	dense := s.denseMap(m)
	if dense == nil {
		return s.Zeros(to)
	}
	return s.sparsely(to, s.Apply(ops.SymLapply, *dense, s.densePart(from, x)))
}

// densePart is a value of type t without the arrays that have no elements.
func (s *Store) densePart(t *types.Type, x Term) Term {
	if t.Kind != types.KTuple {
		return x
	}
	var parts []Term
	for i, p := range t.Parts {
		if dense(p) != nil {
			parts = append(parts, s.densePart(p, s.Proj(i, x)))
		}
	}
	return s.Apply(ops.SymTuple, parts...)
}

// sparsely is the value of type t whose dense part is x.
func (s *Store) sparsely(t *types.Type, x Term) Term {
	if t.Kind != types.KTuple {
		return x
	}
	k, parts := 0, make([]Term, len(t.Parts))
	for i, p := range t.Parts {
		if dense(p) == nil {
			parts[i] = s.Zeros(p)
			continue
		}
		parts[i] = s.sparsely(p, s.Proj(k, x))
		k++
	}
	return s.Apply(ops.SymTuple, parts...)
}

// denseMap is a map between the dense parts of its types; nil if it is 0, as one to or from
// nothing is.
func (s *Store) denseMap(m Term) *Term {
	from, to := s.Type(m).Parts[0], s.Type(m).Parts[1]
	if dense(from) == nil || dense(to) == nil {
		return nil
	}
	v := s.Open(m)
	made := func(op ops.Op, kids ...Term) *Term {
		t := s.MustMake(op, v.Own, v.Binders, kids)
		return &t
	}
	kid := func(i int) Term {
		if k := s.denseMap(v.Kids[i]); k != nil {
			return *k
		}
		t := s.Type(v.Kids[i])
		return s.MustMake(ops.Op{Sym: ops.SymLzero, Type: dense(t.Parts[0]), Type2: dense(t.Parts[1])}, nil, nil, nil)
	}
	// each are the maps of which side k has elements.
	each := func(k int) *Term {
		var out []Term
		for i, x := range v.Kids {
			if dense(s.Type(x).Parts[k]) != nil {
				out = append(out, kid(i))
			}
		}
		return made(v.Op, out...)
	}
	// component is where component n of a tuple is in the dense part.
	component := func(t *types.Type, n int) int {
		k := 0
		for _, p := range t.Parts[:n] {
			if dense(p) != nil {
				k++
			}
		}
		return k
	}
	op := v.Op
	switch op.Sym {
	case ops.SymLone:
		op.Type = dense(from)
		return made(op)
	case ops.SymLzero:
		return nil
	case ops.SymLcompose:
		if dense(s.Type(v.Kids[1]).Parts[1]) == nil {
			return nil
		}
		return made(op, kid(0), kid(1))
	case ops.SymLadd:
		return made(op, kid(0), kid(1))
	case ops.SymLpair:
		return each(1)
	case ops.SymLjoin:
		return each(0)
	case ops.SymLproj:
		op.N, op.Type = component(from, op.N), dense(from)
		return made(op)
	case ops.SymLinj:
		op.N, op.Type = component(to, op.N), dense(to)
		return made(op)
	case ops.SymLtranspose, ops.SymLbuild, ops.SymLbuildT:
		return made(op, kid(0))
	case ops.SymLstates:
		if op.Sizes[0].IsConst(0) {
			t := s.firstState(dense(from))
			return &t
		}
		return made(op, v.Kids[0], kid(1))
	}
	return &m
}

// firstState is the map to the states of a loop of no steps, from a tuple of the first one.
func (s *Store) firstState(from *types.Type) Term {
	first := s.MustMake(ops.Op{Sym: ops.SymLproj, Type: from}, nil, nil, nil)
	one := func(t *types.Type, m Term) Term {
		return s.Apply(ops.SymLcompose, s.MustMake(ops.Op{Sym: ops.SymReplicate, Sizes: []size.Size{size.Const(1)}}.MapOn(t), nil, nil, nil), m)
	}
	var all func(t *types.Type, m Term) Term
	all = func(t *types.Type, m Term) Term {
		if t.Kind != types.KTuple {
			return one(t, m)
		}
		parts := make([]Term, len(t.Parts))
		for i, p := range t.Parts {
			parts[i] = all(p, s.Apply(ops.SymLcompose, s.MustMake(ops.Op{Sym: ops.SymLproj, N: i, Type: t}, nil, nil, nil), m))
		}
		return s.Apply(ops.SymLpair, parts...)
	}
	return all(from.Parts[0], first)
}
