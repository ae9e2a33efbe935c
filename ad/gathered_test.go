package ad

import (
	"slices"
	"strings"
	"testing"

	"egad/internal/defs"
	"egad/term"
	"egad/term/eval"
)

// TestGathered: what is computed of rows that are read is computed once for each row where
// there are fewer rows than reads, and not elsewhere; and the value is the same, bit for bit,
// where indices are out of range too.
func TestGathered(t *testing.T) {
	for _, c := range []struct {
		text string
		has  []string // in the gradient
		not  []string
	}{
		{`def f(table: R[5, 3], ix: I[90], y: R[90, 3]): R = sumsq (flat (build 90 (\i -> tanh table[ix[i]]) - y))`, []string{"tanh table"}, nil},
		{`def f(table: R[90, 3], ix: I[5], y: R[5, 3]): R = sumsq (flat (build 5 (\i -> tanh table[ix[i]]) - y))`, []string{"tanh (gather [5]"}, nil},
		{`def f(table: R[5], ix: I[6], y: R[6]): R = sumsq (build 6 (\i -> exp table[ix[i]]) - y)`, []string{"exp (gather [6]"}, nil},
		// To see that an index is in range takes more than one exponential.
		{`def f(table: R[5], ix: I[90], y: R[90]): R = sum (build 90 (\i -> y[i] * exp table[ix[i]]))`, []string{"exp (gather [90]"}, nil},
		{`def f(a: R[5, 3], b: R[5], ix: I[90], y: R[3, 90]): R = sum (flat (square y * (tr [1, 0] (build 90 (\i -> a[ix[i]])) / replicate 3 (build 90 (\i -> b[ix[i]])))))`, []string{`gather [7] a (\[i] -> [i - 1]) / gather [7]`}, nil},
		// It takes less than one cosine.
		{`def f(table: R[5], ix: I[90], y: R[90]): R = sum (build 90 (\i -> y[i] * cos table[ix[i]]))`, []string{"cos (gather [7] table"}, nil},
		// Of 0 exp makes 1, and 0 / 0 is no number.
		{`def f(table: R[5], ix: I[90], y: R[90]): R = sum (build 90 (\i -> y[i] * exp (exp table[ix[i]])))`, []string{"exp (exp (gather [7] table"}, []string{"exp (exp (gather [90]"}},
		{`def f(a: R[5, 3], b: R[5], ix: I[90], y: R[90]): R = sum (build 90 (\i -> y[i] * norm a[ix[i]] / b[ix[i]]))`, nil, []string{"norm (gather [90]"}},
		{`def f(table: R[5], ix: I[90], y: R[90]): R = sum (build 90 (\i -> y[i] * cos (1 - sin table[ix[i]] / 3)))`, nil, []string{"sin (gather [90]", "1.0 - gather [90]"}},
		// An index that is known to be in range needs no rows of zeros.
		{`def f(table: R[5], ix: I[90], y: R[90]): R = sum (build 90 (\i -> y[i] * exp table[ix[i] mod 5]))`, []string{"exp table"}, []string{"[7]"}},
	} {
		lib, p := defs.Last(t, c.text)
		d, err := Grad(lib, p, Options{})
		if err != nil {
			t.Fatal(err)
		}
		pr := &term.Printer{Store: d.Program.Store, Names: d.Program.Names}
		text := pr.Def("g", d.Program.Inputs, d.Program.Root)
		for _, s := range c.has {
			if !strings.Contains(text, s) {
				t.Errorf("%s\nnot in\n%s", s, text)
			}
		}
		for _, s := range c.not {
			if strings.Contains(text, s) {
				t.Errorf("%s\nin\n%s", s, text)
			}
		}
		if n := len(d.Stages); d.Stages[n-1].Name != "gathered" {
			continue
		}
		before := d.Stages[slices.IndexFunc(d.Stages, func(s Stage) bool { return s.Name == "gradient" })].Program
		k := int64(0)
		env := defs.Inputs(t, d.Program, func() float64 { k++; return float64(k%7) - 3 }, func() int64 { k++; return k%9 - 2 })
		var v [2]*eval.Value[float64]
		for i, q := range []*term.Program{before, d.Program} {
			if v[i], err = eval.Interpret(q.Store, q.Root, eval.FloatArrays(), env); err != nil {
				t.Fatal(err)
			}
		}
		if !defs.Same(v[0], v[1]) {
			t.Errorf("%s\nanother value: %v, not %v", text, v[1], v[0])
		}
	}
}

// TestRepeats: a program repeats where it reads more rows than an array has. A number that is read often has
// no rows.
func TestRepeats(t *testing.T) {
	for _, c := range []struct {
		body string
		want bool
	}{
		{`gather [9] a (\[i] -> [i div 3])`, true},
		{`gather [5] a (\[i] -> [i div 3])`, false},
		{`gather [9] x (\[i] -> [])`, false},
		{`sum (gather [9] a (\[i] -> []))`, false},
	} {
		_, p := defs.Last(t, "def f(a: R[3], x: R): R = sum ("+c.body+")")
		if got := repeats(p); got != c.want {
			t.Errorf("%s repeats: %t", c.body, got)
		}
	}
}
