package suite

import (
	"errors"
	"slices"
	"strings"
	"time"

	"egad/diag"
	"egad/egraph"
	"egad/extract"
	"egad/rules"
	"egad/rules/saturate"
	"egad/slot"
	"egad/term"
)

// expected reports whether the test itself, or a rule, says of two symbols of a sort
// that they are equal.
func (a *attempt) expected(s *term.Type) bool {
	l := a.file.Language
	symbol := func(sym term.Sym) bool {
		d := l.Signature.Operator(sym).Sorted
		return d != nil && d.Symbol && d.Result == s
	}
	for _, e := range slices.Concat(a.test.Assume, a.test.Prove) {
		x, y := a.store.Op(e.A).Sym, a.store.Op(e.B).Sym
		if symbol(x) && symbol(y) && x != y {
			return true
		}
	}
	return slices.ContainsFunc(l.All(), func(r *rules.Rule) bool {
		x, y := r.Lhs.Sym, r.Rhs.Sym
		return symbol(x) && symbol(y) && x != y
	})
}

// listed is a chain of equal symbols in print.
func listed(l *saturate.Language, s *term.Type) string {
	var out []string
	for _, o := range l.Symbols(s) {
		if len(out) == maxListed {
			out = append(out, "…")
			break
		}
		out = append(out, o.Name)
	}
	return strings.Join(out, " = ")
}

const maxListed = 8

// prover proves what a run of a test of a language has found, until end unless that is
// zero.
func (a *attempt) prover(end time.Time) (*languageProver, error) {
	p, err := a.Graph.Prover(a.test.Free, end)
	if err != nil {
		return nil, err
	}
	v := saturate.Verifier{Names: a.test.Free, Free: a.test.FreeSorts, End: end}
	for _, e := range a.test.Assume {
		x, errX := a.Graph.Tree(a.store, e.A)
		y, errY := a.Graph.Tree(a.store, e.B)
		if errX != nil || errY != nil {
			return nil, errors.Join(errX, errY)
		}
		v.Assumed = append(v.Assumed, [2]*egraph.Tree{x, y})
	}
	v.ReadIn = a.readIn
	return &languageProver{a, p, v}, nil
}

// languageProver proves and verifies.
type languageProver struct {
	*attempt
	*saturate.Prover
	saturate.Verifier
}

// equation proves an equation of the test.
func (p *languageProver) equation(e rules.Equation) ([]*saturate.Proof, error) {
	x, err := p.Graph.Tree(p.store, e.A)
	if err != nil {
		return nil, err
	}
	if p.isFact(e) {
		return p.Fact(x)
	}
	y, err := p.Graph.Tree(p.store, e.B)
	if err != nil {
		return nil, err
	}
	q, err := p.Equal(x, y)
	if err != nil || len(q.Steps) == 0 {
		return nil, err
	}
	return []*saturate.Proof{q}, nil
}

// LanguageProofs are proofs of what a test of a language proves and the run has proved.
// They have been verified. The run must have been made with [runner.Options.Proofs].
// The error is a [diag.List] of what has no proof.
func (res *Result) LanguageProofs() ([]*saturate.Proof, error) {
	var end time.Time
	if res.time > 0 {
		end = time.Now().Add(res.time)
	}
	a := &attempt{Result: res, store: res.test.Program.Store.Clone()}
	p, err := a.prover(end)
	if err != nil {
		return nil, err
	}
	var out []*saturate.Proof
	var errs diag.List
	for _, e := range res.test.Prove {
		if !a.holds(e) {
			continue
		}
		p.Prover = p.Another() // a proof does not refer to that of another claim
		proofs, err := p.equation(e)
		for _, q := range proofs {
			if err == nil {
				err = a.Graph.Verify(p.Verifier, q)
			}
		}
		if err != nil {
			errs.Add(res.test.Src, e.Pos, "%s: no proof of %s: %v", res.test.Name.Text, e.Text, err)
			continue
		}
		out = append(out, proofs...)
	}
	return out, errs.Err()
}

// fault proves a fault.
func (p *languageProver) fault(f *fault) (*saturate.Proof, error) {
	switch {
	case f.sort != nil:
		return p.Collapse(f.sort)
	case f.refute != nil:
		out, err := p.equation(*f.refute)
		if len(out) == 0 {
			if err == nil {
				err = errors.New("the sides are different numbers")
			}
			return nil, err
		}
		return out[0], err
	}
	return p.Contradiction(func(r slot.Ref) *egraph.Tree {
		t, _ := extract.Smallest(p.Graph.Graph, r, maxTerm, func(n egraph.Node, kids []*egraph.Tree) *egraph.Tree {
			return &egraph.Tree{Op: n.Op, Own: n.Own, Binders: n.Binders, Kids: kids}
		})
		return t
	})
}
