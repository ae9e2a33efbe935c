package lower

import (
	"fmt"
	"slices"

	"egad/internal/memo"
	"egad/kernel"
	"egad/slot"
	"egad/term"
	"egad/term/ops"
	"egad/term/overflow"
	"egad/term/size"
	"egad/term/types"
)

// graph is a term as nodes, with what is known of them.
type graph struct {
	store  *term.Store
	shapes map[uint32][]int
	lights map[uint32]int
	// uses is how often each node is an operand; nil if that does not matter.
	uses map[uint32]int
}

func newGraph(s *term.Store) graph {
	return graph{store: s, shapes: make(map[uint32][]int), lights: make(map[uint32]int)}
}

func (g *graph) op(id uint32) ops.Op { return g.store.Op(term.Term{ID: id}) }

func (g *graph) typ(id uint32) *types.Type { return g.store.Type(term.Term{ID: id}) }

func (g *graph) kids(id uint32) []slot.Kid { return g.store.Kids(term.Term{ID: id}) }

// shape is the shape of a node.
func (g *graph) shape(id uint32) []int {
	return memo.Of(g.shapes, id, func() []int { return constShape(g.typ(id).Shape) })
}

func (g *graph) elementwise(sym ops.Sym) bool {
	return g.store.Signature().Operator(sym).Elementwise
}

// light is how many nodes an integer or logical expression has, more than
// [maxLight] if they are too many or if there are others in it.
func (g *graph) light(id uint32) int {
	return memo.Of(g.lights, id, func() int {
		sym := g.op(id).Sym
		if g.typ(id).Elem == types.R || !leaf(sym) && !g.elementwise(sym) && keeps(sym) {
			return maxLight + 1
		}
		n := 1
		for _, k := range g.kids(id) {
			n = min(n+g.light(k.ID), maxLight+1)
		}
		return n
	})
}

func constShape(sizes []size.Size) []int {
	out := make([]int, len(sizes))
	for i, s := range sizes {
		c, ok := s.Const()
		if !ok || c < 0 || c > types.MaxElements {
			panic(&overflow.Error{Msg: fmt.Sprintf("an axis has size %s", s)})
		}
		out[i] = int(c)
	}
	return out
}

// outer are the sizes of the index variables on which a node depends.
func (g *graph) outer(id uint32) []int {
	return constShape(ops.Ranges(g.store.Vars(term.Term{ID: id})))
}

// begins are what the arrays of the first state are.
func (g *graph) begins(p sent) []sent {
	begin := p.of(g.kids(p.id)[0])
	if g.typ(p.id).Kind != types.KTuple {
		return []sent{begin}
	}
	var out []sent
	for _, k := range g.kids(begin.id) {
		out = append(out, begin.of(k))
	}
	return out
}

// up maps indices of what views show to those of the first of them.
func (g *graph) up(b *kernel.Builder, views []uint32, at []*kernel.Value) []*kernel.Value {
	for _, id := range slices.Backward(views) {
		op := g.op(id)
		if op.Sym == ops.SymReshape {
			at = b.Unravel(b.Ravel(at, g.shape(g.kids(id)[0].ID)), g.shape(id))
			continue
		}
		from := at
		at = slices.Clone(from) // axes beyond those of the permutation stay in place
		for i, p := range op.Perm {
			at[i] = from[p]
		}
	}
	return at
}
