package vecmath

import (
	"math"

	"egad/kernel/wasm"
	"egad/term/ops"
)

// More functions of reals: with the polynomials of Sun's fdlibm (logarithms and powers of
// numbers, the error function) and of Moshier's Cephes (the arc tangent).

func (m Vectors) expm1(x Value) Value {
	y := m.do(wasm.F64x2Pmax, m.do(wasm.F64x2Pmin, x, m.c(710)), m.c(-40))
	n, _, p := m.reduced(y)
	// 2^n - 1 + 2^n p is 2^n times the sum of 1 - 2^-n, which is exact where it counts, and p.
	_, less := m.exponent(m.Neg(m.do(wasm.F64x2Pmin, n, m.c(1000))))
	return m.signed(m.abs(m.scaled(m.add(m.sub(m.c(1), m.power(less)), p), n)), x)
}

// log1p adds to the logarithm of the rounded sum what rounding has lost.
func (m Vectors) log1p(x Value) Value {
	u := m.add(m.c(1), x)
	lost := m.div(m.sub(m.sub(u, m.c(1)), x), u)
	y := m.sub(m.call(ops.SymLog, u), m.where(m.less(m.abs(lost), m.c(1)), lost, m.c(0)))
	return m.where(m.do(wasm.F64x2Eq, x, m.c(0)), x, y)
}

func (m Vectors) sinh(x Value) Value {
	a := m.abs(x)
	t := m.call(ops.SymExpm1, a)
	small := m.mul(m.c(0.5), m.add(t, m.div(t, m.add(t, m.c(1)))))
	return m.signed(m.where(m.less(a, m.c(700)), small, m.halfExp(a)), x)
}

func (m Vectors) cosh(x Value) Value {
	a := m.abs(x)
	e := m.call(ops.SymExp, a)
	small := m.mul(m.c(0.5), m.add(e, m.div(m.c(1), e)))
	return m.where(m.less(a, m.c(700)), small, m.halfExp(a))
}

// halfExp is half of e to the power of a large number.
func (m Vectors) halfExp(a Value) Value {
	root := m.call(ops.SymExp, m.mul(a, m.c(0.5)))
	return m.mul(m.mul(root, m.c(0.5)), root)
}

func (m Vectors) sign(x Value) Value {
	return m.where(m.less(m.c(0), m.abs(x)), m.signed(m.c(1), x), m.add(x, m.c(0)))
}

func (m Vectors) atan(x Value) Value {
	const rest = 6.123233995736765886130e-17 // pi / 2 less what is rounded
	a := m.abs(x)
	large, middle := m.less(m.c(1+math.Sqrt2), a), m.less(m.c(0.66), a)
	// Beyond, the angle less a half or a quarter of pi.
	over := m.where(large, m.c(-1), m.where(middle, m.sub(a, m.c(1)), a))
	under := m.where(large, a, m.where(middle, m.add(a, m.c(1)), m.c(1)))
	from := m.where(large, m.c(math.Pi/2), m.and(middle, m.c(math.Pi/4)))
	less := m.where(large, m.c(rest), m.and(middle, m.c(rest/2)))
	t := m.div(over, under)
	z := m.mul(t, t)
	p := m.poly(z, -6.485021904942025371773e1, -1.228866684490136173410e2, -7.500855792314704667340e1, -1.615753718733365076637e1, -8.750608600031904122785e-1)
	q := m.poly(z, 1.945506571482613964425e2, 4.853903996359136964868e2, 4.328810604912902668951e2, 1.650270098316988542046e2, 2.485846490142306297962e1, 1)
	y := m.add(m.mul(t, m.div(m.mul(z, p), q)), t)
	return m.signed(m.abs(m.add(from, m.add(y, less))), x)
}

// atan2 is the angle of the quotient, turned by a half where x is negative. Zeros whose sign
// matters, and infinities, are the host's.
func (m Vectors) atan2(y, x Value) Value {
	zero, large := m.c(0), m.c(0x1p1000)
	q := m.call(ops.SymAtan, m.div(y, x))
	left := m.less(x, zero)
	turned := m.add(q, m.where(m.do(wasm.F64x2Le, zero, y), m.c(math.Pi), m.c(-math.Pi)))
	far := m.or(m.do(wasm.F64x2Ge, m.abs(x), large), m.do(wasm.F64x2Ge, m.abs(y), large))
	edge := m.or(m.do(wasm.F64x2Eq, x, zero), m.and(m.do(wasm.F64x2Eq, y, zero), left))
	return m.orHost(m.or(far, edge), m.where(left, turned, q))
}

