package kernel_test

import (
	"math"
	"strings"
	"testing"

	"egad/fusion"
	"egad/kernel/kerneltest"
	"egad/term/eval"
	"egad/term/types"
)

// TestNorm: a norm is loops, and is that of the evaluator bit for bit, also where squares
// are too large or too small, or are no numbers.
func TestNorm(t *testing.T) {
	p := kerneltest.Program(t, `def f(a: R[3, 14]): R[14] = norm a`)
	k, err := fusion.Lower(nil, p, nil)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(k.String(), "norm") {
		t.Errorf("a norm is called:\n%s", k)
	}
	numbers := []float64{0, 1, -2, 3.7, 1e200, -1e300, 1e-200, 3e-320, math.Inf(1), math.Inf(-1), math.NaN(), math.Copysign(0, -1), 0x1p100, 0x1p-100}
	a := make([]float64, 0, 42)
	for row := range 3 {
		for i := range 14 {
			a = append(a, numbers[(i+row*(1+i%3)*5)%14])
		}
	}
	copy(a[14:28], a[:14]) // where one kind of number is all that there is
	env := eval.Env[*eval.Value[float64]]{"a": {Elem: types.R, Shape: []int{3, 14}, R: a}}
	want, err := eval.InterpretStaged(p.Store, p.Root, eval.FloatArrays(), env)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range kerneltest.Ways {
		m, err := w.Compile(k)
		if err != nil {
			t.Fatal(err)
		}
		got, err := m.Run(env)
		if err != nil || !w.Same(got, want) {
			t.Errorf("%s: %v, wanted %v (%v)", w.Name, got.R, want.R, err)
		}
	}
}
