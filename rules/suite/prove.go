package suite

import (
	"slices"

	"egad/diag"
	"egad/rules"
	"egad/rules/proof"
	"egad/rules/saturate"
	"egad/term"
)

// Proof is a proof of an equation of a test, or of what a condition of one of its
// steps rests on.
type Proof struct {
	*proof.Proof
	Equation int    // the number of the equation of the proof; -1 if both sides are the same
	Text     string // of the equation
	// Assumed lists the assumptions that it rests on and that no step speaks of, as they
	// are written.
	Assumed []string
	// As has the proofs of what conditions rest on.
	As []*Proof
}

// Proofs are proofs of what the test proves and the run has proved. They have been
// checked. The run must have been made with [runner.Options.Proofs]. The error is a
// [diag.List] of what has no proof.
func (res *Result) Proofs() ([]*Proof, error) {
	a := &attempt{Result: res, store: res.kept}
	var out []*Proof
	var errs diag.List
	for _, e := range res.test.Prove {
		if !a.holds(e) {
			continue
		}
		x, err := a.prove(e)
		if err != nil {
			errs.Add(res.test.Src, e.Pos, "%s: no proof of %s: %v", res.test.Name.Text, e.Text, err)
			continue
		}
		x.Text = e.Text
		out = append(out, x)
	}
	return out, errs.Err()
}

// prove proves an equation from what was recorded.
func (a *attempt) prove(e rules.Equation) (*Proof, error) {
	known := saturate.Known{Equations: a.Graph.Recorded(), Assumed: slices.Clone(a.said)}
	for _, x := range a.test.Assume {
		known.Assumed = append(known.Assumed, proof.Said{A: x.A, B: x.B, Reason: proof.ByTest})
	}
	pr, err := known.Prove(a.kept, e.A, e.B)
	if err != nil {
		return nil, err
	}
	if err := pr.Check(proof.Options{Assumed: known.Assumed}); err != nil {
		return nil, err
	}
	p := &prover{attempt: a, whole: pr, done: make([]bool, len(pr.Equations)), said: make([]bool, len(a.test.Assume))}
	out := p.part(pr.Last(), p.equation(e.A, e.B))
	// Of assumptions that no step speaks of it rests on those that there is no proof
	// without: conditions may rest on ranges.
	rests := known.Assumed
	for i, e := range a.test.Assume {
		if p.said[i] {
			continue
		}
		without := slices.Clone(rests)
		without[len(a.said)+i] = proof.Said{A: e.A, B: e.A}
		if pr.Check(proof.Options{Assumed: without}) == nil {
			rests = without
		} else {
			out.Assumed = append(out.Assumed, e.Text)
		}
	}
	return out, nil
}

// prover lists the parts of a proof.
type prover struct {
	*attempt
	whole *proof.Proof
	done  []bool // equations that are listed
	said  []bool // assumptions that are
}

// part is the proof of an equation.
func (p *prover) part(equation int, text string) *Proof {
	out := &Proof{Proof: p.whole, Equation: equation, Text: text}
	p.whole.Walk(equation, false, func(l *proof.Link, _ term.Term, _ proof.Place) {
		switch l.Kind {
		case proof.Assumed:
			if i := l.Step - len(p.Result.said); i >= 0 {
				p.said[i] = true
			}
		case proof.ByRule:
			for _, k := range p.whole.Rests[l.Step] {
				if e := &p.whole.Equations[k]; !p.done[k] {
					p.done[k] = true
					out.As = append(out.As, p.part(k, p.equation(e.From, e.To())))
				}
			}
		}
	})
	return out
}

// equation is an equation in print; a fact is its truth value.
func (p *prover) equation(a, b term.Term) string {
	if p.kept.IsTrue(b) {
		return p.text(a)
	}
	return p.text(a) + " = " + p.text(b)
}
