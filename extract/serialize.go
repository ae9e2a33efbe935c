package extract

import (
	"fmt"
	"slices"

	"egad/egraph"
	"egad/internal/slice"
	"egad/slot"
)

// reachAll reaches all e-classes of a graph, which must have been rebuilt.
func reachAll(g *egraph.Graph) *Reached {
	var all []egraph.Ref
	for c := range egraph.ClassID(g.ClassIDs()) {
		if g.Find(c) == c {
			all = append(all, egraph.Ref{ID: c})
		}
	}
	return Reach(g, all...)
}

// Data gives what was reached of a graph as data. Node says what is to be said of an
// e-node, but for its class and its children, and typ what the type of a class is.
// An e-node is called by its class and its place in it.
func (x *Reached) Data(g *egraph.Graph, roots []egraph.Ref, node func(*ENode) Node, typ func(*EClass) string) *Graph {
	out := &Graph{}
	for _, c := range x.Classes {
		id := fmt.Sprint(c.ID)
		class := Class{ID: id, Type: typ(c), Symmetries: g.Symmetries(c.ID)}
		for i := range c.Slots {
			class.Slots = append(class.Slots, fmt.Sprint("s", i))
		}
		for i, n := range c.Nodes {
			d := node(n)
			d.ID, d.Class, d.Slots = fmt.Sprintf("%s.%d", id, i), id, slotNames(n.Node, c.Slots)
			for _, k := range n.Kids {
				d.Children = append(d.Children, fmt.Sprintf("%d.0", x.Classes[k].ID))
			}
			out.Nodes = append(out.Nodes, d)
		}
		out.Classes = append(out.Classes, class)
	}
	for _, r := range roots {
		if id := fmt.Sprint(g.Find(r.ID)); !slices.Contains(out.Roots, id) {
			out.Roots = append(out.Roots, id)
		}
	}
	return out
}

// slotNames names the variables of a node: s0, s1, … the slots of its class, b0,
// b1, … what it binds, f0, f1, … others.
func slotNames(n egraph.Node, class []slot.Name) *Slots {
	var free []slot.Name
	name := func(x slot.Name) string {
		if i := slices.Index(class, x); i >= 0 {
			return fmt.Sprint("s", i)
		}
		if i := slices.Index(n.Binders, x); i >= 0 {
			return fmt.Sprint("b", i)
		}
		free = slice.With(free, x)
		return fmt.Sprint("f", slices.Index(free, x))
	}
	names := func(xs []slot.Name) []string { return slice.Map(xs, name) }
	s := &Slots{Own: names(n.Own), Bind: names(n.Binders)}
	any := false
	for _, k := range n.Kids {
		s.Args = append(s.Args, names(k.Args))
		any = any || len(k.Args) > 0
	}
	if !any {
		s.Args = nil
	}
	if !any && len(n.Own)+len(n.Binders) == 0 {
		return nil
	}
	return s
}
