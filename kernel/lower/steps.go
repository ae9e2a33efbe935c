package lower

import (
	"fmt"
	"slices"

	"egad/internal/slice"
	"egad/kernel"
	"egad/kernel/fuse"
	"egad/slot"
	"egad/term"
	"egad/term/ops"
	"egad/term/types"
)

// stepping is a loop whose step is lowered when the rest is.
type stepping struct {
	*kernel.Steps
	prog *term.Program
}

// loop makes the kernels of node n, all states of a loop.
func (l *lowering) loop(n *node, outer []int) {
	l.begun(n.id, outer)
	l.step(l.whole(n.id).over(l.store))
}

// step has kept what is computed before a loop: what does not depend on its variables and its state,
// nor, of what depends on index variables around the loop, is light.
func (l *lowering) step(loop term.Term) {
	st, seen := l.store, make(map[string]bool)
	var visit func(u term.Term)
	visit = func(u term.Term) {
		around := slice.Map(u.Args, func(n slot.Name) bool { return slices.Contains(loop.Args, n) })
		key := fmt.Sprint(u.ID, around)
		if seen[key] {
			return
		}
		seen[key] = true
		v, closed := st.Open(u), len(u.Args) == 0
		switch {
		case slices.Contains(around, false) || st.Type(u).Kind != types.KArray:
		case v.Op.Sym == ops.SymVar || !closed && l.light(u.ID) <= maxLight:
			return
		case l.compares(u.ID), l.across(u.ID) && l.all(u.ID) >= minSpare: // what is smaller is computed before
		case l.view(u.ID) && !(closed && v.Op.Sym == ops.SymIndex && l.last(u.ID)) && !(l.works(u.ID) && (closed || len(v.Binders) > 0)):
		default:
			l.node(u.ID).kept = true
			return
		}
		for _, k := range v.Kids {
			visit(k)
		}
	}
	visit(st.Open(loop).Kids[2])
}

// compares reports whether an array has truth values that are found by comparing integers of smaller arrays: it is
// no quicker to load one of so many than to compare, which also tells what runs of a loop need not be done.
func (l *lowering) compares(id uint32) bool {
	if l.typ(id).Elem != types.B || !l.elementwise(l.op(id).Sym) {
		return false
	}
	var smaller func(k uint32) bool
	smaller = func(k uint32) bool {
		if slice.Product(l.shape(k)) < slice.Product(l.shape(id)) {
			return true
		}
		sym := l.op(k).Sym
		return (sym == ops.SymReplicate || sym == ops.SymTr) && smaller(l.kids(k)[0].ID)
	}
	return !slices.ContainsFunc(l.kids(id), func(k slot.Kid) bool {
		return !l.compares(k.ID) && (l.typ(k.ID).Elem == types.R || !smaller(k.ID))
	})
}

// works reports whether an element of a view has to be computed for each value of an index
// variable of a build in it.
func (l *lowering) works(id uint32) bool {
	if !l.view(id) {
		return len(l.store.Vars(term.Term{ID: id})) > 0
	}
	return !leaf(l.op(id).Sym) && slices.ContainsFunc(l.kids(id), func(k slot.Kid) bool { return l.works(k.ID) })
}

// onlyLast reports whether all that is read of a node, all states of a loop, is the
// last one.
func (l *lowering) onlyLast(n *node) bool {
	steps, ok := l.states(n.id)
	return ok && !n.kept && !slices.ContainsFunc(n.requests, func(r *request) bool {
		return r.at[0].Kind != kernel.Lit || r.at[0].Const.Int != int64(steps)
	})
}

// read makes the kernels of the step, whose arrays are not called like those that
// have names.
func (s *stepping) read(used term.NameSet, in fuse.Sizes) error {
	ranges := make(map[string]ops.Range)
	for i, in := range s.Inputs {
		if v := in.Variable; v > 0 {
			n := append(s.Outer[:len(s.Outer):len(s.Outer)], s.N)[v-1]
			ranges[s.prog.Inputs[i].Name] = ops.Range{Hi: int64(max(n-1, 0))}
		} else if in.State > 0 {
			ranges[s.prog.Inputs[i].Name] = s.States[in.State-1].Range
		} else if in.Array != nil {
			ranges[s.prog.Inputs[i].Name] = in.Array.Range
		}
	}
	_, err := read(s.prog, s.Steps, ranges, used, in)
	return err
}
