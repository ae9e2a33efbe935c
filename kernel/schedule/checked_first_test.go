package schedule_test

import (
	"testing"

	"egad/kernel"
	"egad/kernel/kerneltest"
	"egad/kernel/schedule"
	"egad/term"
)

// TestCheckedFirst: loops whose accesses are at indices that data say check them first, all at once.
func TestCheckedFirst(t *testing.T) {
	const text = `
def one[n](a: R[90], w: I[n], x: R[n]): R[90] = fold (\s (w, x) -> build 90 (\i -> if i == w then x * s[w] else s[i])) a (w, x)
def exchanged[n](a: R[90], w: I[n], x: I[n]): R[90] = fold (\s (w, v) -> build 90 (\i -> if i == w then s[v] else if i == v then s[w] else s[i])) a (w, x)
def row[n](a: R[90, 5], w: I[n], x: R[n]): R[90, 5] = fold (\s (w, x) -> build [90, 5] (\i j -> if i == w then x * s[i, j] else s[i, j])) a (w, x)
def added[n](a: R[90], w: I[n], x: R[n]): (R[90], R) = fold (\(s, e) (w, x) -> (scatter [90] x (\[] -> [w]) + build 90 (\i -> if i == w then 0 else s[i]), e + s[w])) (a, 0.0) (w, x)`
	kerneltest.EachLowered(t, text, []map[string]int64{{"n": 40}}, func(p *term.Program, k *kernel.Program, size map[string]int64) {
		first := map[string]int{"one": 1, "exchanged": 1, "added": 1}[p.Name]
		if loops, checked := schedule.CheckedFirstOf(kerneltest.InCode(k, false)); loops != first || checked > 0 {
			t.Errorf("%s: %d loops check indices first, and then %d accesses are checked", p.Name, loops, checked)
		}
	})
}
