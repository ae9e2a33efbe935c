package improve_test

import (
	"math"
	"strings"
	"testing"

	"egad/extract"
	"egad/fusion"
	"egad/kernel"
	"egad/kernel/kerneltest"
	"egad/kernel/lower"
	"egad/kernel/schedule"
	"egad/term"
	"egad/term/ops"
)

// TestVanishing: where short loops are written out, elements of a triangular matrix that are 0 whatever the
// data are not multiplied by unless code is exact, and what nobody reads of the gradient is not made.
func TestVanishing(t *testing.T) {
	kerneltest.EachGradient(t, `
def lower[n](w: R[3], x: R[n, 2]): R =
  let l = build [2, 2, 3] (\[i, j, k] -> if j < i then exp w[k] else 0) in
  sum (flat (build [n, 3] (\[p, k] -> log (1 + sumsq (build 2 (\i -> w[k] * x[p, i] + sum (build 2 (\j -> l[i, j, k] * x[p, j]))))))))
def banded[n](w: R[3], x: R[n, 3]): R =
  let l = build [3, 3] (\[i, j] -> if i <= j + 1 && j <= i then exp w[i + j - 2] else 0) in
  sum (build n (\p -> exp (neg (sumsq (build 3 (\i -> sum (build 3 (\j -> l[i, j] * x[p, j]))))))))
`, []map[string]int64{{"n": 200}}, func(p *term.Program, k *kernel.Program, _ map[string]int64) {
		exact, products := 0, 0
		for _, of := range k.Kernels {
			exact += multiplications(schedule.NewScheduler(k, true, false).Pieces(of))
			products += multiplications(schedule.NewScheduler(k, false, false).Pieces(of))
		}
		if products+3 > exact {
			t.Errorf("%s: %d products, and %d in exact code\n%s", p.Name, products, exact, k)
		}
		if text := k.String(); p.Name == "lower" && (strings.Count(text, ", 1, 0] := ") != 3 || strings.Contains(text, ", 0, 0] := ") || strings.Contains(text, ", 1, 1] := ")) {
			t.Errorf("nobody reads what is stored beyond the triangle\n%s", text)
		}
		env := kerneltest.Values(t, p, 1)
		kerneltest.CompareAt(t, p, k, env, append(kerneltest.Ways, kerneltest.TwoThreads))
		env["x"].R[0], env["x"].R[7] = math.Inf(1), math.NaN()
		kerneltest.CompareAt(t, p, k, env, kerneltest.Ways[:3])
	})
}

// TestVanishingOfFolds: a sum that is stored where nobody reads it is left out of its loop, after which it is still known what other
// sums are.
func TestVanishingOfFolds(t *testing.T) {
	p := kerneltest.Program(t, `
def f(x: R[3, 2], w: R[2, 2, 5], u: R[2, 2]): R[2, 3, 2] =
  let y = build [2, 3, 2] (\[o, i, j] -> sum (build 5 (\q -> sum (build 2 (\p -> w[o, p, q] * x[i, j]))))) in
  build [2, 3, 2] (\[o, i, j] -> sum (build 2 (\p -> if i <= p then exp (y[o, i, j] * u[o, p]) else 0)) * u[o, 0])`)
	fused, err := fusion.Fuse(nil, p, nil, extract.How{})
	if err != nil {
		t.Fatal(err)
	}
	k, err := lower.By(fused, kerneltest.Shared(1, true))
	if err != nil {
		t.Fatal(err)
	}
	kerneltest.CompareWays(t, p, k, 1, kerneltest.Ways)
}

// multiplications counts products in kernels.
func multiplications(ks []*kernel.Kernel) (n int) {
	for _, k := range ks {
		kernel.Walk(k.Body, func(s kernel.Stmt) {
			if l, ok := s.(*kernel.Let); ok && l.Value.Kind == kernel.Compute && l.Value.Op == ops.SymMul {
				n++
			}
		})
	}
	return n
}
