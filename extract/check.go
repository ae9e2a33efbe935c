package extract

import (
	"cmp"
	"slices"

	"egad/term/ops"
)

// check looks for names that name nothing.
func (r *reader) check() {
	g := r.g
	class := make(map[string]string, len(g.Nodes)) // of nodes
	nodes := make(map[string]bool)                 // whether a class has any
	for i := range g.Nodes {
		n := &g.Nodes[i]
		if _, ok := class[n.ID]; ok {
			r.errs.Add(r.src, n.pos, "there are two nodes %q", n.ID)
		}
		class[n.ID], nodes[n.Class] = n.Class, true
	}
	slots := make(map[string]int)
	seen := make(map[string]bool)
	for i := range g.Classes {
		c := &g.Classes[i]
		if seen[c.ID] {
			r.errs.Add(r.src, c.pos, "class_data has the class %q twice", c.ID)
		}
		seen[c.ID] = true
		if !nodes[c.ID] && !r.unclear {
			r.errs.Add(r.src, c.pos, "the class %q has no nodes", c.ID)
		}
		if twice(c.Slots) {
			r.errs.Add(r.src, c.pos, "the class %q has two slots of one name", c.ID)
		}
		slots[c.ID] = len(c.Slots)
		for _, p := range c.Symmetries {
			if len(p) != len(c.Slots) || !ops.IsPerm(p) {
				r.errs.Add(r.src, c.pos, "the class %q: %v is not a permutation of its %d slots", c.ID, p, len(c.Slots))
			}
		}
	}
	for i := range g.Nodes {
		n := &g.Nodes[i]
		for _, k := range n.Children {
			if _, ok := class[k]; !ok {
				r.errs.Add(r.src, n.pos, "node %q has the child %q, which is no node", n.ID, k)
			}
		}
		r.checkSlots(n, class, slots)
	}
	for i, c := range g.Roots {
		if !nodes[c] && !r.unclear {
			r.errs.Add(r.src, g.rootPos[i], "the root class %q has no nodes", c)
		}
	}
}

func (r *reader) checkSlots(n *Node, class map[string]string, slots map[string]int) {
	s := cmp.Or(n.Slots, &Slots{})
	if len(s.Args) > 0 && len(s.Args) != len(n.Children) {
		r.errs.Add(r.src, n.pos, "node %q has %d children and slots for %d", n.ID, len(n.Children), len(s.Args))
		return
	}
	if twice(s.Bind) {
		r.errs.Add(r.src, n.pos, "node %q binds one name twice", n.ID)
	}
	for i, k := range n.Children {
		have := 0
		if i < len(s.Args) {
			have = len(s.Args[i])
		}
		if want := slots[class[k]]; have != want && !r.unclear {
			r.errs.Add(r.src, n.pos, "node %q passes %d slots to child %d, whose class has %d", n.ID, have, i+1, want)
		}
		if have > 0 && twice(s.Args[i]) { // it is another class then, of fewer slots
			r.errs.Add(r.src, n.pos, "node %q passes one slot twice to child %d", n.ID, i+1)
		}
	}
}

func twice(names []string) bool {
	sorted := slices.Sorted(slices.Values(names))
	return len(slices.Compact(sorted)) < len(names)
}
