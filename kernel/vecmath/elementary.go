package vecmath

import (
	"math"

	"egad/kernel/wasm"
	"egad/term/ops"
)

// Functions has what writes the functions of reals that are not left to the host.
var Functions map[ops.Sym]func(m Vectors, x ...Value) Value

func init() {
	one := func(f func(m Vectors, x Value) Value) func(Vectors, ...Value) Value {
		return func(m Vectors, x ...Value) Value { return f(m, x[0]) }
	}
	Functions = map[ops.Sym]func(m Vectors, x ...Value) Value{
		ops.SymExp: one(Vectors.exp), ops.SymLog: one(Vectors.log), ops.SymTanh: one(Vectors.tanh),
		ops.SymExpm1: one(Vectors.expm1), ops.SymLog1p: one(Vectors.log1p),
		ops.SymSinh: one(Vectors.sinh), ops.SymCosh: one(Vectors.cosh),
		ops.SymAtan: one(Vectors.atan), ops.SymAsin: one(Vectors.asin), ops.SymAcos: one(Vectors.acos),
		ops.SymSign: one(Vectors.sign), ops.SymErf: one(Vectors.erf), ops.SymLgamma: one(Vectors.lgamma),
		ops.SymPolygamma: one(Vectors.polygamma),
		ops.SymPow:       func(m Vectors, x ...Value) Value { return m.pow(x[0], x[1]) },
		ops.SymAtan2:     func(m Vectors, x ...Value) Value { return m.atan2(x[0], x[1]) },
	}
	for op, t := range Twins {
		Functions[op] = one(func(m Vectors, x Value) Value { return t.Of(m, t.Shared(m, x), x) })
	}
}

// byHost is what the host makes of each lane of the operands.
func (m Vectors) byHost() Value {
	operands := make([]Value, m.Func.Params()/m.Wide)
	for i := range operands {
		operands[i] = m.Param(i)
	}
	return m.hosted(m.code, operands...)
}

// hosted is what the host makes of each lane of some operands.
func (m Vectors) hosted(code int32, operands ...Value) Value {
	return m.each(func(u int) {
		for lane := range byte(2) {
			m.Func.I32(code)
			for _, x := range operands {
				x(u)
				m.Func.Lane(wasm.F64x2ExtractLane, lane)
			}
			m.Func.Call(m.host[len(operands)-1])
			if lane == 0 {
				m.Func.Op(wasm.F64x2Splat)
			} else {
				m.Func.Lane(wasm.F64x2ReplaceLane, 1)
			}
		}
	})
}

// orHost is y, or what the host makes where the mask has bits.
func (m Vectors) orHost(mask, y Value) Value {
	return m.unless(mask, func() Value { return y }, func() Value { return m.where(mask, m.byHost(), y) })
}

// call is another operator on reals.
func (m Vectors) call(op ops.Sym, x Value) Value {
	f := m.Function(op, 0, 1, m.Wide)
	for u := range m.Wide {
		x(u)
	}
	m.Func.Call(f)
	return m.Of(m.Pop())
}

// Magic is a number so large that what is added to it is rounded to an integer, which
// is in its low bits.
const Magic = 0x1.8p52

// round is x rounded to an integer n, and bits of which the lowest are those of n.
func (m Vectors) round(x Value) (n, bits Value) { return m.rounded(x, Magic) }

// exponent is x rounded to an integer n, and bits of which power makes two to the power of
// n, if n is from -1022 to 1023.
func (m Vectors) exponent(x Value) (n, bits Value) { return m.rounded(x, Magic+1023) }

func (m Vectors) rounded(x Value, add float64) (n, bits Value) {
	big := m.c(add)
	bits = m.add(x, big)
	return m.sub(bits, big), bits
}

func (m Vectors) power(bits Value) Value { return m.shift(wasm.I64x2Shl, bits, 52) }

const (
	ln2Hi = 6.93147180369123816490e-01
	ln2Lo = 1.90821492927058770002e-10
)

func (m Vectors) exp(x Value) Value {
	return m.expUnless(m.do(wasm.F64x2Ge, m.abs(x), m.c(708)), x)
}

// expUnless is exp where the mask has bits for what is beyond -708 and 708. NaN stays.
func (m Vectors) expUnless(beyond, x Value) Value {
	one := func(p Value) Value { return m.add(p, m.c(1)) }
	return m.unless(beyond, func() Value {
		_, bits, p := m.reduced(x)
		return m.mul(one(p), m.power(bits))
	}, func() Value {
		// Where the result is 0 it is put there, as a product that is too small takes very long.
		none := m.less(x, m.c(-746))
		n, _, p := m.reduced(m.do(wasm.V128AndNot, m.do(wasm.F64x2Pmin, x, m.c(710)), none))
		return m.do(wasm.V128AndNot, m.scaled(one(p), n), none)
	})
}

