package viz

import (
	"fmt"
	"slices"
	"strings"

	"egad/extract"
	"egad/internal/memo"
	"egad/internal/set"
	"egad/internal/slice"
)

// Data draws an e-graph of any language, or the part of it that its root classes
// reach, if it has some. E-nodes that best chooses are filled; it is asked if the
// picture is not too large, and may give nil. The picture is as that of [EGraph], but
// for the slots, which have the names that the data have.
func Data(g *extract.Graph, best func() *extract.Extraction, opt Options) (string, error) {
	d := newDataDrawer(g)
	d.collect()
	nodes := slice.Sum(d.order, func(c string) int { return len(d.nodes[c]) })
	if err := checkSize("the e-graph", nodes, opt.MaxNodes); err != nil {
		return "", err
	}
	chosen := make(map[int]bool)
	if e := best(); e != nil {
		set.Add(chosen, e.Nodes()...)
	}
	frames := slice.Map(d.order, func(c string) frame { return d.frame(c, chosen) })
	return drawFrames(captioned(opt, sizeOf(nodes, len(frames), len(g.Nodes), len(d.nodes))), frames), nil
}

type dataDrawer struct {
	g     *extract.Graph
	class map[string]string        // of a node
	nodes map[string][]int         // of a class
	known map[string]extract.Class // what is said of a class
	order []string                 // the classes that are drawn
	place map[string]int           // in order
	all   []string                 // the classes in the order of their nodes
}

func newDataDrawer(g *extract.Graph) *dataDrawer {
	d := &dataDrawer{g: g, class: make(map[string]string), nodes: make(map[string][]int), known: make(map[string]extract.Class), place: make(map[string]int)}
	for i, n := range g.Nodes {
		if d.nodes[n.Class] == nil {
			d.all = append(d.all, n.Class)
		}
		d.class[n.ID] = n.Class
		d.nodes[n.Class] = append(d.nodes[n.Class], i)
	}
	for _, c := range g.Classes {
		d.known[c.ID] = c
	}
	return d
}

// collect finds the classes, breadth first from the roots.
func (d *dataDrawer) collect() {
	need := func(c string) { memo.Place(d.place, &d.order, c, c) }
	for _, c := range d.g.Roots {
		need(c)
	}
	if len(d.g.Roots) == 0 {
		for _, c := range d.all {
			need(c)
		}
	}
	for k := 0; k < len(d.order); k++ {
		for _, i := range d.nodes[d.order[k]] {
			for _, kid := range d.g.Nodes[i].Children {
				need(d.class[kid])
			}
		}
	}
}

func (d *dataDrawer) frame(c string, chosen map[int]bool) frame {
	known := d.known[c]
	f := frame{label: c, root: slices.Contains(d.g.Roots, c)}
	if len(known.Slots) > 0 {
		f.label += "(" + strings.Join(known.Slots, ", ") + ")"
	}
	if known.Type != "" {
		f.label += ": " + known.Type
	}
	for _, i := range d.nodes[c] {
		n := &d.g.Nodes[i]
		fn := frameNode{box: box{head: n.Op}}
		if chosen[i] {
			fn.box.fill = highlight
		}
		if n.Slots != nil {
			fn.box.head = strings.Join(slices.Concat([]string{n.Op}, n.Slots.Own, n.Slots.Bind), " ")
		}
		for k, kid := range n.Children {
			x := frameKid{to: d.place[d.class[kid]]}
			if n.Slots != nil && k < len(n.Slots.Args) {
				x.args = strings.Join(n.Slots.Args[k], ", ")
			}
			fn.kids = append(fn.kids, x)
			if len(n.Children) > 1 {
				fn.box.ports = append(fn.box.ports, fmt.Sprint(k+1))
			}
		}
		f.nodes = append(f.nodes, fn)
	}
	return f
}
