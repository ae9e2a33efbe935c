package suite

import (
	"fmt"
	"slices"
	"strings"
	"time"

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
	// Gaps are conditions that are not proved: the proof is none of its equation then.
	Gaps []proof.Gap
	// As has the proofs of what conditions rest on.
	As []*Proof
	// Sorted writes terms of a language, in which free variables are called alike; it is
	// nil of arrays.
	Sorted func(s *term.Store, terms ...term.Term) []string

	said   []string // the assumptions that steps speak of
	inputs []term.Input
}

// Proofs are proofs of what the test proves and the run has proved. They have been
// checked. The run must have been made with [runner.Options.Proofs]. The error is a
// [diag.List] of what has no proof.
func (res *Result) Proofs() ([]*Proof, error) {
	a := &attempt{Result: res, store: res.kept}
	end := res.end()
	var claims []rules.Equation
	for _, e := range res.test.Prove {
		if a.holds(e) {
			claims = append(claims, e)
		}
	}
	if len(claims) == 0 {
		return nil, nil
	}
	known, unknown := a.known(end, claims...)
	var out []*Proof
	var errs diag.List
	for _, e := range claims {
		x, err := (*Proof)(nil), unknown
		if err == nil {
			x, err = a.prove(known, e)
		}
		if err != nil {
			errs.Add(res.test.Src, e.Pos, "%s: no proof of %s: %v", res.test.Name.Text, e.Text, err)
			continue
		}
		out = append(out, x)
	}
	return out, errs.Err()
}

// end is when proofs have to be over; zero if they need not.
func (res *Result) end() (end time.Time) {
	if res.time > 0 {
		end = time.Now().Add(res.time)
	}
	return end
}

// known is what proofs of claims may rest on, which have to be over at the end.
func (a *attempt) known(end time.Time, claims ...rules.Equation) (k saturate.Known, err error) {
	k.End, k.Assumed = end, slices.Clone(a.said)
	for _, x := range a.test.Assume {
		k.Assumed = append(k.Assumed, proof.Said{A: x.A, B: x.B, Reason: proof.ByTest})
	}
	var facts []term.Term
	for _, e := range claims {
		facts = append(facts, e.A)
	}
	if l := a.file.Language; l != nil {
		k.Language = l.Language
	}
	k.Equations, err = a.Graph.Recorded(end, facts...)
	return k, err
}

// prove proves an equation from what was recorded.
func (a *attempt) prove(k saturate.Known, e rules.Equation) (*Proof, error) {
	pr, err := k.Prove(a.kept, e.A, e.B)
	if err != nil {
		return nil, err
	}
	return a.checked(k, pr, e.Text)
}

// proveFault proves the fault that a run shows: that two symbols of a language are equal, or
// something else that contradicts what is known.
func (a *attempt) proveFault(f *fault, end time.Time) (*Proof, error) {
	k, err := a.known(end)
	if err != nil {
		return nil, err
	}
	var x, y term.Term
	ok := f.sort != nil
	if ok {
		list := a.file.Language.Symbols(f.sort)
		symbol := func(o *term.Operator) term.Term { return a.kept.MustMake(term.Op{Sym: o.Sym}, nil, nil, nil) }
		x, y = symbol(list[0]), symbol(list[1])
	} else {
		kept := &attempt{Result: a.Result, store: a.kept}
		x, y, ok = a.Graph.Contradiction(a.kept, kept.smallestOf)
	}
	var pr *proof.Proof
	if ok {
		pr, err = k.Prove(a.kept, x, y)
	} else if pr, err = k.Clash(a.kept); err == nil {
		last := &pr.Equations[pr.Last()]
		x, y = last.From, last.To()
	}
	if err != nil {
		return nil, err
	}
	return a.checked(k, pr, (&prover{attempt: a}).equation(x, y))
}

// checked checks a proof of an equation, and lists its parts. With an error it has gaps.
func (a *attempt) checked(k saturate.Known, pr *proof.Proof, text string) (*Proof, error) {
	o := proof.Options{Assumed: k.Assumed, Language: k.Language}
	gaps, err := pr.Gaps(o)
	if err != nil {
		return nil, err
	}
	p := &prover{attempt: a, whole: pr, done: make([]bool, len(pr.Equations)), said: make([]bool, len(a.test.Assume))}
	out := p.part(pr.Last(), text)
	if out.Gaps = gaps; len(gaps) > 0 {
		return out, gaps[0]
	}
	// Of assumptions that no step speaks of it rests on those that there is no proof
	// without: conditions may rest on ranges.
	o.Assumed = slices.Clone(o.Assumed)
	for i, e := range a.test.Assume {
		x := &o.Assumed[len(a.said)+i]
		was := *x
		x.A = x.B
		switch {
		case p.said[i]:
			*x = was
			out.said = append(out.said, e.Text)
		case pr.Check(o) != nil:
			*x = was
			out.Assumed = append(out.Assumed, e.Text)
		}
	}
	return out, nil
}

// String is a proof in single steps, with those of what conditions rest on below.
func (p *Proof) String() string {
	var b strings.Builder
	p.write(&b, "")
	return b.String()
}

func (p *Proof) write(b *strings.Builder, as string) {
	var steps strings.Builder
	n := proof.NewText(&steps, p.Proof, p.inputs, p.Sorted).Steps(p.Equation, false, 0)
	fmt.Fprintf(b, "-- %s%s: %s\n%s", as, p.Text, diag.Count(n, "step"), steps.String())
	for _, a := range p.Assumed {
		fmt.Fprintf(b, "-- assumed: %s\n", a)
	}
	for _, g := range p.Gaps {
		fmt.Fprintf(b, "-- a gap, by %s: %v\n", g.Rule, g.Err)
	}
	for _, q := range p.As {
		q.write(b, "as ")
	}
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
	out := &Proof{Proof: p.whole, Equation: equation, Text: text, inputs: p.test.Program.Inputs}
	if l := p.file.Language; l != nil {
		out.Sorted = func(s *term.Store, terms ...term.Term) []string { return l.Text(s, p.test.Free, terms...) }
	}
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
	if l := p.file.Language; l != nil {
		both := l.Text(p.kept, p.test.Free, a, b)
		if p.kept.IsTrue(b) {
			return both[0]
		}
		return both[0] + " = " + both[1]
	}
	pr := &term.Printer{Store: p.kept, Index: p.test.Program.Index}
	pr.NameFree(a)
	pr.NameFree(b)
	if p.kept.IsTrue(b) {
		return pr.Term(a)
	}
	return pr.Term(a) + " = " + pr.Term(b)
}
