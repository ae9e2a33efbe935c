package ad

import (
	"maps"
	"math"
	"math/rand"
	"strings"
	"testing"

	"egad/fusion"
	"egad/internal/defs"
	"egad/rules"
	"egad/term"
	"egad/term/eval"
	"egad/term/types"
)

type env = eval.Env[*eval.Value[float64]]

// value is the result of a program, by kernels: bit for bit that of the evaluator.
func value(t *testing.T, p *term.Program, e env) *eval.Value[float64] {
	t.Helper()
	v, err := fusion.Run(p, e)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// with is base with some values replaced or added.
func with(base, more env) env {
	out := maps.Clone(base)
	maps.Copy(out, more)
	return out
}

// second is a program with data, the inputs to differentiate by, and the
// derivatives of second order.
type second struct {
	name      string
	lib       *rules.Library
	p         *term.Program
	at        env
	opt       Options
	hvp, hess *Derived
}

// secondCases are the smooth scalar programs of the tests, and the Gaussian
// mixture.
func secondCases(t *testing.T) []second {
	t.Helper()
	rng := rand.New(rand.NewSource(1))
	lib, m := defs.Load(t, "testdata/programs.egad")
	var out []second
	for _, name := range []string{"selfconv", "f2", "lse", "matnorm", "stencil", "lookup"} {
		info, err := m.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		sizes := make(map[string]int64)
		for i, s := range info.Sizes {
			sizes[s] = int64(2 + i)
		}
		p, err := m.Instantiate(name, sizes)
		if err != nil {
			t.Fatal(err)
		}
		at := make(env)
		for _, in := range p.Inputs {
			v, err := eval.FloatArrays().New(in.Type)
			if err != nil {
				t.Fatal(err)
			}
			for k := range v.R {
				v.R[k] = rng.NormFloat64()
			}
			for k := range v.N {
				v.N[k] = int64(rng.Intn(3))
			}
			at[in.Name] = v
		}
		out = append(out, second{name: name, lib: lib, p: p, at: at})
	}
	for _, data := range []string{"gmm_test", "gmm_d2_K5"} {
		lib, p, at := gmm(t, data)
		out = append(out, second{name: data, lib: lib, p: p, at: at, opt: Options{Wrt: gmmWrt}})
	}
	for i := range out {
		c := &out[i]
		var err error
		if c.hvp, err = HVP(c.lib, c.p, c.opt); err != nil {
			t.Fatal(err)
		}
		if c.hess, err = Hessian(c.lib, c.p, c.opt); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// TestSecondOrder compares Hessian-vector products with central differences of
// the gradient, and with the products of the Hessian.
func TestSecondOrder(t *testing.T) {
	rng := rand.New(rand.NewSource(2))
	for _, c := range secondCases(t) {
		grad, err := Grad(c.lib, c.p, c.opt)
		if err != nil {
			t.Fatal(err)
		}
		n := len(grad.Wrt)
		up, down, dirs := make(env), make(env), make(env)
		const h = 1e-5
		for i, in := range grad.Wrt {
			x := c.at[in.Name]
			d, u, v := *x, *x, *x
			d.R, u.R, v.R = make([]float64, len(x.R)), make([]float64, len(x.R)), make([]float64, len(x.R))
			for k := range x.R {
				d.R[k] = rng.NormFloat64()
				u.R[k], v.R[k] = x.R[k]+h*d.R[k], x.R[k]-h*d.R[k]
			}
			up[in.Name], down[in.Name] = &u, &v
			dirs[c.hvp.Program.Inputs[len(c.p.Inputs)+i].Name] = &d
		}
		hvp := value(t, c.hvp.Program, with(c.at, dirs))
		a, b := value(t, grad.Program, with(c.at, up)), value(t, grad.Program, with(c.at, down))
		hess := value(t, c.hess.Program, c.at)
		if len(hvp.Parts) != 1+2*n || len(hess.Parts) != 1+n+n*n {
			t.Fatalf("%s: %d and %d results for %d inputs", c.name, len(hvp.Parts), len(hess.Parts), n)
		}
		for i, in := range grad.Wrt {
			scale := 1.0
			for _, x := range hvp.Parts[1+n+i].R {
				scale = max(scale, math.Abs(x))
			}
			for k, got := range hvp.Parts[1+n+i].R {
				diff := (a.Parts[1+i].R[k] - b.Parts[1+i].R[k]) / (2 * h)
				if !(math.Abs(got-diff) <= 1e-6*scale) {
					t.Errorf("%s by %s, element %d: %v, by differences %v", c.name, in.Name, k, got, diff)
				}
				sum := 0.0
				for j := range grad.Wrt {
					d := dirs[c.hvp.Program.Inputs[len(c.p.Inputs)+j].Name].R
					for l, x := range d {
						sum += hess.Parts[1+n+i*n+j].R[k*len(d)+l] * x
					}
				}
				if !(math.Abs(got-sum) <= 1e-10*scale) {
					t.Errorf("%s by %s, element %d: %v, by the Hessian %v", c.name, in.Name, k, got, sum)
				}
			}
		}
	}
}

// TestThirdOrder differentiates the gradient of a gradient: programs of tuples
// are programs like others.
func TestThirdOrder(t *testing.T) {
	lib, m := defs.Load(t, "testdata/programs.egad")
	p, err := m.Instantiate("f2", nil)
	if err != nil {
		t.Fatal(err)
	}
	// f2 is x³ + x⁴.
	h, err := Hessian(lib, p, Options{})
	if err != nil {
		t.Fatal(err)
	}
	third, err := DenseJacobian(lib, h.Program, Options{}, Cheapest)
	if err != nil {
		t.Fatal(err)
	}
	at := env{"x": {Elem: types.R, R: []float64{0.5}}}
	by := value(t, third.Program, at).Parts[1]
	for k, want := range []float64{3*0.25 + 4*0.125, 6*0.5 + 12*0.25, 6 + 24*0.5} {
		if got := by.Parts[k].R[0]; math.Abs(got-want) > 1e-12 {
			t.Errorf("derivative %d is %v, want %v", k+1, got, want)
		}
	}
}

// TestSoftplus has both derivatives at the kink of max, where the function has
// none: 1/2 and 1/4.
func TestSoftplus(t *testing.T) {
	lib, m := defs.Load(t, "testdata/programs.egad")
	p, err := m.Instantiate("smooth", nil)
	if err != nil {
		t.Fatal(err)
	}
	h, err := Hessian(lib, p, Options{})
	if err != nil {
		t.Fatal(err)
	}
	v := value(t, h.Program, env{"x": {Elem: types.R, R: []float64{0}}})
	for i, want := range []float64{math.Log(2), 0.5, 0.25} {
		if got := v.Parts[i].R[0]; math.Abs(got-want) > 1e-15 {
			t.Errorf("derivative %d is %v, want %v", i, got, want)
		}
	}
}

// TestDenseErrors has results that are too large, or of the wrong type.
func TestDenseErrors(t *testing.T) {
	lib, m := defs.Load(t, "testdata/programs.egad")
	instance := func(name string, n int64) *term.Program {
		p, err := m.Instantiate(name, map[string]int64{"n": n})
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	for _, c := range []struct {
		derive func() (*Derived, error)
		want   string
	}{
		{func() (*Derived, error) { return Hessian(lib, instance("lse", 3000), Options{}) },
			"the Hessian of lse has 3000 rows of as many elements; the bound is 4194304"},
		{func() (*Derived, error) { return DenseJacobian(lib, instance("scaled", 3000), Options{}, Forward) },
			"the Jacobian of scaled has 3000 elements for each of 3001 real inputs; the bound is 4194304"},
		{func() (*Derived, error) { return Hessian(lib, instance("scaled", 2), Options{}) }, "a gradient is of a real scalar"},
		{func() (*Derived, error) { return HVP(lib, instance("scaled", 2), Options{}) }, "a gradient is of a real scalar"},
		{func() (*Derived, error) {
			return DenseJacobian(lib, instance("scaled", 2), Options{Wrt: []string{"q"}}, Reverse)
		}, "scaled has no input q to differentiate with respect to"},
	} {
		if _, err := c.derive(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("the error is %v, want %q", err, c.want)
		}
	}
}

// TestDenseEmpty takes derivatives where an axis has size 0.
func TestDenseEmpty(t *testing.T) {
	lib, m := defs.Load(t, "testdata/programs.egad")
	p, err := m.Instantiate("scaled", map[string]int64{"n": 0})
	if err != nil {
		t.Fatal(err)
	}
	at := env{"a": {Elem: types.R, Shape: []int{0}}, "s": {Elem: types.R, R: []float64{2}}}
	for _, mode := range []Mode{Forward, Reverse} {
		d, err := DenseJacobian(lib, p, Options{}, mode)
		if err != nil {
			t.Fatal(err)
		}
		if got := d.Program.Store.Type(d.Program.Root).String(); got != "(R[0], R[0, 0], R[0])" {
			t.Errorf("%s: the type is %s", mode, got)
		}
		value(t, d.Program, at)
	}
}
