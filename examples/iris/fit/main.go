// Command fit fits the two models of iris.egad to the data beside it: both by
// gradient descent, and the logistic one by Newton's method too. Run it in the root
// of the repository.
package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"egad"
	"egad/ad"
	"egad/data"
	"egad/diag"
	"egad/term"

	"gonum.org/v1/gonum/mat"
)

func main() {
	if err := run(os.Stdout, "examples/iris"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(out io.Writer, dir string) error {
	m, err := egad.Load(filepath.Join(dir, "iris.egad"))
	if err != nil {
		return err
	}
	flowers, err := data.ReadCSV(filepath.Join(dir, "data", "iris.csv"))
	if err != nil {
		return err
	}
	fmt.Fprintln(out, "linear regression by gradient descent")
	linear, err := newModel(m, "linear", flowers, `{"w": [0, 0, 0], "b": 0}`)
	if err != nil {
		return err
	}
	if err := linear.descend(out, 0.012, 10_000); err != nil {
		return err
	}
	const start = `{"w": [0, 0, 0, 0], "b": 0}`
	fmt.Fprintln(out, "logistic regression by gradient descent")
	logistic, err := newModel(m, "logistic", flowers, start)
	if err != nil {
		return err
	}
	if err := logistic.descend(out, 0.05, 10_000); err != nil {
		return err
	}
	fmt.Fprintln(out, "logistic regression by Newton's method")
	if logistic, err = newModel(m, "logistic", flowers, start); err != nil {
		return err
	}
	return logistic.newton(out, 10)
}

// model is a definition with data and weights.
type model struct {
	m    *egad.Module
	loss *term.Program
	env  egad.Env
	opt  ad.Options
}

// newModel gives the definition def its data, and the weights in start.
func newModel(m *egad.Module, def string, flowers *data.Raw, start string) (*model, error) {
	info, err := m.Lookup(def)
	if err != nil {
		return nil, err
	}
	in, err := data.ReadJSON(&diag.Source{Name: "start", Text: start})
	if err != nil {
		return nil, err
	}
	if err := in.Add("iris", flowers); err != nil {
		return nil, err
	}
	sizes, env, err := data.Bind(info, in, nil)
	if err != nil {
		return nil, err
	}
	loss, err := m.Instantiate(def, sizes)
	return &model{m, loss, env, ad.Options{Wrt: []string{"w", "b"}}}, err
}

// descend takes steps against the gradient.
func (m *model) descend(out io.Writer, rate float64, steps int) error {
	// The gradient is a program: derived once, run at every step.
	grad, err := m.m.Grad(m.loss, m.opt)
	if err != nil {
		return err
	}
	show := 1
	for step := 0; step <= steps; step++ {
		v, err := egad.Run(grad.Program, m.env)
		if err != nil {
			return err
		}
		if step == 0 || step == show {
			fmt.Fprintf(out, "%6d steps: loss %.5f\n", step, v.Parts[0].R[0])
			show = max(1, 10*step)
		}
		if step == steps {
			break
		}
		for i, in := range grad.Wrt {
			weights := m.env[in.Name].R
			for k, g := range v.Parts[1+i].R {
				weights[k] -= rate * g
			}
		}
	}
	m.print(out, grad)
	return nil
}

// newton takes steps to the minimum of the parabola that fits best: minus the
// inverse of the Hessian times the gradient.
func (m *model) newton(out io.Writer, steps int) error {
	hess, err := m.m.Hessian(m.loss, m.opt)
	if err != nil {
		return err
	}
	for step := range steps + 1 {
		v, err := egad.Run(hess.Program, m.env)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "%6d steps: loss %.5f\n", step, v.Parts[0].R[0])
		if step == steps {
			break
		}
		// The result is the loss, the gradient by each input, and the Hessian in
		// blocks, one for each pair of inputs.
		inputs := len(hess.Wrt)
		var g []float64
		var start []int
		for i := range inputs {
			start = append(start, len(g))
			g = append(g, v.Parts[1+i].R...)
		}
		h := mat.NewDense(len(g), len(g), nil)
		for i := range inputs {
			for j := range inputs {
				rows, cols := len(v.Parts[1+i].R), len(v.Parts[1+j].R)
				block := mat.NewDense(rows, cols, v.Parts[1+inputs+i*inputs+j].R)
				h.Slice(start[i], start[i]+rows, start[j], start[j]+cols).(*mat.Dense).Copy(block)
			}
		}
		var change mat.VecDense
		if err := change.SolveVec(h, mat.NewVecDense(len(g), g)); err != nil {
			return err
		}
		for i, in := range hess.Wrt {
			weights := m.env[in.Name].R
			for k := range weights {
				weights[k] -= change.AtVec(start[i] + k)
			}
		}
	}
	m.print(out, hess)
	return nil
}

// print shows the weights.
func (m *model) print(out io.Writer, d *ad.Derived) {
	for _, in := range d.Wrt {
		fmt.Fprintf(out, "%6s = %.3f\n", in.Name, m.env[in.Name].R)
	}
}
