package syntax

import (
	"maps"
	"slices"
	"strconv"
	"sync"

	"egad/diag"
)

// Schedule says what rules are run on the e-graph of a program, and how far.
type Schedule struct {
	base
	Name Name
	// Sets are run together, until none of their rules applies, or saturated.
	Sets     []Name
	Directed bool
	Steps    []Step
	Limits   map[string]*Bound
	Finite   bool
	Grammar  Name
	Backoffs []*Backoff
}

// Bound is a number that depends on the number n of e-nodes at the start, as
// 200 * min n 500 + 2000.
type Bound struct {
	Pos   diag.Pos // of what it bounds
	terms []boundTerm
}

// boundTerm is a factor times n, of which at most so many count, or if that is 0 the
// factor alone.
type boundTerm struct{ factor, most int64 }

// At is the bound for n e-nodes at the start.
func (b *Bound) At(n int) int {
	if b == nil {
		return 0
	}
	sum := int64(0)
	for _, t := range b.terms {
		k := int64(1)
		if t.most > 0 {
			k = min(int64(n), t.most)
		}
		sum = min(sum+t.factor*k, maxBound) // a product has 60 bits at most
	}
	return int(sum)
}

// maxBound bounds limits, and the numbers in them.
const maxBound = 1 << 30

// limitWords are what a schedule may limit.
var limitWords = []string{"iterations", "nodes", "matches", "work"}

// inSchedule reads what comes after the first word of a statement.
var inSchedule = map[string]func(*parser, *Schedule){}

// firstInSchedule begin a statement, or end the schedule.
var firstInSchedule = sync.OnceValue(func() map[string]bool {
	out := firstWords(inSchedule)
	maps.Copy(out, words())
	return out
})

func init() {
	maps.Copy(inSchedule, map[string]func(*parser, *Schedule){
		"run":      func(p *parser, s *Schedule) { p.scheduled(s, true) },
		"saturate": func(p *parser, s *Schedule) { p.scheduled(s, false) },
		"steps": func(p *parser, s *Schedule) {
			for more := true; more; more = !p.NewLine() {
				s.Steps = append(s.Steps, p.step())
			}
		},
		"limits":  (*parser).limits,
		"finite":  func(_ *parser, s *Schedule) { s.Finite = true },
		"extract": func(p *parser, s *Schedule) { s.Grammar = p.Name("the name of a cost grammar") },
		"backoff": func(p *parser, s *Schedule) { s.Backoffs = append(s.Backoffs, p.backoff(base{At: p.Peek().Pos})) },
	})
}

// schedule reads a schedule, or more of one.
func (p *parser) schedule(b base) Decl {
	s, right := &Schedule{base: b, Name: p.nameHere("the name of the schedule"), Limits: make(map[string]*Bound)}, true
	for !p.Errs.Full() {
		w := p.Peek()
		read := inSchedule[w.Text]
		if read == nil && p.ends() {
			break
		}
		ok := p.statement(firstInSchedule(), func() {
			if read == nil {
				p.Fail(w.Pos, "expected run, saturate, steps, limits, backoff, finite or extract")
			}
			p.Next()
			read(p, s)
		})
		right = right && ok
	}
	if !right {
		return nil
	}
	return s
}

// scheduled reads the sets of a schedule.
func (p *parser) scheduled(s *Schedule, directed bool) {
	if len(s.Sets) > 0 && s.Directed != directed {
		p.Fail(s.Sets[0].Pos, "the sets of a schedule are all run, or all saturate")
	}
	s.Directed = directed
	for more := true; more; more = p.Accept(",") {
		s.Sets = append(s.Sets, p.Name("the name of a rule set"))
	}
}

func (p *parser) limits(s *Schedule) {
	for more := true; more; more = p.Accept(",") {
		n := p.Name("what is limited")
		if !slices.Contains(limitWords, n.Text) {
			p.Fail(n.Pos, "expected iterations, nodes, matches or work%s", diag.DidYouMean(n.Text, limitWords))
		}
		if s.Limits[n.Text] != nil {
			p.Fail(n.Pos, "there is a limit on %s already", n.Text)
		}
		s.Limits[n.Text] = p.bound(n.Pos)
	}
	if t := p.Peek(); slices.Contains(limitWords, t.Text) {
		p.Fail(t.Pos, "expected a comma before the next limit")
	}
}

// bound reads a sum of products, as 12 * n + 200 * min n 500 + 2000.
func (p *parser) bound(at diag.Pos) *Bound {
	b := &Bound{Pos: at}
	for more := true; more; more = p.Accept("+") {
		t := boundTerm{factor: 1}
		if p.Is("n") || p.Is("min") {
			t.most = p.startNodes()
		} else {
			t.factor = p.whole()
			if p.Accept("*") {
				t.most = p.startNodes()
			}
		}
		b.terms = append(b.terms, t)
	}
	return b
}

// startNodes reads n, the number of e-nodes at the start, or min n and a number.
func (p *parser) startNodes() (most int64) {
	if p.Accept("min") {
		p.Expect("n", "for the number of e-nodes at the start")
		return p.whole()
	}
	p.Expect("n", "for the number of e-nodes at the start")
	return maxBound
}

func (p *parser) whole() int64 {
	t := p.Peek()
	n, err := strconv.ParseInt(t.Text, 10, 64)
	if err != nil || n <= 0 || n > maxBound {
		p.Fail(t.Pos, "expected a whole number from 1 to %d", maxBound)
	}
	p.Next()
	return n
}
