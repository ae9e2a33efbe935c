package kernel

import (
	"fmt"
	"math"
	"math/rand"

	"egad/term"
	"egad/term/numeric"
)

// storePlus has the first loop of a program store all that is known not to be -0.
func storePlus(p *Program) {
	l := p.Kernels[0].Body[0].(*Loop)
	for _, s := range l.Body {
		if s, ok := s.(*Let); ok && s.Value.plus {
			a := &Array{Name: fmt.Sprint("t", len(p.Arrays)), Elem: term.R, Shape: []int{l.N}, Role: Temp}
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
		a := &Array{Name: fmt.Sprint("t", len(p.Arrays)), Elem: term.R, Shape: shape, Role: role}
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
	zero, one := b.Lit(term.ScalarZero(term.R)), b.Lit(term.ScalarR(numeric.Int(1)))
	any := func() *Value { return ready[r.Intn(len(ready))] }
	ops := []term.Sym{term.SymAdd, term.SymAdd, term.SymAdd, term.SymSub, term.SymMul, term.SymMul, term.SymDiv, term.SymNeg, term.SymAbs, term.SymSqrt, term.SymMin, term.SymMax, term.SymWhere, term.SymRelu, term.SymExp}
	for range 20 {
		made := func(op term.Sym, elem term.Elem, args ...*Value) *Value { // as the builder does not make it
			return b.Atom(&Value{Kind: Compute, Op: op, Elem: elem, Args: args, Range: term.AnyInt, plus: neverMinus(op, args)})
		}
		switch op := ops[r.Intn(len(ops))]; op {
		case term.SymNeg, term.SymAbs, term.SymSqrt, term.SymRelu, term.SymExp:
			let(made(op, term.R, any()))
		case term.SymWhere:
			c := made([]term.Sym{term.SymLt, term.SymLe, term.SymEq}[r.Intn(3)], term.B, any(), any())
			l.Body = append(l.Body, &Let{c})
			let(made(op, term.R, c, any(), any()))
		default:
			args := []*Value{any(), any()}
			switch i := r.Intn(2); {
			case op == term.SymAdd && r.Intn(2) == 0:
				args[i] = zero
			case r.Intn(8) == 0:
				args[i] = one
			}
			let(made(op, term.R, args...))
		}
	}
	store := func(add bool) {
		a := array(Temp, n)
		l.Body = append(l.Body, &Store{Access: Access{Array: a, At: []*Value{l.Var}}, Value: any(), Add: add})
	}
	store(false)
	store(r.Intn(2) == 0)
	f := Fold{Op: []term.Sym{term.SymSum, term.SymMaximum}[r.Intn(2)], Value: any(), Result: b.Atom(&Value{Kind: Folded, Elem: term.R, plus: true})}
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
