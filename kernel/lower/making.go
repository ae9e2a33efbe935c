package lower

import (
	"fmt"
	"slices"

	"egad/internal/memo"
	"egad/kernel"
	"egad/term"
	"egad/term/ops"
	"egad/term/types"
)

// making is what kernels are made in: the arrays of a program, and the nests of loops that
// fill them. Users are met before what they use, so that both are there the other way
// round.
type making struct {
	graph
	// Kernels are made on trial by one of these, or for good by the other.
	l        *lowering
	r        *reading
	out      *kernel.Program
	namer    *namer
	ranges   map[string]ops.Range // of inputs
	inputs   map[string]*kernel.Array
	literals map[uint32]*kernel.Array // by node
	made     []made
	nests    []*nest
	values   int            // of all kernels that were made
	known    *term.Supposed // of integers, or nil
	// loops are the arrays of the states of loops that have been asked for.
	loops map[uint32]map[int]*kernel.Array
}

// made is an array and its node.
type made struct {
	id    uint32
	array *kernel.Array
}

func newMaking(p *term.Program, ranges map[string]ops.Range) making {
	return making{
		graph:    newGraph(p.Store),
		out:      &kernel.Program{Name: p.Name},
		ranges:   ranges,
		inputs:   make(map[string]*kernel.Array),
		literals: make(map[uint32]*kernel.Array),
		loops:    make(map[uint32]map[int]*kernel.Array),
	}
}

// takes gives the program arrays of its inputs.
func (m *making) takes(inputs []term.Input) error {
	for _, leaf := range term.Leaves(inputs) {
		shape, _, err := types.ShapeOf(leaf.Type, types.MaxElements)
		if err != nil {
			return fmt.Errorf("input %s: %w", leaf.Name, err)
		}
		a := &kernel.Array{Name: leaf.Name, Elem: leaf.Type.Elem, Shape: shape, Role: kernel.Input, Range: ops.AnyInt, Finite: true}
		if r, ok := m.ranges[leaf.Name]; ok {
			a.Range = r
		}
		m.inputs[leaf.Name] = a
		m.out.Arrays = append(m.out.Arrays, a)
	}
	return nil
}

// temp is an array for a node, which kernels fill.
func (m *making) temp(id uint32, elem types.Elem, shape []int, r ops.Range) *kernel.Array {
	a := kernel.NewTemp(m.out.Name, elem, shape, r)
	m.made = append(m.made, made{id, a})
	return a
}

// room is an array for a node, which kernels fill.
func (m *making) room(id uint32, shape []int) *kernel.Array {
	return m.temp(id, m.typ(id).Elem, shape, m.rangeOf(id))
}

// rangeOf is the range of the elements of a node.
func (m *making) rangeOf(id uint32) ops.Range {
	if m.known == nil {
		return m.store.Range(term.Term{ID: id})
	}
	return m.known.Bounds(term.Term{ID: id}).Int
}

// literal is the array of a literal.
func (m *making) literal(id uint32, op ops.Op) *kernel.Array {
	return memo.Of(m.literals, id, func() *kernel.Array {
		a := &kernel.Array{Elem: op.Type.Elem, Shape: m.shape(id), Role: kernel.Literal,
			Const: op.Const, Range: m.store.Range(term.Term{ID: id})}
		m.made = append(m.made, made{id, a})
		return a
	})
}

// keepState has an array hold component n of the states of a loop.
func (m *making) keepState(loop uint32, n int, a *kernel.Array) {
	if m.loops[loop] == nil {
		m.loops[loop] = make(map[int]*kernel.Array)
	}
	m.loops[loop][n] = a
}

