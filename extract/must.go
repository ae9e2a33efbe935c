package extract

import "slices"

// maxMust bounds the classes in all sets of [search.must], 32 MB.
const maxMust = 1 << 23

// mustFinder finds what classes need whatever is chosen.
type mustFinder struct {
	s     *search
	m     *meter
	known []bool // by state; what is not known stands for all classes
	most  int    // classes in a set
	left  int    // classes in the sets to come
	// By class: the last node that had it, and for how many nodes of a class.
	node, nodes []int
	walk        int
	first, out  []int32 // what the first node needs, and all nodes: for [mustFinder.set]
}

// findMust computes the greatest solution of: a class needs itself, and what all
// of its nodes need through their children. Where that takes too much work or
// memory a set is only a part.
func (s *search) findMust(m *meter) {
	n := len(s.pick)
	f := &mustFinder{s: s, m: m, known: make([]bool, n), left: maxMust, node: make([]int, n), nodes: make([]int, n)}
	f.most = max(16, maxMust/len(s.r.order))
	for order := s.r.order; len(order) > 0; {
		size := 1
		for size < len(order) && s.r.component[order[size]] == s.r.component[order[0]] {
			size++
		}
		f.component(order[:size])
		order = order[size:]
	}
}

// component finds the sets of classes on a common cycle; those of what is below
// are known.
func (f *mustFinder) component(classes []int) {
	held := 0
	for changed := true; changed; {
		changed = false
		for _, c := range classes {
			old := f.s.must[c]
			if f.s.pick[c] >= 0 {
				f.known[c] = true // chosen in any case: nobody need count it
				continue
			}
			set, ok := f.set(c)
			if !ok || f.known[c] && len(set) == len(old) {
				continue
			}
			held += len(set) - len(old)
			f.s.must[c], f.known[c] = slices.Clone(set), true
			changed = len(classes) > 1
			if f.m.over || held > f.left {
				f.giveUp(classes)
				return
			}
		}
	}
	for _, c := range classes {
		if set := f.s.must[c]; len(set) > f.most {
			f.s.must[c] = slices.Clone(set[:f.most])
		}
		f.left -= len(f.s.must[c])
	}
}

// giveUp leaves classes only themselves.
func (f *mustFinder) giveUp(classes []int) {
	for _, c := range classes {
		if f.known[c] = true; f.s.pick[c] < 0 {
			f.s.must[c] = []int32{int32(c)}
			f.left--
		}
	}
}

// set is what a class needs with what is known so far; false if that is nothing
// yet. The class comes first, then what is nearest. It is valid until the next call.
func (f *mustFinder) set(c int) ([]int32, bool) {
	first, met, start := f.first[:0], 0, f.walk
	for _, x := range f.s.r.options[c] {
		if !f.m.spend(1 + len(x.kids)) {
			return []int32{int32(c)}, true
		}
		skip := false
		for _, k := range x.kids {
			skip = skip || !f.known[k]
		}
		if skip {
			continue
		}
		met++
		f.walk++
		for _, k := range x.kids {
			f.m.spend(len(f.s.must[k]))
			for _, d := range f.s.must[k] {
				if f.node[d] == f.walk {
					continue
				}
				if f.node[d] <= start {
					f.nodes[d] = 0
				}
				f.node[d] = f.walk
				f.nodes[d]++
				if met == 1 {
					first = append(first, d)
				}
			}
		}
	}
	if met == 0 {
		return nil, false
	}
	out := append(f.out[:0], int32(c))
	for _, d := range first {
		if f.nodes[d] == met && int(d) != c {
			out = append(out, d)
		}
	}
	f.first, f.out = first, out
	return out, true
}
