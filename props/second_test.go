package props

import (
	"fmt"
	"math/big"
	"math/rand"

	"egad/ad"
	"egad/internal/programs"
	"egad/rules"
	"egad/term"
	"egad/term/eval"
)

type ratValue = eval.Value[*big.Rat]

// CheckJacobian is the property of Jacobians over exact rationals, for programs of
// rational operators: forward and reverse mode give the same matrix, its product with
// a change of the inputs is that of JVP, and the blocks of it are all that is not 0.
func CheckJacobian(lib *rules.Library, sig *term.Signature, c programs.Case) error {
	p := c.Program(sig)
	jvp, err := derive(lib, p, ad.JVP)
	if err != nil {
		return err
	}
	env := rationals(c)
	rng := rand.New(rand.NewSource(c.Seed + 1))
	changes := directions(rng, jvp, env)
	var matrices []*ratValue
	var texts string
	for _, mode := range []ad.Mode{ad.Forward, ad.Reverse} {
		d, err := ad.DenseJacobian(lib, p, ad.Options{}, mode)
		if err != nil {
			return err
		}
		v, err := eval.Interpret(d.Program.Store, d.Program.Root, eval.RationalArrays(), env)
		if err != nil {
			return errSkip // not rational after all
		}
		matrices = append(matrices, v)
		texts += d.Program.Text(mode.String())
	}
	same := func(a, b *big.Rat) bool { return a.Cmp(b) == 0 }
	if d := firstDifference(matrices[0], matrices[1], same, fmt.Sprint, ""); d != "" {
		return fmt.Errorf("forward and reverse mode differ: %s\n%s", d, texts)
	}
	if err := checkBlocks(lib, p, env, matrices[0].Parts[1:]); err != nil {
		return err
	}
	fwd, err := eval.Interpret(jvp.Program.Store, jvp.Program.Root, eval.RationalArrays(), env)
	if err != nil {
		return errSkip
	}
	sum := product(matrices[0].Parts[1:], changes, fwd.Parts[1])
	if d := firstDifference(fwd.Parts[1], sum, same, fmt.Sprint, ""); d != "" {
		return fmt.Errorf("the product with a change is not that of forward mode: %s\n%s%s", d, texts, jvp.Program.Text("jvp"))
	}
	return nil
}

// checkBlocks compares the blocks of a Jacobian with the dense one.
func checkBlocks(lib *rules.Library, p *term.Program, env eval.Env[*ratValue], dense []*ratValue) error {
	d, err := ad.JacobianBlocks(lib, p, ad.Options{})
	if err != nil {
		return err
	}
	v, err := eval.Interpret(d.Program.Store, d.Program.Root, eval.RationalArrays(), env)
	if err != nil {
		return errSkip
	}
	rest := make(map[string][]*big.Rat)
	cols := make(map[string]int)
	rows := v.Parts[0].Len()
	for i, in := range d.Wrt {
		for _, x := range dense[i].R {
			rest[in.Name] = append(rest[in.Name], new(big.Rat).Set(x))
		}
		cols[in.Name] = len(dense[i].R) / max(rows, 1)
	}
	for i, b := range d.Blocks {
		ad.EachEntry(b, v.Parts[1+i], func(row, col int, x *big.Rat) {
			at := rest[b.By.Name][row*cols[b.By.Name]+col]
			at.Sub(at, x)
		})
	}
	for name, left := range rest {
		for i, x := range left {
			if x.Sign() != 0 {
				return fmt.Errorf("the blocks by %s differ from the matrix at element %d by %s\n%s", name, i, x.RatString(), d.Program.Text("blocks"))
			}
		}
	}
	return nil
}

