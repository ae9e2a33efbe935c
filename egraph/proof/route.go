package proof

import (
	"fmt"
	"maps"
	"slices"

	"egad/egraph"
	"egad/slot"
)

// leg is an edge on the way from one term to another, with the names at its ends.
type leg struct {
	edge     int
	reverse  bool
	names    map[egraph.Pos]slot.Name
	from, to egraph.Ref
}

// path is the steps from the term of one class to that of another, by edges
// before limit.
func (x *Explainer) path(from, to egraph.Ref, limit int) ([]Step, error) {
	if from.ID == to.ID && x.meet(from.Args, to.Args, nil) {
		return nil, nil
	}
	route, err := x.route(from, to, limit)
	if err != nil {
		return nil, err
	}
	var out []Step
	for _, h := range route {
		if err := x.more(); err != nil {
			return nil, err
		}
		s, err := x.cross(h)
		if err != nil {
			return nil, err
		}
		out = append(out, s...)
	}
	return fewer(out), nil
}

// route is the edges before limit by which one class comes to another.
func (x *Explainer) route(from, to egraph.Ref, limit int) ([]leg, error) {
	if x.vertex(from.ID).component(limit) != x.vertex(to.ID).component(limit) {
		return nil, errNoRoute
	}
	if route, ok := x.climb(from, to, limit); ok {
		return route, nil
	}
	return x.search(from, to, limit)
}

// take goes along an edge.
func (x *Explainer) take(i int, from egraph.Ref, reverse bool) (leg, bool) {
	e := &x.edges[i]
	av, bv, to := e.av, e.bv, e.b
	if reverse {
		av, bv, to = bv, av, e.a
	}
	h := leg{edge: i, reverse: reverse, names: make(map[egraph.Pos]slot.Name), from: from, to: egraph.Ref{ID: to}}
	for k, p := range x.log.vecs.Get(av) {
		if p == egraph.AnyPos {
			continue
		}
		if n, ok := h.names[p]; ok && n != from.Args[k] {
			return h, false
		}
		h.names[p] = from.Args[k]
	}
	// Equations hold for names that differ where theirs do.
	for k, n := range from.Args {
		if slices.Contains(from.Args[:k], n) {
			return h, false
		}
	}
	for _, p := range x.log.vecs.Get(bv) {
		n, ok := h.names[p]
		if !ok {
			n = x.name()
			x.wild[n] = append([]slot.Name{}, from.Args...)
			if p != egraph.AnyPos {
				h.names[p] = n
			}
		}
		h.to.Args = append(h.to.Args, n)
	}
	return h, true
}

// arrive makes the wildcards of a route what they have to be for it to end at to.
func (x *Explainer) arrive(route []leg, to egraph.Ref) bool {
	if len(route) == 0 {
		return false
	}
	end := route[len(route)-1].to
	if end.ID != to.ID {
		return false
	}
	is := make(map[slot.Name]slot.Name)
	rename := func(n slot.Name) slot.Name { return slot.Renamed(is, n) }
	for k, n := range end.Args {
		switch m := x.resolve(to.Args[k]); {
		case n == m || m == notKnown:
		case x.wild[n] != nil:
			if old, ok := is[n]; ok && old != m {
				return false
			}
			is[n] = m
		default:
			return false
		}
	}
	if slices.ContainsFunc(route, func(h leg) bool { return !h.distinct(is) }) || !x.meet(end.Args, to.Args, is) {
		return false
	}
	for i := range route {
		h := &route[i]
		h.from, h.to = h.from.Rename(rename), h.to.Rename(rename)
		for p, n := range h.names {
			h.names[p] = rename(n)
			delete(x.wild, h.names[p])
		}
		// What is still any name stays the one it is.
		for _, n := range h.to.Args {
			delete(x.wild, n)
		}
	}
	return true
}

// meet reports whether names, renamed, are those in to. What was not known of these
// is known then.
func (x *Explainer) meet(names, to []slot.Name, is map[slot.Name]slot.Name) bool {
	for k, n := range names {
		if m := x.resolve(to[k]); m != notKnown && m != slot.Renamed(is, n) {
			return false
		}
	}
	for k, n := range names {
		if x.resolve(to[k]) == notKnown {
			x.open[to[k]] = slot.Renamed(is, n)
		}
	}
	return true
}

// distinct reports whether names stay different when they are renamed.
func (h leg) distinct(is map[slot.Name]slot.Name) bool {
	all := make(map[slot.Name]slot.Name)
	for _, n := range slices.Concat(h.from.Args, h.to.Args, slices.Collect(maps.Values(h.names))) {
		m := slot.Renamed(is, n)
		if old, ok := all[m]; ok && old != n {
			return false
		}
		all[m] = n
	}
	return true
}

