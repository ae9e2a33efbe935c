package egad_test

import (
	"fmt"
	"testing"

	"egad"
	"egad/ad"
	"egad/fusion"
	"egad/kernel"
	"egad/kernel/machine"
	"egad/term"
	"egad/term/eval"
	"egad/term/types"
)

// instance is a definition without sizes.
func instance(t testing.TB, text string) (*egad.Module, *term.Program) {
	t.Helper()
	m, err := egad.Parse("p.egad", text)
	if err != nil {
		t.Fatal(err)
	}
	p, err := m.Instantiate("", nil)
	if err != nil {
		t.Fatal(err)
	}
	return m, p
}

// sample gives every input the values 1, 2, ….
func sample(p *term.Program) egad.Env {
	env := make(egad.Env)
	for _, in := range p.Inputs {
		for _, leaf := range in.Leaves() {
			v, err := eval.FloatArrays().New(leaf.Type)
			if err != nil {
				panic(err)
			}
			fill(v, func(i int) int { return i + 1 })
			env[leaf.Name] = v
		}
	}
	return env
}

// fill sets all elements of v.
func fill(v *egad.Value, f func(i int) int) {
	for i := range v.R {
		v.R[i] = float64(f(i))
	}
	for i := range v.N {
		v.N[i] = int64(f(i))
		if v.Elem == types.B {
			v.N[i] %= 2
		}
	}
	for _, p := range v.Parts {
		fill(p, f)
	}
}

// ways are the ways to run a program.
func ways(t testing.TB, p *term.Program) map[string]func(egad.Env) (*egad.Value, error) {
	k, err := fusion.Lower(nil, p, nil)
	if err != nil {
		t.Fatal(err)
	}
	m, err := machine.Compile(k, kernel.DefaultBlock)
	if err != nil {
		t.Fatal(err)
	}
	return map[string]func(egad.Env) (*egad.Value, error){
		"Machine.Run": m.Run,
		"Run":         func(env egad.Env) (*egad.Value, error) { return egad.Run(p, env) },
		"Evaluate":    func(env egad.Env) (*egad.Value, error) { return egad.Evaluate(p, env) },
		"Interpret": func(env egad.Env) (*egad.Value, error) {
			return eval.Interpret(p.Store, p.Root, eval.FloatArrays(), env)
		},
	}
}

// passing are programs whose results are inputs, literals, or the same twice.
var passing = []string{
	`def f(x: R[3]): R[3] = x`,
	`def f(x: R): R = x`,
	`def f(x: R[3], y: R[3]): (R[3], R[3], R[3]) = (y, x, y)`,
	`def f(x: R[3]): ((R[3], R[3]), R[3], (R[3], R)) = let y = x + 1 in ((y, y), y, (x, sum y))`,
	`def f(x: R[2, 3]): (R[2, 3], R[3, 2]) = (x, tr [1, 0] (tr [0, 1] x))`,
	`def f(x: R[2, 3]): (R[6], R[2, 3]) = (reshape [6] x, reshape [2, 3] (reshape [6] x))`,
	`def f(x: R[3]): R[3] = tr [0] x`,
	`def f(x: R[3]): R[3] = build 3 (\i -> x[i])`,
	`def f(x: R[3]): R[3] = if 1 < 2 then x else x + 1`,
	`def f(x: R[3], c: B): (R[3], B) = (if c then x else x + 1, c)`,
	`def f(x: R[3]): (R[3], R[3]) = ([1, 2, 3], [1, 2, 3])`,
	`def f(x: R[3]): (I[3], I[3]) = (iota 3, iota 3)`,
	`def f(x: (R[3], (I[2], B))): ((R[3], (I[2], B)), I[2]) = (x, x.1.0)`,
	`def f(x: R[0]): (R[0], R[0]) = (x, x)`,
	`def f(x: R[1]): R[1] = x + 0`,
	`def f(x: R[3]): (R[3], R[3]) = let z = replicate 3 (sum x) in (z, z)`,
}

