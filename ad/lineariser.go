package ad

import (
	"errors"
	"slices"
	"strings"

	"egad/diag"
	"egad/internal/raise"
	"egad/internal/slice"
	"egad/rules"
	"egad/rules/match"
	"egad/rules/saturate"
	"egad/slot"
	"egad/term"
	"egad/term/ops"
	"egad/term/types"
)

// lineariser finds the local maps of the active terms: those that depend on its
// leaves by a real path. There is one for the program, whose leaves are inputs,
// and one for the body of each build, whose leaves are the active terms from
// outside.
type lineariser struct {
	set    *rules.Set
	s      *term.Store
	find   *saturate.Matcher
	vars   []term.Term       // of the program: the inputs that are varied
	input  map[string]int    // where they are in vars, by key
	outer  *lineariser       // of the body of a build or a loop
	bound  []slot.Name       // its variables
	states map[string]bool   // of the body of a loop: the arrays of its state, by key
	taken  map[string]int    // of the body of a loop: how many terms from outside have the elements of an array, by its key
	read   map[string]bool   // by key: what loops read in all their steps
	wholes map[string]*state // by key: the states of linear loops with all their parts
	active map[string]bool   // by the key of a term; absent if not visited
	edges  map[string][]edge
	joint  map[string]joint     // of builds, by the key of the term
	order  []term.Term          // active terms, operands first
	leaves []term.Term          // those of them that are leaves
	names  map[uint32]term.Hint // of terms and maps
	found  *locals
}

// locals are the derivative rules that were applied, each with what its variables
// stand for. Where they are known before, no rule is matched.
type locals struct {
	applied []*match.Application
	maps    []Assembled
	made    int                     // how many terms standIn has made
	known   map[uint32]*match.Sides // by the node of the term; nil if they are to be found
}

// edge is the use of a term as an operand.
type edge struct {
	kid   term.Term
	local term.Term // L(u, kid)
}

// joint is the map of a build from all that its body takes from outside, from one
// array or from a tuple. The body is put together forwards in it, and in the maps
// of the edges in reverse: each way a map of the body that is used twice would be
// applied to two things the other way, and so on for those in it.
type joint struct {
	from  []term.Term
	local term.Term
}

func newLineariser(set *rules.Set, p *term.Program) *lineariser {
	return &lineariser{
		set: set, s: p.Store, find: saturate.NewMatcher(match.Terms{Store: p.Store}), names: distinct(p), input: make(map[string]int), active: make(map[string]bool), edges: make(map[string][]edge),
		joint: make(map[string]joint), read: make(map[string]bool), wholes: make(map[string]*state), found: &locals{},
	}
}

// name names map m of a term after it, if it has a name.
func (l *lineariser) name(kind string, t, m term.Term) {
	if l.outer != nil {
		return // the maps in a body are parts of others
	}
	h := l.names[t.ID]
	if at, ok := l.input[term.TermKey(t)]; ok {
		h = term.NewHint(strings.ReplaceAll(l.s.Op(t).Name, ".", "_"), at)
	}
	if h.Name == "" {
		return
	}
	h.Name = kind + "_" + h.Name
	if old, ok := l.names[m.ID]; !ok || h.Before(old) {
		l.names[m.ID] = h
	}
}

// distinct gives the names of p that occur several times numbers, as the printer
// does, so that the names of maps tell which of them is meant.
func distinct(p *term.Program) map[uint32]term.Hint {
	out := make(map[uint32]term.Hint)
	var used term.NameSet
	for _, in := range p.Inputs {
		used.Use(in.Name)
	}
	p.Store.Walk(p.Root, func(t term.Term) {
		h, ok := p.Names[t.ID]
		if !ok {
			return
		}
		if h.Name != "" {
			h.Name = used.Like(h.Name)
		}
		out[t.ID] = h
	})
	return out
}

// walk finds the local maps of t and of what it is made of.
func (l *lineariser) walk(t term.Term) {
	key := term.TermKey(t)
	if _, seen := l.active[key]; seen {
		return
	}
	l.active[key] = false
	if !l.s.Type(t).Differentiable() {
		return
	}
	if l.leaf(t) {
		l.leaves = append(l.leaves, t)
		l.activate(t)
		return
	}
	if l.outer != nil && !l.opened(t) && !l.spread(t) {
		return // outside, and not active
	}
	if edges := l.locals(t); len(edges) > 0 {
		l.edges[key] = edges
		l.activate(t)
	}
}

