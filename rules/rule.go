// Package rules holds rewrite rules as data, and makes what a rule says of a match: its
// right side, and whether its conditions hold. Package load reads rules, and package
// typing finds their types.
//
// A rule is an equation between two terms with metavariables. The same rule
// serves directed runs and saturation of an e-graph (package saturate), the
// soundness test (package props) and the documentation. docs/rules.md describes the
// language.
package rules

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"sync"

	"egad/diag"
	"egad/internal/slice"
	"egad/rules/syntax"
	"egad/term"
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
func (r *Rule) SortOf(name string) *term.Type { return r.Vars.Types[name] }

// Text returns the rule as it is written.
func (r *Rule) Text() string { return r.Src.Text[r.Start:r.End] }

// Set is a named group of rules with the strategy they are meant for.
type Set struct {
	Name  string
	Doc   string
	Src   *diag.Source
	Pos   diag.Pos // of the name, where the set is opened first
	Rules []*Rule
	// Opaque rules do not look inside an atom, a term that has a name: an index stops
	// at a variable (Section 5.1 of the dual-numbers paper).
	Opaque bool
	// Lazy rules apply only where the operands are in normal form.
	Lazy bool
}

// Own lists the rules that were written in the set: it does not only use them.
func (s *Set) Own() []*Rule {
	var out []*Rule
	for _, r := range s.Rules {
		if r.Set.Name == s.Name && !r.OfClass { // sets of one name may have been joined
			out = append(out, r)
		}
	}
	return out
}

// Library is a collection of rule sets.
type Library struct {
	Sets []*Set
	// Schedules say where the sets are run.
	Schedules []*Schedule
	// Grammars say what may be taken out of an e-graph.
	Grammars []*Grammar
	// Tests are those of the files.
	Tests []*Test
	// Operators are those that the files declare.
	Operators []*term.Declared

	// Families are the rules for every linear operator.
	Families []Family

	byName map[string]*Set
	rules  map[string]*Rule
}

// NewLibrary returns a library without rules.
func NewLibrary() *Library {
	return &Library{byName: make(map[string]*Set), rules: make(map[string]*Rule)}
}

// Open returns the rule set of the name of s, and adds s if there is none.
func (l *Library) Open(s *Set) *Set {
	if old := l.byName[s.Name]; old != nil {
		return old
	}
	l.byName[s.Name] = s
	l.Sets = append(l.Sets, s)
	return s
}

// Add adds a rule to its set.
func (l *Library) Add(r *Rule) {
	l.rules[r.Name] = r
	r.Set.Rules = append(r.Set.Rules, r)
}

// RuleNames returns the names of all rules, sorted.
func (l *Library) RuleNames() []string { return slices.Sorted(maps.Keys(l.rules)) }

// Set finds a rule set by name, nil if there is none.
func (l *Library) Set(name string) *Set {
	if l == nil {
		return nil
	}
	return l.byName[name]
}

// Rule finds a rule by name, nil if there is none.
func (l *Library) Rule(name string) *Rule {
	if l == nil {
		return nil
	}
	return l.rules[name]
}

// All lists the rules in the order of the files.
func (l *Library) All() []*Rule {
	var out []*Rule
	for _, s := range l.Sets {
		out = append(out, s.Own()...)
	}
	return out
}

// With has the sets of both libraries, those of one name joined.
func (l *Library) With(m *Library) *Library {
	out := &Library{byName: make(map[string]*Set), rules: maps.Clone(l.rules), Operators: slices.Concat(l.Operators, m.Operators), Families: slices.Concat(l.Families, m.Families), Tests: slices.Concat(l.Tests, m.Tests), Grammars: slices.Concat(l.Grammars, m.Grammars)}
	maps.Copy(out.rules, m.rules)
	out.Schedules = slice.Map(l.Schedules, (*Schedule).clone)
	for _, s := range m.Schedules {
		out.AddSchedule(s)
	}
	for _, s := range slices.Concat(l.Sets, m.Sets) {
		if old := out.byName[s.Name]; old != nil {
			old.Rules = slices.Concat(old.Rules, s.Rules)
			continue
		}
		c := *s
		c.Rules = slices.Clip(c.Rules)
		out.byName[s.Name] = &c
		out.Sets = append(out.Sets, &c)
	}
	return out
}

// SetNames lists the rule sets in the order of the files.
func (l *Library) SetNames() []string {
	return slice.Map(l.Sets, func(s *Set) string { return s.Name })
}

// onlyExact returns the sets with only their exact rules.
func onlyExact(sets []*Set) []*Set {
	out := make([]*Set, len(sets))
	for i, s := range sets {
		e := *s
		e.Rules = slices.DeleteFunc(slices.Clone(s.Rules), func(r *Rule) bool { return r.Label == Real })
		out[i] = &e
	}
	return out
}

// AlwaysApplies says why a rule is not for a directed run.
func (r *Rule) AlwaysApplies() string {
	if r.General() && r.Kind != syntax.Fact && r.Kind != syntax.Demand {
		return fmt.Sprintf("and %s always does: its left side is any term", r.Name)
	}
	return fmt.Sprintf("and %s rewrites nothing: facts and demands are for saturation", r.Name)
}

// Family is a rule for every linear operator: one with a variable of that class, ?f.
// It is a rule for each of them, called as the family is with the name of the
// operator in the place of the word linear.
type Family struct {
	Decl *syntax.Rule // without the condition
	Name string       // of the variable
	Src  *diag.Source
	Set  syntax.Name
}
