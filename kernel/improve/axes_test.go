package improve_test

import (
	"fmt"
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

// TestAxesOfManySizes: that there are arrays of many more sizes is no reason to leave all as they are.
func TestAxesOfManySizes(t *testing.T) {
	var b strings.Builder
	b.WriteString(`
def f(x: R[4000, 3], c: R[13, 3]): (R[4000], R[12]) =
  let d = build [4000, 13] (\[n, k] -> sum (build 3 (\j -> exp (square (x[n, j] - c[k, j]))))) in
`)
	var sums []string
	for n := 20; n < 32; n++ { // each is read for all pairs of its rows
		fmt.Fprintf(&b, "  let a%d = build [%[1]d, 17] (\\[i, j] -> exp (x[i, 0] * x[j, 1])) in\n", n)
		sums = append(sums, fmt.Sprintf("sum2 (build [%d, %[1]d] (\\[i, k] -> maximum (a%[1]d[i] + a%[1]d[k])))", n))
	}
	b.WriteString(`  (build 4000 (\n -> let m = maximum d[n] in sum (build 13 (\k -> d[n, k] / m))), [` + strings.Join(sums, ", ") + `])`)
	k, err := fusion.Lower(nil, kerneltest.Program(t, b.String()), nil)
	if err != nil {
		t.Fatal(err)
	}
	if s := k.String(); !strings.Contains(s, "R[13, ") {
		t.Errorf("neighbours are far apart:\n%s", s)
	}
}
