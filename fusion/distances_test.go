package fusion_test

import (
	"strings"
	"testing"

	"egad/fusion"
	"egad/kernel/estimate"
	"egad/kernel/kerneltest"
)

// TestDistances: loops do as few runs where it is asked how far indices are apart as where two bounds are.
func TestDistances(t *testing.T) {
	const text = `
def f(w: I, x: R[40]): R =
  sumsq (build 40 (\i -> sum (build 40 (\j -> if # then exp (x[i] * x[j]) else 0))))`
	for distance, bounds := range map[string]string{
		"abs (i - j) <= 3":       "i - j <= 3 && -3 <= i - j",
		"abs (j - i) < 4":        "i - j <= 3 && -3 <= i - j",
		"not (4 <= abs (i - j))": "i - j <= 3 && -3 <= i - j",
		"not (abs (j - i) > 3)":  "i - j <= 3 && -3 <= i - j",
		"abs (i - j) <= w":       "i - j <= w && neg w <= i - j",
	} {
		work := func(cond string) estimate.Work {
			p := kerneltest.Program(t, strings.Replace(text, "#", cond, 1))
			k, err := fusion.Lower(nil, p, nil)
			if err != nil {
				t.Fatal(err)
			}
			kerneltest.CompareWays(t, p, k, 1, kerneltest.Ways)
			w, _ := estimate.WorkOf(k, true, false)
			return w
		}
		if got, want := work(distance), work(bounds); got != want {
			t.Errorf("%s: %+v, and %+v for two bounds", distance, got, want)
		}
	}
}
