package egad_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"egad"
	"egad/ad"
	"egad/data"
	"egad/diag"
	"egad/kernel/machine"
	"egad/term"
	"egad/term/types"

	"gonum.org/v1/gonum/mat"
)

// squares is the mean of squares of a linear model, with everything that a definition
// may take: a matrix, vectors, scalars, integers, truth values and a tuple.
const squares = `
def loss[m, n](w: R[n], b: R, x: R[m, n], y: R[m]): R =
  mean (build m (\i -> square (dot(x[i], w) + b - y[i])))
`

func compiled(t testing.TB, src, def string, opts ...egad.Option) *egad.Func {
	t.Helper()
	f, err := egad.Compile(src, def, opts...)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// squaresAt is the loss and its gradient by w and b, by hand.
func squaresAt(w []float64, b float64, x, y []float64) (v float64, dw []float64, db float64) {
	m, n := len(y), len(w)
	dw = make([]float64, n)
	for i := range m {
		r := b - y[i]
		for j := range n {
			r += x[i*n+j] * w[j]
		}
		v += r * r / float64(m)
		db += 2 * r / float64(m)
		for j := range n {
			dw[j] += 2 * r * x[i*n+j] / float64(m)
		}
	}
	return v, dw, db
}

func TestGrad(t *testing.T) {
	f := compiled(t, squares, "loss", egad.Wrt("b", "w"))
	if got := strings.Join(f.Wrt(), " "); got != "b w" || f.Name() != "loss" {
		t.Errorf("%s by %s", f.Name(), got)
	}
	for _, m := range []int{3, 1, 5, 3} { // sizes come from the data
		w, b := []float64{1, 2}, 0.5
		x, y := make([]float64, 2*m), make([]float64, m)
		for i := range x {
			x[i] = float64(i*i%7) - 1
		}
		for i := range y {
			y[i] = float64(i)
		}
		want, dw, db := squaresAt(w, b, x, y)
		v, g, err := f.Grad(egad.In{"w": w, "b": b, "x": egad.Matrix(x, m, 2), "y": y})
		if err != nil {
			t.Fatal(err)
		}
		near(t, "the value", []float64{v}, []float64{want})
		near(t, "by w", g.Get("w").R, dw)
		near(t, "by b", g.Get("b").R, []float64{db})
		if g.Get("x") != nil || g.Get("") != nil || strings.Join(g.Names(), " ") != "b w" {
			t.Errorf("derivatives by %v", g.Names())
		}
		for name, d := range g.All() {
			if d != g.Get(name) {
				t.Errorf("%s is not what All gives", name)
			}
		}
		u, err := f.Value(egad.In{"w": w, "b": b, "x": egad.Matrix(x, m, 2), "y": y})
		if err != nil || u.R[0] != v {
			t.Errorf("%v, %v; want %v", u, err, v)
		}
	}
}

// TestForms gives one definition the same numbers in all forms that Go has for them.
func TestForms(t *testing.T) {
	f := compiled(t, `
def f[m, n](a: R[m, n], v: R[n], s: R, k: I[m], c: B[n], p: (R, (I, R[n]))): R =
  sum (sum a) + dot(v, p.1.1) * s + p.0 * real (sum k + p.1.0) + sum (where c v (2.0 * v))
`, "")
	type floats []float64
	type pair struct {
		N int
		V []float64
	}
	type tuple struct {
		hidden string
		X      float64
		P      pair
	}
	five, three := 5.0, 3
	row := []float64{1, 2, 3}
	dense := mat.NewDense(3, 4, []float64{1, 2, 3, 0, 4, 5, 6, 0, 0, 0, 0, 0})
	column := mat.NewDense(3, 2, []float64{1, 0, 2, 0, 3, 0})
	path := filepath.Join(t.TempDir(), "in.json")
	if err := os.WriteFile(path, []byte(`{"a": [[1, 2, 3], [4, 5, 6]], "v": [1, 2, 3], "c": [true, false, true], "k": [3, 4], "p": [7, [3, [1, 2, 3]]]}`), 0o666); err != nil {
		t.Fatal(err)
	}
	read, err := egad.ReadJSON(path)
	if err != nil {
		t.Fatal(err)
	}
	forms := map[string][]any{
		"a": {
			[][]float64{{1, 2, 3}, {4, 5, 6}}, egad.Matrix([]float64{1, 2, 3, 4, 5, 6}, 2, 3), [2][3]float64{{1, 2, 3}, {4, 5, 6}},
			[]floats{{1, 2, 3}, {4, 5, 6}}, [][]int{{1, 2, 3}, {4, 5, 6}}, mat.NewDense(2, 3, []float64{1, 2, 3, 4, 5, 6}),
			dense.Slice(0, 2, 0, 3), mat.NewDense(3, 2, []float64{1, 4, 2, 5, 3, 6}).T(), &[][]float64{{1, 2, 3}, {4, 5, 6}},
			[]any{[]float64{1, 2, 3}, []int{4, 5, 6}}, read["a"], [][3]float32{{1, 2, 3}, {4, 5, 6}}, []*[]float64{{1, 2, 3}, {4, 5, 6}},
		},
		"v": {row, &row, floats{1, 2, 3}, [3]float64{1, 2, 3}, mat.NewVecDense(3, row), column.ColView(0), []int{1, 2, 3}, []uint8{1, 2, 3}, egad.Array(row, 3), []any{1, 2.0, float32(3)}, read["v"]},
		"s": {5.0, &five, 5, int8(5), uint(5), float32(5), egad.Array([]float64{5})},
		"k": {[]int{3, 4}, []int64{3, 4}, [2]int32{3, 4}, []uint{3, 4}, []any{3, int64(4)}, read["k"]},
		"c": {[]bool{true, false, true}, [3]bool{true, false, true}, []any{true, false, true}, read["c"]},
		"p": {
			tuple{"", 7, pair{3, row}}, &tuple{"", 7, pair{3, row}}, []any{7.0, []any{&three, row}}, []any{7, pair{3, row}},
			struct {
				X int
				P *pair
			}{7, &pair{3, row}}, read["p"],
			&egad.Value{Parts: []*egad.Value{egad.Array([]float64{7}), {Parts: []*egad.Value{{Elem: types.I, N: []int64{3}}, egad.Array(row, 3)}}}},
		},
	}
	in := make(egad.In)
	for name, xs := range forms {
		in[name] = xs[0]
	}
	const want = 21 + 14*5 + 7*(7+3) + 1 + 4 + 3
	for name, xs := range forms {
		for i, x := range xs {
			in[name] = x
			if v, err := f.Value(in); err != nil || v.R[0] != want {
				t.Errorf("%s: form %d, a %T: %v, %v", name, i, x, v, err)
			}
		}
		in[name] = xs[0]
	}
	delete(in, "p")
	in["p.0"], in["p.1"] = 7, pair{3, row}
	if v, err := f.Value(in); err != nil || v.R[0] != want {
		t.Errorf("components: %v, %v", v, err)
	}
	delete(in, "p.1")
	in["p.1.0"], in["p.1.1"] = 3, row
	if v, err := f.Value(in); err != nil || v.R[0] != want {
		t.Errorf("components of components: %v, %v", v, err)
	}
}

// TestSizesGiven: a size that no input tells is given by its name.
func TestSizesGiven(t *testing.T) {
	f := compiled(t, `def f[k, m, n](x: R[k * k], y: R[m, n]): R = sum x * real k + real n + sum (sum y)`, "")
	x := []float64{1, 2, 3, 4}
	path := filepath.Join(t.TempDir(), "k.json")
	if err := os.WriteFile(path, []byte(`{"k": 2}`), 0o666); err != nil {
		t.Fatal(err)
	}
	read, err := egad.ReadJSON(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range []any{2, int64(2), uint8(2), read["k"]} {
		v, err := f.Value(egad.In{"x": x, "k": k, "y": [][]float64{{1}}})
		if err != nil || v.R[0] != 22 {
			t.Errorf("%T: %v, %v", k, v, err)
		}
	}
	for _, c := range []struct {
		in   egad.In
		want string
	}{
		{egad.In{"x": x, "y": [][]float64{{1}}}, "the size k of f is not known"},
		{egad.In{"x": x, "k": 3, "y": [][]float64{{1}}}, "k*k = 9"},
		{egad.In{"x": x, "k": -3, "y": [][]float64{{1}}}, "the size k of f is a whole number that is not negative, and is given as -3"},
		{egad.In{"x": x, "k": "2", "y": [][]float64{{1}}}, "the size k of f is a whole number that is not negative, and what is given is of the Go type string"},
		{egad.In{"x": x, "k": 2.0, "y": [][]float64{{1}}}, "the size k of f is a whole number that is not negative, and what is given is of the Go type float64"},
		{egad.In{"x": x, "k": 2, "m": 7, "y": [][]float64{{1}}}, "m is 7 as given and 1 by y (axis 0)"},
		{egad.In{"x": x, "k": 2, "y": [][]float64{}}, "the size n of f is not known"},
	} {
		if v, err := f.Value(c.in); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v, %v; want %s", c.in, v, err, c.want)
		}
	}
	for _, y := range []any{[][]float64{}, egad.Matrix(nil, 0, 4)} {
		v, err := f.Value(egad.In{"x": x, "k": 2, "n": 4, "y": y})
		if err != nil || v.R[0] != 24 {
			t.Errorf("%v, %v", v, err)
		}
	}
}

// TestProducts compares products with the Jacobian.
func TestProducts(t *testing.T) {
	f := compiled(t, `def f[n](x: R[n], p: (R, I), y: R[n]): (R[n], R, I) = (x * x * y * p.0, sum x * p.0, p.1)`, "", egad.Wrt("p", "x"))
	in := egad.In{"x": []float64{1, 2, 3}, "p": []any{2.0, 5}, "y": []float64{1, -1, 2}}
	v, j, err := f.Jacobian(in)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "the value", v.Parts[0].R, []float64{2, -8, 36})
	near(t, "the Jacobian by x", j.Get("x").Parts[0].R, []float64{4, 0, 0, 0, -8, 0, 0, 0, 24})
	near(t, "the Jacobian by p", j.Get("p").Parts[0].Parts[0].R, []float64{1, -4, 18})
	near(t, "the Jacobian of the sum", j.Get("p").Parts[1].Parts[0].R, []float64{6})

	u, change, err := f.JVP(in, egad.In{"x": []float64{1, 0, 1}, "p.0": 10})
	if err != nil || !slices.Equal(u.Parts[0].R, v.Parts[0].R) {
		t.Fatal(u, err)
	}
	near(t, "the change", change.Parts[0].R, []float64{4 + 10, -40, 24 + 180})
	near(t, "the change of the sum", change.Parts[1].R, []float64{4 + 60})

	u, ct, err := f.VJP(in, []any{[]float64{1, 0, 1}, 10})
	if err != nil || !slices.Equal(u.Parts[0].R, v.Parts[0].R) {
		t.Fatal(u, err)
	}
	near(t, "the cotangent of x", ct.Get("x").R, []float64{4 + 20, 20, 24 + 20})
	near(t, "the cotangent of p", ct.Get("p").Parts[0].R, []float64{1 + 18 + 60})

	h := compiled(t, `def h[n](x: R[n], s: R): R = s * s * sum (x * x * x)`, "")
	at := egad.In{"x": []float64{1, 2}, "s": 3.0}
	value, g, hv, err := h.HVP(at, egad.In{"s": 1})
	if err != nil || value != 81 {
		t.Fatal(value, err)
	}
	near(t, "the gradient by x", g.Get("x").R, []float64{27, 108})
	near(t, "the change of the gradient by x", hv.Get("x").R, []float64{18, 72})
	near(t, "the change of the gradient by s", hv.Get("s").R, []float64{18})
	value, g, hess, err := h.Hessian(at)
	if err != nil || value != 81 {
		t.Fatal(value, err)
	}
	near(t, "the gradient by s", g.Get("s").R, []float64{54})
	near(t, "x, x", hess.Get("x").Get("x").R, []float64{54, 0, 0, 108})
	near(t, "x, s", hess.Get("x").Get("s").R, []float64{18, 72})
	near(t, "s, x", hess.Get("s").Get("x").R, []float64{18, 72})
	near(t, "s, s", hess.Get("s").Get("s").R, []float64{18})
	if hess.Get("y") != nil || hess.Get("y").Get("x") != nil {
		t.Error("there are second derivatives by what there is not")
	}
}

