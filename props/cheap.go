package props

import (
	"fmt"

	"egad/ad"
	"egad/rules"
	"egad/term"
)

// Work is what a bulk program does, as its parts make derivatives cost.
type Work struct {
	Float    int64 // W: operations on reals; pow, atan2 and lgamma count 3, a sum or a scatter of n counts n
	Elements int64 // E: elements of the intermediate arrays of reals, without scalars
	Uses     int64 // A: over all uses of arrays of reals as operands, their elements; a scalar has one
}

// Bound is what the value and the gradient together may cost: 4 W + E + A.
func (w Work) Bound() int64 { return 4*w.Float + w.Elements + w.Uses }

// WorkOf counts the work of a bulk program.
func WorkOf(p *term.Program, env term.Env[*term.Value[float64]]) (Work, error) {
	_, c, err := count(p, env)
	w := Work{Float: c.Float, Elements: c.Elements}
	p.Store.Walk(p.Root, func(t term.Term) {
		for _, k := range p.Store.Kids(t) {
			if typ := p.Store.Type(term.Term{ID: k.ID}); typ.Kind == term.KArray && typ.Elem == term.R {
				if n, ok := typ.Elements().Const(); ok {
					w.Uses += n
				}
			}
		}
	})
	return w, err
}

// Cheap is the cost of the value and the gradient of p, as operations on reals,
// and the work of its bulk program. It is for programs that result in a real
// scalar.
func Cheap(lib *rules.Library, p *term.Program, env term.Env[*term.Value[float64]]) (int64, Work, error) {
	grad, err := derive(lib, p, ad.Grad)
	if err != nil {
		return 0, Work{}, err
	}
	w, err := WorkOf(stage(grad, "bulk"), env)
	if err != nil {
		return 0, Work{}, err
	}
	_, c, err := count(grad.Program, env)
	if err == nil && c.Float > w.Bound() {
		err = fmt.Errorf("%d operations for value and gradient, more than 4 * %d + %d + %d = %d\n%s\n%s", c.Float,
			w.Float, w.Elements, w.Uses, w.Bound(), stage(grad, "bulk").Text("bulk"), grad.Program.Text("grad"))
	}
	return c.Float, w, err
}

// Ratios collects how much of a bound is used.
type Ratios struct {
	Worst, Sum float64
	N          int
}

// Add adds a case with cost c under bound b; one with a bound of 0 does not
// count.
func (r *Ratios) Add(c, b int64) {
	if b > 0 {
		x := float64(c) / float64(b)
		r.Worst, r.Sum, r.N = max(r.Worst, x), r.Sum+x, r.N+1
	}
}

func (r *Ratios) String() string {
	return fmt.Sprintf("worst %.3f, mean %.3f of the bound in %d cases", r.Worst, r.Sum/float64(max(r.N, 1)), r.N)
}

// CheckCheap is the cheap gradient property: the value and the gradient take at
// most 4 W + E + A operations on reals, by the work of the bulk program. The
// ratios that are found are added to r.
func CheckCheap(r *Ratios) func(*rules.Library, *term.Signature, ProgramCase) error {
	return func(lib *rules.Library, sig *term.Signature, c ProgramCase) error {
		cost, w, err := Cheap(lib, c.Program(sig), c.Values(false, true))
		if err == nil {
			r.Add(cost, w.Bound())
		}
		return err
	}
}
