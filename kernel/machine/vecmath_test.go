package machine_test

import (
	"fmt"
	"math"
	"math/big"
	"math/rand"
	"testing"

	"egad/internal/bignum"
	"egad/internal/slice"
	"egad/internal/testflag"
	"egad/kernel/machine"
	"egad/term/eval"
	"egad/term/ops"
	"egad/term/types"
)

const bits = 300

func number(x float64) *big.Float { return bignum.New(x, bits) }

// natively computes an expression in x and y, element by element, in machine code.
func natively(t *testing.T, body string, x, y []float64) []float64 {
	t.Helper()
	_, k := lowered(t, fmt.Sprintf(`def f(x: R[%d], y: R[%d]): R[%d] = %s`, len(x), len(x), len(x), body))
	m, err := machine.CompileNative(k, false)
	if err != nil {
		t.Fatal(err)
	}
	if !m.Native() {
		t.Skip("there is no compiler for this machine")
	}
	array := func(x []float64) *eval.Value[float64] {
		return &eval.Value[float64]{Elem: types.R, Shape: []int{len(x)}, R: x}
	}
	v, err := m.Run(eval.Env[*eval.Value[float64]]{"x": array(x), "y": array(y)})
	if err != nil {
		t.Fatal(err)
	}
	return v.R
}

// TestPow compares powers with those of long numbers, and special ones with the evaluator's.
func TestPow(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	var x, y []float64
	special := []float64{0, math.Copysign(0, -1), 1, -1, 2, -2, 0.5, -0.5, 3, -3, math.Inf(1), math.Inf(-1), math.NaN(), 5e-324, -5e-324, math.MaxFloat64, 1e300, 1 << 53, 1<<53 + 1}
	for _, a := range special {
		for _, b := range special {
			x, y = append(x, a), append(y, b)
		}
	}
	few := len(x)
	for len(x) < few+4000 {
		a, b := math.Ldexp(1+rng.Float64(), rng.Intn(2000)-1000), 4*rng.Float64()-2
		switch len(x) % 4 {
		case 1:
			a, b = 1+(rng.Float64()-0.5)*1e-3, (rng.Float64()-0.5)*1e6
		case 2:
			a, b = -20*rng.Float64(), float64(rng.Intn(40)-20)
		case 3:
			a, b = 4*rng.Float64(), 40*(rng.Float64()-0.5)
		}
		x, y = append(x, a), append(y, b)
	}
	got := natively(t, "pow(x, y)", x, y)
	worst := 0.0
	for i, a := range x {
		known := ops.FloatBinary(ops.SymPow)(a, y[i])
		ulp := max(math.Nextafter(math.Abs(known), math.Inf(1))-math.Abs(known), 5e-324)
		if i < few || math.IsInf(known, 0) || math.Abs(known) < 0x1p-1022 {
			if math.Float64bits(got[i]) != math.Float64bits(known) && !(math.IsNaN(got[i]) && math.IsNaN(known)) && !(math.Abs(known-got[i]) <= 2*ulp) {
				t.Errorf("pow(%g, %g) is %g, and %g for the evaluator", a, y[i], got[i], known)
			}
			continue
		}
		want := bignum.Exp(bignum.Mul(number(y[i]), bignum.Log(number(math.Abs(a)))))
		if a < 0 && math.Mod(y[i], 2) != 0 {
			want.Neg(want)
		}
		off, _ := bignum.Sub(want, number(got[i])).Float64()
		if e := math.Abs(off) / ulp; e > worst {
			worst = e
		}
	}
	t.Logf("at most %.2f units in the last place", worst)
	if !(worst <= 2) {
		t.Errorf("%.2f units in the last place", worst)
	}
}

