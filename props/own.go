package props

import (
	"errors"
	"fmt"
	rng "math/rand/v2"
	"slices"
	"strings"
	"time"

	"egad/diag"
	"egad/internal/raise"
	"egad/internal/values"
	"egad/term"
	"egad/term/eval"
	"egad/term/module"
	"egad/term/types"
)

// Definitions are the definitions of a text, with rules to differentiate by.
type Definitions interface {
	Defs() []string
	Lookup(name string) (module.DefInfo, error)
	Instantiate(name string, sizes map[string]int64) (*term.Program, error)
}

// CheckOwn compares the derivatives that definitions have of their own, unless they are
// agreed, with difference quotients on random inputs of random sizes. It returns what is
// wrong, what no inputs said anything about, and how many derivatives it compared.
func CheckOwn(m Definitions, how RuleChecks) (wrong, untested diag.List, n int) {
	for _, name := range m.Defs() {
		d, err := m.Lookup(name)
		if err != nil || d.Own == nil || d.Own.Agreed {
			continue
		}
		if slices.ContainsFunc(d.Params, func(p term.Input) bool { return p.Type.Kind == types.KFun }) {
			untested.Add(d.Src, d.Own.F.At(), "the derivative of %s is not compared with differences: it takes a function", name)
			continue
		}
		n++
		compared, err := checkOwn(m, d, how)
		var found *diag.Error
		switch {
		case errors.As(err, &found):
			wrong.AddError(found)
		case err != nil:
			wrong.Add(d.Src, d.Own.F.At(), "%v", err)
		case compared == 0:
			untested.Add(d.Src, d.Own.F.At(), "no random inputs tell whether this is the derivative of %s", name)
		}
	}
	return wrong, untested, n
}

// ownSizes is for how many sizes a derivative is compared.
const ownSizes = 4

func checkOwn(m Definitions, d module.DefInfo, how RuleChecks) (compared int, err error) {
	from, ends := rng.New(rng.NewPCG(uint64(how.Seed), 1)), how.deadline()
	rounds := ownSizes
	if len(d.Sizes) == 0 {
		rounds = 1
	}
	for round := range rounds {
		p, err := instance(m, d, from)
		if p == nil || err != nil {
			return compared, err
		}
		var wrt []string
		for _, in := range p.Inputs {
			if in.Type.RealPart() != nil {
				wrt = append(wrt, in.Name)
			}
		}
		jvp, err := p.Store.Signature().Deriver("jvp", p, wrt)
		if err != nil {
			return 0, diag.Errorf(d.Src, d.Own.F.At(), "the derivative of %s: %v", d.Name, err)
		}
		o := &ownCase{p: p, jvp: jvp, from: from}
		for i := range (how.Count + rounds - 1) / rounds {
			if !ends.IsZero() && i > 0 && time.Now().After(ends) {
				break
			}
			n, says, err := o.compare(values.Mode(min(i/2+round/2, int(values.Rounded))))
			switch {
			case err != nil:
				return 0, diag.Errorf(d.Src, d.Own.F.At(), "the derivative of %s: %v", d.Name, err)
			case says != "":
				return 0, diag.Errorf(d.Src, d.Own.F.At(), "this is not the derivative of %s (what shall not be is agreed: with agreed nabla …)%s", d.Name, says)
			}
			compared += n
		}
	}
	return compared, nil
}

// instance is d at random sizes that it can have, nil if none is found.
func instance(m Definitions, d module.DefInfo, from *rng.Rand) (*term.Program, error) {
	var last error
	for range 200 {
		sizes := make(map[string]int64)
		for _, s := range d.Sizes {
			sizes[s] = 1 + from.Int64N(4)
		}
		p, err := m.Instantiate(d.Name, sizes)
		if err == nil {
			return p, nil
		}
		last = err
	}
	if at := new(diag.Error); errors.As(last, &at) && len(d.Sizes) > 0 {
		return nil, nil // where … does not hold
	}
	return nil, last
}

// ownCase compares the derivative of a definition at one size.
type ownCase struct {
	p, jvp *term.Program
	from   *rng.Rand
}

// compare compares at one point along one change. It says where they differ.
func (o *ownCase) compare(mode values.Mode) (n int, says string, err error) {
	defer raise.Caught(&err)
	alg := eval.FloatArrays()
	env, dirs := make(eval.Env[*eval.Value[float64]]), make(map[string]*eval.Value[float64])
	var text []string
	later := o.jvp.Inputs[len(o.p.Inputs):]
	one := o.from.IntN(2) == 0 // inputs change by whole numbers
	for _, in := range o.p.Inputs {
		for _, leaf := range in.Leaves() {
			x := raise.Must(alg.New(leaf.Type))
			for i := range x.R {
				x.R[i] = values.Real(o.from, mode, i)
			}
			for i := range x.N {
				x.N[i] = values.Whole(o.from, mode, i, leaf.Type.Elem)
			}
			env[leaf.Name] = x
			text = append(text, fmt.Sprintf("\n  %s = %s", leaf.Name, showValue(x, fmt.Sprint)))
		}
		if in.Type.RealPart() == nil {
			continue
		}
		changes := later[0].Leaves()
		later = later[1:]
		for i, leaf := range in.Leaves() {
			dx := &eval.Value[float64]{}
			if *dx = *env[leaf.Name]; leaf.Type.Elem == types.R {
				dx = like(dx, func(int) float64 {
					if one {
						return float64(o.from.IntN(3) - 1)
					}
					return dyadic(o.from)
				})
				dirs[leaf.Name] = dx
				text = append(text, fmt.Sprintf("\n  change of %s = %s", leaf.Name, showValue(dx, fmt.Sprint)))
			}
			env[changes[i].Name] = dx
		}
	}
	got := raise.Must(eval.Interpret(o.jvp.Store, o.jvp.Root, alg, env))
	want := slopesAt(func(step float64) *eval.Value[float64] {
		moved := make(eval.Env[*eval.Value[float64]])
		for name, x := range env {
			if moved[name] = x; dirs[name] != nil {
				moved[name] = like(x, func(j int) float64 { return x.R[j] + step*dirs[name].R[j] })
			}
		}
		return reals(raise.Must(eval.Interpret(o.p.Store, o.p.Root, alg, moved)))
	})
	first, n := compareSlopes(got.Parts[1], want)
	if first == "" {
		return n, "", nil
	}
	return n, fmt.Sprintf("%s\n  by the derivative  %s\n  by differences     %s\n  %s", strings.Join(text, ""), showValue(got.Parts[1], significant), showValue(want, showSlope), first), nil
}

// reals are the real arrays of a value.
func reals(v *eval.Value[float64]) *eval.Value[float64] {
	if v.Parts == nil {
		return v
	}
	out := &eval.Value[float64]{Parts: []*eval.Value[float64]{}}
	for _, p := range v.Parts {
		if p = reals(p); len(p.Parts) > 0 || p.Parts == nil && p.Elem == types.R {
			out.Parts = append(out.Parts, p)
		}
	}
	return out
}
