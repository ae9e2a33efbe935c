package kernel

import (
	"math"
	"math/rand"
	"slices"
	"testing"

	"egad/internal/slice"
	"egad/term"
	"egad/term/numeric"
	"egad/term/ops"
	"egad/term/types"
)

// TestDivided divides sums of multiples of variables, and quotients of these, by numbers again
// and again: what is made of them has the value of what was asked for at all values of the
// variables, and of a place in an array the quotients by what lies behind an axis are gone.
func TestDivided(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	for range 2000 {
		all := 0
		b := NewBuilder(&all)
		vars := []*Value{b.Variable(1+r.Intn(4), 0), b.Variable(1+r.Intn(7), 0), b.Variable(1+r.Intn(5), 0)}
		x := b.Linear(int64(r.Intn(9)-4), []int64{int64(r.Intn(40) - 12), int64(r.Intn(13) - 3), int64(r.Intn(5) - 1)}, vars)
		type step struct {
			sym ops.Sym
			by  int64
		}
		var steps []step
		got := x
		for range 1 + r.Intn(3) {
			s := step{[]ops.Sym{ops.SymIdiv, ops.SymMod}[r.Intn(2)], int64(1 + r.Intn(9))}
			steps = append(steps, s)
			got = b.Op(ops.Op{Sym: s.sym}, types.I, got, b.Int(s.by))
		}
		at := make(map[*Value]int64)
		for i := range vars[0].Range.Hi + 1 {
			for j := range vars[1].Range.Hi + 1 {
				for k := range vars[2].Range.Hi + 1 {
					at[vars[0]], at[vars[1]], at[vars[2]] = i, j, k
					want := intValue(x, at)
					for _, s := range steps {
						want = ops.IntBinary(s.sym)(want, s.by)
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
	b := NewBuilder(&all)
	i, j, k := b.Variable(8, 0), b.Variable(32, 0), b.Variable(27, 0)
	at := b.Unravel(b.Ravel([]*Value{i, j, k}, []int{8, 32, 27}), []int{8, 32, 3, 3, 3})
	by := func(sym ops.Sym, x *Value, n int64) *Value { return b.Op(ops.Op{Sym: sym}, types.I, x, b.Int(n)) }
	for n, want := range []*Value{i, j, by(ops.SymIdiv, by(ops.SymIdiv, k, 3), 3), by(ops.SymMod, by(ops.SymIdiv, k, 3), 3), by(ops.SymMod, k, 3)} {
		if at[n] != want {
			t.Errorf("index %d of a reshaped array is %v, not %v", n, at[n], want)
		}
	}

	// Groups of rows, of which a quotient tells the group and a remainder the row in it.
	g, x, y := b.Variable(4, 0), b.Variable(16, 0), b.Variable(12, 0)
	place := b.Linear(0, []int64{12, 1}, []*Value{x, y})
	in := func(n int64, v *Value) *Value { return b.Linear(0, []int64{n, 1}, []*Value{v, place}) }
	for _, c := range []struct {
		shape []int
		want  []*Value
	}{
		{[]int{2, 2 * 16 * 12}, []*Value{by(ops.SymIdiv, g, 2), in(16*12, by(ops.SymMod, g, 2))}},
		{[]int{4 * 16 / 32, 32, 12}, []*Value{by(ops.SymIdiv, g, 2), b.Linear(0, []int64{16, 1}, []*Value{by(ops.SymMod, g, 2), x}), y}},
		{[]int{4 * 2, 8, 12}, []*Value{b.Linear(0, []int64{2, 1}, []*Value{g, by(ops.SymIdiv, x, 8)}), by(ops.SymMod, x, 8), y}},
		{[]int{4, 16, 3, 4}, []*Value{g, x, by(ops.SymIdiv, y, 4), by(ops.SymMod, y, 4)}},
	} {
		at := b.Unravel(b.Ravel([]*Value{g, x, y}, []int{4, 16, 12}), c.shape)
		if !slices.Equal(at, c.want) {
			t.Errorf("indices of groups %v of rows are %v, not %v", c.shape, at, c.want)
		}
		if flat := b.Ravel(at, c.shape); flat != in(16*12, g) {
			t.Errorf("the place in groups %v of rows is %v", c.shape, flat)
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
		return ops.IntBinary(v.Op)(intValue(v.Args[0], at), intValue(v.Args[1], at))
	}
	return at[v]
}

// TestKnown: what operators make of literals is known when kernels are made, with the bits that a run
// would have, but for what no literal is.
func TestKnown(t *testing.T) {
	all := 0
	b := NewBuilder(&all)
	texts := []string{"0", "1", "-1", "2", "0.1", "0.2", "1%3", "4", "1e70", "1e-70", "-7.5"}
	lits := slice.Map(texts, func(s string) *Value {
		n, err := numeric.Parse(s)
		if err != nil {
			t.Fatal(err)
		}
		return b.Lit(ops.ScalarR(n))
	})
	known := 0
	check := func(op ops.Sym, got *Value, want float64) {
		t.Helper()
		none := math.IsNaN(want) || math.IsInf(want, 0) || want == 0 && math.Signbit(want)
		switch {
		case got.Kind == Lit && math.Float64bits(got.Const.Num.Float64()) != math.Float64bits(want):
			t.Errorf("operator %d makes %v, expected %v", op, got.Const.Num, want)
		case (got.Kind == Lit) == none:
			t.Errorf("operator %d, %v: known is %t", op, want, got.Kind == Lit)
		case got.Kind == Lit:
			known++
		}
	}
	for _, o := range term.NewSignature().All() {
		op := ops.Op{Sym: o.Sym}
		if f := ops.FloatUnary(o.Sym, 0); f != nil && o.Arity == 1 {
			for _, x := range lits {
				check(o.Sym, b.Op(op, types.R, x), f(x.Const.Num.Float64()))
			}
		}
		if f := ops.FloatBinary(o.Sym); f != nil && o.Arity == 2 {
			for _, x := range lits {
				for _, y := range lits {
					check(o.Sym, b.Op(op, types.R, x, y), f(x.Const.Num.Float64(), y.Const.Num.Float64()))
				}
			}
		}
	}
	if known < 500 {
		t.Errorf("%d are known", known)
	}
	sum := b.Op(ops.Op{Sym: ops.SymAdd}, types.R, lits[4], lits[5])
	third, _ := numeric.Parse("0.3")
	if v := b.Op(ops.Op{Sym: ops.SymEq}, types.B, sum, b.Lit(ops.ScalarR(third))); v.Kind != Lit || v.Const.Int != 0 {
		t.Error("0.1 + 0.2 is 0.3")
	}
}
