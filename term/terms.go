package term

// Terms is the algebra of terms of a store (App. C of the dual-numbers paper): an operator
// makes a term of terms. [Interpret] in it is the identity, with the inputs of the term
// replaced.
type Terms struct{ Store *Store }

// Int is a literal.
func (a Terms) Int(i int64) Term { return a.Store.LitInt(i) }

// Apply makes a term.
func (a Terms) Apply(op Op, kids []Term, _ Body[Term], t *Type) (Term, error) {
	if op.Sym == SymProj {
		return a.Store.Proj(op.N, kids[0]), nil
	}
	x, err := a.Store.Make(op, nil, nil, kids)
	if err != nil {
		return x, err
	}
	return x, nil
}

// Whole takes all operators with binders as a whole.
func (a Terms) Whole(Op) bool { return true }

// ApplyWhole puts terms in the places of the inputs of p.
func (a Terms) ApplyWhole(p *Program, kids []Term) (Term, error) {
	env := make(Env[Term])
	var out Term
	err := Guard(func() error {
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
