package schedule

import (
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

// fetching is the time that a nest takes for what it loads from beyond the first cache: what
// the runs of inner loops touch that do not all fit in it is fetched again and again.
func fetching(w *cost.Weights, t *tile, order []*kernel.Loop, all []touch) float64 {
	together := func(l *kernel.Loop) int { // runs that use what is in registers
		switch {
		case slices.ContainsFunc(t.lanes, func(x *kernel.Loop) bool { return x.Var == l.Var }):
			return min(2*t.width(), max(1, l.N))
		case t.jam != nil && t.jam.Var == l.Var:
			return t.rows
		}
		return 1
	}
	runs, sizes := 1.0, make([]float64, len(all))
	for depth := 0; ; depth++ {
		clear(sizes)
		total := 0.0
		for _, x := range all {
			n := 1.0
			for i, l := range order {
				switch {
				case !slices.Contains(x.vars, l.Var):
				case i >= depth:
					n *= float64(l.N)
				default:
					n *= float64(together(l))
				}
			}
			for _, l := range x.inner {
				if slices.Contains(x.vars, l.Var) {
					n *= float64(l.N)
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
		runs *= float64(order[depth].N) / float64(together(order[depth]))
	}
}