// walkAll walks several terms. A tuple of all components of a term is that term, and does
// not have them below it: they are walked by themselves.
func (l *lineariser) walkAll(ts []term.Term) {
	for _, t := range ts {
		l.walk(t)
	}
}

// leaf reports whether t is a leaf.
func (l *lineariser) leaf(t term.Term) bool {
	if l.outer == nil {
		_, ok := l.input[term.TermKey(t)]
		return ok
	}
	if l.opened(t) {
		return l.states[term.TermKey(t)]
	}
	if l.spread(t) {
		return false
	}
	l.outer.walk(t)
	return l.outer.active[term.TermKey(t)]
}

// spread reports whether t has the elements of another array at other places, and the body is
// that of a loop which takes that one from outside: as it has fewer elements, or as the body
// has them at several places. What the linear loop adds up is one array then, no larger than
// that. Copies of a number stay what is taken, as the sum of a whole array takes a kernel of its
// own in each step.
func (l *lineariser) spread(t term.Term) bool {
	if l.taken == nil {
		return false
	}
	of := l.source(t)
	typ := l.s.Type(of)
	return !of.Equal(t) && len(typ.Shape) > 0 && (smaller(typ, l.s.Type(t)) || l.taken[term.TermKey(of)] > 1)
}

// source is the array whose elements a term has at other places, or the term.
func (l *lineariser) source(t term.Term) term.Term {
	switch l.s.Op(t).Sym {
	case ops.SymReplicate, ops.SymTr, ops.SymReshape:
		return l.source(l.s.Open(t).Kids[0])
	}
	return t
}

// take counts how many terms a term of the body of a loop takes from outside that have the
// elements of each array.
func (l *lineariser) take(t term.Term, seen map[string]bool) {
	key := term.TermKey(t)
	if seen[key] || !l.s.Type(t).Differentiable() {
		return
	}
	seen[key] = true
	if !l.opened(t) {
		l.taken[term.TermKey(l.source(t))]++
		return
	}
	for _, k := range l.s.Open(t).Kids {
		l.take(k, seen)
	}
}

// inside reports whether a term depends on the variables of the body.
func (l *lineariser) inside(t term.Term) bool { return slices.ContainsFunc(l.bound, t.Has) }

// opened reports whether a term is looked into in a body: it depends on its variables, or
// is a tuple, which stands for its components.
func (l *lineariser) opened(t term.Term) bool { return l.inside(t) || l.s.Op(t).Sym == ops.SymTuple }

// body is a lineariser for the body of a binder.
func (l *lineariser) body(bound []slot.Name) *lineariser {
	return &lineariser{
		set: l.set, s: l.s, find: l.find, found: l.found, outer: l, bound: bound, states: make(map[string]bool),
		active: make(map[string]bool), edges: make(map[string][]edge), joint: make(map[string]joint), read: make(map[string]bool), wholes: make(map[string]*state),
	}
}

func (l *lineariser) activate(t term.Term) {
	l.active[term.TermKey(t)] = true
	l.order = append(l.order, t)
}

// locals finds the local maps of t from its active operands.
func (l *lineariser) locals(t term.Term) []edge {
	v := l.s.Open(t)
	switch v.Op.Sym {
	case ops.SymBuild:
		return l.build(t, v)
	case ops.SymStates:
		return l.loop(t, v)
	case ops.SymProj:
		return l.component(v)
	}
	var varied []int
	for i, k := range v.Kids {
		if l.s.Signature().Under(v.Op, i) || !l.s.Type(k).Differentiable() {
			continue // an index function, or an integer
		}
		l.walk(k)
		if l.active[term.TermKey(k)] {
			varied = append(varied, i)
		}
	}
	if len(varied) == 0 {
		return nil
	}
	maps := l.rule(t)
	var out []edge
	for _, i := range varied {
		if m, ok := maps[i]; ok {
			out = append(out, edge{v.Kids[i], m})
		}
	}
	l.pairs(t, out)
	return out
}

