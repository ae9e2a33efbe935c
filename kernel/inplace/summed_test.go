package inplace_test

import (
	"fmt"
	"strings"
	"testing"

	"egad/kernel"
	"egad/kernel/inplace"
	"egad/kernel/kerneltest"
	"egad/term"
)

// summed are arrays of sums that are added to others, how many kernels less there are if they are
// added to where they are to be, and how many arrays are written then.
var summed = []struct {
	body          string
	fewer, arrays int
}{
	{"scatter [p] x (\\[i] -> [u[i]]) + scatter [p] (x * x) (\\[i] -> [v[i]])", 1, 1},
	{"scatter [p] x (\\[i] -> [u[i]]) - scatter [p] (x * x) (\\[i] -> [v[i]])", 1, 1},
	{"exp a + scatter [p] x (\\[i] -> [u[i]])", 0, 1},
	{"scatter [p] (x * a[0]) (\\[i] -> [u[i]]) - 2 * a", 0, 1},
	{"exp a - scatter [p] x (\\[i] -> [u[i]])", 0, 1},
	{"a + scatter [p] x (\\[i] -> [u[i]]) + scatter [p] (x * x) (\\[i] -> [v[i]])", 0, 1},
	// What makes the rest needs the sums, or they are needed elsewhere.
	{"let s = scatter [p] x (\\[i] -> [u[i]]) in replicate p (sum s) + s", 0, 3},
	{"let s = scatter [p] x (\\[i] -> [u[i]]) in let t = s + scatter [p] (x * x) (\\[i] -> [v[i]]) in t * replicate p (sum (s * s))", 0, 4},
	{"let s = scatter [p] x (\\[i] -> [u[i]]) in s + build p (\\i -> s[i - 1])", 0, 2},
	{"let s = scatter [p] x (\\[i] -> [u[i]]) in s + s", 0, 2},
}

// TestSummed: what is added to another array than the evaluator adds to is what it has.
func TestSummed(t *testing.T) {
	var text strings.Builder
	for n, x := range summed {
		fmt.Fprintf(&text, "def f%d[n, p](a: R[p], u: I[n], v: I[n], x: R[n]): R[p] = %s\n", n, x.body)
		fmt.Fprintf(&text, "def g%d[n, p](a: R[p], u: I[n], v: I[n], x: R[n]): (R, R[p]) = let r = %s in (sum (r * exp r), r)\n", n, x.body)
	}
	n := 0
	sizes := []map[string]int64{{"n": 200, "p": 30}, {"n": 3, "p": 1}, {"n": 0, "p": 5}, {"n": 9, "p": 0}}
	kerneltest.EachLowered(t, text.String(), sizes, func(p *term.Program, k *kernel.Program, size map[string]int64) {
		kerneltest.CompareWays(t, p, k, size["p"], append(kerneltest.Ways, kerneltest.TwoThreads))
		if is := summed[n/(2*len(sizes))]; p.Name[0] == 'f' && size["p"] == 30 {
			if before, now, arrays := Summed(k); before-now != is.fewer || arrays != is.arrays {
				t.Errorf("%s: %d kernels are %d, which write %d arrays\n%s", is.body, before, now, arrays, k)
			}
		}
		n++
	})
}

// Summed is how many kernels of a program there are and how many in machine code that is not exact,
// and how many arrays these write.
func Summed(p *kernel.Program) (kernels, now, arrays int) {
	q, seen := inplace.Updated(p), make(map[*kernel.Array]bool)
	for _, k := range q.Kernels {
		for _, a := range k.Writes() {
			seen[a] = true
		}
	}
	return len(p.Kernels), len(q.Kernels), len(seen)
}