// TestAtan2 compares angles with those of the evaluator, and special ones bit for bit.
func TestAtan2(t *testing.T) {
	var y, x []float64
	special := []float64{0, math.Copysign(0, -1), 1, -1, math.Inf(1), math.Inf(-1), math.NaN(), 5e-324, -5e-324, 1e300, -1e300, math.MaxFloat64, 1e-300, -1e-300}
	for _, a := range special {
		for _, b := range special {
			y, x = append(y, a), append(x, b)
		}
	}
	few, rng := len(y), rand.New(rand.NewSource(1))
	for range 4000 {
		y, x = append(y, math.Ldexp(rng.NormFloat64(), rng.Intn(60)-30)), append(x, math.Ldexp(rng.NormFloat64(), rng.Intn(60)-30))
	}
	got := natively(t, "atan2 x y", y, x)
	for i, a := range y {
		want := ops.FloatBinary(ops.SymAtan2)(a, x[i])
		ulp := math.Nextafter(math.Abs(want), math.Inf(1)) - math.Abs(want)
		switch {
		case math.IsNaN(want) && math.IsNaN(got[i]):
		case i < few && want == 0 && math.Signbit(got[i]) != math.Signbit(want), !(math.Abs(got[i]-want) <= 4*ulp):
			t.Errorf("atan2 %g %g is %g, and %g for the evaluator", a, x[i], got[i], want)
		}
	}
}

// digamma is the derivative of the logarithm of gamma, of a number that is larger by 60 less what
// that adds.
func digamma(x *big.Float) *big.Float {
	y := bignum.Add(x, number(60))
	w := bignum.Quo(number(1), y)
	square := bignum.Mul(w, w)
	sum := bignum.Sub(bignum.Log(y), bignum.Mul(w, number(0.5)))
	power := square
	for _, c := range [][2]float64{{1, 12}, {-1, 120}, {1, 252}, {-1, 240}, {1, 132}, {-691, 32760}, {1, 12}, {-3617, 8160}} {
		sum = bignum.Sub(sum, bignum.Mul(power, bignum.Quo(number(c[0]), number(c[1]))))
		power = bignum.Mul(power, square)
	}
	for k := range 60 {
		sum = bignum.Sub(sum, bignum.Quo(number(1), bignum.Add(x, number(float64(k)))))
	}
	return sum
}

// trigamma is its derivative, by the same way.
func trigamma(x *big.Float) *big.Float {
	y := bignum.Add(x, number(60))
	w := bignum.Quo(number(1), y)
	square := bignum.Mul(w, w)
	sum := bignum.Add(w, bignum.Mul(square, number(0.5)))
	power := bignum.Mul(square, w)
	for _, c := range [][2]float64{{1, 6}, {-1, 30}, {1, 42}, {-1, 30}, {5, 66}, {-691, 2730}, {7, 6}, {-3617, 510}} {
		sum = bignum.Add(sum, bignum.Mul(power, bignum.Quo(number(c[0]), number(c[1]))))
		power = bignum.Mul(power, square)
	}
	for k := range 60 {
		at := bignum.Add(x, number(float64(k)))
		sum = bignum.Add(sum, bignum.Quo(number(1), bignum.Mul(at, at)))
	}
	return sum
}

