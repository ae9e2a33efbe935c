package schedule_test

import (
	"fmt"
	"math"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"egad/kernel"
	"egad/kernel/kerneltest"
	"egad/kernel/schedule"
	"egad/term"
)

const tiled = `
def under[n, m](a: R[n, n], b: R[n, m], at: I[n]): R[m, n] = build [m, n] (\[k, i] -> exp b[i, k] + sum (build n (\j -> if j < i then a[i, j] * b[j, k] else 0)))
def over[n, m](a: R[n, n], b: R[n, m], at: I[n]): R[m, n] = build [m, n] (\[k, i] -> exp b[i, k] + sum (build n (\j -> if i <= j then a[i, j] * b[j, k] else 0)))
def band[n, m](a: R[n, n], b: R[n, m], at: I[n]): R[n, m] = build [n, m] (\[i, k] -> sum (build n (\j -> if i <= j + 3 && j < i + 2 then a[j, i] * b[j, k] else 0)))
def half[n, m](a: R[n, n], b: R[n, m], at: I[n]): R[n, n] =
  let s = build [n, n] (\[i, j] -> sum (build m (\k -> b[i, k] * b[j, k]))) in build [n, n] (\[i, j] -> if i < j then 2 * s[i, j] else 0)
def other[n, m](a: R[n, n], b: R[n, m], at: I[n]): R[n, n] =
  let s = build [n, n] (\[i, j] -> sum (build m (\k -> b[i, k] * b[j, k]))) in build [n, n] (\[i, j] -> if j <= i then 2 * s[i, j] else 0)
def rows[n, m](a: R[n, n], b: R[n, m], at: I[n]): R[n, n] = build [n, n] (\[i, j] -> sum (build m (\k -> b[at[i], k] * b[at[j], k] + b[i, k])))
def taken[n, m](a: R[n, n], b: R[n, m], at: I[n]): R[n, m] = build [n, m] (\[i, k] -> sum (build n (\j -> a[i, j] * b[at[i] + j - 2, k])))
def products[n, m](a: R[n, n], b: R[n, m], at: I[n]): R[m, m] = build [m, m] (\[p, q] -> sum (build n (\i -> sum (build n (\j -> b[i, p] * a[i, j] * b[j, q])))))
`

// TestTiles: however nests of loops are run, they make what the evaluator makes. Weights at random
// have them be run in many ways.
func TestTiles(t *testing.T) {
	ways := slices.DeleteFunc(slices.Clone(kerneltest.Ways), func(w kerneltest.Way) bool { return !strings.Contains(w.Name, "machine code") })
	sizes := []map[string]int64{{"n": 1, "m": 2}, {"n": 7, "m": 5}, {"n": 20, "m": 13}, {"n": 40, "m": 10}}
	seen := make(map[string]map[string]bool)
	kerneltest.EachLowered(t, tiled, sizes, func(p *term.Program, k *kernel.Program, size map[string]int64) {
		if seen[p.Name] == nil {
			seen[p.Name] = make(map[string]bool)
		}
		for seed := range int64(8) {
			rng := rand.New(rand.NewSource(seed))
			var text strings.Builder
			for _, word := range []string{"instruction", "load", "far", "insert", "run", "loop", "wait", "spill"} {
				fmt.Fprintf(&text, "%s %.3f\n", word, math.Exp(rng.NormFloat64()*2))
			}
			fmt.Fprintf(&text, "registers %d\nsums %d\n", 4+rng.Intn(20), 4+rng.Intn(12))
			k.Weights = kerneltest.Weights(t, text.String())
			for _, one := range k.Kernels {
				seen[p.Name][fmt.Sprint(size["n"], schedule.Describe(k, one, false))] = true
			}
			kerneltest.CompareWays(t, p, k, seed, ways)
		}
	})
	for d, how := range seen {
		if len(how) <= 2*len(sizes) {
			t.Errorf("%s is run in %d ways only", d, len(how))
		}
	}
}
