package kernel_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"egad/diag"
	"egad/fusion"
	"egad/internal/testflag"
	"egad/kernel"
	"egad/term/eval"
)

// TestWeightErrors: all that is wrong with a file of weights is told of, with its place.
func TestWeightErrors(t *testing.T) {
	text := strings.Join([]string{
		"exp 3 -- fine", "foo 2", "load -1", "load 2", "expp 2", "sqrt", "sin x", " cos 1e400", "spill 1 2", "alone NaN", "", "sum 1",
	}, "\n")
	want := []string{
		"there is no weight foo", "a weight is not negative", "the weight load is given twice", "there is no weight expp (did you mean exp?)",
		"expected a word and a number, as sqrt 0.5", "x is no number", "a weight is at most 1000000000",
		"expected a word and a number, as spill 0.5", "NaN is no number", "there is no weight sum (did you mean sums?)",
	}
	var list diag.List
	if _, err := kernel.ReadWeights(&diag.Source{Name: "w", Text: text}); !errors.As(err, &list) {
		t.Fatalf("error %v", err)
	}
	var got []string
	for _, e := range list {
		got = append(got, e.Msg)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if _, line, col := list[6].Position(); line != 8 || col != 6 {
		t.Errorf("%v at %d:%d", list[6].Msg, line, col)
	}
}

// weights reads weights from a text.
func weights(t testing.TB, text string) *kernel.Weights {
	t.Helper()
	w, err := kernel.ReadWeights(&diag.Source{Name: "w", Text: text})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// TestWeightsChoose: weights choose how loops are nested, and which are shared.
func TestWeightsChoose(t *testing.T) {
	p := program(t, `def f(a: R[64, 50]): R[50, 64] = build 50 (\j -> build 64 (\i -> exp a[i, j]))`)
	for _, c := range []struct{ weights, want string }{
		{"", "i by 4 in lock step; j by vectors, 2 at once"},
		{"alone 0.1\ninsert 100", "j one by one; i one by one"},
	} {
		k, err := fusion.Lower(nil, p, weights(t, c.weights))
		if err != nil {
			t.Fatal(err)
		}
		if got := k.Schedule(k.Kernels[0], false); got != c.want {
			t.Errorf("%q: %s, expected %s", c.weights, got, c.want)
		}
	}
	// Nothing is saved where nothing takes time.
	p = program(t, `def g(a: R[64]): (R[64], R) = (exp a, sum (a * a))`)
	for _, c := range []struct {
		weights string
		want    int
	}{{"", 1}, {strings.Join(kernel.WeightWords, " 0\n") + " 0\nexp 0", 2}} {
		k, err := fusion.Lower(nil, p, weights(t, c.weights))
		if err != nil {
			t.Fatal(err)
		}
		if len(k.Kernels) != c.want {
			t.Errorf("%q: expected %d kernels\n%s", c.weights, c.want, k)
		}
	}
}

// TestEstimate: what an estimate says goes up with the weights.
func TestEstimate(t *testing.T) {
	p := program(t, `def f(a: R[1000], x: R): R = sum (exp a) + iterate 5 (\x -> sum (a * x)) x`)
	last := 0.0
	for _, n := range []int{1, 10, 100} {
		k, err := fusion.Lower(nil, p, weights(t, fmt.Sprintf("exp %d\nload %[1]d\nstep %[1]d", n)))
		if err != nil {
			t.Fatal(err)
		}
		for _, native := range []bool{false, true} {
			for _, x := range k.Kernels {
				if k.Estimate(x, native) <= 0 {
					t.Errorf("no time for\n%s", x)
				}
			}
		}
		sum := 0.0
		for _, x := range k.Kernels {
			sum += k.Estimate(x, true).Seconds() + k.Estimate(x, false).Seconds()
		}
		if sum <= last {
			t.Errorf("%g s, and %g s with less", sum, last)
		}
		last = sum
	}
}

// TestEstimateCalls: operators on whole arrays take time, beside other kernels of the steps of a loop too, and more
// time by their weights and for more elements.
func TestEstimateCalls(t *testing.T) {
	of := func(n int, weights *kernel.Weights) (all, calls time.Duration) {
		p := program(t, fmt.Sprintf(`def f(a: R[%[1]d, %[1]d], x: R[%[1]d]): R[%[1]d] = iterate 5 (\x -> sort (solve a (2 * x))) x`, n))
		k, err := fusion.Lower(nil, p, weights)
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range k.Kernels {
			all += k.Estimate(x, true)
			if x.Steps == nil {
				continue
			}
			for _, inner := range x.Steps.Step.Kernels {
				for _, native := range []bool{false, true} {
					if e := x.Steps.Step.Estimate(inner, native); e <= 0 {
						t.Errorf("no time for\n%s", inner)
					} else if strings.Contains(inner.String(), "solve") || strings.Contains(inner.String(), "sort") {
						calls += e
					}
				}
			}
		}
		return all, calls
	}
	all, calls := of(12, nil)
	if calls == 0 || all < calls {
		t.Errorf("%v, %v for calls", all, calls)
	}
	if more, calls2 := of(24, nil); more <= all || calls2 <= calls {
		t.Errorf("%v, and %v for fewer elements", more, all)
	}
	for _, w := range []string{"call 1000", "whole 10", "sort 100"} {
		if _, more := of(12, weights(t, w)); more <= calls {
			t.Errorf("%s: %v, and %v with less", w, more, calls)
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
		p := program(t, text)
		env := values(t, p, 1)
		want, err := eval.InterpretStaged(p.Store, p.Root, eval.FloatArrays(), env)
		if err != nil {
			t.Fatal(err)
		}
		for range testflag.Count(4, 100) {
			var b strings.Builder
			for _, w := range kernel.WeightWords {
				fmt.Fprintf(&b, "%s %g\n", w, []float64{0, r.Float64(), 100 * r.Float64(), 1e9}[r.IntN(4)])
			}
			k, err := fusion.Lower(nil, p, weights(t, b.String()))
			if err != nil {
				t.Fatal(err)
			}
			inAllWays(t, text+", by\n"+b.String(), k, env, want)
		}
	}
}

// FuzzWeights: no text crashes the reader of weights.
func FuzzWeights(f *testing.F) {
	for _, s := range []string{"", "exp 3", "load -1 -- x", "nest 1e9\nnest 1", "\x00 \xff", "-- only\n\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		w, err := kernel.ReadWeights(&diag.Source{Name: "w", Text: text})
		if err == nil && w == nil {
			t.Error("neither weights nor an error")
		}
	})
}