// TestResultsShareNothing changes inputs and results, and looks whether anything
// else changed: the inputs, other parts of the result, earlier and later results.
func TestResultsShareNothing(t *testing.T) {
	check := func(text string, p *term.Program) {
		env := sample(p)
		kept := make(egad.Env)
		for n, v := range env {
			kept[n] = v.Copy()
		}
		for how, run := range ways(t, p) {
			t.Run(how, func(t *testing.T) {
				must := func(v *egad.Value, err error) *egad.Value {
					if err != nil {
						t.Fatalf("%s\n%v", text, err)
					}
					return v
				}
				first := must(run(env))
				was := first.Copy()
				// Each array of the result by itself, and then those of another run.
				again := must(run(env))
				for i, a := range arraysOf(again) {
					fill(a, func(i int) int { return -9 })
					a.Shape = append(a.Shape[:0:0], 7)
					for j, b := range arraysOf(again) {
						if j != i && !equal(b, arraysOf(was)[j]) && j > i {
							t.Errorf("%s\npart %d changes with part %d", text, j, i)
						}
					}
				}
				if !equal(first, was) {
					t.Errorf("%s\na result changes with that of another run", text)
				}
				for n, v := range env {
					if !equal(v, kept[n]) {
						t.Fatalf("%s\nthe input %s changes with the result", text, n)
					}
				}
				for _, a := range arraysOf(first) {
					for i := range a.Shape {
						a.Shape[i] = -1
					}
				}
				if v := must(run(env)); !equal(v, was) {
					t.Errorf("%s\nanother run gives another value", text)
				}
				// The inputs change, the result stays.
				last := must(run(env))
				for _, v := range env {
					fill(v, func(int) int { return 5 })
				}
				if !equal(last, was) {
					t.Errorf("%s\nthe result changes with the inputs", text)
				}
				for n, v := range kept {
					env[n] = v.Copy()
				}
			})
		}
	}
	for _, text := range passing {
		_, p := instance(t, text)
		check(text, p)
	}
	// The gradient of a dot product is its operands.
	m, p := instance(t, `def dot(a: R[3], b: R[3]): R = sum (a * b)`)
	for name, derive := range derivations(m, ad.Options{}) {
		d, err := derive(p)
		if err != nil {
			t.Fatal(err)
		}
		check(name, d.Program)
	}
}

// derivations are the ways to derive a program.
func derivations(m *egad.Module, opt ad.Options) map[string]func(*term.Program) (*ad.Derived, error) {
	out := map[string]func(*term.Program) (*ad.Derived, error){
		"Grad":    func(p *term.Program) (*ad.Derived, error) { return m.Grad(p, opt) },
		"VJP":     func(p *term.Program) (*ad.Derived, error) { return m.VJP(p, opt) },
		"JVP":     func(p *term.Program) (*ad.Derived, error) { return m.JVP(p, opt) },
		"HVP":     func(p *term.Program) (*ad.Derived, error) { return m.HVP(p, opt) },
		"Hessian": func(p *term.Program) (*ad.Derived, error) { return m.Hessian(p, opt) },
	}
	for _, mode := range []ad.Mode{ad.Cheapest, ad.Forward, ad.Reverse} {
		out[fmt.Sprintf("Jacobian %s", mode)] = func(p *term.Program) (*ad.Derived, error) { return m.Jacobian(p, opt, mode) }
	}
	return out
}

// arraysOf lists the arrays in a value.
func arraysOf(v *egad.Value) []*egad.Value {
	if v.Parts == nil && v.Elem != types.NoElem {
		return []*egad.Value{v}
	}
	var out []*egad.Value
	for _, p := range v.Parts {
		out = append(out, arraysOf(p)...)
	}
	return out
}

// equal compares values bit for bit, but for NaNs.
func equal(v, w *egad.Value) bool { return fmt.Sprint(flat(v)) == fmt.Sprint(flat(w)) }

func flat(v *egad.Value) []any {
	out := []any{v.Elem, v.Shape, v.R, v.N}
	for _, p := range v.Parts {
		out = append(out, flat(p))
	}
	return out
}
