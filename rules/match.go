package rules

import (
	"egad/slot"
	"egad/term"
)

// Match is what the metavariables of a rule stand for.
type Match struct {
	Rule *Rule
	Root slot.Ref
	vars []binding
}

// binding is the value of one metavariable; which field counts depends on the
// sort.
type binding struct {
	name  string
	ref   slot.Ref
	refs  []slot.Ref
	index slot.Name
	names []slot.Name
	sizes []term.Size // SortSizes, SortSize (one), and the ranges of index variables
	perm  []int
	n     int
	lit   term.Scalar
	typ   *term.Type
	op    *term.Op
	size  *Pattern // of what has no name: the size used as an integer that lit must be
}

func (m *Match) get(name string) *binding {
	for i := len(m.vars) - 1; i >= 0; i-- {
		if m.vars[i].name == name {
			return &m.vars[i]
		}
	}
	return nil
}
