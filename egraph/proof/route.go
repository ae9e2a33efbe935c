package proof

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"egad/egraph"
	"egad/internal/raise"
	"egad/slot"
)

// arc is an edge in one direction, on the way from one term to another, with the names at its ends.
type arc struct {
	edge     int
	reverse  bool
	names    map[egraph.Pos]slot.Name
	from, to egraph.Ref
}

var errNoRoute = errors.New("no proof was kept that these terms are equal")

// route is the edges before limit by which one class comes to another.
func (x *search) route(from, to egraph.Ref, limit int) []arc {
	if x.vertex(from.ID).component(limit) != x.vertex(to.ID).component(limit) {
		raise.Error(errNoRoute)
	}
	if route, ok := x.climb(from, to, limit); ok {
		return route
	}
	return x.explore(from, to, limit)
}

// take goes along an edge.
func (x *search) take(i int, from egraph.Ref, reverse bool) (arc, bool) {
	e := &x.log.edges[i]
	av, bv, to := e.av, e.bv, e.b
	if reverse {
		av, bv, to = bv, av, e.a
	}
	h := arc{edge: i, reverse: reverse, names: make(map[egraph.Pos]slot.Name), from: from, to: egraph.Ref{ID: to}}
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
			n = x.log.name()
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
func (x *search) arrive(route []arc, to egraph.Ref) bool {
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
		switch m := to.Args[k]; {
		case n == m:
		case x.wild[n] != nil:
			if old, ok := is[n]; ok && old != m {
				return false
			}
			is[n] = m
		default:
			return false
		}
	}
	if slices.ContainsFunc(route, func(h arc) bool { return !h.distinct(is) }) {
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

// distinct reports whether names stay different when they are renamed.
func (h arc) distinct(is map[slot.Name]slot.Name) bool {
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
func (x *search) climb(from, to egraph.Ref, limit int) ([]arc, bool) {
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
		e := &x.log.edges[i]
		if reverse[k], at = e.a != at, e.b; reverse[k] {
			at = e.a
		}
	}
	return x.follow(from, to, way, reverse)
}

// follow is the route by some edges, of which some are taken in reverse.
func (x *search) follow(from, to egraph.Ref, way []int, reverse []bool) ([]arc, bool) {
	var route []arc
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

// explore finds a shortest route. Where there are symmetries and lost slots it may
// pass a class more than once, under other names.
func (x *search) explore(from, to egraph.Ref, limit int) []arc {
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
			raise.Error(ErrSymmetries)
		case x.late():
			raise.Error(ErrTime)
		}
		s := states[k]
		for _, i := range x.vertex(s.at.ID).edges {
			if i >= limit {
				break
			}
			for _, reverse := range []bool{false, true} {
				start := x.log.edges[i].a
				if reverse {
					start = x.log.edges[i].b
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
					return route
				}
			}
		}
	}
	return raise.Must[[]arc](nil, errNoRoute)
}

// stateKey tells references apart, but wildcards only by which names of the goal
// they cannot be.
func (x *search) stateKey(r, goal egraph.Ref) string {
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
