package egad_test

import (
	"testing"

	"egad"
	"egad/term/types"

	"gonum.org/v1/gonum/mat"
)

// TestCallsMakeNoMemory: after the first, a call with places for its results allocates
// nothing, whatever the forms of inputs and places are and with two choices of
// sizes in turn.
func TestCallsMakeNoMemory(t *testing.T) {
	for name, opts := range map[string][]egad.Option{"blocks": nil, "native": {egad.Native()}} {
		t.Run(name, func(t *testing.T) { callsMakeNoMemory(t, opts...) })
	}
}

func callsMakeNoMemory(t *testing.T, opts ...egad.Option) {
	const text = `def loss[m, n](w: R[n], b: R, x: R[m, n], y: R[m], p: (R, I)): R =
		mean (build m (\i -> square (dot(x[i], w) + b * p.0 - y[i] * real p.1)))`
	f := compiled(t, text, "", append(opts, egad.Wrt("w", "b", "p"))...)
	w, b := []float64{1, 2}, 0.5
	type pair struct {
		S float64
		K int
	}
	p := pair{2, 3}
	in := egad.In{"w": w, "b": &b, "x": [][]float64{{1, 2}, {3, 4}, {5, 6}}, "y": []int{1, 2, 3}, "p": &p}
	other := egad.In{"w": mat.NewVecDense(2, w), "b": 1, "x": mat.NewDense(2, 2, []float64{1, 2, 3, 4}), "y": [2]float64{}, "p": &p}
	gw, gb := make([]float64, 2), 0.0
	var grown []float64
	into := egad.Into{"w": gw, "b": &gb}
	more := egad.Into{"w": &grown, "p": &egad.Value{Parts: []*egad.Value{egad.Array([]float64{0}), {Elem: types.I, N: []int64{0}}}}}
	dir := egad.In{"w": []float64{1, 0}, "b": 2}
	var change, value float64
	hess := egad.Into{"w": mat.NewVecDense(2, nil), "b": egad.Array([]float64{0})}
	must := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	for name, call := range map[string]func(in egad.In){
		"GradInto":            func(in egad.In) { _, err := f.GradInto(into, in); must(err) },
		"grown":               func(in egad.In) { _, err := f.GradInto(more, in); must(err) },
		"nothing":             func(in egad.In) { _, err := f.GradInto(nil, in); must(err) },
		"ValueInto":           func(in egad.In) { must(f.ValueInto(&value, in)) },
		"JVPInto":             func(in egad.In) { must(f.JVPInto(&value, &change, in, dir)) },
		"VJPInto":             func(in egad.In) { must(f.VJPInto(&value, into, in, 2.0)) },
		"HVPInto":             func(in egad.In) { _, err := f.HVPInto(into, hess, in, dir); must(err) },
		"HessianDiagonalInto": func(in egad.In) { _, err := f.HessianDiagonalInto(into, hess, in); must(err) },
		"JacobianInto":        func(in egad.In) { must(f.JacobianInto(&value, into, in)) },
	} {
		if n := testing.AllocsPerRun(100, func() {
			call(in)
			call(other)
		}); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
	vec, err := f.Vector(in)
	must(err)
	x, g := vec.Start(), make([]float64, 4)
	h := mat.NewSymDense(4, nil)
	if n := testing.AllocsPerRun(100, func() {
		vec.Func(x)
		vec.ValueGrad(x, g)
		vec.Hess(h, x)
	}); n != 0 {
		t.Errorf("Vector: %v allocations", n)
	}
	must(vec.Err())

	blocks := compiled(t, `def f[n, k](x: R[n], at: I[k]): R[k] = build k (\i -> exp x[at[i]] * x[i])`, "", opts...)
	var j egad.JacobianBlocks
	at := egad.In{"x": []float64{1, 2, 3}, "at": []int{2, 0}}
	must(blocks.JacobianBlocksInto(nil, &j, at))
	if n := testing.AllocsPerRun(100, func() { must(blocks.JacobianBlocksInto(nil, &j, at)) }); n != 0 {
		t.Errorf("JacobianBlocks: %v allocations", n)
	}

	type params struct {
		W []float64
		B float64
		P pair
	}
	g1, err := egad.For[params](compiled(t, text, "", opts...))
	must(err)
	rest := egad.In{"x": in["x"], "y": in["y"]}
	p0, d := params{w, b, p}, params{[]float64{1, 1}, 1, pair{}}
	var grad, moved params
	if n := testing.AllocsPerRun(100, func() {
		_, err := g1.GradInto(&grad, &p0, rest)
		must(err)
		_, err = g1.HVPInto(&grad, &moved, &p0, &d, rest)
		must(err)
	}); n != 0 {
		t.Errorf("FuncOf: %v allocations", n)
	}
}

// BenchmarkCall measures what a call costs beside the kernels, on a tiny program.
func BenchmarkCall(b *testing.B) {
	const text = `def f(x: R[2], y: R[2]): R = x[0] * y[1] + x[1]`
	f := compiled(b, text, "", egad.Wrt("x"))
	x, y, g := []float64{1, 2}, []float64{3, 4}, make([]float64, 2)
	in, into := egad.In{"x": x, "y": y}, egad.Into{"x": g}
	b.Run("GradInto", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := f.GradInto(into, in); err != nil {
				b.Fatal(err)
			}
		}
	})
	native := compiled(b, text, "", egad.Wrt("x"), egad.Native())
	b.Run("native", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := native.GradInto(into, in); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("Grad", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, _, err := f.Grad(in); err != nil {
				b.Fatal(err)
			}
		}
	})
	vec, err := f.Vector(in)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("Vector", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			vec.ValueGrad(x, g)
		}
	})
	b.Run("Run", func(b *testing.B) {
		m, err := egad.Parse("f.egad", `def f(x: R[2], y: R[2]): R = x[0] * y[1] + x[1]`)
		if err != nil {
			b.Fatal(err)
		}
		p, err := m.Instantiate("f", nil)
		if err != nil {
			b.Fatal(err)
		}
		env := egad.Env{"x": egad.Array(x, 2), "y": egad.Array(y, 2)}
		b.ReportAllocs()
		for b.Loop() {
			if _, err := egad.Run(p, env); err != nil {
				b.Fatal(err)
			}
		}
	})
}