// TestInto computes into places of the caller, in all forms.
func TestInto(t *testing.T) {
	f := compiled(t, `def f[m, n](a: R[m, n], p: (R, R[n]), x: R[n]): R = p.0 * dot(p.1, x) + sum (sum (a * a))`, "")
	in := egad.In{"a": [][]float64{{1, 2}, {3, 4}, {5, 6}}, "p": []any{2, []int{7, 8}}, "x": []float64{1, 10}}
	want := map[string][]float64{"a": {2, 4, 6, 8, 10, 12}, "p.0": {87}, "p.1": {2, 20}, "x": {14, 16}}
	type tuple struct {
		X float64
		V []float64
	}
	type floats []float64
	flat := func(x [][]float64) []float64 { return slices.Concat(x...) }
	check := func(name, how string, got []float64) {
		t.Helper()
		near(t, name+" into "+how, got, want[name])
	}
	into := func(to egad.Into) {
		t.Helper()
		if v, err := f.GradInto(to, in); err != nil || v != 2*87+91 {
			t.Fatal(v, err)
		}
	}
	rows := [][]float64{{0, 0}, {0, 0}, {0, 0}}
	var grown [][]float64
	var fixed [3][2]float64
	dense, empty, view := mat.NewDense(3, 2, nil), new(mat.Dense), mat.NewDense(4, 4, nil)
	var none *mat.Dense
	value := new(egad.Value)
	for _, place := range []struct {
		to  any
		got func() []float64
	}{
		{rows, func() []float64 { return flat(rows) }},
		{&grown, func() []float64 { return flat(grown) }},
		{&fixed, func() []float64 { return slices.Concat(fixed[0][:], fixed[1][:], fixed[2][:]) }},
		{dense, func() []float64 { return dense.RawMatrix().Data }},
		{empty, func() []float64 { return empty.RawMatrix().Data }},
		{&none, func() []float64 { return none.RawMatrix().Data }},
		{view.Slice(1, 4, 1, 3), func() []float64 {
			var d mat.Dense
			d.CloneFrom(view.Slice(1, 4, 1, 3))
			return d.RawMatrix().Data
		}},
		{value, func() []float64 { return value.R }},
		{value, func() []float64 { return value.R }}, // again
	} {
		into(egad.Into{"a": place.to})
		check("a", fmt.Sprintf("%T", place.to), place.got())
	}
	var s tuple
	s2 := []any{new(float64), []float64{0, 0}}
	var number float64
	var vector mat.VecDense
	named := floats{0, 0}
	into(egad.Into{"p": &s, "x": named})
	check("p.0", "a struct", []float64{s.X})
	check("p.1", "a struct", s.V)
	check("x", "a named type", named)
	into(egad.Into{"p": s2, "x": &vector})
	check("p.0", "anything", []float64{*s2[0].(*float64)})
	check("p.1", "anything", s2[1].([]float64))
	check("x", "a vector", vector.RawVector().Data)
	into(egad.Into{"p.0": &number})
	check("p.0", "a number", []float64{number})

	// A place may be an input.
	x := []float64{1, 10}
	in["x"] = x
	into(egad.Into{"x": x})
	check("x", "itself", x)
	in["x"] = []float64{1, 10}

	for _, c := range []struct {
		to   egad.Into
		want string
	}{
		{egad.Into{"x": []float64{0}}, "the derivative by x: R[2], and its place is a []float64 of length 1"},
		{egad.Into{"x": []int{0, 0}}, "the derivative by x: R[2], and its place is a []int of length 2"},
		{egad.Into{"x": []string{"", ""}}, "the derivative by x: R[2], and its place is a []string of length 2"},
		{egad.Into{"x": 1.0}, "the derivative by x: R[2], and its place is a float64"},
		{egad.Into{"x": (*[]float64)(nil)}, "the derivative by x: R[2], and its place is nil"},
		{egad.Into{"x": [2]float64{}}, "the derivative by x: R[2], and its place is a [2]float64"},
		{egad.Into{"x": mat.NewVecDense(3, nil)}, "the derivative by x: R[2], and its place is a *mat.VecDense of shape [3, 1]"},
		{egad.Into{"x": mat.NewDense(2, 1, nil)}, "the derivative by x: R[2], and its place is a *mat.Dense of shape [2, 1]"},
		{egad.Into{"a": make([]float64, 6)}, "the derivative by a: R[3, 2], and its place is a []float64 of length 6; egad.Array(x, 3, 2), of that slice x, is one"},
		{egad.Into{"a": make([]float64, 5)}, "the derivative by a: R[3, 2], and its place is a []float64 of length 5"},
		{egad.Into{"a": mat.NewDense(2, 3, nil)}, "the derivative by a: R[3, 2], and its place is a *mat.Dense of shape [2, 3]"},
		{egad.Into{"a": egad.Matrix(nil, 0, 0)}, "the derivative by a: R[3, 2], and its place is a value R of shape [0, 0]"},
		{egad.Into{"p": new(float64)}, "the derivative by p: (R, R[2]), and its place is of the Go type *float64"},
		{egad.Into{"p": []any{nil, nil, nil}}, "the derivative by p: (R, R[2]), and its place is of the Go type []interface {}"},
		{egad.Into{"y": new(float64)}, "a place is given for y, and the derivative is with respect to a, p, x"},
		{egad.Into{"p": &s, "p.0": new(float64)}, "a place is given for a component and for the whole"},
	} {
		_, err := f.GradInto(c.to, in)
		if err == nil || message(t, err) != c.want {
			t.Errorf("%v: %v; want %s", c.to, err, c.want)
		}
	}
}

