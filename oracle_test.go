package egad_test

import (
	"fmt"
	"math"
	"math/big"
	"testing"

	"egad"
	"egad/ad"
	"egad/internal/bignum"
	"egad/term"
	"egad/term/types"
)

// Numbers of 700 bits.

func number(x float64) *big.Float { return bignum.New(x, 700) }

// each makes a function of a number one of a vector.
func each(f func(x *big.Float) *big.Float) func(xs []*big.Float) []*big.Float {
	return func(xs []*big.Float) []*big.Float {
		var out []*big.Float
		for _, x := range xs {
			out = append(out, f(x))
		}
		return out
	}
}

// folded is the results of f from the left, of which all are kept, or the last.
func folded(first float64, all bool, f func(i int, s, x *big.Float) *big.Float) func(xs []*big.Float) []*big.Float {
	return func(xs []*big.Float) []*big.Float {
		var out []*big.Float
		s := number(first)
		for i, x := range xs {
			s = f(i, s, x)
			out = append(out, s)
		}
		if all {
			return out
		}
		return []*big.Float{s}
	}
}

func sumOfExps(xs []*big.Float) *big.Float {
	s := number(0)
	for _, x := range xs {
		s.Add(s, bignum.Exp(x))
	}
	return s
}

func ascending(xs []*big.Float) []*big.Float {
	out := append([]*big.Float{}, xs...)
	for i := range out {
		for j := i; j > 0 && out[j].Cmp(out[j-1]) < 0; j-- {
			out[j], out[j-1] = out[j-1], out[j]
		}
	}
	return out
}

var oracles = []struct {
	body  string // of x: R[n]
	typ   string
	by    func(xs []*big.Float) []*big.Float
	at    []float64
	worse float64 // so many times more may it be off than others
}{
	{"erf x", "R[n]", each(bignum.Erf), []float64{1e-300, -1e-9, 0.3, -0.84, 1, 2.5, -4}, 1},
	{"log1p x", "R[n]", each(func(x *big.Float) *big.Float { return bignum.Log(bignum.Add(number(1), x)) }), []float64{1e-60, -1e-12, 0.5, -0.75, 30, 1e100}, 1},
	{"expm1 x", "R[n]", each(func(x *big.Float) *big.Float { return bignum.Sub(bignum.Exp(x), number(1)) }), []float64{1e-60, -1e-12, 0.5, -0.75, 30, -40, 700}, 1},
	{"sinh x", "R[n]", each(func(x *big.Float) *big.Float {
		return bignum.Quo(bignum.Sub(bignum.Exp(x), bignum.Quo(number(1), bignum.Exp(x))), number(2))
	}), []float64{1e-9, -0.4, 3, -20, 705, -709.9}, 300},
	{"cosh x", "R[n]", each(func(x *big.Float) *big.Float {
		return bignum.Quo(bignum.Add(bignum.Exp(x), bignum.Quo(number(1), bignum.Exp(x))), number(2))
	}), []float64{1e-9, -0.4, 3, -20, 705, -709.9}, 300},
	{"asin x", "R[n]", each(bignum.Asin), []float64{1e-9, -0.4, 0.75, 0.999999, -0.999999999999}, 1},
	{"acos x", "R[n]", each(func(x *big.Float) *big.Float {
		return bignum.Sub(bignum.Quo(bignum.Pi(700), number(2)), bignum.Asin(x))
	}), []float64{1e-9, -0.4, 0.75, 0.999999, -0.999999999999}, 1},
	{"atan x", "R[n]", each(bignum.Atan), []float64{1e-9, -0.4, 0.75, 3, -1e10}, 1},
	{"softplus x", "R[n]", each(func(x *big.Float) *big.Float { return bignum.Log(bignum.Add(number(1), bignum.Exp(x))) }), []float64{1e-9, -0.4, 3, -20, -700, 40, 1e5}, 4},
	{"sigmoid x", "R[n]", each(func(x *big.Float) *big.Float {
		return bignum.Quo(number(1), bignum.Add(number(1), bignum.Quo(number(1), bignum.Exp(x))))
	}), []float64{1e-9, -0.4, 3, -20, -700}, 300},
	{"prod x", "R", folded(1, false, func(_ int, s, x *big.Float) *big.Float { return bignum.Mul(s, x) }), []float64{3, 0, -2, 0.5}, 1},
	{"prod x", "R", folded(1, false, func(_ int, s, x *big.Float) *big.Float { return bignum.Mul(s, x) }), []float64{3, 0, -2, 0}, 1},
	{"cumprod x", "R[n]", folded(1, true, func(_ int, s, x *big.Float) *big.Float { return bignum.Mul(s, x) }), []float64{3, 0, -2, 0.5, 7}, 1},
	{"cumsum x", "R[n]", folded(0, true, func(_ int, s, x *big.Float) *big.Float { return bignum.Add(s, x) }), []float64{3, 0, -2, 0.5}, 1},
	{"linrec x (x * x)", "R[n]", folded(0, true, func(i int, s, x *big.Float) *big.Float {
		if i == 0 {
			return bignum.Mul(x, x)
		}
		return bignum.Add(bignum.Mul(s, x), bignum.Mul(x, x))
	}), []float64{3, 0, -2, 0.5}, 1},
	{"norm x", "R", func(xs []*big.Float) []*big.Float {
		return []*big.Float{bignum.Sqrt(folded(0, false, func(_ int, s, x *big.Float) *big.Float { return bignum.Add(s, bignum.Mul(x, x)) })(xs)[0])}
	}, []float64{3, 0, -4, 1e-3}, 1},
	{"norm x", "R", func(xs []*big.Float) []*big.Float {
		return []*big.Float{bignum.Sqrt(folded(0, false, func(_ int, s, x *big.Float) *big.Float { return bignum.Add(s, bignum.Mul(x, x)) })(xs)[0])}
	}, []float64{3e200, 0, -4e200}, 1},
	{"logsumexp x", "R", func(xs []*big.Float) []*big.Float { return []*big.Float{bignum.Log(sumOfExps(xs))} }, []float64{1, 1, -3, 0.5}, 1},
	{"logsumexp x", "R", func(xs []*big.Float) []*big.Float { return []*big.Float{bignum.Log(sumOfExps(xs))} }, []float64{1000, 999, -3000}, 1},
	{"softmax x", "R[n]", func(xs []*big.Float) []*big.Float {
		s := sumOfExps(xs)
		return each(func(x *big.Float) *big.Float { return bignum.Quo(bignum.Exp(x), s) })(xs)
	}, []float64{1000, 999, 980, 1}, 300},
	{"sort x", "R[n]", ascending, []float64{3, -1, 7, 0.5, -8}, 1},
}

