package term

import (
	"math"
	"math/rand/v2"
	"testing"

	"egad/term/numeric"
)

// TestBeside: what is bounded by an element that is compared with another contains
// the other wherever the comparison is true, and excludes something.
func TestBeside(t *testing.T) {
	ints := []int64{math.MinInt64, math.MinInt64 + 1, -2, -1, 0, 1, 2, math.MaxInt64 - 1, math.MaxInt64}
	reals := []float64{math.Inf(-1), -math.MaxFloat64, -1, -5e-324, math.Copysign(0, -1), 0, 5e-324, 1, math.Inf(1), math.NaN()}
	for _, sym := range []Sym{SymLt, SymLe, SymEq} {
		op := Builtin(sym)
		excluded := 0
		for _, y := range ints {
			for _, x := range ints {
				b := Bounds{Range{y, y}, numeric.AnyReal}
				for _, below := range []bool{true, false} {
					l, r := x, y
					if !below {
						l, r = y, x
					}
					in := b.beside(sym, below, I).Int
					has := in.Lo <= x && x <= in.Hi
					if holds := op.int2(l, r) == 1; holds && !has {
						t.Errorf("%s: %d and %d: %v", op.Name, l, r, in)
					}
					if !has {
						excluded++
					}
				}
			}
		}
		for _, y := range reals {
			for _, x := range reals {
				b := Bounds{AnyInt, numeric.PointOf(y)}
				for _, below := range []bool{true, false} {
					l, r := x, y
					if !below {
						l, r = y, x
					}
					in := b.beside(sym, below, R).Real
					has := has(in, x)
					holds := map[Sym]bool{SymLt: l < r, SymLe: l <= r, SymEq: l == r}[sym]
					if holds && !has {
						t.Errorf("%s: %g and %g: %v", op.Name, l, r, in)
					}
					if !has {
						excluded++
					}
				}
			}
		}
		if excluded < 100 {
			t.Errorf("%s excludes %d values only", op.Name, excluded)
		}
	}
}

// TestSupposed draws values and facts that are true of them: what follows from the
// facts is true, too, and says something.
func TestSupposed(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	said := 0
	for _, elem := range []Elem{I, R} {
		for range 3000 {
			s := NewStore(NewSignature())
			env := make(Env[*Value[float64]])
			var vars []Term
			for _, name := range []string{"x", "y", "z"} {
				v := &Value[float64]{Elem: elem}
				if n := rng.IntN(7) - 3; elem == I {
					v.N = []int64{int64(n)}
				} else {
					v.R = []float64{[]float64{math.NaN(), math.Copysign(0, -1), 0, 1, -1, 0.5, math.Inf(1), math.Inf(-1)}[rng.IntN(8)]}
				}
				env[name] = v
				vars = append(vars, s.Var(name, ArrayOf(elem)))
			}
			operand := func() Term {
				if k := rng.IntN(5); k < 3 {
					return vars[k]
				}
				if elem == I {
					return s.Lit(ScalarI(int64(rng.IntN(5) - 2)))
				}
				return s.Lit(ScalarR(numeric.Int(int64(rng.IntN(3) - 1))))
			}
			var facts []Term
			for len(facts) < 3 {
				fact := s.Apply([]Sym{SymLt, SymLe, SymEq}[rng.IntN(3)], operand(), operand())
				if rng.IntN(3) == 0 {
					fact = s.Apply([]Sym{SymAnd, SymOr}[rng.IntN(2)], fact, s.Apply(SymLt, operand(), operand()))
				}
				v, err := Interpret(s, fact, FloatArrays(), env)
				if err != nil {
					t.Fatal(err)
				}
				if v.N[0] == 0 {
					fact = s.Apply(SymNot, fact)
				}
				facts = append(facts, fact)
			}
			known := s.Supposing(false, facts...)
			for i, x := range vars {
				v, b := env[[]string{"x", "y", "z"}[i]], known.Bounds(x)
				if elem == R && !has(b.Real, v.R[0]) || elem == I && !(b.Int.Lo <= v.N[0] && v.N[0] <= b.Int.Hi) {
					t.Fatalf("%v is not in %v, with %v", v, b, facts)
				}
				if b != Unbounded {
					said++
				}
			}
		}
	}
	if said < 4000 {
		t.Errorf("only %d variables have bounds", said)
	}
}

// TestSupposing: what is supposed of terms holds of what is made of them, in whatever
// order it is said.
func TestSupposing(t *testing.T) {
	s := NewStore(NewSignature())
	scalar := ArrayOf(I)
	x, y, z := s.Var("x", scalar), s.Var("y", scalar), s.Var("z", scalar)
	n := func(k int64) Term { return s.Lit(ScalarI(k)) }
	lt := func(a, b Term) Term { return s.Apply(SymLt, a, b) }
	facts := []Term{lt(x, y), lt(y, z), s.Apply(SymAnd, lt(z, n(10)), lt(n(0), x))}
	sum := s.Apply(SymAdd, x, y)
	for turn := range facts {
		b := s.Supposing(false, append(facts[turn:len(facts):len(facts)], facts[:turn]...)...)
		for _, c := range []struct {
			t    Term
			want Range
		}{{x, Range{1, 7}}, {y, Range{2, 8}}, {z, Range{3, 9}}, {sum, Range{3, 15}}} {
			if got := b.Bounds(c.t).Int; got != c.want {
				t.Errorf("order %d: %v, want %v", turn, got, c.want)
			}
		}
	}
	if got := s.Bounds(sum).Int; got != AnyInt {
		t.Errorf("without what is supposed: %v", got)
	}
}

// TestEquated: what equals a term bounds it, in whatever order that is said, and equal operands are
// known to be equal.
func TestEquated(t *testing.T) {
	s := NewStore(NewSignature())
	in := func(name string, e Elem) Term { return s.Var(name, ArrayOf(e)) }
	k, m, n, x, y := in("k", I), in("m", I), in("n", I), in("x", R), in("y", R)
	z := s.Apply(SymMul, x, y)
	known := s.Supposing(false)
	if known.Bounds(n).Int != AnyInt || known.Bounds(z).Real.Lo >= 0 {
		t.Fatal("something is known of inputs")
	}
	known.Equate(n, s.Apply(SymMin, m, s.LitInt(5)))
	known.Equate(m, s.Apply(SymMax, s.LitInt(0), k))
	known.Equate(y, x)
	if got := known.Bounds(n).Int; got != (Range{0, 5}) {
		t.Errorf("n = min m 5 and m = max 0 k: n is in %v", got)
	}
	if got := known.Bounds(z).Real; got.Lo != 0 {
		t.Errorf("x = y: x * y is in %s", got)
	}
}
