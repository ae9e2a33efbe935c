package schedule_test

import (
	"math"
	"regexp"
	"testing"

	"egad/kernel"
	"egad/kernel/kerneltest"
	"egad/term"
)

// TestRareNorms: lengths of vectors that are very small, very large, or none, beside others in the
// same lanes, and one by one.
func TestRareNorms(t *testing.T) {
	const text = `
def norms(a: R[37, 2]): (R[37], R[37, 2]) = (map norm a, map (\v -> v * norm v) a)
def walk(a: R[37, 2]): R = fold (\s v -> s * 0.5 + norm v) 0 a`
	extreme := []float64{0, math.Copysign(0, -1), 1e-200, -3e-180, 1e160, 1e308, math.Inf(1), math.NaN(), 1e-30, 1e30}
	kerneltest.EachLowered(t, text, []map[string]int64{{}}, func(p *term.Program, k *kernel.Program, _ map[string]int64) {
		env := kerneltest.Values(t, p, 5)
		for i, x := range extreme {
			env["a"].R[3*i+i%2], env["a"].R[3*i+2] = x, x
		}
		kerneltest.CompareAt(t, p, k, env, kerneltest.Ways)
	})
}

// TestGuardedNorms: the largest of many numbers, and their quotients by it, are only looked for where their squares
// are too small or too large.
func TestGuardedNorms(t *testing.T) {
	const text = `
def norms(a: R[9, 40]): (R[9], R[9, 40]) = (map norm a, map (\v -> v * norm v) a)
def cosines(a: R[9, 40]): R = sum (build 9 (\i -> dot a[i] a[8 - i] / (norm a[i] * norm a[8 - i])))
def branch(a: R[9, 40]): R[9, 9] = build [9, 9] (\[i, j] -> if 1e-60 < a[j, 1] && a[j, 1] < 1e60 then norm (build 40 (\l -> maximum a[0])) else norm a[i])
def both(a: R[9, 40]): R[9] = map (\v -> norm v + maximum (abs v)) a
def walk(a: R[9, 40]): R = fold (\s v -> s * 0.5 + norm (s * v)) 1 a`
	extreme := []float64{0, 1e-200, -3e-180, 1e160, 1e308, math.Inf(1), math.NaN(), 5e-324}
	kerneltest.EachLowered(t, text, []map[string]int64{{}}, func(p *term.Program, k *kernel.Program, _ map[string]int64) {
		if asked := len(regexp.MustCompile(`:= where .* 0 v\d+\n`).FindAllString(k.String(), -1)); asked != map[string]int{"norms": 2, "cosines": 4, "branch": 4, "both": 1, "walk": 0}[p.Name] {
			t.Errorf("%s: %d loops are asked about\n%s", p.Name, asked, k)
		}
		compare := kerneltest.Comparison(t, p, k, kerneltest.Ways)
		for seed := range 4 {
			env := kerneltest.Values(t, p, int64(seed))
			for i, x := range extreme[:2*seed+2] {
				for j := range 40 {
					env["a"].R[40*i+j] = x
					if seed%2 == 1 {
						env["a"].R[40*i+j] = x * env["a"].R[320+j]
					}
				}
			}
			compare(env)
		}
	})
}
