package strength_test

import (
	"math"
	"testing"

	"egad/kernel"
	"egad/kernel/kerneltest"
	"egad/term"
)

// byRows are programs that read and change rows of which data says which they are.
const byRows = `
def dots[p, q, d, n](a: R[p, d], b: R[q, d], u: I[n], v: I[n]): R[n] = build n (\i -> sum (build d (\j -> a[u[i], j] * b[v[i], j])))
def sums[p, q, d, n](a: R[p, d], b: R[q, d], u: I[n], v: I[n]): R[p, d] = scatter [p] (build n (\i -> a[u[i]] * b[v[i]])) (\[i] -> [u[i]])
def both[p, q, d, n](a: R[p, d], b: R[q, d], u: I[n], v: I[n]): (R[p, d], R[q, d]) =
  (scatter [p] (build n (\i -> 2 * b[v[i]])) (\[i] -> [u[i]]), scatter [q] (build n (\i -> b[v[i]] + a[u[i]])) (\[i] -> [v[i]]))
def columns[p, q, d, n](a: R[p, d], b: R[q, d], u: I[n], v: I[n]): R[n, d] = build [n, d] (\i j -> exp a[u[i] + 1, j] - sum (build q (\k -> b[k, v[i]] * a[u[i], j])))
def whole[p, q, d, n](a: R[p, d], b: R[q, d], u: I[n], v: I[n]): (I[q, d], R[n]) =
  (scatter [q] (build n (\i -> build d (\j -> u[i] + j))) (\[i] -> [v[i]]), build n (\i -> maximum (build d (\j -> a[u[i], j]))))
`

// TestByRows: an index that is out of range reads zeros and changes nothing, whatever the rows
// at the ends are.
func TestByRows(t *testing.T) {
	sizes := []map[string]int64{{"p": 30, "q": 20, "d": 16, "n": 100}, {"p": 3, "q": 1, "d": 7, "n": 50}, {"p": 1, "q": 2, "d": 2, "n": 9}, {"p": 0, "q": 3, "d": 4, "n": 5}, {"p": 40, "q": 50, "d": 1, "n": 30}}
	kerneltest.EachLowered(t, byRows, sizes, func(p *term.Program, k *kernel.Program, size map[string]int64) {
		kerneltest.CompareWays(t, p, k, size["n"], append(kerneltest.Ways, kerneltest.TwoThreads))
		env := kerneltest.Values(t, p, 1)
		for _, at := range []int{0, max(0, len(env["a"].R)-1)} {
			if len(env["a"].R) > 0 {
				env["a"].R[at], env["b"].R[at%len(env["b"].R)] = math.Inf(1), math.NaN()
			}
		}
		kerneltest.CompareAt(t, p, k, env, kerneltest.Ways)
	})
}
