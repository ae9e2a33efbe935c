package kernel_test

import (
	"math"
	"math/rand"
	"testing"

	"egad/fusion"
	"egad/internal/defs"
	"egad/kernel"
	"egad/kernel/kerneltest"
	"egad/term/eval"
)

// TestCalls: operators on whole arrays in loops, of which some operands are the same for all
// indices: they have one place in memory, and the results are those of the evaluator, also
// of NaN and ties.
func TestCalls(t *testing.T) {
	numbers := []float64{-1, 0, math.Copysign(0, -1), 0.5, 0.5, 1, 2, math.Inf(1), math.Inf(-1), math.NaN()}
	for _, c := range []struct {
		text  string
		sizes map[string]int64
		most  int // elements of an operand or a result
	}{
		{`def f[n, m](a: R[n], b: R[m]): I[m] = gather [m] (iota 99) (\[i] -> [searchsorted (sort a) b[i]])`, map[string]int64{"n": 9, "m": 20}, 20},
		{`def f[n, m](a: R[n], b: R[m]): I[m] = gather [m] (iota 99) (\[i] -> [searchsorted a b[i]])`, map[string]int64{"n": 16, "m": 7}, 16},
		{`def f[n, m](a: R[n], b: R[m]): I[m] = gather [m] (iota 99) (\[i] -> [searchsorted (a * b[i]) b[i]])`, map[string]int64{"n": 4, "m": 6}, 24},
		{`def f[n, m](a: R[n], b: R[m]): I[m] = gather [m] (iota 99) (\[i] -> [(searchsorted (a * b[i]) (sort a))[0]])`, map[string]int64{"n": 4, "m": 6}, 24},
		{`def f[n, m](a: R[n], b: R[m]): R[m, n] = gather [m] (build m (\i -> a * b[i])) (\[i] -> [searchsorted (solve (eye n + 0.1) a) b[i]])`, map[string]int64{"n": 5, "m": 5}, 25},
		{`def f[n, m](a: R[n], b: R[m]): R[m] = fold (\s x -> gather [m] s (\[i] -> [searchsorted (a + x) s[i]])) b a`, map[string]int64{"n": 4, "m": 6}, 30},
	} {
		_, m := defs.Read(t, c.text)
		p, err := m.Instantiate("f", c.sizes)
		if err != nil {
			t.Fatal(err)
		}
		k, err := fusion.Lower(nil, p, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range k.Arrays {
			if a.Role == kernel.Temp && a.Len() > c.most {
				t.Errorf("%s: %s has %d elements\n%s", c.text, a.Name, a.Len(), k)
			}
		}
		for seed := range int64(5) {
			rng := rand.New(rand.NewSource(seed))
			env := defs.Inputs(t, p, func() float64 { return numbers[rng.Intn(len(numbers))] }, nil)
			want, err := eval.InterpretStaged(p.Store, p.Root, eval.FloatArrays(), env)
			if err != nil {
				t.Fatal(err)
			}
			kerneltest.InAllWays(t, c.text, k, env, want)
		}
	}
}