func (m Vectors) asin(x Value) Value {
	return m.call(ops.SymAtan, m.div(x, m.sqrt(m.mul(m.sub(m.c(1), x), m.add(m.c(1), x)))))
}

func (m Vectors) acos(x Value) Value {
	half := m.call(ops.SymAtan, m.sqrt(m.div(m.sub(m.c(1), x), m.add(m.c(1), x))))
	return m.add(half, half)
}

// erf takes one of four quotients of polynomials.
func (m Vectors) erf(x Value) Value {
	a := m.do(wasm.F64x2Pmin, m.abs(x), m.c(6))
	near, middle, far := m.less(a, m.c(0.84375)), m.less(a, m.c(1.25)), m.less(m.c(1/0.35), a)
	z := m.mul(a, a)
	s := m.where(near, z, m.sub(a, m.c(1)))
	p := m.where(near,
		m.poly(s, 1.28379167095512558561e-01, -3.25042107247001499370e-01, -2.84817495755985104766e-02, -5.77027029648944159157e-03, -2.37630166566501626084e-05),
		m.poly(s, -2.36211856075265944077e-03, 4.14856118683748331666e-01, -3.72207876035701323847e-01, 3.18346619901161753674e-01, -1.10894694282396677476e-01, 3.54783043256182359371e-02, -2.16637559486879084300e-03))
	q := m.where(near,
		m.poly(s, 1, 3.97917223959155352819e-01, 6.50222499887672944485e-02, 5.08130628187576562776e-03, 1.32494738004321644526e-04, -3.96022827877536812320e-06),
		m.poly(s, 1, 1.06420880400844228286e-01, 5.40397917702171048937e-01, 7.18286544141962662868e-02, 1.26171219808761642112e-01, 1.36370839120290507362e-02, 1.19844998467991074170e-02))
	inner := m.div(p, q)
	inner = m.where(near, m.add(a, m.mul(a, inner)), m.add(m.c(8.45062911510467529297e-01), inner))
	// 1 less the complement.
	w := m.div(m.c(1), z)
	p = m.where(far,
		m.poly(w, -9.86494292470009928597e-03, -7.99283237680523006574e-01, -1.77579549177547519889e+01, -1.60636384855821916062e+02, -6.37566443368389627722e+02, -1.02509513161107724954e+03, -4.83519191608651397019e+02),
		m.poly(w, -9.86494403484714822705e-03, -6.93858572707181764372e-01, -1.05586262253232909814e+01, -6.23753324503260060396e+01, -1.62396669462573470355e+02, -1.84605092906711035994e+02, -8.12874355063065934246e+01, -9.81432934416914548592e+00))
	q = m.where(far,
		m.poly(w, 1, 3.03380607434824582924e+01, 3.25792512996573918826e+02, 1.53672958608443695994e+03, 3.19985821950859553908e+03, 2.55305040643316442583e+03, 4.74528541206955367215e+02, -2.24409524465858183362e+01),
		m.poly(w, 1, 1.96512716674392571292e+01, 1.37657754143519042600e+02, 4.34565877475229228821e+02, 6.45387271733267880336e+02, 4.29008140027567833386e+02, 1.08635005541779435134e+02, 6.57024977031928170135e+00, -6.04244152148580987438e-02))
	e := m.call(ops.SymExp, m.sub(m.div(p, q), m.add(z, m.c(0.5625))))
	outer := m.sub(m.c(1), m.div(e, a))
	return m.signed(m.where(middle, inner, outer), x)
}

