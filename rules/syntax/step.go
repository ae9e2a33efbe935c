package syntax

import (
	"iter"
	"maps"
	"slices"
	"strings"

	"egad/diag"
)

// Steps gives steps and those inside them, each before what is inside.
func Steps(steps []Step) iter.Seq[*Step] {
	return func(yield func(*Step) bool) { eachStep(steps, yield) }
}

func eachStep(steps []Step, f func(*Step) bool) bool {
	for i := range steps {
		if !f(&steps[i]) || !eachStep(steps[i].Steps, f) {
			return false
		}
	}
	return true
}

// maxRepeat bounds how often a step is done.
const maxRepeat = 1 << 30

// steps are the words that begin a step in parentheses.
var steps = map[string]StepKind{"run": Run, "saturate": Saturate, "seq": Repeat, "repeat": Repeat, "until": Until}

// step reads NAME, which is an iteration of a rule or of a rule set, or a step in
// parentheses.
func (p *parser) step() Step {
	s := Step{Pos: p.Peek().Pos, N: 1}
	if !p.Accept("(") {
		s.Names = []Name{p.ruleName("the name of a rule or of a rule set, or a step in parentheses")}
		return s
	}
	w := p.Name("a step: run, saturate, seq, repeat or until")
	kind, ok := steps[w.Text]
	if !ok {
		words := slices.Sorted(maps.Keys(steps))
		p.Fail(w.Pos, "a step is a rule, a rule set, or one of %s%s", strings.Join(words, ", "), diag.DidYouMean(w.Text, words))
	}
	s.Kind = kind
	switch kind {
	case Run:
		for more := true; more; more = !p.Is(")") && len(s.Names) > 0 {
			if n, ok := p.times(); ok && len(s.Names) > 0 {
				s.N = n
				break
			}
			s.Names = append(s.Names, p.ruleName("the name of a rule or of a rule set"))
		}
	case Repeat:
		if w.Text == "seq" {
			break
		}
		n, ok := p.times()
		if !ok {
			p.Fail(p.Peek().Pos, "repeat is followed by how often, from 1 on, and by steps")
		}
		s.N = n
	case Until:
		p.Expect("(", "before the equation that ends until, as in (until (a = b) STEP)")
		c := p.claim("=")
		p.Expect(")", "after the equation")
		s.Until = &c
	}
	if kind != Run {
		p.nested(&s)
	}
	p.Expect(")", "after the step")
	return s
}

func (p *parser) nested(s *Step) {
	p.Deeper(s.Pos, func() {
		for more := true; more; more = !p.Is(")") {
			s.Steps = append(s.Steps, p.step())
		}
	})
}

// times reads how often something is done, if it is next.
func (p *parser) times() (int, bool) {
	t := p.Peek()
	if t.Text == "" || t.Text[0] < '0' || t.Text[0] > '9' {
		return 0, false
	}
	n := p.natural()
	if n < 1 || n > maxRepeat {
		p.Fail(t.Pos, "expected a number from 1 to %d", maxRepeat)
	}
	return n, true
}
