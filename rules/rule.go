// Package rules holds rewrite rules as data, with their sets, schedules, grammars and tests,
// and the languages of their own that files declare. Package load reads them, typing finds
// their types, match makes what they say of a match, and saturate runs them.
//
// A rule is an equation between two terms with metavariables. The same rule
// serves directed runs and saturation of an e-graph (package saturate), the
// soundness test (package props) and the documentation. docs/rules.md describes the
// language.
package rules

import (
	"cmp"
	"fmt"
	"sync"

	"egad/diag"
	"egad/rules/syntax"
	"egad/term/types"
)

// Label says what the two sides of a rule have in common.
type Label uint8

const (
	// Exact sides have the same float64 value (all NaNs are one value; -0 and
	// +0 differ).
	Exact Label = iota
	// Real sides are equal over the reals.
	Real
	// Agreed is said of a derivative rule: its maps are by agreement what they are, and
	// not the derivative.
	Agreed
)

func (l Label) String() string { return []string{"exact", "real", syntax.Agreed}[l] }

// Rule is one rewrite rule.
type Rule struct {
	Name  string
	Doc   string // with its source: paper and figure
	Label Label
	Set   *Set
	Src   *diag.Source
	Pos   diag.Pos // of the name
	// Start and End bound the rule in its source, without its comment.
	Start, End diag.Pos

	// Kind says what a match of the left side adds to an e-graph: that the right side
	// equals it, that the right side is true, or the right side alone.
	Kind     syntax.RuleKind
	Lhs, Rhs *Pattern
	// Of is the rule of which this one is made, nil if it is itself written: one with
	// <=>, read from right to left, or one with its guard.
	Of    *Rule
	Conds []Cond
	// Assumes lists facts about reals that need not be proved. The sides are
	// equal where they hold; applications for which they are not proved are
	// reported.
	Assumes  []Cond
	Examples []syntax.Example

	// BySharing marks a rule about let, which the representation of terms makes
	// an identity: it is tested but never applied.
	BySharing bool
	// Nabla marks a derivative rule: Rhs is nil and Maps holds one linear map
	// per operand of Lhs, nil where there is none.
	Nabla bool
	Maps  []Elem

	// Backoff bounds how often the rule matches, nil if nothing does.
	Backoff *syntax.Backoff

	// Family is the name of the rule of a language with operator variables for which this
	// one stands, with one choice of operators; "" if there is none.
	Family string

	// Claim says what is wrong if a rule does not hold for which a declaration of a language
	// stands; "" of rules that are written.
	Claim string

	// Language is that of the rule, nil if it is about arrays.
	Language *Language

	// OfClass says that the rule is of a family, for an operator of a user's file, who
	// did not write it.
	OfClass bool

	// Memo keeps what others make of the rule, always the same for a key.
	Memo *sync.Map

	// Joins says that conditions are looked for together with the left side: see [Rule.Joined].
	Joins bool
	// Guarded is the rule with its guard, for where that is not proved; nil if there is none.
	Guarded *Rule
	Vars    *Variables
}

// Reversed reports whether a rule is one that goes both ways, from right to left.
func (r *Rule) Reversed() bool { return r.Of != nil && r.Name == r.Of.Name+syntax.Reversed }

// ForSaturation reports whether a rule is for saturation only, as it has no right
// side for what matches: a term is not rewritten.
func (r *Rule) ForSaturation() bool {
	return r.General() || r.Kind == syntax.Fact || r.Kind == syntax.Demand
}

// General reports whether the left side is a metavariable alone, which any term is
// that the conditions allow. Such rules are for saturation.
func (r *Rule) General() bool { return r.Lhs.Kind == PMeta }

// OperatorClasses lists the classes that an operator variable ranges over.
func (r *Rule) OperatorClasses(name string) []Class { return r.Vars.Class[name] }

// Substitutes reports whether the right side has a substitution.
func (r *Rule) Substitutes() bool {
	return Find(r.Rhs, func(p *Pattern) bool { return p.Kind == PSubst }) != nil
}

// Known returns the name by which a file speaks of the rule.
func (r *Rule) Known() string { return cmp.Or(r.Family, r.Name) }

// SortOf returns the sort of a metavariable or a bound variable of a rule of a language.
func (r *Rule) SortOf(name string) *types.Type { return r.Vars.Types[name] }

// Text returns the rule as it is written.
func (r *Rule) Text() string { return r.Src.Text[r.Start:r.End] }

// AlwaysApplies says why a rule is not for a directed run.
func (r *Rule) AlwaysApplies() string {
	if r.General() && r.Kind != syntax.Fact && r.Kind != syntax.Demand {
		return fmt.Sprintf("and %s always does: its left side is any term", r.Name)
	}
	return fmt.Sprintf("and %s rewrites nothing: facts and demands are for saturation", r.Name)
}

// Variables is what is known of the metavariables of a rule.
type Variables struct {
	Sort  map[string]Sort // of metavariables and of the left side's bound variables
	Order []string        // in order of first occurrence on the left
	// Scope lists the bound variables that a term metavariable may mention:
	// those in scope at every occurrence on the left, without those that a
	// condition excludes.
	Scope map[string][]string
	Class map[string][]Class // of operator variables
	Lets  []string           // let-bound variables, of both sides
	// Variable has the metavariables that stand for variables of a language.
	Variable map[string]bool
	// Types are the sorts of metavariables and of bound variables of a language.
	Types map[string]*types.Type
}

// NewVariables returns what is known of no metavariables.
func NewVariables() *Variables {
	return &Variables{Sort: make(map[string]Sort), Scope: make(map[string][]string)}
}
