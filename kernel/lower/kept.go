package lower

import (
	"cmp"
	"slices"

	"egad/internal/slice"
	"egad/term"
	"egad/term/ops"
	"egad/term/types"
)

// Kept is a program with the terms in it that its kernels keep in memory; all else is
// computed where it is used. Tuples are taken apart.
type Kept struct {
	*term.Program
	// Terms come after what they are made of. What depends on index variables is kept with
	// an axis for each. They are called as the arrays of [kernel.Program].
	Terms []term.Term
	Names []string
}

// Keep lowers a program to see which of its terms kernels keep.
func Keep(p *term.Program) (*Kept, error) {
	if err := p.Made(); err != nil {
		return nil, err
	}
	l, err := lower(p)
	if err != nil {
		return nil, err
	}
	q := *p
	q.Store, q.Root, q.Inputs = l.store, l.root.term(l.store), p.Inputs
	out := &Kept{Program: &q}
	known := make(map[uint32]bool)
	// A node has a greater number than what it is made of.
	slices.SortStableFunc(l.made, func(a, b made) int { return cmp.Compare(a.id, b.id) })
	for _, m := range l.made {
		t := term.Term{ID: m.id, Args: l.store.FreshN(len(l.store.Vars(term.Term{ID: m.id})))}
		switch {
		case m.array.Name != "":
		case l.elementwise(l.op(m.id).Sym): // a copy that those who read it would compute, as `where true x y`
			m.array.Name = l.namer.array(m.id)
		default: // a copy of another
			continue
		}
		if n := l.nodes[m.id]; known[m.id] || n == nil || n.array != m.array || l.typ(m.id).Kind != types.KArray {
			continue
		}
		known[m.id] = true
		if steps, ok := l.states(m.id); ok && len(t.Args) > 0 && l.onlyLast(l.nodes[m.id]) { // there is no array of others
			t = l.store.Index(t, l.store.LitInt(int64(steps)))
		}
		out.Terms, out.Names = append(out.Terms, t), append(out.Names, m.array.Name)
	}
	return out, nil
}

// term is one term of arrays.
func (p *parts) term(s *term.Store) term.Term {
	if p.tuple == nil {
		return p.array
	}
	kids := slice.Map(p.tuple, func(k *parts) term.Term { return k.term(s) })
	return s.Apply(ops.SymTuple, kids...)
}
