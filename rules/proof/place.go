package proof

import (
	"fmt"
	"slices"

	"egad/term"
)

// Place is where a step is made: numbers of operands from the whole term on, as it is
// then. A term that occurs in several places is rewritten in all of them; this is the
// first.
type Place struct {
	Path    []int
	Reverse bool // from right to left
	// Condition says that it is not made in the term, but in what a condition rests on.
	Condition bool
}

func (p Place) String() string {
	at := "at the root"
	for i, k := range p.Path {
		if i == 0 {
			at = fmt.Sprint("at ", k+1)
		} else {
			at += fmt.Sprint(".", k+1)
		}
	}
	if p.Condition {
		at += " of a condition"
	}
	return at
}

// Walk calls f for the steps that an equation rests on, each where it is made first, and
// for instances and assumptions, in the order in which they lead from one side to the
// other; with what they lead from. What an instance is of comes before it, and with rests what the
// conditions of a step rest on before the step.
func (p *Proof) Walk(equation int, rests bool, f func(l *Link, from term.Term, at Place)) {
	seen, used := make([]bool, len(p.Equations)), make([]bool, len(p.Steps))
	var walk func(k int, at Place)
	walk = func(k int, at Place) {
		if seen[k] {
			return
		}
		seen[k] = true
		from := p.Equations[k].From
		for i := range p.Equations[k].Links {
			l := &p.Equations[k].Links[i]
			for operand, e := range l.Kids {
				switch {
				case l.Kind == Instance:
					walk(e, at)
				case e >= 0:
					walk(e, Place{Path: append(at.Path[:len(at.Path):len(at.Path)], operand), Condition: at.Condition})
				}
			}
			if l.Kind == ByRule && !used[l.Step] && rests {
				for _, e := range p.Rests[l.Step] {
					walk(e, Place{Condition: true})
				}
			}
			if l.Kind == Instance || l.Kind == Assumed || l.Kind == Computed || l.Kind == ByRule && !used[l.Step] {
				here := at
				here.Reverse = l.Reverse
				f(l, from, here)
			}
			if l.Kind == ByRule {
				used[l.Step] = true
			}
			from = l.To
		}
	}
	if equation >= 0 {
		walk(equation, Place{})
	}
}

// Last is the number of the last equation, which a proof proves; -1 if there is none.
func (p *Proof) Last() int { return len(p.Equations) - 1 }

// Rules are the names of the rules in a proof, each once, in order; those of conditions too.
func (p *Proof) Rules() (out []string) {
	p.Walk(p.Last(), true, func(l *Link, _ term.Term, _ Place) {
		if l.Kind != ByRule {
			return
		}
		if name := p.Steps[l.Step].Match.Rule.Name; !slices.Contains(out, name) {
			out = append(out, name)
		}
	})
	return out
}
