package extract

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"egad/egraph"
	"egad/egraph/proof"
	"egad/rules/saturate"
	"egad/term"
)

// Contradiction says that rules prove what cannot be: of two different literals,
// types or ranges that they are equal. At least one of the rules is unsound.
type Contradiction struct {
	Err   error    // what was united
	Rules []string // of the proof, in the order in which they first occur
	Proof string   // a line for each term of the chain, with the rule that made it
}

func (c *Contradiction) Error() string {
	err := c.Err
	if inner := errors.Unwrap(err); inner != nil {
		err = inner // the number of the class says nothing to a reader
	}
	return fmt.Sprintf("contradiction: %v; of these rules one is unsound: %s\n%s", err, strings.Join(c.Rules, ", "), c.Proof)
}

func (c *Contradiction) Unwrap() error { return c.Err }

// blame repeats a run that ended with a contradiction, with proofs, and explains
// it. If that cannot be done the error stays as it is.
func (r *Run) blame(cause error) error {
	g := saturate.New(r.store.Signature())
	proof.Keep(g.Graph)
	root, err := g.AddTerm(r.store, *r.in, r.names)
	if err != nil {
		return cause
	}
	if rep, _ := r.stage(g, root); rep == nil || rep.Stop != egraph.Contradiction {
		return cause
	}
	return Blame(g, cause)
}

// Blame explains the contradiction with which a run ended on a graph that keeps
// proofs: the result is a [*Contradiction], or the cause if that cannot be done.
func Blame(g *saturate.Graph, cause error) error {
	x, err := proof.For(g.Graph)
	if err != nil {
		return cause
	}
	chain, err := x.Blame()
	if err != nil {
		return cause
	}
	c := &Contradiction{Err: cause}
	show := &terms{g: g, printer: term.Printer{Store: term.NewStore(g.Signature())}}
	known := true
	text := func(t *egraph.Tree) string {
		s, ok := show.text(t)
		known = known && ok
		return s
	}
	lines := []string{"     " + text(chain.Start)}
	for i, t := range chain.Terms()[1:] {
		s := chain.Steps[i]
		reason := s.Reason
		if s.Rule != nil && !slices.Contains(c.Rules, reason) {
			c.Rules = append(c.Rules, reason)
		}
		if s.Reverse {
			reason += ", backwards"
		}
		lines = append(lines, fmt.Sprintf("%3d. %s   by %s", i+1, text(t), reason))
	}
	if known { // else the terms have no type
		c.Proof = strings.Join(lines, "\n")
	}
	return c
}

// terms prints terms of the engine as text of the language.
type terms struct {
	g       *saturate.Graph
	printer term.Printer
}

func (x *terms) text(t *egraph.Tree) (string, bool) {
	u, ok := x.term(t)
	if !ok {
		return "", false
	}
	x.printer.NameFree(u)
	return strings.ReplaceAll(x.printer.Term(u), "\n", "\n     "), true
}

func (x *terms) term(t *egraph.Tree) (term.Term, bool) {
	var kids []term.Term
	for _, k := range t.Kids {
		u, ok := x.term(k)
		if !ok {
			return u, false
		}
		kids = append(kids, u)
	}
	u, err := x.printer.Store.Make(x.g.TermOp(t.Op), t.Own, t.Binders, kids)
	return u, err == nil
}
