package strength

import (
	"egad/kernel"
	"egad/kernel/cost"
	"egad/term/ops"
	"egad/term/types"
)

// powers computes powers by some numbers as products, quotients and roots, within two units in
// the last place, unless code is exact: x³ is x * x * x. Reals that are rounded to integers, and
// made reals again, stay reals.
type powers struct {
	exact bool
	value func(v *kernel.Value) *kernel.Value // a value without powers. What a power is made of is done before it
	done  []kernel.Stmt                       // what is computed before the value that is made
}

// powered is a kernel without these powers and without these integers, or itself if there are
// none.
func powered(k *kernel.Kernel, exact bool) *kernel.Kernel {
	if !kernel.Any(k.Body, func(l *kernel.Let) bool {
		_, power := Power(l.Value)
		return power && !exact || rounded(l.Value) != nil
	}) {
		return k
	}
	p := &powers{exact: exact}
	p.value = kernel.Remade(make(map[*kernel.Value]*kernel.Value), p.without)
	return k.With(kernel.DropUnused(p.body(k.Body)))
}

// rounded is the real that a value rounds to an integer and makes a real again, or nil.
func rounded(v *kernel.Value) *kernel.Value {
	if v.Kind != kernel.Compute || v.Op != ops.SymReal || v.Args[0].Kind != kernel.Compute || !cost.Rounds(v.Args[0].Op) {
		return nil
	}
	return v.Args[0].Args[0]
}

