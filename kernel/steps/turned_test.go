package steps_test

import (
	"strings"
	"testing"

	"egad/kernel"
	"egad/kernel/kerneltest"
	"egad/term"
)

// Loops of which all states are put in another order, and whether machine code stores them so at once.
var turned = []struct {
	text string
	is   bool
}{
	{"def back[n](a: R[90], w: I[n], x: R[n]): R[n] = let s = scan (\\s x -> 0.5 * s + x) a[0] x in build n (\\i -> s[n - 1 - i])", true},
	{"def both[n](a: R[90], w: I[n], x: R[n]): (R[n], R[n]) = let (s, t) = scan (\\(s, t) x -> (t, 0.5 * s + x)) (a[0], a[1]) x in (build n (\\i -> s[n - 1 - i]), build n (\\i -> t[n - 1 - i]))", true},
	{"def rows[n](a: R[90], w: I[n], x: R[n]): (R[n, 90], R[90]) = let s = scan (\\(s, r) (w, x) -> (build 90 (\\i -> r[w] * real i), build 90 (\\i -> if i == w then x else r[i]))) (a, a) (w, x) in (build [n, 90] (\\i j -> s.0[n - 1 - i, j]), last s.1)", true},
	{"def across[n](a: R[90], w: I[n], x: R[n]): (R[90, n], R[90]) = let s = scan (\\(s, r) (w, x) -> (build 90 (\\i -> r[w] * real i), build 90 (\\i -> if i == w then x else r[i]))) (a, a) (w, x) in (build [90, n] (\\j i -> s.0[n - 1 - i, 89 - j]), last s.1)", true},
	// The kernel makes more of what it puts in another order.
	{"def beside[n](a: R[90], w: I[n], x: R[n]): (R[n], R[n]) = let s = scan (\\s x -> 0.5 * s + x) a[0] x in (build n (\\i -> s[n - 1 - i]), build n (\\i -> 2 * s[n - 1 - i]))", true},
	// What another one needs too, is not all, or there twice.
	{"def kept[n](a: R[90], w: I[n], x: R[n]): (R[n], R) = let s = scan (\\s x -> 0.5 * s + x) a[0] x in (build n (\\i -> s[n - 1 - i]), sumsq s)", false},
	{"def part[n](a: R[90], w: I[n], x: R[n]): R[n] = let s = scan (\\s x -> 0.5 * s + x) a[0] x in build n (\\i -> index s [2 * i])", false},
	{"def beyond[n](a: R[90], w: I[n], x: R[n]): R[n + 2] = let s = scan (\\s x -> 0.5 * s + x) a[0] x in build (n + 2) (\\i -> index s [n - i])", false},
	{"def twice[n](a: R[90], w: I[n], x: R[n]): R[n, n] = let s = scan (\\s x -> 0.5 * s + x) a[0] x in build [n, n] (\\i j -> s[n - 1 - i])", false},
}

// TestTurned: what is put in another order has the values of the evaluator.
func TestTurned(t *testing.T) {
	var text []string
	for _, u := range turned {
		text = append(text, u.text)
	}
	n := 0
	sizes := []map[string]int64{{"n": 40}, {"n": 1}, {"n": 0}}
	kerneltest.EachLowered(t, strings.Join(text, "\n"), sizes, func(p *term.Program, k *kernel.Program, size map[string]int64) {
		kerneltest.CompareWays(t, p, k, size["n"], append(kerneltest.Ways, kerneltest.TwoThreads))
		u := turned[n/len(sizes)]
		if n++; size["n"] < 40 {
			return
		}
		if now := kerneltest.InCode(k, true); (len(now.Kernels) < len(k.Kernels)) != u.is {
			t.Errorf("%s: expected %v\n%s\n%s", p.Name, u.is, k, now)
		}
	})
}
