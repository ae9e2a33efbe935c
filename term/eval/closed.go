package eval

import (
	"slices"
	"strconv"

	"egad/internal/memo"
	"egad/slot"
	"egad/term"
)

// closed is an operator with what stands under its binders, as a program of its operands.
type closed struct {
	program *term.Program
	kids    []slot.Kid // the operands, in the slots of the node
}

// closer makes closed operators of the nodes of a store, in a copy of it.
type closer struct {
	work  *term.Store
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
		t := term.Term{ID: id, Args: s.FreshN(len(s.Vars(ref(id))))}
		out := &closed{program: &term.Program{Store: term.NewStore(s.Signature()), Name: s.Signature().Operator(s.Op(t).Sym).Name}}
		at := make(map[string]term.Term)
		operandOf := func(k term.Term) term.Term {
			key := term.TermKey(k)
			return memo.Of(at, key, func() term.Term {
				in := term.Input{Name: operand(len(out.kids)), Type: s.Type(k)}
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
