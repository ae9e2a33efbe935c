package term

import "fmt"

// Conditionals and tuples: their results are operands, or parts of them, as they are.

func init() {
	describe(SymCond, Operator{
		Name: "cond", hint: " (where, and if, choose element by element)", operands: "the branches of a conditional", Ports: []string{"if", "then", "else"},
		bounds: func(b Bounding) Bounds { return b.any(1) },
		print: func(p *Printer, in *Instance, prec int) string {
			shape := p.shapeFrom(in.Kids[1:])
			s := "if " + p.expr(in.Kids[0], 0) + " then " + p.operand(in.Kids[1], 0, shape) + " else " + p.operand(in.Kids[2], 0, shape)
			return paren(s, precLambda, prec)
		},
	})
	describe(SymTuple, Operator{
		Name: "tuple", hidden: true,
		typing: func(t *typing) *Type { return TupleOf(t.kids...) },
		print: func(p *Printer, in *Instance, prec int) string {
			if len(in.Kids) == 1 {
				return "(" + p.expr(in.Kids[0], 0) + ",)"
			}
			return "(" + p.list(in.Kids) + ")"
		},
	})
	describe(SymProj, Operator{
		Name: "proj", hidden: true,
		typing: func(t *typing) *Type {
			p := t.u.Force(t.kids[0], KTuple)
			if p.Kind != KTuple {
				t.fail(0, "only a tuple has components, and this is %s", described{p})
				return nil
			}
			part, ok := t.u.Part(t.op, p)
			if !ok {
				t.fail(0, "there is no component %d in %s", t.op.N, p)
			}
			return part
		},
		print: func(p *Printer, in *Instance, prec int) string {
			return p.expr(in.Kids[0], precAtom) + fmt.Sprintf(".%d", in.View.Op.N)
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
