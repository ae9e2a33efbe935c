package kernel

import (
	"slices"
	"testing"

	"egad/term"
)

// TestSeveralOutputs runs a kernel with two stores and two folds in one loop nest.
func TestSeveralOutputs(t *testing.T) {
	array := func(name string, role Role, shape ...int) *Array {
		return &Array{Name: name, Elem: term.R, Shape: shape, Role: role}
	}
	a := array("a", Input, 3, 600)
	exps, sums, tops := array("exps", Temp, 3, 600), array("sums", Temp, 3), array("tops", Temp, 3)
	b := newBuilder(nil)
	i, j := b.variable(3, 1), b.variable(600, 2)
	x := b.load(Access{Array: a, At: []*Value{i, j}})
	e := b.op(term.Op{Sym: term.SymExp}, term.R, x)
	sum, top := &Value{Kind: Folded, Elem: term.R, level: 1}, &Value{Kind: Folded, Elem: term.R, level: 1}
	k := &Kernel{Body: []Stmt{&Loop{Name: "i", Var: i, N: 3, Body: []Stmt{
		&Loop{Name: "j", Var: j, N: 600, Order: Folding, Body: []Stmt{
			&Let{x}, &Let{e}, &Store{Access: Access{Array: exps, At: []*Value{i, j}}, Value: e},
		}, Folds: []Fold{{Op: term.SymSum, Value: e, Result: sum}, {Op: term.SymMaximum, Value: x, Result: top}}},
		&Store{Access: Access{Array: sums, At: []*Value{i}}, Value: sum},
		&Store{Access: Access{Array: tops, At: []*Value{i}}, Value: top},
	}}}}
	p := &Program{Arrays: []*Array{a, exps, sums, tops}, Kernels: []*Kernel{k},
		Result: Result{Parts: []Result{{Array: exps}, {Array: sums}, {Array: tops}}}}
	const text = `exps: R[3, 600]
sums: R[3]
tops: R[3]
  for i < 3
    fold j < 600
      v1 = a[i, j]
      v2 = exp v1
      exps[i, j] := v2
      v3 = sum v2
      v4 = maximum v1
    sums[i] := v3
    tops[i] := v4
`
	if got := p.String(); got != text {
		t.Errorf("printed as\n%s", got)
	}
	in := make([]float64, 1800)
	for i := range in {
		in[i] = float64(i%7) / 8
	}
	var want [3][]float64
	for i := range 3 {
		s := 0.0
		for _, x := range in[600*i:][:600] {
			y := term.FloatUnary(term.SymExp, 0)(x)
			want[0] = append(want[0], y)
			s += y
		}
		want[1] = append(want[1], s)
		want[2] = append(want[2], slices.Max(in[600*i:][:600]))
	}
	for _, block := range []int{1, 7, DefaultBlock} {
		m, err := Compile(p, block)
		if err != nil {
			t.Fatal(err)
		}
		got, err := m.Run(term.Env[*term.Value[float64]]{"a": {Elem: term.R, Shape: []int{3, 600}, R: in}})
		if err != nil {
			t.Fatal(err)
		}
		for i, w := range want {
			if !slices.Equal(got.Parts[i].R, w) {
				t.Errorf("block %d, output %d differs", block, i)
			}
		}
	}
}

