package interchange

import (
	"fmt"
	"math"
	"slices"

	"egad/diag"
)

// Problem is a graph made ready for extraction: one node is to be chosen for
// every class that is needed, without cycles.
type Problem struct {
	Roots   []int // classes
	g       *Graph
	classes []string
	nodes   [][]choice // by class
	users   [][]user   // by class
	least   *trees
}

// choice is a node that may be chosen. Its children are classes, each once.
type choice struct {
	node int
	cost float64
	kids []int // distinct, for what is shared
	all  []int // as they are, for trees
}

// user is a node that has a class as a child.
type user struct{ class, index int }

// NewProblem prepares the extraction of roots, of the root classes of the graph
// if there are none. The error lists all findings, as a [diag.List].
func NewProblem(g *Graph, roots []string) (*Problem, error) {
	p := &Problem{g: g}
	number := make(map[string]int)
	class := make(map[string]int, len(g.Nodes))
	var first []int // node, by class
	for i, n := range g.Nodes {
		c, ok := number[n.Class]
		if !ok {
			c = len(p.classes)
			number[n.Class] = c
			p.classes = append(p.classes, n.Class)
			first = append(first, i)
		}
		class[n.ID] = c
	}
	p.nodes, p.users = make([][]choice, len(p.classes)), make([][]user, len(p.classes))
	for i, n := range g.Nodes {
		if n.Subsumed {
			continue
		}
		c := class[n.ID]
		x := choice{node: i, cost: n.Cost}
		for _, k := range n.Children {
			x.all = append(x.all, class[k])
		}
		x.kids = slices.Compact(slices.Sorted(slices.Values(x.all)))
		for _, k := range x.kids {
			p.users[k] = append(p.users[k], user{c, len(p.nodes[c])})
		}
		p.nodes[c] = append(p.nodes[c], x)
	}
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
		p.Roots = append(p.Roots, c)
		if !given && i < len(g.rootPos) {
			at = append(at, g.rootPos[i])
		} else {
			at = append(at, g.Nodes[first[c]].pos)
		}
	}
	if err := errs.Err(); err != nil {
		return nil, err
	}
	p.least = p.knuth((*choice).tree)
	for i, r := range p.Roots {
		if p.least.pick[r] < 0 {
			errs.Add(g.src, at[i], "the class %q has no term: each of its nodes leads to a cycle, or to what is not to be extracted", p.classes[r])
		}
	}
	if err := errs.Err(); err != nil {
		return nil, err
	}
	return p, nil
}

// Extraction is a choice of nodes.
type Extraction struct {
	// Tree is the cost of the terms of the roots as trees, DAG with what is
	// shared counted once. A tree may cost +Inf, as no float64 can say.
	Tree, DAG float64
	// Bound is a cost below which no DAG is; Optimal says that DAG is the least.
	Bound   float64
	Optimal bool
	Stopped bool // the budget ended first
	p       *Problem
	tree    amount
	pick    []int // by class: the place of the chosen node, -1 if there is none
}

// finish computes what a choice costs. It is false if the choice has a cycle or
// lacks something.
func (p *Problem) finish(pick []int) (*Extraction, bool) {
	e := &Extraction{p: p, pick: pick}
	order, ok := p.order(pick)
	if !ok {
		return nil, false
	}
	tree := make([]amount, len(p.classes))
	for _, c := range order {
		x := &p.nodes[c][pick[c]]
		tree[c] = x.tree(tree)
		e.DAG += x.cost
	}
	for _, r := range p.Roots {
		e.tree = e.tree.add(tree[r])
	}
	e.Tree = e.tree.float()
	return e, true
}

// order lists the classes that a choice needs, children first.
func (p *Problem) order(pick []int) ([]int, bool) {
	const (
		open = iota + 1
		done
	)
	state := make([]uint8, len(p.classes))
	var out []int
	type frame struct{ class, next int }
	for _, r := range p.Roots {
		stack := []frame{{r, 0}}
		for len(stack) > 0 {
			f := &stack[len(stack)-1]
			if f.next == 0 {
				if state[f.class] == done {
					stack = stack[:len(stack)-1]
					continue
				}
				if state[f.class] == open || pick[f.class] < 0 {
					return nil, false
				}
				state[f.class] = open
			}
			kids := p.nodes[f.class][pick[f.class]].kids
			if f.next < len(kids) {
				f.next++
				k := kids[f.next-1]
				if state[k] == open {
					return nil, false
				}
				if state[k] == 0 {
					stack = append(stack, frame{k, 0})
				}
				continue
			}
			if state[f.class] != done {
				state[f.class] = done
				out = append(out, f.class)
			}
			stack = stack[:len(stack)-1]
		}
	}
	return out, true
}

// Nodes lists the nodes that make up the terms, as places in the graph, children
// first.
func (e *Extraction) Nodes() []int {
	order, _ := e.p.order(e.pick)
	var out []int
	for _, c := range order {
		out = append(out, e.p.nodes[c][e.pick[c]].node)
	}
	return out
}

// String is a line for people.
func (e *Extraction) String() string {
	s := fmt.Sprintf("cost %s as a DAG, %s as a tree", number(e.DAG), e.tree)
	switch {
	case e.Optimal:
		return s + "; no DAG costs less"
	case e.Bound > 0:
		return s + fmt.Sprintf("; no DAG costs less than %s", number(e.Bound))
	case e.Stopped:
		return s + "; the steps or the time ended the search"
	}
	return s
}

func number(x float64) string {
	if x == math.Trunc(x) && math.Abs(x) < 1e15 {
		return fmt.Sprintf("%.0f", x)
	}
	return fmt.Sprintf("%g", x)
}
