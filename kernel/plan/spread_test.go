package plan_test

import (
	"testing"

	"egad/kernel"
	"egad/kernel/kerneltest"
	"egad/kernel/plan"
	"egad/term"
)

// TestSpread: what lies with room between its rows is what the evaluator makes, also where it is
// read as one row, and by steps of a loop.
func TestSpread(t *testing.T) {
	const text = `
def rows[n](x: R[n], y: R[32]): (R[n], R[32], R[n]) =
  let a = build [32, n] (\[i, j] -> exp (x[j] * y[i])) in
  let s = sum a in
  let r = sum (build [n, 32] (\[j, i] -> a[i, j] * s[j])) in
  (sum (build [32, n] (\[i, j] -> a[i, j] * r[i] * a[31 - i, j])), r, s)
def flat_too[n](x: R[n], y: R[32]): (R[n], R) =
  let a = build [32, n] (\[i, j] -> exp (x[j] * y[i])) in
  let s = sum a in (sum (build [32, n] (\[i, j] -> a[i, j] * s[j] * a[31 - i, j])), sum (flat a))
def loop[n](x: R[n], y: R[32]): R =
  fold (\s v -> let a = build [32, n] (\[i, j] -> sin (s * x[j] + y[i] * v)) in
    sum (tanh (sum a)) / 1000000 + sum (tanh (sum (tr [1, 0] a))) / 1000000) 1 y
`
	sizes := []map[string]int64{{"n": 512}, {"n": 511}, {"n": 1024}}
	spread := 0
	kerneltest.EachLowered(t, text, sizes, func(p *term.Program, k *kernel.Program, size map[string]int64) {
		spread += plan.Spread(k)
		kerneltest.CompareWays(t, p, k, size["n"], kerneltest.Ways)
	})
	if spread == 0 {
		t.Error("no array has room between its rows")
	}
}