// Values and Jacobians of operators are those of long numbers, of which the derivatives
// are quotients of very small differences.
func TestOperatorsByLongNumbers(t *testing.T) {
	for _, c := range oracles {
		t.Run(fmt.Sprint(c.body, c.at), func(t *testing.T) {
			n := len(c.at)
			m, err := egad.Parse("test", fmt.Sprintf("def f[n](x: R[n]): %s = %s", c.typ, c.body))
			if err != nil {
				t.Fatal(err)
			}
			p, err := m.Instantiate("f", map[string]int64{"n": int64(n)})
			if err != nil {
				t.Fatal(err)
			}
			env := egad.Env{"x": &egad.Value{Elem: types.R, Shape: []int{n}, R: c.at}}
			v := run(t, p, env)
			at := func(k int, h float64) []*big.Float {
				var xs []*big.Float
				for i, x := range c.at {
					xs = append(xs, number(x))
					if i == k {
						xs[i].Add(xs[i], number(h))
					}
				}
				return c.by(xs)
			}
			off := func(got float64, want *big.Float) bool {
				w, _ := want.Float64()
				return !(math.Abs(got-w) <= c.worse*4e-16*math.Abs(w)+1e-300)
			}
			for i, want := range at(-1, 0) {
				if off(v.R[i], want) {
					t.Errorf("element %d is %v, by long numbers %.17g", i, v.R[i], want)
				}
			}
			for _, mode := range []ad.Mode{ad.Forward, ad.Reverse} {
				d, err := m.Jacobian(p, ad.Options{}, mode)
				if err != nil {
					t.Fatal(err)
				}
				j := run(t, d.Program, env).Parts[1].R
				for k := range n {
					h := 0x1p-200 * max(1, math.Abs(c.at[k]))
					above, below := at(k, h), at(k, -h)
					for i := range above {
						slope := bignum.Quo(bignum.Sub(above[i], below[i]), number(2*h))
						if w, _ := slope.Float64(); off(j[i*n+k], slope) && math.Abs(j[i*n+k]-w) > c.worse*2e-14*math.Abs(w)+1e-50 {
							t.Errorf("element %d by x[%d], in mode %v: %v, by long numbers %.17g", i, k, mode, j[i*n+k], slope)
						}
					}
				}
			}
		})
	}
}

