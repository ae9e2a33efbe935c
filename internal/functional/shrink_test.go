package functional

import (
	"errors"
	"fmt"
	"maps"
	"math/rand"
	"slices"
	"testing"

	"egad/fun"
	"egad/internal/programs"
	"egad/internal/testflag"
	"egad/internal/values"
	"egad/props"
	"egad/term/ops"
)

// TestFunctional: random functional programs are of the type that they say, have all forms
// of the core but those that the options leave out, and run without an error.
func TestFunctional(t *testing.T) {
	first := []*fun.Form{fun.Lam, fun.App, fun.Rec}
	for _, o := range []props.FunctionalOptions{
		{Recursion: true, Operators: props.AllOperators, Values: values.Wild},
		{Rectangular: true, Operators: props.Differentiable, Values: values.Dyadic},
		{FirstOrder: true, NoArrays: true},
		{FirstOrder: true, NoSums: true, NoArrays: true, NoIntegers: true, Result: fun.Real},
	} {
		seen := map[*fun.Form]int{}
		programs.Hold(t, testflag.Seed, testflag.Count(200, 10_000), Gen(o), func(c props.FunctionalCase) error {
			if err := typed(c); err != nil {
				return err
			}
			m := &fun.Machine{Domain: fun.Floats(), Limit: 10_000_000}
			if _, err := c.Program.Run(m, c.Inputs); err != nil {
				return fmt.Errorf("%w\n%s", err, c.Text())
			}
			var walk func(t *fun.Term)
			walk = func(t *fun.Term) {
				seen[t.Form]++
				for _, k := range t.Kids {
					walk(k)
				}
			}
			walk(c.Program.Body)
			return nil
		})
		for _, f := range fun.Core {
			out := f == fun.Whole || f == fun.Rec && !o.Recursion || o.FirstOrder && slices.Contains(first, f) ||
				o.NoSums && slices.Contains([]*fun.Form{fun.Case, fun.Inl, fun.Inr, fun.Sign}, f) ||
				o.NoArrays && slices.Contains([]*fun.Form{fun.List, fun.Build, fun.Index, fun.Length, fun.Reduce}, f)
			if out != (seen[f] == 0) {
				t.Errorf("%+v: %s is in programs %d times", o, f.Name, seen[f])
			}
		}
		t.Log(len(slices.Collect(maps.Keys(seen))), "forms")
	}
}

func typed(c props.FunctionalCase) error {
	got, err := fun.Check(c.Program.Body, c.Program.Context)
	if err == nil && !got.Equal(c.Program.Result) {
		err = fmt.Errorf("the result is of type %s", got)
	}
	if err != nil {
		return fmt.Errorf("%w\n%s", err, c.Text())
	}
	return nil
}

// TestFunctionalShrinks: what a program shrinks to is well typed, and a program with a sine
// somewhere shrinks to little more than that.
func TestFunctionalShrinks(t *testing.T) {
	o := props.FunctionalOptions{Recursion: true, Operators: props.Differentiable, Result: fun.Real, Values: values.Dyadic}
	errSine := errors.New("a sine")
	sine := func(c props.FunctionalCase) error {
		var err error
		var walk func(t *fun.Term)
		walk = func(t *fun.Term) {
			if t.Form == fun.Prim && t.Op.Sym == ops.SymSin {
				err = errSine
			}
			for _, k := range t.Kids {
				walk(k)
			}
		}
		walk(c.Program.Body)
		return err
	}
	from := rand.New(rand.NewSource(testflag.Seed))
	tried := 0
	for range 400 {
		c := props.RandomFunctional(from, o)
		if sine(c) == nil {
			continue
		}
		tried++
		for found := true; found; {
			found = false
			for next := shrink(c); ; {
				v, ok := next()
				if !ok {
					break
				}
				d := v.(props.FunctionalCase)
				if err := typed(d); err != nil {
					t.Fatal(err)
				}
				if sine(d) != nil {
					c, found = d, true
					break
				}
			}
		}
		if n := c.Program.Body.Size(); n > 12 || len(c.Program.Context) > 1 {
			t.Fatalf("%d forms are left\n%s", n, c.Text())
		}
	}
	if tried < 20 {
		t.Errorf("only %d programs with a sine", tried)
	}
}
