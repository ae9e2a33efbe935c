package egad_test

import (
	"math"
	"math/rand"
	"testing"

	"egad"
	"egad/ad"
	"egad/data"
	"egad/term/eval"
	"egad/term/ops"
	"egad/term/types"

	"gonum.org/v1/gonum/mat"
)

// example is a definition of an example with inputs.
type example struct {
	f  *egad.Func
	in egad.In
}

// loadExample reads examples/NAME/NAME.egad.
func loadExample(t *testing.T, name, def string, in egad.In) example {
	t.Helper()
	f, err := egad.CompileFile("examples/"+name+"/"+name+".egad", def)
	if err != nil {
		t.Fatal(err)
	}
	return example{f, in}
}

// fromFile are the inputs in examples/NAME/data.json.
func fromFile(t *testing.T, name string) egad.In {
	t.Helper()
	in, err := egad.ReadJSON("examples/" + name + "/data.json")
	if err != nil {
		t.Fatal(err)
	}
	return in
}

// reals are the elements of an input, and its shape.
func (e example) reals(t *testing.T, name string) ([]float64, []int) {
	t.Helper()
	var a data.Array
	if err := a.Read(e.in[name], types.R); err != nil {
		t.Fatal(err)
	}
	r, _ := a.Elements()
	return r, a.Shape
}

// value is the value of the definition.
func (e example) value(t *testing.T) []float64 {
	t.Helper()
	v, err := e.f.Value(e.in)
	if err != nil {
		t.Fatal(err)
	}
	return v.R
}

// grad is the gradient by each real input.
func (e example) grad(t *testing.T) map[string][]float64 {
	t.Helper()
	_, g, err := e.f.Grad(e.in)
	if err != nil {
		t.Fatal(err)
	}
	out := make(map[string][]float64)
	for name, v := range g.All() {
		out[name] = v.R
	}
	return out
}

func near(t *testing.T, what string, got, want []float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s has %d elements, want %d", what, len(got), len(want))
	}
	for i := range want {
		if !(math.Abs(got[i]-want[i]) <= 1e-12*max(1, math.Abs(want[i]))) {
			t.Errorf("%s: element %d is %v, want %v", what, i, got[i], want[i])
		}
	}
}

func TestExampleSelfconv(t *testing.T) {
	e := loadExample(t, "selfconv", "selfconv", egad.In{"a": []float64{1, 2, 4, 8, -3}})
	a, _ := e.reals(t, "a")
	sum, grad := 0.0, make([]float64, len(a))
	for i := range a {
		sum += a[i] * a[len(a)-1-i]
		grad[i] = 2 * a[len(a)-1-i]
	}
	near(t, "the value", e.value(t), []float64{sum})
	near(t, "the gradient", e.grad(t)["a"], grad)
}

// TestExampleF2 has the right derivative, not that of the paper's transcript.
func TestExampleF2(t *testing.T) {
	e := loadExample(t, "f2", "f2", nil)
	for _, x := range []float64{-2, -0.5, 0, 1, 1.5, 10} {
		e.in = egad.In{"x": x}
		near(t, "the value", e.value(t), []float64{x*x*x + x*x*x*x})
		near(t, "the derivative", e.grad(t)["x"], []float64{3*x*x + 4*x*x*x})
	}
}

func TestExampleMatmul(t *testing.T) {
	e := loadExample(t, "matmul", "distance", fromFile(t, "matmul"))
	dense := func(name string) *mat.Dense {
		x, shape := e.reals(t, name)
		return mat.NewDense(shape[0], shape[1], x)
	}
	a, b := dense("a"), dense("b")
	var r, da, db mat.Dense
	r.Mul(a, b)
	product := loadExample(t, "matmul", "product", egad.In{
		"a": [][]float64{{1, 2}, {3, 4}, {5, 6}}, "b": [][]float64{{1, 0, 2}, {0, 1, -1}},
	})
	near(t, "the product", product.value(t), r.RawMatrix().Data)
	r.Sub(&r, dense("c"))
	da.Mul(&r, b.T())
	da.Scale(2, &da)
	db.Mul(a.T(), &r)
	db.Scale(2, &db)
	near(t, "the distance", e.value(t), []float64{math.Pow(mat.Norm(&r, 2), 2)})
	grad := e.grad(t)
	near(t, "the gradient by a", grad["a"], da.RawMatrix().Data)
	near(t, "the gradient by b", grad["b"], db.RawMatrix().Data)
}

