package ad

import (
	"strings"
	"testing"

	"egad/internal/defs"
	"egad/term"
)

// TestShortLoops: loops of one or two steps are written out, those of more are not, and
// values are the same, bit for bit.
func TestShortLoops(t *testing.T) {
	for _, c := range []struct {
		text  string
		loops int // in the gradient
	}{
		{`def f(a: R[1], x: R): R = fold (\s k -> sin s * k) x a`, 0},
		{`def f(a: R[2], x: R): R = fold (\s k -> sin s * k) x a`, 0},
		{`def f(a: R[3], x: R): R = fold (\s k -> sin s * k) x a`, 2},
		{`def f(a: R[2, 3], x: R[3]): R = sum (fold (\(s, n) k -> (sin (s + real n) * k, n + 1)) (x, 0) a).0`, 0},
		{`def f(a: R[2, 3], x: R[3]): R = let (s, o) = mapAccum (\s k -> (tanh s * k, [s, k])) x a in sum s + sumsq (flat o)`, 0},
		{`def f(a: R[2], b: R[2], x: R): R = fold (\s k -> fold (\t l -> sin (t * l) + s) k b) x a`, 0},
		// The steps of a long loop have no loops.
		{`def f(a: R[2], b: R[9], x: R): R = fold (\s k -> fold (\t l -> sin (t * l) + k) s a) x b`, 2},
	} {
		lib, p := defs.Last(t, c.text)
		d, err := Grad(lib, p, Options{Exact: true})
		if err != nil {
			t.Fatal(err)
		}
		pr := &term.Printer{Store: d.Program.Store, Names: d.Program.Names}
		text := pr.Def("g", d.Program.Inputs, d.Program.Root)
		if n := strings.Count(text, "states"); n != c.loops {
			t.Errorf("%s: %d loops\n%s", c.text, n, text)
		}
		k := 0
		env := defs.Inputs(t, d.Program, func() float64 { k++; return float64(k%7) - 2.5 }, nil)
		want, err := term.Interpret(p.Store, p.Root, term.FloatArrays(), env)
		if err != nil {
			t.Fatal(err)
		}
		got, err := term.Interpret(d.Program.Store, d.Program.Root, term.FloatArrays(), env)
		if err != nil {
			t.Fatal(err)
		}
		if !defs.Same(want, got.Parts[0]) {
			t.Errorf("%s: %v, not %v", c.text, got.Parts[0], want)
		}
		slow, err := Grad(lib, p, Options{Exact: true, Direct: true})
		if err != nil {
			t.Fatal(err)
		}
		if again, err := term.Interpret(slow.Program.Store, slow.Program.Root, term.FloatArrays(), env); err != nil || !defs.Same(want, again.Parts[0]) {
			t.Errorf("%s: directly %v, %v", c.text, again, err)
		}
	}
}
