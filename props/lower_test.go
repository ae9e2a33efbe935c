package props

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"egad/fun"
	"egad/internal/programs"
	"egad/internal/testflag"
	"egad/internal/values"
	"egad/term"
)

// lowered is a case as an array program.
func lowered(sig *term.Signature, c FunctionalCase) (*fun.Lowered, error) {
	var layouts []*fun.Layout
	for _, t := range c.Program.Context {
		l, err := fun.LayoutOf(t, slices.Repeat([]int64{c.Length}, countArrays(t))...)
		if err != nil {
			return nil, err
		}
		layouts = append(layouts, l)
	}
	return fun.Lower(sig, c.Program, layouts...)
}

func countArrays(t *fun.Type) int {
	n := 0
	if t.Kind == fun.KArray {
		n++
	}
	for _, p := range t.Parts {
		n += countArrays(p)
	}
	return n
}

// sameFun compares values bit for bit, all NaNs being one.
func sameFun(a, b fun.Value, t *fun.Type) bool {
	bits := func(v fun.Value) string {
		x := v.(float64)
		if math.IsNaN(x) {
			return "NaN"
		}
		return fmt.Sprintf("%x", math.Float64bits(x))
	}
	return fun.Show(a, t, bits) == fun.Show(b, t, bits)
}

// TestLowered: a program that is lowered has the value that it has, bit for bit.
func TestLowered(t *testing.T) {
	sig := term.NewSignature()
	for _, o := range []FunctionalOptions{
		{Rectangular: true, Recursion: true, Operators: AllOperators, Values: values.Wild},
		{Rectangular: true, Operators: Polynomial, Values: values.Dyadic},
		{FirstOrder: true, NoArrays: true, Operators: AllOperators},
		{NoArrays: true, Recursion: true, Operators: Polynomial, Size: 100},
	} {
		taken, not := 0, make(map[string]int)
		programs.Hold(t, testflag.Seed, testflag.Count(200, 10_000), GenFunctional(o), func(c FunctionalCase) error {
			want, err := c.Program.Run(&fun.Machine{Domain: fun.Floats()}, c.Inputs)
			if err != nil {
				return nil
			}
			l, err := lowered(sig, c)
			if err != nil {
				not[err.Error()]++
				return nil
			}
			env, err := fun.Env(fun.Floats(), l, c.Inputs)
			if err != nil { // a shrunk case may have arrays of other lengths
				return nil
			}
			taken++
			v, err := term.Interpret(l.Program.Store, l.Program.Root, term.FloatArrays(), env)
			if err != nil {
				return fmt.Errorf("%w\n%s\n%s", err, c.Text(), l.Program.Text("p"))
			}
			if got := fun.ResultOf(l, v); !sameFun(got, want, c.Program.Result) {
				return fmt.Errorf("the value is %s, and of the array program %s\n%s\n%s", fun.Show(want, c.Program.Result, showReal), fun.Show(got, c.Program.Result, showReal), c.Text(), l.Program.Text("p"))
			}
			return nil
		})
		t.Logf("%d are lowered", taken)
		for msg, n := range not {
			t.Logf("%d: %s", n, msg)
		}
	}
}
