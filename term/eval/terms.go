package eval

import (
	"egad/term"
	"egad/term/ops"
	"egad/term/overflow"
	"egad/term/types"
)

// Terms is the algebra of terms of a store (App. C of the dual-numbers paper): an operator
// makes a term of terms. [Interpret] in it is the identity, with the inputs of the term
// replaced.
type Terms struct{ Store *term.Store }

// Int is a literal.
func (a Terms) Int(i int64) term.Term { return a.Store.LitInt(i) }

// Apply makes a term.
func (a Terms) Apply(op ops.Op, kids []term.Term, _ Body[term.Term], t *types.Type) (term.Term, error) {
	if op.Sym == ops.SymProj {
		return a.Store.Proj(op.N, kids[0]), nil
	}
	x, err := a.Store.Make(op, nil, nil, kids)
	if err != nil {
		return x, err
	}
	return x, nil
}

// Whole takes all operators with binders as a whole.
func (a Terms) Whole(ops.Op) bool { return true }

// ApplyWhole puts terms in the places of the inputs of p.
func (a Terms) ApplyWhole(p *term.Program, kids []term.Term) (term.Term, error) {
	env := make(Env[term.Term])
	var out term.Term
	err := overflow.Guard(func() error {
		for i, in := range p.Inputs {
			if err := BindLeaves(a, env, in, kids[i]); err != nil {
				return err
			}
		}
		out = a.Store.SubstVars(a.Store.Import(p.Store, p.Root, nil), env)
		return nil
	})
	return out, err
}
