package lower

import (
	"fmt"

	"egad/internal/memo"
	"egad/term"
	"egad/term/ops"
	"egad/term/types"
)

// maxFollowed bounds how many steps of a loop are followed to see which integers its states are.
const maxFollowed = 64

// bounded notes what is known of the integers of inputs, and of the states of loops that are not
// in steps of others.
func (r *reading) bounded(p *term.Program) {
	r.known = r.store.Supposing(false)
	for _, leaf := range term.Leaves(p.Inputs) {
		if b, ok := r.ranges[leaf.Name]; ok {
			r.known.Bound(r.store.Var(leaf.Name, leaf.Type), b)
		}
	}
	var visit func(id uint32)
	inStep := memo.Once(func(id uint32, again func(uint32)) {
		if len(r.store.Vars(term.Term{ID: id})) == 0 { // the step only reads it
			visit(id)
			return
		}
		for _, k := range r.kids(id) {
			again(k.ID)
		}
	})
	visit = memo.Once(func(id uint32, visit func(uint32)) {
		kids := r.kids(id)
		loop := r.op(id).Sym == ops.SymStates
		if loop {
			inStep(kids[2].ID)
			kids = kids[:2]
		}
		for _, k := range kids {
			visit(k.ID)
		}
		if loop {
			r.boundStates(id)
		}
	})
	visit(p.Root.ID)
}

// boundStates notes the ranges of the integers of the states of a loop. Few steps are followed one by
// one; of many it is seen whether those that are followed lead to what there was.
func (r *reading) boundStates(id uint32) {
	ts := arraysOf(r.typ(id))
	var whole []int
	for k, typ := range ts {
		if typ.Elem == types.I {
			whole = append(whole, k)
		}
	}
	if len(whole) == 0 {
		return
	}
	st := r.store
	part := func(t term.Term, k int) term.Term {
		if st.Type(t).Kind == types.KTuple {
			return st.Proj(k, t)
		}
		return t
	}
	names := 0
	s := OpenStep(st, r.whole(id).over(st), func(like string) string {
		names++
		return fmt.Sprintf("%s %d of %d", like, names, id)
	})
	states, outer := s.Inputs[len(s.Inputs)-len(ts):], s.Inputs[:len(s.Inputs)-len(ts)]
	steps, _ := r.states(id)
	now, all := make(map[int]ops.Range), make(map[int]ops.Range)
	for _, k := range whole {
		now[k] = r.rangeOf(part(s.Kids[0], k).ID)
		all[k] = now[k]
	}
	for i := 0; i < steps; i++ {
		if i == maxFollowed {
			return
		}
		x := r.known.Clone()
		for j, in := range outer {
			n := steps
			if j < len(outer)-1 {
				n = r.outer(id)[j]
			}
			x.Bound(st.Var(in.Name, in.Type), ops.Range{Hi: int64(max(n-1, 0))})
		}
		for _, k := range whole {
			x.Bound(st.Var(states[k].Name, states[k].Type), now[k])
		}
		same := true
		for _, k := range whole {
			next := x.Bounds(part(s.Body, k)).Int
			all[k] = all[k].Join(next)
			if steps > maxFollowed {
				next = all[k]
			}
			same = same && next == now[k]
			now[k] = next
		}
		if same {
			break
		}
	}
	for _, k := range whole {
		r.known.Bound(term.Term{ID: r.state(id, k)}, all[k])
	}
}

// state is the node of array k of all states of a loop.
func (r *reading) state(id uint32, k int) uint32 {
	if r.typ(id).Kind == types.KTuple {
		return r.components(id)[k]
	}
	return id
}
