package egad_test

import (
	"reflect"
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

// particle is an item of an array of tuples of type (R, R[3], I, (R, R)[k]).
type particle struct {
	Mass  float64
	At    [3]float64
	Kind  int
	Pairs []pairOfReals
	note  string
}

type pairOfReals struct{ A, B float64 }

const particlesText = `
def energy[n, k](p: (R, R[3], I, (R, R)[k])[n], g: R): R =
  sum (build n (\i -> let (m, x, kind, q) = p[i] in
    m * dot(x, x) * real kind + g * sum (map (\(a, b) -> a * b) q)))
`

// TestRows: a slice of structs is an array of tuples, as an input and as a place, and so
// in a struct of parameters.
func TestRows(t *testing.T) {
	f := compiled(t, particlesText, "", egad.Wrt("p"))
	p := []particle{
		{2, [3]float64{1, 2, 3}, 1, []pairOfReals{{1, 2}, {3, 4}}, "first"},
		{0.5, [3]float64{-1, 0, 1}, 2, []pairOfReals{{5, 6}, {7, 8}}, ""},
	}
	in := egad.In{"p": p, "g": 10}
	columns := egad.In{"g": 10, "p.0": []float64{2, 0.5}, "p.1": [][]float64{{1, 2, 3}, {-1, 0, 1}}, "p.2": []int{1, 2},
		"p.3": [][]pairOfReals{{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}}}
	v, g, err := f.Grad(in)
	if err != nil {
		t.Fatal(err)
	}
	if want := 2*14 + 0.5*2*2 + 10*(2+12+30+56); v != float64(want) {
		t.Errorf("the value is %v, want %v", v, want)
	}
	w, h, err := f.Grad(columns)
	if err != nil || w != v {
		t.Fatal(w, err)
	}
	for i, part := range append(g.Get("p").Parts[:2:2], g.Get("p").Parts[3].Parts...) {
		near(t, "by columns", part.R, append(h.Get("p").Parts[:2:2], h.Get("p").Parts[3].Parts...)[i].R)
	}
	want := []particle{
		{14, [3]float64{4, 8, 12}, 0, []pairOfReals{{20, 10}, {40, 30}}, ""},
		{4, [3]float64{-2, 0, 2}, 0, []pairOfReals{{60, 50}, {80, 70}}, ""},
	}
	var made []particle
	kept := []particle{{Kind: 7, note: "kept"}, {}}
	for _, to := range []any{&made, &kept, kept} {
		if _, err := f.GradInto(egad.Into{"p": to}, in); err != nil {
			t.Fatal(err)
		}
	}
	if !reflect.DeepEqual(made, want) {
		t.Errorf("the gradient is %v, want %v", made, want)
	}
	if want[0].note = "kept"; !reflect.DeepEqual(kept, want) {
		t.Errorf("the gradient is %v, want %v", kept, want)
	}
	if n := testing.AllocsPerRun(100, func() {
		if _, err := f.GradInto(egad.Into{"p": &kept}, in); err != nil {
			t.Fatal(err)
		}
	}); n > 3 { // of the map
		t.Errorf("%v allocations", n)
	}

	type params struct{ P []particle }
	of, err := egad.For[params](compiled(t, particlesText, ""))
	if err != nil {
		t.Fatal(err)
	}
	_, grad, err := of.Grad(params{p}, egad.In{"g": 10})
	if want[0].note = ""; err != nil || !reflect.DeepEqual(grad.P, want) {
		t.Errorf("the gradient is %v, want %v (%v)", grad.P, want, err)
	}
	_, moved, err := of.JVP(params{p}, grad, egad.In{"g": 10})
	if err != nil {
		t.Fatal(err)
	}
	near(t, "the change", moved.R, []float64{14*14 + 4*4 + 16 + 64 + 144 + 4 + 4 + 400 + 100 + 1600 + 900 + 3600 + 2500 + 6400 + 4900})

	flat := compiled(t, `def f[m, n](p: (R, I)[m, n]): (R, I)[m] = build m (\i -> (sum (build n (\j -> p[i, j].0)), 300 * p[i, 0].1))`, "")
	type entry struct {
		X float32
		N int8
	}
	grid := [][]*entry{{{1, 1}, {2, 2}}, {{3, 0}, {4, 4}}}
	var sums []struct {
		X float64
		N int
	}
	if err := flat.ValueInto(&sums, egad.In{"p": grid}); err != nil || len(sums) != 2 || sums[0].X != 3 || sums[0].N != 300 || sums[1].X != 7 {
		t.Errorf("%v %v", sums, err)
	}
	for name, c := range map[string]struct {
		x, to any
		want  string
	}{
		"no structs":     {[][]float64{{1, 2}}, nil, "and its value is of the Go type float64 where a tuple of 2 is expected"},
		"one axis":       {[]float64{1, 2}, nil, "and its value is of the Go type float64 where slices of tuples are expected"},
		"another number": {[][]particle{{{}}}, nil, "and its value is of the Go type egad_test.particle where a tuple of 2 is expected"},
		"nil":            {[][]*entry{{nil}}, nil, "and its value is nil"},
		"ragged":         {[][]entry{{{1, 2}, {1, 2}}, {{1, 2}}}, nil, "and its value is a slice of slices of lengths 2 and 1"},
		"anything":       {[][]any{{[]any{1.5, 2}, "text"}}, nil, "and its value is of the Go type string where a tuple of 2 is expected"},
		"a float":        {[][]struct{ X, N float64 }{{{1, 2}}}, nil, "and its value is of the Go type float64"},
		"a place":        {grid, &[]struct{ X, N float64 }{}, "and its place is a *[]struct { X float64; N float64 }"},
		"reals":          {grid, &[]float64{}, "and its place is a *[]float64"},
		"too small":      {grid, &[]entry{}, "the integer 300 does not fit int8"},
	} {
		if err := flat.ValueInto(c.to, egad.In{"p": c.x}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v; want %s", name, err, c.want)
		}
	}
	if _, err := egad.For[struct{ P []pairOfReals }](compiled(t, particlesText, "")); err == nil || !strings.Contains(err.Error(), "and stands for the input p") {
		t.Error(err)
	}
}