// TestFunctions compares the functions of machine code with many digits, over the
// whole range, and with the evaluator where a value is special.
func TestFunctions(t *testing.T) {
	one, half := number(1), number(0.5)
	hyperbolic := func(x *big.Float, sign float64) *big.Float {
		e := bignum.Exp(x)
		return bignum.Mul(half, bignum.Add(e, bignum.Quo(number(sign), e)))
	}
	for _, c := range []struct {
		name string
		sym  ops.Sym
		ulps float64
		want func(x *big.Float) *big.Float
		ends []float64 // numbers are drawn from within
	}{
		{"exp", ops.SymExp, 2, bignum.Exp, []float64{-750, 715}},
		{"log", ops.SymLog, 2, bignum.Log, []float64{0, math.MaxFloat64}},
		{"sin", ops.SymSin, 2, func(x *big.Float) *big.Float { return bignum.Sin(x, 0) }, []float64{-1e6, 1e6}},
		{"cos", ops.SymCos, 2, func(x *big.Float) *big.Float { return bignum.Sin(x, 1) }, []float64{-1e6, 1e6}},
		{"tan", ops.SymTan, 4, func(x *big.Float) *big.Float { return bignum.Quo(bignum.Sin(x, 0), bignum.Sin(x, 1)) }, []float64{-1e6, 1e6}},
		{"tanh", ops.SymTanh, 2, func(x *big.Float) *big.Float { return bignum.Quo(hyperbolic(x, -1), hyperbolic(x, 1)) }, []float64{-25, 25}},
		{"sigmoid", ops.SymSigmoid, 2, func(x *big.Float) *big.Float {
			return bignum.Quo(one, bignum.Add(one, bignum.Exp(bignum.Sub(number(0), x))))
		}, []float64{-700, 40}},
		{"expm1", ops.SymExpm1, 2, func(x *big.Float) *big.Float { return bignum.Sub(bignum.Exp(x), one) }, []float64{-60, 715}},
		{"log1p", ops.SymLog1p, 2, func(x *big.Float) *big.Float { return bignum.Log(bignum.Add(one, x)) }, []float64{-1, 1e30}},
		{"softplus", ops.SymSoftplus, 4, func(x *big.Float) *big.Float { return bignum.Log(bignum.Add(one, bignum.Exp(x))) }, []float64{-150, 600}},
		{"sinh", ops.SymSinh, 4, func(x *big.Float) *big.Float { return hyperbolic(x, -1) }, []float64{-715, 715}},
		{"cosh", ops.SymCosh, 4, func(x *big.Float) *big.Float { return hyperbolic(x, 1) }, []float64{-715, 715}},
		{"atan", ops.SymAtan, 2, bignum.Atan, []float64{-1e9, 1e9}},
		{"asin", ops.SymAsin, 4, bignum.Asin, []float64{-0.9999999, 0.9999999}},
		{"acos", ops.SymAcos, 4, func(x *big.Float) *big.Float {
			return bignum.Sub(bignum.Mul(half, bignum.Pi(bits)), bignum.Asin(x))
		}, []float64{-0.9999999, 0.9999999}},
		{"erf", ops.SymErf, 2, bignum.Erf, []float64{-7, 7}},
		{"lgamma", ops.SymLgamma, 0, bignum.Lgamma, []float64{0, 1000}},
		{"polygamma 0", ops.SymPolygamma, 0, digamma, []float64{0, 1000}},
		{"polygamma 1", ops.SymPolygamma, 0, trigamma, []float64{0, 1000}},
		{"sign", ops.SymSign, 0, func(x *big.Float) *big.Float { return number(float64(x.Sign())) }, []float64{-9, 9}},
	} {
		t.Run(c.name, func(t *testing.T) {
			rng := rand.New(rand.NewSource(1))
			in := []float64{0, math.Copysign(0, -1), 1, -1, math.Inf(1), math.Inf(-1), math.NaN(), 5e-324, -5e-324, 1e-310, 0x1p-1022,
				math.MaxFloat64, -math.MaxFloat64, 709.7, 709.79, 710, -708.5, -745, -745.2, 1e5, 1e9, 1e300, 0.625, math.Pi, math.Pi / 2, 100 * math.Pi, 0x1p18}
			special := len(in)
			lo, hi := c.ends[0], c.ends[1]
			for len(in) < testflag.Count(601, 6001) {
				x := lo + rng.Float64()*(hi-lo)
				if len(in)%2 == 0 { // of any exponent
					x = math.Ldexp(1+rng.Float64(), rng.Intn(80)-60)
					if c.name == "log" {
						x = math.Ldexp(1+rng.Float64(), rng.Intn(2096)-1074)
					} else if rng.Intn(2) == 0 {
						x = -x
					}
				}
				if lo <= x && x <= hi {
					in = append(in, x)
				}
			}
			got := natively(t, c.name+" x", in, in)
			order := 0
			if c.name == "polygamma 1" {
				order = 1
			}
			worst, at := 0.0, 0.0
			for i, x := range in {
				loose := c.sym == ops.SymLgamma || c.sym == ops.SymPolygamma
				if loose && i > special && i%9 != 0 {
					continue // many digits take long
				}
				y, known := got[i], ops.FloatUnary(c.sym, order)(x)
				if i < special && (math.IsNaN(known) != math.IsNaN(y) || math.IsInf(known, 0) && known != y || known == 0 && (math.Signbit(y) != math.Signbit(known) || !(math.Abs(y) <= 5e-324))) {
					t.Errorf("%s %g is %g, and %g for the evaluator", c.name, x, y, known)
				}
				if math.IsNaN(known) || math.IsInf(known, 0) || math.IsInf(y, 0) || x == 0 {
					continue
				}
				ulp := max(math.Nextafter(math.Abs(known), math.Inf(1))-math.Abs(known), 5e-324)
				want := number(known)
				if lo <= x && x <= hi && (c.name == "log" || math.Abs(x) > 1e-60) {
					want = c.want(number(x))
				}
				off, _ := bignum.Sub(want, number(y)).Float64()
				if loose && !(math.Abs(off) <= 1e-14*max(1, math.Abs(y))) {
					t.Errorf("%s %g is %g, off by %g", c.name, x, y, off)
				}
				if e := math.Abs(off) / ulp; e > worst {
					worst, at = e, x
				}
			}
			if c.sym == ops.SymLgamma || c.sym == ops.SymPolygamma { // which have another bound
				return
			}
			t.Logf("at most %.2f units in the last place, at %g", worst, at)
			if !(worst <= c.ulps) {
				t.Errorf("%.2f units in the last place at %g", worst, at)
			}
		})
	}
}

