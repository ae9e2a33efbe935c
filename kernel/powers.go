package kernel

import (
	"math/big"

	"egad/internal/memo"
	"egad/term/ops"
	"egad/term/types"

	"egad/term/numeric"
)

// powers computes powers by some numbers as products, quotients and roots, within two units in
// the last place, unless code is exact: x³ is x * x * x. Reals that are rounded to integers, and
// made reals again, stay reals.
type powers struct {
	exact bool
	made  map[*Value]*Value
	done  []Stmt // what is computed before the value that is made
}

// powered is a kernel without these powers and without these integers, or itself if there are
// none.
func (k *Kernel) powered(exact bool) *Kernel {
	if !some(k.Body, func(l *Let) bool {
		_, power := l.Value.power()
		return power && !exact || l.Value.rounded() != nil
	}) {
		return k
	}
	out := *k
	out.Body = live((&powers{exact: exact, made: make(map[*Value]*Value)}).body(k.Body))
	return &out
}

// rounded is the real that a value rounds to an integer and makes a real again, or nil.
func (v *Value) rounded() *Value {
	if v.Kind != Compute || v.Op != ops.SymReal || v.Args[0].Kind != Compute || !Rounds(v.Args[0].Op) {
		return nil
	}
	return v.Args[0].Args[0]
}

// Rounds reports whether an operator rounds reals.
func Rounds(op ops.Sym) bool { return op == ops.SymFloor || op == ops.SymRound }

// power is twice the number to whose power a value is, if that is one of those.
func (v *Value) power() (twice int, ok bool) {
	if v.Kind != Compute || v.Op != ops.SymPow || v.Args[1].Kind != Lit {
		return 0, false
	}
	x := 2 * v.Args[1].Const.Num.Float64()
	for _, twice := range []int{-6, -5, -4, -3, -2, -1, 1, 3, 4, 5, 6, 8} {
		if x == float64(twice) {
			return twice, true
		}
	}
	return 0, false
}

func (p *powers) body(body []Stmt) []Stmt {
	return rewritten(body, p.value, func(s Stmt) []Stmt {
		switch s := s.(type) {
		case *Let:
			v := p.value(s.Value)
			out := append(p.done, &Let{v})
			p.done = nil
			return out
		case *Store:
			return []Stmt{s.remade(p.value)}
		}
		return []Stmt{s}
	})
}

// value is a value without powers. What a power is made of is done before it.
func (p *powers) value(v *Value) *Value {
	return memo.Of(p.made, v, func() *Value {
		w := v.remade(p.value)
		if twice, ok := w.power(); ok && !p.exact {
			w = p.power(w.Args[0], twice)
			w.plus = v.plus
		} else if x := w.rounded(); x != nil {
			w = realOf(w.Args[0].Op, x)
			w.plus = true
		}
		return w
	})
}

// do is what an operator makes of reals, a real or a truth value, which is done.
func (p *powers) do(sym ops.Sym, args ...*Value) *Value {
	v := realOf(sym, args...)
	if sym == ops.SymEq || sym == ops.SymLt {
		v.Elem = types.B
	}
	p.done = append(p.done, &Let{v})
	return v
}

// real64 makes a literal of a number.
func real64(x float64) *Value {
	return NewBuilder(nil).Lit(ops.ScalarR(numeric.Of(new(big.Rat).SetFloat64(x))))
}

// power is x to the power of half a number, which is not done yet.
func (p *powers) power(x *Value, twice int) *Value {
	if twice%2 != 0 { // -0 and -Inf have the powers of 0 and Inf, and other negative numbers none
		same := p.do(ops.SymEq, p.do(ops.SymAdd, x, x), x)
		x = p.do(ops.SymWhere, same, p.do(ops.SymAbs, x), x)
	}
	square := func(x *Value) *Value { return p.do(ops.SymMul, x, x) }
	switch twice {
	case -6:
		return p.minusThree(x)
	case -5:
		return p.minusTwoAndHalf(x)
	case -3: // the root of an inverse halves its error
		return realOf(ops.SymDiv, p.do(ops.SymSqrt, p.do(ops.SymDiv, real64(1), x)), x)
	case -4:
		x = p.do(ops.SymDiv, real64(1), x)
		return realOf(ops.SymMul, x, x)
	case -2:
		return realOf(ops.SymDiv, real64(1), x)
	case -1:
		return realOf(ops.SymDiv, real64(1), p.do(ops.SymSqrt, x))
	case 1:
		return realOf(ops.SymSqrt, x)
	case 3:
		return realOf(ops.SymMul, x, p.do(ops.SymSqrt, x))
	case 4:
		return realOf(ops.SymMul, x, x)
	case 5:
		return realOf(ops.SymMul, square(x), p.do(ops.SymSqrt, x))
	case 6:
		return realOf(ops.SymMul, square(x), x)
	default: // 8
		x = square(x)
		return realOf(ops.SymMul, x, x)
	}
}

