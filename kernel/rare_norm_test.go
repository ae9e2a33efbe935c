package kernel_test

import (
	"math"
	"testing"

	"egad/kernel"
	"egad/term"
)

// TestRareNorms: lengths of vectors that are very small, very large, or none, beside others in the
// same lanes, and one by one.
func TestRareNorms(t *testing.T) {
	const text = `
def norms(a: R[37, 2]): (R[37], R[37, 2]) = (map norm a, map (\v -> v * norm v) a)
def walk(a: R[37, 2]): R = fold (\s v -> s * 0.5 + norm v) 0 a`
	extreme := []float64{0, math.Copysign(0, -1), 1e-200, -3e-180, 1e160, 1e308, math.Inf(1), math.NaN(), 1e-30, 1e30}
	eachLowered(t, text, []map[string]int64{{}}, func(p *term.Program, k *kernel.Program, _ map[string]int64) {
		env := values(t, p, 5)
		for i, x := range extreme {
			env["a"].R[3*i+i%2], env["a"].R[3*i+2] = x, x
		}
		compareAt(t, p, k, env, ways)
	})
}
