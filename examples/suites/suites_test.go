// Package suites checks the programs of its folder, each against plain Go.
package suites

import (
	"math"
	"math/rand"
	"slices"
	"testing"
	"time"

	"egad"
	"egad/ad"
	"egad/fusion"
	_ "egad/internal/testflag" // it may hold more garbage
	"egad/kernel"
	"egad/term"
)

// step is that of derivatives by a step along the imaginary axis. As nothing is
// subtracted, they are right to the last digits.
const step = 1e-100

// program is a definition with inputs, and what it should compute.
type program struct {
	file, def string
	sizes     map[string]int64
	in        inputs
	// by is what is differentiated by; nil is all that is real.
	by []string
	// want computes the elements of the value, in plain Go. Complex numbers carry
	// derivatives: what decides asks for the real part.
	want func(x inputs) vec
	// cost is the most that value and gradient may do, in operations of the value.
	cost float64
	// long says that simplification would end, but after more iterations than there may be: what is
	// sent to places goes through one operation after the other.
	long bool
}

// inputs are the elements of inputs by name: of reals, and of integers.
type inputs map[string]input

type input struct {
	shape []int
	r     vec
	n     []int64
}

// env are the inputs of a program as its values.
func (x inputs) env(p *term.Program) egad.Env {
	env := make(egad.Env)
	for _, in := range p.Inputs {
		a := x[in.Name]
		v := &egad.Value{Elem: in.Type.Elem, Shape: a.shape, N: a.n}
		if a.n == nil {
			v = egad.Array(reals(a.r), a.shape...)
		}
		env[in.Name] = v
	}
	return env
}

func reals(x vec) []float64 {
	out := make([]float64, len(x))
	for i, z := range x {
		out[i] = real(z)
	}
	return out
}

// elements are the reals of a value, from left to right.
func elements(v *egad.Value) []float64 {
	out := slices.Clone(v.R)
	for _, p := range v.Parts {
		out = append(out, elements(p)...)
	}
	return out
}

// measured is what is printed of a program.
type measured struct {
	value, grad, forward float64 // errors
	took                 time.Duration
	ratio                float64
	kernels              int
	ops                  int64
}

// check compares value, cotangents and changes with those of want, and what kernels
// compute with what the evaluator does.
func check(t *testing.T, c program) (m measured) {
	t.Helper()
	mod, err := egad.Load(c.file + ".egad")
	if err != nil {
		t.Fatal(err)
	}
	p, err := mod.Instantiate(c.def, c.sizes)
	if err != nil {
		t.Fatal(err)
	}
	env := c.in.env(p)
	want := c.want(c.in)
	m.value = distance(elements(run(t, p, env)), reals(want))

	rng := rand.New(rand.NewSource(1))
	opt := ad.Options{Wrt: c.by}
	start := time.Now()
	back, err := mod.VJP(p, opt)
	if err != nil {
		t.Fatal(err)
	}
	m.took = time.Since(start)
	for _, s := range back.Stages {
		if s.Report != nil && s.Report.Stop.CutOff() && !c.long {
			t.Errorf("the stage %s was cut off by the %s", s.Name, s.Report.Stop)
		}
	}
	ct := direct(rng, back.Program.Inputs[len(p.Inputs):], env)
	got := run(t, back.Program, env)
	if v := elements(got.Parts[0]); distance(v, reals(want)) > 1e-11 {
		t.Errorf("the value beside the cotangents is %v, want %v", v, reals(want))
	}
	var wrt []string
	var slopes []float64
	for _, in := range back.Wrt {
		for _, leaf := range in.Leaves() {
			wrt = append(wrt, leaf.Name)
		}
	}
	for _, name := range wrt {
		for i := range c.in[name].r {
			c.in[name].r[i] += complex(0, step)
			sum := 0.0
			for k, z := range c.want(c.in) {
				sum += ct[k] * imag(z) / step
			}
			c.in[name].r[i] = complex(real(c.in[name].r[i]), 0)
			slopes = append(slopes, sum)
		}
	}
	m.grad = distance(elements(&egad.Value{Parts: got.Parts[1:]}), slopes)

	ahead, err := mod.JVP(p, opt)
	if err != nil {
		t.Fatal(err)
	}
	env = c.in.env(p)
	dir := direct(rng, ahead.Program.Inputs[len(p.Inputs):], env)
	change := elements(run(t, ahead.Program, env).Parts[1])
	m.forward = distance([]float64{dot(ct, change)}, []float64{dot(dir, slopes)})

	value, grad := lower(t, p), lower(t, back.Program)
	m.ratio = float64(grad.Counts().Float) / float64(value.Counts().Float)
	m.kernels, m.ops = len(grad.Kernels), value.Counts().Float
	return m
}

