package steps_test

import (
	"testing"

	"egad/diag"
	"egad/fusion"
	"egad/kernel"
	"egad/kernel/kerneltest"
	"egad/term"
	"egad/term/eval"
	"egad/term/module"
)

const loops = `
def total[m, n](a: R[m, n], b: I[n], w: R[n]): R = fold (\s x -> s * 0.5 + x * x) 1 w
def prefix[m, n](a: R[m, n], b: I[n], w: R[n]): R[m, n] = scan (\s row -> s * w + row) (0 * w) a
def rows[m, n](a: R[m, n], b: I[n], w: R[n]): R[m] = build m (\i -> fold (\s x -> sin s + x * w[0]) 0 a[i])
def both[m, n](a: R[m, n], b: I[n], w: R[n]): (R, I, R[n]) = fold (\(s, k, v) (x, c) -> (s + x * real k, k + c, v * exp x - sum v)) (0, 1, w) (w, b)
def outputs[m, n](a: R[m, n], b: I[n], w: R[n]): (R[n], (R[m], I[m])) = mapAccum (\s row -> (s + sum row * w, (dot s row, argmax row))) w a
def nested[m, n](a: R[m, n], b: I[n], w: R[n]): R = fold (\s row -> s + fold (\t x -> t * s + x * sum (exp w)) s row) 0.5 a
def deep[m, n](a: R[m, n], b: I[n], w: R[n]): R[m] = build m (\i -> (iterate 3 (\(p, q) -> (q, fold (\t x -> t + x * p) q a[i])) (1, w[i])).1)
def steps[m, n](a: R[m, n], b: I[n], w: R[n]): R[m + 3, n] = states (m + 2) w (\i s -> s + a[i - 1] * real i)
def counted[m, n](a: R[m, n], b: I[n], w: R[n]): I = fold (\k c -> if c > k then c + b[k] else k - 1) 2 b
def chosen[m, n](a: R[m, n], b: I[n], w: R[n]): (R[n], R[n]) = if w[0] > 0 then (fold (\s r -> s + r) w a, w) else (w, fold (\s r -> s - r) w a)
def empty[m, n](a: R[m, n], b: I[n], w: R[n]): (R[0], R) = fold (\(e, s) x -> (e + x, s + x)) (replicate 0 1.0, 0) w
def swapped[m, n](a: R[m, n], b: I[n], w: R[n]): (R, R) = iterate (m + 1) (\(p, q) -> (q, p)) (1, 2)
def called[m, n](a: R[m, n], b: I[n], w: R[n]): R[n] = fold (\s r -> sort (s + r)) w a
def sorted[m, n](a: R[m, n], b: I[n], w: R[n]): R[m, n] = scan (\s r -> sort (s + r)) w a
def until[m, n](a: R[m, n], b: I[n], w: R[n]): R[n] = iterate (sum (build n (\i -> b[i] mod 5))) (\s -> 0.5 * s + w) w
def always[m, n](a: R[m, n], b: I[n], w: R[n]): R[3, 41, n] = build 3 (\j -> states 40 w (\i s -> iterate (i mod (j + 3)) (\t -> t * w[0] + s) s))
def turned[m, n](a: R[m, n], b: I[n], w: R[n]): R[n] = iterate 5 (\s -> build n (\i -> s[n - 1 - i] * 2 + s[i])) w
def crossed[m, n](a: R[m, n], b: I[n], w: R[n]): (R[n], R[n], R[n]) = iterate 5 (\(p, q, r) -> (p * 0.5 + q, q + p, r + p * q)) (w, 2 * w, w)
def round[m, n](a: R[m, n], b: I[n], w: R[n]): (R[n], R[n], R[n]) = iterate 5 (\(p, q, r) -> (q, r + p, p * 0.5)) (w, 2 * w, w)
def centred[m, n](a: R[m, n], b: I[n], w: R[n]): R[n] = iterate 3 (\s -> s * s - sum s) w
def square[m, n](a: R[m, n], b: I[n], w: R[n]): R[n, n] = iterate 3 (\s -> transpose s + s * 0.5) (replicate n w)
def topmost[m, n](a: R[m, n], b: I[n], w: R[n]): R[m, n] = iterate 3 (\s -> build m (\i -> s[i] * 0.5 + s[0])) a
def again[m, n](a: R[m, n], b: I[n], w: R[n]): (R[n], R) = iterate 3 (\(s, x) -> let t = s * w in (build n (\i -> t[i] + real b[i]), x + sum (build n (\i -> t[i] * s[i] + s[n - 1 - i])))) (w, 0)
def late[m, n](a: R[m, n], b: I[n], w: R[n]): (R[n], R[m, n]) = iterate 3 (\(s, t) -> (s * 0.5 + w, build m (\i -> t[i] + a[i] * s[n - 1]))) (w, a)
def several[m, n](a: R[m, n], b: I[n], w: R[n]): R[3, n] = build 3 (\j -> iterate 4 (\s -> s * real j + w) w)
def counts[m, n](a: R[m, n], b: I[n], w: R[n]): R[5] = fold (\s k -> s + scatter [5] 1.0 (\[] -> [k mod 5])) (replicate 5 0.0) b
def still[m, n](a: R[m, n], b: I[n], w: R[n]): R[n] = iterate 4 (\s -> w) (2 * w)
`

