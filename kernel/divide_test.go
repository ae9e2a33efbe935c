package kernel_test

import (
	"fmt"
	"strings"
	"testing"

	"egad/kernel"
	"egad/kernel/kerneltest"
	"egad/term"
)

// TestDivision: quotients and remainders by literals are those of the evaluator, of integers whose
// range is small or not, on both sides of zero, in vectors and one by one.
func TestDivision(t *testing.T) {
	var text strings.Builder
	for n, d := range []int64{1, 2, 3, 5, 6, 7, 8, 25, 64, 641, 1000, 1021, 1 << 20, 99_999_989, 1<<28 - 1, 1<<29 - 1, 1 << 29, 1<<29 + 1, 1<<31 + 11, 1 << 40} {
		for k, x := range []string{"3 * i", "i - 20", "i * 7654321", "1000003 * i - 500000011", "536870911 - i", "i - 536870911", "w[i]", "-(w[i] * i)"} {
			fmt.Fprintf(&text, "def d%d_%d[n](w: I[n]): (I[n], I[n]) = (build n (\\i -> (%[3]s) div %[4]d), build n (\\i -> (%[3]s) mod %[4]d))\n", n, k, x, d)
		}
	}
	text.WriteString("def sums[n](w: I[n]): R[n] = build n (\\i -> sum (build 50 (\\j -> real ((100 * i + j - 40) div 7 - (i - j) mod 9))))\n")
	sizes := []map[string]int64{{"n": 0}, {"n": 1}, {"n": 67}}
	kerneltest.EachLowered(t, text.String(), sizes, func(p *term.Program, k *kernel.Program, size map[string]int64) {
		kerneltest.CompareWays(t, p, k, size["n"], kerneltest.Ways)
	})
}
