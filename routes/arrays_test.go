package routes

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"egad/ad"
	"egad/internal/programs"
	"egad/rules"
	"egad/term"
)

// dualOf runs a task over dual arrays of floats, after the bulk-operation transform.
func dualOf(t testing.TB, task *Task) (*Task, *arrayRun[*term.Value[float64]]) {
	t.Helper()
	b, err := task.bulk()
	if err != nil {
		t.Fatal(err)
	}
	d, err := newArrayRun(term.Algebra[*term.Value[float64]](floats.counting(b)), b)
	if err == nil {
		err = d.forward(b, b.Env)
	}
	if err != nil {
		t.Fatal(err)
	}
	return b, d
}

// Dual arrays have as many constructors for ten elements as for many: ten for the dot
// product and for Fig. 18, and as many for a loop whatever its length.
func TestDualConstructors(t *testing.T) {
	for _, c := range []struct {
		text string
		want int64
	}{
		{"def dot[n](a: R[n], b: R[n]): R = sum (build n (\\i -> a[i] * b[i]))\n", 10},
		{"def selfconv[n](a: R[n]): R = sum (build n (\\i -> a[i] * a[n - 1 - i]))\n", 10},
		{"def loop[n](a: R[n]): R = fold (\\s x -> sin (s * x)) 0.5 a\n", 0},
	} {
		for _, n := range []int64{10, 1000} {
			_, d := dualOf(t, taskOf(t, c.text, map[string]int64{"n": n}))
			if c.want == 0 {
				c.want = d.made
			}
			if d.made != c.want {
				t.Errorf("%sat n = %d has %d constructors, want %d", c.text, n, d.made, c.want)
			}
		}
	}
}

// Of random programs: the values of dual arrays are those of the evaluator, bit for bit; what
// has an id is larger than all ids in it; and the program that the pass writes over terms
// computes the numbers that it computes over floats.
func TestDualArrays(t *testing.T) {
	sig := term.NewSignature()
	lib, err := rules.Builtin(sig)
	if err != nil {
		t.Fatal(err)
	}
	n := 100
	if *long {
		n = 2000
	}
	met := 0
	programs.Hold(t, *seed, n, programs.GenScalar(programs.Smooth), func(c programs.Case) error {
		p := c.Program(sig)
		if !slices.ContainsFunc(p.Inputs, func(in term.Input) bool { return in.Type.Differentiable() }) {
			return nil
		}
		task := &Task{Lib: lib, Program: p, Env: c.Values(true, true), Bounds: DefaultBounds}
		b, d := dualOf(t, task)
		want, err := term.Interpret(b.Program.Store, b.Program.Root, term.FloatArrays(), b.Env)
		if err != nil {
			return err
		}
		if !sameBits(reals(want, nil), reals(d.value.x, nil)) {
			return fmt.Errorf("the value is %v, and over dual arrays %v", reals(want, nil), reals(d.value.x, nil))
		}
		if err := increasing(d.value.d, make(map[int]bool)); err != nil {
			return err
		}
		w, err := write(task, ShareCopies)
		if err != nil {
			return err
		}
		q, err := w.program()
		if err != nil {
			return err
		}
		byTerms, err := runProgram(floats, task, one(t, q))
		if err != nil {
			return err
		}
		byFloats, err := dualArraysRoute(floats, true)(task)
		if err != nil {
			return err
		}
		met++
		if !sameBits(byTerms.gradient, byFloats.gradient) {
			return fmt.Errorf("the gradient is %v, and by the program that is written %v", byFloats.gradient, byTerms.gradient)
		}
		return nil
	})
	if met < n/2 {
		t.Errorf("-seed %d: only %d programs", *seed, met)
	}
}

func one(t testing.TB, p *term.Program) *term.Program {
	q, err := ofOne(p)
	if err != nil {
		t.Fatal(err)
	}
	return q
}

// sameBits compares numbers; NaNs are equal, and so are zeros.
func sameBits(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return x == y || math.IsNaN(x) && math.IsNaN(y) })
}

