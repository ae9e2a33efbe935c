package improve_test

import (
	"strings"
	"testing"

	"egad/fusion"
	"egad/kernel"
	"egad/kernel/kerneltest"
	"egad/kernel/lower"
)

// TestAxes asks for neighbours in memory to be what is computed for neighbouring points.
func TestAxes(t *testing.T) {
	p := kerneltest.Program(t, `
def f(x: R[4000, 3], c: R[13, 3]): R[4000] =
  let d = build [4000, 13] (\[n, k] -> sum (build 3 (\j -> exp (square (x[n, j] - c[k, j])))))
  in build 4000 (\n -> let m = maximum d[n] in sum (build 13 (\k -> d[n, k] / m)))`)
	for _, want := range []struct {
		lower func() (*kernel.Program, error)
		shape string
	}{
		{func() (*kernel.Program, error) { return lower.By(p, kerneltest.Alone()) }, "R[4000, 13]"},
		{func() (*kernel.Program, error) { return fusion.Lower(nil, p, nil) }, "R[13, "},
	} {
		k, err := want.lower()
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(k.String(), want.shape) {
			t.Errorf("no array is %s:\n%s", want.shape, k)
		}
	}
}

// TestAxesOfPairs: of pairs of points, those that are neighbours are side by side, and not the three numbers
// of each pair.
func TestAxesOfPairs(t *testing.T) {
	p := kerneltest.Program(t, `
def f(x: R[50, 3]): (R[50, 3], R[50, 3]) =
  let d = build [50, 50, 3] (\[i, j, k] -> exp (x[i, k] - x[j, k]))
  in (build [50, 3] (\[i, k] -> sum (build 50 (\j -> d[i, j, k]))), build [50, 3] (\[i, k] -> sum (build 50 (\j -> square d[j, i, k]))))`)
	k, err := fusion.Lower(nil, p, nil)
	if err != nil {
		t.Fatal(err)
	}
	if s := k.String(); !strings.Contains(s, "R[50, 3, 50]") {
		t.Errorf("neighbours are far apart:\n%s", s)
	}
}
