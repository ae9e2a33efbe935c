package props

import (
	"fmt"
	"math"

	"egad/ad"
	"egad/fusion"
	"egad/internal/programs"
	"egad/internal/raise"
	"egad/internal/slice"
	"egad/rules"
	"egad/term"
	"egad/term/eval"
	"egad/term/numeric"
	"egad/term/ops"
	"egad/term/size"
	"egad/term/types"
)

// path is a number with its change: the sum of the products of factors along all
// paths from what changes, as section 15 of docs/language.md has it.
type path struct {
	V     float64
	D     float64 // the change; 0 if none arrives
	Size  float64 // the sum of the absolute products
	Lives bool    // a path arrives
}

// paths is arithmetic with changes, one operation at a time: what derivatives
// mean, told without linear maps.
type paths struct{ eval.Floats }

func (p paths) FromNum(n numeric.Num) path { return path{V: n.Float64()} }
func (p paths) FromInt(i int64) path       { return path{V: float64(i)} }
func (p paths) Floor(a path) int64         { return p.Floats.Floor(a.V) }
func (p paths) Round(a path) int64         { return p.Floats.Round(a.V) }
func (p paths) IsNaN(a path) bool          { return math.IsNaN(a.V) }
func (p paths) Compare(sym ops.Sym, a, b path) bool {
	return p.Floats.Compare(sym, a.V, b.V)
}

// along adds to r the change of a by a factor.
func (r path) along(a path, factor float64) path {
	if !a.Lives {
		return r
	}
	return path{r.V, r.D + factor*a.D, r.Size + math.Abs(factor)*a.Size, true}
}

// Unary applies an operator and its derivative.
func (p paths) Unary(sym ops.Sym, n int, a path) path {
	v := p.Floats.Unary(sym, n, a.V)
	r := path{V: v}
	x := a.V
	switch sym {
	case ops.SymNeg:
		return r.along(a, -1)
	case ops.SymAbs:
		if x == 0 {
			return r
		}
		return r.along(a, math.Copysign(1, x))
	case ops.SymExp:
		return r.along(a, v)
	case ops.SymLog:
		return r.along(a, 1/x)
	case ops.SymSqrt:
		return r.along(a, 0.5/v)
	case ops.SymSin:
		return r.along(a, math.Cos(x))
	case ops.SymCos:
		return r.along(a, -math.Sin(x))
	case ops.SymTan:
		return r.along(a, 1+v*v)
	case ops.SymTanh:
		return r.along(a, 1-v*v)
	case ops.SymSigmoid:
		return r.along(a, v*(1-v))
	case ops.SymSign, ops.SymStopgrad:
		return r
	case ops.SymRelu:
		if x <= 0 {
			return r
		}
		return r.along(a, 1)
	case ops.SymSoftplus:
		return r.along(a, 1/(1+math.Exp(-x)))
	case ops.SymErf:
		return r.along(a, 2/math.Sqrt(math.Pi)*math.Exp(-x*x))
	case ops.SymLog1p:
		return r.along(a, 1/(1+x))
	case ops.SymExpm1:
		return r.along(a, math.Exp(x))
	case ops.SymAsin:
		return r.along(a, 1/math.Sqrt((1-x)*(1+x)))
	case ops.SymAcos:
		return r.along(a, -1/math.Sqrt((1-x)*(1+x)))
	case ops.SymAtan:
		return r.along(a, 1/(1+x*x))
	case ops.SymSinh:
		return r.along(a, math.Cosh(x))
	case ops.SymCosh:
		return r.along(a, math.Sinh(x))
	case ops.SymLgamma:
		return r.along(a, numeric.Polygamma(0, x))
	case ops.SymPolygamma:
		return r.along(a, numeric.Polygamma(n+1, x))
	}
	raise.Error(fmt.Errorf("no derivative of operator %d", sym))
	return r
}