// lgamma is Stirling's series, of a number that is larger by 8 if it is less than that.
func (m Vectors) lgamma(x Value) Value {
	small := m.less(x, m.c(8))
	product := x
	for k := 1.0; k < 8; k++ {
		product = m.mul(product, m.add(x, m.c(k)))
	}
	product = m.where(small, product, m.c(1))
	y := m.add(x, m.and(small, m.c(8)))
	w := m.div(m.c(1), y)
	series := m.poly(m.mul(w, w), 1./12, -1./360, 1./1260, -1./1680, 1./1188, -691./360360, 1./156, -3617./122400)
	main := m.mul(m.sub(y, m.c(0.5)), m.sub(m.call(ops.SymLog, y), m.c(1)))
	main = m.add(main, m.add(m.c(0.41893853320467274178), m.mul(w, series)))
	return m.moderate(x, m.sub(main, m.call(ops.SymLog, product)))
}

// moderate is y where x is a positive number that is neither very small nor very large; elsewhere it
// is the host's.
func (m Vectors) moderate(x, y Value) Value {
	return m.orHost(m.or(m.do(wasm.F64x2Le, x, m.c(0x1p-100)), m.do(wasm.F64x2Ge, x, m.c(0x1p100))), y)
}

// polygamma is the first or second derivative of lgamma: the asymptotic series, of a number that is
// larger by 8 if it is less than that. Higher derivatives are the host's.
func (m Vectors) polygamma(x Value) Value {
	order := m.code - HostCode(ops.SymPolygamma, 0)
	if order > HostCode(0, 1) {
		return m.byHost()
	}
	small := m.less(x, m.c(8))
	y := m.add(x, m.and(small, m.c(8)))
	w := m.div(m.c(1), y)
	square := m.mul(w, w)
	z := m.mul(x, m.add(x, m.c(7)))
	var out Value
	if order == 0 {
		// The sum of 1 / (x + k) for k below 8 is the logarithmic derivative of the product of all
		// x + k, which is a polynomial in x (x + 7).
		over := m.mul(m.add(m.add(x, x), m.c(7)), m.poly(z, 720, 504, 84, 4))
		sum := m.and(m.div(over, m.mul(z, m.poly(z, 720, 252, 28, 1))), small)
		series := m.mul(square, m.poly(square, 1./12, -1./120, 1./252, -1./240, 1./132, -691./32760, 1./12, -3617./8160))
		out = m.sub(m.sub(m.call(ops.SymLog, y), m.add(m.mul(w, m.c(0.5)), series)), sum)
	} else {
		// Squares of 1 / (x + k) and 1 / (x + 7 - k) are added two by two: the product of both is z + k (7 - k).
		sum := m.c(0)
		for _, c := range []float64{12, 10, 6, 0} {
			both := m.add(z, m.c(c))
			sum = m.add(sum, m.div(m.add(m.add(z, z), m.c(49-2*c)), m.mul(both, both)))
		}
		series := m.poly(square, 1./6, -1./30, 1./42, -1./30, 5./66, -691./2730, 7./6, -3617./510)
		out = m.add(m.and(sum, small), m.add(w, m.mul(square, m.add(m.c(0.5), m.mul(w, series)))))
	}
	return m.moderate(x, out)
}

// high is a number with 21 bits of its mantissa: a product of two is exact.
func (m Vectors) high(a Value) Value { return m.and(a, m.bits(-1<<32)) }

