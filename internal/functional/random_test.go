package functional

import (
	"fmt"
	"math"
	"strconv"
	"testing"

	"egad/fun"
	"egad/internal/programs"
	"egad/internal/testflag"
	"egad/internal/values"
	"egad/props"
	"egad/term"
	"egad/term/eval"
)

func showReal(x fun.Value) string { return strconv.FormatFloat(x.(float64), 'g', -1, 64) }

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
	for _, o := range []props.FunctionalOptions{
		{Rectangular: true, Recursion: true, Operators: props.AllOperators, Values: values.Wild},
		{Rectangular: true, Operators: props.Polynomial, Values: values.Dyadic},
		{FirstOrder: true, NoArrays: true, Operators: props.AllOperators},
		{NoArrays: true, Recursion: true, Operators: props.Polynomial, Size: 100},
	} {
		taken, not := 0, make(map[string]int)
		programs.Hold(t, testflag.Seed, testflag.Count(200, 10_000), Gen(o), func(c props.FunctionalCase) error {
			want, err := c.Program.Run(&fun.Machine{Domain: fun.Floats()}, c.Inputs)
			if err != nil {
				return nil
			}
			l, err := LowerCase(sig, c)
			if err != nil {
				not[err.Error()]++
				return nil
			}
			env, err := l.Env(c.Inputs)
			if err != nil { // a shrunk case may have arrays of other lengths
				return nil
			}
			taken++
			v, err := eval.Interpret(l.Program.Store, l.Program.Root, eval.FloatArrays(), env)
			if err != nil {
				return fmt.Errorf("%w\n%s\n%s", err, c.Text(), l.Program.Text("p"))
			}
			if got := l.result(v); !sameFun(got, want, c.Program.Result) {
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
