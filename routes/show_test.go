package routes

import (
	"fmt"
	"strings"
	"testing"
)

// The texts of 40 doublings grow with their number.
func TestShowDoublings(t *testing.T) {
	var b strings.Builder
	b.WriteString("def f(x: R): R =\n")
	last := "x"
	for i := range 40 {
		fmt.Fprintf(&b, "let x%d = %s + %[2]s in\n", i, last)
		last = fmt.Sprintf("x%d", i)
	}
	task := taskOf(t, b.String()+last+"\n", nil)
	for _, r := range Table {
		for _, how := range []Sharing{ShareCopies, ShareEverything} {
			shown, err := r.Show(task, how)
			if err != nil && !r.functional {
				t.Fatal(err)
			}
			for _, s := range shown {
				if len(s.Text) > 40_000 {
					t.Errorf("%s, stage %s: %d bytes", r.Name, s.Name, len(s.Text))
				}
			}
		}
	}
}

// Every route shows what it makes of loops, conditionals, tuples, declared and local
// functions, and results that do not change.
func TestShow(t *testing.T) {
	for _, text := range []string{
		"def f(a: R[2], w: R): R = fold (\\s x -> tanh (w * s + x)) 0.5 a\n",
		"def f(a: R[3]): R = let s = fold (\\(x, k) u -> (x * u + a[k], k + 1)) (1.0, 0) a in s.0 + a[s.1 - 1]\n",
		"def f(x: R, a: R[3]): R = sum (if x < 1 then a * x else a)\n",
		"def f(p: (R, I, R[2])): (R[2], I, R) = (p.2, p.1, p.0 * p.0)\n",
		"def f(a: R[2], b: R): (R[2], R, R) = (a, sin b, 3.0)\n",
		"def f(a: R[0], b: R): R = sum a + b\n",
		"def f(a: R[2, 3]): R[3, 2] = build [3, 2] (\\i j -> a[j, i] * 2 + a[0, 0])\n",
		"def f(a: R[3]): R = 4.0\n",
	} {
		task := taskOf(t, text, nil)
		for _, r := range Table {
			shown, err := r.Show(task, ShareCopies)
			if err != nil && !r.functional { // these do not take all array programs
				t.Errorf("%s of %s%v", r.Name, text, err)
			}
			for _, s := range shown {
				if s.Name == "" || s.Title == "" || s.Text == "" || s.Text[len(s.Text)-1] != '\n' {
					t.Errorf("%s of %sstage %q: %q", r.Name, text, s.Name, s.Text)
				}
			}
		}
	}
}
