package schedule_test

import (
	"strings"
	"testing"

	"egad/kernel"
	"egad/kernel/kerneltest"
	"egad/kernel/schedule"
	"egad/term"
)

const reshaped = `
def squares[n, m](x: R[n, m], y: R[n, m], w: R[n * m]): R = sumsq (flat (x - y))
def deep[n, m](x: R[n, m], y: R[n, m], w: R[n * m]): R = sum (flat (build [n, m, 3] (\[i, j, k] -> x[i, j] * real k - y[i, j])))
def largest[n, m](x: R[n, m], y: R[n, m], w: R[n * m]): (R, R) = let a = flat (x * y) in (maximum a, minimum a)
def both[n, m](x: R[n, m], y: R[n, m], w: R[n * m]): (R, R[n * m]) = let a = flat (x * y) * w in (sum (a * a), exp a)
def other[n, m](x: R[n, m], y: R[n, m], w: R[n * m]): R[m, n] = reshape [m, n] (exp x)
def count[n, m](x: R[n, m], y: R[n, m], w: R[n * m]): I = sum (flat (build [n, m] (\[i, j] -> if x[i, j] > y[i, j] then i * j else 1)))
def norms[n, m](x: R[n, m], y: R[n, m], w: R[n * m]): R = sum (flat (build [n, m] (\[i, j] -> x[i, j] / sqrt (1.0 + sumsq y[i]))))
def masked[n, m](x: R[n, m], y: R[n, m], w: R[n * m]): R = sum (build (n * m) (\i -> if i mod m < i div m then x[i div m, i mod m] * w[i] else 0.0))
def place[n, m](x: R[n, m], y: R[n, m], w: R[n * m]): I = argmax (flat (x * y))
def flipped[n, m](x: R[n, m], y: R[n, m], w: R[n * m]): R[64 * n] = build (64 * n) (\i -> let k = i + 4 - 8 * (i div 4 mod 2) in index w [k mod 64] + index w [k - 64 * n + n * m])
`

// TestRowwise: loops over reshaped arrays, by rows, make what the evaluator makes.
func TestRowwise(t *testing.T) {
	rows := make(map[string]int)
	sizes := []map[string]int64{{"n": 1, "m": 1}, {"n": 2, "m": 3}, {"n": 7, "m": 11}, {"n": 40, "m": 17}, {"n": 500, "m": 6}, {"n": 3, "m": 1000}, {"n": 0, "m": 5}}
	kerneltest.EachLowered(t, reshaped, sizes, func(p *term.Program, k *kernel.Program, size map[string]int64) {
		loops, divisions := schedule.Rowwise(k)
		if rows[p.Name] += loops; p.Name == "deep" && size["n"] >= 40 && divisions > 0 {
			t.Errorf("in loops over an array of three axes %d divisions are left: %s", divisions, k)
		}
		kerneltest.CompareWays(t, p, k, size["n"], append(kerneltest.Ways[:len(kerneltest.Ways):len(kerneltest.Ways)], kerneltest.TwoThreads))
		kerneltest.Share(k) // long folds are of parts
		kerneltest.CompareWays(t, p, k, size["n"], append(kerneltest.Ways[2:len(kerneltest.Ways):len(kerneltest.Ways)], kerneltest.TwoThreads))
	})
	for d, n := range rows {
		// A position is that in the order of all elements, other takes a sum apart, and in squares and largest
		// nothing is divided, as all that is read is where the loop is.
		if (n == 0) != (d == "place" || d == "other" || d == "squares" || d == "largest") {
			t.Errorf("of %s, %d loops are over rows", d, n)
		}
	}
}

const upsampled = `
def nearest[n, m](x: R[n, m], y: R[2 * n, 2 * m]): R = sumsq (flat (build [2 * n, 2 * m] (\u v -> x[u div 2, v div 2] - y[u, v])))
def turned[n, m](x: R[n, m], y: R[2 * n, 2 * m]): R = sumsq (flat (build [2 * n, 2 * m] (\u v -> x[n - 1 - u div 2, v mod m] * y[u, v])))
def counted[n, m](x: R[n, m], y: R[2 * n, 2 * m]): R[m] = scatter [m] y[0] (\[v] -> [v div 2])
def thirds[n, m](x: R[n, m], y: R[2 * n, 2 * m]): R = sum (build (6 * m) (\v -> x[0, v div 6] * exp x[n - 1, v div 6] * y[1, v div 3]))`

// TestRowwiseInOrder: loops that add to an element for each row of another array go along rows too.
func TestRowwiseInOrder(t *testing.T) {
	sizes := []map[string]int64{{"n": 1, "m": 1}, {"n": 2, "m": 3}, {"n": 33, "m": 40}, {"n": 20, "m": 129}}
	try := func(p *term.Program, k *kernel.Program, size map[string]int64) {
		if n, _ := schedule.Rowwise(k); n == 0 && p.Name == "nearest" && size["m"] == 129 {
			t.Errorf("no loop is over rows:\n%s", k)
		}
		kerneltest.CompareWays(t, p, k, size["n"], append(kerneltest.Ways[:len(kerneltest.Ways):len(kerneltest.Ways)], kerneltest.TwoThreads))
	}
	kerneltest.EachLowered(t, upsampled, sizes, try)
	kerneltest.EachGradient(t, upsampled[:strings.Index(upsampled, "def counted")]+upsampled[strings.Index(upsampled, "def thirds"):], sizes, try)
}