// minusTwoAndHalf is the power by -2.5 of a number that is not below 0: the root of an inverse,
// which halves its error.
func (p *powers) minusTwoAndHalf(x *Value) *Value {
	x, back := p.scaled(x, scale{0x1p180, 0x1p300, 0x1p750})
	const most = 0x1p203 // beyond it, there are no powers but 0 and NaN
	x = p.do(ops.SymMax, p.do(ops.SymMin, x, real64(most)), real64(-most))
	high, low := p.product(x, x)
	fourth := p.do(ops.SymAdd, p.do(ops.SymMul, high, high), p.do(ops.SymMul, p.do(ops.SymAdd, high, high), low))
	inverse := p.do(ops.SymDiv, real64(1), p.do(ops.SymMul, fourth, x))
	return realOf(ops.SymMul, p.do(ops.SymSqrt, inverse), back)
}

// minusThree is the power by -3: the inverse of a cube, less what the cube is rounded by.
func (p *powers) minusThree(x *Value) *Value {
	x, back := p.scaled(x, scale{0x1p300, 0x1p200, 0x1p600})
	high, low := p.product(x, x)
	cube, rest := p.product(high, x)
	rest = p.do(ops.SymAdd, rest, p.do(ops.SymMul, low, x))
	inverse := p.do(ops.SymDiv, real64(1), cube)
	off := p.do(ops.SymMul, inverse, p.do(ops.SymMul, rest, inverse))
	finite := p.do(ops.SymEq, p.do(ops.SymSub, off, off), real64(0)) // of 0 and infinities it is not
	off = p.do(ops.SymWhere, finite, off, real64(0))
	return realOf(ops.SymMul, p.do(ops.SymSub, inverse, off), back)
}

// scale says beyond which limit a number is scaled, as its power may be too small or too large,
// by which factor, and the power of that.
type scale struct{ limit, by, back float64 }

// scaled is a number that is scaled, and the factor of its inverse power that comes of that.
func (p *powers) scaled(x *Value, s scale) (y, back *Value) {
	size := p.do(ops.SymAbs, x)
	small, large := p.do(ops.SymLt, size, real64(1/s.limit)), p.do(ops.SymLt, real64(s.limit), size)
	factor := func(to float64) *Value {
		return p.do(ops.SymWhere, small, real64(to), p.do(ops.SymWhere, large, real64(1/to), real64(1)))
	}
	return p.do(ops.SymMul, x, factor(s.by)), factor(s.back)
}

// product is a product, and what is cut off when it is rounded (Dekker 1971).
func (p *powers) product(x, y *Value) (high, low *Value) {
	split := func(x *Value) (high, low *Value) {
		t := p.do(ops.SymMul, x, real64(1<<27+1))
		high = p.do(ops.SymSub, t, p.do(ops.SymSub, t, x))
		return high, p.do(ops.SymSub, x, high)
	}
	xh, xl := split(x)
	yh, yl := xh, xl
	if x != y {
		yh, yl = split(y)
	}
	high = p.do(ops.SymMul, x, y)
	low = p.do(ops.SymSub, p.do(ops.SymMul, xh, yh), high)
	low = p.do(ops.SymAdd, low, p.do(ops.SymMul, xh, yl))
	low = p.do(ops.SymAdd, low, p.do(ops.SymMul, xl, yh))
	return high, p.do(ops.SymAdd, low, p.do(ops.SymMul, xl, yl))
}

// costOfPower is how many instructions take about as long as one of these powers.
func costOfPower(twice int) float64 {
	if twice <= -5 {
		return 30
	}
	return 6
}

// costOfRounding is how many instructions take about as long as to round a vector of reals.
const costOfRounding = 7
