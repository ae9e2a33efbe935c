package term_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"egad/term"
	"egad/term/eval"
	"egad/term/numeric"
	"egad/term/ops"
	"egad/term/types"
)

// TestBeside: what is bounded by an element that is compared with another contains
// the other wherever the comparison is true, and excludes something.
func TestBeside(t *testing.T) {
	ints := []int64{math.MinInt64, math.MinInt64 + 1, -2, -1, 0, 1, 2, math.MaxInt64 - 1, math.MaxInt64}
	reals := []float64{math.Inf(-1), -math.MaxFloat64, -1, -5e-324, math.Copysign(0, -1), 0, 5e-324, 1, math.Inf(1), math.NaN()}
	for _, sym := range []ops.Sym{ops.SymLt, ops.SymLe, ops.SymEq} {
		op := ops.Builtin(sym)
		excluded := 0
		for _, y := range ints {
			for _, x := range ints {
				b := ops.Bounds{Int: ops.Range{Lo: y, Hi: y}, Real: numeric.AnyReal}
				for _, below := range []bool{true, false} {
					l, r := x, y
					if !below {
						l, r = y, x
					}
					in := b.Beside(sym, below, types.I).Int
					has := in.Lo <= x && x <= in.Hi
					if holds := ops.IntBinary(sym)(l, r) == 1; holds && !has {
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
				b := ops.Bounds{Int: ops.AnyInt, Real: numeric.PointOf(y)}
				for _, below := range []bool{true, false} {
					l, r := x, y
					if !below {
						l, r = y, x
					}
					in := b.Beside(sym, below, types.R).Real
					has := has(in, x)
					holds := map[ops.Sym]bool{ops.SymLt: l < r, ops.SymLe: l <= r, ops.SymEq: l == r}[sym]
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
	for _, elem := range []types.Elem{types.I, types.R} {
		for range 3000 {
			s := term.NewStore(term.NewSignature())
			env := make(eval.Env[*eval.Value[float64]])
			var vars []term.Term
			for _, name := range []string{"x", "y", "z"} {
				v := &eval.Value[float64]{Elem: elem}
				if n := rng.IntN(7) - 3; elem == types.I {
					v.N = []int64{int64(n)}
				} else {
					v.R = []float64{[]float64{math.NaN(), math.Copysign(0, -1), 0, 1, -1, 0.5, math.Inf(1), math.Inf(-1)}[rng.IntN(8)]}
				}
				env[name] = v
				vars = append(vars, s.Var(name, types.ArrayOf(elem)))
			}
			operand := func() term.Term {
				if k := rng.IntN(5); k < 3 {
					return vars[k]
				}
				if elem == types.I {
					return s.Lit(ops.ScalarI(int64(rng.IntN(5) - 2)))
				}
				return s.Lit(ops.ScalarR(numeric.Int(int64(rng.IntN(3) - 1))))
			}
			var facts []term.Term
			for len(facts) < 3 {
				fact := s.Apply([]ops.Sym{ops.SymLt, ops.SymLe, ops.SymEq}[rng.IntN(3)], operand(), operand())
				if rng.IntN(3) == 0 {
					fact = s.Apply([]ops.Sym{ops.SymAnd, ops.SymOr}[rng.IntN(2)], fact, s.Apply(ops.SymLt, operand(), operand()))
				}
				v, err := eval.Interpret(s, fact, eval.FloatArrays(), env)
				if err != nil {
					t.Fatal(err)
				}
				if v.N[0] == 0 {
					fact = s.Apply(ops.SymNot, fact)
				}
				facts = append(facts, fact)
			}
			known := s.Supposing(false, facts...)
			for i, x := range vars {
				v, b := env[[]string{"x", "y", "z"}[i]], known.Bounds(x)
				if elem == types.R && !has(b.Real, v.R[0]) || elem == types.I && !(b.Int.Lo <= v.N[0] && v.N[0] <= b.Int.Hi) {
					t.Fatalf("%v is not in %v, with %v", v, b, facts)
				}
				if b != ops.Unbounded {
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
	s := term.NewStore(term.NewSignature())
	scalar := types.ArrayOf(types.I)
	x, y, z := s.Var("x", scalar), s.Var("y", scalar), s.Var("z", scalar)
	n := func(k int64) term.Term { return s.Lit(ops.ScalarI(k)) }
	lt := func(a, b term.Term) term.Term { return s.Apply(ops.SymLt, a, b) }
	facts := []term.Term{lt(x, y), lt(y, z), s.Apply(ops.SymAnd, lt(z, n(10)), lt(n(0), x))}
	sum := s.Apply(ops.SymAdd, x, y)
	for turn := range facts {
		b := s.Supposing(false, append(facts[turn:len(facts):len(facts)], facts[:turn]...)...)
		for _, c := range []struct {
			t    term.Term
			want ops.Range
		}{{x, ops.Range{Lo: 1, Hi: 7}}, {y, ops.Range{Lo: 2, Hi: 8}}, {z, ops.Range{Lo: 3, Hi: 9}}, {sum, ops.Range{Lo: 3, Hi: 15}}} {
			if got := b.Bounds(c.t).Int; got != c.want {
				t.Errorf("order %d: %v, want %v", turn, got, c.want)
			}
		}
	}
	if got := s.Bounds(sum).Int; got != ops.AnyInt {
		t.Errorf("without what is supposed: %v", got)
	}
}

// TestSupposingEnds: facts are gone through again as long as one says more than before, of many of
// which none follows from another twice, and of a chain in the least lucky order as often as it is long.
func TestSupposingEnds(t *testing.T) {
	const n = 50
	s := term.NewStore(term.NewSignature())
	var apart, chain []term.Term
	for i := range n {
		x, y := s.Var(fmt.Sprint("x", i), types.ArrayOf(types.I)), s.Var(fmt.Sprint("x", i+1), types.ArrayOf(types.I))
		apart = append(apart, s.Apply(ops.SymLt, s.LitInt(int64(i)), x))
		chain = append(chain, s.Apply(ops.SymLt, y, x))
	}
	chain = append(chain, s.Apply(ops.SymLt, s.LitInt(0), s.Var(fmt.Sprint("x", n), types.ArrayOf(types.I))))
	for _, c := range []struct {
		facts []term.Term
		most  int // times that a fact is gone through
	}{{apart, 2}, {chain, n + 1}} {
		bounds, said := make(map[uint32]ops.Bounds), 0
		known := func(t term.Term) ops.Bounds {
			b := s.Bounds(t)
			if x, ok := bounds[t.ID]; ok {
				b = b.Meet(x)
			}
			return b
		}
		s.Suppose(c.facts, known, func(t term.Term, b ops.Bounds) bool {
			before := known(t)
			bounds[t.ID] = before.Meet(b)
			return bounds[t.ID] != before
		}, func(term.Term, bool) { said++ })
		if said > c.most*len(c.facts) {
			t.Errorf("%d facts were gone through %d times", len(c.facts), said/len(c.facts))
		}
		if got := known(s.Var("x0", types.ArrayOf(types.I))).Int.Lo; c.most > 2 && got != n+1 {
			t.Errorf("x0 is %d at least", got)
		}
	}
}

// TestEquated: what equals a term bounds it, in whatever order that is said, and equal operands are
// known to be equal.
func TestEquated(t *testing.T) {
	s := term.NewStore(term.NewSignature())
	in := func(name string, e types.Elem) term.Term { return s.Var(name, types.ArrayOf(e)) }
	k, m, n, x, y := in("k", types.I), in("m", types.I), in("n", types.I), in("x", types.R), in("y", types.R)
	z := s.Apply(ops.SymMul, x, y)
	known := s.Supposing(false)
	if known.Bounds(n).Int != ops.AnyInt || known.Bounds(z).Real.Lo >= 0 {
		t.Fatal("something is known of inputs")
	}
	known.Equate(n, s.Apply(ops.SymMin, m, s.LitInt(5)))
	known.Equate(m, s.Apply(ops.SymMax, s.LitInt(0), k))
	known.Equate(y, x)
	if got := known.Bounds(n).Int; got != (ops.Range{Lo: 0, Hi: 5}) {
		t.Errorf("n = min m 5 and m = max 0 k: n is in %v", got)
	}
	if got := known.Bounds(z).Real; got.Lo != 0 {
		t.Errorf("x = y: x * y is in %s", got)
	}
}
