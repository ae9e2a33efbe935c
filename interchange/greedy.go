package interchange

import "slices"

// Greedy chooses for each class the node whose DAG costs least with the choices
// made so far, until nothing improves (the greedy DAG extractor of the extraction
// gym). It is never worse than [Problem.Trees].
func (p *Problem) Greedy() *Extraction {
	best := p.Trees()
	if e, ok := p.finish(p.greedy()); ok && e.DAG < best.DAG {
		best = e
	}
	return best
}

// dag is the set of classes of a DAG, in order, with what each costs there.
type dag struct {
	classes []int
	costs   []float64
	total   float64
}

// maxDAG bounds the classes of a set: unions of sets take time in proportion. A
// node with a larger DAG is not considered.
const maxDAG = 1 << 14

func (p *Problem) greedy() []int {
	pick := make([]int, len(p.classes))
	sets := make([]*dag, len(p.classes))
	queued := make([][]bool, len(p.classes))
	var work []user
	push := func(u user) {
		if !queued[u.class][u.index] {
			queued[u.class][u.index] = true
			work = append(work, u)
		}
	}
	for c := range p.nodes {
		pick[c] = -1
		queued[c] = make([]bool, len(p.nodes[c]))
	}
	for c := range p.nodes {
		for i, x := range p.nodes[c] {
			if len(x.kids) == 0 {
				push(user{c, i})
			}
		}
	}
	for len(work) > 0 {
		u := work[0]
		work = work[1:]
		queued[u.class][u.index] = false
		s := p.join(u, sets)
		if s == nil || sets[u.class] != nil && s.total >= sets[u.class].total {
			continue
		}
		sets[u.class], pick[u.class] = s, u.index
		for _, v := range p.users[u.class] {
			push(v)
		}
	}
	return pick
}

// join is the DAG of a node with the sets of its children; nil if one is missing,
// or the class would contain itself.
func (p *Problem) join(u user, sets []*dag) *dag {
	x := &p.nodes[u.class][u.index]
	out := &dag{classes: []int{u.class}, costs: []float64{x.cost}, total: x.cost}
	for _, k := range x.kids {
		s := sets[k]
		if s == nil || len(s.classes)+len(out.classes) > maxDAG {
			return nil
		}
		if _, cyclic := slices.BinarySearch(s.classes, u.class); cyclic {
			return nil
		}
		out = out.union(s)
	}
	return out
}

// union has what is in both once, at the cost it has in a.
func (a *dag) union(b *dag) *dag {
	out := &dag{}
	take := func(s *dag, i int) {
		out.classes, out.costs = append(out.classes, s.classes[i]), append(out.costs, s.costs[i])
		out.total += s.costs[i]
	}
	i, j := 0, 0
	for i < len(a.classes) || j < len(b.classes) {
		switch {
		case j == len(b.classes) || i < len(a.classes) && a.classes[i] < b.classes[j]:
			take(a, i)
			i++
		case i == len(a.classes) || b.classes[j] < a.classes[i]:
			take(b, j)
			j++
		default:
			take(a, i)
			i++
			j++
		}
	}
	return out
}