// TestPlacesAfterErrors: a call that fails changes nothing of its places.
func TestPlacesAfterErrors(t *testing.T) {
	f := compiled(t, `def f[n](x: R[n], p: (R, I)): (R[n], (R, R)) = (x * x, (p.0, 1))`, "")
	in := func(n int) egad.In { return egad.In{"x": make([]float64, n), "p": []any{1, 2}} }
	untouched := func(how string, places ...*egad.Value) {
		t.Helper()
		for _, v := range places {
			if v.Parts != nil || v.Shape != nil || v.R != nil {
				t.Errorf("%s: a place is %+v", how, *v)
			}
		}
	}
	var value, change, dp egad.Value
	if f.JVPInto(&value, 3, in(2), nil) == nil {
		t.Error("3 is a place")
	}
	untouched("JVPInto", &value)
	if f.VJPInto(&value, egad.Into{"p": &dp, "x": 3}, in(2), []any{[]float64{1, 2}, []any{3, 4}}) == nil {
		t.Error("3 is a place")
	}
	untouched("VJPInto", &value, &dp)
	g := compiled(t, `def g[n](x: R[n], p: (R, I)): R = sum (x * x) * p.0`, "")
	if _, err := g.HVPInto(egad.Into{"x": 3}, egad.Into{"p": &change}, in(2), nil); err == nil {
		t.Error("3 is a place")
	}
	if _, err := g.HVPInto(nil, egad.Into{"p": &change, "x": 3}, in(2), nil); err == nil {
		t.Error("3 is a place")
	}
	untouched("HVPInto", &change)
	ctx, cancel := context.WithCancel(t.Context())
	long := compiled(t, `def f(x: R): (R, (R, R)) = (iterate 100000000 (\s -> s + sin s) x, (x, x))`, "").WithContext(ctx)
	time.AfterFunc(50*time.Millisecond, cancel)
	if long.ValueInto(&value, egad.In{"x": 1}) == nil {
		t.Error("a call did not end")
	}
	untouched("a call that is ended", &value)

	_, blocks, err := f.JacobianBlocks(in(2))
	if err != nil {
		t.Fatal(err)
	}
	before := fmt.Sprint(blocks.Blocks[0].Values, len(blocks.Blocks))
	if f.JacobianBlocksInto(3, blocks, in(3)) == nil {
		t.Error("3 is a place")
	}
	if after := fmt.Sprint(blocks.Blocks[0].Values, len(blocks.Blocks)); after != before {
		t.Errorf("blocks are %s, and were %s", after, before)
	}
	if err := f.JacobianBlocksInto(nil, blocks, in(3)); err != nil || blocks.Blocks[0].Values.Shape[0] != 3 {
		t.Error(err, blocks.Blocks[0].Values)
	}
}

