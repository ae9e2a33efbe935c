package term_test

import (
	"fmt"
	"math"
	"math/rand"
	"testing"

	"egad/term"
	"egad/term/eval"
	"egad/term/ops"
	"egad/term/size"
	"egad/term/types"
)

// What interval analysis says of a term holds of its values.
func TestRangeHolds(t *testing.T) {
	known, narrow := 0, 0
	holds(t, 1500, sampleGen(palette{integer: true}), func(s sample) error {
		p, err := loadSample(s.String())
		if err != nil {
			return err
		}
		// Every closed integer term is checked, not only the root.
		env := values(rand.New(rand.NewSource(1)), p.Inputs, func(k int64) float64 { return float64(k) / 4 })
		p.Store.Walk(p.Root, func(u term.Term) {
			typ := p.Store.Type(u)
			if err != nil || len(p.Store.Vars(u)) > 0 || typ.Kind != types.KArray || typ.Elem != types.I {
				return
			}
			r := p.Store.Range(u)
			if r != ops.AnyInt {
				known++
			}
			if r.Hi-r.Lo >= 0 && r.Hi-r.Lo < 100 {
				narrow++
			}
			var v *eval.Value[float64]
			if v, err = eval.Interpret(p.Store, u, eval.FloatArrays(), env); err != nil {
				return
			}
			for _, x := range v.N {
				if x < r.Lo || x > r.Hi {
					err = fmt.Errorf("%d is not within %v, the range of\n%s", x, r, (&term.Printer{Store: p.Store}).Term(u))
				}
			}
		})
		return err
	}, sample.String)
	if known < 500 || narrow < 200 {
		t.Errorf("only %d ranges said something, %d of them much", known, narrow)
	}
}

