package inplace_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"egad/kernel"
	"egad/kernel/kerneltest"
	"egad/term"
)

// copies are steps of loops of which all states are kept, of which w is the number, with v: I and x: R: what the
// next state is made of, an array r, and whether it is a copy of the one before in which some elements are changed.
var copies = []struct {
	shape, step string
	copied      bool
}{
	{"p, p", "build [p, p] (\\[i, j] -> if i > w && j > w then r[i, j] - r[i, w] / (2 + r[w, w]) * r[w, j] else r[i, j])", true},
	{"p, p", "build [p, p] (\\[i, j] -> if i > w && j > w then r[i, j] - x * r[w, j] else if i > w && j == w then exp r[i, w] else r[i, j])", true},
	{"p, q", "build [p, q] (\\[i, j] -> if i == w || i == v then sin r[i, j] + r[v, j] else r[i, j])", true},
	{"p, q", "build [p, q] (\\[i, j] -> if i == w && r[i, j] > 0 then r[v, j] else if i == v then tanh (x * r[w, j]) else r[i, j])", true},
	{"p, q", "build [p, q] (\\[i, j] -> exp (-r[i, j]))", false},
	{"p, q", "build [p, q] (\\[i, j] -> if w < 2 then exp r[i, j] else r[i, j])", false},
	{"p, q", "build [p, q] (\\[i, j] -> if r[i, j] > 0 then exp r[i, j] else r[i, j])", false},
	{"p, q", "build [p, q] (\\[i, j] -> (if i < w then x * r[v, j] else 0) + (if i == w then 0 else r[i, j]))", false},
}

// TestCopied: states are what the evaluator has, however they are made of those before.
func TestCopied(t *testing.T) {
	var text strings.Builder
	for n, c := range copies {
		fmt.Fprintf(&text, "def f%d[n, p, q](a: R[%[2]s], w: I[n], x: R[n], z: R[q]): R[n, %[2]s] = scan (\\r (w, v, x) -> %[3]s) a (iota n, w, x)\n", n, c.shape, c.step)
	}
	n := 0
	kerneltest.EachLowered(t, text.String(), []map[string]int64{{"n": 40, "p": 33, "q": 41}, {"n": 1, "p": 1, "q": 1}, {"n": 7, "p": 20, "q": 20}, {"n": 3, "p": 0, "q": 1}}, func(p *term.Program, k *kernel.Program, size map[string]int64) {
		kerneltest.CompareWays(t, p, k, size["p"], append(kerneltest.Ways, kerneltest.TwoThreads))
		c := copies[n/4]
		if n++; size["p"] < 33 {
			return
		}
		copied := slices.ContainsFunc(k.Kernels, func(k *kernel.Kernel) bool {
			if k.Steps == nil {
				return false
			}
			writers := 0
			for _, x := range k.Steps.Step.Kernels {
				if slices.Contains(x.Writes(), k.Steps.Step.Result.Arrays()[0]) {
					writers++
				}
			}
			return writers > 1
		})
		if copied != c.copied {
			t.Errorf("%s: a copy is changed: %v\n%s", c.step, copied, k)
		}
	})
}