// message is the message of an error alone.
func message(t testing.TB, err error) string {
	t.Helper()
	var e *egad.Error
	if !errors.As(err, &e) {
		t.Fatalf("not an Error: %v", err)
	}
	return e.Msg
}

// TestCallErrors calls with what does not fit: errors say where and what was expected.
func TestCallErrors(t *testing.T) {
	f := compiled(t, "-- a comment\n"+`def f[m, n](a: R[m, n], v: R[n], k: I, c: B, p: (R, R[2])): R = sum (sum a) + sum v + real k`, "f", egad.Wrt("a", "v", "p"))
	good := func() egad.In {
		return egad.In{"a": [][]float64{{1, 2}}, "v": []float64{1, 2}, "k": 1, "c": true, "p": []any{1, []int{1, 2}}}
	}
	with := func(name string, x any) egad.In {
		in := good()
		in[name] = x
		return in
	}
	without := func(name string) egad.In {
		in := good()
		delete(in, name)
		return in
	}
	if _, err := f.Value(good()); err != nil {
		t.Fatal(err)
	}
	raw := func(text string) *data.Raw {
		r, err := data.ReadJSONValue(&diag.Source{Name: "value", Text: text})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	if _, err := f.Value(with("c", raw("1"))); err != nil {
		t.Error(err)
	}
	cyclic := []any{nil}
	cyclic[0] = cyclic
	var loop any
	loop = &loop
	for _, c := range []struct {
		in   egad.In
		line int
		col  int
		want string // expected type
		msg  string
	}{
		{nil, 2, 5, "R[m, n]", "the input a: R[m, n] is missing; no input is given"},
		{without("v"), 2, 5, "R[n]", "the input v: R[n] is missing; a, k, c, p.0, p.1 are given"},
		{without("p"), 2, 5, "(R, R[2])", "the input p: (R, R[2]) is missing; a, v, k, c are given"},
		{with("q", 1), 2, 5, "", "f has no input q; it has a, v, k, c, p"},
		{with("vv", 1), 2, 5, "", "f has no input vv (did you mean v?)"},
		{with("p.0", 1), 2, 5, "", "a component of an input of f is given beside the whole"},
		{with("v", nil), 2, 25, "R[n]", "input v: R[n], and its value is nil"},
		{with("v", []float64(nil)), 2, 25, "R[n]", "n is 2 by a (axis 1) and 0 by v (axis 0)"},
		{with("v", (*float64)(nil)), 2, 25, "R[n]", "input v: R[n], and its value is nil"},
		{with("v", (*mat.VecDense)(nil)), 2, 25, "R[n]", "input v: R[n], and its value is nil"},
		{with("v", (*egad.Value)(nil)), 2, 25, "R[n]", "input v: R[n], and its value is nil"},
		{with("v", "text"), 2, 25, "R[n]", "input v: R[n], and its value is of the Go type string"},
		{with("v", map[string]int{}), 2, 25, "R[n]", "input v: R[n], and its value is of the Go type map[string]int"},
		{with("v", make(chan int)), 2, 25, "R[n]", "input v: R[n], and its value is of the Go type chan int"},
		{with("v", func() {}), 2, 25, "R[n]", "input v: R[n], and its value is of the Go type func()"},
		{with("v", []bool{true, true}), 2, 25, "R[n]", "input v: R[n], and its value is of the Go type bool"},
		{with("v", complex(1, 2)), 2, 25, "R[n]", "input v: R[n], and its value is of the Go type complex128"},
		{with("v", 1.0), 2, 25, "R[n]", "v is R[n], so that an array of rank 1 is expected, and this is a number"},
		{with("v", [][]float64{{1, 2}}), 2, 25, "R[n]", "v is R[n], so that an array of rank 1 is expected, and this is an array of shape [1, 2]"},
		{with("v", []float64{1, 2, 3}), 2, 25, "R[n]", "n is 2 by a (axis 1) and 3 by v (axis 0)"},
		{with("v", []any{1, nil}), 2, 25, "R[n]", "input v: R[n], and its value is nil"},
		{with("v", []any{1, []int{2}}), 2, 25, "R[n]", "input v: R[n], and its value is a slice of numbers and of slices"},
		{with("v", &egad.Value{}), 2, 25, "R[n]", "input v: R[n], and its value is an array of no element type"},
		{with("v", &egad.Value{Elem: types.I, Shape: []int{2}, N: []int64{1, 2}}), 2, 25, "R[n]", "input v: R[n], and its value is an array of I"},
		{with("v", egad.Array([]float64{1, 2}, -2)), 2, 25, "R[n]", "input v: R[n], and its value is of shape [-2]"},
		{with("v", egad.Array([]float64{1, 2, 3}, 2)), 2, 25, "R[n]", "input v: R[n], and its value is R[2] with 3 elements"},
		{with("v", cyclic), 2, 25, "R[n]", "input v: R[n], and its value is of more than 16 slices or pointers within each other"},
		{with("v", &loop), 2, 25, "R[n]", "input v: R[n], and its value is of more than 16 slices or pointers within each other"},
		{with("a", [][]float64{{1, 2}, {3}}), 2, 13, "R[m, n]", "input a: R[m, n], and its value is a slice of slices of lengths 2 and 1"},
		{with("a", []any{[]int{1, 2}, 3}), 2, 13, "R[m, n]", "input a: R[m, n], and its value is a slice of numbers and of slices"},
		{with("k", 1.0), 2, 34, "I", "input k: I, and its value is of the Go type float64"},
		{with("k", uint64(math.MaxUint64)), 2, 34, "I", "input k: I, and its value is the number 18446744073709551615, where the largest I is 9223372036854775807"},
		{with("k", []uint64{1, 1 << 63}), 2, 34, "I", "input k: I, and its value is an array with the number 9223372036854775808, where the largest I is 9223372036854775807"},
		{with("c", raw("2")), 2, 40, "B", "input c: B, and its value is a number with the element 2, neither 0 nor 1"},
		{with("k", mat.NewDense(1, 1, nil)), 2, 34, "I", "input k: I, and its value is a matrix of reals (*mat.Dense)"},
		{with("c", 1), 2, 40, "B", "input c: B, and its value is of the Go type int"},
		{with("c", &egad.Value{Elem: types.B, N: []int64{2}}), 2, 40, "B", "input c: B, and its value is B with the element 2, neither 0 nor 1"},
		{with("p", 1.0), 2, 46, "(R, R[2])", "input p: (R, R[2]), and its value is of the Go type float64"},
		{with("p", []any{1.0}), 2, 46, "(R, R[2])", "input p: (R, R[2]), and its value is of the Go type []interface {}"},
		{with("p", []any{1.0, 2.0}), 2, 46, "R[2]", "p.1 is R[2], so that an array of rank 1 is expected, and this is a number"},
		{with("p", []any{1.0, []int{1}}), 2, 46, "R[2]", "axis 0 of p.1: R[2] has length 2; here it is 1"},
		{with("p", struct{ x, Y float64 }{1, 2}), 2, 46, "(R, R[2])", "input p: (R, R[2]), and its value is of the Go type struct { x float64; Y float64 }"},
		{with("k", raw("1.5")), 2, 34, "I", "input k: I, and its value is a number with the element 1.5"},
		{with("k", raw("true")), 2, 34, "I", "input k: I, and its value is a truth value"},
		{with("v", raw("[1, [2]]")), 2, 25, "R[n]", "input v: R[n], and its value is a list of 2 items of different shapes"},
		{with("p", raw("[1, [2], 3]")), 2, 46, "(R, R[2])", "input p: (R, R[2]), and its value is a list of 3 items of different shapes"},
		{with("p", (*struct{ X, Y float64 })(nil)), 2, 46, "(R, R[2])", "input p: (R, R[2]), and its value is of the Go type *struct { X float64; Y float64 }"},
	} {
		calls := map[string]func() error{
			"Value":    func() error { _, err := f.Value(c.in); return err },
			"Grad":     func() error { _, _, err := f.Grad(c.in); return err },
			"Jacobian": func() error { _, _, err := f.Jacobian(c.in); return err },
			"Vector":   func() error { _, err := f.Vector(c.in); return err },
		}
		for how, call := range calls {
			err := call()
			var e *egad.Error
			if !errors.As(err, &e) {
				t.Errorf("%s: %v is no Error; want %s", how, err, c.msg)
				continue
			}
			file, line, col := e.Position()
			if file != "program.egad" || line != c.line || col != c.col || e.Want != c.want || e.Msg != c.msg {
				t.Errorf("%s: %s:%d:%d, want %q: %s\nwant %d:%d, %q: %s", how, file, line, col, e.Want, e.Msg, c.line, c.col, c.want, c.msg)
			}
		}
	}
	for _, c := range []struct {
		err  func() error
		want string
	}{
		{func() error { _, _, err := f.JVP(good(), egad.In{"v": []float64{1}}); return err }, "the direction of v: R[2], and its value is R[1]"},
		{func() error { _, _, err := f.JVP(good(), egad.In{"k": 1}); return err }, "a direction is given for k, and the derivative is with respect to a, v, p"},
		{func() error { _, _, err := f.JVP(good(), egad.In{"m": 1}); return err }, "a direction is given for m, and the derivative is with respect to a, v, p"},
		{func() error { _, _, err := f.JVP(good(), egad.In{"vv": 1}); return err }, "a direction is given for vv, and the derivative is with respect to a, v, p (did you mean v?)"},
		{func() error { _, _, err := f.JVP(good(), egad.In{"q": 1}); return err }, "a direction is given for q, and the derivative is with respect to a, v, p"},
		{func() error { _, _, err := f.JVP(good(), egad.In{"p.1": []float64{1, 2, 3}}); return err }, "the direction of p.1: R[2], and its value is R[3]"},
		{func() error { _, _, _, err := f.HVP(good(), egad.In{"a": nil}); return err }, "the direction of a: R[1, 2], and its value is nil"},
		{func() error { _, _, err := f.VJP(good(), nil); return err }, "the cotangent: R, and its value is nil"},
		{func() error { _, _, err := f.VJP(good(), []float64{1}); return err }, "the cotangent: R, and its value is R[1]"},
		{func() error { return f.ValueInto([]float64{0, 0}, good()) }, "the value: R, and its place is a []float64 of length 2"},
	} {
		if err := c.err(); err == nil || message(t, err) != c.want {
			t.Errorf("%v; want %s", err, c.want)
		}
	}
	by := compiled(t, `def f(x: R, s: R): R = x * s`, "", egad.Wrt("x"))
	if _, _, err := by.JVP(egad.In{"x": 1, "s": 1}, egad.In{"s": 1}); err == nil || message(t, err) != "a direction is given for s, and the derivative is with respect to x" {
		t.Error(err)
	}
	none := compiled(t, `def f: R = 1`, "")
	if v, err := none.Value(nil); err != nil || v.R[0] != 1 {
		t.Error(v, err)
	}
	if _, _, err := none.Grad(nil); err == nil || message(t, err) != "f has no real input to differentiate with respect to" {
		t.Error(err)
	}
	if _, err := none.Vector(nil); err == nil || message(t, err) != "f has no real input to be varied" {
		t.Error(err)
	}
	large := compiled(t, `def f[n](x: R[n]): R[n, n] = build n (\i -> build n (\j -> exp (x[i] * x[j])))`, "")
	if _, err := large.Value(egad.In{"x": make([]float64, 20_000)}); err == nil || !strings.Contains(message(t, err), "the arrays of f take 3.2 GB of memory at a time, more than") {
		t.Error(err)
	}
	whole := compiled(t, `def f(k: I): I[2] = [k, k + 1]`, "")
	var small [2]int8
	for _, k := range []int{5, -100, 127} {
		err := whole.ValueInto(&small, egad.In{"k": k})
		if k < 127 && (err != nil || small != [2]int8{int8(k), int8(k + 1)}) {
			t.Error(small, err)
		} else if k == 127 && (err == nil || message(t, err) != "the integer 128 does not fit int8") {
			t.Error(err)
		}
	}
	tuple := compiled(t, `def f(x: R): (R, R) = (x, x)`, "")
	if _, _, err := tuple.Grad(egad.In{"x": 1}); err == nil || !strings.Contains(message(t, err), "a gradient is of a real scalar") {
		t.Error(err)
	}
	if _, err := tuple.Vector(egad.In{"x": 1}); err == nil || !strings.Contains(message(t, err), "an optimizer needs a real scalar") {
		t.Error(err)
	}
}

// TestCauses: the cause of an error about a file, or of a call, is found in it.
func TestCauses(t *testing.T) {
	for name, open := range map[string]func(path string) error{
		"Load":        func(path string) error { _, err := egad.Load(path); return err },
		"CompileFile": func(path string) error { _, err := egad.CompileFile(path, ""); return err },
		"ReadJSON":    func(path string) error { _, err := egad.ReadJSON(path); return err },
		"ReadValue":   func(path string) error { _, err := data.ReadValue(path); return err },
		"Rules":       func(path string) error { _, err := egad.Compile("def f: R = 1", "", egad.Rules(path)); return err },
		"Weights":     func(path string) error { _, err := egad.Compile("def f: R = 1", "", egad.Weights(path)); return err },
	} {
		if err := open("no.csv"); !errors.Is(err, fs.ErrNotExist) || err.Error() != "no.csv: no such file" {
			t.Errorf("%s: %v", name, err)
		}
	}
	f := compiled(t, `def f[n](x: R[n]): R[n] = sin x`, "", egad.MaxMemory(1))
	_, err := f.Value(egad.In{"x": []float64{1}})
	if large, ok := errors.AsType[*machine.MemoryError](err); !ok || large.Bytes != 8 {
		t.Error(err)
	}
}

// TestOptions: options that do not fit say so.
func TestOptions(t *testing.T) {
	const text = `def f(x: R, k: I): R = x * real k`
	const grouped = `def f[n](x: R, k: I, p: (R, R[n])): R = x * real k + p.0`
	for _, c := range []struct {
		opts []egad.Option
		want string
	}{
		{[]egad.Option{egad.Wrt()}, "no input of f is named to differentiate with respect to"},
		{[]egad.Option{egad.Wrt("n")}, "f has no input n to differentiate with respect to: n is a size, a whole number"},
		{[]egad.Option{egad.Wrt("p.0")}, "derivatives are by whole inputs of f, as p, and not by a component, as p.0"},
		{[]egad.Option{egad.Keep(1), egad.Keep(2)}, "Keep is given twice"},
		{[]egad.Option{egad.JacobianMode(ad.Forward), egad.JacobianMode(ad.Reverse)}, "JacobianMode is given twice"},
		{[]egad.Option{egad.Within(1), egad.MaxMemory(1), egad.Within(2)}, "Within is given twice"},
		{[]egad.Option{egad.Wrt("y")}, "f has no input y to differentiate with respect to"},
		{[]egad.Option{egad.Wrt("xx")}, "f has no input xx to differentiate with respect to (did you mean x?)"},
		{[]egad.Option{egad.Wrt("x", "x")}, "the input x is named twice among those to differentiate with respect to"},
		{[]egad.Option{egad.Wrt("k")}, "k: I has no real part to differentiate with respect to"},
		{[]egad.Option{egad.Wrt("x"), egad.Wrt("x")}, "Wrt is given twice"},
		{[]egad.Option{nil}, "an option is nil"},
		{[]egad.Option{egad.Within(0)}, "Within 0s: a positive time is needed"},
		{[]egad.Option{egad.Keep(0)}, "Keep 0: a positive number is needed"},
		{[]egad.Option{egad.MaxMemory(-1)}, "MaxMemory -1: an amount of memory is not negative"},
		{[]egad.Option{egad.JacobianMode(7)}, "there is no Mode(7): a Jacobian is computed forward, in reverse, or the cheapest way"},
		{[]egad.Option{egad.Rules("no.rules")}, "no.rules: no such file"},
		{[]egad.Option{egad.Rules("func_test.go")}, "func_test.go: the name of a file of rules ends in .rules"},
		{[]egad.Option{egad.RuleText("my text", "rule\n")}, "my text:1:5: expected"},
		{[]egad.Option{egad.RuleText("my.rules", "rule\n")}, "expected"},
	} {
		f, err := egad.Compile(grouped, "f", c.opts...)
		if f != nil || err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, %v; want %s", f, err, c.want)
		}
		message(t, err)
	}
	for _, c := range []struct{ text, def, want string }{
		{text, "g", "there is no definition g"},
		{"", "", "the program has no definition"},
		{"def f(x: R): R = y", "", "y"},
		{`def f(g: R -> R): R = g 1`, "", "the input g: R -> R of f is no array, and has no value in Go"},
	} {
		f, err := egad.Compile(c.text, c.def)
		if f != nil || err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, %v; want %s", f, err, c.want)
		}
		message(t, err)
	}
	if _, err := egad.CompileFile("no.egad", ""); err == nil || err.Error() != "no.egad: no such file" {
		t.Error(err)
	}
	m, err := egad.Parse("p.egad", text)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Compile("f", egad.RuleText("my.rules", "")); err == nil || err.Error() != "a module has its rules: they are given where it is loaded" {
		t.Error(err)
	}
	f, err := m.Compile("", egad.Exact(), egad.Direct(), egad.Keep(1), egad.JacobianMode(ad.Forward))
	if err != nil {
		t.Fatal(err)
	}
	if v, g, err := f.Grad(egad.In{"x": 2, "k": 3}); err != nil || v != 6 || g.Get("x").R[0] != 3 {
		t.Error(v, g, err)
	}
	r := compiled(t, "def f(x: R): R = sin x * sin x + cos x * cos x + x", "", egad.RuleText("circle", `
ruleset scalars
rule circle real
  sin a * sin a + cos a * cos a => fill 1 @a
`))
	if v, g, err := r.Grad(egad.In{"x": 2}); err != nil || v != 3 || g.Get("x").R[0] != 1 {
		t.Error(v, g, err)
	}
	var list diag.List
	_, err = egad.Compile("def f(x: R): R = y\ndef g(x: R): R = z", "")
	if !errors.As(err, &list) || len(list) != 2 {
		t.Errorf("%v", err)
	}
}

