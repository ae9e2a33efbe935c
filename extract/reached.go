package extract

import (
	"egad/egraph"
	"egad/internal/memo"
	"egad/slot"
)

// Reached are the e-classes that terms of some e-classes are made of.
type Reached struct {
	Classes []*EClass // breadth first
	number  map[egraph.ClassID]int
}

// EClass is an e-class, with names for its slots.
type EClass struct {
	ID    egraph.ClassID
	Slots []slot.Name
	Nodes []*ENode
	// Symmetric says that slots may change places, and leave it as it is.
	Symmetric bool
}

// ENode is an e-node, over the names of its class. Its children refer to leaders.
type ENode struct {
	egraph.Node
	Number int   // among all that were reached
	Kids   []int // the numbers of the classes of its children; what is passed for their slots is in Node.Kids
}

// Reach finds the e-classes that terms of the roots are made of. The graph must have
// been rebuilt.
func Reach(g *egraph.Graph, roots ...egraph.Ref) *Reached { return reach(g, g.Nodes, roots...) }

// reach is [Reach] by some of the e-nodes of each class.
func reach(g *egraph.Graph, of func(egraph.Ref, func(egraph.Node) bool), roots ...egraph.Ref) *Reached {
	x := &Reached{number: make(map[egraph.ClassID]int)}
	nodes := 0
	need := func(id egraph.ClassID) int {
		return memo.Of(x.number, id, func() int {
			x.Classes = append(x.Classes, &EClass{ID: id, Slots: g.FreshN(g.Slots(id)), Symmetric: len(g.Symmetries(id)) > 0})
			return len(x.Classes) - 1
		})
	}
	for _, r := range roots {
		need(g.Find(r.ID))
	}
	for i := 0; i < len(x.Classes); i++ {
		c := x.Classes[i]
		of(egraph.Ref{ID: c.ID, Args: c.Slots}, func(n egraph.Node) bool {
			kids := make([]int, len(n.Kids))
			for k, r := range n.Kids {
				n.Kids[k] = g.FindRef(r)
				kids[k] = need(n.Kids[k].ID)
			}
			c.Nodes = append(c.Nodes, &ENode{n, nodes, kids})
			nodes++
			return true
		})
	}
	return x
}

// option is the option of an e-node, over states of nonterminals; nt says from which
// each child is derived.
func (x *Reached) option(n *ENode, nonterminals int, nt func(kid int) int, cost float64) option {
	o := option{node: n.Number, cost: cost, own: n.Own, all: make([]int, len(n.Kids))}
	for k, c := range n.Kids {
		o.all[k] = c*nonterminals + nt(k)
		if args := n.Node.Kids[k].Args; len(args) > 0 {
			if o.args == nil {
				o.args = make([][]slot.Name, len(n.Kids))
			}
			o.args[k] = args
		}
	}
	return o
}

// choices are choices without options, a state for each class and nonterminal.
func (x *Reached) choices(nonterminals int) *Choices {
	c := newChoices(len(x.Classes) * nonterminals)
	for s := range c.states {
		if slots := x.Classes[s/nonterminals].Slots; len(slots) > 0 {
			c.states[s].slots, c.slotted = slots, true
		}
		c.symmetric = c.symmetric || x.Classes[s/nonterminals].Symmetric
	}
	return c
}
