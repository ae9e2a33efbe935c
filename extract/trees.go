package extract

import (
	"slices"

	"egad/internal/slice"
)

// Trees chooses the least tree for every state, in the order of their costs (Knuth,
// A generalization of Dijkstra's algorithm, 1977). As a DAG the choice need not be
// the best.
func (c *Choices) Trees() *Extraction {
	e, _ := c.finish(c.least().pick)
	return e
}

// least are the least trees.
func (c *Choices) least() *costs {
	if c.trees == nil {
		c.trees = c.knuth(func(o *option, of *costs) amount { return o.tree(of.cost) }, nil)
	}
	return c.trees
}

// rounds is how often the costs of shared states are divided anew.
const rounds = 4

// Shared chooses by least trees in which the cost of what is shared is divided among
// its uses of the round before; the best of a few rounds counts. The first round is by
// least trees, or by what all options use, of those that are chosen and of others. An
// instance is what can be shared: a state with what is passed for its slots. The choice is
// never worse than [Choices.Trees], and nil if a root has no term.
func (c *Choices) Shared() *Extraction {
	var best []int
	cost := 0.0
	all := slice.Map(c.states, func(s state) float64 { return float64(len(s.users)) })
	for _, share := range [][]float64{make([]float64, len(c.states)), all} {
		for range rounds {
			pick := c.knuth((*option).shared, share).pick
			if !c.derives(pick) {
				return nil
			}
			uses := make([]float64, len(c.states))
			if now := c.measure(pick, uses); best == nil || now < cost {
				best, cost = pick, now
			}
			changed := false
			for s, n := range uses {
				changed = changed || n > 0 && share[s] != n
			}
			if share = uses; !changed {
				break
			}
		}
	}
	if trees := c.least().pick; c.measure(trees, nil) < cost {
		best = trees
	}
	e, _ := c.finish(best)
	return e
}

// derives reports whether there is an option for each root.
func (c *Choices) derives(pick []int) bool {
	return !slices.ContainsFunc(c.roots, func(r use) bool { return pick[r.state] < 0 })
}

// costs has for every state the least cost and the option that has it.
type costs struct {
	cost  []amount
	price []amount // of a use, where costs are shared
	pick  []int
}

// tree is the cost of an option with the least trees of its children.
func (o *option) tree(least []amount) amount {
	cost := amountOf(o.cost)
	for _, k := range o.all {
		cost = cost.add(least[k])
	}
	return cost
}

// shared is the cost of an option with the prices of its children. What goes on to
// another state of its class is no use of it.
func (o *option) shared(of *costs) amount {
	if o.node < 0 {
		return of.cost[o.kids[0]].add(amountOf(o.cost))
	}
	cost := amountOf(o.cost)
	for _, k := range o.apart {
		cost = cost.add(of.price[k])
	}
	return cost
}

// path is the cost of an option with the dearest path below it.
func (o *option) path(of *costs) amount {
	var below amount
	for _, k := range o.kids {
		below = below.max(of.cost[k])
	}
	return below.add(amountOf(o.cost))
}

// knuth finds for each state the option of least cost, where of says what an option
// costs with the costs of its children. The price of a state is its cost, by share if
// it is not nil.
func (c *Choices) knuth(of func(*option, *costs) amount, share []float64) *costs {
	n := len(c.states)
	t := &costs{cost: make([]amount, n), pick: make([]int, n)}
	if t.price = t.cost; share != nil {
		t.price = make([]amount, n)
	}
	for s := range t.pick {
		t.pick[s] = -1
	}
	missing := make([]int, c.options) // children without a cost
	var q queue
	found := 0
	offer := func(u user) {
		if t.pick[u.state] < 0 {
			it := item{cost: of(&c.states[u.state].options[u.index], t), user: u}
			if !c.inOrder {
				found++
				it.found = found
			}
			q.push(it)
		}
	}
	for _, u := range c.leaves {
		offer(u)
	}
	for len(q) > 0 {
		x := q.pop()
		if t.pick[x.state] >= 0 {
			continue
		}
		t.cost[x.state], t.pick[x.state] = x.cost, x.index
		if share != nil {
			t.price[x.state] = x.cost.over(max(share[x.state], 1))
		}
		for _, u := range c.states[x.state].users {
			o := &c.states[u.state].options[u.index]
			if missing[o.number]++; missing[o.number] == len(o.kids) {
				offer(u)
			}
		}
	}
	return t
}

// item is an option with a cost, in the queue of Knuth's algorithm.
type item struct {
	cost  amount
	found int
	user
}

// queue is a heap of items by cost; of equal costs what was found first comes first,
// or the first state and option.
type queue []item

func (a *item) before(b *item) bool {
	switch {
	case a.cost != b.cost:
		return a.cost.less(b.cost)
	case a.found != b.found:
		return a.found < b.found
	case a.state != b.state:
		return a.state < b.state
	}
	return a.index < b.index
}

func (q *queue) push(x item) {
	*q = append(*q, x)
	h, i := *q, len(*q)-1
	for i > 0 && h[i].before(&h[(i-1)/2]) {
		h[i], h[(i-1)/2] = h[(i-1)/2], h[i]
		i = (i - 1) / 2
	}
}

func (q *queue) pop() item {
	h := *q
	first, last := h[0], len(h)-1
	h[0] = h[last]
	h = h[:last]
	for i, k := 0, 1; k < last; i, k = k, 2*k+1 {
		if k+1 < last && h[k+1].before(&h[k]) {
			k++
		}
		if !h[k].before(&h[i]) {
			break
		}
		h[i], h[k] = h[k], h[i]
	}
	*q = h
	return first
}
