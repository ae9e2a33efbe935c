package extract

import "math"

// Greedy chooses for each state the option whose DAG costs least with the choices
// made so far, until nothing improves (the greedy DAG extractor of the extraction
// gym). It is never worse than [Choices.Trees]. States without a choice when the
// budget ends take their least trees.
func (c *Choices) Greedy(b Budget) *Extraction {
	m := newMeter(b)
	return c.reduce(m).greedy(m)
}

func (r *reduced) greedy(m *meter) *Extraction {
	best, _ := r.c.finish(r.c.least().pick)
	g := newGreedy(r, m)
	g.run()
	if e, ok := r.c.finish(g.picks()); ok && e.DAG < best.DAG {
		best = e
	}
	best.Stopped = m.over
	return best
}

type greedy struct {
	r       *reduced
	m       *meter
	pick    []int     // by state: the option, -1 if there is none
	total   []float64 // by state: what its DAG cost when it was chosen
	users   [][]user  // by state: the options that have it as a child
	missing [][]int   // by state and option: the children without a choice
	queued  [][]bool  // by state and option
	work    []user
	tour    *tour
}

func newGreedy(r *reduced, m *meter) *greedy {
	n := len(r.options)
	g := &greedy{r: r, m: m, pick: make([]int, n), total: make([]float64, n), users: make([][]user, n),
		missing: make([][]int, n), queued: make([][]bool, n), tour: newTour(r.c),
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
	if g.missing[u.state][u.index] == 0 && !g.queued[u.state][u.index] {
		g.queued[u.state][u.index] = true
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
		g.queued[u.state][u.index] = false
		first := g.pick[u.state] < 0
		if len(g.r.options[u.state]) > 1 { // else there is nothing to choose, whatever it costs
			total, ok := g.cost(u, first)
			if !ok {
				continue
			}
			g.total[u.state] = total
		}
		g.pick[u.state] = u.index
		if !first {
			g.changed(u.state)
			continue
		}
		for _, v := range g.users[u.state] {
			g.missing[v.state][v.index]--
			g.push(v)
		}
	}
}

// cost is what the DAG of an option costs with the choices made. It is false if
// that is no less than what the class has, or the class would contain itself.
func (g *greedy) cost(u user, first bool) (float64, bool) {
	limit := math.Inf(1)
	if !first {
		limit = g.total[u.state]
	}
	x := &g.r.options[u.state][u.index]
	total := x.cost
	root := use{u.state, g.r.c.states[u.state].slots}
	t := g.tour
	t.begin()
	t.meets(root)
	for t.push(root, x.option); len(t.stack) > 0 && total < limit; {
		v := t.next()
		if v.state == u.state || !g.m.spend(1) {
			return 0, false
		}
		if t.meets(v) {
			y := &g.r.options[v.state][g.pick[v.state]]
			total += y.cost
			t.push(v, y.option)
		}
	}
	return total, total < limit
}

// changed queues the options of classes with a choice whose DAG has a class that
// became cheaper, up to the next choice.
func (g *greedy) changed(s int) {
	t := g.tour
	t.begin()
	for t.stack = append(t.stack, use{state: s}); len(t.stack) > 0; {
		for _, u := range g.users[t.next().state] {
			if !g.m.spend(1) {
				return
			}
			if len(g.r.options[u.state]) > 1 {
				g.push(u)
			} else if g.pick[u.state] >= 0 && t.meets(use{state: u.state}) {
				t.stack = append(t.stack, use{state: u.state})
			}
		}
	}
}

// picks are the choices as places of nodes. A class without one takes its least
// tree: the choices that there are need none of those classes.
func (g *greedy) picks() []int {
	out := make([]int, len(g.pick))
	for c, i := range g.pick {
		out[c] = g.r.c.least().pick[c]
		if i >= 0 {
			out[c] = g.r.options[c][i].index
		}
	}
	return out
}
