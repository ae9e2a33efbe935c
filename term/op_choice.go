package term

// Conditionals and tuples: their results are operands, or parts of them, as they are.

func init() {
	describe(SymCond, Operator{
		Name: "cond", hint: " (where, and if, choose element by element)", operands: "the branches of a conditional", Ports: []string{"if", "then", "else"},
		bounds: func(b Bounding) Bounds { return b.any(1) },
	})
	describe(SymTuple, Operator{
		Name: "tuple", hidden: true,
		typing: func(t *typing) *Type { return TupleOf(t.kids...) },
	})
	describe(SymProj, Operator{
		Name: "proj", hidden: true,
		typing: func(t *typing) *Type {
			p := t.u.Force(t.kids[0], KTuple)
			if p.Kind != KTuple {
				t.fail(0, "only a tuple has components, and this is %s", p.Described())
				return nil
			}
			part, ok := t.u.Part(t.op, p)
			if !ok {
				t.fail(0, "there is no component %d in %s", t.op.N, p)
			}
			return part
		},
	})
}

// cond prepares a choice between two operands, which have both been evaluated.
func (a Arrays[S]) cond(operands []*Value[S]) (*Value[S], Step) {
	r := operands[1].room()
	return r, func() error {
		if operands[0].N[0] != 0 {
			r.follow(operands[1])
		} else {
			r.follow(operands[2])
		}
		return nil
	}
}
