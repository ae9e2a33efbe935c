package kernel_test

import (
	"errors"
	"math"
	"math/big"
	"math/rand"
	"testing"

	"egad/kernel"
	"egad/term"
)

const bigBits = 300

func bigOf(x float64) *big.Float { return new(big.Float).SetPrec(bigBits).SetFloat64(x) }

func bigOp(f func(z, x, y *big.Float) *big.Float, x, y *big.Float) *big.Float {
	return f(new(big.Float).SetPrec(bigBits), x, y)
}

func bigAdd(x, y *big.Float) *big.Float { return bigOp((*big.Float).Add, x, y) }
func bigSub(x, y *big.Float) *big.Float { return bigOp((*big.Float).Sub, x, y) }
func bigMul(x, y *big.Float) *big.Float { return bigOp((*big.Float).Mul, x, y) }
func bigDiv(x, y *big.Float) *big.Float { return bigOp((*big.Float).Quo, x, y) }

// series adds terms, from first on, each of which next makes of the one before, until
// they are nothing.
func series(first *big.Float, next func(t *big.Float, k int) *big.Float) *big.Float {
	sum, t := first, next(first, 1)
	for k := 2; t.Sign() != 0 && t.MantExp(nil) > sum.MantExp(nil)-bigBits && t.MantExp(nil) > -2000; k++ {
		sum = bigAdd(sum, t)
		t = next(t, k)
	}
	return sum
}

// bigExp halves until the series is short, and squares.
func bigExp(x *big.Float) *big.Float {
	n := max(0, x.MantExp(nil)+4)
	y := new(big.Float).SetMantExp(x, -n)
	e := series(bigOf(1), func(t *big.Float, k int) *big.Float { return bigDiv(bigMul(t, y), bigOf(float64(k))) })
	for range n {
		e = bigMul(e, e)
	}
	return e
}

// bigLog is twice the area tangent of (m - 1) / (m + 1), and the exponent times that of 2.
func bigLog(x *big.Float) *big.Float {
	log := func(m *big.Float) *big.Float {
		z := bigDiv(bigSub(m, bigOf(1)), bigAdd(m, bigOf(1)))
		power := z
		return bigMul(bigOf(2), series(z, func(_ *big.Float, k int) *big.Float {
			power = bigMul(power, bigMul(z, z))
			return bigDiv(power, bigOf(float64(2*k+1)))
		}))
	}
	m := new(big.Float)
	n := x.MantExp(m)
	return bigAdd(log(m), bigMul(bigOf(float64(n)), log(bigOf(2))))
}

var bigPi = func() *big.Float { // Machin's formula
	atan := func(d float64) *big.Float {
		x := bigDiv(bigOf(1), bigOf(d))
		power := x
		return series(x, func(_ *big.Float, k int) *big.Float {
			power = bigMul(bigMul(power, bigMul(x, x)), bigOf(-1))
			return bigDiv(power, bigOf(float64(2*k+1)))
		})
	}
	return bigMul(bigOf(4), bigSub(bigMul(bigOf(4), atan(5)), atan(239)))
}()

// bigSin is the sine of x + quarters * pi / 2.
func bigSin(x *big.Float, quarters int) *big.Float {
	turn := bigMul(bigOf(2), bigPi)
	x = bigAdd(x, bigMul(bigOf(float64(quarters)/4), turn))
	n, _ := bigAdd(bigDiv(x, turn), bigOf(0.5)).Int(nil)
	x = bigSub(x, bigMul(new(big.Float).SetPrec(bigBits).SetInt(n), turn))
	return series(x, func(t *big.Float, k int) *big.Float {
		return bigDiv(bigMul(bigMul(t, bigOf(-1)), bigMul(x, x)), bigOf(float64(2*k*(2*k+1))))
	})
}

// TestFunctions compares the functions of machine code with many digits, over the
// whole range, and with the evaluator where a value is special.
func TestFunctions(t *testing.T) {
	one := bigOf(1)
	for _, c := range []struct {
		name string
		ulps float64
		want func(x *big.Float) *big.Float
		ends []float64 // numbers are drawn from within
	}{
		{"exp", 2, bigExp, []float64{-750, 715}},
		{"log", 2, bigLog, []float64{0, math.MaxFloat64}},
		{"sin", 2, func(x *big.Float) *big.Float { return bigSin(x, 0) }, []float64{-1e6, 1e6}},
		{"cos", 2, func(x *big.Float) *big.Float { return bigSin(x, 1) }, []float64{-1e6, 1e6}},
		{"tanh", 2, func(x *big.Float) *big.Float {
			e := bigExp(bigMul(bigOf(2), x))
			return bigDiv(bigSub(e, one), bigAdd(e, one))
		}, []float64{-25, 25}},
		{"sigmoid", 2, func(x *big.Float) *big.Float {
			return bigDiv(one, bigAdd(one, bigExp(bigMul(bigOf(-1), x))))
		}, []float64{-700, 40}},
	} {
		t.Run(c.name, func(t *testing.T) {
			rng := rand.New(rand.NewSource(1))
			in := []float64{0, math.Copysign(0, -1), 1, -1, math.Inf(1), math.Inf(-1), math.NaN(), 5e-324, -5e-324, 1e-310, 0x1p-1022,
				math.MaxFloat64, -math.MaxFloat64, 709.7, 709.79, 710, -708.5, -745, -745.2, 1e5, 1e9, 1e300, 0.625, math.Pi, math.Pi / 2, 100 * math.Pi, 0x1p18}
			special := len(in)
			lo, hi := c.ends[0], c.ends[1]
			for len(in) < 2001 {
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
			k, err := kernel.Lower(program(t, `def f(a: R[2001]): R[2001] = `+c.name+` a`))
			if err != nil {
				t.Fatal(err)
			}
			m, err := kernel.CompileNative(k, false)
			if errors.Is(err, kernel.ErrNoCompiler) {
				t.Skip(err)
			}
			if err != nil {
				t.Fatal(err)
			}
			got, err := m.Run(term.Env[*term.Value[float64]]{"a": {Elem: term.R, Shape: []int{2001}, R: in}})
			if err != nil {
				t.Fatal(err)
			}
			sym := map[string]term.Sym{"exp": term.SymExp, "log": term.SymLog, "sin": term.SymSin, "cos": term.SymCos, "tanh": term.SymTanh, "sigmoid": term.SymSigmoid}[c.name]
			worst, at := 0.0, 0.0
			for i, x := range in {
				y, known := got.R[i], term.FloatUnary(sym, 0)(x)
				if i < special && (math.IsNaN(known) != math.IsNaN(y) || math.IsInf(known, 0) && known != y || known == 0 && math.Float64bits(y) != math.Float64bits(known)) {
					t.Errorf("%s %g is %g, and %g for the evaluator", c.name, x, y, known)
				}
				if math.IsNaN(known) || math.IsInf(known, 0) || math.IsInf(y, 0) || x == 0 {
					continue
				}
				ulp := max(math.Nextafter(math.Abs(known), math.Inf(1))-math.Abs(known), 5e-324)
				want := bigOf(known)
				if lo <= x && x <= hi && (c.name == "log" || math.Abs(x) > 1e-60) {
					want = c.want(bigOf(x))
				}
				off, _ := bigSub(want, bigOf(y)).Float64()
				if e := math.Abs(off) / ulp; e > worst {
					worst, at = e, x
				}
			}
			t.Logf("at most %.2f units in the last place, at %g", worst, at)
			if !(worst <= c.ulps) {
				t.Errorf("%.2f units in the last place at %g", worst, at)
			}
		})
	}
}
