package chad

import "egad/fun"

// tree is how a reduce went (002, Fig. 10): a leaf, or a node with the backpropagator of the
// function that combined two parts.
type tree struct {
	l, r   *tree
	x      fun.Value
	f      fun.Value
	leaves int
}

// The forms on trees.
var (
	tLeaf = formAt(formTree.Of(typA, typB), "Leaf", formTree.Of(typA, typB), after(func(x fun.Value) fun.Value { return &tree{x: x, leaves: 1} }), typA)
	// Node l (y, f) r.
	tNode = form("Node", formTree.Of(typA, typB), withThree(func(l, x, r fun.Value) fun.Value {
		p, a, b := x.(*fun.Pairing), l.(*tree), r.(*tree)
		return &tree{l: a, r: b, x: p.L, f: p.R, leaves: a.leaves + b.leaves}
	}), formTree.Of(typA, typB), fun.Prod(typA, typB), formTree.Of(typA, typB))
	tGetA = form("getA", typA, after(func(x fun.Value) fun.Value { return x.(*tree).x }), formTree.Of(typA, typB))
	// unTree g d t, of a function g from a cotangent and a backpropagator to a computation of
	// the cotangents of two parts, is a computation of those of the leaves.
	tUnTree = form("unTree", formEVM.Of(typOwn, fun.Array(typA)), withThree(func(g, d, x fun.Value) fun.Value {
		tr := x.(*tree)
		return &action{kind: aUnTree, x: &descent{g, d, tr}, weight: int64(tr.leaves)}
	}), fun.Fun(fun.Prod(typA, typB), formEVM.Of(typOwn, fun.Prod(typA, typA))), typA, formTree.Of(variableType("y"), typB))
)

// withThree evaluates three operands and applies f.
func withThree(f func(x, y, z fun.Value) fun.Value) evaluation {
	return func(m *fun.Machine, t *fun.Term, env []fun.Value) fun.Value {
		x := m.Value(t.Kids[0], env)
		y := m.Value(t.Kids[1], env)
		return f(x, y, m.Value(t.Kids[2], env))
	}
}

// descent is what unTree is applied to.
type descent struct {
	g, d fun.Value
	tree *tree
}

// unTree goes back through a tree; the leaves' cotangents have their places in out, so that
// no list is put together.
func (s *state) unTree(m *fun.Machine, g, d fun.Value, t *tree, out []fun.Value) {
	for {
		m.Step(1)
		if t.l == nil {
			out[0] = d
			return
		}
		s.Nodes++
		step := m.Apply(g, &fun.Pairing{L: d, R: t.f})
		p := s.do(m, step.(*action)).(*fun.Pairing)
		if m.PartsOf(2*int64(min(t.l.leaves, t.r.leaves)), int64(s.cells.depth())) > 1 {
			m.Parts(2, func(m *fun.Machine, k int) {
				if k == 0 {
					stateOf(m).unTree(m, g, p.L, t.l, out[:t.l.leaves])
				} else {
					stateOf(m).unTree(m, g, p.R, t.r, out[t.l.leaves:])
				}
			})
			return
		}
		s.unTree(m, g, p.L, t.l, out[:t.l.leaves])
		d, t, out = p.R, t.r, out[t.l.leaves:]
	}
}
