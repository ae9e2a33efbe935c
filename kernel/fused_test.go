package kernel_test

import (
	"slices"
	"testing"

	"egad/kernel"
	"egad/kernel/kerneltest"
	"egad/kernel/machine"
	"egad/term/eval"
	"egad/term/ops"
	"egad/term/types"
)

// TestSeveralOutputs runs a kernel with two stores and two folds in one loop nest.
func TestSeveralOutputs(t *testing.T) {
	p := kerneltest.SeveralOutputs()
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
			y := ops.FloatUnary(ops.SymExp, 0)(x)
			want[0] = append(want[0], y)
			s += y
		}
		want[1] = append(want[1], s)
		want[2] = append(want[2], slices.Max(in[600*i:][:600]))
	}
	for _, block := range []int{1, 7, kernel.DefaultBlock} {
		m, err := machine.Compile(p, block)
		if err != nil {
			t.Fatal(err)
		}
		got, err := m.Run(eval.Env[*eval.Value[float64]]{"a": {Elem: types.R, Shape: []int{3, 600}, R: in}})
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
	p := kerneltest.SumsInBlocks()
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
		want[i%3] += ops.FloatUnary(ops.SymExp, 0)(in[i])
	}
	for _, m := range exactly(t, p, 7, kernel.DefaultBlock) {
		for range 2 {
			got, err := m.Run(eval.Env[*eval.Value[float64]]{"a": {Elem: types.R, Shape: []int{600, 3}, R: in}})
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
	for _, m := range exactly(t, kerneltest.IndexInBlocks(), 1, 7, kernel.DefaultBlock) {
		if got, err := m.Run(nil); err != nil || !slices.Equal(got.R, []float64{135, 135}) {
			t.Errorf("%v, not 135 twice: %v", got, err)
		}
	}
}

// exactly compiles a program for blocks of some lengths, and to exact machine code.
func exactly(t *testing.T, p *kernel.Program, blocks ...int) []*machine.Machine {
	t.Helper()
	last, err := machine.CompileNative(p, true)
	if err != nil {
		t.Fatal(err)
	}
	var out []*machine.Machine
	for _, n := range blocks {
		m, err := machine.Compile(p, n)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, m)
	}
	return append(out, last)
}
