package extract

import (
	"egad/diag"
	"egad/internal/memo"
)

// Problem is the choices of an e-graph that was read. Its states are classes: as in
// other tools for the format, a class counts once, whatever its slots are.
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
	for i := range g.Nodes {
		n := &g.Nodes[i]
		if n.Subsumed {
			continue
		}
		o := option{node: i, cost: n.Cost}
		for _, k := range n.Children {
			o.all = append(o.all, class[k])
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
		p.roots = append(p.roots, use{state: c})
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
