package ad

import (
	"fmt"
	"math"
	"slices"

	"egad/internal/slice"
	"egad/loops"
	"egad/term"
	"egad/term/ops"
	"egad/term/types"
)

// loop is the derivative of all states of a loop. Their changes are those of a linear
// loop, lstates, whose step is the map of the body where the state is what it was. The
// state of the linear loop is larger: beside the real arrays of the state it keeps the
// changes of what the body takes from outside, which stay as they are, so that their
// cotangents add up from step to step. What a step reads from an array at indices of
// its own is no part of that: the whole array would be added in each step. Its change
// comes from outside for each step, and its cotangent goes there.
func (l *lineariser) loop(t term.Term, v term.View) []edge {
	s := l.s
	st := &state{l: l, all: t, view: v, in: l.body(v.Binders)}
	local := s.MustMake(ops.Op{Sym: ops.SymLocal, Type: v.Op.Type}, v.Binders[1:], nil, nil)
	own := st.arrays(local)
	for _, x := range own {
		st.in.states[term.TermKey(x)] = true
	}
	next := st.arrays(v.Kids[2])
	st.in.taken = make(map[string]int)
	seen := make(map[string]bool)
	for _, t := range next {
		st.in.take(t, seen)
	}
	root := s.Packed(next)
	st.in.walkAll(append(next, root))
	first := st.arrays(v.Kids[0])
	for k, z := range first {
		l.walk(z)
		st.parts = append(st.parts, part{of: own[k], from: z})
	}
	st.real = len(st.parts)
	reads := st.reads()
	reached := st.in.reverse(root, l.one(root), nil)
	for _, x := range st.in.leaves {
		if _, ok := reached[term.TermKey(x)]; ok && !st.in.states[term.TermKey(x)] {
			st.parts = append(st.parts, part{of: x, from: x, kept: true})
		}
	}
	for _, r := range reads {
		if _, ok := reached[term.TermKey(r.of)]; ok {
			st.parts = append(st.parts, r)
		}
	}
	return st.edges(root, next)
}

// state is the state of a loop that is differentiated.
type state struct {
	l     *lineariser
	in    *lineariser // of the body
	all   term.Term   // all states
	view  term.View
	parts []part    // the changes that the linear loop keeps
	real  int       // how many of them are of the arrays of the state
	whole term.Term // stands for all states of the linear loop, if it has more parts
}

// part is a change in the state of a linear loop: of a leaf of the body, which has come
// from outside before the first step, or in each.
type part struct {
	of, from   term.Term
	kept, each bool
}

// arrays are the real arrays of a value of the type of the state, or of one with
// more axes.
func (st *state) arrays(of term.Term) []term.Term {
	if st.view.Op.Type.Kind != types.KTuple {
		return []term.Term{of}
	}
	var out []term.Term
	for i, p := range st.view.Op.Type.Parts {
		if p.Differentiable() {
			out = append(out, st.l.s.Proj(i, of))
		}
	}
	return out
}

// reads takes what the body reads at indices of its own out of arrays from outside: it
// becomes a leaf of the body, and what all steps read a term outside. So does what all steps of a
// loop in the body read at indices of both.
func (st *state) reads() []part {
	l, s := st.l, st.l.s
	var out []part
	for _, t := range slices.Clone(st.in.order) {
		edges := st.in.edges[term.TermKey(t)]
		for i, e := range edges {
			if st.in.inside(e.kid) || !st.in.inside(e.local) || !st.in.reading(t) || !smaller(s.Type(t), s.Type(e.kid)) && !loops.Rounds(s, st.all) {
				continue
			}
			if !st.in.inside(t) && !st.few(s.Type(t), s.Type(e.kid)) {
				continue
			}
			all := s.MustMake(ops.Op{Sym: ops.SymLbuild, Sizes: st.view.Op.Sizes}, nil, st.view.Binders[:1], []term.Term{st.was(e.local)})
			l.walk(e.kid) // which the body may have seen through
			r := part{of: st.in.standIn(s.Type(t)), from: l.standIn(s.Type(all).Parts[1], edge{e.kid, all}), each: true}
			l.read[term.TermKey(r.from)] = true
			edges[i] = edge{r.of, l.one(r.of)}
			out = append(out, r)
		}
	}
	return out
}

// standIn is a term for something that has a change and is no term of the program: a
// leaf, or what has the given edges.
func (l *lineariser) standIn(t *types.Type, edges ...edge) term.Term {
	x := l.s.Var(fmt.Sprintf("stand-in %d", l.found.made), t)
	l.found.made++
	key := term.TermKey(x)
	l.active[key], l.edges[key] = true, edges
	if edges == nil {
		l.order = slices.Insert(l.order, 0, x)
	} else {
		l.order = append(l.order, x)
	}
	return x
}

