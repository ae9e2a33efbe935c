package viz

import (
	"fmt"
	"slices"
	"strings"

	"egad/egraph"
	"egad/extract"
	"egad/slot"
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
	frames := make([]frame, len(d.classes))
	for i := range d.classes {
		frames[i] = d.frame(i)
	}
	caption := captioned(opt, sizeOf(nodes, len(frames), g.Size(), g.Graph.Classes()))
	return drawFrames(caption, frames), nil
}

type graphDrawer struct {
	snap    *extract.Snapshot
	number  map[egraph.ClassID]int // in the order in which the root reaches them
	classes []*drawnClass
}

type drawnClass struct {
	id    egraph.ClassID
	slots []slot.Name
	nodes []egraph.Node
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

// slotted is a label with the slots of a class.
func slotted(label string, slots int) string {
	if slots == 0 {
		return label
	}
	names := make([]string, slots)
	for k := range names {
		names[k] = fmt.Sprintf("$%d", k)
	}
	return label + "(" + strings.Join(names, ", ") + ")"
}

// frame is class i with its e-nodes.
func (d *graphDrawer) frame(i int) frame {
	c := d.classes[i]
	g := d.snap.Graph
	f := frame{label: slotted(fmt.Sprint(i), len(c.slots)), root: i == 0}
	if h, ok := g.Hint(c.id); ok && h.Name != "" {
		f.label = h.Name + " = " + f.label
	}
	if t := g.Type(egraph.Ref{ID: c.id}); t != nil {
		f.label += ": " + t.String()
	}
	for k := range c.nodes {
		n := &c.nodes[k]
		op := g.TermOp(n.Op)
		b := box{}
		if v, ok := op.Variable(); ok {
			b.head = c.slotName(n, n.Own[0])
			if v.Type == nil {
				b.head += " < " + v.Size.String()
			}
		} else {
			var names []string
			for j := range n.Binders {
				names = append(names, binderName(j))
			}
			b.head = opText(g.Signature(), op, names)
		}
		if len(n.Kids) > 1 {
			b.ports = portNames(g.Signature().Operator(op.Sym), len(n.Kids))
		}
		if d.snap.Result != nil && d.snap.Result.Nodes[n.ID] {
			b.fill = highlight
		}
		fn := frameNode{box: b}
		for _, kid := range n.Kids {
			fn.kids = append(fn.kids, frameKid{d.number[kid.ID], c.slotNames(n, kid.Args)})
		}
		f.nodes = append(f.nodes, fn)
	}
	return f
}
