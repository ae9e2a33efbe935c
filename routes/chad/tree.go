package chad

import (
	"fmt"

	"egad/fun"
)

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
	tLeaf   = &fun.Form{Name: "Leaf", Arity: 1}
	tNode   = &fun.Form{Name: "Node", Arity: 3}
	tGetA   = &fun.Form{Name: "getA", Arity: 1}
	tUnTree = &fun.Form{Name: "unTree", Arity: 3}
)

func init() {
	tLeaf.Result = func(t *fun.Term, kids []*fun.Type) (*fun.Type, error) {
		return t.Type, must(kids[0], t.Type.Parts[0], "a leaf")
	}
	tLeaf.Eval = after(func(x fun.Value) fun.Value { return &tree{x: x, leaves: 1} })
	// Node l (y, f) r.
	tNode.Result = func(_ *fun.Term, kids []*fun.Type) (*fun.Type, error) {
		if kids[0].Form != formTree {
			return nil, fmt.Errorf("a node of %s", kids[0])
		}
		if err := must(kids[1], fun.Prod(kids[0].Parts[0], kids[0].Parts[1]), "what is at a node"); err != nil {
			return nil, err
		}
		return kids[0], must(kids[2], kids[0], "a tree")
	}
	tNode.Eval = func(m *fun.Machine, t *fun.Term, env []fun.Value) (fun.Value, error) {
		l, x, err := two(m, t, env)
		if err != nil {
			return nil, err
		}
		r, err := m.Eval(t.Kids[2], env)
		if err != nil {
			return nil, err
		}
		p, a, b := x.(*fun.Pairing), l.(*tree), r.(*tree)
		return &tree{l: a, r: b, x: p.L, f: p.R, leaves: a.leaves + b.leaves}, nil
	}
	tGetA.Result = func(_ *fun.Term, kids []*fun.Type) (*fun.Type, error) {
		if kids[0].Form != formTree {
			return nil, fmt.Errorf("getA of %s", kids[0])
		}
		return kids[0].Parts[0], nil
	}
	tGetA.Eval = after(func(x fun.Value) fun.Value { return x.(*tree).x })
	// unTree g d t, of a function g from a cotangent and a backpropagator to a computation of
	// the cotangents of two parts, is a computation of those of the leaves.
	tUnTree.Result = func(t *fun.Term, kids []*fun.Type) (*fun.Type, error) {
		if kids[2].Form != formTree {
			return nil, fmt.Errorf("unTree of %s", kids[2])
		}
		d := kids[1]
		want := fun.Fun(fun.Prod(d, kids[2].Parts[1]), formEVM.Of(t.Type, fun.Prod(d, d)))
		return formEVM.Of(t.Type, fun.Array(d)), must(kids[0], want, "the function of unTree")
	}
	tUnTree.Eval = func(m *fun.Machine, t *fun.Term, env []fun.Value) (fun.Value, error) {
		g, d, err := two(m, t, env)
		if err != nil {
			return nil, err
		}
		x, err := m.Eval(t.Kids[2], env)
		if err != nil {
			return nil, err
		}
		tr := x.(*tree)
		return &action{kind: aUnTree, x: &descent{g, d, tr}, weight: int64(tr.leaves)}, nil
	}
}

// descent is what unTree is applied to.
type descent struct {
	g, d fun.Value
	tree *tree
}

// unTree goes back through a tree; the leaves' cotangents have their places in an array, so
// that no list is put together.
func (s *state) unTree(m *fun.Machine, a *descent) (fun.Value, error) {
	out := make([]fun.Value, a.tree.leaves)
	return &fun.Elements{X: out}, s.untree(m, a.g, a.d, a.tree, out)
}

func (s *state) untree(m *fun.Machine, g, d fun.Value, t *tree, out []fun.Value) error {
	for {
		if err := m.Step(1); err != nil {
			return err
		}
		if t.l == nil {
			out[0] = d
			return nil
		}
		s.node()
		step, err := m.Call(g, &fun.Pairing{L: d, R: t.f})
		if err != nil {
			return err
		}
		both, err := s.do(m, step.(*action))
		if err != nil {
			return err
		}
		p := both.(*fun.Pairing)
		if m.PartsOf(2*int64(min(t.l.leaves, t.r.leaves)), int64(s.cells.depth())) > 1 {
			return m.Parts(2, func(m *fun.Machine, k int) error {
				if k == 0 {
					return stateOf(m).untree(m, g, p.L, t.l, out[:t.l.leaves])
				}
				return stateOf(m).untree(m, g, p.R, t.r, out[t.l.leaves:])
			})
		}
		if err := s.untree(m, g, p.L, t.l, out[:t.l.leaves]); err != nil {
			return err
		}
		d, t, out = p.R, t.r, out[t.l.leaves:]
	}
}
