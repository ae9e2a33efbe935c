package match

import (
	"fmt"

	"egad/rules"
	"egad/term"
	"egad/term/ops"
)

// Conditions checks that the conditions of the rule hold, as far as types, ranges
// and literals of the terms say so. It lists those of which that is not so.
func (a *Application) Conditions(s Space) (failed []error) {
	for i := range a.Match.Rule.Conds {
		c := &a.Match.Rule.Conds[i]
		if c.Kind == rules.CondNotLiteral {
			continue // it says when the rule is of use, and not when it is true
		}
		b := &builder{space: s, m: a.Match}
		holds := false
		ok, err := b.guard(func() { holds = b.holds(c) })
		if err == nil && !(ok && holds) {
			err = fmt.Errorf("it is not proved that %s", c.Text)
		}
		if err != nil {
			failed = append(failed, err)
		}
	}
	return failed
}

// Evidence is what a condition may rest on: each way is terms that are equal, which
// together give it.
type Evidence [][][2]term.Term

// operator is that of the term itself, which is the first of what it stands for.
func operator(s Space, t term.Term) (op ops.Op) {
	s.Nodes(t, func(v term.View) bool {
		op = v.Op
		return false
	})
	return op
}

// Evidence lists what the conditions of the rule rest on that are about what is known in an
// e-graph. Atoms are the numbers and symbols of a language that a term is known to be equal to.
// It is true of open if other conditions do not hold of the terms by themselves.
func (a *Application) Evidence(s Space, atoms func(term.Term) []term.Term) (out []Evidence, open bool, err error) {
	b := &builder{space: s, m: a.Match}
	l := a.Match.Rule.Language
	for i := range a.Match.Rule.Conds {
		c := &a.Match.Rule.Conds[i]
		if c.Kind == rules.CondNotLiteral || l != nil && c.Static() {
			continue // the first says when the rule is of use, and not when it is true
		}
		holds := true
		ok, err := b.guard(func() {
			var e Evidence
			switch {
			case c.Kind == rules.CondFact:
				x := b.term(c.L, nil)
				e = Evidence{{{x, b.truth(x, b.literal)}}}
			case c.Kind == rules.CondSame:
				x, y := b.sides(c)
				e = Evidence{{{x, y}}}
			case l == nil:
				holds = b.holds(c)
				return
			case c.Kind == rules.CondLiteral, c.Kind == rules.CondSymbol:
				x := b.term(c.L, nil)
				for _, y := range atoms(x) { // x itself may be an atom of the other kind
					if rules.IsNumber(operator(s, y)) == (c.Kind == rules.CondLiteral) {
						e = append(e, [][2]term.Term{{x, y}})
					}
				}
			case c.Kind == rules.CondDistinct:
				x, y := b.term(c.L, nil), b.term(c.R, nil)
				for _, u := range atoms(x) {
					for _, v := range atoms(y) {
						if l.Differ(operator(s, u), operator(s, v)) {
							e = append(e, [][2]term.Term{{x, u}, {y, v}})
						}
					}
				}
			}
			out = append(out, e)
		})
		if err != nil {
			return nil, false, err
		}
		open = open || !ok || !holds
	}
	return out, open, nil
}
