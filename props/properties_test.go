package props

import (
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"math/big"
	"math/rand"

	"egad/ad"
	"egad/bot"
	"egad/internal/bulk"
	"egad/internal/programs"
	"egad/internal/slice"
	"egad/linmap"
	"egad/loops"
	"egad/rules"
	"egad/term"
	"egad/term/eval"
	"egad/term/ops"
	"egad/term/overflow"
	"egad/term/types"
)

// errSkip says that a case does not count.
var errSkip = errors.New("skipped")

// CheckBOT is the property of the bulk-operation transform, by the e-graph and
// on terms: the result satisfies Theorem 5.1, has the same value bit for bit,
// and takes no more operations.
func CheckBOT(lib *rules.Library, sig *term.Signature, c programs.Case) error {
	p := c.Program(sig)
	env := c.Values(false, false)
	want, ops, err := count(p, env)
	if err != nil {
		return err
	}
	byGraph, _, err := bot.Transform(lib, p, 0)
	if err != nil {
		return fmt.Errorf("transform: %w", err)
	}
	byTerms, _, err := bulk.Normalise(lib, p)
	if err != nil {
		return fmt.Errorf("normalise: %w", err)
	}
	for _, q := range []struct {
		how  string
		prog *term.Program
	}{{"the e-graph", byGraph}, {"terms", byTerms}} {
		if err := bulk.Is(q.prog.Store, q.prog.Root, q.prog.Names); err != nil {
			return fmt.Errorf("by %s: %w in\n%s", q.how, err, q.prog.Text("bulk"))
		}
		got, after, err := count(q.prog, env)
		if err != nil {
			return fmt.Errorf("by %s: %w", q.how, err)
		}
		if d := firstDifference(want, got, sameFloat, fmt.Sprint, ""); d != "" {
			return fmt.Errorf("by %s the value differs: %s\n%s", q.how, d, q.prog.Text("bulk"))
		}
		if after.Float > ops.Float && sureSteps(p) {
			return fmt.Errorf("by %s: %d operations instead of %d in\n%s", q.how, after.Float, ops.Float, q.prog.Text("bulk"))
		}
	}
	return nil
}

func sameFloat(a, b float64) bool {
	return math.Float64bits(a) == math.Float64bits(b) || math.IsNaN(a) && math.IsNaN(b)
}

func count(p *term.Program, env eval.Env[*eval.Value[float64]]) (*eval.Value[float64], eval.Counts, error) {
	alg := eval.NewCounting()
	v, err := eval.Interpret(p.Store, p.Root, alg, env)
	return v, *alg.Counts, err
}

// CheckStaged is the property of evaluation by operators that are prepared once, with which
// kernels are compared: it gives every float64 of a program and of its gradient as the
// evaluator does, in one run and in a second one in the same memory.
func CheckStaged(lib *rules.Library, sig *term.Signature, c programs.Case) error {
	return eachWithGradient(lib, c, c.Program(sig), func(p *term.Program, env eval.Env[*eval.Value[float64]]) error {
		want, err := eval.Interpret(p.Store, p.Root, eval.FloatArrays(), env)
		if err != nil {
			return err
		}
		r, err := eval.NewRunner(p.Store, p.Root, eval.Staged[float64](eval.FloatArrays()))
		if err != nil {
			return err
		}
		for range 2 {
			got, err := r.Run(env)
			if err != nil {
				return err
			}
			if d := firstDifference(want, got, sameFloat, fmt.Sprint, ""); d != "" {
				return fmt.Errorf("prepared once, the value differs: %s\n%s", d, p.Text("f"))
			}
		}
		return nil
	})
}

// CheckReordered is the property of values in another order: they are equal as numbers.
func CheckReordered(lib *rules.Library, sig *term.Signature, c programs.Case) error {
	p := c.Program(sig)
	q, err := ad.Value(lib, p, ad.Options{}).ReorderedProgram()
	if err != nil {
		return err
	}
	if q == nil {
		return errSkip
	}
	env := rationals(c)
	want, err := eval.Interpret(p.Store, p.Root, eval.RationalArrays(), env)
	if err != nil {
		return errSkip // not rational after all
	}
	got, err := eval.Interpret(q.Store, q.Root, eval.RationalArrays(), env)
	if err != nil {
		return err
	}
	if d := firstDifference(want, got, func(a, b *big.Rat) bool { return a.Cmp(b) == 0 }, fmt.Sprint, ""); d != "" {
		return fmt.Errorf("the value differs: %s\n%s%s", d, p.Text("before"), q.Text("after"))
	}
	return nil
}

