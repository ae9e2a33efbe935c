package ad

import (
	"egad/slot"
	"egad/term"
)

// loop is the derivative of all states of a loop. Their changes are those of a linear
// loop, lstates, whose step is the map M of the body by the state, where the state is
// what it was; each step adds what changes by what the body takes from outside:
// B (\i -> D), as in the body of a build. All real arrays of a state together are one
// change.
func (l *lineariser) loop(t term.Term, v term.View) ([]edge, error) {
	s := l.s
	st := &state{l: l, all: t, view: v, in: l.body(v.Binders), real: change(v.Op.Type)}
	local := s.MustMake(term.Op{Sym: term.SymLocal, Type: v.Op.Type}, v.Binders[1:], nil, nil)
	own := st.arrays(local)
	for _, x := range own {
		st.in.states[term.TermKey(x)] = true
	}
	next := st.arrays(v.Kids[1])
	root := next[0]
	if st.tuple() {
		root = s.Apply(term.SymTuple, next...)
	}
	if err := st.in.walk(root); err != nil {
		return nil, err
	}
	d := st.in.reverse(root)
	var byState []term.Term
	for _, x := range own {
		byState = append(byState, st.orZero(d, x, s.Type(x)))
	}
	back := st.steps(st.joined(byState))
	var out []edge
	var from []term.Term
	use := func(x term.Term, local term.Term) {
		out = append(out, edge{x, s.Apply(term.SymLcompose, back, local)})
		from = append(from, x)
	}
	begin := make(map[string]bool)
	first := st.arrays(v.Kids[0])
	for k, z := range first {
		if err := l.walk(z); err != nil {
			return nil, err
		}
		if l.active[term.TermKey(z)] && !begin[term.TermKey(z)] {
			begin[term.TermKey(z)] = true
			use(z, s.Apply(term.SymLcompose, st.end(0), st.beginning(first, z, k)))
		}
	}
	for _, x := range st.in.leaves {
		if m, ok := d[term.TermKey(x)]; ok && !st.in.states[term.TermKey(x)] {
			use(x, s.Apply(term.SymLcompose, st.end(1), st.placed(x, m)))
		}
	}
	if len(out) > 0 {
		l.joint[term.TermKey(t)] = joint{from, st.forward(root, own, first, from)}
	}
	return out, nil
}

// state is the state of a loop that is differentiated.
type state struct {
	l    *lineariser
	in   *lineariser // of the body
	all  term.Term   // all states
	view term.View
	real *term.Type // of the real arrays of a state
}

// tuple reports whether a change of the state is one of several arrays.
func (st *state) tuple() bool { return st.real.Kind == term.KTuple }

// change is the type of a change of a state, or of all states: that of the real arrays
// together.
func change(t *term.Type) *term.Type {
	r := t.RealPart()
	if r.Kind == term.KTuple && len(r.Parts) == 1 {
		return r.Parts[0]
	}
	return r
}

