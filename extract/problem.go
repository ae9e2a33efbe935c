package extract

import (
	"egad/diag"
	"egad/internal/memo"
	"egad/internal/slice"
	"egad/slot"
)

// Problem is the choices of an e-graph that was read. Its states are classes.
type Problem struct {
	*Choices
	g       *Graph
	classes []string // by state
}

// NewProblem prepares the extraction of roots, of the root classes of the graph
// if there are none. The error lists all findings, as a [diag.List].
func NewProblem(g *Graph, roots []string) (*Problem, error) {
	p := &Problem{g: g}
	number := make(map[string]int)
	class := make(map[string]int, len(g.Nodes))
	var first []int // node, by class
	for i, n := range g.Nodes {
		c := memo.Place(number, &p.classes, n.Class, n.Class)
		if c == len(first) {
			first = append(first, i)
		}
		class[n.ID] = c
	}
	p.Choices = newChoices(len(p.classes))
	p.inOrder = true
	next := slot.Name(0)
	fresh := func(string) slot.Name { next++; return next }
	slots := make([]map[string]slot.Name, len(p.classes)) // of a state, by their names
	for _, c := range g.Classes {
		p.symmetric = p.symmetric || len(c.Symmetries) > 0
		if s, ok := number[c.ID]; ok && len(c.Slots) > 0 {
			p.slotted, p.states[s].slots, slots[s] = true, slice.Map(c.Slots, fresh), make(map[string]slot.Name)
			for k, n := range c.Slots {
				slots[s][n] = p.states[s].slots[k]
			}
		}
	}
	for i := range g.Nodes {
		n := &g.Nodes[i]
		if n.Subsumed {
			continue
		}
		o := option{node: i, cost: n.Cost}
		for _, k := range n.Children {
			o.all = append(o.all, class[k])
		}
		if n.Slots != nil && n.Slots.Args != nil {
			other := make(map[string]slot.Name) // what it binds, and what the class does not have
			for _, b := range n.Slots.Bind {
				other[b] = fresh(b)
			}
			for _, as := range n.Slots.Args {
				o.args = append(o.args, slice.Map(as, func(a string) slot.Name {
					if x, ok := slots[class[n.ID]][a]; ok && other[a] == 0 {
						return x
					}
					return memo.Of(other, a, func() slot.Name { return fresh(a) })
				}))
			}
		}
		p.add(class[n.ID], o)
	}
	return p, p.root(roots, number, first)
}

// root says what is extracted.
func (p *Problem) root(roots []string, number map[string]int, first []int) error {
	g := p.g
	var at []diag.Pos // of the roots
	given := len(roots) > 0
	if !given {
		roots = g.Roots
	}
	var errs diag.List
	if len(roots) == 0 {
		errs.Add(g.src, g.rootsPos, "the e-graph has no root classes: name some")
	}
	root := make([]bool, len(p.classes))
	for i, r := range roots {
		c, ok := number[r]
		switch {
		case !ok:
			errs.Add(g.src, 0, "there is no class %q", r)
			continue
		case root[c]:
			continue
		}
		root[c] = true
		p.roots = append(p.roots, use{c, p.states[c].slots})
		if !given && i < len(g.rootPos) {
			at = append(at, g.rootPos[i])
		} else {
			at = append(at, g.Nodes[first[c]].pos)
		}
	}
	if err := errs.Err(); err != nil {
		return err
	}
	least := p.least().pick
	for i, r := range p.roots {
		if least[r.state] < 0 {
			errs.Add(g.src, at[i], "the class %q has no term: each of its nodes leads to a cycle, or to what is not to be extracted", p.classes[r.state])
		}
	}
	return errs.Err()
}