// CheckSettledExactly is the property of loops that keep less: every float64 of the value
// is the same.
func CheckSettledExactly(_ *rules.Library, sig *term.Signature, c programs.Case) error {
	return checkSettled(c.Program(sig), true, eval.FloatArrays(), c.Values(false, false), sameFloat)
}

// CheckSettled is the same over exact rationals, for what is equal as numbers.
func CheckSettled(_ *rules.Library, sig *term.Signature, c programs.Case) error {
	return checkSettled(c.Program(sig), false, eval.RationalArrays(), rationals(c), func(a, b *big.Rat) bool { return a.Cmp(b) == 0 })
}

func checkSettled[S any](p *term.Program, exact bool, alg eval.Algebra[*eval.Value[S]], env eval.Env[*eval.Value[S]], same func(a, b S) bool) error {
	q, changed, err := loops.Settle(p, exact, true)
	if err != nil {
		return err
	}
	if !changed {
		return errSkip
	}
	want, err := eval.Interpret(p.Store, p.Root, alg, env)
	if err != nil {
		return errSkip // not rational after all
	}
	got, err := eval.Interpret(q.Store, q.Root, alg, env)
	if err != nil {
		return err
	}
	if d := firstDifference(want, got, same, fmt.Sprint, ""); d != "" {
		return fmt.Errorf("the value differs: %s\n%s%s", d, p.Text("before"), q.Text("after"))
	}
	return nil
}

// CheckRationalAD is the property of differentiation over exact rationals, for
// programs of rational operators: forward and reverse mode agree, and
// <ct, J dx> = <Jᵀ ct, dx>, exactly.
func CheckRationalAD(lib *rules.Library, sig *term.Signature, c programs.Case) error {
	p := c.Program(sig)
	vjp, err := derive(lib, p, ad.VJP)
	if err != nil {
		return err
	}
	jvp, err := derive(lib, p, ad.JVP)
	if err != nil {
		return err
	}
	env := rationals(c)
	rng := rand.New(rand.NewSource(c.Seed + 1))
	ct := randomLike(rng, p.Store.Type(p.Root))
	env["ct"] = ct
	changes := directions(rng, jvp, env)
	rev, err := eval.Interpret(vjp.Program.Store, vjp.Program.Root, eval.RationalArrays(), env)
	if err != nil {
		return errSkip // not rational after all
	}
	fwd, err := eval.Interpret(jvp.Program.Store, jvp.Program.Root, eval.RationalArrays(), env)
	if err != nil {
		return errSkip
	}
	left := inner(ct, fwd.Parts[1])
	right := new(big.Rat)
	for i := range vjp.Wrt {
		right.Add(right, inner(rev.Parts[i+1], changes[i]))
	}
	if left.Cmp(right) != 0 {
		return fmt.Errorf("<ct, J dx> = %s and <Jᵀ ct, dx> = %s\n%s\n%s", left.RatString(), right.RatString(),
			vjp.Program.Text("vjp"), jvp.Program.Text("jvp"))
	}
	return nil
}

// CheckDirect is the property of the direct path, which differentiates build as it
// is: over exact rationals it gives the cotangents and the changes that the path
// by the bulk-operation transform gives, also at ties.
func CheckDirect(lib *rules.Library, sig *term.Signature, c programs.Case) error {
	p := c.Program(sig)
	env := rationals(c)
	rng := rand.New(rand.NewSource(c.Seed + 1))
	for _, in := range p.Inputs {
		if in.Type.Differentiable() {
			env["d_"+in.Name] = randomLike(rng, in.Type)
		}
	}
	if t := p.Store.Type(p.Root).RealPart(); t != nil {
		env["ct"] = randomLike(rng, t)
	}
	for _, how := range []deriver{ad.VJP, ad.JVP} {
		var values [2]*eval.Value[*big.Rat]
		var texts [2]string
		for i, opt := range []ad.Options{{}, {Direct: true}} {
			d, err := deriveWith(lib, p, how, opt)
			if err != nil {
				return err
			}
			texts[i] = d.Program.Text("derived")
			if values[i], err = eval.Interpret(d.Program.Store, d.Program.Root, eval.RationalArrays(), env); err != nil {
				return errSkip // not rational after all
			}
		}
		same := func(a, b *big.Rat) bool { return a.Cmp(b) == 0 }
		if d := firstDifference(values[0], values[1], same, fmt.Sprint, ""); d != "" {
			return fmt.Errorf("the direct path differs: %s\n%s\n%s", d, texts[0], texts[1])
		}
	}
	return nil
}

