package kernel_test

import (
	"testing"

	"egad/kernel"
	"egad/kernel/kerneltest"
	"egad/term"
)

// TestTrailing: where a scatter adds whole rows at places that data say, the loop along rows is the innermost one,
// and its runs go in any order, whatever the order of the variables. It is left where it is if no data say where, or
// if the place depends on it too. Along a diagonal there is one loop for two axes.
func TestTrailing(t *testing.T) {
	const text = `
def rows(a: R[9, 12, 5], k: I[9, 5]): R[20, 12] = scatter [20, 12] a (\[c, i, j] -> [k[c, j], i])
def planes(a: R[12, 3, 9], k: I[9]): R[20, 3, 12] = scatter [20, 3, 12] a (\[i, m, c] -> [k[c], m, i])
def sums(a: R[12, 9]): R[12] = scatter [12] a (\[i, j] -> [i])
def apart(a: R[12, 9], k: I[12, 9]): R[20, 12] = scatter [20, 12] a (\[i, j] -> [k[i, j], i])
def beyond(a: R[14, 9], k: I[9]): R[20, 12] = scatter [20, 12] a (\[i, j] -> [k[j], i])
def diagonals(a: R[12, 9], k: I[9]): R[20, 12, 12] = scatter [20, 12, 12] a (\[i, j] -> [k[j], i, i])
`
	last := map[string]int{"rows": 12, "planes": 12, "sums": 9, "apart": 9, "beyond": 14, "diagonals": 12}
	kerneltest.EachLowered(t, text, []map[string]int64{{}}, func(p *term.Program, k *kernel.Program, _ map[string]int64) {
		var inner *kernel.Loop
		for _, one := range k.Kernels {
			kernel.Walk(one.Body, func(s kernel.Stmt) {
				if l, ok := s.(*kernel.Loop); ok && l.Innermost() {
					inner = l
				}
			})
		}
		order := kernel.Parallel
		if p.Name == "sums" || p.Name == "apart" {
			order = kernel.InOrder
		}
		if inner.N != last[p.Name] || inner.Order != order {
			t.Errorf("%s: the innermost loop has %d runs, want %d\n%s", p.Name, inner.N, last[p.Name], k)
		}
		for seed := range int64(3) {
			kerneltest.CompareWays(t, p, k, seed, kerneltest.Ways)
		}
	})
}
