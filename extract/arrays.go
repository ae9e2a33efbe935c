package extract

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"egad/egraph"
	"egad/internal/slice"
	"egad/rules"
	"egad/rules/proof"
	"egad/rules/saturate"
	"egad/term"
	"egad/term/ops"
	"egad/term/types"
)

// Data gives the e-graph after the stage as data. An e-node costs what the cheapest
// rule of the grammar for its operator says, whatever nonterminal it derives; one that
// no rule derives is not to be extracted. An error of the stage comes with the graph
// that it left.
func (r *Run) Data() (*Graph, error) {
	s, err := r.After()
	if s == nil {
		return nil, err
	}
	return DataBy(r.grammar, s.Graph, s.Root), err
}

// DataBy is [Data] where the cost of an e-node is as for [Run.Data].
func DataBy(gr *rules.Grammar, g *saturate.Graph, roots ...egraph.Ref) *Graph {
	g.Rebuild()
	x := newGrammatical(g, reachAll(g.Graph), gr)
	x.derive()
	costs := slices.Repeat([]float64{math.Inf(1)}, len(x.nodes))
	for i := range x.states {
		for _, o := range x.states[i].options {
			if o.node >= 0 {
				costs[o.node] = min(costs[o.node], o.cost)
			}
		}
	}
	return x.arrays(g, roots, func(n *ENode) float64 { return costs[n.Number] })
}

// Data gives an e-graph as data, where the cost of an e-node is 1. What a directed run has rewritten is
// not to be extracted, where there is something else in the class.
func Data(g *saturate.Graph, roots ...egraph.Ref) *Graph {
	g.Rebuild()
	x, open := reachAll(g.Graph), make(map[egraph.NodeID]bool)
	for _, c := range x.Classes {
		some := false
		g.OpenNodes(egraph.Ref{ID: c.ID, Args: c.Slots}, func(n egraph.Node) bool {
			open[n.ID], some = true, true
			return true
		})
		for _, n := range c.Nodes {
			open[n.ID] = open[n.ID] || !some
		}
	}
	return x.arrays(g, roots, func(n *ENode) float64 {
		if open[n.ID] {
			return 1
		}
		return math.Inf(1)
	})
}

// arrays is [Reached.Data] of arrays. An e-node whose cost is infinite is not to be
// extracted.
func (x *Reached) arrays(g *saturate.Graph, roots []egraph.Ref, cost func(*ENode) float64) *Graph {
	return x.Data(g.Graph, roots, func(n *ENode) Node {
		op := g.TermOp(n.Op)
		d := Node{Op: opText(g.Signature(), op), Cost: min(cost(n), maxCost), Subsumed: math.IsInf(cost(n), 1)}
		if o := g.Signature().Operator(op.Sym); (g.Arrays() || o.Sorted != nil) && d.Op != o.Name {
			if of, err := proof.OpOf(g.Signature(), op); err == nil {
				d.Operator = of
			}
		}
		if d.Subsumed {
			d.Cost = 1
		}
		return d
	}, func(c *EClass) string {
		if t := g.Type(egraph.Ref{ID: c.ID}); t != nil {
			return t.String()
		}
		return ""
	})
}

// opText is an operator with its attributes, different for different operators of one
// type.
func opText(sig *term.Signature, op ops.Op) string {
	var b strings.Builder
	list := func(before string, n int, at func(i int) string) {
		if n > 0 {
			b.WriteString(before + "[" + strings.Join(slice.Make(n, at), ",") + "]")
		}
	}
	switch o := sig.Operator(op.Sym); {
	case o.Sorted != nil:
		return o.Sorted.Text(op)
	case op.Sym == ops.SymVar:
		return op.Name
	case op.Const != nil && op.Const.Data == nil:
		return op.Const.Fill.String()
	case op.Const != nil:
		list("", len(op.Const.Data), func(i int) string { return op.Const.Data[i].String() })
		return b.String()
	}
	if op.Sym == ops.SymLocal {
		return "variable"
	}
	b.WriteString(sig.Operator(op.Sym).Name)
	list("", len(op.Sizes), func(i int) string { return op.Sizes[i].String() })
	list("to", len(op.Targets), func(i int) string { return op.Targets[i].String() })
	list("", len(op.Perm), func(i int) string { return strconv.Itoa(op.Perm[i]) })
	if op.N != 0 || op.Sym == ops.SymProj {
		b.WriteString("." + strconv.Itoa(op.N))
	}
	for _, t := range []*types.Type{op.Type, op.Type2} {
		if t != nil {
			b.WriteString("@" + t.String())
		}
	}
	return b.String()
}