type deriver func(*rules.Library, *term.Program, ad.Options) (*ad.Derived, error)

// derive skips programs without anything to differentiate.
func derive(lib *rules.Library, p *term.Program, how deriver) (*ad.Derived, error) {
	return deriveWith(lib, p, how, ad.Options{})
}

func deriveWith(lib *rules.Library, p *term.Program, how deriver, opt ad.Options) (*ad.Derived, error) {
	inputs := false
	for _, in := range p.Inputs {
		inputs = inputs || in.Type.Differentiable()
	}
	if !inputs || p.Store.Type(p.Root).RealPart() == nil {
		return nil, errSkip
	}
	return how(lib, p, opt)
}

func randomLike(rng *rand.Rand, t *types.Type) *eval.Value[*big.Rat] {
	v, err := eval.RationalArrays().New(t)
	if err != nil {
		panic(&overflow.Error{Msg: err.Error()})
	}
	for i := range v.R {
		v.R[i] = big.NewRat(int64(rng.Intn(9)-4), 1)
	}
	return v
}

func inner(a, b *eval.Value[*big.Rat]) *big.Rat {
	sum := new(big.Rat)
	for i := range a.R {
		sum.Add(sum, new(big.Rat).Mul(a.R[i], b.R[i]))
	}
	return sum
}

// CheckFloatAD is the property of differentiation in floats, for programs that
// result in a real scalar: reverse and forward mode differ by at most what their
// operations round, each by a few parts in 2^53 of the sum of the absolute path products
// (the condition of the sum of the path products, which is what both add up), and both
// agree with central differences where both sides of the difference take the same branches. There
// are at most as many places of one-hots in the gradient as indices of real arrays in the
// program that is differentiated. (Not in the source, as Section 5.1 of the
// dual-numbers paper has it: the index in (a * b)[i] comes to stand at a and b.)
func CheckFloatAD(lib *rules.Library, sig *term.Signature, c programs.Case) error {
	p := c.Program(sig)
	grad, err := derive(lib, p, ad.Grad)
	if err != nil {
		return err
	}
	jvp, err := derive(lib, p, ad.JVP)
	if err != nil {
		return err
	}
	primal, applied := stage(grad, "simplified"), stage(grad, "applied")
	if hots, indices := oneHots(applied), realIndices(primal); hots > indices {
		return fmt.Errorf("%d one-hots in the gradient of a program with %d indices\n%s\n%s", hots, indices,
			primal.Text("primal"), applied.Text("gradient"))
	}
	env := c.Values(false, true)
	rev, back, err := count(grad.Program, env)
	if err != nil {
		return err
	}
	if !moderate(rev) {
		return errSkip
	}
	paths, err := pathProducts(lib, grad, env)
	if err != nil {
		return err
	}
	for i, in := range grad.Wrt {
		for k := range rev.Parts[i+1].R {
			dir := make(eval.Env[*eval.Value[float64]])
			for n, v := range env {
				dir[n] = v
			}
			for _, other := range grad.Wrt {
				z, _ := eval.FloatArrays().New(other.Type)
				dir["d_"+other.Name] = z
			}
			dir["d_"+in.Name].R[k] = 1
			fwd, on, err := count(jvp.Program, dir)
			if err != nil {
				return err
			}
			g, f, sum := rev.Parts[i+1].R[k], fwd.Parts[1].R[0], paths[in.Name][k]
			if !(math.Abs(g-f) <= unit*float64(back.Float+on.Float)*sum) && !math.IsInf(sum, 0) && !math.IsNaN(sum) {
				return fmt.Errorf("∂/∂%s%v: reverse %v, forward %v, path products %v\n%s\n%s", in.Name,
					slice.Index(env[in.Name].Shape, k), g, f, sum, grad.Program.Text("grad"), jvp.Program.Text("jvp"))
			}
			if d, ok := difference(p, env, in.Name, k); ok {
				if tol := 1e-5 * max(1, math.Abs(g), sum); math.Abs(g-d) > tol && !math.IsInf(sum, 0) {
					return fmt.Errorf("∂/∂%s%v: %v, by differences %v (tolerance %v)\n%s", in.Name,
						slice.Index(env[in.Name].Shape, k), g, d, tol, grad.Program.Text("grad"))
				}
			}
		}
	}
	return nil
}

// moderate reports whether all reals are finite and of a size that differences
// can be taken of.
func moderate(v *eval.Value[float64]) bool {
	for _, p := range v.Parts {
		if !moderate(p) {
			return false
		}
	}
	for _, x := range v.R {
		if math.IsNaN(x) || math.Abs(x) > 1e6 {
			return false
		}
	}
	return true
}