// stepping is a loop with an array for each of a state, which has the range of that if nothing has
// asked for it before, and whether its number of steps is counted.
func (m *making) stepping(id uint32, outer []int) (s *stepping, counted bool) {
	s = &stepping{Steps: &kernel.Steps{Outer: outer, N: constShape(m.op(id).Sizes)[0]}}
	for k, typ := range arraysOf(m.typ(id)) {
		a := m.loops[id][k]
		if a == nil {
			of := ops.AnyInt
			if m.r != nil {
				of = m.rangeOf(m.r.state(id, k))
			}
			a = m.temp(id, typ.Elem, slices.Concat(outer, constShape(typ.Shape)[1:]), of)
		}
		s.States = append(s.States, a)
		s.All = append(s.All, len(a.Shape) > len(outer)+len(typ.Shape)-1)
	}
	count := m.op(m.kids(id)[1].ID)
	return s, count.Sym != ops.SymConst || count.Const.Fill.Int != int64(s.N)
}

// begun has kernels store the first of all states of a loop: of the arrays that have been asked for, and the others.
func (m *making) begun(id uint32, outer []int) *stepping {
	s, counted := m.stepping(id, outer)
	m.nests = append(m.nests, &nest{steps: s})
	if counted {
		count := m.kids(id)[1]
		s.Count = m.room(count.ID, outer)
		k, at := m.nest(s.Count, id, outer)
		k.body(at.kid(count))
	}
	for i, b := range m.begins(m.whole(id)) {
		k, at := m.nest(s.States[i], id, outer)
		if s.All[i] {
			k.target = append(k.target, k.b.Int(0))
		}
		k.body(at.sent(b))
	}
	return s
}

// stack makes a kernel for each element of an array literal.
func (m *making) stack(a *kernel.Array, id uint32, outer []int) {
	for i, kid := range slices.Backward(m.kids(id)) {
		k, at := m.nest(a, id, outer)
		k.target = append(k.target, k.b.Int(int64(i)))
		k.body(at.kid(kid))
	}
}

// call makes the kernel that calls an operator, and those that put its operands into memory. It is often called in a step.
func (m *making) call(a *kernel.Array, id uint32, outer []int, often bool) {
	c := &kernel.Call{Op: m.op(id), Outer: len(outer), Array: a}
	m.nests = append(m.nests, &nest{call: c, often: often})
	for _, kid := range m.kids(id) {
		by := c.Along(kid, outer)
		operand := m.room(kid.ID, slices.Concat(by, m.shape(kid.ID)))
		c.Args = append(c.Args, operand)
		k, at := m.nest(operand, id, by)
		k.body(at.kid(kid))
	}
}

// ordered gives the program its arrays and kernels, each after what it needs.
func (m *making) ordered() {
	slices.Reverse(m.made)
	for _, x := range m.made {
		m.out.Arrays = append(m.out.Arrays, x.array)
	}
	slices.Reverse(m.nests)
	for _, k := range m.nests {
		m.out.Kernels = append(m.out.Kernels, k.kernel())
	}
}

// named removes copies, and gives the arrays that are left names.
func (m *making) named() {
	removed := m.out.RemoveCopies()
	for _, x := range m.made {
		if removed[x.array] == nil {
			x.array.Name = m.namer.array(x.id)
		}
	}
}

// numbered is what has a node, and its place in the order in which nodes are made.
type numbered struct {
	id    uint32
	place uint64
}

// numbered is a node in its place: after its operands, and before what uses it.
func (g *graph) numbered(id uint32) numbered {
	n := numbered{id, 2 * uint64(id)}
	if kids := g.kids(id); g.op(id).Sym == ops.SymIndex && len(kids) == 2 && g.last(id) { // may be newer than what uses it
		n.place = 2*uint64(max(kids[0].ID, kids[1].ID)) + 1
	}
	return n
}

func (n numbered) number() uint64 { return n.place }

// waiting holds nodes that are waiting, users before what they use: a node has a
// greater number than its children.
type waiting[N interface{ number() uint64 }] []N

func (q waiting[N]) Len() int           { return len(q) }
func (q waiting[N]) Less(i, j int) bool { return q[i].number() > q[j].number() }
func (q waiting[N]) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }
func (q *waiting[N]) Push(x any)        { *q = append(*q, x.(N)) }
func (q *waiting[N]) Pop() any {
	n := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return n
}