// pairs finds the map of all operands together, if those of the operands are one map of a
// tuple, as those of a call of a definition are. It is applied once, then, and not for
// each operand.
func (l *lineariser) pairs(t term.Term, edges []edge) {
	if len(edges) < 2 {
		return
	}
	var whole term.Term
	at := make(map[int]term.Term) // what is varied, by component
	for i, e := range edges {
		if l.s.Op(e.local).Sym != ops.SymLcompose {
			return
		}
		v := l.s.Open(e.local).Kids
		inj := l.s.Op(v[1])
		if inj.Sym != ops.SymLinj || i > 0 && !v[0].Equal(whole) {
			return
		}
		whole, at[inj.N] = v[0], e.kid
	}
	var from []term.Term
	for _, e := range edges {
		if !slices.ContainsFunc(from, e.kid.Equal) {
			from = append(from, e.kid)
		}
	}
	given := l.projections(from)
	domain := l.s.Type(given[term.TermKey(from[0])]).Parts[0]
	var parts []term.Term
	for k, p := range l.s.Type(whole).Parts[0].Parts {
		m := l.zero(domain, p)
		if x, ok := at[k]; ok {
			m = given[term.TermKey(x)]
		}
		parts = append(parts, m)
	}
	l.joint[term.TermKey(t)] = joint{from, l.s.Apply(ops.SymLcompose, whole, l.s.Apply(ops.SymLpair, parts...))}
}

// build is the direct path of Coconut, Section 3.3: the derivative of
// build k (\i -> e) is B k (\i -> D), for each term that the body takes from
// outside, with the derivative D of the body by this term.
func (l *lineariser) build(t term.Term, v term.View) []edge {
	in := l.body(v.Binders)
	body := v.Kids[0]
	in.walk(body)
	all := func(m term.Term) term.Term {
		return l.s.MustMake(ops.Op{Sym: ops.SymLbuild, Sizes: v.Op.Sizes}, nil, v.Binders, []term.Term{m})
	}
	d := in.reverse(body, l.one(body), nil)
	var out []edge
	var from []term.Term
	for _, x := range in.leaves {
		if m, ok := d[term.TermKey(x)]; ok {
			out = append(out, edge{x, all(m)})
			from = append(from, x)
		}
	}
	if len(out) > 0 {
		l.joint[term.TermKey(t)] = joint{from, all(in.forward(in.projections(from))[term.TermKey(body)])}
	}
	return out
}

// projections are the maps from a tuple of the changes of terms, or from that of
// the only one, to each.
func (l *lineariser) projections(of []term.Term) map[string]term.Term {
	types := slice.Map(of, l.s.Type)
	out := make(map[string]term.Term)
	for i, x := range of {
		key := term.TermKey(x)
		if out[key] = l.one(x); len(of) > 1 {
			out[key] = l.s.MustMake(ops.Op{Sym: ops.SymLproj, N: i, Type: term.PackedType(types)}, nil, nil, nil)
		}
	}
	return out
}

// rule finds the derivative rule for a term and its maps.
func (l *lineariser) rule(t term.Term) map[int]term.Term {
	if l.found.known != nil {
		return l.found.at(t)
	}
	space := match.Terms{Store: l.s}
	for _, r := range l.set.Rules {
		var maps map[int]term.Term
		var ok bool
		var buildErr error
		raise.Error(l.find.Matches(r, t, false, func(a *match.Application) bool {
			if maps, ok, buildErr = a.Match.BuildMaps(space); ok {
				l.found.applied = append(l.found.applied, a)
			}
			return !ok && buildErr == nil
		}))
		raise.Error(buildErr)
		if ok {
			return maps
		}
	}
	raise.Error(diag.Errorf(nil, 0, "there is no derivative rule for %s", l.s.Signature().Operator(l.s.Op(t).Sym).Name))
	return nil
}

// at gives the maps of a term of which they are known.
func (f *locals) at(t term.Term) map[int]term.Term {
	x, ok := f.known[t.ID]
	if !ok {
		raise.Error(errors.New("the proof has no derivative rule for a term"))
	}
	out := make(map[int]term.Term)
	for i, m := range x.Maps {
		out[i] = m.RenameFrom(x.Lhs.Args, t.Args)
	}
	return out
}

