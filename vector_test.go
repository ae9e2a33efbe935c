package egad_test

import (
	"math"
	"slices"
	"testing"

	"egad"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize"
)

// TestVector compares a function of one vector with the function of names.
func TestVector(t *testing.T) {
	f := compiled(t, `
def f[n](x: R[n], y: R[2, n], p: (R, (I, R[n])), k: I): R =
  p.0 * sum (sum (y * y)) + dot(x, p.1.1) * p.0 * p.0 + exp (x[k]) * real p.1.0
`, "", egad.Wrt("p", "x"))
	x := []float64{0.5, 1, -1}
	in := egad.In{"x": x, "y": [][]float64{{1, 2, 3}, {0, 1, 0}}, "p": []any{2, []any{3, []float64{1, 2, 3}}}, "k": 1}
	v, err := f.Vector(in)
	if err != nil {
		t.Fatal(err)
	}
	start := v.Start()
	if !slices.Equal(start, []float64{2, 1, 2, 3, 0.5, 1, -1}) {
		t.Fatalf("start at %v", start)
	}
	at := v.Values(start)
	if got := at.Get("p").Parts[1]; !slices.Equal(got.Parts[1].R, []float64{1, 2, 3}) || got.Parts[0].N[0] != 3 || at.Get("y") != nil || v.Values(nil).Get("x") != nil {
		t.Errorf("p.1 is %v", got)
	}
	if u, err := f.Value(egad.In{"x": at.Get("x"), "p": at.Get("p"), "y": in["y"], "k": 1}); err != nil || u.R[0] != v.Func(start) {
		t.Errorf("%v, %v", u, err)
	}
	value, g, h, err := f.Hessian(in)
	if err != nil {
		t.Fatal(err)
	}
	p := g.Get("p")
	want := slices.Concat(p.Parts[0].R, p.Parts[1].Parts[1].R, g.Get("x").R)
	x[0] = 100 // it has a copy
	grad := make([]float64, 7)
	if u := v.ValueGrad(start, grad); u != value || v.Func(start) != value || v.ValueGrad(start, nil) != value {
		t.Errorf("the value is %v, want %v", u, value)
	}
	near(t, "the gradient", grad, want)
	var hess mat.SymDense
	v.Hess(&hess, start)
	pp, px := h.Get("p").Get("p"), h.Get("p").Get("x")
	block := [][]float64{
		slices.Concat(pp.Parts[0].Parts[0].R, pp.Parts[0].Parts[1].Parts[0].R, px.Parts[0].R),
		slices.Concat(pp.Parts[1].Parts[0].Parts[0].R[:1], pp.Parts[1].Parts[0].Parts[1].Parts[0].R[:3], px.Parts[1].Parts[0].R[:3]),
	}
	near(t, "row 0 of the Hessian", mat.Row(nil, 0, &hess), block[0])
	near(t, "row 1 of the Hessian", mat.Row(nil, 1, &hess), block[1])
	near(t, "element 5, 5", []float64{hess.At(5, 5)}, []float64{3 * math.Exp(1)})
	if err := v.Err(); err != nil {
		t.Error(err)
	}
	// What does not fit is NaN, and an error afterwards.
	if !math.IsNaN(v.Func(nil)) || v.Err() == nil {
		t.Errorf("%v", v.Err())
	}
	if v.Grad(grad, start[:2]); !math.IsNaN(grad[0]) {
		t.Errorf("%v", grad)
	}
	small := mat.NewSymDense(1, nil)
	if v.Hess(small, start); !math.IsNaN(small.At(0, 0)) {
		t.Errorf("%v", small)
	}
	v.Hess(nil, nil)
}

// TestNewton minimizes by gonum with the Hessian.
func TestNewton(t *testing.T) {
	f := compiled(t, `def rosenbrock[n](x: R[n]): R =
		sum (build (n - 1) (\i -> 100 * square (x[i + 1] - x[i] * x[i]) + square (1 - x[i])))`, "")
	v, err := f.Vector(egad.In{"x": []float64{-1.2, 1, 0.5}})
	if err != nil {
		t.Fatal(err)
	}
	for _, method := range []optimize.Method{&optimize.Newton{}, &optimize.LBFGS{}} {
		r, err := optimize.Minimize(optimize.Problem{Func: v.Func, Grad: v.Grad, Hess: v.Hess}, v.Start(), nil, method)
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range r.X {
			if math.Abs(x-1) > 1e-6 {
				t.Errorf("%T: the minimum is at %v", method, r.X)
			}
		}
	}
	if v.Err() != nil {
		t.Error(v.Err())
	}
}
