package rules

import (
	"fmt"
	"slices"

	"egad/diag"
	"egad/term/ops"
)

// Grammar is a cost grammar: it says what may be taken out of an e-graph, and what that
// costs.
type Grammar struct {
	Name string
	Src  *diag.Source
	Pos  diag.Pos // of the name
	// Nonterminals are those of which it speaks, the first is where it starts.
	Nonterminals []string
	Productions  []Production
}

// Production says that a nonterminal derives an operator applied to nonterminals, or
// another nonterminal.
type Production struct {
	From int
	// Chain says that it derives the nonterminal To, of what has a name only if Named.
	Chain, Named bool
	To           int
	Kids         []int
	Rest         bool // the last of Kids stands for any number of children
	Cost         Cost
	// Class says that it is for what no line of the nonterminal before it is for.
	Class bool

	// Has says which operators the production is for, if it derives one.
	Has func(*ops.Operator) bool
}

// Cost is N * n + M * m + C, where n and m are elements of the result and of the first operand, and
// multiples of what is among the natural numbers of an operator of a language.
type Cost struct {
	N, M, C float64
	Sizes   []SizeCost
}

// SizeCost is K times a number among those of an operator.
type SizeCost struct {
	At int // its place, or -1 for the last one, -2 for the one before it and so on
	K  float64
}

// Zero reports whether it costs nothing.
func (c *Cost) Zero() bool { return c.N+c.M+c.C == 0 && len(c.Sizes) == 0 }

// Of is what an operator costs with n and m elements.
func (c *Cost) Of(op *ops.Op, n, m float64) float64 {
	sum := c.N*n + c.M*m + c.C
	for _, s := range c.Sizes {
		at := s.At
		if at < 0 {
			at += len(op.Sizes)
		}
		k, _ := op.Sizes[at].Const()
		sum += s.K * float64(k)
	}
	return sum
}

// Accepts reports whether the production derives an operator with so many children.
func (r *Production) Accepts(o *ops.Operator, children int) bool {
	if r.Chain || !r.Has(o) {
		return false
	}
	if r.Rest {
		return children >= len(r.Kids)-1
	}
	return children == len(r.Kids)
}

// Kid is the nonterminal of child i.
func (r *Production) Kid(i int) int { return r.Kids[min(i, len(r.Kids)-1)] }

// Smallest is a grammar of all terms, in which an operator costs 1.
var Smallest = &Grammar{
	Name: "smallest", Nonterminals: []string{"Any"},
	Productions: []Production{{Kids: []int{0}, Rest: true, Cost: Cost{C: 1}, Has: func(*ops.Operator) bool { return true }}},
}

// Grammar finds a cost grammar by name. It is an error if there is none.
func (l *Library) Grammar(name string) (*Grammar, error) {
	var names []string
	for _, g := range l.Grammars {
		if g.Name == name {
			return g, nil
		}
		names = append(names, g.Name)
	}
	return nil, &NoGrammarError{name, names}
}

// Takes reports whether a schedule or a test names a grammar.
func (l *Library) Takes(g *Grammar) bool {
	return slices.ContainsFunc(l.Schedules, func(s *Schedule) bool { return s.Grammar == g.Name }) ||
		slices.ContainsFunc(l.Tests, func(t *Test) bool { return t.By.Text == g.Name })
}

// NotTaken is the warning of a grammar that nothing names.
func (g *Grammar) NotTaken() string {
	return fmt.Sprintf("warning: no schedule or test names the grammar %s: --grammar %s takes terms by it", g.Name, g.Name)
}

// NoGrammarError says that there is no cost grammar of a name.
type NoGrammarError struct {
	Name  string
	Known []string
}

func (e *NoGrammarError) Error() string {
	return "there is no grammar " + e.Name + diag.DidYouMean(e.Name, e.Known)
}
