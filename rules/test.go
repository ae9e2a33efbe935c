package rules

import (
	"slices"

	"egad/diag"
	"egad/rules/syntax"
	"egad/slot"
	"egad/term"
	"egad/term/types"
)

// Test is a run of rules on terms, and what is to come of it. What it says of terms is
// said of terms of one store, of which the variables of the test are inputs.
type Test struct {
	*syntax.Test
	Src     *diag.Source
	Program *term.Program // without a result of its own
	// Free names the free variables of terms of a language.
	Free      map[slot.Name]string
	FreeSorts map[slot.Name]*types.Type
	Starts    []term.Term
	// The equations of the claims, in their order; a fact is equal to true.
	Assume, Prove, Refute, Extract []Equation
	Until                          map[*syntax.Claim]Equation
}

// Equation is what a claim says of two terms.
type Equation struct {
	*syntax.Claim
	A, B term.Term
}

// runs reports whether a test runs a schedule of its file, or the rules of a set.
func (t *Test) runs(l *Library, name string) bool {
	for s := range syntax.Steps(t.Schedule) {
		if slices.ContainsFunc(s.Names, func(n syntax.Name) bool {
			of := l.Schedule(n.Text)
			return n.Text == name || n.Text == syntax.All || of != nil && slices.Contains(of.Sets, name)
		}) {
			return true
		}
	}
	return len(t.Schedule) == 0 && l.Schedule(name) == nil
}

// Tested reports whether a test of a file runs a schedule or a set of it.
func (l *Library) Tested(src *diag.Source, name string) bool {
	return slices.ContainsFunc(l.Tests, func(t *Test) bool { return t.Src == src && t.runs(l, name) })
}
