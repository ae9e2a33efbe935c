package props_test

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"egad/ad"
	"egad/fun"
	"egad/internal/functional"
	"egad/internal/programs"
	"egad/internal/testflag"
	"egad/internal/values"
	"egad/props"
	"egad/routes/krawiec"
	"egad/rules"
	"egad/rules/load"
	"egad/term"
	"egad/term/eval"
	"egad/term/types"
)

// loweredGradient is the gradient of a lowered program, by the rules of egad, which its
// kernels compute as the evaluator does.
func loweredGradient(lib *rules.Library, l *functional.Lowered, inputs []fun.Value) ([]float64, error) {
	d, err := props.Derive(lib, l.Program, ad.Grad)
	if err != nil {
		return nil, err
	}
	env, err := l.Env(inputs)
	if err != nil {
		return nil, err
	}
	if err := props.SameByKernels(d.Program, env); err != nil {
		return nil, err
	}
	v, err := eval.Interpret(d.Program.Store, d.Program.Root, eval.FloatArrays(), env)
	if err != nil {
		return nil, err
	}
	var arrays []*eval.Value[float64]
	var walk func(v *eval.Value[float64])
	walk = func(v *eval.Value[float64]) {
		if v.Parts == nil && v.Elem == types.R { // there are zeros for the others
			arrays = append(arrays, v)
		}
		for _, p := range v.Parts {
			walk(p)
		}
	}
	for _, p := range v.Parts[1:] {
		walk(p)
	}
	return realsAt(l, inputs, arrays)
}

// TestLoweredGradient: the gradient of a lowered program is that of the program run over
// dual numbers.
func TestLoweredGradient(t *testing.T) {
	sig := term.NewSignature()
	lib, err := load.Builtin(sig)
	if err != nil {
		t.Fatal(err)
	}
	o := props.FunctionalOptions{Rectangular: true, Recursion: true, Operators: props.Differentiable, Values: values.Rounded, Result: fun.Real}
	compared, skipped := 0, 0
	programs.Hold(t, testflag.Seed, testflag.Count(60, 3000), functional.Gen(o), func(c props.FunctionalCase) error {
		want, err := krawiec.Find("overloaded").Gradient(&krawiec.Task{Lib: lib, Program: c.Program}, c.Inputs, nil)
		if err != nil {
			skipped++
			return nil
		}
		l, err := functional.LowerCase(sig, c)
		if err != nil {
			skipped++
			return nil
		}
		got, err := loweredGradient(lib, l, c.Inputs)
		if errors.Is(err, props.ErrSkip) {
			skipped++
			return nil
		}
		if err != nil {
			return fmt.Errorf("%w\n%s", err, c.Text())
		}
		for i, x := range want.Gradient {
			if math.IsNaN(x) || math.IsInf(x, 0) || math.Abs(x) > 1e100 {
				return nil
			}
			if math.Abs(x-got[i]) > 1e-9*(1+math.Abs(x)) {
				return fmt.Errorf("the gradient is %v, and of the array program %v\n%s\n%s", want.Gradient, got, c.Text(), l.Program.Text("p"))
			}
		}
		compared++
		return nil
	})
	t.Logf("%d gradients are compared, %d programs skipped", compared, skipped)
	if compared < 40 {
		t.Errorf("only %d gradients are compared", compared)
	}
}

// realsAt lists what stands where inputs have their reals, as a gradient does: arrays has,
// for each array of reals in the inputs of the array program, one that is like it.
func realsAt(l *functional.Lowered, inputs []fun.Value, arrays []*eval.Value[float64]) ([]float64, error) {
	var out []float64
	for i, in := range l.Inputs {
		vs, err := fun.Write(fun.Floats(), in, inputs[i])
		if err != nil {
			return nil, err
		}
		for k, v := range vs {
			if v.Elem != types.R {
				continue
			}
			if len(arrays) == 0 || len(arrays[0].R) != len(v.R) {
				return nil, errors.New("there is not an array for each array of reals in the inputs")
			}
			vs[k], arrays = arrays[0], arrays[1:]
		}
		out = append(out, fun.Leaves[float64](fun.Read(in, vs), in.Type)...)
	}
	return out, nil
}