// The ranges of single operators on single ranges: what they exclude never
// happens, and the ends that can be reached are reached.
func TestRangeOf(t *testing.T) {
	three := size.Const(3)
	scalar := types.ArrayOf(types.I)
	r := func(lo, hi int64) ops.Range { return ops.Range{Lo: lo, Hi: hi} }
	for _, c := range []struct {
		op   ops.Op
		kids []ops.Range
		want ops.Range
	}{
		{ops.Op{Sym: ops.SymConst, Const: ops.ConstFill(ops.ScalarI(7))}, nil, r(7, 7)},
		{ops.Op{Sym: ops.SymConst, Const: ops.ConstData([]ops.Scalar{ops.ScalarI(7), ops.ScalarI(-2), ops.ScalarI(9)})}, nil, r(-2, 9)},
		{ops.Op{Sym: ops.SymIvar, Sizes: []size.Size{three}}, nil, r(0, 2)},
		{ops.Op{Sym: ops.SymIota, Sizes: []size.Size{three}}, nil, r(0, 2)},
		{ops.Op{Sym: ops.SymIota, Sizes: []size.Size{size.Var("n")}}, nil, ops.AnyInt},
		{ops.Op{Sym: ops.SymIndex}, []ops.Range{r(5, 9), r(0, 0)}, r(0, 9)},
		{ops.Op{Sym: ops.SymGather}, []ops.Range{r(-9, -5), r(0, 0)}, r(-9, 0)},
		{ops.Op{Sym: ops.SymReplicate}, []ops.Range{r(5, 9)}, r(5, 9)},
		{ops.Op{Sym: ops.SymBuild}, []ops.Range{r(5, 9)}, r(5, 9)},
		{ops.Op{Sym: ops.SymStack}, []ops.Range{r(5, 9), r(-1, 0), r(3, 12)}, r(-1, 12)},
		{ops.Op{Sym: ops.SymCond}, []ops.Range{ops.AnyInt, r(5, 9), r(-1, 0)}, r(-1, 9)},
		{ops.Op{Sym: ops.SymWhere}, []ops.Range{ops.AnyInt, r(5, 9), r(-1, 0)}, r(-1, 9)},
		{ops.Op{Sym: ops.SymSum}, []ops.Range{r(0, 1)}, ops.AnyInt},
		{ops.Op{Sym: ops.SymNeg}, []ops.Range{r(-3, 5)}, r(-5, 3)},
		{ops.Op{Sym: ops.SymNeg}, []ops.Range{r(math.MinInt64, 5)}, ops.AnyInt},
		{ops.Op{Sym: ops.SymAbs}, []ops.Range{r(-3, 2)}, r(0, 3)},
		{ops.Op{Sym: ops.SymAbs}, []ops.Range{r(2, 5)}, r(2, 5)},
		{ops.Op{Sym: ops.SymAbs}, []ops.Range{r(math.MinInt64, 5)}, ops.AnyInt},
		{ops.Op{Sym: ops.SymAdd}, []ops.Range{r(-3, 2), r(10, 20)}, r(7, 22)},
		{ops.Op{Sym: ops.SymAdd}, []ops.Range{r(1, math.MaxInt64), r(0, 1)}, ops.AnyInt},
		{ops.Op{Sym: ops.SymAdd}, []ops.Range{r(0, math.MaxInt64), r(0, 0)}, r(0, math.MaxInt64)},
		{ops.Op{Sym: ops.SymAdd}, []ops.Range{r(math.MinInt64, 0), r(-1, 0)}, ops.AnyInt},
		{ops.Op{Sym: ops.SymSub}, []ops.Range{r(-3, 2), r(10, 20)}, r(-23, -8)},
		{ops.Op{Sym: ops.SymSub}, []ops.Range{r(0, 0), r(math.MinInt64, 0)}, ops.AnyInt},
		{ops.Op{Sym: ops.SymSub}, []ops.Range{r(-1, 0), r(math.MinInt64+1, 0)}, r(-1, math.MaxInt64)},
		{ops.Op{Sym: ops.SymMul}, []ops.Range{r(-3, 2), r(-10, 20)}, r(-60, 40)},
		{ops.Op{Sym: ops.SymMul}, []ops.Range{r(math.MinInt64, 0), r(-1, 1)}, ops.AnyInt},
		{ops.Op{Sym: ops.SymMul}, []ops.Range{r(-1, 1), r(math.MinInt64, 0)}, ops.AnyInt},
		{ops.Op{Sym: ops.SymMul}, []ops.Range{ops.AnyInt, r(0, 0)}, r(0, 0)},
		{ops.Op{Sym: ops.SymMul}, []ops.Range{r(1<<32, 1<<32), r(1<<32, 1<<32)}, ops.AnyInt},
		{ops.Op{Sym: ops.SymMin}, []ops.Range{r(-3, 20), r(0, 5)}, r(-3, 5)},
		{ops.Op{Sym: ops.SymMax}, []ops.Range{r(-3, 20), r(0, 5)}, r(0, 20)},
		{ops.Op{Sym: ops.SymIdiv}, []ops.Range{r(-7, 7), r(2, 3)}, r(-4, 3)},
		{ops.Op{Sym: ops.SymIdiv}, []ops.Range{r(-7, 7), r(0, 3)}, ops.AnyInt},
		{ops.Op{Sym: ops.SymIdiv}, []ops.Range{r(-7, 7), r(-3, -1)}, ops.AnyInt},
		{ops.Op{Sym: ops.SymMod}, []ops.Range{ops.AnyInt, r(1, 5)}, r(0, 4)},
		{ops.Op{Sym: ops.SymMod}, []ops.Range{r(0, 3), r(4, 5)}, r(0, 3)},
		{ops.Op{Sym: ops.SymMod}, []ops.Range{r(0, 4), r(4, 5)}, r(0, 4)},
		{ops.Op{Sym: ops.SymMod}, []ops.Range{ops.AnyInt, r(0, 5)}, ops.AnyInt},
	} {
		got := ops.RangeOf(c.op, scalar, c.kids)
		if got != c.want {
			t.Errorf("%s of %v: %v, want %v", ops.Builtin(c.op.Sym).Name, c.kids, got, c.want)
		}
	}
	if got := ops.RangeOf(ops.Op{Sym: ops.SymConst, Const: ops.ConstFill(ops.ScalarB(true))}, types.ArrayOf(types.B), nil); got != ops.AnyInt {
		t.Errorf("a truth value has the range %v", got)
	}
}

// On small ranges, every operator is tried on all values.
func TestRangeOfIsSound(t *testing.T) {
	var ranges []ops.Range
	for lo := int64(-4); lo <= 4; lo++ {
		for hi := lo; hi <= 4; hi++ {
			ranges = append(ranges, ops.Range{Lo: lo, Hi: hi})
		}
	}
	for _, sym := range []ops.Sym{ops.SymAdd, ops.SymSub, ops.SymMul, ops.SymMin, ops.SymMax, ops.SymIdiv, ops.SymMod} {
		for _, a := range ranges {
			for _, b := range ranges {
				got := ops.RangeOf(ops.Op{Sym: sym}, types.ArrayOf(types.I), []ops.Range{a, b})
				for x := a.Lo; x <= a.Hi; x++ {
					for y := b.Lo; y <= b.Hi; y++ {
						if v := ops.IntBinary(sym)(x, y); v < got.Lo || v > got.Hi {
							t.Fatalf("%d %s %d is %d, outside of %v", x, ops.Builtin(sym).Name, y, v, got)
						}
					}
				}
			}
		}
	}
}

func TestRangeLattice(t *testing.T) {
	a, b := ops.Range{Lo: 1, Hi: 5}, ops.Range{Lo: 4, Hi: 9}
	if a.Meet(b) != (ops.Range{Lo: 4, Hi: 5}) || a.Join(b) != (ops.Range{Lo: 1, Hi: 9}) {
		t.Error("meet or join")
	}
	if !(ops.Range{Lo: 1, Hi: 2}).Meet(ops.Range{Lo: 3, Hi: 4}).Empty() || a.Empty() {
		t.Error("empty")
	}
}
