package interchange

import "container/heap"

// Trees chooses the least tree for every class, in the order of their costs
// (Knuth, A generalization of Dijkstra's algorithm, 1977). As a DAG the choice
// need not be the best.
func (p *Problem) Trees() *Extraction {
	e, _ := p.finish(p.least.pick)
	return e
}

// trees has for every class the least cost of a tree and the node it begins with.
type trees struct {
	cost []amount
	pick []int
}

// tree is the cost of a node with the least trees of its children.
func (x *choice) tree(least []amount) amount {
	cost := amount{frac: x.cost}
	for _, k := range x.all {
		cost = cost.add(least[k])
	}
	return cost
}

// path is the cost of a node with the dearest path below it.
func (x *choice) path(least []amount) amount {
	var below amount
	for _, k := range x.kids {
		below = below.max(least[k])
	}
	return below.add(amount{frac: x.cost})
}

// knuth finds for each class the node of least cost, where cost says what a node
// costs with the costs of its children.
func (p *Problem) knuth(cost func(x *choice, least []amount) amount) *trees {
	t := &trees{cost: make([]amount, len(p.classes)), pick: make([]int, len(p.classes))}
	missing := make([][]int, len(p.classes)) // children without a cost, by node
	q := &queue{}
	offer := func(c, i int) {
		heap.Push(q, item{cost(&p.nodes[c][i], t.cost), c, i})
	}
	for c := range p.nodes {
		t.pick[c] = -1
		missing[c] = make([]int, len(p.nodes[c]))
		for i, x := range p.nodes[c] {
			missing[c][i] = len(x.kids)
			if len(x.kids) == 0 {
				offer(c, i)
			}
		}
	}
	for q.Len() > 0 {
		x := heap.Pop(q).(item)
		if t.pick[x.class] >= 0 {
			continue
		}
		t.cost[x.class], t.pick[x.class] = x.cost, x.index
		for _, u := range p.users[x.class] {
			if missing[u.class][u.index]--; missing[u.class][u.index] == 0 && t.pick[u.class] < 0 {
				offer(u.class, u.index)
			}
		}
	}
	return t
}

type item struct {
	cost         amount
	class, index int
}

// queue is a heap of items by cost; of equal costs the first class and node come
// first.
type queue []item

func (q queue) Len() int { return len(q) }

func (q queue) Less(i, j int) bool {
	a, b := q[i], q[j]
	if a.cost != b.cost {
		return a.cost.less(b.cost)
	}
	if a.class != b.class {
		return a.class < b.class
	}
	return a.index < b.index
}

func (q queue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }

func (q *queue) Push(x any) { *q = append(*q, x.(item)) }

func (q *queue) Pop() any {
	x := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return x
}
