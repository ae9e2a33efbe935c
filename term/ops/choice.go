package ops

import "egad/term/types"

// Conditionals and tuples: their results are operands, or parts of them, as they are.

func init() {
	describe(SymCond, Operator{
		Name: "cond", hint: " (where, and if, choose element by element)", operands: "the branches of a conditional", Ports: []string{"if", "then", "else"},
		bounds: func(b Bounding) Bounds { return b.any(1) },
	})
	describe(SymTuple, Operator{
		Name: "tuple", Hidden: true,
		typing: func(t *typing) *types.Type { return types.TupleOf(t.kids...) },
	})
	describe(SymProj, Operator{
		Name: "proj", Hidden: true,
		typing: func(t *typing) *types.Type {
			p := t.u.Force(t.kids[0], types.KTuple)
			if p.Kind != types.KTuple {
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