// reduced is n, with its bits, and p such that e to the power of x is (1 + p) times two to
// the power of n.
func (m Vectors) reduced(x Value) (n, bits, p Value) {
	return m.reducedBy(m.mul(m.c(math.Log2E), x), x, 0.5, 0.16666666666666669, 0.04166666666662413, 0.008333333333330062, 0.0013888888917213717,
		0.00019841269863053618, 2.4801521295954376e-05, 2.7557268459997064e-06, 2.7620088445409746e-07, 2.510038549551032e-08)
}

// reducedBy is reduced where n is a number, rounded, and what is left of x is r such that
// p is r and r² times a polynomial in it.
func (m Vectors) reducedBy(number, x Value, coefs ...float64) (n, bits, p Value) {
	n, bits = m.exponent(number)
	r := m.sub(m.sub(x, m.mul(m.c(ln2Hi), n)), m.mul(n, m.c(ln2Lo)))
	square := m.mul(r, r)
	return n, bits, m.add(m.mul(m.polyOf(r, square, coefs...), square), r)
}

// scaled is y times two to the power of n, in two steps, as the power may be no normal
// number.
func (m Vectors) scaled(y, n Value) Value {
	half, bits := m.exponent(m.mul(n, m.c(0.5)))
	_, rest := m.exponent(m.sub(n, half))
	return m.mul(m.mul(y, m.power(bits)), m.power(rest))
}

func (m Vectors) log(x Value) Value {
	const normal = 0x1p-1022
	odd := m.not(m.and(m.do(wasm.F64x2Le, m.c(normal), x), m.less(x, m.c(math.Inf(1)))))
	return m.unless(odd, func() Value { return m.logNormal(x, m.c(0x1p52+1023)) }, func() Value {
		tiny := m.less(x, m.c(normal))
		y := m.where(tiny, m.mul(x, m.c(0x1p54)), x)
		out := m.logNormal(y, m.add(m.c(0x1p52+1023), m.and(tiny, m.c(54))))
		// Infinity and NaN are themselves; of 0 it is -Inf, of less NaN.
		out = m.where(m.less(x, m.c(math.Inf(1))), out, x)
		out = m.where(m.do(wasm.F64x2Eq, x, m.c(0)), m.c(math.Inf(-1)), out)
		return m.where(m.less(x, m.c(0)), m.c(math.NaN()), out)
	})
}

// logNormal is the logarithm of a positive normal number, from whose exponent, with 2^52
// added to it, less is subtracted.
func (m Vectors) logNormal(x, less Value) Value {
	const (
		one  = 0x3ff0000000000000
		root = 0x3fe6a09e667f3bcd // the root of a half
		mask = 1<<52 - 1
	)
	// x is a power of two times a number between the roots of 1/2 and of 2.
	b := m.addInt(x, one-root)
	k := m.sub(m.or(m.shift(wasm.I64x2ShrU, b, 52), m.c(0x1p52)), less)
	f := m.sub(m.addInt(m.and(b, m.bits(mask)), root), m.c(1))
	s := m.div(f, m.add(f, m.c(2)))
	z := m.mul(s, s)
	series := m.mul(z, m.poly(z, 6.666666666666735130e-01, 3.999999999940941908e-01, 2.857142874366239149e-01, 2.222219843214978396e-01, 1.818357216161805012e-01, 1.531383769920937332e-01, 1.479819860511658591e-01))
	half := m.mul(m.mul(f, f), m.c(0.5))
	inner := m.add(m.mul(s, m.add(half, series)), m.mul(k, m.c(ln2Lo)))
	return m.sub(m.mul(k, m.c(ln2Hi)), m.sub(m.sub(half, inner), f))
}

// tanh is (1 - e) / (1 + e), where e is e to the power of -2|x|, or 1 - 2e / (1 + e) where
// that is small. So that 1 - e is exact enough, e is (1 + p) times a power of two that is 1
// up to where the result is 1/4.
func (m Vectors) tanh(x Value) Value {
	y := m.mul(m.do(wasm.F64x2Pmin, m.abs(x), m.c(20)), m.c(-2))
	_, bits, p := m.reducedBy(m.add(m.mul(m.c(math.Log2E), y), m.c(0.237)), y, 0.5, 0.16666666666666669, 0.04166666666666728, 0.008333333333328363, 0.001388888888813593,
		0.00019841269852381016, 2.4801590433721776e-05, 2.755737944174443e-06, 2.7553932144595746e-07, 2.488663290612749e-08, 1.8203435501372045e-09)
	power, one := m.power(bits), m.c(1)
	part := m.mul(p, power)
	e := m.add(part, power)
	far := m.less(e, m.c(0.25))
	over := m.where(far, m.mul(e, m.c(-2)), m.sub(m.sub(one, power), part))
	return m.signed(m.add(m.and(one, far), m.div(over, m.add(e, one))), x)
}

// signed is a where b is positive, and -a where it is negative; a is not.
func (m Vectors) signed(a, b Value) Value { return m.or(a, m.and(b, m.bits(math.MinInt64))) }

// difference is a - b, and what rounding has lost (Knuth).
func (m Vectors) difference(a, b Value) (d, lost Value) {
	d = m.sub(a, b)
	c := m.sub(d, a)
	return d, m.sub(m.sub(a, m.sub(d, c)), m.add(b, c))
}