// arrays are the real arrays of a value of the type of the state, or of one with
// more axes.
func (st *state) arrays(of term.Term) []term.Term {
	if st.view.Op.Type.Kind != term.KTuple {
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

// orZero is the map of m at x, or 0 from x to a state.
func (st *state) orZero(m map[string]term.Term, x term.Term, from *term.Type) term.Term {
	if t, ok := m[term.TermKey(x)]; ok {
		return t
	}
	return st.l.s.MustMake(term.Op{Sym: term.SymLzero, Type: from, Type2: st.real}, nil, nil, nil)
}

// joined is the map from a state of the maps from its arrays.
func (st *state) joined(maps []term.Term) term.Term {
	if !st.tuple() {
		return maps[0]
	}
	return st.l.s.Apply(term.SymLjoin, maps...)
}

// paired is the map to a state of the maps to its arrays.
func (st *state) paired(maps []term.Term) term.Term {
	if !st.tuple() {
		return maps[0]
	}
	return st.l.s.Apply(term.SymLpair, maps...)
}

// at is a map of the body where the state is what it was in each step. The values in
// it are those of all steps, from an array: they are computed once, whatever reads
// them.
func (st *state) at(m term.Term) term.Term {
	s, i, n := st.l.s, st.view.Binders[0], st.view.Op.Sizes
	done := make(map[string]term.Term)
	var kept func(t term.Term) term.Term
	kept = func(t term.Term) term.Term {
		typ, key := s.Type(t), term.TermKey(t)
		if !t.Has(i) || typ.Kind == term.KArray && typ.Elem == term.I {
			return t
		}
		if r, ok := done[key]; ok {
			return r
		}
		r := t
		if typ.Kind == term.KLin {
			v := s.Open(t)
			for k, kid := range v.Kids {
				if !s.Signature().Under(v.Op, k) {
					v.Kids[k] = kept(kid)
				}
			}
			r = s.MustMake(v.Op, v.Own, v.Binders, v.Kids)
		} else {
			all := s.MustMake(term.Op{Sym: term.SymBuild, Sizes: n}, nil, []slot.Name{i}, []term.Term{t})
			r = s.Index(all, s.Ivar(i, n[0]))
		}
		done[key] = r
		return r
	}
	return kept(st.was(m))
}

// was is a term of the body where the state is what it was in each step.
func (st *state) was(m term.Term) term.Term {
	s, i := st.l.s, st.l.s.Ivar(st.view.Binders[0], st.view.Op.Sizes[0])
	if st.view.Op.Type.Kind != term.KTuple {
		return s.Subst(m, map[slot.Name]term.Term{st.view.Binders[1]: s.Index(st.all, i)})
	}
	var parts []term.Term
	for k := range st.view.Op.Type.Parts {
		parts = append(parts, s.Index(s.Proj(k, st.all), i))
	}
	return s.Subst(m, map[slot.Name]term.Term{st.view.Binders[1]: s.Apply(term.SymTuple, parts...)})
}

// steps is the linear loop of a map of the body from a state to the next.
func (st *state) steps(m term.Term) term.Term {
	return st.l.s.MustMake(term.Op{Sym: term.SymLstates, Sizes: st.view.Op.Sizes}, nil, st.view.Binders[:1], []term.Term{st.at(m)})
}

// domain is that of a linear loop: a state, and what each step adds.
func (st *state) domain() *term.Type { return st.l.s.Type(st.steps(st.zero(st.real))).Parts[0] }

func (st *state) zero(from *term.Type) term.Term { return st.orZero(nil, st.all, from) }

// end is the map from a part of the domain: the first state (0), or what is added (1).
func (st *state) end(n int) term.Term {
	return st.l.s.MustMake(term.Op{Sym: term.SymLinj, N: n, Type: st.domain()}, nil, nil, nil)
}

// beginning is the map from z, which is number k of the arrays of the first state and
// perhaps others, to that state.
func (st *state) beginning(first []term.Term, z term.Term, k int) term.Term {
	s := st.l.s
	if !st.tuple() {
		return st.l.one(z)
	}
	var maps []term.Term
	for ; k < len(first); k++ {
		if first[k].Equal(z) {
			maps = append(maps, s.MustMake(term.Op{Sym: term.SymLinj, N: k, Type: st.real}, nil, nil, nil))
		}
	}
	return st.l.sum(maps)
}

// added is B of a map of the body to a state: array by array, as B makes arrays.
func (st *state) added(m term.Term) term.Term {
	s := st.l.s
	m = st.at(m)
	build := func(m term.Term) term.Term {
		return s.MustMake(term.Op{Sym: term.SymLbuild, Sizes: st.view.Op.Sizes}, nil, st.view.Binders[:1], []term.Term{m})
	}
	if !st.tuple() {
		return build(m)
	}
	var maps []term.Term
	for k := range st.real.Parts {
		maps = append(maps, build(s.Apply(term.SymLcompose, s.MustMake(term.Op{Sym: term.SymLproj, N: k, Type: st.real}, nil, nil, nil), m)))
	}
	return s.Apply(term.SymLpair, maps...)
}

// placed is the same map as added, of a map from x: put together so that a cotangent of
// a state goes back through the body once, and not for each of its arrays.
func (st *state) placed(x, m term.Term) term.Term {
	if !st.tuple() {
		return st.added(m)
	}
	s, n := st.l.s, st.view.Op.Sizes
	var maps []term.Term
	for k, p := range st.real.Parts {
		row := s.MustMake(term.Op{Sym: term.SymScatter, Targets: n}.MapOn(p), nil, nil, []term.Term{s.Ivar(st.view.Binders[0], n[0])})
		maps = append(maps, s.Apply(term.SymLcompose, row, s.MustMake(term.Op{Sym: term.SymLproj, N: k, Type: st.real}, nil, nil, nil)))
	}
	step := s.Apply(term.SymLcompose, s.Apply(term.SymLpair, maps...), st.at(m))
	sum := s.MustMake(term.Op{Sym: term.SymLbuildT, Sizes: n}, nil, st.view.Binders[:1], []term.Term{step})
	return s.Apply(term.SymLcompose, sum, s.MustMake(term.Op{Sym: term.SymReplicate, Sizes: n}.MapOn(s.Type(x)), nil, nil, nil))
}

// forward is the map from what the loop takes from outside, put together forwards.
func (st *state) forward(root term.Term, own, first, from []term.Term) term.Term {
	s := st.l.s
	step := st.orZero(st.in.forward(st.l.projections(own)), root, st.real)
	given := st.l.projections(from)
	domain := s.Type(given[term.TermKey(from[0])]).Parts[0]
	var begin []term.Term
	for _, z := range first {
		m, ok := given[term.TermKey(z)]
		if !ok {
			m = s.MustMake(term.Op{Sym: term.SymLzero, Type: domain, Type2: s.Type(z)}, nil, nil, nil)
		}
		begin = append(begin, m)
	}
	outside := make(map[string]term.Term)
	for key, m := range given {
		if !st.in.states[key] && st.in.active[key] {
			outside[key] = m
		}
	}
	add := st.added(st.orZero(st.in.forward(outside), root, domain))
	return s.Apply(term.SymLcompose, st.steps(step), s.Apply(term.SymLpair, st.paired(begin), add))
}

// component is the use of an array of all states of a loop. Only real arrays have
// changes.
func (l *lineariser) component(v term.View) ([]edge, error) {
	all := v.Kids[0]
	if err := l.walk(all); err != nil || !l.active[term.TermKey(all)] {
		return nil, err
	}
	t, n := l.s.Type(all), 0
	if change(t).Kind != term.KTuple {
		return []edge{{all, l.s.MustMake(term.Op{Sym: term.SymLone, Type: change(t)}, nil, nil, nil)}}, nil
	}
	for _, p := range t.Parts[:v.Op.N] {
		if p.Differentiable() {
			n++
		}
	}
	return []edge{{all, l.s.MustMake(term.Op{Sym: term.SymLproj, N: n, Type: t.RealPart()}, nil, nil, nil)}}, nil
}