func lower(t *testing.T, p *term.Program) *kernel.Program {
	t.Helper()
	k, err := fusion.Lower(nil, p, nil)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// direct gives inputs that have no value one, and lists what it gave.
func direct(rng *rand.Rand, ins []term.Input, env egad.Env) []float64 {
	var out []float64
	for _, in := range ins {
		for _, leaf := range in.Leaves() {
			shape, n := make([]int, len(leaf.Type.Shape)), 1
			for i, s := range leaf.Type.Shape {
				k, _ := s.Const()
				shape[i], n = int(k), n*int(k)
			}
			x := make([]float64, n)
			for i := range x {
				x[i] = 0.5 + rng.Float64()
			}
			env[leaf.Name], out = egad.Array(x, shape...), append(out, x...)
		}
	}
	return out
}

// run runs a program by the evaluator and by kernels, which agree bit for bit.
func run(t *testing.T, p *term.Program, env egad.Env) *egad.Value {
	t.Helper()
	want, err := egad.Evaluate(p, env)
	if err != nil {
		t.Fatal(err)
	}
	got, err := egad.Run(p, env)
	if err != nil {
		t.Fatal(err)
	}
	a, b := elements(want), elements(got)
	for i := range a {
		if math.Float64bits(a[i]) != math.Float64bits(b[i]) {
			t.Fatalf("%s: element %d is %v by the evaluator, and %v by kernels", p.Name, i, a[i], b[i])
		}
	}
	return want
}

// distance is how far got is from want, where 1 is as far as want is from 0; it is
// infinite if they cannot be compared.
func distance(got, want []float64) float64 {
	if len(got) != len(want) {
		return math.Inf(1)
	}
	most, size := 0.0, math.SmallestNonzeroFloat64
	for i := range want {
		d := math.Abs(got[i] - want[i])
		if math.IsNaN(d) {
			return math.Inf(1)
		}
		most, size = max(most, d), max(size, math.Abs(want[i]))
	}
	return most / max(size, 1e-300)
}

func dot(a, b []float64) float64 {
	sum := 0.0
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}

func TestPrograms(t *testing.T) {
	for _, c := range programs() {
		t.Run(c.file+"/"+c.def, func(t *testing.T) {
			m := check(t, c)
			for _, e := range []struct {
				what string
				by   float64
			}{{"the value", m.value}, {"the gradient", m.grad}, {"the change", m.forward}} {
				if !(e.by <= 1e-9) {
					t.Errorf("%s is wrong by %.2g", e.what, e.by)
				}
			}
			if most := max(c.cost, 5); m.ratio > most {
				t.Errorf("value and gradient do %.2f times the operations of the value, more than %g", m.ratio, most)
			}
			if m.took > time.Minute {
				t.Errorf("it took %v to derive", m.took)
			}
			t.Logf("%-23s errors: value %.0g, gradient %.0g, change %.0g; %d operations, with gradient %.2f times as many; %d kernels; derived in %v",
				c.file+" "+c.def, m.value, m.grad, m.forward, m.ops, m.ratio, m.kernels, m.took.Round(time.Millisecond))
		})
	}
}
