package kerneltest

import (
	"egad/kernel"
	"egad/term/ops"
	"egad/term/types"
)

// SeveralOutputs is a kernel with two stores and two folds in one loop nest.
func SeveralOutputs() *kernel.Program {
	array := func(name string, role kernel.Role, shape ...int) *kernel.Array {
		return &kernel.Array{Name: name, Elem: types.R, Shape: shape, Role: role}
	}
	a := array("a", kernel.Input, 3, 600)
	exps, sums, tops := array("exps", kernel.Temp, 3, 600), array("sums", kernel.Temp, 3), array("tops", kernel.Temp, 3)
	b := kernel.NewBuilder(nil)
	i, j := b.Variable(3, 1), b.Variable(600, 2)
	x := b.Load(kernel.Access{Array: a, At: []*kernel.Value{i, j}})
	e := b.Op(ops.Op{Sym: ops.SymExp}, types.R, x)
	sum, top := &kernel.Value{Kind: kernel.Folded, Elem: types.R, Level: 1}, &kernel.Value{Kind: kernel.Folded, Elem: types.R, Level: 1}
	k := &kernel.Kernel{Body: []kernel.Stmt{&kernel.Loop{Name: "i", Var: i, N: 3, Body: []kernel.Stmt{
		&kernel.Loop{Name: "j", Var: j, N: 600, Order: kernel.Folding, Body: []kernel.Stmt{
			&kernel.Let{Value: x}, &kernel.Let{Value: e}, &kernel.Store{Access: kernel.Access{Array: exps, At: []*kernel.Value{i, j}}, Value: e},
		}, Folds: []kernel.Fold{{Op: ops.SymSum, Value: e, Result: sum}, {Op: ops.SymMaximum, Value: x, Result: top}}},
		&kernel.Store{Access: kernel.Access{Array: sums, At: []*kernel.Value{i}}, Value: sum},
		&kernel.Store{Access: kernel.Access{Array: tops, At: []*kernel.Value{i}}, Value: top},
	}}}}
	return &kernel.Program{Arrays: []*kernel.Array{a, exps, sums, tops}, Kernels: []*kernel.Kernel{k},
		Result: kernel.Result{Parts: []kernel.Result{{Array: exps}, {Array: sums}, {Array: tops}}}}
}

// SumsInBlocks is a kernel with loops one after the other in blocks of rows, which go
// on with a sum and use an array of one block again and again.
func SumsInBlocks() *kernel.Program {
	array := func(name string, role kernel.Role, shape ...int) *kernel.Array {
		return &kernel.Array{Name: name, Elem: types.R, Shape: shape, Role: role}
	}
	a, row, sums := array("a", kernel.Input, 600, 3), array("row", kernel.Temp, 100, 3), array("sums", kernel.Temp, 3)
	b := kernel.NewBuilder(nil)
	block := b.Variable(6, 1)
	index := func(i *kernel.Value) *kernel.Value { return b.Linear(0, []int64{100, 1}, []*kernel.Value{block, i}) }
	i, j, k, l := b.Variable(100, 2), b.Variable(3, 3), b.Variable(3, 2), b.Variable(100, 3)
	x := b.Load(kernel.Access{Array: a, At: []*kernel.Value{index(i), j}})
	e := b.Op(ops.Op{Sym: ops.SymExp}, types.R, x)
	y, z := b.Load(kernel.Access{Array: row, At: []*kernel.Value{l, k}}), b.Load(kernel.Access{Array: sums, At: []*kernel.Value{k}})
	sum := &kernel.Value{Kind: kernel.Folded, Elem: types.R, Level: 2}
	kern := &kernel.Kernel{Body: []kernel.Stmt{&kernel.Loop{Name: "b", Var: block, N: 6, Order: kernel.Blocks, Body: []kernel.Stmt{
		&kernel.Loop{Name: "i", Var: i, N: 100, Body: []kernel.Stmt{
			&kernel.Loop{Name: "j", Var: j, N: 3, Body: []kernel.Stmt{
				&kernel.Let{Value: x}, &kernel.Let{Value: e}, &kernel.Store{Access: kernel.Access{Array: row, At: []*kernel.Value{i, j}}, Value: e},
			}},
		}},
		&kernel.Loop{Name: "k", Var: k, N: 3, Body: []kernel.Stmt{
			&kernel.Let{Value: z},
			&kernel.Loop{Name: "i", Var: l, N: 100, Order: kernel.Folding, Body: []kernel.Stmt{&kernel.Let{Value: y}}, Folds: []kernel.Fold{{Op: ops.SymSum, Value: y, Result: sum, From: z}}},
			&kernel.Store{Access: kernel.Access{Array: sums, At: []*kernel.Value{k}}, Value: sum},
		}},
	}}}}
	return &kernel.Program{Arrays: []*kernel.Array{a, row, sums}, Kernels: []*kernel.Kernel{kern}, Result: kernel.Result{Array: sums}}
}

// IndexInBlocks is a kernel with loops one after the other in blocks of rows, of which the first
// computes with its own index.
func IndexInBlocks() *kernel.Program {
	row := &kernel.Array{Name: "row", Elem: types.R, Shape: []int{30}, Role: kernel.Temp}
	sums := &kernel.Array{Name: "sums", Elem: types.R, Shape: []int{2}, Role: kernel.Temp}
	b := kernel.NewBuilder(nil)
	block, i, l := b.Variable(2, 1), b.Variable(30, 2), b.Variable(30, 2)
	third := b.Op(ops.Op{Sym: ops.SymIdiv}, types.I, i, b.Int(3))
	x := b.Op(ops.Op{Sym: ops.SymReal}, types.R, third)
	y := b.Load(kernel.Access{Array: row, At: []*kernel.Value{l}})
	sum := &kernel.Value{Kind: kernel.Folded, Elem: types.R, Level: 1}
	kern := &kernel.Kernel{Body: []kernel.Stmt{&kernel.Loop{Name: "b", Var: block, N: 2, Order: kernel.Blocks, Body: []kernel.Stmt{
		&kernel.Loop{Name: "i", Var: i, N: 30, Body: []kernel.Stmt{
			&kernel.Let{Value: third}, &kernel.Let{Value: x}, &kernel.Store{Access: kernel.Access{Array: row, At: []*kernel.Value{i}}, Value: x},
		}},
		&kernel.Loop{Name: "i", Var: l, N: 30, Order: kernel.Folding, Body: []kernel.Stmt{&kernel.Let{Value: y}}, Folds: []kernel.Fold{{Op: ops.SymSum, Value: y, Result: sum}}},
		&kernel.Store{Access: kernel.Access{Array: sums, At: []*kernel.Value{block}}, Value: sum},
	}}}}
	return &kernel.Program{Arrays: []*kernel.Array{row, sums}, Kernels: []*kernel.Kernel{kern}, Result: kernel.Result{Array: sums}}
}
