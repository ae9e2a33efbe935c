package improve_test

import (
	"slices"
	"testing"

	"egad/kernel"
	"egad/kernel/kerneltest"
	"egad/term"
)

// TestPadded: kernels that read an array from a copy with zeros around it make what the
// evaluator makes, and those of large images read such copies.
func TestPadded(t *testing.T) {
	padded := make(map[string]int)
	sizes := []map[string]int64{{"c": 3, "n": 40, "m": 41, "o": 8}, {"c": 1, "n": 3, "m": 2, "o": 30}, {"c": 2, "n": 1, "m": 1, "o": 1}, {"c": 2, "n": 0, "m": 4, "o": 2}, {"c": 0, "n": 5, "m": 4, "o": 2}}
	kerneltest.EachLowered(t, kerneltest.Filters, sizes, func(p *term.Program, k *kernel.Program, size map[string]int64) {
		for _, a := range k.Arrays {
			shape := []int{int(size["c"]), int(size["n"]), int(size["m"])}
			if a.Role == kernel.Temp && size["n"] == 40 && len(a.Shape) > 1 && !slices.Contains(shape, a.Shape[len(a.Shape)-2]) && a.Shape[len(a.Shape)-2] > 40 {
				padded[p.Name]++
			}
		}
		kerneltest.CompareWays(t, p, k, size["n"], append(kerneltest.Ways[:len(kerneltest.Ways):len(kerneltest.Ways)], kerneltest.TwoThreads))
	})
	for d, want := range map[string]int{"image": 1, "sums": 0, "made": 1, "masked": 1, "counts": 1, "far": 0, "long": 0, "part": 1, "steps": 0} {
		if padded[d] != want {
			t.Errorf("%s reads %d copies with zeros around them, not %d", d, padded[d], want)
		}
	}
}
