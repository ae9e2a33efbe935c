package kernel

import (
	"math/rand"
	"testing"

	"egad/term"
)

// TestDivided divides sums of multiples of variables, and quotients of these, by numbers again
// and again: what is made of them has the value of what was asked for at all values of the
// variables, and of a place in an array the quotients by what lies behind an axis are gone.
func TestDivided(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	for range 2000 {
		all := 0
		b := newBuilder(&all)
		vars := []*Value{b.variable(1+r.Intn(4), 0), b.variable(1+r.Intn(7), 0), b.variable(1+r.Intn(5), 0)}
		x := b.linear(int64(r.Intn(9)-4), []int64{int64(r.Intn(40) - 12), int64(r.Intn(13) - 3), int64(r.Intn(5) - 1)}, vars)
		type step struct {
			sym term.Sym
			by  int64
		}
		var steps []step
		got := x
		for range 1 + r.Intn(3) {
			s := step{[]term.Sym{term.SymIdiv, term.SymMod}[r.Intn(2)], int64(1 + r.Intn(9))}
			steps = append(steps, s)
			got = b.op(term.Op{Sym: s.sym}, term.I, got, b.int(s.by))
		}
		at := make(map[*Value]int64)
		for i := range vars[0].Range.Hi + 1 {
			for j := range vars[1].Range.Hi + 1 {
				for k := range vars[2].Range.Hi + 1 {
					at[vars[0]], at[vars[1]], at[vars[2]] = i, j, k
					want := intValue(x, at)
					for _, s := range steps {
						want = term.IntBinary(s.sym)(want, s.by)
					}
					v := intValue(got, at)
					if v != want || v < got.Range.Lo || v > got.Range.Hi {
						t.Fatalf("%v of %v at %v is %v, in %v; want %d", steps, x, at, v, got.Range, want)
					}
				}
			}
		}
	}

	all := 0
	b := newBuilder(&all)
	i, j, k := b.variable(8, 0), b.variable(32, 0), b.variable(27, 0)
	at := b.unravel(b.ravel([]*Value{i, j, k}, []int{8, 32, 27}), []int{8, 32, 3, 3, 3})
	by := func(sym term.Sym, x *Value, n int64) *Value { return b.op(term.Op{Sym: sym}, term.I, x, b.int(n)) }
	for n, want := range []*Value{i, j, by(term.SymIdiv, by(term.SymIdiv, k, 3), 3), by(term.SymMod, by(term.SymIdiv, k, 3), 3), by(term.SymMod, k, 3)} {
		if at[n] != want {
			t.Errorf("index %d of a reshaped array is %v, not %v", n, at[n], want)
		}
	}
}

// intValue is an integer at values of its variables.
func intValue(v *Value, at map[*Value]int64) int64 {
	switch v.Kind {
	case Lit:
		return v.Const.Int
	case Linear:
		sum := v.Const.Int
		for i, a := range v.Args {
			sum += v.Coef[i] * intValue(a, at)
		}
		return sum
	case Compute:
		return term.IntBinary(v.Op)(intValue(v.Args[0], at), intValue(v.Args[1], at))
	}
	return at[v]
}
