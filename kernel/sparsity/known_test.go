package sparsity_test

import (
	"testing"

	"egad/fusion"
	"egad/kernel/kerneltest"
	"egad/term/eval"
	"egad/term/types"
)

// TestDecided: where a choice is made already, what truth values, integers and indices are
// computed of it stays computed.
func TestDecided(t *testing.T) {
	for _, text := range []string{
		`def f(a: R[3], b: R[3], i: I): B = (exp a <= b)[i]`,
		`def f(a: R[3], b: R[3], i: I): B[4] = build 4 (\j -> (exp a + a == b)[i + j - 1])`,
		`def f(a: R[3], b: R[3], i: I): I = (floor (exp a))[i]`,
		`def f(a: R[3], b: R[3], i: I): R = (build 3 (\j -> b[floor (exp a[j])]))[i]`,
		`def f(a: R[3], b: R[3], i: I): R[2] = if (exp a <= b)[i] then 0.0 else [b[0], 2.0]`,
	} {
		p := kerneltest.Program(t, text)
		k, err := fusion.Lower(nil, p, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i := int64(-1); i < 4; i++ {
			env := eval.Env[*eval.Value[float64]]{"a": {Elem: types.R, Shape: []int{3}, R: []float64{0, 1, -1}},
				"b": {Elem: types.R, Shape: []int{3}, R: []float64{0, 1, 2}}, "i": {Elem: types.I, N: []int64{i}}}
			want, err := eval.InterpretStaged(p.Store, p.Root, eval.FloatArrays(), env)
			if err != nil {
				t.Fatal(err)
			}
			kerneltest.InAllWays(t, text, k, env, want)
		}
	}
}
