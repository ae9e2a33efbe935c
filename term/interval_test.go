package term_test

import (
	"fmt"
	"math"
	"math/big"
	"math/rand"
	"slices"
	"testing"

	"egad/internal/testflag"
	"egad/term"
	"egad/term/eval"
	"egad/term/numeric"
	"egad/term/ops"
	"egad/term/types"
)

// ends are ends of intervals, and values in them.
var ends = []float64{
	math.Inf(-1), -math.MaxFloat64, -1e300, -745.5, -100, -2, -1.5, -1, -0.75, -1e-200, -5e-324, 0,
	5e-324, 1e-310, 1e-200, 0.1, 0.5, 1, 1.5, 2, 3, math.Pi, 100, 709.5, 1e200, math.MaxFloat64, math.Inf(1),
}

// someInterval is a random interval with values in it.
func someInterval(r *rand.Rand) (numeric.Interval, []float64) {
	i, j := r.Intn(len(ends)), r.Intn(len(ends))
	v := numeric.Interval{Lo: ends[min(i, j)], Hi: ends[max(i, j)], NonZero: r.Intn(3) == 0, Number: r.Intn(3) > 0}
	if v.Empty() {
		v.NonZero = false
	}
	var in []float64
	for range 4 {
		x := ends[min(i, j)+r.Intn(max(i, j)-min(i, j)+1)]
		if r.Intn(3) == 0 && !math.IsInf(v.Lo, 0) && !math.IsInf(v.Hi-v.Lo, 0) {
			x = min(v.Lo+r.Float64()*(v.Hi-v.Lo), v.Hi)
		}
		if x == 0 && r.Intn(2) == 0 {
			x = math.Copysign(0, -1)
		}
		in = append(in, x)
	}
	if !v.Number {
		in = append(in, math.NaN())
	}
	if v.NonZero {
		in = slices.DeleteFunc(in, func(x float64) bool { return x == 0 })
	}
	return v, in
}

// has reports whether x may be an element.
func has(a numeric.Interval, x float64) bool {
	if math.IsNaN(x) {
		return !a.Number
	}
	return a.Lo <= x && x <= a.Hi && !(a.NonZero && x == 0)
}

// A sum of what is positive, or not negative, is positive: nothing is added that takes it away.
func TestSumOfPositives(t *testing.T) {
	inf := math.Inf(1)
	positive, natural := numeric.Interval{Lo: 0, Hi: inf, NonZero: true, Number: true}, numeric.Interval{Lo: 0, Hi: inf, Number: true}
	for _, c := range []struct {
		a, b numeric.Interval
		want bool
	}{
		{positive, positive, true}, {positive, natural, true}, {natural, positive, true}, {natural, natural, false},
		{positive.Neg(), natural.Neg(), true}, {positive, natural.Neg(), false}, {positive, numeric.AnyFinite, false},
	} {
		if got := c.a.Add(c.b); got.NonZero != c.want {
			t.Errorf("%v + %v: %v", c.a, c.b, got)
		}
	}
}

// What single operators say of intervals holds of floats, and of the real numbers
// where an operator is rational.
func TestIntervalOfIsSound(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	n := testflag.Count(2000, 80_000)
	rational := map[ops.Sym]func(z, x, y *big.Rat) *big.Rat{ops.SymAdd: (*big.Rat).Add, ops.SymSub: (*big.Rat).Sub, ops.SymMul: (*big.Rat).Mul, ops.SymDiv: (*big.Rat).Quo}
	said := make(map[ops.Sym]int)
	for range n {
		a, xs := someInterval(r)
		b, ys := someInterval(r)
		if r.Intn(4) == 0 { // a constant exponent
			k := float64(r.Intn(7) - 3)
			b, ys = numeric.PointOf(k), []float64{k}
		}
		for sym := ops.SymNeg; sym <= ops.SymAtan2; sym++ {
			if f := ops.FloatUnary(sym, 0); f != nil {
				got := intervalOf(sym, false, a)
				if got != numeric.AnyReal {
					said[sym]++
				}
				for _, x := range xs {
					if v := f(x); !has(got, v) {
						t.Fatalf("%s %g is %g, not in %v, which is said of %v", ops.Builtin(sym).Name, x, v, got, a)
					}
				}
				continue
			}
			f := ops.FloatBinary(sym)
			if f == nil {
				continue
			}
			got, same := intervalOf(sym, false, a, b), intervalOf(sym, true, a, a)
			if got != numeric.AnyReal {
				said[sym]++
			}
			for _, x := range xs {
				if v := f(x, x); !has(same, v) {
					t.Fatalf("%g %s itself is %g, not in %v, which is said of %v", x, ops.Builtin(sym).Name, v, same, a)
				}
				for _, y := range ys {
					if v := f(x, y); !has(got, v) {
						t.Fatalf("%g %s %g is %g, not in %v, which is said of %v and %v", x, ops.Builtin(sym).Name, y, v, got, a, b)
					}
					p, q := new(big.Rat).SetFloat64(x), new(big.Rat).SetFloat64(y)
					if g := rational[sym]; g != nil && p != nil && q != nil && !(sym == ops.SymDiv && q.Sign() == 0) {
						z := g(new(big.Rat), p, q)
						if lo := new(big.Rat).SetFloat64(got.Lo); lo != nil && z.Cmp(lo) < 0 {
							t.Fatalf("%g %s %g is less than %g", x, ops.Builtin(sym).Name, y, got.Lo)
						}
						if hi := new(big.Rat).SetFloat64(got.Hi); hi != nil && z.Cmp(hi) > 0 {
							t.Fatalf("%g %s %g is more than %g", x, ops.Builtin(sym).Name, y, got.Hi)
						}
					}
				}
			}
		}
		if len(xs) == 0 {
			continue
		}
		k := r.Intn(6)
		sum, total := a.Sum(float64(k), float64(k)), 0.0
		some, part := a.Sum(0, float64(k)), 0.0
		for range k {
			x := xs[r.Intn(len(xs))]
			total += x
			if r.Intn(2) == 0 {
				part += x
			}
		}
		if !has(sum, total) || !has(some, part) {
			t.Fatalf("a sum of %d of %v is %g, not in %v; of some %g, not in %v", k, xs, total, sum, part, some)
		}
	}
	for sym := ops.SymNeg; sym <= ops.SymAtan2; sym++ {
		if (ops.FloatUnary(sym, 0) != nil || ops.FloatBinary(sym) != nil) && sym != ops.SymPolygamma && said[sym] < n/20 {
			t.Errorf("%s: only %d intervals said something", ops.Builtin(sym).Name, said[sym])
		}
	}
}