// TestBlocks runs a kernel with loops one after the other in blocks of rows, which go
// on with a sum and use an array of one block again and again.
func TestBlocks(t *testing.T) {
	array := func(name string, role Role, shape ...int) *Array {
		return &Array{Name: name, Elem: term.R, Shape: shape, Role: role}
	}
	a, row, sums := array("a", Input, 600, 3), array("row", Temp, 100, 3), array("sums", Temp, 3)
	b := newBuilder(nil)
	block := b.variable(6, 1)
	index := func(i *Value) *Value { return b.linear(0, []int64{100, 1}, []*Value{block, i}) }
	i, j, k, l := b.variable(100, 2), b.variable(3, 3), b.variable(3, 2), b.variable(100, 3)
	x := b.load(Access{Array: a, At: []*Value{index(i), j}})
	e := b.op(term.Op{Sym: term.SymExp}, term.R, x)
	y, z := b.load(Access{Array: row, At: []*Value{l, k}}), b.load(Access{Array: sums, At: []*Value{k}})
	sum := &Value{Kind: Folded, Elem: term.R, level: 2}
	kern := &Kernel{Body: []Stmt{&Loop{Name: "b", Var: block, N: 6, Order: Blocks, Body: []Stmt{
		&Loop{Name: "i", Var: i, N: 100, Body: []Stmt{
			&Loop{Name: "j", Var: j, N: 3, Body: []Stmt{
				&Let{x}, &Let{e}, &Store{Access: Access{Array: row, At: []*Value{i, j}}, Value: e},
			}},
		}},
		&Loop{Name: "k", Var: k, N: 3, Body: []Stmt{
			&Let{z},
			&Loop{Name: "i", Var: l, N: 100, Order: Folding, Body: []Stmt{&Let{y}}, Folds: []Fold{{Op: term.SymSum, Value: y, Result: sum, From: z}}},
			&Store{Access: Access{Array: sums, At: []*Value{k}}, Value: sum},
		}},
	}}}}
	p := &Program{Arrays: []*Array{a, row, sums}, Kernels: []*Kernel{kern}, Result: Result{Array: sums}}
	const text = `row: R[100, 3]
sums: R[3]
  blocks b < 6
    for i < 100
      for j < 3
        row[i, j] := exp a[100 * b + i, j]
    for k < 3
      fold i < 100
        v1 = sum row[i, k], from sums[k]
      sums[k] := v1
`
	if got := p.String(); got != text {
		t.Errorf("printed as\n%s", got)
	}
	in := make([]float64, 1800)
	want := make([]float64, 3)
	for i := range in {
		in[i] = float64(i%7) / 8
		want[i%3] += term.FloatUnary(term.SymExp, 0)(in[i])
	}
	for _, m := range exactly(t, p, 7, DefaultBlock) {
		for range 2 {
			got, err := m.Run(term.Env[*term.Value[float64]]{"a": {Elem: term.R, Shape: []int{600, 3}, R: in}})
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got.R, want) {
				t.Errorf("%v, not %v", got.R, want)
			}
		}
	}
}

// TestIndexInBlocks: where loops go one after the other in blocks of rows, each computes with its own
// index, however many runs of it are computed together.
func TestIndexInBlocks(t *testing.T) {
	row := &Array{Name: "row", Elem: term.R, Shape: []int{30}, Role: Temp}
	sums := &Array{Name: "sums", Elem: term.R, Shape: []int{2}, Role: Temp}
	b := newBuilder(nil)
	block, i, l := b.variable(2, 1), b.variable(30, 2), b.variable(30, 2)
	third := b.op(term.Op{Sym: term.SymIdiv}, term.I, i, b.int(3))
	x := b.op(term.Op{Sym: term.SymReal}, term.R, third)
	y := b.load(Access{Array: row, At: []*Value{l}})
	sum := &Value{Kind: Folded, Elem: term.R, level: 1}
	kern := &Kernel{Body: []Stmt{&Loop{Name: "b", Var: block, N: 2, Order: Blocks, Body: []Stmt{
		&Loop{Name: "i", Var: i, N: 30, Body: []Stmt{
			&Let{third}, &Let{x}, &Store{Access: Access{Array: row, At: []*Value{i}}, Value: x},
		}},
		&Loop{Name: "i", Var: l, N: 30, Order: Folding, Body: []Stmt{&Let{y}}, Folds: []Fold{{Op: term.SymSum, Value: y, Result: sum}}},
		&Store{Access: Access{Array: sums, At: []*Value{block}}, Value: sum},
	}}}}
	p := &Program{Arrays: []*Array{row, sums}, Kernels: []*Kernel{kern}, Result: Result{Array: sums}}
	for _, m := range exactly(t, p, 1, 7, DefaultBlock) {
		if got, err := m.Run(nil); err != nil || !slices.Equal(got.R, []float64{135, 135}) {
			t.Errorf("%v, not 135 twice: %v", got, err)
		}
	}
}

// exactly compiles a program for blocks of some lengths, and to exact machine code.
func exactly(t *testing.T, p *Program, blocks ...int) []*Machine {
	t.Helper()
	last, err := CompileNative(p, true)
	if err != nil {
		t.Fatal(err)
	}
	var out []*Machine
	for _, n := range blocks {
		m, err := Compile(p, n)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, m)
	}
	return append(out, last)
}
