package term

import (
	"slices"
	"strconv"

	"egad/internal/memo"
	"egad/internal/slice"
	"egad/slot"
)

// closed is an operator with what stands under its binders, as a program of its operands.
type closed struct {
	program *Program
	kids    []slot.Kid // the operands, in the slots of the node
}

// closer makes closed operators of the nodes of a store, in a copy of it.
type closer struct {
	work  *Store
	known map[uint32]*closed
}

// operand is the name of input i of a closed operator.
func operand(i int) string { return "x" + strconv.Itoa(i) }

// of is the closed operator of a node. Its inputs are x0, x1, …: the children that no
// binder scopes over, and then what stands under binders and does not depend on their
// variables, in the order of the text.
func (c *closer) of(id uint32) *closed {
	return memo.Of(c.known, id, func() *closed {
		s := c.work
		t := Term{ID: id, Args: s.FreshN(len(s.Vars(ref(id))))}
		out := &closed{program: &Program{Store: NewStore(s.Signature()), Name: s.Signature().Operator(s.Op(t).Sym).Name}}
		at := make(map[string]Term)
		operandOf := func(k Term) Term {
			key := TermKey(k)
			return memo.Of(at, key, func() Term {
				in := Input{operand(len(out.kids)), s.Type(k)}
				out.program.Inputs = append(out.program.Inputs, in)
				kid := slot.Kid{ID: k.ID}
				for _, n := range k.Args {
					kid.Args = append(kid.Args, slot.Pos(slices.Index(t.Args, n)))
				}
				out.kids = append(out.kids, kid)
				return s.Input(in)
			})
		}
		v := s.Open(t)
		inside := s.OutermostIn(v.Binders, operandOf)
		for i, k := range v.Kids {
			if !s.Signature().Under(v.Op, i) {
				v.Kids[i] = operandOf(k)
				continue
			}
			v.Kids[i] = inside(k)
		}
		root := s.MustMake(v.Op, v.Own, v.Binders, v.Kids)
		out.program.Root = out.program.Store.Import(s, root, nil)
		return out
	})
}

// Outermost replaces the outermost arrays and tuples in t, and t itself, that depend on no
// variable bound in t and are no constants.
func (s *Store) Outermost(t Term, by func(Term) Term) Term { return s.OutermostIn(nil, by)(t) }

// OutermostIn is Outermost for several terms, in which some variables are bound.
func (s *Store) OutermostIn(bound []slot.Name, by func(Term) Term) func(Term) Term {
	is := make(map[slot.Name]bool)
	for _, n := range bound {
		is[n] = true
	}
	done := make(map[string]Term)
	var walk func(t Term) Term
	walk = func(t Term) Term {
		if k := s.Type(t).Kind; (k == KArray || k == KTuple) && !slices.ContainsFunc(t.Args, func(n slot.Name) bool { return is[n] }) {
			if sym := s.Op(t).Sym; sym == SymConst || sym == SymIota {
				return t
			}
			return by(t)
		}
		return memo.Of(done, TermKey(t), func() Term {
			v := s.Open(t)
			for _, n := range v.Binders {
				is[n] = true
			}
			for i, k := range v.Kids {
				v.Kids[i] = walk(k)
			}
			return s.MustMake(v.Op, v.Own, v.Binders, v.Kids)
		})
	}
	return walk
}

// Input is the term of an input: a variable, or a tuple of its leaves.
func (s *Store) Input(in Input) Term {
	if in.Type.Kind != KTuple {
		return s.Var(in.Name, in.Type)
	}
	return s.Apply(SymTuple, slice.Map(in.Components(), s.Input)...)
}
