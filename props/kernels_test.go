package props

import (
	"errors"
	"fmt"

	"egad/ad"
	"egad/bot"
	"egad/fusion"
	"egad/internal/programs"
	"egad/kernel"
	"egad/kernel/machine"
	"egad/rules"
	"egad/term"
	"egad/term/eval"
)

// CheckKernels is the property of kernels: those of a program, of its bulk form
// and of its gradient give the value of the evaluator, bit for bit, and do no
// more arithmetic on reals.
func CheckKernels(lib *rules.Library, sig *term.Signature, c programs.Case) error {
	p := c.Program(sig)
	bulk, _, err := bot.Transform(lib, p, 0)
	if err != nil {
		return err
	}
	return eachWithGradient(lib, c, p, func(q *term.Program, env eval.Env[*eval.Value[float64]]) error {
		if q == p {
			if err := checkKernels(bulk, env); err != nil {
				return err
			}
		}
		return checkKernels(q, env)
	})
}

// eachWithGradient checks a program, then its gradient if it has one, at values of their inputs.
func eachWithGradient(lib *rules.Library, c programs.Case, p *term.Program, check func(*term.Program, eval.Env[*eval.Value[float64]]) error) error {
	env := c.Values(false, false)
	if err := check(p, env); err != nil {
		return err
	}
	grad, err := derive(lib, p, ad.VJP)
	if errors.Is(err, errSkip) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, in := range grad.Program.Inputs {
		if _, ok := env[in.Name]; !ok {
			v, err := eval.FloatArrays().New(in.Type)
			if err != nil {
				return err
			}
			for i := range v.R {
				v.R[i] = float64(i) - 0.5
			}
			env[in.Name] = v
		}
	}
	return check(grad.Program, env)
}

func checkKernels(p *term.Program, env eval.Env[*eval.Value[float64]]) error {
	want, ops, err := count(p, env)
	if err != nil {
		return err
	}
	k, err := fusion.Lower(nil, p, nil)
	if err != nil {
		return err
	}
	for _, block := range []int{0, 1, 2, 3, kernel.DefaultBlock} {
		m, err := machine.CompileNative(k, true)
		if block > 0 {
			m, err = machine.Compile(k, block)
		}
		if err != nil {
			return err
		}
		for range 2 { // memory that is used again must not show
			got, err := m.Run(env)
			if err != nil {
				return err
			}
			if d := firstDifference(want, got, sameFloat, fmt.Sprint, ""); d != "" {
				return fmt.Errorf("in blocks of %d the kernels give another value: %s\n%s\n%s", block, d, p.Text("p"), k)
			}
		}
	}
	if n := k.Counts().Float; n > ops.Float && sureSteps(p) {
		return fmt.Errorf("the kernels do %d operations, the evaluator %d\n%s\n%s", n, ops.Float, p.Text("p"), k)
	}
	return nil
}
