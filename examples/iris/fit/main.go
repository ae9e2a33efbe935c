// Command fit fits the two models of iris.egad to the data beside it: both by
// gradient descent, and the logistic one by Newton's method and by L-BFGS too. Run it
// in the root of the repository.
package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"egad"
	"egad/data"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize"
)

func main() {
	if err := run(os.Stdout, "examples/iris"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(out io.Writer, dir string) error {
	linear, err := loss(dir, "linear", make([]float64, 3))
	if err != nil {
		return err
	}
	logistic, err := loss(dir, "logistic", make([]float64, 4))
	if err != nil {
		return err
	}
	fmt.Fprintln(out, "linear regression by gradient descent")
	show(out, linear, descend(out, linear, 0.012, 10_000))
	fmt.Fprintln(out, "logistic regression by gradient descent")
	show(out, logistic, descend(out, logistic, 0.05, 10_000))
	fmt.Fprintln(out, "logistic regression by Newton's method")
	x, err := newton(out, logistic, 10)
	if err != nil {
		return err
	}
	show(out, logistic, x)
	fmt.Fprintln(out, "logistic regression by L-BFGS")
	if x, err = lbfgs(out, logistic); err != nil {
		return err
	}
	show(out, logistic, x)
	return nil
}

// loss is a model of iris.egad as a function of its weights, which start as w and 0.
func loss(dir, def string, w []float64) (*egad.Vector, error) {
	f, err := egad.CompileFile(filepath.Join(dir, "iris.egad"), def, egad.Wrt("w", "b"))
	if err != nil {
		return nil, err
	}
	flowers, err := data.ReadCSV(filepath.Join(dir, "data", "iris.csv"))
	if err != nil {
		return nil, err
	}
	return f.Vector(egad.In{"w": w, "b": 0, "iris": flowers})
}

// descend takes steps against the gradient.
func descend(out io.Writer, loss *egad.Vector, rate float64, steps int) []float64 {
	x := loss.Start()
	grad := make([]float64, len(x))
	next := 1
	for step := 0; step < steps; step++ {
		v := loss.ValueGrad(x, grad)
		if step == 0 || step == next {
			fmt.Fprintf(out, "%6d steps: loss %.5f\n", step, v)
			next = max(1, 10*step)
		}
		floats.AddScaled(x, -rate, grad)
	}
	fmt.Fprintf(out, "%6d steps: loss %.5f\n", steps, loss.Func(x))
	return x
}

// newton takes steps to the minimum of the parabola that fits best: minus the
// inverse of the Hessian times the gradient.
func newton(out io.Writer, loss *egad.Vector, steps int) ([]float64, error) {
	x := loss.Start()
	grad := mat.NewVecDense(len(x), nil)
	var hess mat.SymDense
	var change mat.VecDense
	for step := range steps {
		v := loss.ValueGrad(x, grad.RawVector().Data)
		fmt.Fprintf(out, "%6d steps: loss %.5f\n", step, v)
		loss.Hess(&hess, x)
		if err := change.SolveVec(&hess, grad); err != nil {
			return nil, err
		}
		floats.Sub(x, change.RawVector().Data)
	}
	fmt.Fprintf(out, "%6d steps: loss %.5f\n", steps, loss.Func(x))
	return x, loss.Err()
}

// lbfgs leaves the steps to gonum.
func lbfgs(out io.Writer, loss *egad.Vector) ([]float64, error) {
	problem := optimize.Problem{Func: loss.Func, Grad: loss.Grad}
	r, err := optimize.Minimize(problem, loss.Start(), &optimize.Settings{GradientThreshold: 1e-8}, &optimize.LBFGS{})
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(out, "     at the end: loss %.5f\n", r.F)
	return r.X, loss.Err()
}

// show prints weights.
func show(out io.Writer, loss *egad.Vector, x []float64) {
	for name, v := range loss.Values(x).All() {
		fmt.Fprintf(out, "%6s = %.3f\n", name, v.R)
	}
}