// TestLoops: kernels of loops make what the evaluator makes, bit for bit, whatever the
// number of steps, with blocks of any size.
func TestLoops(t *testing.T) {
	sizes := []map[string]int64{{"m": 3, "n": 4}, {"m": 1, "n": 1}, {"m": 0, "n": 2}, {"m": 2, "n": 0}, {"m": 5, "n": 300}}
	kerneltest.EachLowered(t, loops, sizes, func(p *term.Program, k *kernel.Program, size map[string]int64) {
		kerneltest.CompareWays(t, p, k, size["n"], kerneltest.Ways)
	})
}

// TestHanded: a number of which each step is stored is carried where only another state has it next.
func TestHanded(t *testing.T) {
	kerneltest.EachLowered(t, "def f(k: R): R[9] = (scan (\\(p, q) i -> (k, p)) (1, 3) (iota 9)).0\n", []map[string]int64{nil}, func(p *term.Program, k *kernel.Program, _ map[string]int64) {
		kerneltest.CompareWays(t, p, k, 1, kerneltest.Ways)
	})
}

// TestLoopsBefore: what a loop reads of an array that is built is computed before the loop.
func TestLoopsBefore(t *testing.T) {
	m, err := module.Load(term.NewSignature(), &diag.Source{Name: "loops.egad", Text: `
def f(a: R[3, 50], w: R[50]): R[50] = let e = build 50 (\i -> exp w[i] + sum (build 3 (\j -> a[j, i]))) in fold (\s r -> s * e + r) w a`})
	if err != nil {
		t.Fatal(err)
	}
	p, err := m.Instantiate("f", nil)
	if err != nil {
		t.Fatal(err)
	}
	k, err := fusion.Lower(nil, p, nil)
	if err != nil {
		t.Fatal(err)
	}
	if n := k.Counts().Float; n != 50*(1+1+3)+3*100 {
		t.Errorf("%d operations:\n%s", n, k)
	}
}

// TestLoopsOnce: the number of kernels does not depend on the number of steps, and what
// does not depend on the state is computed once, before the loop.
func TestLoopsOnce(t *testing.T) {
	m, err := module.Load(term.NewSignature(), &diag.Source{Name: "loops.egad", Text: loops})
	if err != nil {
		t.Fatal(err)
	}
	counts := make(map[int64]eval.Counts)
	text := make(map[int64]int)
	for _, n := range []int64{4, 4000} {
		p, err := m.Instantiate("nested", map[string]int64{"m": 2, "n": n})
		if err != nil {
			t.Fatal(err)
		}
		k, err := fusion.Lower(nil, p, nil)
		if err != nil {
			t.Fatal(err)
		}
		counts[n], text[n] = k.Counts(), len(k.Kernels)
	}
	if text[4] != text[4000] {
		t.Errorf("%d kernels for 4 steps, and %d for 4000", text[4], text[4000])
	}
	// For each of the n elements: exp, its sum, and three operations in each of two rows.
	if f := counts[4000].Float; f > 8*4000+100 {
		t.Errorf("%d operations", f)
	}
}

// TestLastState: of a loop whose last state is read element by element in another loop there is
// but one state in memory.
func TestLastState(t *testing.T) {
	for _, text := range []string{
		`def f(a: R[50, 3], w: R[3]): R = let l = fold (\s r -> s * r + w) w a in fold (\z k -> z * l[k mod 3] + l[1]) 1 (iota 7)`,
		`def f(a: R[50, 3], w: R[3]): R = let l = fold (\s r -> s * r + w) w a in let p = fold (\z k -> z * l[k mod 3]) 1 (iota 7) in fold (\z k -> z * l[k mod 3] + p) p (iota 9)`,
		`def f(a: R[50, 3], w: R[3]): (R, R) = fold (\(z, s) k -> let l = fold (\s r -> s * r + w) w a in (z * l[k mod 3], s + l[round z mod 3])) (1, 2) (iota 7)`,
		// The row that is read is newer than the loop.
		`def f(a: R[50, 3], w: R[3]): (R[3], R[3]) = let l = states 50 (replicate 3 w) (\i s -> replicate [3, 3] 0.5) in let k = floor w[0] in (l[50, k], l[50, floor w[1]] + (states 50 (scatter [4, 3] w (\[] -> [3, k]))[3] (\i s -> replicate [3, 3] 0.5))[50, 2])`,
	} {
		p := kerneltest.Program(t, text)
		k, err := fusion.Lower(nil, p, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range k.Arrays {
			if a.Role == kernel.Temp && len(a.Shape) > 0 && a.Shape[0] == 51 {
				t.Errorf("%s: all states are kept\n%s", text, k)
			}
		}
		kerneltest.CompareWays(t, p, k, 1, kerneltest.Ways)
	}
}
