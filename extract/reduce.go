package extract

import (
	"cmp"
	"math"
	"slices"
)

// reduced is choices without the options and states that no best choice needs.
type reduced struct {
	c       *Choices
	options [][]optionAt // by state: those worth trying, cheapest first; nil if the roots do not lead there
	// order lists the states that the roots lead to, children first but for cycles.
	order     []int
	component []int  // by state: states on a common cycle have the same
	onCycle   []bool // by component
}

// optionAt is an option with its place.
type optionAt struct {
	*option
	index int
	kids  []int // in order
}

// reduce drops what has no term, what leads back to its state at once, and options
// that another option of the state is no worse than.
func (c *Choices) reduce(m *meter) *reduced {
	n := len(c.states)
	r := &reduced{c: c, options: make([][]optionAt, n), component: make([]int, n)}
	part := m.part(4)
	seen := make([]bool, n)
	var queue []int
	need := func(s int) {
		if !seen[s] {
			seen[s] = true
			queue = append(queue, s)
		}
	}
	for _, u := range c.roots {
		need(u.state)
	}
	for len(queue) > 0 {
		s := queue[0]
		queue = queue[1:]
		r.options[s] = r.worth(s, part)
		for _, x := range r.options[s] {
			for _, k := range x.kids {
				need(k)
			}
		}
	}
	m.add(part)
	r.components()
	return r
}

// worth lists the options of a state that are worth trying.
func (r *reduced) worth(s int, m *meter) []optionAt {
	var all []optionAt
	least := r.c.least().pick
	options := r.c.states[s].options
	for i := range options {
		x := &options[i]
		if !slices.Contains(x.kids, s) && !slices.ContainsFunc(x.kids, func(k int) bool { return least[k] < 0 }) {
			all = append(all, optionAt{x, i, x.kids})
		}
	}
	if len(all) < 2 {
		return all
	}
	for i := range all {
		if x := &all[i]; !slices.IsSorted(x.kids) {
			x.kids = slices.Sorted(slices.Values(x.kids))
		}
	}
	slices.SortStableFunc(all, func(a, b optionAt) int {
		return cmp.Or(cmp.Compare(a.cost, b.cost), cmp.Compare(len(a.kids), len(b.kids)))
	})
	kept := all[:0]
	first := make(map[int][]optionAt) // what is kept, by the first child
	worse := func(x optionAt) bool {
		for _, k := range x.kids {
			for _, y := range first[k] {
				if m.spend(1 + len(y.kids)); m.over || subset(y.kids, x.kids) && passesNoMore(y.option, x.option) {
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

// passesNoMore reports whether x needs all instances that y needs, if it needs the
// states, and names what y names.
func passesNoMore(y, x *option) bool {
	if len(y.own) > 0 && !slices.Equal(y.own, x.own) {
		return false
	}
	for k := range y.args {
		passed := false
		for j, s := range x.all {
			passed = passed || s == y.all[k] && slices.Equal(y.args[k], x.args[j])
		}
		if !passed {
			return false
		}
	}
	return true
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
	for _, root := range r.c.roots {
		if index[root.state] == 0 {
			enter(root.state)
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
	t := r.c.knuth((*option).path, nil)
	var least amount
	for _, u := range r.c.roots {
		least = least.max(t.cost[u.state])
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
	terms := len(r.order)
	if r.c.slotted {
		terms += maxInstances
		sum *= maxInstances
	}
	if sum == 0 || sum <= math.Ldexp(1, unit+53) {
		return 0
	}
	return float64(4*terms+16) * 0x1p-53
}
