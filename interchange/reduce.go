package interchange

import (
	"cmp"
	"math"
	"slices"
)

// reduced is a problem without the nodes and classes that no best choice needs.
type reduced struct {
	p       *Problem
	options [][]choiceAt // by class: the nodes worth trying, cheapest first; nil if the roots do not lead there
	// order lists the classes that the roots lead to, children first but for cycles.
	order     []int
	component []int  // by class: classes on a common cycle have the same
	onCycle   []bool // by component
}

type choiceAt struct {
	index int
	kids  []int
	cost  float64
}

// reduce drops what has no term, what leads back to its class at once, and nodes
// that another node of the class is no worse than.
func (p *Problem) reduce(m *meter) *reduced {
	n := len(p.classes)
	r := &reduced{p: p, options: make([][]choiceAt, n), component: make([]int, n)}
	part := m.part(4)
	seen := make([]bool, n)
	var queue []int
	need := func(c int) {
		if !seen[c] {
			seen[c] = true
			queue = append(queue, c)
		}
	}
	for _, c := range p.Roots {
		need(c)
	}
	for len(queue) > 0 {
		c := queue[0]
		queue = queue[1:]
		r.options[c] = r.worth(c, part)
		for _, x := range r.options[c] {
			for _, k := range x.kids {
				need(k)
			}
		}
	}
	m.add(part)
	r.components()
	return r
}

// worth lists the nodes of a class that are worth trying.
func (r *reduced) worth(c int, m *meter) []choiceAt {
	var all []choiceAt
	for i, x := range r.p.nodes[c] {
		if !slices.Contains(x.kids, c) && !slices.ContainsFunc(x.kids, func(k int) bool { return r.p.least.pick[k] < 0 }) {
			all = append(all, choiceAt{i, x.kids, x.cost})
		}
	}
	if len(all) < 2 {
		return all
	}
	slices.SortStableFunc(all, func(a, b choiceAt) int {
		return cmp.Or(cmp.Compare(a.cost, b.cost), cmp.Compare(len(a.kids), len(b.kids)))
	})
	kept := all[:0]
	first := make(map[int][]choiceAt) // what is kept, by the first child
	worse := func(x choiceAt) bool {
		for _, k := range x.kids {
			for _, y := range first[k] {
				if m.spend(1 + len(y.kids)); m.over || subset(y.kids, x.kids) {
					return !m.over
				}
			}
		}
		return false
	}
	for _, x := range all {
		if worse(x) {
			continue
		}
		kept = append(kept, x)
		if len(x.kids) == 0 { // no later one is better
			break
		}
		first[x.kids[0]] = append(first[x.kids[0]], x)
	}
	return kept
}

// subset reports whether all of a is in b; both are in order.
func subset(a, b []int) bool {
	for _, x := range a {
		i, ok := slices.BinarySearch(b, x)
		if !ok {
			return false
		}
		b = b[i+1:]
	}
	return true
}

// components finds the classes on common cycles (Tarjan, Depth-first search and
// linear graph algorithms, 1972).
func (r *reduced) components() {
	n := len(r.options)
	index, low := make([]int, n), make([]int, n)
	type frame struct{ class, option, kid int }
	var frames []frame
	var stack []int // of classes without a component
	count := 0
	enter := func(c int) {
		count++
		index[c], low[c], r.component[c] = count, count, -1
		stack = append(stack, c)
		frames = append(frames, frame{class: c})
	}
	for _, root := range r.p.Roots {
		if index[root] == 0 {
			enter(root)
		}
		for len(frames) > 0 {
			f := &frames[len(frames)-1]
			c := f.class
			if f.option < len(r.options[c]) {
				kids := r.options[c][f.option].kids
				if f.kid == len(kids) {
					f.option, f.kid = f.option+1, 0
					continue
				}
				k := kids[f.kid]
				f.kid++
				if index[k] == 0 {
					enter(k)
				} else if r.component[k] < 0 {
					low[c] = min(low[c], index[k])
				}
				continue
			}
			frames = frames[:len(frames)-1]
			if len(frames) > 0 {
				up := frames[len(frames)-1].class
				low[up] = min(low[up], low[c])
			}
			if low[c] == index[c] {
				first := len(stack) - 1
				for stack[first] != c {
					first--
				}
				r.onCycle = append(r.onCycle, len(stack)-first > 1)
				for _, d := range stack[first:] {
					r.component[d] = len(r.onCycle) - 1
				}
				r.order = append(r.order, stack[first:]...)
				stack = stack[:first]
			}
		}
	}
}

// path is a cost below which no DAG of the roots is: that of the cheapest nodes
// on the way to what is farthest.
func (r *reduced) path() float64 {
	t := r.p.knuth((*choice).path)
	var least amount
	for _, c := range r.p.Roots {
		least = least.max(t.cost[c])
	}
	return least.float()
}

// rounding is by what part of it a sum of costs may be off; 0 if all costs are
// multiples of a number so large that sums have no error.
func (r *reduced) rounding() float64 {
	unit, sum := math.MaxInt, 0.0
	for _, c := range r.order {
		dearest := 0.0
		for _, x := range r.options[c] {
			dearest = max(dearest, x.cost)
			if x.cost > 0 {
				frac, exp := math.Frexp(x.cost)
				bits := uint64(math.Ldexp(frac, 53))
				for ; bits&1 == 0; bits >>= 1 {
					exp++
				}
				unit = min(unit, exp-53)
			}
		}
		sum += dearest
	}
	if sum == 0 || sum <= math.Ldexp(1, unit+53) {
		return 0
	}
	return float64(4*len(r.order)+16) * 0x1p-53
}
