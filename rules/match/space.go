package match

import (
	"egad/slot"
	"egad/term"
	"egad/term/ops"
	"egad/term/types"
)

// Space is where rules are matched and their results built: the terms of a
// [term.Store] or the classes of an e-graph. A reference stands for all nodes
// that [Space.Nodes] shows.
type Space interface {
	Signature() *term.Signature
	// Nodes calls f for every node that r stands for, taken apart with fresh
	// names for its binders, until f returns false.
	Nodes(r slot.Ref, f func(v term.View) bool)
	// Same reports whether two references are known to be equal.
	Same(a, b slot.Ref) bool
	Type(r slot.Ref) *types.Type
	Bounds(r slot.Ref) ops.Bounds
	Make(op ops.Op, own, binders []slot.Name, kids []slot.Ref) (slot.Ref, *ops.TypeError)
	Fresh() slot.Name
	// Subst replaces variables. A replacement of an index variable may be out of its
	// range.
	Subst(r slot.Ref, env map[slot.Name]Replacement) slot.Ref
	// Named reports whether r was given a name in the source: an atom, at which
	// the rules of an opaque set stop.
	Named(r slot.Ref) bool
	// Uses reports whether there may be a node with an operator.
	Uses(sym ops.Sym) bool
}

// Terms is the space of the terms of a store.
type Terms struct {
	*term.Store
	Names map[uint32]term.Hint // the atoms
}

// Nodes shows the one node of a term.
func (t Terms) Nodes(r slot.Ref, f func(v term.View) bool) { f(t.Open(r)) }

// Same is equality of terms up to the names of bound variables.
func (t Terms) Same(a, b slot.Ref) bool { return a.Equal(b) }

// Subst replaces variables.
func (t Terms) Subst(r slot.Ref, env map[slot.Name]Replacement) slot.Ref {
	by := make(map[slot.Name]term.Term, len(env))
	for n, x := range env {
		by[n] = x.By
	}
	return t.Store.Subst(r, by)
}

// Uses is true: which operators there are is not looked for.
func (t Terms) Uses(ops.Sym) bool { return true }

// Named reports whether r is an atom.
func (t Terms) Named(r slot.Ref) bool {
	_, ok := t.Names[r.ID]
	return ok
}
