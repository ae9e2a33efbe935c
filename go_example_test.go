package egad_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"math"
	"sync"
	"time"

	"egad"
	"egad/ad"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize"
)

// Example compiles a definition and asks for its gradient.
func Example() {
	f, err := egad.Compile(`
def loss[m, n](w: R[n], b: R, x: R[m, n], y: R[m]): R =
  mean (build m (\i -> square (dot(x[i], w) + b - y[i])))
`, "loss", egad.Wrt("w", "b"))
	if err != nil {
		log.Fatal(err)
	}
	x, y := []float64{1, 2, 3, 4, 5, 6}, []float64{1, 2, 3}
	v, g, err := f.Grad(egad.In{"w": []float64{1, 2}, "b": 0.5, "x": egad.Matrix(x, 3, 2), "y": y})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.3f %.3f %.3f\n", v, g.Get("w").R, g.Get("b").R)
	// Output: 106.917 [70.333 89.333] [19.000]
}

// ExampleFunc_GradInto descends with places for the gradient: no step but the first
// allocates memory.
func ExampleFunc_GradInto() {
	f, err := egad.Compile(`def f[n](x: R[n], s: R): R = sum (square (x - 3)) + square (s + 1)`, "f")
	if err != nil {
		log.Fatal(err)
	}
	x, s := []float64{0, 10}, 0.0
	dx, ds := make([]float64, 2), 0.0
	in, into := egad.In{"x": x, "s": &s}, egad.Into{"x": dx, "s": &ds}
	for range 100 {
		if _, err := f.GradInto(into, in); err != nil {
			log.Fatal(err)
		}
		for i := range x {
			x[i] -= 0.1 * dx[i]
		}
		s -= 0.1 * ds
	}
	fmt.Printf("%.4f %.4f\n", x, s)
	// Output: [3.0000 3.0000] -1.0000
}

