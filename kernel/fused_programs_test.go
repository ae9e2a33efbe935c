package kernel

import (
	"egad/term/ops"
	"egad/term/types"
)

// SeveralOutputs is a kernel with two stores and two folds in one loop nest.
func SeveralOutputs() *Program {
	array := func(name string, role Role, shape ...int) *Array {
		return &Array{Name: name, Elem: types.R, Shape: shape, Role: role}
	}
	a := array("a", Input, 3, 600)
	exps, sums, tops := array("exps", Temp, 3, 600), array("sums", Temp, 3), array("tops", Temp, 3)
	b := NewBuilder(nil)
	i, j := b.Variable(3, 1), b.Variable(600, 2)
	x := b.Load(Access{Array: a, At: []*Value{i, j}})
	e := b.Op(ops.Op{Sym: ops.SymExp}, types.R, x)
	sum, top := &Value{Kind: Folded, Elem: types.R, Level: 1}, &Value{Kind: Folded, Elem: types.R, Level: 1}
	k := &Kernel{Body: []Stmt{&Loop{Name: "i", Var: i, N: 3, Body: []Stmt{
		&Loop{Name: "j", Var: j, N: 600, Order: Folding, Body: []Stmt{
			&Let{x}, &Let{e}, &Store{Access: Access{Array: exps, At: []*Value{i, j}}, Value: e},
		}, Folds: []Fold{{Op: ops.SymSum, Value: e, Result: sum}, {Op: ops.SymMaximum, Value: x, Result: top}}},
		&Store{Access: Access{Array: sums, At: []*Value{i}}, Value: sum},
		&Store{Access: Access{Array: tops, At: []*Value{i}}, Value: top},
	}}}}
	return &Program{Arrays: []*Array{a, exps, sums, tops}, Kernels: []*Kernel{k},
		Result: Result{Parts: []Result{{Array: exps}, {Array: sums}, {Array: tops}}}}
}

// SumsInBlocks is a kernel with loops one after the other in blocks of rows, which go
// on with a sum and use an array of one block again and again.
func SumsInBlocks() *Program {
	array := func(name string, role Role, shape ...int) *Array {
		return &Array{Name: name, Elem: types.R, Shape: shape, Role: role}
	}
	a, row, sums := array("a", Input, 600, 3), array("row", Temp, 100, 3), array("sums", Temp, 3)
	b := NewBuilder(nil)
	block := b.Variable(6, 1)
	index := func(i *Value) *Value { return b.linear(0, []int64{100, 1}, []*Value{block, i}) }
	i, j, k, l := b.Variable(100, 2), b.Variable(3, 3), b.Variable(3, 2), b.Variable(100, 3)
	x := b.Load(Access{Array: a, At: []*Value{index(i), j}})
	e := b.Op(ops.Op{Sym: ops.SymExp}, types.R, x)
	y, z := b.Load(Access{Array: row, At: []*Value{l, k}}), b.Load(Access{Array: sums, At: []*Value{k}})
	sum := &Value{Kind: Folded, Elem: types.R, Level: 2}
	kern := &Kernel{Body: []Stmt{&Loop{Name: "b", Var: block, N: 6, Order: Blocks, Body: []Stmt{
		&Loop{Name: "i", Var: i, N: 100, Body: []Stmt{
			&Loop{Name: "j", Var: j, N: 3, Body: []Stmt{
				&Let{x}, &Let{e}, &Store{Access: Access{Array: row, At: []*Value{i, j}}, Value: e},
			}},
		}},
		&Loop{Name: "k", Var: k, N: 3, Body: []Stmt{
			&Let{z},
			&Loop{Name: "i", Var: l, N: 100, Order: Folding, Body: []Stmt{&Let{y}}, Folds: []Fold{{Op: ops.SymSum, Value: y, Result: sum, From: z}}},
			&Store{Access: Access{Array: sums, At: []*Value{k}}, Value: sum},
		}},
	}}}}
	return &Program{Arrays: []*Array{a, row, sums}, Kernels: []*Kernel{kern}, Result: Result{Array: sums}}
}

// IndexInBlocks is a kernel with loops one after the other in blocks of rows, of which the first
// computes with its own index.
func IndexInBlocks() *Program {
	row := &Array{Name: "row", Elem: types.R, Shape: []int{30}, Role: Temp}
	sums := &Array{Name: "sums", Elem: types.R, Shape: []int{2}, Role: Temp}
	b := NewBuilder(nil)
	block, i, l := b.Variable(2, 1), b.Variable(30, 2), b.Variable(30, 2)
	third := b.Op(ops.Op{Sym: ops.SymIdiv}, types.I, i, b.Int(3))
	x := b.Op(ops.Op{Sym: ops.SymReal}, types.R, third)
	y := b.Load(Access{Array: row, At: []*Value{l}})
	sum := &Value{Kind: Folded, Elem: types.R, Level: 1}
	kern := &Kernel{Body: []Stmt{&Loop{Name: "b", Var: block, N: 2, Order: Blocks, Body: []Stmt{
		&Loop{Name: "i", Var: i, N: 30, Body: []Stmt{
			&Let{third}, &Let{x}, &Store{Access: Access{Array: row, At: []*Value{i}}, Value: x},
		}},
		&Loop{Name: "i", Var: l, N: 30, Order: Folding, Body: []Stmt{&Let{y}}, Folds: []Fold{{Op: ops.SymSum, Value: y, Result: sum}}},
		&Store{Access: Access{Array: sums, At: []*Value{block}}, Value: sum},
	}}}}
	return &Program{Arrays: []*Array{row, sums}, Kernels: []*Kernel{kern}, Result: Result{Array: sums}}
}