// TestRowsFromFiles: an array of tuples is a list of them in a file, and a tuple of arrays
// in Go.
func TestRowsFromFiles(t *testing.T) {
	const text = `def f[n](p: (R, R[2])[n]): R = sum (p.0) + sum (sum (p.1))`
	path := filepath.Join(t.TempDir(), "p.json")
	if err := os.WriteFile(path, []byte(`{"p": [[1, [2, 3]], [4, [5, 6]], [7, [8, 9]]]}`), 0o666); err != nil {
		t.Fatal(err)
	}
	in, err := egad.ReadJSON(path)
	if err != nil {
		t.Fatal(err)
	}
	f := compiled(t, text, "")
	v, g, err := f.Grad(in)
	if err != nil {
		t.Fatal(err)
	}
	if d := g.Get("p"); v != 45 || len(d.Parts) != 2 || len(d.Parts[0].R) != 3 || len(d.Parts[1].R) != 6 {
		t.Errorf("%v %v", v, g.Get("p"))
	}
	type bodies struct {
		Mass []float64
		At   [][]float64
	}
	same := bodies{[]float64{1, 4, 7}, [][]float64{{2, 3}, {5, 6}, {8, 9}}}
	if w, _, err := f.Grad(egad.In{"p": same}); w != v || err != nil {
		t.Errorf("%v %v, wanted %v", w, err, v)
	}
	for _, wrong := range []string{`{"p": [[1, [2, 3]], [4, [5]]]}`, `{"p": [[1], [2]]}`, `{"p": 3}`, `{"p": [[1, 2, 3]]}`} {
		if err := os.WriteFile(path, []byte(wrong), 0o666); err != nil {
			t.Fatal(err)
		}
		in, err := egad.ReadJSON(path)
		if err != nil {
			continue
		}
		if _, _, err := f.Grad(in); err == nil {
			t.Errorf("%s is taken", wrong)
		}
	}
}

