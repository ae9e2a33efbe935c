package egraph

import (
	"encoding/binary"
	"errors"
	"slices"

	"egad/slot"
)

// components tells which classes are connected by edges before a moment, without
// regard to names.
type components struct {
	up   []ClassID
	when []int // the edge that made up[c] another class than c
	size []int
}

func newComponents(classes int, edges []edge) *components {
	u := &components{make([]ClassID, classes), make([]int, classes), make([]int, classes)}
	for c := range u.up {
		u.up[c], u.size[c] = ClassID(c), 1
	}
	for i := range edges {
		a, b := u.of(edges[i].a, i), u.of(edges[i].b, i)
		if a == b {
			continue
		}
		if u.size[a] > u.size[b] {
			a, b = b, a
		}
		u.up[a], u.when[a] = b, i
		u.size[b] += u.size[a]
	}
	return u
}

// of is equal for classes that are connected by edges before limit. A class never
// joins another before those below it have joined it.
func (u *components) of(c ClassID, limit int) ClassID {
	for int(c) < len(u.up) && u.up[c] != c && u.when[c] < limit {
		c = u.up[c]
	}
	return c
}

// placing is a term for which an origin is looked for: a class whose own term has
// the operator of the term and children that equal its children.
type placing struct {
	t     *Tree
	kids  []Ref  // origins of the children
	steps []Step // from t to t with the terms of these as children
	now   Ref    // what the graph has for t at present
}

// placing finds origins for the children of t.
func (x *Explainer) placing(t *Tree, sites map[*Tree]Ref, limit int) (*placing, error) {
	p := &placing{t: t, now: x.siteOf(t, sites, nil)}
	for k, u := range t.Kids {
		q, err := x.placing(u, sites, limit)
		if err != nil {
			return nil, err
		}
		r, s, err := x.place(q, limit)
		if err != nil {
			return nil, err
		}
		p.kids = append(p.kids, r)
		p.steps = join(p.steps, x.inside(t.Op, k, t.Binders, s))
	}
	return p, nil
}

// place is an origin for a term, and the steps from the term to that of the
// origin. At an early moment the one that the graph has at present may not have
// been known to be equal.
func (x *Explainer) place(p *placing, limit int) (Ref, []Step, error) {
	var first error
	for _, c := range x.origins(p, limit) {
		r, s, err := x.reach(p, c, limit)
		if err == nil {
			return r, s, nil
		}
		if first == nil {
			first = err
		}
	}
	if first == nil {
		first = errNoRoute
	}
	return Ref{}, nil, first
}

// origins lists the origins that may do for a term, the best first: the one that
// was made for the very term, then the one that the graph has now, then others
// in the order in which they were made. Classes of which nothing was known yet come
// last.
func (x *Explainer) origins(p *placing, limit int) []ClassID {
	list := x.exact(p)
	if !slices.Contains(list, p.now.ID) {
		list = append(list, p.now.ID)
	}
	if limit >= len(x.edges) {
		return list
	}
	for _, c := range x.alike(p.t.Op, p.now.ID) {
		if !slices.Contains(list, c) && x.mayReach(p, c, limit) {
			list = append(list, c)
		}
	}
	known := func(c ClassID) bool { return int(c) < len(x.at) && len(x.at[c]) > 0 && x.at[c][0] < limit }
	slices.SortStableFunc(list, func(a, b ClassID) int {
		switch {
		case known(a) == known(b):
			return 0
		case known(a):
			return -1
		}
		return 1
	})
	return list
}

// alike lists the classes that equal c at present and were made for terms with
// the operator op.
func (x *Explainer) alike(op Op, c ClassID) []ClassID {
	if x.byOp == nil {
		x.byOp = make(map[[2]uint32][]ClassID)
		for d := range ClassID(len(x.at)) {
			if _, ok := x.g.proofs.shrunk[d]; !ok {
				key := [2]uint32{uint32(x.opOf(d)), x.g.Find(d)}
				x.byOp[key] = append(x.byOp[key], d)
			}
		}
	}
	return x.byOp[[2]uint32{uint32(op), x.g.Find(c)}]
}

// mayReach reports whether the children of a term may equal those of the term of
// c by edges before limit.
func (x *Explainer) mayReach(p *placing, c ClassID, limit int) bool {
	_, _, kids := x.term(x.blank(c), p.t.Binders)
	same := func(a, b Ref) bool { return x.parts().of(a.ID, limit) == x.parts().of(b.ID, limit) }
	straight, crossed := true, len(kids) == 2 && x.g.sig.HeadInfo(x.g.sig.Head(p.t.Op)).Commutative
	for k, r := range p.kids {
		straight = straight && same(r, kids[k])
		crossed = crossed && same(r, kids[1-k&1])
	}
	return straight || crossed
}

// parts are the components of the edges.
func (x *Explainer) parts() *components {
	if x.components == nil {
		x.components = newComponents(len(x.at), x.edges)
	}
	return x.components
}

