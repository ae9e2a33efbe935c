package viz

import (
	"fmt"

	"github.com/emicklei/dot"
)

// frame is a class of an e-graph in a picture: a frame around its e-nodes.
type frame struct {
	label string
	root  bool
	nodes []frameNode
}

// frameNode is an e-node. An arrow leads from each child to the frame of its
// class, and says what is passed for the slots of that class.
type frameNode struct {
	box  box
	kids []frameKid
}

type frameKid struct {
	to   int // frame
	args string
}

// drawFrames draws frames with their e-nodes. If some e-nodes are filled, as those
// that were extracted, the arrows of the others are grey.
func drawFrames(caption string, frames []frame) string {
	g := newGraph(caption)
	g.Attr("compound", true)
	filled := false
	clusters := make([]*dot.Graph, len(frames))
	drawn := make([][]dot.Node, len(frames))
	for i, f := range frames {
		sub := g.Subgraph(id("c", i), dot.ClusterOption{})
		sub.Attr("label", f.label)
		sub.Attr("fontname", font)
		sub.Attr("fontsize", 9)
		sub.Attr("labeljust", "l")
		sub.Attr("style", "rounded")
		sub.Attr("color", grey)
		if f.root {
			sub.Attr("color", blue)
			sub.Attr("penwidth", 2)
		}
		clusters[i] = sub
		for k, n := range f.nodes {
			drawn[i] = append(drawn[i], plain(sub.Node(id("c", i)+id("n", k)), n.box.html()))
			filled = filled || n.box.fill != ""
		}
	}
	for i, f := range frames {
		for k, n := range f.nodes {
			for j, kid := range n.kids {
				tail := ""
				if len(n.kids) > 1 {
					tail = port(j) + ":s"
				}
				e := g.EdgeWithPorts(drawn[i][k], drawn[kid.to][0], tail, "").Attr("arrowsize", "0.6")
				// An arrow to a class ends at its frame. One that stays in a class
				// cannot.
				if kid.to != i {
					e.Attr("lhead", clusters[kid.to].GetID())
				}
				if filled && n.box.fill == "" {
					e.Attr("color", grey)
				}
				if kid.args != "" {
					e.Attr("label", kid.args).Attr("fontname", font).Attr("fontsize", 8).Attr("fontcolor", blue)
				}
			}
		}
	}
	return g.String()
}

// sizeOf is "N e-nodes in M e-classes" of what is drawn, of a graph that may have
// more.
func sizeOf(nodes, classes, allNodes, allClasses int) string {
	s := fmt.Sprintf("%d e-nodes in %d e-classes", nodes, classes)
	if nodes < allNodes {
		s += fmt.Sprintf(", of %d in %d", allNodes, allClasses)
	}
	return s
}

// captioned puts the caption that was asked for before what there is to say.
func captioned(opt Options, size string) string {
	if opt.Caption == "" {
		return size
	}
	return opt.Caption + "\n" + size
}
