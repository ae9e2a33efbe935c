package rules

import (
	"egad/slot"
	"egad/term"
)

// Match is what the metavariables of a rule stand for.
type Match struct {
	Rule *Rule
	Root slot.Ref
	Vars []Variable
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

	Ref   slot.Ref  // of a term
	Index slot.Name // of one bound variable
	Size  *Pattern  // of what has no name: the size used as an integer that Lit must be
}

// Left is what the left side of a rule leaves open: the operators of its applications and the
// types of its literals, and of its let-bound variables.
type Left struct {
	Ops   map[*Pattern]term.Op
	Types map[*Pattern]*term.Type
	Lets  map[string]*term.Type
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
