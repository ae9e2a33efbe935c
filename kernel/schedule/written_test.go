package schedule_test

import (
	"slices"
	"strings"
	"testing"

	"egad/kernel"
	"egad/kernel/kerneltest"
	"egad/kernel/schedule"
	"egad/term"
)

// TestWritten: a loop of few runs around short sums of which its index tells how often they run is written run
// by run, and makes what the evaluator makes: also where its runs go in lock step, or some are left. One of many
// runs is not, nor one around sums of which all runs are done.
func TestWritten(t *testing.T) {
	const text = `
def lower[n, m](a: R[n, n], b: R[n, m]): R[n, m] = build [n, m] (\[i, k] -> sum (build n (\j -> if j < i then a[i, j] * b[j, k] else 0)))
def upper[n, m](a: R[n, n], b: R[n, m]): R[n, m] = build [n, m] (\[i, k] -> sum (build n (\j -> if i < j then a[i, j] * b[j, k] else 0)))
def near[n, m](a: R[n, n], b: R[n, m]): R[n, m] = build [n, m] (\[i, k] -> sum (build n (\j -> if j < i + 2 && i < j + 3 then a[i, j] * b[j, k] else 0)))
def full[n, m](a: R[n, n], b: R[n, m]): R[n, m] = build [n, m] (\[i, k] -> sum (build n (\j -> a[i, j] * b[j, k])))
`
	ways := slices.DeleteFunc(slices.Clone(kerneltest.Ways), func(w kerneltest.Way) bool { return !strings.Contains(w.Name, "machine code") })
	sizes := []map[string]int64{{"n": 3, "m": 100}, {"n": 4, "m": 101}, {"n": 7, "m": 5}, {"n": 10, "m": 7}, {"n": 50, "m": 100}}
	kerneltest.EachLowered(t, text, sizes, func(p *term.Program, k *kernel.Program, size map[string]int64) {
		n := 0
		for _, one := range k.Kernels {
			n += schedule.Written(k, one)
		}
		short, long := size["n"] < 5, size["n"] > 10                            // between them it depends on how many go in lock step
		few := short && p.Name != "full" && (p.Name != "near" || size["n"] > 3) // of three rows a band leaves out next to nothing
		if few && n == 0 || n > 0 && (long || p.Name == "full") {
			t.Errorf("%s for %v: %d loops are written run by run", p.Name, size, n)
		}
		kerneltest.CompareWays(t, p, k, 1, ways)
	})
}
