// Command fit trains the perceptron of xor.egad by gradient descent. Run it in the
// root of the repository.
package main

import (
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"

	"egad"
	"egad/data"
	"egad/term/types"

	"gonum.org/v1/gonum/floats"
)

func main() {
	if err := run(os.Stdout, "examples/xor"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(out io.Writer, dir string) error {
	m, err := egad.Load(filepath.Join(dir, "xor.egad"))
	if err != nil {
		return err
	}
	f, err := m.Compile("loss", egad.Wrt("w1", "b1", "w2", "b2"))
	if err != nil {
		return err
	}
	scores, err := m.Compile("scores")
	if err != nil {
		return err
	}
	in, err := egad.ReadJSON(filepath.Join(dir, "data.json"))
	if err != nil {
		return err
	}
	loss, err := f.Vector(in)
	if err != nil {
		return err
	}
	at := egad.In{"x": in["x"]}
	for name, v := range loss.Values(train(out, loss)).All() {
		at[name] = v
	}
	z, err := scores.Value(at)
	if err != nil {
		return err
	}
	var x data.Array
	if err := x.Read(in["x"], types.R); err != nil {
		return err
	}
	points, _ := x.Elements()
	for i, score := range z.R {
		fmt.Fprintf(out, "p(%v) = %.3f\n", points[2*i:2*i+2], 1/(1+math.Exp(-score)))
	}
	return loss.Err()
}

// train takes steps against the gradient by the weights.
func train(out io.Writer, loss *egad.Vector) []float64 {
	const rate, steps, shown = 0.5, 1000, 200
	x := loss.Start()
	grad := make([]float64, len(x))
	for step := 0; ; step++ {
		v := loss.ValueGrad(x, grad)
		if step%shown == 0 {
			fmt.Fprintf(out, "%5d steps: loss %.5f\n", step, v)
		}
		if step == steps {
			return x
		}
		floats.AddScaled(x, -rate, grad)
	}
}
