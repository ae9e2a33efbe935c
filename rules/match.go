package rules

import (
	"egad/slot"
	"egad/term"
)

// Match is what the metavariables of a rule stand for.
type Match struct {
	Rule *Rule
	Root slot.Ref
	vars []Variable
}

// Variable is a metavariable of a rule with what it stands for, in the fields of its sort. Of
// static terms it is the value alone, without a name.
type Variable struct {
	Name  string
	Sort  Sort        // as [Application.Variables] says it
	Terms []slot.Ref  // of a list; of [Application.Variables] also one that stands for a term
	Names []slot.Name // of index variables, likewise
	Sizes []term.Size // those of an attribute, which may be one; of index variables their ranges
	Perm  []int
	N     int
	Lit   term.Scalar
	Type  *term.Type
	Op    *term.Op

	ref   slot.Ref  // of a term
	index slot.Name // of one index variable
	size  *Pattern  // of what has no name: the size used as an integer that Lit must be
}

func (m *Match) get(name string) *Variable {
	for i := len(m.vars) - 1; i >= 0; i-- {
		if m.vars[i].Name == name {
			return &m.vars[i]
		}
	}
	return nil
}