// What conditions ask of intervals.
func TestIntervalComparisons(t *testing.T) {
	inf := math.Inf(1)
	zero, half := numeric.PointOf(0), numeric.Interval{Lo: 0, Hi: inf, NonZero: false, Number: true}
	positive, signed := numeric.Interval{Lo: 0, Hi: inf, NonZero: true, Number: true}, numeric.Interval{Lo: -1, Hi: 1, NonZero: true, Number: true}
	for _, c := range []struct {
		what     string
		got, yes bool
	}{
		{"0 <= [0, inf]", zero.AtMost(half), true},
		{"0 < [0, inf]", zero.Less(half), false},
		{"0 < (0, inf]", zero.Less(positive), true},
		{"(0, inf] < 0", positive.Less(zero), false},
		{"0 != [0, inf]", zero.Differ(half), false},
		{"0 != [-1, 1] without 0", zero.Differ(signed), true},
		{"[-1, 1] without 0 != 0", signed.Differ(zero), true},
		{"1 != [-1, 1]", numeric.PointOf(1).Differ(signed), false},
		{"2 != [-1, 1]", numeric.PointOf(2).Differ(signed), true},
		{"finite [-1, 1]", signed.Finite(), true},
		{"finite [0, inf]", half.Finite(), false},
		{"finite, perhaps NaN", numeric.Interval{Lo: 0, Hi: 1}.Finite(), false},
		{"finite [-max, max]", numeric.AnyFinite.Finite(), true},
		{"empty (0, 0)", zero.Meet(positive).Empty(), true},
		{"empty [0, 0]", zero.Meet(half).Empty(), false},
	} {
		if c.got != c.yes {
			t.Errorf("%s: %v", c.what, c.got)
		}
	}
	if a, b := (numeric.Interval{Lo: 1, Hi: 5, NonZero: true, Number: false}), (numeric.Interval{Lo: -4, Hi: 2, NonZero: false, Number: true}); a.Meet(b) != (numeric.Interval{Lo: 1, Hi: 2, NonZero: true, Number: true}) || a.Join(b) != (numeric.Interval{Lo: -4, Hi: 5, NonZero: false, Number: false}) {
		t.Error("meet or join")
	}
}

// What is said of the real terms of random programs holds of their values,
// whatever the inputs.
func TestBoundsHold(t *testing.T) {
	finite, signs := 0, 0
	holds(t, 600, sampleGen(palette{}), func(s sample) error {
		p, err := loadSample(s.String())
		if err != nil {
			return err
		}
		r := rand.New(rand.NewSource(1))
		env := values(r, p.Inputs, func(int64) float64 {
			return []float64{0, 1, -1, 0.25, 1e300, -1e300, 1e-300, math.Inf(1), math.Inf(-1), math.NaN()}[r.Intn(10)]
		})
		p.Store.Walk(p.Root, func(u term.Term) {
			typ := p.Store.Type(u)
			if err != nil || len(p.Store.Vars(u)) > 0 || typ.Kind != types.KArray || typ.Elem != types.R {
				return
			}
			b := p.Store.Bounds(u).Real
			if b.Finite() {
				finite++
			}
			if b.Lo >= 0 {
				signs++
			}
			var v *eval.Value[float64]
			if v, err = eval.Interpret(p.Store, u, eval.FloatArrays(), env); err != nil {
				return
			}
			for _, x := range v.R {
				if !has(b, x) {
					err = fmt.Errorf("%g is not in %v, which is said of\n%s", x, b, (&term.Printer{Store: p.Store}).Term(u))
				}
			}
		})
		return err
	}, sample.String)
	if finite < 50 || signs < 80 {
		t.Errorf("only %d terms are finite and %d have a sign", finite, signs)
	}
}

// intervalOf bounds an elementwise operator on reals.
func intervalOf(sym ops.Sym, equal bool, as ...numeric.Interval) numeric.Interval {
	kids := make([]ops.Operand, len(as))
	for i, a := range as {
		kids[i] = ops.Operand{Type: types.ArrayOf(types.R), Bounds: ops.Bounds{Int: ops.AnyInt, Real: a}}
	}
	return ops.BoundsOf(ops.Op{Sym: sym}, types.ArrayOf(types.R), kids, equal).Real
}
