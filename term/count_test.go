package term_test

import (
	"fmt"
	"math"
	"math/rand"
	"testing"

	"egad/term/eval"
	"egad/term/types"

	"github.com/google/go-cmp/cmp"
)

// What an evaluation counts: what is shared is evaluated once for each binding
// of the index variables in it, and not once for each use.
func TestCounts(t *testing.T) {
	for _, c := range []struct {
		why  string
		text string
		want eval.Counts
	}{
		{"arithmetic is 1 an element, pow and its like 3",
			"def f(a: R[4]): R[4] = exp a + a ^ 2 * lgamma a",
			// exp, +, * and 3 + 3; replicate 4 2.0 is a literal and free.
			eval.Counts{Float: 4 + 4 + 4 + 12 + 12, Elements: 5 * 4}},
		{"integers and truth values",
			"def f(a: R[4]): I[4] = where (a < 0 && not (a == 1)) (floor a * 2) 3",
			eval.Counts{Int: 4 + 4 + 4 + 4 + 4 + 4, Selected: 4}},
		{"real is counted with the integers",
			"def f(a: I[4]): R[4] = real a * 2",
			eval.Counts{Int: 4, Float: 4, Elements: 8}},
		{"a reduction is one operation an element of its operand",
			"def f(a: R[3, 5]): R = maximum (sum a)",
			eval.Counts{Float: 15 + 5, Elements: 5}},
		{"argmax of reals counts with them",
			"def f(a: R[5]): I = argmax a", eval.Counts{Float: 5}},
		{"data movement",
			"def f(a: R[2, 3]): R[3, 2] = gather [3] (tr [1, 0] a) (\\[i] -> [2 - i])",
			eval.Counts{Int: 3, Selected: 6 + 6, Elements: 6 + 6}},
		{"the factor of a matrix takes an operation for each element and each row, and then the solution of each column one for each element",
			"def f(a: R[5, 5], b: R[5, 2]): R[5, 2] = trisolve (cholesky a) b", eval.Counts{Float: 125 + 50, Elements: 25 + 10}},
		{"scatter adds what it is given",
			"def f(a: R[4]): R[2] = scatter [2] a (\\[i] -> [i mod 2])",
			eval.Counts{Int: 4, Float: 4, Elements: 2}},
		{"a loop does its body as often as it runs",
			"def f(a: R[5]): R[5] = build 5 (\\i -> exp a[i])",
			eval.Counts{Float: 5, Selected: 5, Elements: 5}},
		{"what does not depend on the loop is evaluated once, before it",
			"def f(a: R[5], x: R): R[5] = build 5 (\\i -> exp x * a[i])",
			eval.Counts{Float: 1 + 5, Selected: 5, Elements: 5}},
		{"a let of a loop is evaluated once a turn, however often it is used",
			"def f(a: R[5]): R[5] = build 5 (\\i -> let y = exp a[i] in y * y + y)",
			eval.Counts{Float: 3 * 5, Selected: 5, Elements: 5}},
		{"a shared array is evaluated once",
			"def f(a: R[5]): R = let b = exp a in sum b * maximum b",
			eval.Counts{Float: 5 + 5 + 5 + 1, Elements: 5}},
		{"equal subterms are one term without a let",
			"def f(a: R[5]): R = sum (exp a) * maximum (exp a)",
			eval.Counts{Float: 5 + 5 + 5 + 1, Elements: 5}},
		{"in nested loops each part is evaluated in its own loop",
			"def f(a: R[3], b: R[4]): R[3, 4] = build [3, 4] (\\[i, j] -> exp a[i] * (log b[j] + sin (a[i] * b[j])))",
			// exp a[i] 3 times; log b[j] once for each j only where the loop over
			// j runs: 3 x 4; sin, the product in it, *, + 12 times each. a[i] is
			// read 3 times, b[j] 12 times. The inner build makes a row each turn.
			eval.Counts{Float: 3 + 12 + 4*12, Selected: 3 + 12, Elements: 12 + 3*4}},
		{"a term in two loops is evaluated in both",
			"def f(a: R[3]): (R, R) = (sum (build 3 (\\i -> exp a[i])), maximum (build 3 (\\j -> exp a[j] + 0)))",
			eval.Counts{Float: 3 + 3 + 3 + 3 + 3, Selected: 3 + 3, Elements: 3 + 3}},
		{"alpha-equivalent loops are one",
			"def f(a: R[3]): R = sum (build 3 (\\i -> exp a[i])) + sum (build 3 (\\j -> exp a[j]))",
			eval.Counts{Float: 3 + 3 + 1, Selected: 3, Elements: 3}},
		{"both branches of a conditional are evaluated",
			"def f(x: R): R = if x < 0 then exp x else log x",
			eval.Counts{Int: 1, Float: 2}},
		{"a call is inlined: its argument is evaluated once",
			"def g(x: R): R = x * x * x\ndef f(x: R): R = g (exp x)",
			eval.Counts{Float: 3}},
		{"what a build of the outer axis holds is shared with the sum over it",
			"def f(a: R[2, 3]): R = let r = build 2 (\\i -> sum a[i]) in sum r / maximum r",
			eval.Counts{Float: 6 + 2 + 2 + 1, Selected: 6, Elements: 6 + 2}},
	} {
		t.Run(c.why, func(t *testing.T) {
			p := instance(t, c.text, nil)
			env := make(eval.Env[*eval.Value[float64]])
			for _, in := range p.Inputs {
				shape, n, err := types.ShapeOf(in.Type, 100)
				if err != nil {
					t.Fatal(err)
				}
				v := &eval.Value[float64]{Elem: in.Type.Elem, Shape: shape}
				for i := range n {
					v.R = append(v.R, 1+float64(i)/8)
					v.N = append(v.N, int64(i))
				}
				env[in.Name] = v
			}
			alg := eval.NewCounting()
			got, err := eval.Interpret(p.Store, p.Root, alg, env)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(c.want, *alg.Counts); d != "" {
				t.Errorf("(- is wanted)\n%s%s", d, p.Text("f"))
			}
			if d := cmp.Diff(c.want, eval.CountOps(p.Store, p.Root)); d != "" {
				t.Errorf("without data: (- is wanted)\n%s%s", d, p.Text("f"))
			}
			if plain := run(t, p, env); plain != showFloats(got) {
				t.Errorf("counting changed the value from %s to %s", plain, showFloats(got))
			}
		})
	}
}

// What is counted without data is what an evaluation counts.
func TestCountOpsAgrees(t *testing.T) {
	holds(t, 1000, sampleGen(palette{}), func(s sample) error {
		p, err := loadSample(s.String())
		if err != nil {
			return err
		}
		alg := eval.NewCounting()
		env := values(rand.New(rand.NewSource(1)), p.Inputs, func(k int64) float64 { return float64(k) / 4 })
		if _, err := eval.Interpret(p.Store, p.Root, alg, env); err != nil {
			return err
		}
		if d := cmp.Diff(*alg.Counts, eval.CountOps(p.Store, p.Root)); d != "" {
			return fmt.Errorf("(- with data, + without)\n%s%s", d, p.Text("main"))
		}
		return nil
	}, sample.String)
}

// Counts do not overflow.
func TestCountOpsLarge(t *testing.T) {
	p := instance(t, `def f(x: R): R =
	  sum (build 100000000 (\i -> sum (build 100000000 (\j -> sum (build 100000000 (\k -> real (i + j + k) ^ x))))))`, nil)
	if got := eval.CountOps(p.Store, p.Root); got.Float != math.MaxInt64 {
		t.Errorf("counts %+v", got)
	}
}
