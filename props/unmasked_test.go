package props

import (
	"fmt"
	"math"

	"egad/ad"
	"egad/internal/programs"
	"egad/rules"
	"egad/term"
	"egad/term/eval"
)

// CheckUnmasked is the property of derivatives from which masks were left out: each element is
// what it is with them, or NaN.
func CheckUnmasked(lib *rules.Library, sig *term.Signature, c programs.Case) error {
	p := c.Program(sig)
	for _, how := range []deriver{ad.VJP, ad.JVP} {
		masked, err := deriveWith(lib, p, how, ad.Options{Exact: true})
		if err != nil {
			return err
		}
		d, err := masked.Unmasked()
		if d == nil || err != nil {
			return err
		}
		env := c.Values(false, false)
		for _, in := range d.Program.Inputs[len(p.Inputs):] {
			for _, leaf := range in.Leaves() {
				v, err := eval.FloatArrays().New(leaf.Type)
				if err != nil {
					return err
				}
				for i := range v.R {
					v.R[i] = float64(i) - 0.5
				}
				env[leaf.Name] = v
			}
		}
		want, err := eval.Interpret(masked.Program.Store, masked.Program.Root, eval.FloatArrays(), env)
		if err != nil {
			return err
		}
		got, err := eval.Interpret(d.Program.Store, d.Program.Root, eval.FloatArrays(), env)
		if err != nil {
			return err
		}
		same := func(a, b float64) bool {
			return a == b || math.IsNaN(b)
		}
		if at := firstDifference(want, got, same, fmt.Sprint, ""); at != "" {
			return fmt.Errorf("without masks the derivative differs: %s\n%s\n%s", at, masked.Program.Text("masked"), d.Program.Text("unmasked"))
		}
	}
	return nil
}
