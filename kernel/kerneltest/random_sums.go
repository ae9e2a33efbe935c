package kerneltest

import (
	"fmt"
	"math"
	"math/rand"

	"egad/kernel"
	"egad/kernel/sparsity"
	"egad/term/numeric"
	"egad/term/ops"
	"egad/term/types"
)

// storePlus has the first loop of a program store all that is known not to be -0.
func storePlus(p *kernel.Program) {
	l := p.Kernels[0].Body[0].(*kernel.Loop)
	for _, s := range l.Body {
		if s, ok := s.(*kernel.Let); ok && s.Value.Plus {
			a := &kernel.Array{Name: fmt.Sprint("t", len(p.Arrays)), Elem: types.R, Shape: []int{l.N}, Role: kernel.Temp}
			p.Arrays, p.Result.Parts = append(p.Arrays, a), append(p.Result.Parts, kernel.Result{Array: a})
			l.Body = append(l.Body, &kernel.Store{Access: kernel.Access{Array: a, At: []*kernel.Value{l.Var}}, Value: s.Value})
		}
	}
}

// RandomSums makes a loop around sums with 0, and what else is made of them, and its input. If unsigned is
// set, 0 is not added where that does not show, and all that is known not to be -0 is stored too.
func RandomSums(seed int64, unsigned bool) (*kernel.Program, []Numbers) {
	r := rand.New(rand.NewSource(seed))
	const n = 60
	b, p := kernel.NewBuilder(nil), &kernel.Program{Name: "random"}
	array := func(role kernel.Role, shape ...int) *kernel.Array {
		a := &kernel.Array{Name: fmt.Sprint("t", len(p.Arrays)), Elem: types.R, Shape: shape, Role: role}
		p.Arrays = append(p.Arrays, a)
		if role == kernel.Temp {
			p.Result.Parts = append(p.Result.Parts, kernel.Result{Array: a})
		}
		return a
	}
	l := &kernel.Loop{Name: "i", Var: b.Variable(n, 1), N: n, Order: kernel.Folding}
	var ready []*kernel.Value
	let := func(v *kernel.Value) {
		l.Body, ready = append(l.Body, &kernel.Let{Value: v}), append(ready, v)
	}
	x := array(kernel.Input, n, 4)
	for j := range int64(4) {
		let(b.Load(kernel.Access{Array: x, At: []*kernel.Value{l.Var, b.Int(j)}}))
	}
	zero, one := b.Lit(ops.ScalarZero(types.R)), b.Lit(ops.ScalarR(numeric.Int(1)))
	any := func() *kernel.Value { return ready[r.Intn(len(ready))] }
	syms := []ops.Sym{ops.SymAdd, ops.SymAdd, ops.SymAdd, ops.SymSub, ops.SymMul, ops.SymMul, ops.SymDiv, ops.SymNeg, ops.SymAbs, ops.SymSqrt, ops.SymMin, ops.SymMax, ops.SymWhere, ops.SymRelu, ops.SymExp}
	for range 20 {
		made := func(op ops.Sym, elem types.Elem, args ...*kernel.Value) *kernel.Value { // as the builder does not make it
			return b.Atom(&kernel.Value{Kind: kernel.Compute, Op: op, Elem: elem, Args: args, Range: ops.AnyInt, Plus: kernel.NeverMinus(op, args)})
		}
		switch op := syms[r.Intn(len(syms))]; op {
		case ops.SymNeg, ops.SymAbs, ops.SymSqrt, ops.SymRelu, ops.SymExp:
			let(made(op, types.R, any()))
		case ops.SymWhere:
			c := made([]ops.Sym{ops.SymLt, ops.SymLe, ops.SymEq}[r.Intn(3)], types.B, any(), any())
			l.Body = append(l.Body, &kernel.Let{Value: c})
			let(made(op, types.R, c, any(), any()))
		default:
			args := []*kernel.Value{any(), any()}
			switch i := r.Intn(2); {
			case op == ops.SymAdd && r.Intn(2) == 0:
				args[i] = zero
			case r.Intn(8) == 0:
				args[i] = one
			}
			let(made(op, types.R, args...))
		}
	}
	store := func(add bool) {
		a := array(kernel.Temp, n)
		l.Body = append(l.Body, &kernel.Store{Access: kernel.Access{Array: a, At: []*kernel.Value{l.Var}}, Value: any(), Add: add})
	}
	store(false)
	store(r.Intn(2) == 0)
	f := kernel.Fold{Op: []ops.Sym{ops.SymSum, ops.SymMaximum}[r.Intn(2)], Value: any(), Result: b.Atom(&kernel.Value{Kind: kernel.Folded, Elem: types.R, Plus: true})}
	l.Folds = []kernel.Fold{f}
	p.Kernels = []*kernel.Kernel{{Body: []kernel.Stmt{l, &kernel.Store{Access: kernel.Access{Array: array(kernel.Temp)}, Value: f.Result}}}}
	in := Numbers{R: make([]float64, x.Len())}
	numbers := []float64{0, math.Copysign(0, -1), -1, 1, 2, math.Inf(1), math.NaN()}
	numbers = numbers[:2+r.Intn(len(numbers)-1)]
	for i := range in.R {
		in.R[i] = numbers[r.Intn(len(numbers))]
	}
	if unsigned {
		sparsity.Unsigned(p)
		storePlus(p)
	}
	return p, []Numbers{in}
}