// CheckHessian is the property of second derivatives over exact rationals, for
// programs of rational operators that result in a real scalar: the Hessian is
// symmetric, its product with a direction is that of HVP, and its diagonal that of
// HessianDiagonal.
func CheckHessian(lib *rules.Library, sig *term.Signature, c programs.Case) error {
	p := c.Program(sig)
	hvp, err := derive(lib, p, ad.HVP)
	if err != nil {
		return err
	}
	hess, err := ad.Hessian(lib, p, ad.Options{})
	if err != nil {
		return err
	}
	env := rationals(c)
	dirs := directions(rand.New(rand.NewSource(c.Seed+1)), hvp, env)
	h, err := eval.Interpret(hess.Program.Store, hess.Program.Root, eval.RationalArrays(), env)
	if err != nil {
		return errSkip // not rational after all
	}
	v, err := eval.Interpret(hvp.Program.Store, hvp.Program.Root, eval.RationalArrays(), env)
	if err != nil {
		return errSkip
	}
	same := func(a, b *big.Rat) bool { return a.Cmp(b) == 0 }
	diagonal, err := ad.HessianDiagonal(lib, p, ad.Options{})
	if err != nil {
		return err
	}
	dv, err := eval.Interpret(diagonal.Program.Store, diagonal.Program.Root, eval.RationalArrays(), env)
	if err != nil {
		return errSkip
	}
	n := len(hess.Wrt)
	block := func(i, j int) *ratValue { return h.Parts[1+n+i*n+j] }
	for i, x := range hess.Wrt {
		hv := v.Parts[1+n+i]
		for k, got := range dv.Parts[1+n+i].R {
			if want := block(i, i).R[k*len(dv.Parts[1+n+i].R)+k]; got.Cmp(want) != 0 {
				return fmt.Errorf("by %s, element %d of the diagonal is %s and in the matrix %s\n%s", x.Name, k, got.RatString(), want.RatString(), diagonal.Program.Text("diagonal"))
			}
		}
		var row []*ratValue
		for j, y := range hess.Wrt {
			row = append(row, block(i, j))
			rows, cols := len(h.Parts[1+i].R), len(h.Parts[1+j].R)
			for k := range rows {
				for l := range cols {
					if a, b := block(i, j).R[k*cols+l], block(j, i).R[l*rows+k]; a.Cmp(b) != 0 {
						return fmt.Errorf("by %s, element %d, and %s, element %d: %s and %s\n%s", x.Name, k, y.Name, l,
							a.RatString(), b.RatString(), hess.Program.Text("hessian"))
					}
				}
			}
		}
		if d := firstDifference(hv, product(row, dirs, hv), same, fmt.Sprint, ""); d != "" {
			return fmt.Errorf("by %s, Hessian-vector product and Hessian times vector differ: %s\n%s%s", x.Name, d,
				hvp.Program.Text("hvp"), hess.Program.Text("hessian"))
		}
	}
	return nil
}

// rationals makes random whole values for the inputs.
func rationals(c programs.Case) eval.Env[*ratValue] {
	env := make(eval.Env[*ratValue])
	for name, v := range c.Values(true, false) {
		env[name] = pointwise(v, new(big.Rat).SetFloat64)
	}
	return env
}

// directions gives the further inputs of a derivative of forward mode random
// values, and lists them in the order of Wrt.
func directions(rng *rand.Rand, d *ad.Derived, env eval.Env[*ratValue]) []*ratValue {
	var out []*ratValue
	for _, in := range d.Program.Inputs[len(d.Program.Inputs)-len(d.Wrt):] {
		v := randomLike(rng, in.Type)
		env[in.Name] = v
		out = append(out, v)
	}
	return out
}

// product is the sum of the matrices times the vectors, in the form of like.
func product(matrices, vectors []*ratValue, like *ratValue) *ratValue {
	out := &ratValue{Elem: like.Elem, Shape: like.Shape, R: make([]*big.Rat, len(like.R))}
	for i := range out.R {
		out.R[i] = new(big.Rat)
		for j, m := range matrices {
			n := len(vectors[j].R)
			for k, x := range vectors[j].R {
				out.R[i].Add(out.R[i], new(big.Rat).Mul(m.R[i*n+k], x))
			}
		}
	}
	return out
}
