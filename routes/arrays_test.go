package routes

import (
	"math"
	"testing"

	"egad/ad"
	"egad/term"
	"egad/term/eval"
)

// dualOf runs a task over dual arrays of floats, after the bulk-operation transform.
func dualOf(t testing.TB, task *Task) (*Task, *arrayRun[*eval.Value[float64]]) {
	t.Helper()
	b, err := task.prepared(true)
	if err != nil {
		t.Fatal(err)
	}
	d, err := newArrayRun(eval.Algebra[*eval.Value[float64]](floats.counting(b)), b)
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

func one(t testing.TB, p *term.Program) *term.Program {
	q, err := ofOne(p)
	if err != nil {
		t.Fatal(err)
	}
	return q
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
		got, n, err := run(floats, task, p, task.Env)
		if err != nil {
			t.Fatal(err)
		}
		if counted := eval.CountOps(p.Store, p.Root).Float; counted != n {
			t.Errorf("%s%d operations are counted, and it takes %d", text, counted, n)
		}
		if again, err := w.program(); err != nil || int64(elements(w.ct.Type))*eval.CountOps(again.Store, again.Root).Float <= n {
			t.Errorf("%sthe value costs nothing in the build, %v", text, err)
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
		env := eval.Env[*eval.Value[float64]]{}
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
