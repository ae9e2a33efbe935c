package props

import (
	"errors"
	"testing"

	"egad/internal/programs"
	"egad/internal/testflag"
	"egad/rules"
	"egad/term"
	"egad/term/eval"
	"egad/term/ops"
)

// TestTermsIdentity: interpretation in terms is the identity; of inputs that are other
// terms it is substitution.
func TestTermsIdentity(t *testing.T) {
	n := testflag.Count(80, 2000)
	for _, palette := range []programs.Palette{programs.Everything, programs.Smooth, programs.Rational} {
		forPrograms(t, n, programs.GenScalar(palette), func(_ *rules.Library, sig *term.Signature, c programs.Case) error {
			p := c.Program(sig)
			s := p.Store
			same, other := make(eval.Env[term.Term]), make(eval.Env[term.Term])
			for _, in := range s.Inputs(p.Root) {
				x := s.Var(in.Name, in.Type)
				same[in.Name], other[in.Name] = x, s.Apply(ops.SymCond, s.Lit(ops.ScalarB(true)), x, x)
			}
			for _, x := range []struct {
				env  eval.Env[term.Term]
				want term.Term
			}{{same, p.Root}, {other, s.SubstVars(p.Root, other)}} {
				got, err := eval.Interpret(s, p.Root, eval.Terms{Store: s}, x.env)
				if err != nil {
					return err
				}
				if !got.Equal(x.want) {
					q := *p
					q.Root = got
					return errors.New("another term:\n" + q.Text("q"))
				}
			}
			return nil
		})
	}
}
