package suite

import (
	"slices"
	"strings"
	"time"

	"egad/diag"
	"egad/internal/slice"
	"egad/rules"
	"egad/rules/proof"
	"egad/rules/saturate"
	"egad/slot"
	"egad/term"
	"egad/term/ops"
)

// Proof is a proof of an equation of a test.
type Proof struct {
	*proof.Proof
	Text string // of the equation
	// Chain has its steps; it has none if both sides are the same.
	Chain *proof.Chain
	// Assumed lists the assumptions that it rests on and that no step speaks of, as they
	// are written.
	Assumed []string
	// Gaps are conditions that are not proved: the proof is none of its equation then.
	Gaps []proof.Gap

	naming proof.Naming
	said   []string // the assumptions that steps speak of
	read   []string // the equations of an e-graph that was read in that they speak of
}

// Proofs are proofs of what the test proves and the run has proved. They have been
// checked. The run must have been made with [runner.Options.Proofs]. The error is a
// [diag.List] of what has no proof.
func (res *Result) Proofs() ([]*Proof, error) {
	a := &attempt{Result: res, store: res.kept}
	end := res.end()
	claims := slice.Filter(res.test.Prove, a.holds)
	if len(claims) == 0 {
		return nil, nil
	}
	known, unknown := a.known(end, claims...)
	prove := known.Prover(a.kept, slice.Map(claims, func(e rules.Equation) [2]term.Term { return [2]term.Term{e.A, e.B} })...)
	var out []*Proof
	var errs diag.List
	for i, e := range claims {
		x, err := (*Proof)(nil), unknown
		if err == nil {
			var pr *proof.Proof
			if pr, err = prove(i); err == nil {
				x, err = a.checked(known, pr, e.Text)
			}
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
	facts := slice.Map(claims, func(e rules.Equation) term.Term { return e.A })
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
		symbol := func(o *ops.Operator) term.Term { return a.kept.MustMake(ops.Op{Sym: o.Sym}, nil, nil, nil) }
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
	return a.checked(k, pr, a.claim(pr, x, y))
}

// claim is the text of an equation.
func (a *attempt) claim(pr *proof.Proof, x, y term.Term) string {
	return pr.Claim(&proof.Chain{From: x, To: y}, func(c *proof.Chain) proof.Texts { return a.naming().Texts(a.kept, c) })
}

// checked checks a proof of an equation, and makes a chain of it. With an error it has gaps.
func (a *attempt) checked(k saturate.Known, pr *proof.Proof, text string) (*Proof, error) {
	o := proof.Options{Assumed: k.Assumed, Language: k.Language}
	gaps, err := pr.Gaps(o)
	if err != nil {
		return nil, err
	}
	out := &Proof{Proof: pr, Text: text, Chain: pr.Chain(pr.Last()), Gaps: gaps, naming: a.naming()}
	said := make([]bool, len(k.Assumed))
	out.Chain.Walk(func(s *proof.Step) {
		if s.Link != nil && s.Kind == proof.Assumed {
			said[s.Step] = true
		}
	})
	for i, x := range a.said {
		if said[i] {
			out.read = append(out.read, a.claim(pr, x.A, x.B))
		}
	}
	if len(gaps) > 0 {
		return out, gaps[0]
	}
	// Of assumptions that no step speaks of it rests on those that there is no proof
	// without: conditions may rest on ranges.
	o.Assumed = slices.Clone(o.Assumed)
	var unsaid []int
	for i, e := range a.test.Assume {
		if said[len(a.said)+i] {
			out.said = append(out.said, e.Text)
		} else {
			unsaid = append(unsaid, i)
		}
	}
	needed(unsaid, func(some []int, leave bool) bool {
		for _, i := range some {
			x := &o.Assumed[len(a.said)+i]
			if *x = k.Assumed[len(a.said)+i]; leave {
				x.A = x.B
			}
		}
		return !leave || pr.Check(o) == nil
	}, func(i int) { out.Assumed = append(out.Assumed, a.test.Assume[i].Text) })
	return out, nil
}

// needed calls keep, in order, for what cannot be left out. Drop leaves some out, or has them back, and
// reports whether they can be left out; what can be with others can be without them.
func needed(all []int, drop func(some []int, leave bool) bool, keep func(int)) {
	if len(all) == 0 || drop(all, true) {
		return
	}
	drop(all, false)
	neededOf(all, drop, keep)
}

// neededOf is [needed] of what cannot all be left out. A half that can be is no more there when the
// other one is looked at, so that of few that are needed most are soon gone.
func neededOf(all []int, drop func(some []int, leave bool) bool, keep func(int)) {
	if len(all) == 1 {
		keep(all[0])
		return
	}
	first, second := all[:len(all)/2], all[len(all)/2:]
	if drop(first, true) {
		neededOf(second, drop, keep)
		return
	}
	drop(first, false)
	if drop(second, true) {
		neededOf(first, drop, keep)
		return
	}
	drop(second, false)
	neededOf(first, drop, keep)
	neededOf(second, drop, keep)
}

// naming is how variables are called in proofs.
func (a *attempt) naming() proof.Naming {
	n := proof.Naming{Inputs: a.test.Program.Inputs, Free: a.test.Free}
	if l := a.file.Language; l != nil {
		n.NameFree = l.NameFree
		n.Taken = slice.Map(l.Operators, func(o *ops.Operator) string { return o.Name })
		n.Sorted = func(s *term.Store, names map[slot.Name]string, scope []proof.Bound, terms ...term.Term) []string {
			bound := slice.Map(scope, func(b proof.Bound) slot.Name { return b.Name })
			return l.TextIn(s, names, bound, terms...)
		}
	}
	return n
}

// String is a proof in single steps, with those of what conditions rest on below.
func (p *Proof) String() string { return p.After(make(map[string]bool)) }

// After is [Proof.String] of a proof after others of the test, which have shown something.
func (p *Proof) After(shown map[string]bool) string {
	var b strings.Builder
	e := proof.NewText(&b, p.Proof, p.naming)
	e.Shown = shown
	e.Shows(p.Chain)
	e.Line("%s: %s", p.Text, diag.Count(len(p.Chain.Steps), "step"))
	e.Steps(p.Chain, 0)
	for _, a := range p.Assumed {
		e.Line("assumed: %s", a)
	}
	for _, g := range p.Gaps {
		e.Line("a gap, by %s: %v", g.Rule, g.Err)
	}
	e.As(p.Chain)
	return b.String()
}