// bothWays is run for values that may be NaN.
func bothWays(t *testing.T, p *term.Program, env egad.Env) *egad.Value {
	t.Helper()
	v, err := egad.Run(p, env)
	if err != nil {
		t.Fatal(err)
	}
	if w := evaluated(t, p, env); rounded(v) != rounded(w) {
		t.Errorf("kernels give %s, the evaluator %s", rounded(v), rounded(w))
	}
	return v
}

// At the ends, at ties, and where there is nothing: values and gradients of the sum, which
// are known.
func TestOperatorsAtSpecialValues(t *testing.T) {
	inf, nan, zero := math.Inf(1), math.NaN(), math.Copysign(0, -1)
	const least = 5e-324
	for _, c := range []struct {
		body, typ          string
		x, value, gradient []float64 // the gradient is nil if it is not told
	}{
		{"erf x", "R[n]", []float64{0, zero, inf, -inf, nan, least}, []float64{0, zero, 1, -1, nan, least}, []float64{2 / math.Sqrt(math.Pi), 2 / math.Sqrt(math.Pi), 0, 0, nan, 2 / math.Sqrt(math.Pi)}},
		{"log1p x", "R[n]", []float64{0, zero, inf, -1, -2, nan, least}, []float64{0, zero, inf, -inf, nan, nan, least}, []float64{1, 1, 0, inf, -1, nan, 1}},
		{"expm1 x", "R[n]", []float64{0, zero, inf, -inf, nan, least}, []float64{0, zero, inf, -1, nan, least}, []float64{1, 1, inf, 0, nan, 1}},
		{"sign x", "R[n]", []float64{0, zero, inf, -inf, nan, -least}, []float64{0, 0, 1, -1, nan, -1}, make([]float64, 6)},
		{"relu x", "R[n]", []float64{0, zero, inf, -inf, nan, least, -least}, []float64{0, 0, inf, 0, nan, least, 0}, []float64{0, 0, 1, 0, 1, 1, 0}},
		{"softplus x", "R[n]", []float64{inf, -inf, nan, -800}, []float64{inf, 0, nan, 0}, []float64{1, 0, nan, 0}},
		{"asin x", "R[n]", []float64{1, -1, 2, zero}, []float64{math.Pi / 2, -math.Pi / 2, nan, zero}, []float64{inf, inf, nan, 1}},
		{"acos x", "R[n]", []float64{1, -1, 2}, []float64{0, math.Pi, nan}, []float64{-inf, -inf, nan}},
		{"atan x", "R[n]", []float64{inf, -inf, zero}, []float64{math.Pi / 2, -math.Pi / 2, zero}, []float64{0, 0, 1}},
		{"sinh x", "R[n]", []float64{inf, -inf, zero, 710.4}, []float64{inf, -inf, zero, sinh710}, nil},
		{"cosh x", "R[n]", []float64{inf, -inf, zero}, []float64{inf, inf, 1}, []float64{inf, -inf, zero}},
		{"norm x", "R", []float64{0, zero}, []float64{0}, []float64{0, 0}},
		{"norm x", "R", []float64{inf, 1}, []float64{inf}, nil},
		{"norm x", "R", []float64{nan, 1}, []float64{nan}, nil},
		{"norm x", "R", []float64{least, 0}, []float64{least}, []float64{1, 0}},
		{"logsumexp x", "R", []float64{-inf, -inf}, []float64{-inf}, []float64{0.5, 0.5}},
		{"logsumexp x", "R", []float64{-inf, 3}, []float64{3}, []float64{0, 1}},
		{"logsumexp x", "R", []float64{inf, inf, 0}, []float64{inf}, []float64{0.5, 0.5, 0}},
		{"logsumexp x", "R", []float64{nan, 0}, []float64{nan}, []float64{nan, nan}},
		{"softmax x", "R[n]", []float64{0, -inf, 0}, []float64{0.5, 0, 0.5}, []float64{0, 0, 0}},
		{"softmax x", "R[n]", []float64{-inf, -inf}, []float64{0.5, 0.5}, []float64{0, 0}},
		{"prod x", "R", []float64{0, zero, 5}, []float64{zero}, []float64{zero, 0, zero}},
		{"prod x", "R", []float64{inf, 0}, []float64{nan}, []float64{0, inf}},
		{"cumprod x", "R[n]", []float64{2, 0, 3, 0}, []float64{2, 0, 0, 0}, []float64{1, 8, 0, 0}},
		{"sort x", "R[n]", []float64{2, nan, 1, 2, -inf}, []float64{-inf, 1, 2, 2, nan}, []float64{1, 1, 1, 1, 1}},
		{"real (argsort x)", "R[n]", []float64{2, nan, 1, 2, nan}, []float64{2, 0, 3, 1, 4}, make([]float64, 5)},
		{"real (argmin x)", "R", []float64{2, 1, 1}, []float64{1}, make([]float64, 3)},
		{"real (argmin x)", "R", []float64{2, nan, nan}, []float64{1}, make([]float64, 3)},
		{"real (argmin x)", "R", []float64{0, zero}, []float64{0}, make([]float64, 2)},
		{"logdet (build [2, 2] (\\i j -> x[2 * i + j]))", "R", []float64{1, 2, 2, 1}, []float64{nan}, []float64{nan, nan, nan, nan}},
		{"logdet (build [2, 2] (\\i j -> x[2 * i + j]))", "R", []float64{1, 2, 2, 4}, []float64{-inf}, []float64{nan, nan, nan, nan}},
		{"logdet (build [2, 2] (\\i j -> x[2 * i + j]))", "R", []float64{0, 2, -2, 0}, []float64{2 * math.Ln2}, []float64{0, 0.5, -0.5, 0}},
		{"linrec x x", "R[n]", []float64{nan, 0}, []float64{nan, nan}, nil},
		{"prod x + norm x + sum (cumsum x) + sum (sort x) + sum (softmax x)", "R", []float64{}, []float64{1}, []float64{}},
		{"if any (x < 0) || all (x < 0) then 1 else logsumexp x", "R", []float64{}, []float64{1}, []float64{}},
	} {
		t.Run(fmt.Sprint(c.body, c.x), func(t *testing.T) {
			m, err := egad.Parse("test", fmt.Sprintf("def f[n](x: R[n]): %s = %s\ndef g[n](x: R[n]): R = sum (flat (f x))", c.typ, c.body))
			if err != nil {
				t.Fatal(err)
			}
			n := map[string]int64{"n": int64(len(c.x))}
			env := egad.Env{"x": &egad.Value{Elem: types.R, Shape: []int{len(c.x)}, R: c.x}}
			same := func(what string, got, want []float64) {
				t.Helper()
				for i, w := range want {
					if math.Float64bits(got[i]) != math.Float64bits(w) && !(math.IsNaN(got[i]) && math.IsNaN(w)) && !(math.Abs(got[i]-w) <= 4e-16*math.Abs(w) && w != 0) {
						t.Errorf("%s is %v, want %v", what, got, want)
						return
					}
				}
			}
			p, err := m.Instantiate("f", n)
			if err != nil {
				t.Fatal(err)
			}
			same("the value", bothWays(t, p, env).R, c.value)
			if p, err = m.Instantiate("g", n); err != nil {
				t.Fatal(err)
			}
			for _, opt := range []ad.Options{{}, {Exact: true}} {
				g, err := m.Grad(p, opt)
				if err != nil {
					t.Fatal(err)
				}
				got := bothWays(t, g.Program, env).Parts[1].R
				for i := range got {
					got[i] += 0 // the sign of a zero is not told
				}
				for i := range c.gradient {
					c.gradient[i] += 0
				}
				same(fmt.Sprintf("the gradient (exact: %v)", opt.Exact), got, c.gradient)
			}
		})
	}
}

// sinh710 is sinh 710.4, where exp overflows.
var sinh710 = func() float64 {
	x, _ := bignum.Quo(bignum.Exp(number(710.4)), number(2)).Float64()
	return x
}()
