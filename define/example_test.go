package define_test

import (
	"fmt"
	"log"

	"egad"
	"egad/define"
)

// Example writes a linear model and differentiates it.
func Example() {
	d := define.New(nil, "loss")
	m, n := d.Size("m"), d.Size("n")
	w, b := d.Input("w", define.R(n)), d.Input("b", define.R())
	x, y := d.Input("x", define.R(m, n)), d.Input("y", define.R(m))
	miss := d.Build(m, func(i define.Value) define.Value {
		return d.Call("dot", x.At(i), w).Add(b).Sub(y.At(i))
	})
	loss, err := d.Result(miss.Mul(miss).Sum().Div(m.Real()))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(loss.Text)
	module, err := egad.LoadTexts(loss)
	if err != nil {
		log.Fatal(err)
	}
	f, err := module.Compile("loss", egad.Wrt("w", "b"))
	if err != nil {
		log.Fatal(err)
	}
	v, g, err := f.Grad(egad.In{"w": []float64{1, 2}, "b": 0.5, "x": [][]float64{{1, 2}, {3, 4}, {5, 6}}, "y": []float64{1, 2, 3}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.3f %.3f %.3f\n", v, g.Get("w").R, g.Get("b").R)
	// Output:
	// def loss[m, n](w: R[n], b: R, x: R[m, n], y: R[m]): R =
	//   let t1 = build m (\i -> dot x[i] w + b - y[i]) in
	//   sum (t1 * t1) / real m
	// 106.917 [70.333 89.333] [19.000]
}

// ExampleDef_Fold reads coefficients one after the other.
func ExampleDef_Fold() {
	d := define.New(nil, "polynomial")
	n := d.Size("n")
	c, x := d.Input("c", define.R(n)), d.Input("x", define.R())
	text, err := d.Result(d.Fold(func(s, a define.Value) define.Value { return s.Mul(x).Add(a) }, 0.0, c))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(text.Text)
	// Output: def polynomial[n](c: R[n], x: R): R = fold (\s t -> s * x + t) 0.0 c
}

// ExampleDef_Call calls a definition of a module.
func ExampleDef_Call() {
	module, err := egad.Parse("soft.egad", `def soft[n](x: R[n], k: R): R = logsumexp (k * x) / k`)
	if err != nil {
		log.Fatal(err)
	}
	d := module.Define("two")
	x := d.Input("x", define.R(3))
	two, err := d.Result(d.Call("soft", x, 2).Add(d.Call("soft", d.Call("map", func(a define.Value) define.Value { return a.Abs() }, x), 4)))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(two.Text)
	if module, err = module.With(two); err != nil {
		log.Fatal(err)
	}
	p, err := module.Instantiate("two", nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(p.Text("two"))
	// Output:
	// def two(x: R[3]): R = soft x 2 + soft (map (\s -> abs s) x) 4
	// def two(x: R[3]): R =
	//   let x2 = build 3 (\i -> abs x[i]) in
	//   logsumexp (2.0 * x) / 2.0 + logsumexp (4.0 * x2) / 4.0
}

// ExampleDef_Err shows where the mistakes of a Go program are.
func ExampleDef_Err() {
	d := define.New(nil, "f")
	n := d.Size("n")
	x, y := d.Input("x", define.R(n)), d.Input("y", define.R(n.Add(1)))
	z := x.Add(y)
	_, err := d.Result(z.Sum().Exp())
	for _, e := range err.(egad.Errors) {
		_, line, _ := e.Position()
		fmt.Println(line, e.Msg)
	}
	// Output: 91 the operands of + must have one shape: axis 0 has size n in R[n] and n + 1 in R[n + 1]
}

// sillyAlt doubles the elements, or adds 1 to them, so many times in turn.
func sillyAlt(n int, v define.Value) define.Value {
	switch {
	case n == 0:
		return v
	case n%2 == 0:
		return sillyAlt(n-1, v).Mul(2)
	}
	return sillyAlt(n-1, v).Add(1)
}

// Example_static writes what the control flow of Go decides, here that of Appendix B of
// the dual-numbers paper.
func Example_static() {
	d := define.New(nil, "silly")
	n := d.Size("n")
	text, err := d.Result(sillyAlt(5, d.Input("v", define.R(n))))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(text.Text)
	// Output: def silly[n](v: R[n]): R[n] = ((v + 1) * 2 + 1) * 2 + 1
}

// perceptron writes a network of so many hidden layers, which have so many units.
func perceptron(layers, units int) (*egad.Source, error) {
	d := define.New(nil, "perceptron")
	n := d.Size("n")
	x := d.Input("x", define.R(n))
	in := any(n)
	for k := range layers {
		w := d.Input(fmt.Sprint("w", k), define.R(units, in))
		b := d.Input(fmt.Sprint("b", k), define.R(units))
		x, in = d.Call("matvec", w, x).Add(b).Tanh(), units
	}
	return d.Result(d.Call("dot", d.Input("out", define.R(in)), x))
}

// Example_depth puts a network together by a loop in Go.
func Example_depth() {
	text, err := perceptron(3, 4)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(text.Text)
	module, err := egad.LoadTexts(text)
	if err != nil {
		log.Fatal(err)
	}
	f, err := module.Compile("perceptron")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(f.Wrt())
	// Output:
	// def perceptron[n](x: R[n], w0: R[4, n], b0: R[4], w1: R[4, 4], b1: R[4], w2: R[4, 4], b2: R[4], out: R[4]): R =
	//   dot out (tanh (matvec w2 (tanh (matvec w1 (tanh (matvec w0 x + b0)) + b1)) + b2))
	// [x w0 b0 w1 b1 w2 b2 out]
}
