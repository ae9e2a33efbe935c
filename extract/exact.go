package extract

import (
	"cmp"
	"math"
	"slices"
)

// Exact looks for the DAG that costs least, by branch and bound: a choice is
// given up if what it costs and what it needs at least reach the best DAG so far.
// If the budget ends first, the result is the best one found, and says below what
// cost there is none.
//
// Where states have slots, what a DAG costs at least is counted without regard to
// them: it is known of whole DAGs what they cost, but for those in which slots may
// change places.
func (c *Choices) Exact(b Budget) *Extraction {
	m := newMeter(b)
	s := newSearch(c.reduce(m), m)
	for _, r := range c.roots {
		s.need(r.state)
	}
	s.follow() // this meets no cycle: there are terms
	if s.open.first() < 0 {
		e, _ := c.finish(s.found())
		e.Bound = e.DAG
		if c.symmetric {
			e.Bound = c.once(e.pick)
		}
		e.Optimal = e.Bound == e.DAG
		return e
	}
	bound := s.r.path()
	best, _ := c.finish(c.least().pick)
	if s.best = best.DAG; s.enough() > bound {
		part := m.part(4)
		best = s.r.greedy(part)
		m.add(part)
		s.best, s.bestPick = best.DAG, best.pick
		bound = max(bound, s.prove())
	} else {
		bound = best.DAG
	}
	if s.bestPick != nil {
		best, _ = c.finish(s.bestPick)
	}
	optimal := bound >= s.enough()
	if !optimal {
		if e := c.Shared(); e.DAG < best.DAG {
			best = e
		}
	}
	if best.Optimal, best.Stopped = optimal, !optimal && m.over; optimal {
		bound = best.DAG
	} else {
		bound *= 1 - s.rounding
	}
	best.Bound = bound
	return best
}

type search struct {
	r        *reduced
	m        *meter
	rounding float64
	best     float64
	bestPick []int // by state: the place of the node

	least []float64 // by state: the cost of its cheapest node
	must  [][]int32 // by state: the classes that any term of it needs, or some of them
	rank  []int     // by state with a choice: the first is tried first
	class []int     // by rank

	pick    []int // by state: the option, -1 if there is none
	needed  []bool
	open    ranks // classes that are needed, have a choice and are without one
	forced  []int // classes that are needed and have one option
	count   []int // by state: how many needed classes must have it
	trail   []int // classes that were needed (c) or got an option (^c)
	cost    float64
	missing float64 // the least cost of the classes that must come and have no option
	seen    []int   // by state: the last walk that met it
	walk    int
	stack   []int
}

func newSearch(r *reduced, m *meter) *search {
	n := len(r.options)
	s := &search{r: r, m: m, rounding: r.rounding(), least: make([]float64, n), must: make([][]int32, n), rank: make([]int, n),
		pick: make([]int, n), needed: make([]bool, n), count: make([]int, n), seen: make([]int, n),
	}
	for c := range s.pick {
		s.pick[c] = -1
	}
	for _, c := range slices.Backward(r.order) { // parents first
		s.least[c] = r.options[c][0].cost
		if len(r.options[c]) > 1 {
			s.class = append(s.class, c)
		}
	}
	slices.SortStableFunc(s.class, func(a, b int) int { return cmp.Compare(len(r.options[a]), len(r.options[b])) })
	for i, c := range s.class {
		s.rank[c] = i
	}
	s.open = newRanks(len(s.class))
	return s
}

// enough is the bound that shows that the best DAG is the best of all.
func (s *search) enough() float64 { return s.best * (1 - s.rounding) }

// found is the choice made, as places of nodes.
func (s *search) found() []int {
	s.m.spend(len(s.pick))
	pick := make([]int, len(s.pick))
	for c, i := range s.pick {
		if pick[c] = -1; i >= 0 {
			pick[c] = s.r.options[c][i].index
		}
	}
	return pick
}

// need says that a class is needed.
func (s *search) need(c int) {
	if s.needed[c] {
		return
	}
	s.needed[c] = true
	s.trail = append(s.trail, c)
	s.require(c)
	if len(s.r.options[c]) > 1 {
		s.open.add(s.rank[c])
	} else {
		s.forced = append(s.forced, c)
	}
}

// require counts what a class that is needed must have.
func (s *search) require(c int) {
	s.m.spend(1 + len(s.must[c]))
	for _, d := range s.must[c] {
		if s.count[d]++; s.count[d] == 1 && s.pick[d] < 0 {
			s.missing += s.least[d]
		}
	}
}

