package egad_test

import (
	"strings"
	"testing"

	"egad"

	"gonum.org/v1/gonum/mat"
)

// layer is a group of parameters that others embed.
type layer struct {
	W *mat.Dense `egad:"w1"`
	B []float64  `egad:"b1"`
}

type network struct {
	Out struct {
		W []float64
		N int
		B float64
	}
	layer
	Scale  float64 `egad:"scale"`
	Note   string  `egad:"-"`
	hidden int
}

const networkText = `
def loss[h, d, n](scale: R, out: (R[h], I, R), w1: R[h, d], b1: R[h], x: R[n, d], y: R[n]): R =
  mean (build n (\i ->
    square (out.2 + dot(out.0, build h (\k -> tanh (b1[k] + dot(w1[k], x[i])))) * scale - y[i])))
`

// TestFor: parameters are a struct, and so is the gradient.
func TestFor(t *testing.T) {
	f := compiled(t, networkText, "")
	g, err := egad.For[network](f)
	if err != nil {
		t.Fatal(err)
	}
	x, y := [][]float64{{1, 2}, {3, 4}, {-1, 0.5}}, []float64{1, -1, 0.5}
	p := network{Scale: 2, Note: "kept", hidden: 7}
	p.Out.W, p.Out.N, p.Out.B = []float64{0.5, -1}, 3, 0.25
	p.W, p.B = mat.NewDense(2, 2, []float64{0.1, 0.2, -0.3, 0.4}), []float64{0.05, -0.1}
	in := egad.In{"x": x, "y": y}
	all := egad.In{"scale": p.Scale, "out": p.Out, "w1": p.W, "b1": p.B, "x": x, "y": y}
	want, wg, err := f.Grad(all)
	if err != nil {
		t.Fatal(err)
	}
	same := func(how string, q network, by *egad.Values) {
		t.Helper()
		near(t, how+" by out.W", q.Out.W, by.Get("out").Parts[0].R)
		near(t, how+" by out.B", []float64{q.Out.B}, by.Get("out").Parts[2].R)
		near(t, how+" by w1", q.W.RawMatrix().Data, by.Get("w1").R)
		near(t, how+" by b1", q.B, by.Get("b1").R)
		near(t, how+" by scale", []float64{q.Scale}, by.Get("scale").R)
	}
	v, d, err := g.Grad(p, in)
	if err != nil || v != want {
		t.Fatal(v, err)
	}
	same("the gradient", d, wg)
	if u, err := g.Value(p, in); err != nil || u.R[0] != want {
		t.Error(u, err)
	}
	// The gradient is a direction: how fast the value grows that way.
	square := 0.0
	for name, u := range wg.All() {
		if name != "x" && name != "y" {
			for _, e := range append(u.R, flatParts(u)...) {
				square += e * e
			}
		}
	}
	_, change, err := g.JVP(p, d, in)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "the change", change.R, []float64{square})
	_, ct, err := g.VJP(p, in, 1)
	if err != nil {
		t.Fatal(err)
	}
	same("the cotangent", ct, wg)
	_, _, moved, err := g.HVP(p, d, in)
	if err != nil {
		t.Fatal(err)
	}
	_, _, wm, err := f.HVP(all, egad.In{"scale": d.Scale, "out": d.Out, "w1": d.W, "b1": d.B})
	if err != nil {
		t.Fatal(err)
	}
	same("the change of the gradient", moved, wm)
	if _, err := g.Value(p, egad.In{"x": x, "y": y, "scale": 3}); err == nil || message(t, err) != "input scale is given twice, among the parameters and beside them" {
		t.Error(err)
	}
	p.W = nil
	if _, _, err := g.Grad(p, in); err == nil || message(t, err) != "input w1: R[h, d], and its value is nil" {
		t.Error(err)
	}
	if _, err := g.GradInto(nil, nil, in); err == nil {
		t.Error("no parameters are no error")
	}
}

func flatParts(v *egad.Value) []float64 {
	var out []float64
	for _, p := range v.Parts {
		out = append(out, p.R...)
	}
	return out
}

// TestForErrors: structs that do not fit are refused, with the field.
func TestForErrors(t *testing.T) {
	f := compiled(t, `def f(w: R[2], b: R, k: I, p: (R, R)): R = w[k] + b + p.0 * p.1`, "")
	check := func(err error, want string) {
		t.Helper()
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want %s", err, want)
		}
		message(t, err)
	}
	_, err := egad.For[float64](f)
	check(err, "parameters are a struct, and float64 is none")
	_, err = egad.For[struct{ w []float64 }](f)
	check(err, "has no exported fields")
	_, err = egad.For[struct{ Q float64 }](f)
	check(err, "f has no input q")
	_, err = egad.For[struct{ K int }](f)
	check(err, "k: I has no real part")
	_, err = egad.For[struct{ W string }](f)
	check(err, "the field W of struct { W string } is string, and stands for the input w: R[2]")
	_, err = egad.For[struct{ B []float64 }](f)
	check(err, "is []float64, and stands for the input b: R")
	_, err = egad.For[struct{ P float64 }](f)
	check(err, "is float64, and stands for the input p: (R, R)")
	_, err = egad.For[struct {
		A, B float64 `egad:"b"`
	}](f)
	check(err, "the input b is named twice")
	type group struct{ B float64 }
	_, err = egad.For[struct {
		*group
		W [2]float64
	}](f)
	check(err, "is a pointer that is embedded, and a group is a struct")
	type hidden struct {
		b float64 `egad:"b"`
		W [2]float64
	}
	_, err = egad.For[hidden](f)
	check(err, `the field b of egad_test.hidden has the tag "b" and is not exported`)
	_ = hidden{}.b
	_, err = egad.For[struct {
		hidden
		P [2]float64 `egad:"-"`
	}](f)
	check(err, "is not exported")
	_, err = egad.For[struct{ B float64 }](nil)
	check(err, "there is no function")
	_, err = egad.For[struct{ B float64 }](compiled(t, `def f(b: R): R = b`, "", egad.Wrt("b")))
	check(err, "and Wrt is given too")
	_, err = egad.For[struct{ B *float64 }](f)
	check(err, "is *float64, and stands for the input b: R")
	type params struct {
		W [2]float64
		P [2]float64 `egad:"-"`
	}
	g, err := egad.For[params](f)
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(g.Func().Wrt(), " "); got != "w" {
		t.Errorf("by %s", got)
	}
	in := egad.In{"k": 1, "b": 2, "p": []any{1, 2}}
	if v, d, err := g.Grad(params{W: [2]float64{3, 4}}, in); err != nil || v != 8 || d.W != [2]float64{0, 1} {
		t.Error(v, d, err)
	}
	type other struct{ W [3]float64 }
	h, err := egad.For[other](f)
	if err != nil {
		t.Fatal(err)
	}
	_, _, err = h.Grad(other{}, in)
	check(err, "axis 0 of w: R[2] has length 2; here it is 3")
}
