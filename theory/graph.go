package theory

import (
	"egad/egraph"
	"egad/egraph/proof"
	"egad/slot"
)

// Graph is an e-graph over the terms of a theory.
type Graph struct {
	*egraph.Graph
	t         *Theory
	constants *egraph.Column[int]    // nil if the theory does not ask for them
	source    map[*egraph.Rule]*Rule // nil unless proofs are kept
	conds     env                    // for conditions
	atoms     *egraph.Column[int]    // the same for what [atoms] tells
	told      [][2]*Operator         // atoms that a condition has told apart
	toldOf    map[[2]*Operator]bool  // the same
	merged    int                    // how often classes with atoms have become one
	sure      int                    // merged, when what was told was last looked at

	// Rules with pruning do not look into the classes of constants.
	atom func(egraph.ClassID) bool
}

// NewGraph returns an empty e-graph.
func (t *Theory) NewGraph() *Graph {
	return t.newGraph(false)
}

func (t *Theory) newGraph(proofs bool) *Graph {
	g := &Graph{Graph: egraph.New(t.sig), t: t}
	g.conds.g, g.atom = g, g.isAtom
	if proofs {
		proof.Keep(g.Graph)
		g.source = make(map[*egraph.Rule]*Rule)
	}
	if t.columns {
		f := &folding{t: t}
		f.column = egraph.AttachOp(g.Graph, f)
		g.constants = f.column
	}
	if t.atoms {
		g.atoms = egraph.AttachOp(g.Graph, atoms{g})
	}
	return g
}

// isAtom reports whether a class equals a constant.
func (g *Graph) isAtom(c egraph.ClassID) bool { return g.constants.Get(c) > 0 }

// env is what the variables of a node stand for.
type env struct {
	g     *Graph
	match *egraph.Match // of metavariables and of the first left variables
	left  int
	names map[int]slot.Name // of the other variables
	kids  []egraph.Ref      // of the operators that are being looked at
}

func (e *env) name(v int) slot.Name {
	if v < 0 {
		return e.match.Var(-1 - v).Args[0]
	}
	if v < e.left {
		return e.match.Bound(v)
	}
	if e.names == nil {
		e.names = make(map[int]slot.Name)
	}
	n, ok := e.names[v]
	if !ok {
		n = e.g.Fresh()
		e.names[v] = n
	}
	return n
}

// add adds a term to the graph.
func (e *env) add(n *node) egraph.Ref {
	r, _ := e.visit(n, func(op egraph.Op, own, binders []slot.Name, kids []egraph.Ref) (egraph.Ref, bool) {
		return e.g.Add(op, own, binders, kids), true
	})
	return r
}

// find looks a term up. It is false if the term is not in the graph.
func (e *env) find(n *node) (egraph.Ref, bool) { return e.visit(n, e.g.Lookup) }

func (e *env) visit(n *node, row func(op egraph.Op, own, binders []slot.Name, kids []egraph.Ref) (egraph.Ref, bool)) (egraph.Ref, bool) {
	switch n.kind {
	case nodeMeta:
		return e.match.Var(n.v), true
	case nodeVar:
		return row(n.op.op, []slot.Name{e.name(n.v)}, nil, nil)
	}
	var binders []slot.Name
	for _, b := range n.binders {
		binders = append(binders, e.name(b))
	}
	at := len(e.kids)
	defer func() { e.kids = e.kids[:at] }()
	for _, k := range n.kids {
		r, ok := e.visit(k, row)
		if !ok {
			return r, false
		}
		e.kids = append(e.kids, r)
	}
	return row(n.op.op, nil, binders, e.kids[at:])
}