// reading reports whether t is what is read at indices.
func (l *lineariser) reading(t term.Term) bool {
	sym := l.s.Op(t).Sym
	return sym == ops.SymIndex || sym == ops.SymGather || l.read[term.TermKey(t)]
}

// maxRead is how many times the elements of an array what all steps of a loop read of it in another loop
// may be: the cotangents of all are kept.
const maxRead = 4

// few reports whether all steps read, of t each, not many more elements than u has.
func (st *state) few(t, u *types.Type) bool {
	steps, known := st.view.Op.Sizes[0].Const()
	_, n, err := types.ShapeOf(t, math.MaxInt)
	_, m, tooMany := types.ShapeOf(u, math.MaxInt)
	always := st.l.s.Op(st.view.Kids[1]).Sym == ops.SymConst // that many steps
	return known && always && err == nil && tooMany == nil && float64(steps)*float64(n) <= maxRead*float64(m)
}

// smaller reports whether t has fewer elements than u.
func smaller(t, u *types.Type) bool {
	_, n, err := types.ShapeOf(t, math.MaxInt)
	_, m, tooMany := types.ShapeOf(u, math.MaxInt)
	return err == nil && (tooMany != nil || n < m)
}

// tuple reports whether the state of the linear loop is one of several changes.
func (st *state) tuple() bool { return len(st.parts) > 1 }

// paired is the map to a state of the maps to its parts.
func (st *state) paired(maps []term.Term) term.Term { return st.together(ops.SymLpair, maps) }

// together is a map of maps from the parts of a state, or to them.
func (st *state) together(sym ops.Sym, maps []term.Term) term.Term {
	if len(maps) == 1 {
		return maps[0]
	}
	return st.l.s.Apply(sym, maps...)
}

// typ is the type of the state of the linear loop.
func (st *state) typ() *types.Type {
	return term.PackedType(slice.Map(st.parts, func(p part) *types.Type { return st.l.s.Type(p.of) }))
}

// place is the map to part k of a tuple (linj) or from it (lproj); there may be one
// part only.
func (st *state) place(sym ops.Sym, k int, t *types.Type, tuple bool) term.Term {
	if !tuple {
		return st.l.s.MustMake(ops.Op{Sym: ops.SymLone, Type: t}, nil, nil, nil)
	}
	return st.l.s.MustMake(ops.Op{Sym: sym, N: k, Type: t}, nil, nil, nil)
}

// backward is the linear loop, with the step put together in reverse.
func (st *state) backward(root term.Term) term.Term {
	l, s, whole := st.l, st.l.s, st.typ()
	more := make(map[string][]term.Term)
	passed := make([]bool, len(st.parts))
	for k, p := range st.parts {
		if in, j := st.through(p); in != nil {
			n, _ := in.view.Op.Sizes[0].Const()
			stacked := component(s.Type(in.whole), j, true)
			last := s.MustMake(ops.Op{Sym: ops.SymGather}.MapOn(stacked), nil, nil, []term.Term{s.LitInt(n)})
			key := term.TermKey(in.whole)
			more[key] = append(more[key], s.Apply(ops.SymLcompose, st.place(ops.SymLinj, k, whole, true), s.Apply(ops.SymLcompose, last, st.place(ops.SymLproj, j, s.Type(in.whole), true))))
			passed[k] = true
		}
	}
	real := s.Type(root)
	first := l.one(root)
	if len(st.parts) > st.real {
		var maps []term.Term
		for k, p := range st.parts {
			if k < st.real {
				maps = append(maps, st.place(ops.SymLproj, k, real, st.real > 1))
			} else {
				maps = append(maps, l.zero(real, s.Type(p.of)))
			}
		}
		first = st.paired(maps)
	}
	d := st.in.reverse(root, first, more)
	var columns []term.Term
	for k, p := range st.parts {
		m, ok := d[term.TermKey(p.of)]
		if !ok {
			m = l.zero(s.Type(p.of), whole)
		}
		if p.kept && !passed[k] {
			m = s.Apply(ops.SymLadd, st.place(ops.SymLinj, k, whole, true), m)
		}
		columns = append(columns, m)
	}
	return st.loop(st.together(ops.SymLjoin, columns))
}

// through finds the loop in the body that alone takes what a part is of, and which of
// its parts that is. What it adds up begins with what there is, then, and is not added
// to it: the sums are the same however the steps are put into rounds.
func (st *state) through(p part) (in *state, k int) {
	key, uses := term.TermKey(p.of), 0
	for _, t := range st.in.order {
		for _, e := range st.in.edges[term.TermKey(t)] {
			if term.TermKey(e.kid) == key {
				uses++
				in = st.in.wholes[term.TermKey(t)]
			}
		}
	}
	if !p.kept || uses != 1 || in == nil {
		return nil, 0
	}
	k = slices.IndexFunc(in.parts, func(q part) bool { return q.kept && q.from.Equal(p.of) })
	if k < 0 {
		return nil, 0
	}
	return in, k
}