// TestPowers: powers by numbers that are no functions in machine code, as by TestPow.
func TestPowers(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	x := []float64{0, math.Copysign(0, -1), 1, -1, math.Inf(1), math.Inf(-1), math.NaN(), 5e-324, -5e-324, 1e-320, math.MaxFloat64, -math.MaxFloat64, 1e-160, 1e-154, 1.5e154, 1e-205, -3}
	few := len(x)
	for len(x) < few+4000 {
		a := math.Ldexp(1+rng.Float64(), rng.Intn(2000)-1000)
		if len(x)%3 == 0 {
			a = 4*rng.Float64() - 2
		}
		x = append(x, a)
	}
	logs := slice.Map(x, func(a float64) *big.Float {
		if a == 0 || math.IsNaN(a) || math.IsInf(a, 0) {
			return nil
		}
		return bignum.Log(number(math.Abs(a)))
	})
	for _, y := range []float64{2, 3, 4, -1, -2, 0.5, 1.5, 2.5, -0.5, -1.5, -2.5, -3, -4, 0.25} {
		got := natively(t, fmt.Sprintf("pow(x, %g)", y), x, x)
		worst := 0.0
		for i, a := range x {
			known := ops.FloatBinary(ops.SymPow)(a, y)
			ulp := max(math.Nextafter(math.Abs(known), math.Inf(1))-math.Abs(known), 5e-324)
			switch {
			case math.Abs(a) < 0x1p-1022 || math.IsNaN(known) || math.IsInf(known, 0) || known == 0:
				if math.Float64bits(got[i]) != math.Float64bits(known) && !(math.IsNaN(got[i]) && math.IsNaN(known)) && !(math.Abs(known-got[i]) <= 2*ulp) {
					t.Errorf("pow(%g, %g) is %g, and %g for the evaluator", a, y, got[i], known)
				}
				continue
			}
			want := bignum.Exp(bignum.Mul(number(y), logs[i]))
			if a < 0 && math.Mod(y, 2) != 0 {
				want.Neg(want)
			}
			off, _ := bignum.Sub(want, number(got[i])).Float64()
			if e := math.Abs(off) / ulp; e > worst {
				worst = e
			}
		}
		t.Logf("by %g at most %.2f units in the last place", y, worst)
		if !(worst <= 2) {
			t.Errorf("by %g: %.2f units in the last place", y, worst)
		}
	}
}

// TestRounding: reals that are rounded to integers and made reals again, in vectors and by
// themselves, are those of the evaluator: within 64 bits, never -0, and 0 of NaN.
func TestRounding(t *testing.T) {
	x := []float64{0, math.Copysign(0, -1), 0.3, -0.3, 0.5, -0.5, 1.5, -1.5, 2.5, 1e300, -1e300, math.Inf(1), math.Inf(-1), math.NaN(), 5e-324, -5e-324,
		0x1p52 + 0.5, 0x1p53 + 2, -0x1p62, 0x1p63, -0x1p63, 0x1.fffffffffffffp62, 1e19, -1e19, -7.5}
	var f eval.Floats
	for text, want := range map[string]func(float64) float64{
		"real (floor x)": func(x float64) float64 { return float64(f.Floor(x)) },
		"real (round x)": func(x float64) float64 { return float64(f.Round(x)) },
		"real (round x) * real (3 + floor x mod 5)": func(x float64) float64 {
			return float64(f.Round(x)) * float64(3+ops.IntBinary(ops.SymMod)(f.Floor(x), 5))
		},
	} {
		for n := range 2 { // with and without a number that is left over
			for i, got := range natively(t, text, x[n:], x[n:]) {
				if math.Float64bits(got) != math.Float64bits(want(x[n+i])) {
					t.Errorf("%s of %g is %g, and %g for the evaluator", text, x[n+i], got, want(x[n+i]))
				}
			}
		}
	}
}