// TestThreads: machine code gives what the interpreter gives, on any number of threads.
func TestThreads(t *testing.T) {
	w, x, y := []float64{1, -2, 0.5}, make([]float64, 3*20000), make([]float64, 20000)
	for i := range x {
		x[i] = float64(i%7) / 8
	}
	grad := func(opts ...egad.Option) (float64, []float64) {
		v, g, err := compiled(t, squares, "loss", append(opts, egad.Wrt("w"))...).Grad(egad.In{"w": w, "b": 0.5, "x": egad.Matrix(x, 20000, 3), "y": y})
		if err != nil {
			t.Fatal(err)
		}
		return v, g.Get("w").R
	}
	v, g := grad()
	for _, n := range []int{1, 2, 3} {
		exact, slopes := grad(egad.Native(), egad.Exact(), egad.Threads(n))
		if exact != v || !slices.Equal(slopes, g) {
			t.Errorf("exact, on %d threads: %v, %v instead of %v, %v", n, exact, slopes, v, g)
		}
		if near, _ := grad(egad.Native(), egad.Threads(n)); math.Abs(near-v) > 1e-12*math.Abs(v) {
			t.Errorf("on %d threads: %v instead of %v", n, near, v)
		}
	}
	for _, opts := range [][]egad.Option{{egad.Native(), egad.Threads(0)}, {egad.Threads(2)}} {
		if _, err := egad.Compile(squares, "loss", opts...); err == nil {
			t.Error("an error was expected")
		}
	}
}