// Binary applies an operator and its derivatives.
func (p paths) Binary(sym ops.Sym, a, b path) path {
	v := p.Floats.Binary(sym, a.V, b.V)
	r := path{V: v}
	x, y := a.V, b.V
	switch sym {
	case ops.SymAdd:
		return r.along(a, 1).along(b, 1)
	case ops.SymSub:
		return r.along(a, 1).along(b, -1)
	case ops.SymMul:
		return r.along(a, y).along(b, x)
	case ops.SymDiv:
		return r.along(a, 1/y).along(b, -v/y)
	case ops.SymMax, ops.SymMin:
		switch {
		case math.IsNaN(v):
			return r.along(a, v).along(b, v)
		case x == y:
			return r.along(a, 0.5).along(b, 0.5)
		case (x > y) == (sym == ops.SymMax):
			return r.along(a, 1)
		}
		return r.along(b, 1)
	case ops.SymPow:
		if y != 0 {
			r = r.along(a, y*math.Pow(x, y-1))
		}
		if x != 0 {
			r = r.along(b, v*math.Log(x))
		}
		return r
	case ops.SymAtan2:
		d := x*x + y*y
		return r.along(a, y/d).along(b, -x/d)
	}
	raise.Error(fmt.Errorf("no derivative of operator %d", sym))
	return r
}

// pathArrays are arrays of numbers with changes.
type pathArrays struct{ eval.Arrays[path] }

// Apply has the change of a maximum from the first of the largest elements, and those
// of what is differentiated as itself.
func (p pathArrays) Apply(op ops.Op, kids []*eval.Value[path], body eval.Body[*eval.Value[path]], t *types.Type) (*eval.Value[path], error) {
	switch op.Sym {
	case ops.SymNorm, ops.SymLogsumexp, ops.SymSoftmax:
		return p.columns(op, kids[0], t)
	}
	if op.Sym != ops.SymMaximum && op.Sym != ops.SymMinimum || kids[0].Shape[0] == 0 {
		return p.Arrays.Apply(op, kids, body, t)
	}
	v := kids[0]
	r, err := p.New(t)
	if err != nil {
		return nil, err
	}
	for k := range r.R {
		r.R[k] = v.R[k]
		for i := 1; i < v.Shape[0]; i++ {
			x, best := v.R[i*len(r.R)+k], r.R[k]
			more := x.V > best.V
			if op.Sym == ops.SymMinimum {
				more = x.V < best.V
			}
			if !math.IsNaN(best.V) && (more || math.IsNaN(x.V)) {
				r.R[k] = x
			}
		}
	}
	return r, nil
}

// columns applies norm, whose gradient is the unit vector, logsumexp, whose gradient is
// softmax, or softmax.
func (p pathArrays) columns(op ops.Op, a *eval.Value[path], t *types.Type) (*eval.Value[path], error) {
	plain := pointwise(a, func(x path) float64 { return x.V })
	v, err := eval.FloatArrays().Apply(op, []*eval.Value[float64]{plain}, nil, t)
	if err != nil {
		return nil, err
	}
	from := t
	if op.Sym != ops.SymSoftmax {
		from = types.ArrayOf(types.R, append([]size.Size{size.Const(int64(a.Shape[0]))}, t.Shape...)...)
	}
	soft, err := eval.FloatArrays().Apply(ops.Op{Sym: ops.SymSoftmax}, []*eval.Value[float64]{plain}, nil, from)
	if err != nil {
		return nil, err
	}
	r := pointwise(v, func(x float64) path { return path{V: x} })
	n := len(a.R) / max(a.Shape[0], 1)
	for k := range n {
		var sum path // of the changes that all elements see
		for i := k; i < len(a.R); i += n {
			switch {
			case op.Sym != ops.SymNorm:
				sum = sum.along(a.R[i], soft.R[i])
			case v.R[k] != 0:
				sum = sum.along(a.R[i], a.R[i].V/v.R[k])
			}
		}
		if op.Sym != ops.SymSoftmax {
			r.R[k] = r.R[k].along(sum, 1)
			continue
		}
		for i := k; i < len(a.R); i += n {
			r.R[i] = r.R[i].along(a.R[i], v.R[i]).along(sum, -v.R[i])
		}
	}
	return r, nil
}

// changing is an environment in which elements change: those for which change
// says so, by the number that it gives.
func changing(env eval.Env[*eval.Value[float64]], change func(name string, k int) (float64, bool)) eval.Env[*eval.Value[path]] {
	out := make(eval.Env[*eval.Value[path]])
	for name, v := range env {
		w := &eval.Value[path]{Elem: v.Elem, Shape: v.Shape, N: v.N}
		if v.Elem == types.R {
			w.R = make([]path, len(v.R))
		}
		for k, x := range v.R {
			w.R[k] = path{V: x}
			if d, ok := change(name, k); ok {
				w.R[k] = path{x, d, math.Abs(d), true}
			}
		}
		out[name] = w
	}
	return out
}

