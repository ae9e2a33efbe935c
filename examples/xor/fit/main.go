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
	"egad/ad"
	"egad/data"
	"egad/term"
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
	src, err := data.ReadText(filepath.Join(dir, "data.json"))
	if err != nil {
		return err
	}
	in, err := data.ReadJSON(src)
	if err != nil {
		return err
	}
	info, err := m.Lookup("loss")
	if err != nil {
		return err
	}
	sizes, env, err := data.Bind(info, in, nil)
	if err != nil {
		return err
	}
	loss, err := m.Instantiate("loss", sizes)
	if err != nil {
		return err
	}
	scores, err := m.Instantiate("scores", sizes)
	if err != nil {
		return err
	}
	if err := train(out, m, loss, env); err != nil {
		return err
	}
	delete(env, "y") // which the scores do not depend on
	z, err := egad.Run(scores, env)
	if err != nil {
		return err
	}
	for i, score := range z.R {
		fmt.Fprintf(out, "p(%v) = %.3f\n", env["x"].R[2*i:2*i+2], 1/(1+math.Exp(-score)))
	}
	return nil
}

// train takes steps against the gradient by the weights, which it changes in env.
func train(out io.Writer, m *egad.Module, loss *term.Program, env egad.Env) error {
	const rate, steps, shown = 0.5, 1000, 200
	grad, err := m.Grad(loss, ad.Options{Wrt: []string{"w1", "b1", "w2", "b2"}})
	if err != nil {
		return err
	}
	for step := 0; ; step++ {
		v, err := egad.Run(grad.Program, env)
		if err != nil {
			return err
		}
		if step%shown == 0 {
			fmt.Fprintf(out, "%5d steps: loss %.5f\n", step, v.Parts[0].R[0])
		}
		if step == steps {
			return nil
		}
		for i, in := range grad.Wrt {
			weights := env[in.Name].R
			for k, g := range v.Parts[1+i].R {
				weights[k] -= rate * g
			}
		}
	}
}