// pow goes by the binary logarithm of x in two parts. Where the result is 0, as x is and y is
// positive or as it is far too small, 0 is put there. Where x is 0 otherwise, or no number, or
// negative and y no whole number, or where the result is far too large, it is the host's.
func (m Vectors) pow(x, y Value) Value {
	const (
		one, root = 0x3ff0000000000000, 0x3fe6a09e667f3bcd // the root of a half
		mask      = 1<<52 - 1
	)
	zero := m.and(m.do(wasm.F64x2Eq, x, m.c(0)), m.less(m.c(0), y))
	a := m.where(zero, m.c(1), m.abs(x))
	whole := m.and(m.do(wasm.F64x2Eq, m.do(wasm.F64x2Nearest, y), y), m.less(m.abs(y), m.c(1<<50)))
	// a is a power of two times a number between the roots of 3/4 and of 3: as k is 0 or 1,
	// that is next to 1 or to 3/2.
	const rootOf3, rootOf3Halves = 0x3ffbb67ae8584caa, 0x3ff3988e1409212e
	mant := m.or(m.and(a, m.bits(mask)), m.bits(one))
	twice := m.do(wasm.I64x2GtS, mant, m.bits(rootOf3))
	n := m.or(m.shift(wasm.I64x2ShrU, a, 52), m.c(0x1p52))
	n = m.add(m.sub(n, m.c(0x1p52+1023)), m.and(twice, m.c(1)))
	mant = m.mul(mant, m.where(twice, m.c(0.5), m.c(1)))
	k := m.do(wasm.I64x2GtS, mant, m.bits(rootOf3Halves))
	bp := m.where(k, m.c(1.5), m.c(1))
	u, sum := m.sub(mant, bp), m.add(mant, bp)
	v := m.div(m.c(1), sum)
	s := m.mul(u, v)
	sh, th := m.high(s), m.high(sum)
	tl := m.sub(mant, m.sub(th, bp))
	sl := m.mul(v, m.sub(m.sub(u, m.mul(sh, th)), m.mul(sh, tl)))
	s2 := m.mul(s, s)
	r := m.mul(m.mul(s2, s2), m.poly(s2, 5.99999999999994648725e-01, 4.28571428578550184252e-01, 3.33333329818377432918e-01,
		2.72728123808534006489e-01, 2.30660745775561754067e-01, 2.06975017800338417784e-01))
	r = m.add(r, m.mul(sl, m.add(sh, s)))
	s2 = m.mul(sh, sh)
	th = m.high(m.add(m.add(m.c(3), s2), r))
	tl = m.sub(r, m.sub(m.sub(th, m.c(3)), s2))
	u = m.mul(sh, th)
	v = m.add(m.mul(sl, th), m.mul(tl, s))
	ph := m.high(m.add(u, v))
	pl := m.sub(v, m.sub(ph, u))
	zh := m.mul(m.c(9.61796700954437255859e-01), ph)
	zl := m.add(m.add(m.mul(m.c(-7.02846165095275826516e-09), ph), m.mul(pl, m.c(9.61796693925975554329e-01))), m.and(k, m.c(1.35003920212974897128e-08)))
	from := m.and(k, m.c(5.84962487220764160156e-01))
	t1 := m.high(m.add(m.add(m.add(zh, zl), from), n))
	t2 := m.sub(zl, m.sub(m.sub(m.sub(t1, n), from), zh))
	// y times that, and two to that power.
	yh := m.high(y)
	pl = m.add(m.mul(m.sub(y, yh), t1), m.mul(y, t2))
	ph = m.mul(yh, t1)
	z := m.add(pl, ph)
	ok := m.and(m.do(wasm.F64x2Le, m.c(0x1p-1022), a), m.less(a, m.c(math.Inf(1))))
	ok = m.and(ok, m.or(m.or(whole, m.less(m.c(0), x)), zero))
	far := m.less(z, m.c(-1080))
	ok = m.and(ok, m.or(m.less(m.abs(z), m.c(1070)), far))
	n, _ = m.round(m.do(wasm.V128AndNot, z, far))
	ph = m.sub(ph, n)
	t := m.high(m.add(pl, ph))
	u = m.mul(t, m.c(6.93147182464599609375e-01))
	v = m.add(m.mul(m.sub(pl, m.sub(t, ph)), m.c(math.Ln2)), m.mul(t, m.c(-1.90465429995776804525e-09)))
	z = m.add(u, v)
	w := m.sub(v, m.sub(z, u))
	t = m.mul(z, z)
	t1 = m.sub(z, m.mul(t, m.poly(t, 1.66666666666666019037e-01, -2.77777777770155933842e-03, 6.61375632143793436117e-05, -1.65339022054652515390e-06, 4.13813679705723846039e-08)))
	r = m.sub(m.div(m.mul(z, t1), m.sub(t1, m.c(2))), m.add(w, m.mul(z, w)))
	power := m.do(wasm.V128AndNot, m.scaled(m.sub(m.c(1), m.sub(r, z)), n), m.or(zero, far))
	_, parity := m.round(m.and(whole, y))
	return m.orHost(m.not(ok), m.or(power, m.and(m.shift(wasm.I64x2Shl, parity, 63), m.and(x, m.bits(math.MinInt64)))))
}
