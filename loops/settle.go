package loops

import (
	"slices"

	"egad/internal/slice"
	"egad/slot"
	"egad/term"
	"egad/term/ops"
	"egad/term/overflow"
	"egad/term/size"
	"egad/term/types"
)

// Settle makes the program with loops that keep only what changes and is used, which is an
// induction on the steps, so no rule by itself: let h put the arrays of a state together
// from fewer ones. If h of what these begin with is what the state begins with, and a
// step of them, then h, is h, then a step of the state, then h of all states of the
// smaller loop are all states of the larger one. What is found is the h that leaves out
// the most: arrays that stay what they begin with, and of arrays that are equal all but
// one. What then is used by nothing but itself is left out too.
//
// With exact, values stay the same float64s. With join, what loops have computed is read
// where it is computed again, loops add up sums where only these are used, unless values are to
// stay the same, and loops that take the same steps and have work in common are one: see [joiner]. It also reports whether anything was changed.
func Settle(p *term.Program, exact, join bool) (out *term.Program, changed bool, err error) {
	q := *p
	err = overflow.Guard(func() error {
		like, apart := newLikeness(p.Store, exact), make(map[string]bool)
		for again := p.HasLoops(); again; changed = changed || again {
			was := q.Root
			x := &settler{s: p.Store, exact: exact, join: join, like: like, apart: apart}
			x.inside, _ = x.settle(nil)
			whole, became := x.settle(usedArrays(x.s, was))
			q.Root = whole(was)
			q.Names = term.MoveHints(q.Names, became)
			if join {
				q.Root, became = reread(x.s, q.Root)
				q.Names = term.MoveHints(q.Names, became)
				if !exact {
					q.Root, q.Names = reduced(x.s, q.Root, q.Names)
				}
				j := &joiner{settler: x, names: q.Names}
				q.Root = j.all(q.Root)
				q.Names = j.names
			}
			again = !q.Root.Equal(was)
		}
		return nil
	})
	return &q, changed, err
}

type settler struct {
	s      *term.Store
	exact  bool
	join   bool
	like   *likeness
	inside func(term.Term) term.Term // settles the loops in the body of one
	apart  map[string]bool           // pairs of loops that are not to be joined, by [pairKey]
}

// usedArrays is which arrays of the states of loops are used in a term, by loop.
func usedArrays(s *term.Store, t term.Term) map[uint32]map[int]bool {
	used := make(map[uint32]map[int]bool)
	use := func(id uint32, part int) {
		if s.Op(term.Term{ID: id}).Sym != ops.SymStates {
			return
		}
		if used[id] == nil {
			used[id] = make(map[int]bool)
		}
		used[id][part] = true
	}
	all := func(id uint32) {
		for k := range max(1, len(s.Type(term.Term{ID: id}).Parts)) {
			use(id, k)
		}
	}
	all(t.ID)
	s.Walk(t, func(t term.Term) {
		for _, k := range s.Kids(t) {
			if op := s.Op(t); op.Sym == ops.SymProj {
				use(k.ID, op.N)
			} else {
				all(k.ID)
			}
		}
	})
	return used
}

// settle settles all loops in a term. Without used all of their arrays are used.
func (x *settler) settle(used map[uint32]map[int]bool) (func(term.Term) term.Term, map[uint32]term.Term) {
	s := x.s
	return s.Rewriter(func(at term.Term, v term.View) (term.Term, bool) {
		switch {
		case v.Op.Sym == ops.SymIndex && len(v.Kids) > 1:
			return copied(s, v)
		case v.Op.Sym == ops.SymProj && s.Op(v.Kids[0]).Sym == ops.SymTuple:
			return s.Proj(v.Op.N, v.Kids[0]), true
		case v.Op.Sym == ops.SymStates:
			return x.loop(v, used[at.ID])
		}
		return term.Term{}, false
	})
}

