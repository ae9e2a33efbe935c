package viz

import (
	"fmt"
	"slices"
	"strings"

	"egad/egraph"
	"egad/extract"
	"egad/internal/slice"
	"egad/slot"
)

// EGraph draws the part of an e-graph that the root reaches. A class is a frame
// around its e-nodes; its slots are $0, $1, …. An arrow leads from a child of an
// e-node to its class, and says what is passed for the slots of that class: slots
// of the e-node's own class, variables that the e-node binds, or _, for which any
// variable would do. E-nodes that were extracted are filled.
func EGraph(snap *extract.Snapshot, opt Options) (string, error) {
	g := snap.Graph
	x := extract.Reach(g.Graph, snap.Root)
	nodes := slice.Sum(x.Classes, func(c *extract.EClass) int { return len(c.Nodes) })
	if err := checkSize("the e-graph", nodes, opt.MaxNodes); err != nil {
		return "", err
	}
	frames := slice.Make(len(x.Classes), func(i int) frame { return classFrame(snap, i, x.Classes[i]) })
	caption := captioned(opt, sizeOf(nodes, len(frames), g.Size(), g.Graph.Classes()))
	return drawFrames(caption, frames), nil
}

// binderNames are what the variables of an e-node are called.
var binderNames = []string{"i", "j", "k", "l", "p", "q", "r"}

func binderName(k int) string {
	if k < len(binderNames) {
		return binderNames[k]
	}
	return fmt.Sprintf("i%d", k)
}

// slotNames are what names are called at an e-node of a class.
func slotNames(c *extract.EClass, n *extract.ENode, names []slot.Name) string {
	parts := make([]string, len(names))
	for i, x := range names {
		parts[i] = "_"
		if k := slices.Index(n.Binders, x); k >= 0 {
			parts[i] = binderName(k)
		} else if k := slices.Index(c.Slots, x); k >= 0 {
			parts[i] = fmt.Sprintf("$%d", k)
		}
	}
	return strings.Join(parts, ", ")
}

// slotted is a label with the slots of a class.
func slotted(label string, slots int) string {
	if slots == 0 {
		return label
	}
	return label + "(" + strings.Join(slice.Make(slots, func(k int) string { return fmt.Sprintf("$%d", k) }), ", ") + ")"
}

// classFrame is class i with its e-nodes.
func classFrame(snap *extract.Snapshot, i int, c *extract.EClass) frame {
	g := snap.Graph
	f := frame{label: slotted(fmt.Sprint(i), len(c.Slots)), root: i == 0}
	if h, ok := g.Hint(c.ID); ok && h.Name != "" {
		f.label = h.Name + " = " + f.label
	}
	if t := g.Type(egraph.Ref{ID: c.ID}); t != nil {
		f.label += ": " + t.String()
	}
	for _, n := range c.Nodes {
		op := g.TermOp(n.Op)
		b := box{}
		if v, ok := op.Variable(); ok {
			if b.head = slotNames(c, n, n.Own); v.Type == nil {
				b.head += " < " + v.Size.String()
			}
		} else {
			names := slice.Make(len(n.Binders), binderName)
			b.head = opText(g.Signature(), op, names)
		}
		if len(n.Kids) > 1 {
			b.ports = portNames(g.Signature().Operator(op.Sym), len(n.Kids))
		}
		if snap.Result != nil && snap.Result.Nodes[n.ID] {
			b.fill = highlight
		}
		fn := frameNode{box: b}
		for k, to := range n.Kids {
			fn.kids = append(fn.kids, frameKid{to, slotNames(c, n, n.Node.Kids[k].Args)})
		}
		f.nodes = append(f.nodes, fn)
	}
	return f
}
