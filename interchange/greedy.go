package interchange

import "math"

// Greedy is [Problem.GreedyWithin] the default steps.
func (p *Problem) Greedy() *Extraction { return p.GreedyWithin(Budget{Steps: DefaultSteps}) }

// GreedyWithin chooses for each class the node whose DAG costs least with the
// choices made so far, until nothing improves (the greedy DAG extractor of the
// extraction gym). It is never worse than [Problem.Trees]. Classes without a
// choice when the budget ends take their least trees.
func (p *Problem) GreedyWithin(b Budget) *Extraction {
	m := newMeter(b)
	return p.reduce(m).greedy(m)
}

func (r *reduced) greedy(m *meter) *Extraction {
	best, _ := r.p.finish(r.p.least.pick)
	g := newGreedy(r, m)
	g.run()
	if e, ok := r.p.finish(g.picks()); ok && e.DAG < best.DAG {
		best = e
	}
	best.Stopped = m.over
	return best
}

type greedy struct {
	r       *reduced
	m       *meter
	pick    []int     // by class: the option, -1 if there is none
	total   []float64 // by class: what its DAG cost when it was chosen
	users   [][]user  // by class: the options that have it as a child
	missing [][]int   // by class and option: the children without a choice
	queued  [][]bool  // by class and option
	work    []user
	seen    []int // by class: the last walk that met it
	walk    int
	stack   []int
}

func newGreedy(r *reduced, m *meter) *greedy {
	n := len(r.options)
	g := &greedy{r: r, m: m, pick: make([]int, n), total: make([]float64, n), users: make([][]user, n),
		missing: make([][]int, n), queued: make([][]bool, n), seen: make([]int, n),
	}
	for c, options := range r.options {
		g.pick[c] = -1
		g.missing[c], g.queued[c] = make([]int, len(options)), make([]bool, len(options))
		for i, x := range options {
			g.missing[c][i] = len(x.kids)
			for _, k := range x.kids {
				g.users[k] = append(g.users[k], user{c, i})
			}
		}
	}
	return g
}

// push queues an option whose children have choices.
func (g *greedy) push(u user) {
	if g.missing[u.class][u.index] == 0 && !g.queued[u.class][u.index] {
		g.queued[u.class][u.index] = true
		g.work = append(g.work, u)
	}
}

func (g *greedy) run() {
	for c, options := range g.r.options {
		for i := range options {
			g.push(user{c, i})
		}
	}
	for len(g.work) > 0 && g.m.spend(1) {
		u := g.work[0]
		g.work = g.work[1:]
		g.queued[u.class][u.index] = false
		first := g.pick[u.class] < 0
		if len(g.r.options[u.class]) > 1 { // else there is nothing to choose, whatever it costs
			total, ok := g.cost(u, first)
			if !ok {
				continue
			}
			g.total[u.class] = total
		}
		g.pick[u.class] = u.index
		if !first {
			g.changed(u.class)
			continue
		}
		for _, v := range g.users[u.class] {
			g.missing[v.class][v.index]--
			g.push(v)
		}
	}
}

// cost is what the DAG of an option costs with the choices made. It is false if
// that is no less than what the class has, or the class would contain itself.
func (g *greedy) cost(u user, first bool) (float64, bool) {
	limit := math.Inf(1)
	if !first {
		limit = g.total[u.class]
	}
	x := &g.r.options[u.class][u.index]
	total := x.cost
	g.walk++
	g.seen[u.class] = g.walk
	for g.stack = append(g.stack[:0], x.kids...); len(g.stack) > 0 && total < limit; {
		c := g.stack[len(g.stack)-1]
		g.stack = g.stack[:len(g.stack)-1]
		if c == u.class || !g.m.spend(1) {
			return 0, false
		}
		if g.seen[c] == g.walk {
			continue
		}
		g.seen[c] = g.walk
		y := &g.r.options[c][g.pick[c]]
		total += y.cost
		g.stack = append(g.stack, y.kids...)
	}
	return total, total < limit
}

// changed queues the options of classes with a choice whose DAG has a class that
// became cheaper, up to the next choice.
func (g *greedy) changed(c int) {
	g.walk++
	for g.stack = append(g.stack[:0], c); len(g.stack) > 0; {
		d := g.stack[len(g.stack)-1]
		g.stack = g.stack[:len(g.stack)-1]
		for _, u := range g.users[d] {
			if !g.m.spend(1) {
				return
			}
			if len(g.r.options[u.class]) > 1 {
				g.push(u)
			} else if g.pick[u.class] >= 0 && g.seen[u.class] != g.walk {
				g.seen[u.class] = g.walk
				g.stack = append(g.stack, u.class)
			}
		}
	}
}

// picks are the choices as places of nodes. A class without one takes its least
// tree: the choices that there are need none of those classes.
func (g *greedy) picks() []int {
	out := make([]int, len(g.pick))
	for c, i := range g.pick {
		out[c] = g.r.p.least.pick[c]
		if i >= 0 {
			out[c] = g.r.options[c][i].index
		}
	}
	return out
}