// loop is the linear loop of a map of the body from a state to the next.
func (st *state) loop(m term.Term) term.Term {
	return st.l.s.MustMake(ops.Op{Sym: ops.SymLstates, Sizes: st.view.Op.Sizes}, nil, st.view.Binders[:1], []term.Term{st.view.Kids[1], st.was(m)})
}

// edges are the uses of what the loop takes from outside, or of all parts of the states
// of the linear loop, which has these uses.
func (st *state) edges(root term.Term, next []term.Term) []edge {
	l, s := st.l, st.l.s
	back := st.backward(root)
	domain := s.Type(back).Parts[0]
	into := make(map[string][]term.Term)
	var from []term.Term
	for k, p := range st.parts {
		key, end := term.TermKey(p.from), 0
		if !l.active[key] {
			continue
		}
		if p.each {
			end = 1
		}
		if into[key] == nil {
			from = append(from, p.from)
		}
		into[key] = append(into[key], s.Apply(ops.SymLcompose, st.place(ops.SymLinj, end, domain, true), st.place(ops.SymLinj, k, domain.Parts[end], st.tuple())))
	}
	if len(from) == 0 {
		return nil
	}
	out := slice.Map(from, func(x term.Term) edge { return edge{x, s.Apply(ops.SymLcompose, back, l.sum(into[term.TermKey(x)]))} })
	given := l.projections(from)
	whole := s.Type(given[term.TermKey(from[0])]).Parts[0]
	var begin, each []term.Term
	for k, p := range st.parts {
		first, added := l.zero(whole, s.Type(p.of)), l.zero(whole, component(domain.Parts[1], k, st.tuple()))
		if m, ok := given[term.TermKey(p.from)]; ok && p.each {
			added = m
		} else if ok {
			first = m
		}
		begin, each = append(begin, first), append(each, added)
	}
	together := joint{from, s.Apply(ops.SymLcompose, st.forward(next), s.Apply(ops.SymLpair, st.paired(begin), st.paired(each)))}
	if len(st.parts) == st.real {
		l.joint[term.TermKey(st.all)] = together
		return out
	}
	all := s.Type(back).Parts[1]
	st.whole = l.standIn(all, out...)
	l.joint[term.TermKey(st.whole)], l.wholes[term.TermKey(st.whole)] = together, st
	maps := slice.Make(st.real, func(k int) term.Term { return st.place(ops.SymLproj, k, all, true) })
	return []edge{{st.whole, st.paired(maps)}}
}

// forward is the linear loop, with the step put together forwards.
func (st *state) forward(next []term.Term) term.Term {
	whole := st.typ()
	start := make(map[string]term.Term)
	for k, p := range st.parts {
		start[term.TermKey(p.of)] = st.place(ops.SymLproj, k, whole, st.tuple())
	}
	f := st.in.forward(start)
	var maps []term.Term
	for k, p := range st.parts {
		m, ok := start[term.TermKey(p.of)], p.kept
		if k < st.real {
			m, ok = f[term.TermKey(next[k])]
		}
		if !ok {
			m = st.l.zero(whole, st.l.s.Type(p.of))
		}
		maps = append(maps, m)
	}
	return st.loop(st.paired(maps))
}

// component is part k of a type, or the type if it is no tuple.
func component(t *types.Type, k int, tuple bool) *types.Type {
	if tuple {
		return t.Parts[k]
	}
	return t
}

// was is a term of the body where the state is what it was in each step.
func (st *state) was(m term.Term) term.Term {
	s, i := st.l.s, st.l.s.Ivar(st.view.Binders[0], st.view.Op.Sizes[0])
	if st.view.Op.Type.Kind != types.KTuple {
		return s.Arrays(m, st.view.Binders[1], []term.Term{s.Index(st.all, i)})
	}
	parts := slice.Make(len(st.view.Op.Type.Parts), func(k int) term.Term { return s.Index(s.Proj(k, st.all), i) })
	return s.Arrays(m, st.view.Binders[1], parts)
}

// component is the use of an array of all states of a loop. Only real arrays have
// changes.
func (l *lineariser) component(v term.View) []edge {
	all := v.Kids[0]
	if l.walk(all); !l.active[term.TermKey(all)] {
		return nil
	}
	t, n := l.s.Type(all), 0
	if t.Change().Kind != types.KTuple {
		return []edge{{all, l.s.MustMake(ops.Op{Sym: ops.SymLone, Type: t.Change()}, nil, nil, nil)}}
	}
	for _, p := range t.Parts[:v.Op.N] {
		if p.Differentiable() {
			n++
		}
	}
	return []edge{{all, l.s.MustMake(ops.Op{Sym: ops.SymLproj, N: n, Type: t.RealPart()}, nil, nil, nil)}}
}
