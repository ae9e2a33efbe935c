package suite

import (
	"slices"

	"egad/diag"
	"egad/extract"
	"egad/rules"
	"egad/rules/proof"
	"egad/rules/saturate"
	"egad/term"
)

// Proof is a proof of an equation of a test, or of what a condition of one of its
// steps rests on.
type Proof struct {
	*extract.Proof
	Text string // of the equation
	// Assumed lists the assumptions that it rests on, as they are written.
	Assumed []string
	// As has the proofs of what conditions rest on.
	As []*Proof
}

// Proofs are proofs of what the test proves and the run has proved. They have been
// checked. The run must have been made with [runner.Options.Proofs]. The error is a
// [diag.List] of what has no proof.
func (res *Result) Proofs() ([]*Proof, error) {
	p := newProver(&attempt{Result: res, store: res.kept})
	var out []*Proof
	var errs diag.List
	for _, e := range res.test.Prove {
		if !p.holds(e) {
			continue
		}
		x, err := p.prove(e.A, e.B, len(p.eqs))
		if err != nil {
			errs.Add(res.test.Src, e.Pos, "%s: no proof of %s: %v", res.test.Name.Text, e.Text, err)
			continue
		}
		x.Text = e.Text
		out = append(out, x)
	}
	return out, errs.Err()
}

// prover proves equations from what was recorded.
type prover struct {
	*attempt
	eqs     []saturate.Equation
	at      map[*rules.Application]int // where a step was recorded
	assumed [][2]term.Term
	known   map[[2]uint32]int // of pairs that are proved, by how many of the first equations
}

func newProver(a *attempt) *prover {
	p := &prover{attempt: a, eqs: a.Graph.Recorded(), at: make(map[*rules.Application]int), known: make(map[[2]uint32]int)}
	for i := range p.eqs {
		p.at[&p.eqs[i].Application] = i
	}
	for _, e := range a.test.Assume {
		p.assumed = append(p.assumed, [2]term.Term{e.A, e.B})
	}
	return p
}

// prove proves that two terms are equal by the first equations, and what their
// conditions rest on by those before each.
func (p *prover) prove(from, to term.Term, first int) (*Proof, error) {
	pr, err := saturate.Known{Equations: p.eqs[:first], Assumed: p.assumed}.Prove(p.kept, from, to)
	if err != nil {
		return nil, err
	}
	out := &Proof{Proof: &extract.Proof{Proof: pr, From: from, To: to}, Text: p.equation(from, to)}
	var granted [][2]term.Term
	for _, step := range pr.Steps {
		pairs, err := step.Rests(rules.Terms{Store: p.kept})
		if err != nil {
			return nil, err
		}
		for _, pair := range pairs {
			granted = append(granted, pair)
			key, before := [2]uint32{pair[0].ID, pair[1].ID}, p.at[step]
			if n, done := p.known[key]; done && n <= before || pair[0].Equal(pair[1]) {
				continue
			}
			x, err := p.prove(pair[0], pair[1], before)
			if err != nil {
				return nil, err
			}
			p.known[key] = before
			out.As = append(out.As, x)
		}
	}
	check := func(rests []int) error {
		o := proof.Options{Granted: granted}
		for _, i := range rests {
			o.Assumed = append(o.Assumed, p.assumed[i])
		}
		return pr.Check(o)
	}
	var rests []int
	for i := range p.assumed {
		rests = append(rests, i)
	}
	if err := check(rests); err != nil {
		return nil, err
	}
	// What it rests on is what there is no proof without: conditions may rest on ranges.
	for i := range p.assumed {
		if without := slices.DeleteFunc(slices.Clone(rests), func(k int) bool { return k == i }); check(without) == nil {
			rests = without
		}
	}
	for _, i := range rests {
		out.Assumed = append(out.Assumed, p.test.Assume[i].Text)
	}
	return out, nil
}

// equation is an equation in print; a fact is its truth value.
func (p *prover) equation(a, b term.Term) string {
	if p.kept.IsTrue(b) {
		return p.text(a)
	}
	return p.text(a) + " = " + p.text(b)
}
