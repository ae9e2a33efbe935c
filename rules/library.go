package rules

import (
	"maps"
	"slices"

	"egad/diag"
	"egad/internal/slice"
	"egad/rules/syntax"
	"egad/term"
	"egad/term/ops"
)

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
	return slice.Filter(s.Rules, func(r *Rule) bool { return r.Set.Name == s.Name && !r.OfClass }) // sets of one name may have been joined
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
	Operators []*ops.Declared

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

// Without is the library without some of its rules in the sets.
func (l *Library) Without(some func(*Rule) bool) *Library {
	out := *l
	out.Sets, out.byName = without(l.Sets, some), make(map[string]*Set)
	for _, s := range out.Sets {
		out.byName[s.Name] = s
	}
	return &out
}

// SetNames lists the rule sets in the order of the files.
func (l *Library) SetNames() []string {
	return slice.Map(l.Sets, func(s *Set) string { return s.Name })
}

// without returns the sets without some of their rules.
func without(sets []*Set, some func(*Rule) bool) []*Set {
	out := make([]*Set, len(sets))
	for i, s := range sets {
		e := *s
		e.Rules = slices.DeleteFunc(slices.Clone(s.Rules), some)
		out[i] = &e
	}
	return out
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

// Takes reports whether a rule of the set is for outer applied to inner, as
// build of sum or lapply of lmap sum.
func (s *Set) Takes(outer, inner ops.Sym) bool { return len(s.taking(outer, inner)) > 0 }

// taking lists the rules for outer applied to inner; a set that is nil has none.
func (s *Set) taking(outer, inner ops.Sym) []*Rule {
	if s == nil {
		return nil
	}
	var out []*Rule
	for _, r := range s.Rules {
		if r.Nabla || r.Lhs.Kind != PApp || r.Lhs.Sym != outer || len(r.Lhs.Kids) == 0 {
			continue
		}
		if first := r.Lhs.Kids[0].Pat; first != nil && first.Kind == PApp && first.Sym == inner {
			out = append(out, r)
		}
	}
	return out
}

// Derivable reports whether the rules take a declared operator from its
// derivative to a gradient: there is a derivative rule, and rules for the
// application and the transposition of the maps of declared operators in it.
// If not, missing says what there is no rule for.
func (l *Library) Derivable(sig *term.Signature, d *ops.Declared) (missing string, ok bool) {
	var maps []ops.Sym
	found := false
	if nabla := l.Set("nabla"); nabla != nil {
		for _, r := range nabla.Rules {
			if r.Nabla && r.Lhs.Sym == d.Op {
				found = true
				for _, m := range r.Maps {
					maps = declaredMaps(sig, m.Pat, maps)
				}
			}
		}
	}
	if !found {
		return "nabla of " + d.Name, false
	}
	for i := 0; i < len(maps); i++ { // grows
		name := sig.Operator(maps[i]).Name
		if !l.Set("linear_apply").Takes(ops.SymLapply, maps[i]) {
			return "lapply of " + name, false
		}
		transposes := l.Set("linear_transpose").taking(ops.SymLtranspose, maps[i])
		if len(transposes) == 0 {
			return "ltranspose of " + name, false
		}
		for _, r := range transposes {
			maps = declaredMaps(sig, r.Rhs, maps)
		}
	}
	return "", true
}

// declaredMaps adds the maps of declared operators in a pattern to a list.
func declaredMaps(sig *term.Signature, p *Pattern, to []ops.Sym) []ops.Sym {
	for q := range p.All() {
		if q.Kind != PApp || q.Name != "" {
			continue
		}
		if o := sig.Operator(q.Sym); o.Declared != nil && o.Linear && !slices.Contains(to, q.Sym) {
			to = append(to, q.Sym)
		}
	}
	return to
}