// choose takes an option of a class that is needed. It is false if that closes a
// cycle.
func (s *search) choose(c, option int) bool {
	x := &s.r.options[c][option]
	if s.r.onCycle[s.r.component[c]] && s.reaches(x.kids, c) {
		return false
	}
	if len(s.r.options[c]) > 1 {
		s.open.remove(s.rank[c])
	}
	s.pick[c] = option
	s.trail = append(s.trail, ^c)
	s.cost += x.cost
	if s.count[c] > 0 {
		s.missing -= s.least[c]
	}
	s.m.spend(1 + len(x.kids))
	for _, k := range x.kids {
		s.need(k)
	}
	return true
}

// follow takes the option of each needed class that has one. It is false if that
// closes a cycle.
func (s *search) follow() bool {
	for len(s.forced) > 0 {
		c := s.forced[len(s.forced)-1]
		s.forced = s.forced[:len(s.forced)-1]
		if !s.choose(c, 0) {
			s.forced = s.forced[:0]
			return false
		}
	}
	return true
}

// undo takes back what was done after the trail had a length.
func (s *search) undo(length int) {
	for ; len(s.trail) > length; s.trail = s.trail[:len(s.trail)-1] {
		c := s.trail[len(s.trail)-1]
		if c < 0 {
			s.pick[^c] = -1
			if len(s.r.options[^c]) > 1 {
				s.open.add(s.rank[^c])
			}
			continue
		}
		s.needed[c] = false
		if len(s.r.options[c]) > 1 {
			s.open.remove(s.rank[c])
		}
		for _, d := range s.must[c] {
			s.count[d]--
		}
	}
}

// reaches reports whether class c is below one of the classes, by the choices
// made.
func (s *search) reaches(from []int, c int) bool {
	s.walk++
	for s.stack = append(s.stack[:0], from...); len(s.stack) > 0; {
		d := s.stack[len(s.stack)-1]
		s.stack = s.stack[:len(s.stack)-1]
		s.m.spend(1)
		if d == c {
			return true
		}
		if s.seen[d] == s.walk || s.pick[d] < 0 || s.r.component[d] != s.r.component[c] {
			continue
		}
		s.seen[d] = s.walk
		s.stack = append(s.stack, s.r.options[d][s.pick[d]].kids...)
	}
	return false
}

// frame is a class whose options are tried in turn.
type frame struct {
	class, next   int
	trail         int
	cost, missing float64 // before
	bound         float64 // of the options tried
}

// maxGrace is the work for what options cost at least that are not tried any more.
const maxGrace = 1 << 22

// prove tries all choices for the open classes. It returns a bound: no DAG costs
// less, but for those found.
func (s *search) prove() float64 {
	part := s.m.part(4)
	s.findMust(part)
	s.m.add(part)
	for _, c := range s.class {
		if s.needed[c] {
			s.require(c)
		}
	}
	var frames []frame
	// enter looks at the choices made. It is false if there is no more to try.
	enter := func() (bound float64, more bool) {
		low := s.cost + s.missing
		if low >= s.enough() {
			return low, false
		}
		next := s.open.first()
		if next < 0 {
			cost, pick := s.cost, s.found()
			if s.r.c.slotted {
				cost = max(cost, s.r.c.measure(pick, nil))
			}
			if cost < s.best {
				s.best, s.bestPick = cost, pick
			}
			if s.r.c.symmetric {
				cost = s.cost
			}
			return cost, false
		}
		if s.m.over || !s.m.spend(stepWork) {
			return low, false
		}
		frames = append(frames, frame{s.class[next], 0, len(s.trail), s.cost, s.missing, math.Inf(1)})
		return 0, true
	}
	bound, _ := enter()
	grace := s.m.limit
	for len(frames) > 0 {
		f := &frames[len(frames)-1]
		s.undo(f.trail)
		s.cost, s.missing = f.cost, f.missing
		if s.m.over && grace == s.m.limit {
			grace = s.m.used + maxGrace
		}
		switch {
		case f.next == len(s.r.options[f.class]):
			bound = f.bound
		case s.m.over && s.m.used > grace:
			bound = min(f.bound, f.cost+f.missing)
		default:
			f.next++
			if s.choose(f.class, f.next-1) && s.follow() {
				if low, more := enter(); !more {
					f.bound = min(f.bound, low)
				}
			}
			continue
		}
		frames = frames[:len(frames)-1]
		if len(frames) > 0 {
			up := &frames[len(frames)-1]
			up.bound = min(up.bound, bound)
		}
	}
	return bound
}
