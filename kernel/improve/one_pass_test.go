package improve_test

import (
	"math/rand/v2"
	"testing"

	"egad/kernel"
	"egad/kernel/kerneltest"
	"egad/term"
)

// TestOnePass: the value and the gradient of what is made of rows of which data say where they are go through each
// row once, but not where the gradient of one needs another one.
func TestOnePass(t *testing.T) {
	const rows, all = 400, 4000
	kerneltest.EachGradient(t, `
def own[n, m, z](x: R[n], val: R[z], ptr: I[m + 1], col: I[z], y: R[m]): R =
  sumsq (build m (\i -> sum (build z (\e -> if ptr[i] <= e && e < ptr[i + 1] then val[e] * x[col[e]] else 0))) - y)
def others[n, m, z](x: R[n], val: R[z], ptr: I[m + 1], col: I[z], y: R[m]): R =
  let a = build m (\i -> sum (build z (\e -> if ptr[i] <= e && e < ptr[i + 1] then val[e] * x[col[e]] else 0))) in
  sumsq (build m (\i -> a[i] - y[i] * a[m - 1 - i]))
`, []map[string]int64{{"n": rows, "m": rows, "z": all}}, func(p *term.Program, k *kernel.Program, _ map[string]int64) {
		passes := 0 // through all rows
		for _, of := range k.Kernels {
			for l := range kernel.All[*kernel.Loop](of.Body) {
				if l.N == rows && kernel.Any(l.Body, func(in *kernel.Loop) bool { return in.N == all }) {
					passes++
				}
			}
		}
		if want := map[string]int{"own": 1, "others": 2}[p.Name]; passes != want {
			t.Errorf("%s: %d passes through all rows, want %d\n%s", p.Name, passes, want, k)
		}
		run := kerneltest.Comparison(t, p, k, append(kerneltest.Ways[:len(kerneltest.Ways):len(kerneltest.Ways)], kerneltest.TwoThreads))
		r := rand.New(rand.NewPCG(5, 6))
		for _, most := range []int64{2 * all / rows, 3} {
			env := kerneltest.Values(t, p, 1)
			at := int64(0)
			for i := range env["ptr"].N {
				env["ptr"].N[i] = at
				at += r.Int64N(most)
			}
			run(env)
		}
	})
}
