package typing

import (
	"fmt"
	"slices"

	"egad/rules"
	"egad/rules/match"
	"egad/slot"
	"egad/term"
	"egad/term/ops"
	"egad/term/types"
)

// variables is a match of the instance in which every term metavariable is a
// named input.
func (in *Instance) variables(s *term.Store) *match.Match {
	m := in.match()
	in.addBinders(s, m)
	for i, t := range in.Terms {
		t.add(m, s.Var(fmt.Sprintf("%s %d", t.Name, i), t.Type))
	}
	return m
}

// match is a match of the instance without its terms.
func (in *Instance) match() *match.Match {
	m := &match.Match{Rule: in.Rule, Vars: slices.Clone(in.attrs)}
	for _, name := range in.Rule.Vars.Order {
		if in.Rule.Vars.Sort[name] == rules.SortTerms {
			m.Vars = append(m.Vars, match.Variable{Name: name, Terms: []slot.Ref{}})
		}
	}
	return m
}

// add adds a term that a metavariable stands for.
func (t *InstanceTerm) add(m *match.Match, r slot.Ref) {
	if !t.List {
		m.Vars = append(m.Vars, match.Variable{Name: t.Name, Ref: r})
		return
	}
	b := m.Get(t.Name)
	b.Terms = append(b.Terms, r)
}

// addBinders gives the bound variables of the left side names.
func (in *Instance) addBinders(s *term.Store, m *match.Match) (scope map[string][]slot.Name) {
	scope = make(map[string][]slot.Name)
	for _, name := range in.Rule.Vars.Order {
		if t := in.states[name]; t != nil {
			n := s.Fresh()
			scope[name] = []slot.Name{n}
			m.Vars = append(m.Vars, match.Variable{Name: name, Index: n, Type: t})
		}
		ss, ok := in.binders[name]
		switch sort := in.Rule.Vars.Sort[name]; {
		case ok && sort == rules.SortIndex:
			n := s.Fresh()
			scope[name] = []slot.Name{n}
			m.Vars = append(m.Vars, match.Variable{Name: name, Index: n, Sizes: ss})
		case ok && sort == rules.SortIndices:
			scope[name] = s.FreshN(len(ss))
			m.Vars = append(m.Vars, match.Variable{Name: name, Names: scope[name], Sizes: ss})
		}
	}
	return scope
}

// Build makes both sides of the instance in a store, given terms for the term
// metavariables: value is called with each and with the names of the index
// variables in scope. It is false if a function of the right side has no value.
func (in *Instance) Build(s *term.Store, value func(t InstanceTerm, scope map[string][]slot.Name) (term.Term, error)) (*match.Sides, bool, error) {
	m := in.match()
	// Bound variables of the left side get their names before terms that
	// mention them are made.
	scope := in.addBinders(s, m)
	for _, t := range in.Terms {
		r, err := value(t, scope)
		if err != nil {
			return nil, false, err
		}
		t.add(m, in.withIndex(s, t, withMultiple(s, m, t, r), scope))
	}
	return m.BuildSides(match.Terms{Store: s}, &in.Left)
}

// withIndex is r with the index variable that belongs to it.
func (in *Instance) withIndex(s *term.Store, t InstanceTerm, r term.Term, scope map[string][]slot.Name) term.Term {
	if t.Index == "" || !s.Type(r).IsScalar(types.I) { // nothing else has a preimage
		return r
	}
	i := s.Ivar(scope[t.Index][0], in.binders[t.Index][0])
	if t.Falls {
		return s.Apply(ops.SymSub, r, i)
	}
	return s.Apply(ops.SymAdd, i, r)
}

// apartBy is the literal by which a rule takes the metavariable with the given name apart, or "".
func apartBy(r *rules.Rule, name string) string {
	for p := range r.All() {
		if p.Kind == rules.PMultiples && p.X.Name == name && p.Lit.Kind == rules.AVar {
			return p.Lit.Name
		}
	}
	return ""
}

// withMultiple is r and a multiple of the literal by which the metavariable is taken apart.
func withMultiple(s *term.Store, m *match.Match, t InstanceTerm, r term.Term) term.Term {
	if t.By == "" || !s.Type(r).IsScalar(types.I) { // nothing else is taken apart
		return r
	}
	of := s.Apply(ops.SymSub, s.LitInt(1), r)
	return s.Apply(ops.SymAdd, s.Apply(ops.SymMul, of, s.Lit(m.Get(t.By).Lit)), r)
}

// Wanted returns what the conditions and assumptions ask of numbers, as [match.Match.Wanted] does: for a
// metavariable, or for each element of a list of them. Sizes are constants.
func (in *Instance) Wanted(sig *term.Signature) map[string][]match.Want {
	s := term.NewStore(sig)
	return in.variables(s).Wanted(match.Terms{Store: s})
}

// solveLiterals gives the literals that equations ask for their values. It is false if there
// are none.
func (in *Instance) solveLiterals() bool { return in.match().SolveLiterals(in.sig, in.attrs) }
