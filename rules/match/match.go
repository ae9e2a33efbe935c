// Package match makes what a rule says of a match: its right side or its maps, and whether its
// conditions hold, in the terms of a store or the classes of an e-graph. It checks applications
// of rules without searching for a match.
package match

import (
	"egad/rules"
	"egad/slot"
	"egad/term/ops"
	"egad/term/size"
	"egad/term/types"
)

// Match is what the metavariables of a rule stand for.
type Match struct {
	Rule *rules.Rule
	Root slot.Ref
	Vars []Variable
}

// Clone is the same match, whatever becomes of m.
func (m *Match) Clone() *Match {
	c := new(Match)
	c.Set(m)
	return c
}

// Set makes a match the same as n, whatever becomes of that.
func (m *Match) Set(n *Match) {
	m.Rule, m.Root, m.Vars = n.Rule, n.Root, append(m.Vars[:0], n.Vars...)
}

// Variable is a metavariable of a rule with what it stands for, in the fields of its sort. Of
// static terms it is the value alone, without a name.
type Variable struct {
	Name  string
	Sort  rules.Sort  // as [Application.Variables] says it
	Terms []slot.Ref  // of a list; of [Application.Variables] also one that stands for a term
	Names []slot.Name // of index variables, likewise
	Sizes []size.Size // those of an attribute, which may be one; of index variables their ranges
	Perm  []int
	N     int
	Lit   ops.Scalar
	Type  *types.Type
	Op    *ops.Op

	Ref   slot.Ref       // of a term
	Index slot.Name      // of one bound variable
	Size  *rules.Pattern // of what has no name: the size used as an integer that Lit must be
}

// Left is what the left side of a rule leaves open: the operators of its applications and the
// types of its literals, and of its let-bound variables.
type Left struct {
	Ops   map[*rules.Pattern]ops.Op
	Types map[*rules.Pattern]*types.Type
	Lets  map[string]*types.Type
}

// Get finds what a metavariable stands for, or a bound variable in scope; nil if that is not
// known.
func (m *Match) Get(name string) *Variable {
	for i := len(m.Vars) - 1; i >= 0; i-- {
		if m.Vars[i].Name == name {
			return &m.Vars[i]
		}
	}
	return nil
}

// binds lists the names of bound variables that a metavariable stands for.
func (b *Variable) binds(r *rules.Rule) []slot.Name {
	switch r.Vars.Sort[b.Name] {
	case rules.SortIndex, rules.SortState:
		return []slot.Name{b.Index}
	case rules.SortIndices:
		return b.Names
	}
	return nil
}

// terms lists the terms that a metavariable stands for.
func (b *Variable) terms() []slot.Ref {
	if b.Terms != nil {
		return b.Terms
	}
	return []slot.Ref{b.Ref}
}

// of is what a bound variable stands for.
func (x *Variable) of() ops.VarType {
	if x.Type != nil {
		return ops.VarType{Type: x.Type}
	}
	return ops.VarType{Size: x.Sizes[0]}
}