// ExampleFor differentiates with respect to the fields of a struct.
func ExampleFor() {
	type Layer struct {
		Weights [][]float64 `egad:"w"`
		Bias    []float64   `egad:"b"`
	}
	type Params struct {
		Layer
		Scale float64
	}
	f, err := egad.Compile(`
def loss[h, n](scale: R, w: R[h, n], b: R[h], x: R[n]): R =
  scale * sum (build h (\k -> square (dot(w[k], x) + b[k])))
`, "loss")
	if err != nil {
		log.Fatal(err)
	}
	g, err := egad.For[Params](f)
	if err != nil {
		log.Fatal(err)
	}
	p := Params{Layer{[][]float64{{1, 2}, {3, 4}}, []float64{0, 1}}, 0.5}
	v, grad, err := g.Grad(p, egad.In{"x": []float64{1, 1}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(v, grad.Weights, grad.Bias, grad.Scale)
	// Output: 36.5 [[3 3] [8 8]] [3 8] 73
}

// ExampleFor_rows has an array of tuples among the parameters: a slice of structs.
func ExampleFor_rows() {
	type Body struct {
		Mass float64
		At   [2]float64
	}
	type Bodies struct{ Body []Body }
	f, err := egad.Compile(`
def moment[n](body: (R, R[2])[n]): R = sum (map (\(m, x) -> m * sumsq x) body)
`, "moment")
	if err != nil {
		log.Fatal(err)
	}
	g, err := egad.For[Bodies](f)
	if err != nil {
		log.Fatal(err)
	}
	v, grad, err := g.Grad(Bodies{[]Body{{2, [2]float64{1, 0}}, {3, [2]float64{0, 2}}}}, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(v, grad.Body)
	// Output: 14 [{1 [4 0]} {4 [0 12]}]
}

// ExampleFunc_Vector fits a logistic regression, the hours that students learned for an
// exam and whether they passed, by L-BFGS.
func ExampleFunc_Vector() {
	f, err := egad.Compile(`
def loss[n](w: R, b: R, x: R[n], y: R[n]): R =
  mean (build n (\i -> let z = w * x[i] + b in softplus z - y[i] * z))
`, "loss", egad.Wrt("w", "b"))
	if err != nil {
		log.Fatal(err)
	}
	v, err := f.Vector(egad.In{"w": 0, "b": 0,
		"x": []float64{.5, .75, 1, 1.25, 1.5, 1.75, 1.75, 2, 2.25, 2.5, 2.75, 3, 3.25, 3.5, 4, 4.25, 4.5, 4.75, 5, 5.5},
		"y": []int{0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 1, 1, 1, 1, 1},
	})
	if err != nil {
		log.Fatal(err)
	}
	problem := optimize.Problem{Func: v.Func, Grad: v.Grad}
	r, err := optimize.Minimize(problem, v.Start(), nil, &optimize.LBFGS{})
	if err != nil {
		log.Fatal(err)
	}
	best := v.Values(r.X)
	fmt.Printf("w = %.4f, b = %.4f\n", best.Get("w").R[0], best.Get("b").R[0])
	// Output: w = 1.5046, b = -4.0777
}

// ExampleFunc_HVP multiplies with the Hessian, and computes all of it.
func ExampleFunc_HVP() {
	f, err := egad.Compile(`def f(x: R, y: R): R = x * x * y`, "f")
	if err != nil {
		log.Fatal(err)
	}
	in := egad.In{"x": 3, "y": 5}
	v, g, change, err := f.HVP(in, egad.In{"x": 1})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(v, g.Get("x").R, g.Get("y").R, change.Get("x").R, change.Get("y").R)
	_, _, h, err := f.Hessian(in)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(h.Get("x").Get("x").R, h.Get("x").Get("y").R, h.Get("y").Get("y").R)
	// Output:
	// 45 [30] [9] [10] [6]
	// [10] [6] [0]
}

// ExampleFunc_Jacobian differentiates a definition that results in a vector: all partial
// derivatives, their products with a direction, and with a cotangent.
func ExampleFunc_Jacobian() {
	f, err := egad.Compile(`def polar(r: R, phi: R): R[2] = [r * cos phi, r * sin phi]`, "polar")
	if err != nil {
		log.Fatal(err)
	}
	in := egad.In{"r": 2, "phi": math.Pi / 6}
	v, j, err := f.Jacobian(in)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.4f: by r %.4f, by phi %.4f\n", v.R, j.Get("r").R, j.Get("phi").R)
	_, change, err := f.JVP(in, egad.In{"phi": 0.5})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.4f\n", change.R)
	_, ct, err := f.VJP(in, []float64{1, 0})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.4f %.4f\n", ct.Get("r").R, ct.Get("phi").R)
	// Output:
	// [1.7321 1.0000]: by r [0.8660 0.5000], by phi [-1.0000 1.7321]
	// [-0.5000 0.8660]
	// [0.8660] [-1.0000]
}

// ExampleError takes an error apart.
func ExampleError() {
	f, err := egad.Compile(`def total[n](a: R[n, 2], v: R[n]): R = sum v + sum (sum a)`, "total")
	if err != nil {
		log.Fatal(err)
	}
	var e *egad.Error
	_, err = f.Value(egad.In{"a": mat.NewDense(3, 2, nil), "v": []float64{1, 2}})
	if errors.As(err, &e) {
		file, line, column := e.Position()
		fmt.Printf("%s, line %d, column %d: %s is expected\n", file, line, column, e.Want)
	}
	fmt.Println(err)
	// Output:
	// program.egad, line 1, column 26: R[n] is expected
	// program.egad:1:26: n is 3 by a (axis 0) and 2 by v (axis 0)
	//     def total[n](a: R[n, 2], v: R[n]): R = sum v + sum (sum a)
	//                              ^
}

// ExampleFunc calls one function from several goroutines.
func ExampleFunc() {
	f, err := egad.Compile(`def square_sum[n](x: R[n]): R = sum (x * x)`, "square_sum")
	if err != nil {
		log.Fatal(err)
	}
	values := make([]float64, 4)
	var wg sync.WaitGroup
	for i := range values {
		wg.Go(func() {
			x := make([]float64, i+1)
			for k := range x {
				x[k] = float64(k + 1)
			}
			v, _, err := f.Grad(egad.In{"x": x})
			if err != nil {
				log.Fatal(err)
			}
			values[i] = v
		})
	}
	wg.Wait()
	fmt.Println(values)
	// Output: [1 5 14 30]
}

// ExampleModule_Grad derives the gradient of a self-convolution as a program, prints it,
// and runs it.
func ExampleModule_Grad() {
	m, err := egad.Parse("selfconv.egad", `
def selfconv[n](a: R[n]): R = sum (build n (\i -> a[i] * a[n - 1 - i]))
`)
	if err != nil {
		log.Fatal(err)
	}
	p, err := m.Instantiate("selfconv", map[string]int64{"n": 4})
	if err != nil {
		log.Fatal(err)
	}
	g, err := m.Grad(p, ad.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(g.Program.Text("grad_selfconv"))
	v, err := egad.Run(g.Program, egad.Env{"a": egad.Array([]float64{1, 2, 3, 4}, 4)})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(v.Parts[0].R, v.Parts[1].R)
	// Output:
	// def grad_selfconv(a: R[4]): (R, R[4]) =
	//   let t1 = gather [4] a (\[i] -> [3 - i]) in
	//   (sum (a * t1), t1 + t1)
	// [20] [8 6 4 2]
}

func ExampleFunc_JacobianBlocks() {
	f, err := egad.Compile(`
def residuals[s, t, n](gain: R[s, 2], x: R[t], sensor: I[n], time: I[n], y: R[n]): R[n] =
  build n (\i -> gain[sensor[i], 0] * x[time[i]] + gain[sensor[i], 1] - y[i])
`, "residuals", egad.Wrt("gain", "x"))
	if err != nil {
		log.Fatal(err)
	}
	in := egad.In{
		"gain": [][]float64{{1, 0}, {2, 1}}, "x": []float64{3, 4, 5}, "y": []float64{0, 0, 0, 0},
		"sensor": []int{0, 0, 1, 1}, "time": []int{0, 1, 1, 2},
	}
	_, j, err := f.JacobianBlocks(in)
	if err != nil {
		log.Fatal(err)
	}
	for i := range j.Blocks {
		b := &j.Blocks[i]
		fmt.Println("by", b.By, b.Values.Shape)
		b.Each(func(row, col int, x float64) { fmt.Printf(" (%d, %d): %v", row, col, x) })
		fmt.Println()
	}
	// Output:
	// by gain [4]
	//  (0, 0): 3 (1, 0): 4 (2, 2): 4 (3, 2): 5
	// by x [4]
	//  (0, 0): 1 (1, 1): 1 (2, 1): 2 (3, 2): 2
	// by gain [4]
	//  (0, 1): 1 (1, 1): 1 (2, 3): 1 (3, 3): 1
}

// ExampleFunc_WithContext ends a call that takes longer than its context lasts.
func ExampleFunc_WithContext() {
	f, err := egad.Compile(`
def walk(x: R): R = iterate 100000000 (\s -> s + sin (s * x) / 1000) x
`, "walk")
	if err != nil {
		log.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Millisecond)
	defer cancel()
	result := -1.0
	err = f.WithContext(ctx).ValueInto(&result, egad.In{"x": 0.5})
	fmt.Println(err, errors.Is(err, context.DeadlineExceeded), result)
	// Output: context deadline exceeded true -1
}
