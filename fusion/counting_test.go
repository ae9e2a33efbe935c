package fusion_test

import (
	"testing"

	"egad/ad"
	"egad/fusion"
	"egad/internal/defs"
	"egad/kernel"
	"egad/term"
)

// TestEither: what has no masks is made first where the gradient counts what arrives, and is not asked
// for where it does not; the kernels of the gradient are those that are there for NaN.
func TestEither(t *testing.T) {
	for _, c := range []struct {
		text   string
		counts bool
	}{
		{`def f(a: R[4], ix: I[100]): R = let s = exp a in sum (build 100 (\i -> s[ix[i]]))`, true},
		{`def conv[n](w: R[3], x: R[n]): R[n] = build n (\i -> sum (build 3 (\k -> w[k] * x[i + k - 1])))
def f(w: R[3], v: R[3], x: R[9]): R = sumsq (conv v (relu (conv w x)))`, true},
		{`def f(r: R[5, 4]): R = sum (build 5 (\i -> sqrt (sumsq r[i])))`, false},
		{`def f(x: R[5], k: I[5]): R = if 0 < sum k then sumsq x else sum (exp x)`, true}, // of which nobody knows that it is no mask
		{`def f(x: R[5], k: I[5]): R = if sum k < 0 then sumsq x else sum (exp x)`, false},
		{`def f(x: R[5], y: R[5]): R = if 0 < sum y then sumsq x else sum (exp x)`, false},
	} {
		lib, p := defs.Last(t, c.text)
		d, err := ad.Grad(lib, p, ad.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var u *ad.Derived
		asked := false
		k, otherwise, err := fusion.Either(lib, d.Program, func() (*term.Program, error) {
			asked = true
			if u, err = d.Unmasked(); u == nil {
				return nil, err
			}
			return u.Program, err
		}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if asked != c.counts || fusion.Counting(d.Program) != c.counts || (otherwise != nil) != (u != nil) {
			t.Errorf("%s: asked for what has no masks: %v, and that is %v", c.text, asked, u)
		}
		text := func(k *kernel.Program) string { return k.Text(func(*kernel.Kernel) string { return "" }) }
		first := d.Program
		if u != nil {
			first = u.Program
			o, err := otherwise(nil)
			if err != nil {
				t.Fatal(err)
			}
			if want, err := fusion.Lower(lib, d.Program, nil); err != nil || text(o) != text(want) {
				t.Errorf("%s: %v, otherwise\n%s\nand not\n%s", c.text, err, text(o), text(want))
			}
		}
		if want, err := fusion.Lower(lib, first, nil); err != nil || text(k) != text(want) {
			t.Errorf("%s: %v, first\n%s\nand not\n%s", c.text, err, text(k), text(want))
		}
	}
}