// increasing checks invariant 2 of Section 2.5: ids in what is shared are smaller than its own.
func increasing[V any](d *arrayDelta[V], seen map[int]bool) error {
	var ids func(d *arrayDelta[V], below int) error
	ids = func(d *arrayDelta[V], below int) error {
		if d == nil {
			return nil
		}
		if d.kind == deltaShare {
			if d.n >= below {
				return fmt.Errorf("the id %d is in what has the id %d", d.n, below)
			}
			if seen[d.n] {
				return nil
			}
			seen[d.n] = true
			below = d.n
		}
		for _, e := range append([]*arrayDelta[V]{d.a, d.b}, d.of...) {
			if err := ids(e, below); err != nil {
				return err
			}
		}
		return nil
	}
	return ids(d, math.MaxInt)
}

// The construction of App. A computes the Jacobian.
func TestWrapper(t *testing.T) {
	for _, text := range []string{
		"def f(a: R[3], b: R): R[3] = sin a * a + b\n",
		"def f(a: R[2, 3]): R[3, 2] = build [3, 2] (\\i j -> a[j, i] * a[0, i] + 1)\n",
		"def f(a: R[3]): R[3] = scan (\\s x -> s * x + sin s) 0.5 a\n",
	} {
		task := taskOf(t, text, nil)
		w, err := write(task, ShareCopies)
		if err != nil {
			t.Fatal(err)
		}
		p, err := w.jacobian()
		if err != nil {
			t.Fatal(err)
		}
		j, err := ad.DenseJacobian(task.Lib, task.Program, ad.Options{}, ad.Cheapest)
		if err != nil {
			t.Fatal(err)
		}
		got, _, err := run(floats, task, p, task.Env)
		if err != nil {
			t.Fatal(err)
		}
		want, _, err := run(floats, task, j.Program, task.Env)
		if err != nil {
			t.Fatal(err)
		}
		for i, part := range want.Parts {
			for k, x := range part.R {
				if math.Abs(x-got.Parts[i].R[k]) > 1e-12*max(1, math.Abs(x)) {
					t.Errorf("%spart %d, element %d: %v, and the Jacobian has %v", text, i, k, got.Parts[i].R[k], x)
				}
			}
		}
	}
}

// What the pass writes is differentiated again, which Section 2.2 says cannot be: its second
// derivatives are those of the program.
func TestWrittenAgain(t *testing.T) {
	for _, c := range []struct {
		text  string
		sizes map[string]int64
	}{
		{"def f(a: R[3]): R = sum (exp a * a) * a[0]\n", nil},
		{"def f[n](a: R[n]): R = fold (\\s x -> s * x + sin s) 0.5 a\n", map[string]int64{"n": 3}},
		{"def f(x: R, a: R[3]): R = sum (if x < 1 then a * a * x else a)\n", nil},
	} {
		task := taskOf(t, c.text, c.sizes)
		w, err := write(task, ShareCopies)
		if err != nil {
			t.Fatal(err)
		}
		p, err := w.program()
		if err != nil {
			t.Fatal(err)
		}
		again, err := ad.JVP(task.Lib, one(t, p), ad.Options{})
		if err != nil {
			t.Fatal(err)
		}
		hvp, err := ad.HVP(task.Lib, task.Program, ad.Options{})
		if err != nil {
			t.Fatal(err)
		}
		env := term.Env[*term.Value[float64]]{}
		for name, v := range task.Env {
			env[name] = v
			env["d_"+name] = v
		}
		got, _, err := run(floats, task, again.Program, env)
		if err != nil {
			t.Fatal(err)
		}
		want, _, err := run(floats, task, hvp.Program, env)
		if err != nil {
			t.Fatal(err)
		}
		// The changes of value and gradient, and after value and gradient those of the gradient.
		g, h := reals(got.Parts[1], nil)[1:], reals(want, nil)
		h = h[len(h)-len(g):]
		for k := range g {
			if math.Abs(g[k]-h[k]) > 1e-12*max(1, math.Abs(h[k])) {
				t.Errorf("%s%v, and by the Hessian %v", c.text, g, h)
				break
			}
		}
	}
}
