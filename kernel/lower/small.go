package lower

import (
	"egad/internal/slice"
	"egad/kernel"
	"egad/term/ops"
)

// Of many small operands, an operator on whole arrays is computed by statements: a call takes longer than that, but
// is compiled sooner.
const (
	smallSystem = 6  // rows of matrices whose factors are computed
	smallSort   = 10 // elements that are sorted
)

// small writes what a call does for each of its operands, of which there are many.
type small struct {
	*kernel.Builder
	call        *kernel.Call
	loops       []*kernel.Loop
	outer, rest []*kernel.Value // the indices around operands, and those along axes of them that do not matter to the operator
	stores      []*kernel.Store
}

// newSmall is what a call does if it is about many small operands, or nil. It is if it is done often.
func newSmall(s *kernel.Call, often bool) *small {
	x := &small{Builder: kernel.NewBuilder(nil), call: s}
	axes, most, write := 2, smallSystem, x.system
	switch s.Op.Sym {
	case ops.SymSort, ops.SymArgsort:
		axes, most, write = 1, smallSort, x.sort
	case ops.SymSolve, ops.SymSolvet, ops.SymLu, ops.SymLusolve, ops.SymLusolvet, ops.SymLogdet, ops.SymLulogdet, ops.SymCholesky, ops.SymTrisolve, ops.SymTrisolvet:
	default:
		return nil
	}
	shape := s.Parts()[0].Shape
	if shape[0] == 0 || shape[0] > most || s.Array.Len() == 0 || !often && s.Runs()*slice.Product(shape[axes:]) == 1 {
		return nil
	}
	for _, n := range s.Array.Shape[:s.Outer] {
		x.outer = append(x.outer, x.loop(n))
	}
	for _, n := range shape[axes:] {
		x.rest = append(x.rest, x.loop(n))
	}
	write()
	return x
}

// loop adds a loop in the innermost one, and gives its variable.
func (x *small) loop(n int) *kernel.Value {
	v := x.Variable(n, len(x.loops)+1)
	x.loops = append(x.loops, &kernel.Loop{Var: v, N: n})
	return v
}

// operand is an element of operand i of the call, at these indices and those of the loops.
func (x *small) operand(i int, at ...*kernel.Value) *kernel.Value {
	outer := x.outer
	if x.call.Same[i] {
		outer = nil
	}
	return x.Load(x.element(x.call.Args[i], outer, at))
}

// store stores an element of the result.
func (x *small) store(v *kernel.Value, at ...*kernel.Value) {
	x.stores = append(x.stores, &kernel.Store{Access: x.element(x.call.Array, x.outer, at), Value: v})
}

func (x *small) element(a *kernel.Array, outer, at []*kernel.Value) kernel.Access {
	return kernel.Access{Array: a, At: append(append(append([]*kernel.Value{}, outer...), at...), x.rest...)}
}

// storesIn are loops around stores, with every value in the outermost one in which it can be.
func storesIn(loops []*kernel.Loop, stores []*kernel.Store) []kernel.Stmt {
	var needs []*kernel.Value
	for _, s := range stores {
		needs = append(append(needs, s.At...), s.Value)
	}
	in := opened(len(loops), needs)
	for _, s := range stores {
		in.Add(s)
	}
	return closed(in, loops)
}
