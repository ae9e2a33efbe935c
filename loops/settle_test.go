package loops

import (
	"fmt"
	"strings"
	"testing"

	"egad/diag"
	"egad/internal/golden"
	"egad/term"
	"egad/term/module"
)

// loopsToSettle are definitions of loops that keep more than they have to, or seem to.
var loopsToSettle = []struct{ why, text string }{
	{"an array that stays what it begins with is that, in the steps too", `def f(a: R[4], w: R): R = (fold (\(p, q) x -> (p * q + x, q)) (1, w) a).0`},
	{"arrays that stay 0 since the others do", `def f(a: R[4], w: R): R = let (p, q, r) = fold (\(p, q, r) x -> (p * x + q, neg (p * w) - q, r * x + p)) (0, 0, w) a in p + q + r`},
	{"one of them does not, and takes the other with it", `def f(a: R[4], w: R): R = let (p, q) = fold (\(p, q) x -> (p * x + q, w)) (0, 0) a in p + q`},
	{"arrays that are equal are one", `def f(a: R[4]): R = let (p, q) = fold (\(p, q) x -> (p * q + x, q * p + x)) (1, 1) a in p - q`},
	{"arrays that begin alike and become the same", `def f(a: R[4]): R = let (p, q) = fold (\(p, q) x -> (p * x, q * x)) (1, 1) a in p - q`},
	{"what only itself uses is left out", `def f(a: R[4]): R = (fold (\(p, q, r) x -> (p * x, q + r * p, r * q)) (1, 2, 3) a).0`},
	{"integers and truth values too", `def f(a: R[4], k: I): R = let (s, k, b) = fold (\(s, k, b) x -> (if b then s * x else s, k, b)) (1, k, 0 < k) a in s * real k`},
	{"through a loop in the loop", `def f(a: R[4], w: R): R = (fold (\(p, q) x -> iterate 3 (\(p, q) -> (p * q + x, q)) (p, q)) (1, w) a).0`},
	{"0 through a loop in the loop", `def f(a: R[4], w: R): R = fold (\p x -> iterate 3 (\q -> q * x * w) p) 0 a`},
	{"all states of a loop are copies", `def f(w: R): R[3] = (scan (\(p, q) x -> (p + x, q)) (1, w) [1, 2, 3]).1`},
	{"of as many steps as an integer says", `def f(a: R[4], w: R, n: I): R = let l = states 4 (1, w) (min 4 n) (\i s -> (s.0 * s.1 + a[i], s.1)) in sum l.0 + l.1[2]`},
	{"loops that take the same steps are one, where one reads what the other computes and has work in common with it", `def f(a: R[4], w: R): R = let p = states 4 1.0 4 (\i s -> sin (s * a[i])) in (states 4 w 4 (\i t -> t * sin (p[i] * a[i])))[4] + p[4]`},
	{"it may read what the state becomes, and be read by a third", `def f(a: R[4], w: R): R = let p = states 4 1.0 4 (\i s -> exp (s * a[i])) in let q = states 4 w 4 (\i t -> t * p[i + 1] + p[i] * a[i]) in (states 4 0.0 4 (\i u -> u + q[i] * exp (p[i] * a[i])))[4]`},
	{"tuples, and subarrays of what is read", `def f(a: R[4, 2], w: R[2]): R = let p = states 4 (w, 1.0) 4 (\i s -> (tanh (s.0 * s.1), s.1 * 0.5)) in sum ((states 4 (w, w) 4 (\i t -> (t.1 * p.0[i, 1], tanh (p.0[i] * p.1[i])))).0[4])`},
	{"in the steps of another", `def f(a: R[4], w: R): R = (states 4 w 4 (\j v -> let p = states 4 v 4 (\i s -> sin (s * a[i])) in (states 4 v 4 (\i t -> t * sin (p[i] * a[i])))[4] + p[4]))[4]`},
	{"what a loop has computed is read", `def f(a: R[4], w: R): R = let p = states 4 1.0 4 (\i s -> sin (s * a[i])) in (states 4 w 4 (\i t -> t * sin (a[3 - i] * p[3 - i])))[4]`},
	{"where it has not, or has taken no such step, it is not", `def f(a: R[4], w: R, n: I): R = let p = states 4 1.0 (min n 4) (\i s -> sin (s * a[i])) in let q = states 4 1.0 4 (\i s -> cos (s * a[i])) in (states 4 w 4 (\i t -> t * sin (p[3 - i] * a[3 - i]) + cos (q[4 - i] * a[4 - i])))[4]`},
	{"nothing in common", `def f(a: R[4], w: R): R = let p = states 4 1.0 4 (\i s -> sin (s * a[i])) in (states 4 w 4 (\i t -> t * cos (p[i] * w)))[4]`},
	{"states of other steps", `def f(a: R[4], w: R): R = let p = states 4 1.0 4 (\i s -> sin (s * a[i])) in (states 4 w 4 (\i t -> t * sin (p[i] * a[i]) + p[3 - i]))[4]`},
	{"the last state first", `def f(a: R[4], w: R): R = let p = states 4 1.0 4 (\i s -> sin (s * a[i])) in (states 4 p[4] 4 (\i t -> t * sin (p[i] * a[i])))[4]`},
	{"another number of steps", `def f(a: R[4], w: R, n: I): R = let p = states 4 1.0 4 (\i s -> sin (s * a[i])) in (states 4 w (min n 4) (\i t -> t * sin (p[i] * a[i])))[4]`},
	{"what steps add is summed where only the sum of all is used", `def f(a: R[4, 3]): R = sum (states 4 (replicate 3 1.0) 4 (\i s -> sin a[i] + s))[4]`},
	{"along several axes, of several arrays", `def f(a: R[4, 2, 3], n: I): R = let l = states 4 (replicate [2, 3] 0.0, replicate [2, 3] 1.0, 1.0) (min n 4) (\i s -> (a[i] + s.0 + exp a[i], s.1 + cos (replicate [2, 3] s.2), s.2 * 0.5)) in sum (sum (tr [1, 0] l.0[4])) + sum (l.2[4] * sum l.1[4])`},
	{"in several ways, and what is negated", `def f(a: R[4, 2, 3], w: R[2]): R = let l = (states 4 (replicate [2, 3] 1.0) 4 (\i s -> sin a[i] + s))[4] in sum (sum (neg l)) + sum (sum (tr [1, 0] l) * w)`},
	{"not where its elements are used, or all states, or the state in a step", `def f(a: R[4, 3]): R = let l = states 4 (replicate 3 1.0, replicate 3 0.0, replicate 3 0.0, replicate 3 0.0) 4 (\i s -> (s.0 + sin a[i], s.1 + cos a[i], s.2 + tan a[i] * s.1, s.3 * 0.5 + a[i])) in sum l.0[4] + l.0[4, 1] + sum l.1[4] + sum (sum l.2) + sum l.3[4]`},
	{"of elements under a mask too", `def f(a: R[4, 3], b: B[4, 3]): R = sum (states 4 (replicate 3 1.0) 4 (\i s -> s + where b[i] (sin a[i]) (replicate 3 0.0)))[4]`},
	{"but not of one of them", `def f(a: R[4, 3]): R = sum (states 4 (replicate 3 1.0) 4 (\i s -> s + where (iota 3 == replicate 3 i) (sin a[i]) (replicate 3 0.0)))[4]`},
	{"nor of a few elements", `def f(a: R[4]): R = sum (states 4 (replicate 3 1.0) 4 (\i s -> s + scatter [3] a[i] (\[] -> [i])))[4]`},
	{"what steps of steps add", `def f(a: R[4, 3]): R = (states 4 1.0 4 (\j u -> u * sum (states 4 (replicate 3 u) 4 (\i s -> s + sin (replicate 3 u * a[i])))[4]))[4]`},
	{"an integer to which each step adds the same is counted by the steps", `def f(a: R[4], k: I): R = let (s, i, j) = iterate 4 (\(s, i, j) -> (s * a[i] + real j, 1 + i, j - k)) (1, 0, 7) in s + real i * real j`},
	{"in all states, of fewer steps too, and where another one says how much", `def f(a: R[4], n: I, k: I): R = let l = states 4 (1.0, k, 3) n (\i s -> (s.0 * a[s.1], s.1 + s.2, s.2)) in l.0[4] + real (sum l.1)`},
	{"not where that is another in each step", `def f(a: R[4]): R = let (s, i, j) = iterate 4 (\(s, i, j) -> (s * a[i mod 4] + real j, i + j, j + 1)) (1, 0, 1) in s + real i`},
	{"a state of which all is used stays as it is", `def f(a: R[4]): R = let (p, q) = fold (\(p, q) x -> (q, p * x)) (1, 2) a in p + q`},
}

