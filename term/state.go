package term

import (
	"egad/internal/slice"
	"egad/slot"
	"egad/term/ops"
	"egad/term/types"
)

// States of loops: an array, or a tuple of arrays.

// Component is component k of a state, which may be one array.
func (s *Store) Component(k int, t Term) Term {
	if s.Type(t).Kind != types.KTuple {
		return t
	}
	return s.Proj(k, t)
}

// Packed is one term, or the tuple of several.
func (s *Store) Packed(ts []Term) Term {
	if len(ts) == 1 {
		return ts[0]
	}
	return s.Apply(ops.SymTuple, ts...)
}

// PackedType is the type of one term, or of the tuple of several.
func PackedType(ts []*types.Type) *types.Type {
	if len(ts) == 1 {
		return ts[0]
	}
	return types.TupleOf(ts...)
}

// Arrays is a term in which a state that is called n is made of arrays: components of it
// are these.
func (s *Store) Arrays(t Term, n slot.Name, of []Term) Term {
	t = s.Subst(t, map[slot.Name]Term{n: s.Packed(of)})
	t, _ = s.Rewrite(t, func(_ Term, v View) (Term, bool) {
		if v.Op.Sym != ops.SymProj || s.Op(v.Kids[0]).Sym != ops.SymTuple {
			return Term{}, false
		}
		return s.Proj(v.Op.N, v.Kids[0]), true
	})
	return t
}

// State is the state of a loop as variables, one for each of its arrays.
type State struct {
	Types  []*types.Type
	Names  []slot.Name
	Arrays []Term
}

// StateOf has new variables for the arrays of a state of type t.
func (s *Store) StateOf(t *types.Type) *State {
	x := &State{Types: []*types.Type{t}}
	if t.Kind == types.KTuple {
		x.Types = t.Parts
	}
	x.Names = s.FreshN(len(x.Types))
	for k, t := range x.Types {
		x.Arrays = append(x.Arrays, s.Variable(x.Names[k], ops.VarType{Type: t}))
	}
	return x
}

// In is a term of the variables in which the state is called n; with kept, it has only
// these arrays.
func (x *State) In(s *Store, t Term, n slot.Name, kept ...int) Term {
	if kept == nil {
		kept = slice.Count(0, len(x.Types))
	}
	local, env := s.Variable(n, ops.VarType{Type: PackedType(slice.At(x.Types, kept))}), make(map[slot.Name]Term)
	for i, k := range kept {
		env[x.Names[k]] = s.Component(i, local)
	}
	return s.Subst(t, env)
}

// Needed are the arrays that some terms of the variables read, and those that these need as they
// become what next says, in the order in which they are found.
func (x *State) Needed(s *Store, by []Term, next Term) []int {
	var live []int
	is := make(map[int]bool)
	reach := func(t Term) {
		for k, n := range x.Names {
			if t.Has(n) && !is[k] {
				is[k], live = true, append(live, k)
			}
		}
	}
	for _, t := range by {
		reach(t)
	}
	for i := 0; i < len(live); i++ {
		reach(s.Component(live[i], next))
	}
	return live
}

// Loop is a loop with only these arrays, which become what next says.
func (x *State) Loop(s *Store, v View, next Term, kept []int) Term {
	parts := func(t Term) Term { return s.Packed(slice.Map(kept, func(k int) Term { return s.Component(k, t) })) }
	op := v.Op
	op.Type = PackedType(slice.At(x.Types, kept))
	return s.MustMake(op, nil, v.Binders, []Term{parts(v.Kids[0]), v.Kids[1], x.In(s, parts(next), v.Binders[1], kept...)})
}