// Power finds twice the number to whose power a value is, if that is one of those.
func Power(v *kernel.Value) (twice int, ok bool) {
	if v.Kind != kernel.Compute || v.Op != ops.SymPow || v.Args[1].Kind != kernel.Lit {
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

func (p *powers) body(body []kernel.Stmt) []kernel.Stmt {
	return kernel.Rewrite(body, p.value, func(s kernel.Stmt) []kernel.Stmt {
		switch s := s.(type) {
		case *kernel.Let:
			v := p.value(s.Value)
			out := append(p.done, &kernel.Let{Value: v})
			p.done = nil
			return out
		case *kernel.Store:
			return []kernel.Stmt{s.Map(p.value)}
		}
		return []kernel.Stmt{s}
	})
}

// without is v, if it is no power itself: w is v without powers before it.
func (p *powers) without(v, w *kernel.Value) *kernel.Value {
	if twice, ok := Power(w); ok && !p.exact {
		w = p.power(w.Args[0], twice)
		w.Plus = v.Plus
	} else if x := rounded(w); x != nil {
		w = kernel.RealOf(w.Args[0].Op, x)
		w.Plus = true
	}
	return w
}

// do is what an operator makes of reals, a real or a truth value, which is done.
func (p *powers) do(sym ops.Sym, args ...*kernel.Value) *kernel.Value {
	v := kernel.RealOf(sym, args...)
	if sym == ops.SymEq || sym == ops.SymLt {
		v.Elem = types.B
	}
	p.done = append(p.done, &kernel.Let{Value: v})
	return v
}

// power is x to the power of half a number, which is not done yet.
func (p *powers) power(x *kernel.Value, twice int) *kernel.Value {
	if twice%2 != 0 { // -0 and -Inf have the powers of 0 and Inf, and other negative numbers none
		same := p.do(ops.SymEq, p.do(ops.SymAdd, x, x), x)
		x = p.do(ops.SymWhere, same, p.do(ops.SymAbs, x), x)
	}
	square := func(x *kernel.Value) *kernel.Value { return p.do(ops.SymMul, x, x) }
	switch twice {
	case -6:
		return p.minusThree(x)
	case -5:
		return p.minusTwoAndHalf(x)
	case -3: // the root of an inverse halves its error
		return kernel.RealOf(ops.SymDiv, p.do(ops.SymSqrt, p.do(ops.SymDiv, kernel.Real64(1), x)), x)
	case -4:
		x = p.do(ops.SymDiv, kernel.Real64(1), x)
		return kernel.RealOf(ops.SymMul, x, x)
	case -2:
		return kernel.RealOf(ops.SymDiv, kernel.Real64(1), x)
	case -1:
		return kernel.RealOf(ops.SymDiv, kernel.Real64(1), p.do(ops.SymSqrt, x))
	case 1:
		return kernel.RealOf(ops.SymSqrt, x)
	case 3:
		return kernel.RealOf(ops.SymMul, x, p.do(ops.SymSqrt, x))
	case 4:
		return kernel.RealOf(ops.SymMul, x, x)
	case 5:
		return kernel.RealOf(ops.SymMul, square(x), p.do(ops.SymSqrt, x))
	case 6:
		return kernel.RealOf(ops.SymMul, square(x), x)
	default: // 8
		x = square(x)
		return kernel.RealOf(ops.SymMul, x, x)
	}
}

// minusTwoAndHalf is the power by -2.5 of a number that is not below 0: the root of an inverse,
// which halves its error.
func (p *powers) minusTwoAndHalf(x *kernel.Value) *kernel.Value {
	x, back := p.scaled(x, scale{0x1p180, 0x1p300, 0x1p750})
	const most = 0x1p203 // beyond it, there are no powers but 0 and NaN
	x = p.do(ops.SymMax, p.do(ops.SymMin, x, kernel.Real64(most)), kernel.Real64(-most))
	high, low := p.product(x, x)
	fourth := p.do(ops.SymAdd, p.do(ops.SymMul, high, high), p.do(ops.SymMul, p.do(ops.SymAdd, high, high), low))
	inverse := p.do(ops.SymDiv, kernel.Real64(1), p.do(ops.SymMul, fourth, x))
	return kernel.RealOf(ops.SymMul, p.do(ops.SymSqrt, inverse), back)
}

// minusThree is the power by -3: the inverse of a cube, less what the cube is rounded by.
func (p *powers) minusThree(x *kernel.Value) *kernel.Value {
	x, back := p.scaled(x, scale{0x1p300, 0x1p200, 0x1p600})
	high, low := p.product(x, x)
	cube, rest := p.product(high, x)
	rest = p.do(ops.SymAdd, rest, p.do(ops.SymMul, low, x))
	inverse := p.do(ops.SymDiv, kernel.Real64(1), cube)
	off := p.do(ops.SymMul, inverse, p.do(ops.SymMul, rest, inverse))
	finite := p.do(ops.SymEq, p.do(ops.SymSub, off, off), kernel.Real64(0)) // of 0 and infinities it is not
	off = p.do(ops.SymWhere, finite, off, kernel.Real64(0))
	return kernel.RealOf(ops.SymMul, p.do(ops.SymSub, inverse, off), back)
}

// scale says beyond which limit a number is scaled, as its power may be too small or too large,
// by which factor, and the power of that.
type scale struct{ limit, by, back float64 }

// scaled is a number that is scaled, and the factor of its inverse power that comes of that.
func (p *powers) scaled(x *kernel.Value, s scale) (y, back *kernel.Value) {
	size := p.do(ops.SymAbs, x)
	small, large := p.do(ops.SymLt, size, kernel.Real64(1/s.limit)), p.do(ops.SymLt, kernel.Real64(s.limit), size)
	factor := func(to float64) *kernel.Value {
		return p.do(ops.SymWhere, small, kernel.Real64(to), p.do(ops.SymWhere, large, kernel.Real64(1/to), kernel.Real64(1)))
	}
	return p.do(ops.SymMul, x, factor(s.by)), factor(s.back)
}

// product is a product, and what is cut off when it is rounded (Dekker 1971).
func (p *powers) product(x, y *kernel.Value) (high, low *kernel.Value) {
	split := func(x *kernel.Value) (high, low *kernel.Value) {
		t := p.do(ops.SymMul, x, kernel.Real64(1<<27+1))
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

// CostOfPower counts how many instructions take about as long as one of these powers.
func CostOfPower(twice int) float64 {
	if twice <= -5 {
		return 30
	}
	return 6
}

// CostOfRounding is how many instructions take about as long as to round a vector of reals.
const CostOfRounding = 7
