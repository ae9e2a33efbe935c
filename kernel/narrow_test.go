package kernel_test

import (
	"strings"
	"testing"

	"egad/kernel"
	"egad/term"
)

// TestNarrow: where nobody reads what a loop stores, 0 is stored if the loop compares indices so anyway, and
// else what is stored has to be computed.
func TestNarrow(t *testing.T) {
	const text = `
def f[n](k: I, a: R[n]): (R[n], R[n], R[n]) = let e = build n (\i -> exp a[i]) in
	(build n (\i -> a[i] * 3), build n (\i -> if n - 1 - i < k then e[n - 1 - i] * 2 else 0), build n (\i -> (if i < k then e[i] * e[i] else 0)))
def next[n](k: I, a: R[n]): (R[n], R[n], R[n]) = let e = build n (\i -> exp a[i]) in
	(build n (\i -> a[i] * 3), build n (\i -> if n - i < k then e[n - 1 - i] * 2 else 0), build n (\i -> (if i < k then e[i] * e[i] else 0)))
def cheap[n](k: I, a: R[n]): (R[n], R[n], R[n]) = let e = build n (\i -> a[i] * a[i]) in
	(build n (\i -> a[i] * 3), build n (\i -> if n - 1 - i < k then e[n - 1 - i] * 2 else 0), build n (\i -> (if i < k then exp e[i] else 0)))
def steps[n](k: I, a: R[n]): R[n] = fold (\s m -> build n (\i -> if i <= m then exp s[i] * a[i] + s[n - 1 - i] else 0)) a (iota 5)
`
	eachLowered(t, text, []map[string]int64{{"n": 0}, {"n": 3}, {"n": 40}}, func(p *term.Program, k *kernel.Program, size map[string]int64) {
		for seed := range 4 {
			compareWays(t, p, k, int64(seed), append(ways[:len(ways):len(ways)], twoThreads))
		}
		if s := k.String(); size["n"] == 40 && p.Name != "steps" && strings.Contains(s, "t1[i] := where") != (p.Name == "f") {
			t.Errorf("%s\n%s", p.Name, s)
		}
	})
}