// copied is what is read at a known place of copies.
func copied(s *term.Store, v term.View) (term.Term, bool) {
	c := s.Op(v.Kids[1]).Const
	if n, ok := s.Type(v.Kids[0]).Shape[0].Const(); !ok || c == nil || c.Fill.Int < 0 || c.Fill.Int >= n {
		return term.Term{}, false
	}
	of := s.Open(v.Kids[0])
	var one term.Term
	switch {
	case of.Op.Sym == ops.SymReplicate:
		one = of.Kids[0]
	case of.Op.Sym == ops.SymConst && of.Op.Const.Data == nil:
		one = s.Lit(of.Op.Const.Fill, of.Op.Type.Shape[1:]...)
	default:
		return term.Term{}, false
	}
	if len(v.Kids) == 2 {
		return one, true
	}
	return s.Index(one, v.Kids[2:]...), true
}

// loop is a loop in whose body loops are settled, of which some arrays are used, or with nil
// all; false if nothing is left out.
func (x *settler) loop(v term.View, used map[int]bool) (term.Term, bool) {
	s, state := x.s, x.s.StateOf(v.Op.Type)
	first := slice.Make(len(state.Types), func(k int) term.Term { return s.Component(k, v.Kids[0]) })
	body := s.Arrays(v.Kids[2], v.Binders[1], state.Arrays)
	h, next := x.simulated(state, first, body)
	counts := x.counted(state, v, first, next, h)
	if len(counts) > 0 {
		next = x.after(state, h, body)
	}
	var uses []term.Term
	for k := range h {
		if used == nil || used[k] {
			uses = append(uses, h[k])
		}
	}
	live := state.Needed(s, uses, next)
	if len(live) == len(h) {
		return term.Term{}, false
	}
	slices.Sort(live)
	var loop term.Term
	if len(live) > 0 {
		loop = state.Loop(s, v, next, live)
	}
	all := make([]term.Term, len(h))
	steps := v.Op.Sizes[0].Add(size.Const(1))
	for k, t := range state.Types {
		count, counted := counts[k]
		at := slices.IndexFunc(live, func(j int) bool { return h[k].Has(state.Names[j]) })
		switch {
		case used != nil && !used[k]:
			all[k] = s.Zeros(types.ArrayOf(t.Elem, append([]size.Size{steps}, t.Shape...)...)) // nobody sees it
		case at >= 0:
			all[k] = s.Component(at, loop)
		case counted:
			all[k] = count
		default:
			all[k] = s.Replicate(steps, h[k])
		}
	}
	return s.Packed(all), true
}

// after is what the arrays of a state become in a step, where the state is h: with loops
// in it settled, and joined.
func (x *settler) after(state *term.State, h []term.Term, body term.Term) term.Term {
	env := make(map[slot.Name]term.Term)
	for k, n := range state.Names {
		env[n] = h[k]
	}
	for t := x.s.Subst(body, env); ; {
		if t = x.inside(t); !x.join {
			return t
		}
		joined := (&joiner{settler: x}).joined(t, t.Args)
		if joined.Equal(t) {
			return t
		}
		t = joined
	}
}

// simulated is what the arrays of a state are: what they begin with, or the first of those
// that are equal, and what these become in a step. It begins with all that can be, and takes
// back what the step denies.
func (x *settler) simulated(state *term.State, first []term.Term, body term.Term) (h []term.Term, next term.Term) {
	const stays = -1
	s, is := x.s, make([]int, len(first))
	h = slices.Clone(first)
	for k := range is {
		is[k] = stays
	}
	for {
		next = x.after(state, h, body)
		now := make([]int, len(first))
		for k := range is {
			to := s.Component(k, next)
			if is[k] == stays && x.same(to, first[k]) {
				now[k] = stays
				continue
			}
			for now[k] = 0; now[k] < k; now[k]++ {
				j := now[k]
				if now[j] == j && is[j] == is[k] && x.same(first[j], first[k]) && x.same(s.Component(j, next), to) {
					break
				}
			}
		}
		if slices.Equal(is, now) {
			return h, next
		}
		for k, j := range now {
			if j != stays {
				h[k] = state.Arrays[j]
			}
		}
		is = now
	}
}

// same reports whether two terms are known to be equal, from their form or from what
// bounds them.
func (x *settler) same(a, b term.Term) bool {
	if x.like.of(a) == x.like.of(b) {
		return true
	}
	if x.exact || x.s.Type(a).Elem != types.R || !x.s.Type(a).Equal(x.s.Type(b)) {
		return false
	}
	u, v := x.s.Bounds(a).Real, x.s.Bounds(b).Real
	return u.IsZero() && v.IsZero()
}