// opened is a class with new names.
func (x *Explainer) opened(c ClassID) Ref {
	r := Ref{ID: c}
	for range x.g.slotsOf(c) {
		r.Args = append(r.Args, x.name())
	}
	return r
}

// blank is a class with names that are not known yet.
func (x *Explainer) blank(c ClassID) Ref {
	r := x.opened(c)
	for _, n := range r.Args {
		x.open[n] = notKnown
	}
	return r
}

// exact lists the classes that were made for a term with these very children, or
// with them under other names.
func (x *Explainer) exact(p *placing) []ClassID {
	if x.byTerm == nil {
		x.byTerm = make(map[string][]ClassID)
		for c := range ClassID(len(x.at)) {
			if _, ok := x.g.proofs.shrunk[c]; ok {
				continue
			}
			t := x.g.proofs.term(c)
			op, width := Op(t[0]&opMask), 1
			at := 1
			if t[0]&flagSlots != 0 {
				at, width = 2, 2
			}
			key := binary.AppendUvarint(nil, uint64(op))
			for k := range int(x.g.sig.arity[op]) {
				key = binary.AppendUvarint(key, uint64(x.settled(t[at+width*k])))
			}
			x.byTerm[string(key)] = append(x.byTerm[string(key)], c)
		}
	}
	key := binary.AppendUvarint(nil, uint64(p.t.Op))
	for _, r := range p.kids {
		key = binary.AppendUvarint(key, uint64(r.ID))
	}
	return slices.Clone(x.byTerm[string(key)])
}

// settled is the class of which c is the rest.
func (x *Explainer) settled(c ClassID) ClassID {
	for {
		s, ok := x.g.proofs.shrunk[c]
		if !ok {
			return c
		}
		c = s.of
	}
}

// reach is the origin c with the names that make its term equal a term, and the
// steps from the one to the other by edges before limit.
func (x *Explainer) reach(p *placing, c ClassID, limit int) (Ref, []Step, error) {
	if c == p.now.ID {
		if r, s, err := x.reachAs(p, p.now, limit); err == nil {
			return r, s, nil
		}
		// Of names that the e-node has lost any would do now, but not at that moment.
	}
	defer clear(x.open)
	return x.reachAs(p, x.blank(c), limit)
}

// reachAs is reach for an origin with names, of which some may not be known.
func (x *Explainer) reachAs(p *placing, r Ref, limit int) (Ref, []Step, error) {
	op, binders, blank := p.t.Op, p.t.Binders, r.Args
	try := func(from []Ref) (Ref, []Step, error) {
		for _, n := range blank {
			if _, ok := x.open[n]; ok {
				x.open[n] = notKnown
			}
		}
		_, own, kids := x.term(r, binders)
		for k, n := range own {
			if x.resolve(n) == notKnown {
				x.open[n] = p.t.Own[k]
			}
		}
		var steps []Step
		for k := range from {
			s, err := x.path(from[k], kids[k].Rename(x.known), limit)
			if err != nil {
				return Ref{}, nil, err
			}
			steps = append(steps, x.inside(op, k, binders, s)...)
		}
		for k, n := range own {
			if x.resolve(n) != p.t.Own[k] {
				return Ref{}, nil, errNoRoute
			}
		}
		r := Ref{ID: r.ID, Args: slices.Clone(blank)}
		for k, n := range blank {
			r.Args[k] = x.decided(n)
			if slices.Contains(binders, r.Args[k]) || slices.Contains(r.Args[:k], r.Args[k]) {
				return Ref{}, nil, errNoRoute
			}
		}
		return r, steps, nil
	}
	at, s, err := try(p.kids)
	if err == nil {
		return at, slices.Concat(p.steps, s), nil
	}
	if len(p.kids) != 2 || !x.g.sig.HeadInfo(x.g.sig.Head(op)).Commutative {
		return at, nil, err
	}
	if at, s, err = try([]Ref{p.kids[1], p.kids[0]}); err != nil {
		return at, nil, err
	}
	t := *p.t
	t.Kids = []*Tree{x.tree(p.kids[0]), x.tree(p.kids[1])}
	swap := Step{Reason: Commuted, From: &t, To: t.swapped()}
	return at, slices.Concat(p.steps, []Step{swap}, s), nil
}

// resolve is what a name is: itself unless it was not known, and notKnown if it
// still is not.
func (x *Explainer) resolve(n slot.Name) slot.Name {
	if m, ok := x.open[n]; ok {
		return m
	}
	return n
}

// notKnown is no name.
const notKnown = lostName - 1

// decided is what a name has turned out to be, or a new one.
func (x *Explainer) decided(n slot.Name) slot.Name {
	if n = x.resolve(n); n == notKnown {
		return x.name()
	}
	return n
}

// known is n, or what it has turned out to be.
func (x *Explainer) known(n slot.Name) slot.Name {
	if m := x.resolve(n); m != notKnown {
		return m
	}
	return n
}

// join is a list of both.
func join(a, b []Step) []Step {
	if len(a) == 0 {
		return b
	}
	return append(a, b...)
}

var errNoRoute = errors.New("no proof was kept that these terms are equal")
