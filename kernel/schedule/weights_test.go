package schedule_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"egad/fusion"
	"egad/internal/testflag"
	"egad/kernel/cost"
	"egad/kernel/kerneltest"
	"egad/kernel/schedule"
	"egad/term/eval"
)

// TestWeightsChoose: weights choose how loops are nested, and which are shared.
func TestWeightsChoose(t *testing.T) {
	p := kerneltest.Program(t, `def f(a: R[64, 50]): R[50, 64] = build 50 (\j -> build 64 (\i -> exp a[i, j]))`)
	for _, c := range []struct{ weights, want string }{
		{"", "i by 4 in lock step; j by vectors, 2 at once"},
		{"alone 0.1\ninsert 100", "j one by one; i one by one"},
	} {
		k, err := fusion.Lower(nil, p, kerneltest.Weights(t, c.weights))
		if err != nil {
			t.Fatal(err)
		}
		if got := schedule.Describe(k, k.Kernels[0], false); got != c.want {
			t.Errorf("%q: %s, expected %s", c.weights, got, c.want)
		}
	}
	// Nothing is saved where nothing takes time.
	p = kerneltest.Program(t, `def g(a: R[64]): (R[64], R) = (exp a, sum (a * a))`)
	for _, c := range []struct {
		weights string
		want    int
	}{{"", 1}, {strings.Join(cost.Words, " 0\n") + " 0\nexp 0", 2}} {
		k, err := fusion.Lower(nil, p, kerneltest.Weights(t, c.weights))
		if err != nil {
			t.Fatal(err)
		}
		if len(k.Kernels) != c.want {
			t.Errorf("%q: expected %d kernels\n%s", c.weights, c.want, k)
		}
	}
}

// TestAnyWeights: whatever the weights are, kernels compute what the evaluator does.
func TestAnyWeights(t *testing.T) {
	r := rand.New(rand.NewPCG(uint64(testflag.Seed), 1))
	for _, text := range []string{
		`def f(a: R[50, 60], b: R[60, 50]): (R[50, 50], R) = (matmul(a, b), sum (exp (sum a)))`,
		`def f(a: R[600], w: R[5]): (R[600], R) = let b = build 600 (\i -> sum (build 5 (\k -> w[k] * a[i + k - 2]))) in (exp b, sum (b * b))`,
		`def f(a: R[300, 7], ix: I[300]): R[40, 7] = scatter [40] (a * a) (\[i] -> [ix[i]])`,
		`def f(a: R[500], p: I[500]): R = sum (build 500 (\i -> log (1 + a[p[i]] * a[p[i]]) / (1 + a[i])))`,
		`def f(a: R[20000, 3]): (R[20000, 3], R[3]) = let b = build 20000 (\i -> a[i] / sqrt (sum (a[i] * a[i]))) in (b, sum (b * a))`,
	} {
		p := kerneltest.Program(t, text)
		env := kerneltest.Values(t, p, 1)
		want, err := eval.InterpretStaged(p.Store, p.Root, eval.FloatArrays(), env)
		if err != nil {
			t.Fatal(err)
		}
		for range testflag.Count(4, 100) {
			var b strings.Builder
			for _, w := range cost.Words {
				fmt.Fprintf(&b, "%s %g\n", w, []float64{0, r.Float64(), 100 * r.Float64(), 1e9}[r.IntN(4)])
			}
			k, err := fusion.Lower(nil, p, kerneltest.Weights(t, b.String()))
			if err != nil {
				t.Fatal(err)
			}
			kerneltest.InAllWays(t, text+", by\n"+b.String(), k, env, want)
		}
	}
}
