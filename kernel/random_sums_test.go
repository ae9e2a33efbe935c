package kernel

import (
	"fmt"
	"math"
	"math/rand"

	"egad/term/numeric"
	"egad/term/ops"
	"egad/term/types"
)

// storePlus has the first loop of a program store all that is known not to be -0.
func storePlus(p *Program) {
	l := p.Kernels[0].Body[0].(*Loop)
	for _, s := range l.Body {
		if s, ok := s.(*Let); ok && s.Value.plus {
			a := &Array{Name: fmt.Sprint("t", len(p.Arrays)), Elem: types.R, Shape: []int{l.N}, Role: Temp}
			p.Arrays, p.Result.Parts = append(p.Arrays, a), append(p.Result.Parts, Result{Array: a})
			l.Body = append(l.Body, &Store{Access: Access{Array: a, At: []*Value{l.Var}}, Value: s.Value})
		}
	}
}

// RandomSums makes a loop around sums with 0, and what else is made of them, and its input. If unsigned is
// set, 0 is not added where that does not show, and all that is known not to be -0 is stored too.
func RandomSums(seed int64, unsigned bool) (*Program, []Numbers) {
	r := rand.New(rand.NewSource(seed))
	const n = 60
	b, p := NewBuilder(nil), &Program{Name: "random"}
	array := func(role Role, shape ...int) *Array {
		a := &Array{Name: fmt.Sprint("t", len(p.Arrays)), Elem: types.R, Shape: shape, Role: role}
		p.Arrays = append(p.Arrays, a)
		if role == Temp {
			p.Result.Parts = append(p.Result.Parts, Result{Array: a})
		}
		return a
	}
	l := &Loop{Name: "i", Var: b.Variable(n, 1), N: n, Order: Folding}
	var ready []*Value
	let := func(v *Value) {
		l.Body, ready = append(l.Body, &Let{v}), append(ready, v)
	}
	x := array(Input, n, 4)
	for j := range int64(4) {
		let(b.Load(Access{Array: x, At: []*Value{l.Var, b.Int(j)}}))
	}
	zero, one := b.Lit(ops.ScalarZero(types.R)), b.Lit(ops.ScalarR(numeric.Int(1)))
	any := func() *Value { return ready[r.Intn(len(ready))] }
	syms := []ops.Sym{ops.SymAdd, ops.SymAdd, ops.SymAdd, ops.SymSub, ops.SymMul, ops.SymMul, ops.SymDiv, ops.SymNeg, ops.SymAbs, ops.SymSqrt, ops.SymMin, ops.SymMax, ops.SymWhere, ops.SymRelu, ops.SymExp}
	for range 20 {
		made := func(op ops.Sym, elem types.Elem, args ...*Value) *Value { // as the builder does not make it
			return b.Atom(&Value{Kind: Compute, Op: op, Elem: elem, Args: args, Range: ops.AnyInt, plus: neverMinus(op, args)})
		}
		switch op := syms[r.Intn(len(syms))]; op {
		case ops.SymNeg, ops.SymAbs, ops.SymSqrt, ops.SymRelu, ops.SymExp:
			let(made(op, types.R, any()))
		case ops.SymWhere:
			c := made([]ops.Sym{ops.SymLt, ops.SymLe, ops.SymEq}[r.Intn(3)], types.B, any(), any())
			l.Body = append(l.Body, &Let{c})
			let(made(op, types.R, c, any(), any()))
		default:
			args := []*Value{any(), any()}
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
		a := array(Temp, n)
		l.Body = append(l.Body, &Store{Access: Access{Array: a, At: []*Value{l.Var}}, Value: any(), Add: add})
	}
	store(false)
	store(r.Intn(2) == 0)
	f := Fold{Op: []ops.Sym{ops.SymSum, ops.SymMaximum}[r.Intn(2)], Value: any(), Result: b.Atom(&Value{Kind: Folded, Elem: types.R, plus: true})}
	l.Folds = []Fold{f}
	p.Kernels = []*Kernel{{Body: []Stmt{l, &Store{Access: Access{Array: array(Temp)}, Value: f.Result}}}}
	in := Numbers{R: make([]float64, x.Len())}
	numbers := []float64{0, math.Copysign(0, -1), -1, 1, 2, math.Inf(1), math.NaN()}
	numbers = numbers[:2+r.Intn(len(numbers)-1)]
	for i := range in.R {
		in.R[i] = numbers[r.Intn(len(numbers))]
	}
	if unsigned {
		p.unsigned()
		storePlus(p)
	}
	return p, []Numbers{in}
}