// TestModuleErrors: what a program is not differentiated by is an Error, of a module as of
// a function.
func TestModuleErrors(t *testing.T) {
	m, err := egad.Parse("f.egad", "def f(x: R[2], k: I): R[2] = x * real k\ndef s(x: R[2], k: I): R = sum x")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		def  string
		wrt  []string
		how  func(*term.Program, ad.Options) (*ad.Derived, error)
		want string
	}{
		{"s", []string{}, m.Grad, "no input of s is named to differentiate with respect to"},
		{"s", []string{"y"}, m.Grad, "s has no input y"},
		{"s", []string{"k"}, m.HVP, "k: I has no real part"},
		{"s", []string{"x", "x"}, m.Hessian, "the input x is named twice"},
		{"s", []string{"x.0"}, m.HessianDiagonal, "derivatives are by whole inputs of s"},
		{"f", []string{"y"}, m.VJP, "f has no input y"},
		{"f", []string{"k"}, m.JVP, "k: I has no real part"},
		{"f", []string{"k"}, m.JacobianBlocks, "k: I has no real part"},
		{"f", nil, m.Grad, "f results in R[2]; a gradient is of a real scalar"},
	} {
		p, err := m.Instantiate(c.def, nil)
		if err != nil {
			t.Fatal(err)
		}
		_, err = c.how(p, ad.Options{Wrt: c.wrt})
		var e *egad.Error
		if !errors.As(err, &e) || !strings.HasPrefix(e.Msg, c.want) {
			t.Errorf("%v; want %s", err, c.want)
		}
		if file, line, _ := e.Position(); file != "f.egad" || line != map[string]int{"f": 1, "s": 2}[c.def] {
			t.Errorf("%s is at %s:%d", e.Msg, file, line)
		}
	}
}