// climb is the route in the spanning forest.
func (x *Explainer) climb(from, to egraph.Ref, limit int) ([]leg, bool) {
	var up, down []int
	for a, b := x.vertex(from.ID), x.vertex(to.ID); a != b; {
		if a.depth < b.depth {
			down = append(down, b.up)
			b = x.other(b.up, b)
			continue
		}
		if a.depth == 0 {
			return nil, false
		}
		up = append(up, a.up)
		a = x.other(a.up, a)
	}
	slices.Reverse(down)
	way := append(up, down...)
	if slices.ContainsFunc(way, func(i int) bool { return i >= limit }) {
		return nil, false
	}
	at := from.ID
	reverse := make([]bool, len(way))
	for k, i := range way {
		e := &x.edges[i]
		if reverse[k], at = e.a != at, e.b; reverse[k] {
			at = e.a
		}
	}
	return x.follow(from, to, way, reverse)
}

// follow is the route by some edges, of which some are taken in reverse.
func (x *Explainer) follow(from, to egraph.Ref, way []int, reverse []bool) ([]leg, bool) {
	var route []leg
	for k, i := range way {
		h, ok := x.take(i, from, reverse[k])
		if !ok {
			return nil, false
		}
		route, from = append(route, h), h.to
	}
	return route, x.arrive(route, to)
}

// maxStates bounds a search.
const maxStates = 100_000

// ErrSymmetries says that the search for a proof was given up: a class with many
// symmetries can be reached under very many names.
var ErrSymmetries = fmt.Errorf("no proof was found in %d terms: the classes on the way have many symmetries", maxStates)

// search is a shortest route. Where there are symmetries and lost slots it may
// pass a class more than once, under other names.
func (x *Explainer) search(from, to egraph.Ref, limit int) ([]leg, error) {
	type state struct {
		at      egraph.Ref
		edge    int // by which it was reached
		reverse bool
		prev    int
	}
	states := []state{{at: from, prev: -1}}
	seen := map[string]bool{x.stateKey(from, to): true}
	for k := 0; k < len(states); k++ {
		switch {
		case len(states) >= maxStates:
			return nil, ErrSymmetries
		case x.late():
			return nil, ErrTime
		}
		s := states[k]
		for _, i := range x.vertex(s.at.ID).edges {
			if i >= limit {
				break
			}
			for _, reverse := range []bool{false, true} {
				start := x.edges[i].a
				if reverse {
					start = x.edges[i].b
				}
				if start != s.at.ID {
					continue
				}
				h, ok := x.take(i, s.at, reverse)
				if key := x.stateKey(h.to, to); !ok || seen[key] {
					continue
				} else {
					seen[key] = true
				}
				states = append(states, state{h.to, i, reverse, k})
				if h.to.ID != to.ID {
					continue
				}
				var way []int
				var back []bool
				for s := states[len(states)-1]; s.prev >= 0; s = states[s.prev] {
					way, back = append(way, s.edge), append(back, s.reverse)
				}
				slices.Reverse(way)
				slices.Reverse(back)
				if route, ok := x.follow(from, to, way, back); ok {
					return route, nil
				}
			}
		}
	}
	return nil, errNoRoute
}

// stateKey tells references apart, but wildcards only by which names of the goal
// they cannot be.
func (x *Explainer) stateKey(r, goal egraph.Ref) string {
	var wild []slot.Name
	key := fmt.Sprint(r.ID)
	for _, n := range r.Args {
		not := x.wild[n]
		if not == nil {
			key += fmt.Sprint(" ", n)
			continue
		}
		i := slices.Index(wild, n)
		if i < 0 {
			i = len(wild)
			wild = append(wild, n)
		}
		key += fmt.Sprint(" *", i)
		for _, m := range goal.Args {
			if slices.Contains(not, m) {
				key += fmt.Sprint("!", m)
			}
		}
	}
	return key
}

// cross is the steps along an edge.
func (x *Explainer) cross(h leg) ([]Step, error) {
	a, b := h.from, h.to
	if h.reverse {
		a, b = b, a
	}
	var steps []Step
	var err error
	switch e := &x.edges[h.edge]; {
	case e.rule == byUser:
		steps = []Step{{Reason: x.log.reasons[e.data-1], From: x.tree(a), To: x.tree(b), Moment: h.edge}}
	case e.rule == byCongruence:
		binders := x.binders(x.opOf(a.ID))
		op, own, from := x.term(a, binders)
		_, _, to := x.term(b, binders)
		steps, err = x.children(op, own, binders, from, to, h.edge)
	default:
		steps, err = x.application(h, a, b)
	}
	if h.reverse {
		steps = reversed(steps)
	}
	return steps, err
}
