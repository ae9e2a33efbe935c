package viz

import (
	"fmt"
	"slices"
	"strings"

	"egad/egraph"
	"egad/extract"
	"egad/slot"
	"egad/term"

	"github.com/emicklei/dot"
)

// EGraph draws the part of an e-graph that the root reaches. A class is a frame
// around its e-nodes; its slots are $0, $1, …. An arrow leads from a child of an
// e-node to its class, and says what is passed for the slots of that class: slots
// of the e-node's own class, variables that the e-node binds, or _, for which any
// variable would do. E-nodes that were extracted are filled.
func EGraph(snap *extract.Snapshot, opt Options) (string, error) {
	g := snap.Graph
	d := &graphDrawer{snap: snap, number: make(map[egraph.ClassID]int)}
	d.collect(g.FindRef(snap.Root).ID)
	nodes := 0
	for _, c := range d.classes {
		nodes += len(c.nodes)
	}
	if err := checkSize("the e-graph", nodes, opt.MaxNodes); err != nil {
		return "", err
	}
	caption := fmt.Sprintf("%d e-nodes in %d e-classes", nodes, len(d.classes))
	if nodes < g.Rows() {
		caption += fmt.Sprintf(", of %d in %d", g.Rows(), g.Graph.Classes())
	}
	if opt.Caption != "" {
		caption = opt.Caption + "\n" + caption
	}
	d.g = newGraph(caption)
	d.g.Attr("compound", true)
	for i := range d.classes {
		d.class(i)
	}
	for i := range d.classes {
		d.edges(i)
	}
	return d.g.String(), nil
}

type graphDrawer struct {
	snap    *extract.Snapshot
	g       *dot.Graph
	number  map[egraph.ClassID]int // in the order in which the root reaches them
	classes []*drawnClass
}

type drawnClass struct {
	id      egraph.ClassID
	slots   []slot.Name
	nodes   []egraph.Node
	drawn   []dot.Node
	cluster *dot.Graph
}

// collect finds the classes, breadth first.
func (d *graphDrawer) collect(root egraph.ClassID) {
	g := d.snap.Graph
	need := func(c egraph.ClassID) {
		if _, ok := d.number[c]; ok {
			return
		}
		d.number[c] = len(d.classes)
		dc := &drawnClass{id: c}
		for range g.Slots(c) {
			dc.slots = append(dc.slots, g.Fresh())
		}
		d.classes = append(d.classes, dc)
	}
	need(root)
	for k := 0; k < len(d.classes); k++ {
		c := d.classes[k]
		g.Graph.Nodes(egraph.Ref{ID: c.id, Args: c.slots}, func(n egraph.Node) bool {
			for i, kid := range n.Kids {
				n.Kids[i] = g.FindRef(kid)
				need(n.Kids[i].ID)
			}
			c.nodes = append(c.nodes, n)
			return true
		})
	}
}

// binderNames are what the variables of an e-node are called.
var binderNames = []string{"i", "j", "k", "l", "p", "q", "r"}

func binderName(k int) string {
	if k < len(binderNames) {
		return binderNames[k]
	}
	return fmt.Sprintf("i%d", k)
}

// slotName is what a name is called at an e-node of class c.
func (c *drawnClass) slotName(n *egraph.Node, s slot.Name) string {
	if k := slices.Index(n.Binders, s); k >= 0 {
		return binderName(k)
	}
	if k := slices.Index(c.slots, s); k >= 0 {
		return fmt.Sprintf("$%d", k)
	}
	return "_"
}

func (c *drawnClass) slotNames(n *egraph.Node, ss []slot.Name) string {
	parts := make([]string, len(ss))
	for i, s := range ss {
		parts[i] = c.slotName(n, s)
	}
	return strings.Join(parts, ", ")
}

// class draws the frame of a class and its e-nodes.
func (d *graphDrawer) class(i int) {
	c := d.classes[i]
	g := d.snap.Graph
	sub := d.g.Subgraph(id("c", i), dot.ClusterOption{})
	c.cluster = sub
	label := fmt.Sprintf("%d", i)
	if len(c.slots) > 0 {
		names := make([]string, len(c.slots))
		for k := range names {
			names[k] = fmt.Sprintf("$%d", k)
		}
		label += "(" + strings.Join(names, ", ") + ")"
	}
	if h, ok := g.Hint(c.id); ok && h.Name != "" {
		label = h.Name + " = " + label
	}
	if t := g.Type(egraph.Ref{ID: c.id}); t != nil {
		label += ": " + t.String()
	}
	sub.Attr("label", label)
	sub.Attr("fontname", font)
	sub.Attr("fontsize", 9)
	sub.Attr("labeljust", "l")
	sub.Attr("style", "rounded")
	sub.Attr("color", grey)
	if i == 0 {
		sub.Attr("color", blue)
		sub.Attr("penwidth", 2)
	}
	for k := range c.nodes {
		n := &c.nodes[k]
		op := g.TermOp(n.Op)
		b := box{}
		if op.Sym == term.SymIvar {
			b.head = c.slotName(n, n.Own[0]) + " < " + op.Sizes[0].String()
		} else {
			var names []string
			for j := range n.Binders {
				names = append(names, binderName(j))
			}
			b.head = opText(g.Signature(), op, names)
		}
		if len(n.Kids) > 1 {
			b.ports = portNames(op, len(n.Kids))
		}
		if d.snap.Result != nil && d.snap.Result.Rows[n.Row] {
			b.fill = highlight
		}
		c.drawn = append(c.drawn, plain(sub.Node(id("c", i)+id("n", k)), b.html()))
	}
}

// edges draws the children of the e-nodes of a class.
func (d *graphDrawer) edges(i int) {
	c := d.classes[i]
	for k := range c.nodes {
		n := &c.nodes[k]
		for j, kid := range n.Kids {
			tail := ""
			if len(n.Kids) > 1 {
				tail = port(j) + ":s"
			}
			to := d.number[kid.ID]
			e := d.g.EdgeWithPorts(c.drawn[k], d.classes[to].drawn[0], tail, "").Attr("arrowsize", "0.6")
			// An arrow to a class ends at its frame. One that stays in a class
			// cannot.
			if to != i {
				e.Attr("lhead", d.classes[to].cluster.GetID())
			}
			if d.snap.Result != nil && !d.snap.Result.Rows[n.Row] {
				e.Attr("color", grey)
			}
			if len(kid.Args) > 0 {
				e.Attr("label", c.slotNames(n, kid.Args)).Attr("fontname", font).Attr("fontsize", 8).Attr("fontcolor", blue)
			}
		}
	}
}
