package proof

import (
	"encoding/binary"
	"errors"
	"slices"

	"egad/egraph"
	"egad/slot"
)

// sought is a term for which a logged term is looked for: one with its operator and
// with children that equal its children.
type sought struct {
	t     *egraph.Tree
	kids  []egraph.Ref // logged terms for the children
	steps []Step       // from t to t with these as children
	now   egraph.Ref   // what the e-node of t stands for at present
}

// seek looks for logged terms for the children of t, which the graph has. It returns
// the class of t too.
func (x *Explainer) seek(t *egraph.Tree, limit int) (*sought, egraph.Ref, error) {
	p, classes := &sought{t: t}, make([]egraph.Ref, len(t.Kids))
	for k, u := range t.Kids {
		q, class, err := x.seek(u, limit)
		if err != nil {
			return nil, class, err
		}
		r, s, err := x.place(q, limit)
		if err != nil {
			return nil, class, err
		}
		classes[k], p.kids = class, append(p.kids, r)
		p.steps = join(p.steps, x.inside(t.Op, k, t.Binders, s))
	}
	class := x.g.Add(t.Op, t.Own, t.Binders, classes)
	p.now = x.g.Recorded().Rename(func(n slot.Name) slot.Name {
		if n == egraph.AnyName {
			return x.name()
		}
		return n
	})
	return p, class, nil
}

// place is a logged term for a term, and the steps from the one to the other. At an
// early moment the one that the graph has at present may not have been known to be
// equal.
func (x *Explainer) place(p *sought, limit int) (egraph.Ref, []Step, error) {
	first := errNoRoute
	for _, c := range x.candidates(p, limit) {
		r, s, err := x.reach(p, c, limit)
		if err == nil {
			return r, s, nil
		}
		if first == errNoRoute {
			first = err
		}
	}
	return egraph.Ref{}, nil, first
}

// candidates lists the logged terms that may do for a term, the best first: the
// very term, then the one that the graph has now, then others in the order in which
// they were made. Those of which nothing was known yet come last.
func (x *Explainer) candidates(p *sought, limit int) []egraph.ClassID {
	list := x.same(p)
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
	unknown := func(c egraph.ClassID) int {
		if edges := x.vertex(c).edges; len(edges) > 0 && edges[0] < limit {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(list, func(a, b egraph.ClassID) int { return unknown(a) - unknown(b) })
	return list
}

// alike lists the terms that equal c at present and have the operator op.
func (x *Explainer) alike(op egraph.Op, c egraph.ClassID) []egraph.ClassID {
	if x.byOp == nil {
		x.byOp = make(map[[2]uint32][]egraph.ClassID)
		x.each(func(d egraph.ClassID) {
			key := [2]uint32{uint32(x.opOf(d)), x.class(d)}
			x.byOp[key] = append(x.byOp[key], d)
		})
	}
	return x.byOp[[2]uint32{uint32(op), x.class(c)}]
}

// mayReach reports whether the children of a term may equal those of the term of
// c by edges before limit.
func (x *Explainer) mayReach(p *sought, c egraph.ClassID, limit int) bool {
	kids := x.kidsOf(c)
	same := func(a, b egraph.Ref) bool { return x.vertex(a.ID).component(limit) == x.vertex(b.ID).component(limit) }
	straight, crossed := true, len(kids) == 2 && x.headOf(p.t.Op).Commutative
	for k, r := range p.kids {
		straight = straight && same(r, kids[k])
		crossed = crossed && same(r, kids[1-k&1])
	}
	return straight || crossed
}

// kidsOf has the children of a term, without their names.
func (x *Explainer) kidsOf(c egraph.ClassID) []egraph.Ref {
	r := egraph.Ref{ID: c, Args: make([]slot.Name, x.log.slots(c))}
	_, _, kids := x.term(r, make([]slot.Name, x.sig.Binders(x.opOf(c))))
	return kids
}

// opened is a term with new names.
func (x *Explainer) opened(c egraph.ClassID) egraph.Ref {
	r := egraph.Ref{ID: c}
	for range x.log.slots(c) {
		r.Args = append(r.Args, x.name())
	}
	return r
}

// blank is a term with names that are not known yet.
func (x *Explainer) blank(c egraph.ClassID) egraph.Ref {
	r := x.opened(c)
	for _, n := range r.Args {
		x.open[n] = notKnown
	}
	return r
}

// same lists the logged terms with the operator and the very children of a term, or
// with these under other names.
func (x *Explainer) same(p *sought) []egraph.ClassID {
	key := func(op egraph.Op, kids []egraph.Ref) string {
		key := binary.AppendUvarint(nil, uint64(op))
		for _, k := range kids {
			key = binary.AppendUvarint(key, uint64(k.ID))
		}
		return string(key)
	}
	if x.byTerm == nil {
		x.byTerm = make(map[string][]egraph.ClassID)
		x.each(func(c egraph.ClassID) {
			k := key(x.opOf(c), x.kidsOf(c))
			x.byTerm[k] = append(x.byTerm[k], c)
		})
	}
	return slices.Clone(x.byTerm[key(p.t.Op, p.kids)])
}

// reach is the logged term c with the names that make it equal a term, and the steps
// from the one to the other by edges before limit.
func (x *Explainer) reach(p *sought, c egraph.ClassID, limit int) (egraph.Ref, []Step, error) {
	if c == p.now.ID {
		if r, s, err := x.reachAs(p, p.now, limit); err == nil {
			return r, s, nil
		}
		// Of names that the e-node has lost any would do now, but not at that moment.
	}
	defer clear(x.open)
	return x.reachAs(p, x.blank(c), limit)
}

// reachAs is reach for a logged term with names, of which some may not be known.
func (x *Explainer) reachAs(p *sought, r egraph.Ref, limit int) (egraph.Ref, []Step, error) {
	op, binders, blank := p.t.Op, p.t.Binders, r.Args
	try := func(from []egraph.Ref) (egraph.Ref, []Step, error) {
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
				return egraph.Ref{}, nil, err
			}
			steps = append(steps, x.inside(op, k, binders, s)...)
		}
		for k, n := range own {
			if x.resolve(n) != p.t.Own[k] {
				return egraph.Ref{}, nil, errNoRoute
			}
		}
		r := egraph.Ref{ID: r.ID, Args: slices.Clone(blank)}
		for k, n := range blank {
			r.Args[k] = x.decided(n)
			if slices.Contains(binders, r.Args[k]) || slices.Contains(r.Args[:k], r.Args[k]) {
				return egraph.Ref{}, nil, errNoRoute
			}
		}
		return r, steps, nil
	}
	at, s, err := try(p.kids)
	if err == nil {
		return at, slices.Concat(p.steps, s), nil
	}
	if len(p.kids) != 2 || !x.headOf(op).Commutative {
		return at, nil, err
	}
	if at, s, err = try([]egraph.Ref{p.kids[1], p.kids[0]}); err != nil {
		return at, nil, err
	}
	t := *p.t
	t.Kids = []*egraph.Tree{x.tree(p.kids[0]), x.tree(p.kids[1])}
	swap := Step{Reason: Commuted, From: &t, To: swapped(&t)}
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
const notKnown = egraph.AnyName - 1

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
