package props

import (
	"slices"

	"egad/internal/raise"
	"egad/rules"
	"egad/rules/match"
	"egad/term"
	"egad/term/eval"
	"egad/term/ops"
	"egad/term/types"
)

// A side with stopgrad has a value, which is not all that it is: its derivatives are those
// of a function in which what is held back stays where it is while the variables move.
// Sides of one value may be two such functions, as those of stopgrad a => a. So the rule is
// looked at once more where what is held back is computed from other values than the rest.

// held compares the sides where what is held back has values of its own, if something is.
func (b *caseBuilder) held(r *rules.Rule, s *match.Sides) *Counterexample {
	holds := func(t term.Term) bool {
		return b.s.Contains(t, func(u term.Term) bool {
			return slices.Contains([]ops.Sym{ops.SymStopgrad, ops.SymWithslope}, b.s.Op(u).Sym)
		})
	}
	if !holds(s.Lhs) && !holds(s.Rhs) {
		return nil
	}
	fixed := make(map[string]term.Term)
	env := make(eval.Env[*eval.Value[float64]])
	own := b.leaves
	for _, l := range own {
		at := leaf{name: "held " + l.name, typ: l.typ, value: l.value}
		if l.typ.Kind == types.KArray && l.typ.Elem == types.R {
			v := *l.value
			v.R = slices.Clone(v.R)
			for i, x := range v.R {
				v.R[i] = 1.25*x + 0.5
			}
			at.value = &v
		}
		fixed[l.name] = b.s.Var(at.name, l.typ)
		env[l.name] = at.value
		b.leaves = append(b.leaves, at)
	}
	if !raise.Must(s.Match.HoldsAt(match.Terms{Store: b.s}, env)) {
		b.leaves = own
		return nil
	}
	x := *s
	x.Lhs, x.Rhs = b.fix(s.Lhs, fixed), b.fix(s.Rhs, fixed)
	_, cex := b.compare(r, &x)
	if cex == nil {
		b.leaves = own
		return nil
	}
	cex.First = "the derivatives differ, as the sides do where what is held back has values of its own: " + cex.First
	return cex
}

// fix computes what a term holds back from other inputs. What has a slope a by x is a line
// with that slope through what it is.
func (b *caseBuilder) fix(t term.Term, inputs map[string]term.Term) term.Term {
	v := b.s.Open(t)
	for i, k := range v.Kids {
		v.Kids[i] = b.fix(k, inputs)
	}
	switch v.Op.Sym {
	case ops.SymStopgrad:
		return b.s.SubstVars(v.Kids[0], inputs)
	case ops.SymWithslope:
		x := v.Kids[1]
		return b.s.Apply(ops.SymAdd, v.Kids[0], b.s.Apply(ops.SymMul, v.Kids[2], b.s.Apply(ops.SymSub, x, b.s.SubstVars(x, inputs))))
	}
	return b.s.MustMake(v.Op, v.Own, v.Binders, v.Kids)
}