func TestExampleConv(t *testing.T) {
	e := loadExample(t, "conv", "loss", fromFile(t, "conv"))
	a, _ := e.reals(t, "a")
	w, _ := e.reals(t, "w")
	want, _ := e.reals(t, "t")
	loss, da, dw := 0.0, make([]float64, len(a)), make([]float64, len(w))
	for i := range a {
		r := -want[i]
		each := func(f func(j, at int)) {
			for j := range w {
				if at := i + j - len(w)/2; 0 <= at && at < len(a) {
					f(j, at)
				}
			}
		}
		each(func(j, at int) { r += w[j] * a[at] })
		loss += r * r / float64(len(a))
		each(func(j, at int) {
			da[at] += 2 * r * w[j] / float64(len(a))
			dw[j] += 2 * r * a[at] / float64(len(a))
		})
	}
	near(t, "the loss", e.value(t), []float64{loss})
	grad := e.grad(t)
	near(t, "the gradient by a", grad["a"], da)
	near(t, "the gradient by w", grad["w"], dw)
}

func TestExampleConcat(t *testing.T) {
	e := loadExample(t, "concat", "joined", egad.In{"a": []int{1, 2, 3}, "b": []int{7, 8}})
	near(t, "the value", e.value(t), []float64{1, 2, 3, 7, 8})
	e = loadExample(t, "concat", "twice", egad.In{"a": []int{1, 2, 3}, "w": []int{1, 10, 100, 1000, 10000, 100000}})
	near(t, "the value", e.value(t), []float64{321 + 321000})
	grad := e.grad(t)
	near(t, "the gradient by a", grad["a"], []float64{1001, 10010, 100100})
	near(t, "the gradient by w", grad["w"], []float64{1, 2, 3, 1, 2, 3})
}

// expCounter counts exponentials.
type expCounter struct {
	eval.Counting[float64]
	exps *int
}

func (c expCounter) Apply(op ops.Op, args []*egad.Value, body eval.Body[*egad.Value], t *types.Type) (*egad.Value, error) {
	v, err := c.Counting.Apply(op, args, body, t)
	if err == nil && op.Sym == ops.SymExp {
		*c.exps += v.Len()
	}
	return v, err
}

// TestExampleLookup counts exponentials: there is one for each element of the
// table, in the program, in its bulk form and in its gradient, however many places
// read it.
func TestExampleLookup(t *testing.T) {
	const n, m = 7, 1000
	mod, err := egad.Load("examples/lookup/lookup.egad")
	if err != nil {
		t.Fatal(err)
	}
	p, err := mod.Instantiate("total", map[string]int64{"n": n, "m": m})
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewSource(1))
	a, idx := make([]float64, n), make([]int64, m)
	for i := range a {
		a[i] = rng.NormFloat64()
	}
	sum, want := 0.0, make([]float64, n)
	for i := range idx {
		idx[i] = rng.Int63n(n)
		sum += math.Exp(a[idx[i]])
		want[idx[i]] += math.Exp(a[idx[i]])
	}
	e := loadExample(t, "lookup", "total", egad.In{"a": a, "idx": idx})
	near(t, "the value", e.value(t), []float64{sum})
	near(t, "the gradient", e.grad(t)["a"], want)
	g, err := mod.Grad(p, ad.Options{})
	if err != nil {
		t.Fatal(err)
	}
	env := egad.Env{"a": egad.Array(a, n), "idx": {Elem: types.I, Shape: []int{m}, N: idx}}
	for _, s := range g.Stages {
		if s.Name == "nabla" {
			continue
		}
		c := expCounter{eval.NewCounting(), new(int)}
		if _, err := eval.Interpret(s.Program.Store, s.Program.Root, c, env); err != nil {
			t.Fatal(err)
		}
		if *c.exps != n {
			t.Errorf("%s: exp is taken %d times, not %d", s.Name, *c.exps, n)
		}
	}
}

