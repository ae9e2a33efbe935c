package interchange

import (
	"cmp"
	"math"
	"slices"
	"time"
)

// Budget bounds the search of [Problem.Exact]. A 0 is no bound.
type Budget struct {
	Steps int // choices that are tried
	Time  time.Duration
}

// Exact looks for the DAG that costs least, by branch and bound: a choice is
// given up if what it costs and what it needs at least reach the best DAG so far.
// If the budget ends first, the result is the best one found, and says below what
// cost there is none.
func (p *Problem) Exact(b Budget) *Extraction {
	best := p.Greedy()
	s := &search{p: p, budget: b, start: time.Now(), best: best.DAG, bestPick: best.pick, pick: make([]int, len(p.classes)), state: make([]uint8, len(p.classes))}
	for c := range s.pick {
		s.pick[c] = -1
	}
	s.prepare()
	for _, r := range p.Roots {
		s.need(r)
	}
	bound := s.run(0)
	e, _ := p.finish(s.bestPick)
	e.Bound = min(bound, e.DAG)
	e.Optimal = !s.over || e.Bound >= e.DAG
	if e.Optimal {
		e.Bound = e.DAG
	}
	return e
}

type search struct {
	p        *Problem
	budget   Budget
	start    time.Time
	steps    int
	over     bool
	best     float64
	bestPick []int

	options [][]choiceAt // by class: the nodes worth trying, cheapest first
	least   []float64    // by class: the cost of its cheapest node
	must    [][]int      // by class: the classes that any term of it needs

	pick   []int
	state  []uint8 // by class
	open   []int   // classes that are needed and have no choice
	count  []int   // by class: how many open or chosen classes must have it
	needed float64 // the least cost of the classes that are needed without a choice
}

type choiceAt struct {
	index int
	kids  []int
	cost  float64
}

const (
	unneeded = iota
	isOpen
	chosen
)

// prepare drops nodes that another node of the class is no worse than, and finds
// what each class needs whatever is chosen.
func (s *search) prepare() {
	p := s.p
	n := len(p.classes)
	viable := p.trees()
	s.options, s.least, s.must, s.count = make([][]choiceAt, n), make([]float64, n), make([][]int, n), make([]int, n)
	for c := range p.nodes {
		s.least[c] = math.Inf(1)
		var all []choiceAt
		for i, x := range p.nodes[c] {
			if !slices.Contains(x.kids, c) && !slices.ContainsFunc(x.kids, func(k int) bool { return viable.pick[k] < 0 }) {
				all = append(all, choiceAt{i, x.kids, x.cost})
			}
		}
		slices.SortStableFunc(all, func(a, b choiceAt) int {
			return cmp.Or(cmp.Compare(a.cost, b.cost), cmp.Compare(len(a.kids), len(b.kids)))
		})
		for _, x := range all {
			if !slices.ContainsFunc(s.options[c], func(y choiceAt) bool { return subset(y.kids, x.kids) }) {
				s.options[c] = append(s.options[c], x)
			}
		}
		if len(all) > 0 {
			s.least[c] = all[0].cost
		}
	}
	if n <= maxMust {
		s.findMust()
		return
	}
	for c := range s.must {
		s.must[c] = []int{c}
	}
}

// maxMust bounds the classes for which [search.findMust] is worth its time.
const maxMust = 5000

// subset reports whether all of a is in b; both are in order.
func subset(a, b []int) bool {
	for _, x := range a {
		if _, ok := slices.BinarySearch(b, x); !ok {
			return false
		}
	}
	return true
}

// findMust computes the greatest solution of: a class needs itself, and what all
// of its nodes need through their children.
func (s *search) findMust() {
	known := make([]bool, len(s.must)) // false stands for all classes
	for changed := true; changed; {
		changed = false
		for c, options := range s.options {
			var out []int
			any := false
			for _, x := range options {
				if slices.ContainsFunc(x.kids, func(k int) bool { return !known[k] }) {
					continue
				}
				var u []int
				for _, k := range x.kids {
					u = append(u, s.must[k]...)
				}
				slices.Sort(u)
				u = slices.Compact(u)
				if !any {
					out, any = u, true
				} else {
					out = slices.DeleteFunc(out, func(y int) bool { _, ok := slices.BinarySearch(u, y); return !ok })
				}
			}
			if !any {
				continue
			}
			if i, ok := slices.BinarySearch(out, c); !ok {
				out = slices.Insert(out, i, c)
			}
			if !known[c] || len(out) != len(s.must[c]) {
				s.must[c], known[c], changed = out, true, true
			}
		}
	}
}

// need opens a class. It reports whether that was news.
func (s *search) need(c int) bool {
	if s.state[c] != unneeded {
		return false
	}
	s.state[c] = isOpen
	s.open = append(s.open, c)
	s.mark(c, 1)
	return true
}

// mark counts what a class needs, or takes it back.
func (s *search) mark(c, by int) {
	for _, d := range s.must[c] {
		before := s.count[d]
		s.count[d] += by
		if s.state[d] != chosen {
			switch {
			case before == 0:
				s.needed += s.least[d]
			case s.count[d] == 0:
				s.needed -= s.least[d]
			}
		}
	}
}

// tolerance is what rounding may do to sums of costs.
const tolerance = 1e-9

// run tries all choices for the open classes, of which those before cost so much.
// It returns a bound: no DAG with the choices made so far costs less, but for
// those found.
func (s *search) run(cost float64) float64 {
	low := cost + s.needed
	if low >= s.best-tolerance {
		return low
	}
	if len(s.open) == 0 {
		s.best, s.bestPick = cost, slices.Clone(s.pick)
		return cost
	}
	if s.steps++; s.budget.Steps > 0 && s.steps > s.budget.Steps || s.budget.Time > 0 && time.Since(s.start) > s.budget.Time {
		s.over = true
	}
	if s.over {
		return low
	}
	at, before := s.branch(), s.needed
	c := s.open[at]
	s.open = slices.Delete(s.open, at, at+1)
	s.state[c] = chosen
	rest := before - s.least[c]
	bound := math.Inf(1)
	for _, x := range s.options[c] {
		if s.reaches(x.kids, c) {
			continue
		}
		s.pick[c], s.needed = x.index, rest
		first := len(s.open)
		for _, k := range x.kids {
			s.need(k)
		}
		opened := slices.Clone(s.open[first:])
		bound = min(bound, s.run(cost+x.cost))
		// What was opened is at the end again.
		s.open = s.open[:first]
		for _, k := range opened {
			s.mark(k, -1)
			s.state[k] = unneeded
		}
	}
	s.pick[c] = -1
	s.needed = before
	s.state[c] = isOpen
	s.open = slices.Insert(s.open, at, c)
	return bound
}

// branch is the place of the open class with the fewest choices.
func (s *search) branch() int {
	best := 0
	for i, c := range s.open {
		if len(s.options[c]) < len(s.options[s.open[best]]) {
			best = i
		}
	}
	return best
}

// reaches reports whether class c is below one of the classes, by the choices
// made.
func (s *search) reaches(from []int, c int) bool {
	seen := make(map[int]bool)
	stack := slices.Clone(from)
	for len(stack) > 0 {
		d := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if d == c {
			return true
		}
		if seen[d] || s.pick[d] < 0 {
			continue
		}
		seen[d] = true
		stack = append(stack, s.p.nodes[d][s.pick[d]].kids...)
	}
	return false
}