// whole puts the maps of all inputs to all of the result together.
func (l *lineariser) whole(j *Jacobian, root term.Term) {
	orZero := func(m map[string]term.Term, at term.Term, from, to *types.Type) term.Term {
		if t, ok := m[term.TermKey(at)]; ok {
			return t
		}
		return l.zero(from, to)
	}
	f := l.forward(l.projections(l.vars))
	j.Forward = orZero(f, root, j.Domain, j.Codomain)
	for _, o := range j.Out {
		j.Forwards = append(j.Forwards, orZero(f, o, j.Domain, l.s.Type(o)))
	}
	d := l.reverse(root, l.one(root), nil)
	for i, t := range l.order {
		if m, ok := f[term.TermKey(t)]; ok {
			l.found.maps = append(l.found.maps, Assembled{"F", t, m})
		}
		t = l.order[len(l.order)-1-i]
		if m, ok := d[term.TermKey(t)]; ok {
			l.found.maps = append(l.found.maps, Assembled{"D", t, m})
		}
	}
	for i, x := range l.vars {
		j.Reverse = append(j.Reverse, orZero(d, x, j.Wrt[i].Type, j.Codomain))
	}
}

// forward puts F together, operands first, from what it is at some terms.
func (l *lineariser) forward(start map[string]term.Term) map[string]term.Term {
	f := make(map[string]term.Term)
	for _, t := range l.order {
		key := term.TermKey(t)
		if m, ok := start[key]; ok {
			f[key] = m
			continue
		}
		var parts []term.Term
		if b, ok := l.joint[key]; ok {
			if m, ok := l.paired(b.from, f); ok {
				parts = append(parts, l.s.Apply(ops.SymLcompose, b.local, m))
			}
		} else {
			for _, e := range l.edges[key] {
				if m, ok := f[term.TermKey(e.kid)]; ok {
					parts = append(parts, l.s.Apply(ops.SymLcompose, e.local, m))
				}
			}
		}
		if len(parts) > 0 {
			f[key] = l.sum(parts)
			l.name("F", t, f[key])
		}
	}
	return f
}

// paired is the map to the changes of several terms, or of one, by the maps to each;
// false if there is no map to any.
func (l *lineariser) paired(to []term.Term, f map[string]term.Term) (term.Term, bool) {
	maps := make([]term.Term, len(to))
	var some *types.Type
	for i, x := range to {
		if m, ok := f[term.TermKey(x)]; ok {
			maps[i], some = m, l.s.Type(m).Parts[0]
		}
	}
	if some == nil || len(to) == 1 {
		return maps[0], some != nil
	}
	for i, x := range to {
		if _, ok := f[term.TermKey(x)]; !ok {
			maps[i] = l.zero(some, l.s.Type(x))
		}
	}
	return l.s.Apply(ops.SymLpair, maps...), true
}

// reverse puts D together, uses first, from a term of which it is given, and what is
// added to it at others.
func (l *lineariser) reverse(root, first term.Term, more map[string][]term.Term) map[string]term.Term {
	// The uses of each term, in the order of the terms that use it.
	type use struct {
		by    string
		local term.Term
	}
	uses := make(map[string][]use)
	for _, t := range l.order {
		by := term.TermKey(t)
		for _, e := range l.edges[by] {
			kid := term.TermKey(e.kid)
			uses[kid] = append(uses[kid], use{by, e.local})
		}
	}
	d := make(map[string]term.Term)
	for i := len(l.order) - 1; i >= 0; i-- {
		t := l.order[i]
		key := term.TermKey(t)
		if t.Equal(root) {
			d[key] = first
			continue
		}
		parts := more[key]
		for _, u := range uses[key] {
			// A use that does not reach the root adds nothing.
			if m, ok := d[u.by]; ok {
				parts = append(parts, l.s.Apply(ops.SymLcompose, m, u.local))
			}
		}
		if len(parts) > 0 {
			d[key] = l.sum(parts)
			l.name("D", t, d[key])
		}
	}
	return d
}

// one is the identity on the type of a term.
func (l *lineariser) one(t term.Term) term.Term {
	return l.s.MustMake(ops.Op{Sym: ops.SymLone, Type: l.s.Type(t)}, nil, nil, nil)
}

// zero is the map that takes every change to none.
func (l *lineariser) zero(from, to *types.Type) term.Term {
	return l.s.MustMake(ops.Op{Sym: ops.SymLzero, Type: from, Type2: to}, nil, nil, nil)
}

// sum adds maps from the left.
func (l *lineariser) sum(maps []term.Term) term.Term {
	t := maps[0]
	for _, m := range maps[1:] {
		t = l.s.Apply(ops.SymLadd, t, m)
	}
	return t
}
