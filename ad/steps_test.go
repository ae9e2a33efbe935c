package ad

import (
	"strings"
	"testing"

	"egad/internal/defs"
	"egad/term"
	"egad/term/eval"
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
		want, err := eval.Interpret(p.Store, p.Root, eval.FloatArrays(), env)
		if err != nil {
			t.Fatal(err)
		}
		got, err := eval.Interpret(d.Program.Store, d.Program.Root, eval.FloatArrays(), env)
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
		if again, err := eval.Interpret(slow.Program.Store, slow.Program.Root, eval.FloatArrays(), env); err != nil || !defs.Same(want, again.Parts[0]) {
			t.Errorf("%s: directly %v, %v", c.text, again, err)
		}
	}
}

// TestSameInAllSteps: what a step makes of no state, in a loop that a gradient goes back.
func TestSameInAllSteps(t *testing.T) {
	lib, m := defs.Read(t, `
def f(a: R[1], x: R[5], z: R[3], w: I[5]): R =
  let y = fold (\(s, t) (w, x) -> (s + scatter [1] (dot (x * z) (build 3 (\k -> s[w - 1]))) (\[] -> [w]), sum z)) (a, 0.0) (w, x) in sumsq y.0 + y.1
`)
	p, err := m.Instantiate("f", nil)
	if err != nil {
		t.Fatal(err)
	}
	d, err := Grad(lib, p, Options{})
	if err != nil {
		t.Fatal(err)
	}
	k := 0
	env := defs.Inputs(t, p, func() float64 { k++; return float64(k%7) - 2.5 }, func() int64 { return 0 })
	want, err := eval.Interpret(p.Store, p.Root, eval.FloatArrays(), env)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := eval.Interpret(d.Program.Store, d.Program.Root, eval.FloatArrays(), env); err != nil || !defs.Same(want, got.Parts[0]) {
		t.Errorf("%v, want %v: %v", got, want, err)
	}
}
