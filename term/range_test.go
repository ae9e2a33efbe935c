package term

import (
	"fmt"
	"math"
	"math/rand"
	"testing"
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
		p.Store.Walk(p.Root, func(u Term) {
			typ := p.Store.Type(u)
			if err != nil || len(p.Store.Vars(u)) > 0 || typ.Kind != KArray || typ.Elem != I {
				return
			}
			r := p.Store.Range(u)
			if r != AnyInt {
				known++
			}
			if r.Hi-r.Lo >= 0 && r.Hi-r.Lo < 100 {
				narrow++
			}
			var v *Value[float64]
			if v, err = Interpret(p.Store, u, FloatArrays(), env); err != nil {
				return
			}
			for _, x := range v.N {
				if x < r.Lo || x > r.Hi {
					err = fmt.Errorf("%d is not within %v, the range of\n%s", x, r, (&Printer{Store: p.Store}).Term(u))
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
	three := SizeConst(3)
	scalar := ArrayOf(I)
	r := func(lo, hi int64) Range { return Range{lo, hi} }
	for _, c := range []struct {
		op   Op
		kids []Range
		want Range
	}{
		{Op{Sym: SymConst, Const: ConstFill(ScalarI(7))}, nil, r(7, 7)},
		{Op{Sym: SymConst, Const: ConstData([]Scalar{ScalarI(7), ScalarI(-2), ScalarI(9)})}, nil, r(-2, 9)},
		{Op{Sym: SymIvar, Sizes: []Size{three}}, nil, r(0, 2)},
		{Op{Sym: SymIota, Sizes: []Size{three}}, nil, r(0, 2)},
		{Op{Sym: SymIota, Sizes: []Size{SizeVar("n")}}, nil, AnyInt},
		{Op{Sym: SymIndex}, []Range{r(5, 9), r(0, 0)}, r(0, 9)},
		{Op{Sym: SymGather}, []Range{r(-9, -5), r(0, 0)}, r(-9, 0)},
		{Op{Sym: SymReplicate}, []Range{r(5, 9)}, r(5, 9)},
		{Op{Sym: SymBuild}, []Range{r(5, 9)}, r(5, 9)},
		{Op{Sym: SymStack}, []Range{r(5, 9), r(-1, 0), r(3, 12)}, r(-1, 12)},
		{Op{Sym: SymCond}, []Range{AnyInt, r(5, 9), r(-1, 0)}, r(-1, 9)},
		{Op{Sym: SymWhere}, []Range{AnyInt, r(5, 9), r(-1, 0)}, r(-1, 9)},
		{Op{Sym: SymSum}, []Range{r(0, 1)}, AnyInt},
		{Op{Sym: SymNeg}, []Range{r(-3, 5)}, r(-5, 3)},
		{Op{Sym: SymNeg}, []Range{r(math.MinInt64, 5)}, AnyInt},
		{Op{Sym: SymAbs}, []Range{r(-3, 2)}, r(0, 3)},
		{Op{Sym: SymAbs}, []Range{r(2, 5)}, r(2, 5)},
		{Op{Sym: SymAbs}, []Range{r(math.MinInt64, 5)}, AnyInt},
		{Op{Sym: SymAdd}, []Range{r(-3, 2), r(10, 20)}, r(7, 22)},
		{Op{Sym: SymAdd}, []Range{r(1, math.MaxInt64), r(0, 1)}, AnyInt},
		{Op{Sym: SymAdd}, []Range{r(0, math.MaxInt64), r(0, 0)}, r(0, math.MaxInt64)},
		{Op{Sym: SymAdd}, []Range{r(math.MinInt64, 0), r(-1, 0)}, AnyInt},
		{Op{Sym: SymSub}, []Range{r(-3, 2), r(10, 20)}, r(-23, -8)},
		{Op{Sym: SymSub}, []Range{r(0, 0), r(math.MinInt64, 0)}, AnyInt},
		{Op{Sym: SymSub}, []Range{r(-1, 0), r(math.MinInt64+1, 0)}, r(-1, math.MaxInt64)},
		{Op{Sym: SymMul}, []Range{r(-3, 2), r(-10, 20)}, r(-60, 40)},
		{Op{Sym: SymMul}, []Range{r(math.MinInt64, 0), r(-1, 1)}, AnyInt},
		{Op{Sym: SymMul}, []Range{r(-1, 1), r(math.MinInt64, 0)}, AnyInt},
		{Op{Sym: SymMul}, []Range{AnyInt, r(0, 0)}, r(0, 0)},
		{Op{Sym: SymMul}, []Range{r(1<<32, 1<<32), r(1<<32, 1<<32)}, AnyInt},
		{Op{Sym: SymMin}, []Range{r(-3, 20), r(0, 5)}, r(-3, 5)},
		{Op{Sym: SymMax}, []Range{r(-3, 20), r(0, 5)}, r(0, 20)},
		{Op{Sym: SymIdiv}, []Range{r(-7, 7), r(2, 3)}, r(-4, 3)},
		{Op{Sym: SymIdiv}, []Range{r(-7, 7), r(0, 3)}, AnyInt},
		{Op{Sym: SymIdiv}, []Range{r(-7, 7), r(-3, -1)}, AnyInt},
		{Op{Sym: SymMod}, []Range{AnyInt, r(1, 5)}, r(0, 4)},
		{Op{Sym: SymMod}, []Range{r(0, 3), r(4, 5)}, r(0, 3)},
		{Op{Sym: SymMod}, []Range{r(0, 4), r(4, 5)}, r(0, 4)},
		{Op{Sym: SymMod}, []Range{AnyInt, r(0, 5)}, AnyInt},
	} {
		got := RangeOf(c.op, scalar, c.kids)
		if got != c.want {
			t.Errorf("%s of %v: %v, want %v", Builtin(c.op.Sym).Name, c.kids, got, c.want)
		}
	}
	if got := RangeOf(Op{Sym: SymConst, Const: ConstFill(ScalarB(true))}, ArrayOf(B), nil); got != AnyInt {
		t.Errorf("a truth value has the range %v", got)
	}
}

// On small ranges, every operator is tried on all values.
func TestRangeOfIsSound(t *testing.T) {
	var ranges []Range
	for lo := int64(-4); lo <= 4; lo++ {
		for hi := lo; hi <= 4; hi++ {
			ranges = append(ranges, Range{lo, hi})
		}
	}
	for _, sym := range []Sym{SymAdd, SymSub, SymMul, SymMin, SymMax, SymIdiv, SymMod} {
		for _, a := range ranges {
			for _, b := range ranges {
				got := RangeOf(Op{Sym: sym}, ArrayOf(I), []Range{a, b})
				for x := a.Lo; x <= a.Hi; x++ {
					for y := b.Lo; y <= b.Hi; y++ {
						if v := IntBinary(sym)(x, y); v < got.Lo || v > got.Hi {
							t.Fatalf("%d %s %d is %d, outside of %v", x, Builtin(sym).Name, y, v, got)
						}
					}
				}
			}
		}
	}
}

func TestRangeLattice(t *testing.T) {
	a, b := Range{1, 5}, Range{4, 9}
	if a.Meet(b) != (Range{4, 5}) || a.Join(b) != (Range{1, 9}) {
		t.Error("meet or join")
	}
	if !(Range{1, 2}).Meet(Range{3, 4}).Empty() || a.Empty() {
		t.Error("empty")
	}
}