// stage is the program after the stage called name.
func stage(d *ad.Derived, name string) *term.Program {
	for _, s := range d.Stages {
		if s.Name == name {
			return s.Program
		}
	}
	return nil
}

// oneHots counts the places of real one-hots: scatters without binders, apart
// from what they hold. (One-hots of integers are masks.)
func oneHots(p *term.Program) int {
	places := make(map[string]bool)
	p.Store.Walk(p.Root, func(t term.Term) {
		op := p.Store.Op(t)
		if op.Sym == ops.SymScatter && p.Store.Signature().Binders(op) == 0 && p.Store.Type(t).Elem == types.R {
			places[fmt.Sprint(op.Key(), p.Store.Kids(t)[1:])] = true
		}
	})
	return len(places)
}

// loopsAround is how many loops are in each other.
func loopsAround(p *term.Program) int {
	depth := make(map[uint32]int)
	p.Store.Walk(p.Root, func(t term.Term) { // operands first
		for _, k := range p.Store.Kids(t) {
			depth[t.ID] = max(depth[t.ID], depth[k.ID])
		}
		if p.Store.Op(t).Sym == ops.SymStates {
			depth[t.ID]++
		}
	})
	return depth[p.Root.ID]
}

// realIndices counts what may become a one-hot: indices of real arrays, maxima
// of vectors, which are elements at argmax, and one-hots that are there already; what a
// step of a loop computes is computed again on the way back, at another place.
func realIndices(p *term.Program) int {
	n := oneHots(p) * (1 + loopsAround(p))
	p.Store.Walk(p.Root, func(t term.Term) {
		if typ := p.Store.Type(t); typ.Kind != types.KArray || typ.Elem != types.R {
			return
		}
		switch op := p.Store.Op(t); op.Sym {
		case ops.SymIndex, ops.SymMaximum, ops.SymMinimum:
			n++
		case ops.SymGather:
			if p.Store.Signature().Binders(op) == 0 {
				n++
			}
		}
	})
	return n
}

// pathProducts is the sum of the absolute values of all path products from each
// input to the result, by the Jacobian of the primal program with absolute
// factors.
func pathProducts(lib *rules.Library, d *ad.Derived, env eval.Env[*eval.Value[float64]]) (map[string][]float64, error) {
	primal := stage(d, "simplified")
	j, err := ad.Linearise(lib, primal, nil)
	if err != nil {
		return nil, err
	}
	alg := linmap.Algebra[float64]{Arrays: eval.FloatArrays(), Abs: true}
	out := make(map[string][]float64)
	for i, in := range j.Wrt {
		m, err := eval.Interpret(j.Prog.Store, j.Reverse[i], alg, env)
		if err != nil {
			return nil, err
		}
		out[in.Name] = m.Map.(*linmap.Matrix[float64]).At
	}
	return out, nil
}

// difference is the central difference of a scalar program in one element of an
// input; ok is false if the sides of the difference decide otherwise than the
// middle, or two steps do not agree.
func difference(p *term.Program, env eval.Env[*eval.Value[float64]], name string, k int) (d float64, ok bool) {
	at := func(step float64) (float64, uint64) {
		moved := *env[name]
		moved.R = append([]float64(nil), moved.R...)
		moved.R[k] += step
		e := make(eval.Env[*eval.Value[float64]])
		for n, v := range env {
			e[n] = v
		}
		e[name] = &moved
		alg := branching{Arrays: eval.FloatArrays(), trace: fnv.New64a()}
		v, err := eval.Interpret(p.Store, p.Root, alg, e)
		if err != nil {
			return math.NaN(), 0
		}
		return v.R[0], alg.trace.Sum64()
	}
	_, mid := at(0)
	var quotients [2]float64
	for i, h := range []float64{1e-4, 1e-5} {
		up, a := at(h)
		down, b := at(-h)
		if a != mid || b != mid {
			return 0, false
		}
		quotients[i] = (up - down) / (2 * h)
	}
	if !(math.Abs(quotients[0]-quotients[1]) <= 1e-6*(1+math.Abs(quotients[1]))) {
		return 0, false
	}
	return quotients[1], true
}

// firstDifference describes the first element in which two values differ, "" if
// there is none.
func firstDifference[S any](x, y *eval.Value[S], same func(a, c S) bool, show func(...any) string, at string) string {
	c := comparison[S]{show: show, same: func(a, c S) agreement {
		if same(a, c) {
			return agrees
		}
		return differs
	}}
	return c.first(x, y, at)
}