// TestExampleLSTM compares the value with an obvious cell, and the gradient with
// differences. What is derived does not depend on the length of the sequence.
func TestExampleLSTM(t *testing.T) {
	const n, m, d = 5, 3, 2
	rng := rand.New(rand.NewSource(1))
	sizes := map[string][]int{"w": {4, d, m}, "u": {4, d, d}, "b": {4, d}, "xs": {n, m}, "ys": {n, d}}
	flat := make(map[string][]float64)
	in := egad.In{}
	for _, name := range []string{"w", "u", "b", "xs", "ys"} {
		size := 1
		for _, k := range sizes[name] {
			size *= k
		}
		for range size {
			flat[name] = append(flat[name], rng.NormFloat64())
		}
		in[name] = egad.Array(flat[name], sizes[name]...)
	}
	loss := func() float64 {
		sigmoid := func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }
		h, c, sum := make([]float64, d), make([]float64, d), 0.0
		for i := range n {
			var g [4][d]float64
			for k := range g {
				for j := range g[k] {
					g[k][j] = flat["b"][k*d+j]
					for l := range m {
						g[k][j] += flat["w"][(k*d+j)*m+l] * flat["xs"][i*m+l]
					}
					for l := range d {
						g[k][j] += flat["u"][(k*d+j)*d+l] * h[l]
					}
				}
			}
			h2 := make([]float64, d)
			for j := range d {
				c[j] = sigmoid(g[1][j])*c[j] + sigmoid(g[0][j])*math.Tanh(g[3][j])
				h2[j] = sigmoid(g[2][j]) * math.Tanh(c[j])
				e := h2[j] - flat["ys"][i*d+j]
				sum += e * e
			}
			h = h2
		}
		return sum
	}
	e := loadExample(t, "lstm", "loss", in)
	near(t, "the value", e.value(t), []float64{loss()})
	grad := e.grad(t)
	for name, xs := range flat {
		for i := range xs {
			old := xs[i]
			xs[i] = old + 1e-5
			up := loss()
			xs[i] = old - 1e-5
			down := loss()
			xs[i] = old
			if slope := (up - down) / 2e-5; math.Abs(slope-grad[name][i]) > 1e-7*max(1, math.Abs(slope)) {
				t.Errorf("the gradient by %s, element %d, is %v, and by differences %v", name, i, grad[name][i], slope)
			}
		}
	}
}

// TestExampleODE follows hares and lynxes by obvious steps, and compares the gradient
// with differences.
func TestExampleODE(t *testing.T) {
	k, begin, h := []float64{1.1, 0.4, 0.1, 0.4}, []float64{10, 5}, 0.05
	seen := make([]float64, 2*40)
	misfit := func() float64 {
		field := func(x, y float64) (float64, float64) {
			return k[0]*x - k[1]*x*y, k[2]*x*y - k[3]*y
		}
		x, y, sum := begin[0], begin[1], 0.0
		for i := 0; i < len(seen); i += 2 {
			ax, ay := field(x, y)
			bx, by := field(x+h/2*ax, y+h/2*ay)
			cx, cy := field(x+h/2*bx, y+h/2*by)
			dx, dy := field(x+h*cx, y+h*cy)
			x, y = x+h/6*(ax+2*bx+2*cx+dx), y+h/6*(ay+2*by+2*cy+dy)
			sum += (x-seen[i])*(x-seen[i]) + (y-seen[i+1])*(y-seen[i+1])
		}
		return sum
	}
	for i := range seen {
		seen[i] = float64(i%7) + 2
	}
	e := loadExample(t, "ode", "misfit", egad.In{"k": k, "begin": begin, "h": h, "seen": egad.Matrix(seen, len(seen)/2, 2)})
	near(t, "the value", e.value(t), []float64{misfit()})
	grad := e.grad(t)
	for _, x := range []struct {
		name string
		at   []float64
	}{{"k", k}, {"begin", begin}, {"seen", seen}} {
		for i, old := range x.at {
			x.at[i] = old + 1e-5
			up := misfit()
			x.at[i] = old - 1e-5
			down := misfit()
			x.at[i] = old
			if slope := (up - down) / 2e-5; math.Abs(slope-grad[x.name][i]) > 1e-6*max(1, math.Abs(slope)) {
				t.Errorf("the gradient by %s, element %d, is %v, and by differences %v", x.name, i, grad[x.name][i], slope)
			}
		}
	}
}