// TestSettled keeps as golden text what becomes of loops, over the reals and, where that
// differs, with every float64 as it is.
func TestSettled(t *testing.T) {
	var out strings.Builder
	for _, x := range loopsToSettle {
		m, err := module.Load(term.NewSignature(), &diag.Source{Name: "test.egad", Text: x.text})
		if err != nil {
			t.Fatalf("%v\nin\n%s", err, x.text)
		}
		p, err := m.Instantiate("", nil)
		if err != nil {
			t.Fatal(err)
		}
		var texts []string
		for _, exact := range []bool{false, true} {
			q, changed, err := Settle(p, exact, true)
			if err != nil {
				t.Fatal(err)
			}
			if again, more, err := Settle(q, exact, true); err != nil || more {
				t.Errorf("%s: again, with the error %v\n%s\n%s", x.why, err, q.Text("f"), again.Text("f"))
			}
			text := q.Text("f")
			if changed == (text == p.Text("f")) {
				t.Errorf("%s: changed is %v", x.why, changed)
			}
			texts = append(texts, text)
		}
		fmt.Fprintf(&out, "-- %s\n%s", x.why, texts[0])
		if texts[1] != texts[0] {
			fmt.Fprintf(&out, "-- exact\n%s", texts[1])
		}
		out.WriteByte('\n')
	}
	golden.Check(t, "testdata/settled.golden", out.String())
}