// agrees reports whether a derivative is what the paths say. Where they say
// something that is not finite, rules about reals may say something else.
func (p path) agrees(got float64) bool {
	return math.IsInf(p.Size, 0) || math.IsNaN(p.Size) || math.IsNaN(p.D) || math.Abs(got-p.D) <= 1e-9*(1+p.Size)
}

// CheckPaths is the meaning of derivatives, at points with zeros and ties, for
// programs that result in a real scalar: wherever the sum of the path products is
// finite, the gradient is that sum, by default, with exact rules and on the direct
// path, and so is what forward mode gives, also for the gradient itself.
func CheckPaths(lib *rules.Library, sig *term.Signature, c programs.Case) error {
	p := c.Program(sig)
	env := c.Values(true, false)
	alg := pathArrays{eval.Arrays[path]{Scalars: paths{}}}
	run := func(p *term.Program, change func(name string, k int) (float64, bool)) (*eval.Value[path], error) {
		return eval.Interpret[*eval.Value[path]](p.Store, p.Root, alg, changing(env, change))
	}
	// What a step of a loop holds back is 0 for the step before: an infinite factor there
	// makes it NaN.
	stepped := func(got float64) bool { return math.IsNaN(got) && p.HasLoops() }
	want := make(map[string][]path)
	var gradient *term.Program
	for _, opt := range []ad.Options{{}, {Exact: true}, {Direct: true}} {
		d, err := deriveWith(lib, p, ad.Grad, opt)
		if err != nil {
			return err
		}
		got, err := fusion.Run(d.Program, env)
		if err != nil {
			return err
		}
		if gradient == nil {
			gradient = d.Program
		}
		for i, in := range d.Wrt {
			for k, g := range got.Parts[i+1].R {
				if len(want[in.Name]) == k {
					v, err := run(p, func(name string, at int) (float64, bool) { return 1, name == in.Name && at == k })
					if err != nil {
						return err
					}
					want[in.Name] = append(want[in.Name], v.R[0])
				}
				if w := want[in.Name][k]; !w.agrees(g) && !stepped(g) {
					return fmt.Errorf("with %+v, ∂/∂%s%v is %v, by paths %v\n%s", opt, in.Name,
						slice.Index(env[in.Name].Shape, k), g, w.D, d.Program.Text("grad"))
				}
			}
		}
	}
	// Directions without zeros: a change that is 0 is a number.
	direction := func(name string, k int) (float64, bool) { return float64(2*((3*k+len(name))%5)-3) / 2, true }
	for _, how := range []struct {
		of     *term.Program
		derive deriver
		part   func(v *eval.Value[float64]) []*eval.Value[float64]
	}{
		{p, ad.JVP, func(v *eval.Value[float64]) []*eval.Value[float64] { return v.Parts[1:] }},
		{gradient, ad.HVP, func(v *eval.Value[float64]) []*eval.Value[float64] { return v.Parts[1+len(v.Parts)/2:] }},
	} {
		d, err := derive(lib, p, how.derive)
		if err != nil {
			return err
		}
		at := make(eval.Env[*eval.Value[float64]])
		for name, v := range env {
			at[name] = v
		}
		for _, in := range d.Wrt {
			v, err := eval.FloatArrays().New(in.Type)
			if err != nil {
				return err
			}
			for k := range v.R {
				v.R[k], _ = direction(in.Name, k)
			}
			at["d_"+in.Name] = v
		}
		got, err := fusion.Run(d.Program, at)
		if err != nil {
			return err
		}
		ref, err := run(how.of, direction)
		if err != nil {
			return err
		}
		wants := []*eval.Value[path]{ref}
		if how.of == gradient {
			wants = ref.Parts[1:]
		}
		for i, part := range how.part(got) {
			for k, w := range wants[i].R {
				if !w.agrees(part.R[k]) && !stepped(part.R[k]) {
					return fmt.Errorf("forwards, element %d of derivative %d is %v, by paths %v\n%s", k, i, part.R[k], w.D, d.Program.Text("forward"))
				}
			}
		}
	}
	return nil
}
