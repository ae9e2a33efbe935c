package schedule

import (
	"maps"
	"slices"

	"egad/internal/memo"
	"egad/internal/slice"
	"egad/kernel"
	"egad/kernel/cost"
)

// touch is the elements of an array that a nest of loops accesses at one place.
type touch struct {
	array *kernel.Array
	most  float64         // how many it has
	first int             // the number of the first touch of the array
	vars  []*kernel.Value // the indices of loops on which they depend
	inner []*kernel.Loop  // around the access, inside the loops that may be in any order
}

// touches are the accesses of a nest whose loops that may be in any order are a chain.
func touches(chain []*kernel.Loop, body []kernel.Stmt) []touch {
	var out []touch
	known := make(map[*kernel.Value][]*kernel.Value)
	var vars func(v *kernel.Value) []*kernel.Value
	vars = func(v *kernel.Value) []*kernel.Value {
		if v.Kind == kernel.Var {
			return []*kernel.Value{v}
		}
		return memo.Of(known, v, func() (all []*kernel.Value) {
			for _, x := range slices.Concat(v.Args, v.At) {
				for _, y := range vars(x) {
					all = slice.With(all, y)
				}
			}
			return all
		})
	}
	var look func(body []kernel.Stmt, inner []*kernel.Loop)
	note := func(a kernel.Access, inner []*kernel.Loop) {
		first := slices.IndexFunc(out, func(x touch) bool { return x.array == a.Array })
		if first < 0 {
			first = len(out)
		}
		out = append(out, touch{a.Array, float64(a.Array.Len()), first, vars(&kernel.Value{Kind: kernel.Load, Access: a}), inner})
	}
	look = func(body []kernel.Stmt, inner []*kernel.Loop) {
		for _, s := range body {
			switch s := s.(type) {
			case *kernel.Let:
				if s.Value.Kind == kernel.Load {
					note(s.Value.Access, inner)
				}
			case *kernel.Store:
				note(s.Access, inner)
			case *kernel.Loop:
				in := inner
				if !slices.ContainsFunc(chain, func(l *kernel.Loop) bool { return l.Var == s.Var }) {
					in = append(inner[:len(inner):len(inner)], s)
				}
				look(s.Body, in)
			}
		}
	}
	look(body, nil)
	return out
}

// trips is how many runs of a loop are done on average, and by is what tells which: indices of loops around, for
// all of which together all runs may be done. It is all runs where nothing tells.
type trips struct {
	n  float64
	by []*kernel.Value
}

// tripsIn are those of the loops of a nest, by their indices.
func (c *chooser) tripsIn(l *kernel.Loop) map[*kernel.Value]trips {
	out := make(map[*kernel.Value]trips)
	around := maps.Clone(c.outside)
	for l := range kernel.All[*kernel.Loop]([]kernel.Stmt{l}) {
		around[l.Var] = l.N
	}
	for l := range kernel.All[*kernel.Loop]([]kernel.Stmt{l}) {
		t := trips{n: float64(l.N)}
		if len(l.Only) > 0 {
			t.n = Trips(l, c.exact, func(v *kernel.Value) int {
				if v.Kind != kernel.Var {
					return 1
				}
				return around[v]
			})
			for _, o := range l.Only {
				for v := range kernel.Needed(o.Less.Args...) {
					if v.Kind == kernel.Var && v != l.Var {
						t.by = append(t.by, v)
					}
				}
			}
		}
		out[l.Var] = t
	}
	return out
}

// fetching is the time that a nest takes for what it loads from beyond the first cache: what
// the runs of inner loops touch that do not all fit in it is fetched again and again.
func fetching(w *cost.Weights, t *tile, order []*kernel.Loop, of *nested) float64 {
	together := func(l *kernel.Loop) float64 { // runs that use what is in registers
		switch {
		case slices.ContainsFunc(t.lanes, func(x *kernel.Loop) bool { return x.Var == l.Var }):
			return float64(min(2*t.width(), max(1, l.N)))
		case t.jam != nil && t.jam.Var == l.Var:
			return float64(t.rows)
		}
		return 1
	}
	runs, sizes := 1.0, make([]float64, len(of.all))
	for depth := 0; ; depth++ {
		clear(sizes)
		total := 0.0
		for _, x := range of.all {
			differs := func(v *kernel.Value) bool { // in what is touched here, and not by what it is of
				return !slices.Contains(x.vars, v) && slices.ContainsFunc(order[depth:], func(l *kernel.Loop) bool { return l.Var == v })
			}
			done := func(l *kernel.Loop) float64 {
				if t := of.trips[l.Var]; !slices.ContainsFunc(t.by, differs) {
					return t.n
				}
				return float64(l.N)
			}
			n := 1.0
			for i, l := range order {
				switch {
				case !slices.Contains(x.vars, l.Var):
				case i >= depth:
					n *= done(l)
				default:
					n *= together(l)
				}
			}
			for _, l := range x.inner {
				if slices.Contains(x.vars, l.Var) {
					n *= done(l)
				}
			}
			if n = min(n, x.most); n > sizes[x.first] {
				total += n - sizes[x.first]
				sizes[x.first] = n
			}
		}
		if 8*total <= w.Of[cost.FirstBytes] || depth == len(order) {
			return runs * total * w.Of[cost.Fetch]
		}
		runs *= max(1, of.trips[order[depth].Var].n/together(order[depth]))
	}
}
