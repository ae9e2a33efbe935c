package kernel

import (
	"math"
	"slices"

	"egad/kernel/wasm"
	"egad/term"
)

// Functions of reals, for both lanes of a vector. Their errors are at most 2 units in
// the last place. What they cannot do they leave to the host, lane by lane.
//
// Exponential: Cody and Waite's reduction, and a polynomial near to the best one of
// its degree. Logarithm, sine and cosine: the polynomials of Sun's fdlibm.

// vec pushes vector number u of those that are computed at once.
type vec func(u int)

// vmath writes the body of a function, which computes several vectors at once: the time
// of one instruction is hidden behind that of others, and constants are loaded once.
type vmath struct {
	*module
	f    *wasm.Func
	code int32 // hostCode of the operator
	wide int   // how many vectors
}

// param is operand number i.
func (m vmath) param(i int) vec { return func(u int) { m.f.Get(wasm.Local(i*m.wide + u)) } }

// do keeps what an instruction makes of vectors.
func (m vmath) do(op wasm.Op, args ...vec) vec {
	return m.each(func(u int) {
		for _, a := range args {
			a(u)
		}
		m.f.Op(op)
	})
}

// locals are as many as there are vectors.
func (m vmath) locals() []wasm.Local {
	ls := make([]wasm.Local, m.wide)
	for u := range ls {
		ls[u] = m.f.Local(wasm.V128)
	}
	return ls
}

func (m vmath) of(ls []wasm.Local) vec { return func(u int) { m.f.Get(ls[u]) } }

// each keeps what a function pushes for each vector.
func (m vmath) each(push vec) vec { return m.of(m.set(push)) }

// set makes locals of what a function pushes for each vector.
func (m vmath) set(push vec) []wasm.Local {
	ls := m.locals()
	for u, l := range ls {
		push(u)
		m.f.Set(l)
	}
	return ls
}

// pop makes locals of the vectors that are on the stack.
func (m vmath) pop() []wasm.Local {
	ls := m.locals()
	for _, l := range slices.Backward(ls) {
		m.f.Set(l)
	}
	return ls
}

// bits is the same number in all lanes of all vectors.
func (m vmath) bits(x int64) vec {
	l := m.f.Local(wasm.V128)
	m.f.I64x2(x)
	m.f.Set(l)
	return func(int) { m.f.Get(l) }
}

func (m vmath) c(x float64) vec           { return m.bits(int64(math.Float64bits(x))) }
func (m vmath) add(a, b vec) vec          { return m.do(wasm.F64x2Add, a, b) }
func (m vmath) sub(a, b vec) vec          { return m.do(wasm.F64x2Sub, a, b) }
func (m vmath) mul(a, b vec) vec          { return m.do(wasm.F64x2Mul, a, b) }
func (m vmath) div(a, b vec) vec          { return m.do(wasm.F64x2Div, a, b) }
func (m vmath) neg(a vec) vec             { return m.do(wasm.V128Xor, m.bits(math.MinInt64), a) }
func (m vmath) abs(a vec) vec             { return m.and(m.bits(math.MaxInt64), a) }
func (m vmath) sqrt(a vec) vec            { return m.do(wasm.F64x2Sqrt, a) }
func (m vmath) and(a, b vec) vec          { return m.do(wasm.V128And, a, b) }
func (m vmath) or(a, b vec) vec           { return m.do(wasm.V128Or, a, b) }
func (m vmath) not(a vec) vec             { return m.do(wasm.V128Not, a) }
func (m vmath) less(a, b vec) vec         { return m.do(wasm.F64x2Lt, a, b) }
func (m vmath) addInt(a vec, k int64) vec { return m.do(wasm.I64x2Add, a, m.bits(k)) }

// where is a where the mask has bits, else b.
func (m vmath) where(mask, a, b vec) vec { return m.do(wasm.V128Bitselect, a, b, mask) }

func (m vmath) shift(op wasm.Op, a vec, n int32) vec {
	return m.each(func(u int) {
		a(u)
		m.f.I32(n)
		m.f.Op(op)
	})
}

// unless keeps what one function makes if the mask has bits in any lane, else what the
// other one makes.
func (m vmath) unless(mask vec, none, some func() vec) vec {
	out := m.locals()
	keep := func(make func() vec) {
		v := make()
		for u, l := range out {
			v(u)
			m.f.Set(l)
		}
	}
	for u := range m.wide {
		mask(u)
		if u > 0 {
			m.f.Op(wasm.V128Or)
		}
	}
	m.f.Op(wasm.V128AnyTrue)
	m.f.IfElse(func() { keep(some) }, func() { keep(none) })
	return m.of(out)
}

// poly is the polynomial in x with coefficients from the constant on. Even and odd powers
// are summed beside each other, as instructions wait for what they use; more parts would
// wait less, but take more instructions.
func (m vmath) poly(x vec, coefs ...float64) vec { return m.polyOf(x, m.mul(x, x), coefs...) }

// polyOf is poly where the square of x is known.
func (m vmath) polyOf(x, square vec, coefs ...float64) vec {
	sum := func(from int) vec {
		last := (len(coefs)-1-from)/2*2 + from
		y := m.c(coefs[last])
		for i := last - 2; i >= 0; i -= 2 {
			y = m.add(m.mul(y, square), m.c(coefs[i]))
		}
		return y
	}
	return m.add(m.mul(sum(1), x), sum(0))
}

// vectorFunctions write the functions that there are.
var vectorFunctions map[term.Sym]func(m vmath, x ...vec) vec

func init() {
	one := func(f func(m vmath, x vec) vec) func(vmath, ...vec) vec {
		return func(m vmath, x ...vec) vec { return f(m, x[0]) }
	}
	vectorFunctions = map[term.Sym]func(m vmath, x ...vec) vec{
		term.SymExp: one(vmath.exp), term.SymLog: one(vmath.log), term.SymTanh: one(vmath.tanh),
		term.SymSin: one(vmath.sin), term.SymCos: one(vmath.cos), term.SymTan: one(vmath.tan),
		term.SymExpm1: one(vmath.expm1), term.SymLog1p: one(vmath.log1p),
		term.SymSinh: one(vmath.sinh), term.SymCosh: one(vmath.cosh),
		term.SymAtan: one(vmath.atan), term.SymAsin: one(vmath.asin), term.SymAcos: one(vmath.acos),
		term.SymSign: one(vmath.sign), term.SymErf: one(vmath.erf), term.SymLgamma: one(vmath.lgamma),
		term.SymPolygamma: one(vmath.polygamma),
		term.SymPow:       func(m vmath, x ...vec) vec { return m.pow(x[0], x[1]) },
		term.SymAtan2:     func(m vmath, x ...vec) vec { return m.atan2(x[0], x[1]) },
	}
	for op, f := range smalls {
		vectorFunctions[op] = one(func(m vmath, x vec) vec { return f(m, m.small(x), x) })
	}
}

// inlined are functions that are written where they are needed: they are short, and have
// the registers of the loop around them, which a call would store.
var inlined = map[term.Sym]bool{term.SymExp: true, term.SymLog: true}

// function is the number of the function for an operator on reals, on so many vectors at
// once. Its parameters are those of the first operand, then those of the second. Where a
// value has to be that of the evaluator it is the host's.
func (m *module) function(op term.Sym, n, operands, wide int) uint32 {
	return m.helper(helper{code: hostCode(op, n), wide: wide}, operands, 1, func(v vmath) []vec {
		if write := vectorFunctions[op]; write != nil && !m.exact {
			return []vec{write(v, v.param(0), v.param(1))}
		}
		return []vec{v.byHost()}
	})
}

// helper tells functions apart: by hostCode and how many vectors they compute; those of
// [twins] by their names.
type helper struct {
	code  int32
	wide  int
	twins string
}

// helper is the number of a function of vectors, and writes it if there is none yet.
func (m *module) helper(key helper, operands, results int, write func(v vmath) []vec) uint32 {
	if n, ok := m.helpers[key]; ok {
		return n
	}
	v := vmath{module: m, code: key.code, wide: key.wide}
	v.f = m.Func("", slices.Repeat([]wasm.Type{wasm.V128}, operands*v.wide), slices.Repeat([]wasm.Type{wasm.V128}, results*v.wide)...)
	m.helpers[key] = v.f.Index
	for _, y := range write(v) {
		for u := range v.wide {
			y(u)
		}
	}
	return v.f.Index
}

// hostCode is how an operator, with its attribute, is told to the host.
func hostCode(op term.Sym, n int) int32 { return int32(op) | int32(n)<<16 }

// byHost is what the host makes of each lane of the operands.
func (m vmath) byHost() vec {
	return m.each(func(u int) {
		operands := m.f.Params() / m.wide
		lanes(m.f, term.R, func(lane byte) {
			m.f.I32(m.code)
			for i := range operands {
				m.param(i)(u)
				m.f.Lane(wasm.F64x2ExtractLane, lane)
			}
			m.f.Call(m.host[hostUnary+operands-1])
		})
	})
}

// orHost is y, or what the host makes where the mask has bits.
func (m vmath) orHost(mask, y vec) vec {
	return m.unless(mask, func() vec { return y }, func() vec { return m.where(mask, m.byHost(), y) })
}

// call is another operator on reals.
func (m vmath) call(op term.Sym, x vec) vec {
	f := m.function(op, 0, 1, m.wide)
	for u := range m.wide {
		x(u)
	}
	m.f.Call(f)
	return m.of(m.pop())
}

// magic is a number so large that what is added to it is rounded to an integer, which
// is in its low bits.
const magic = 0x1.8p52

// round is x rounded to an integer n, and bits of which the lowest are those of n.
func (m vmath) round(x vec) (n, bits vec) { return m.rounded(x, magic) }

// exponent is x rounded to an integer n, and bits of which power makes two to the power of
// n, if n is from -1022 to 1023.
func (m vmath) exponent(x vec) (n, bits vec) { return m.rounded(x, magic+1023) }

func (m vmath) rounded(x vec, add float64) (n, bits vec) {
	big := m.c(add)
	bits = m.add(x, big)
	return m.sub(bits, big), bits
}

func (m vmath) power(bits vec) vec { return m.shift(wasm.I64x2Shl, bits, 52) }

const (
	ln2Hi = 6.93147180369123816490e-01
	ln2Lo = 1.90821492927058770002e-10
)

func (m vmath) exp(x vec) vec {
	return m.expUnless(m.do(wasm.F64x2Ge, m.abs(x), m.c(708)), x)
}

// expUnless is exp where the mask has bits for what is beyond -708 and 708. NaN stays.
func (m vmath) expUnless(beyond, x vec) vec {
	one := func(p vec) vec { return m.add(p, m.c(1)) }
	return m.unless(beyond, func() vec {
		_, bits, p := m.reduced(x)
		return m.mul(one(p), m.power(bits))
	}, func() vec {
		// Where the result is 0 it is put there, as a product that is too small takes very long.
		none := m.less(x, m.c(-746))
		n, _, p := m.reduced(m.do(wasm.V128AndNot, m.do(wasm.F64x2Pmin, x, m.c(710)), none))
		return m.do(wasm.V128AndNot, m.scaled(one(p), n), none)
	})
}

// reduced is n, with its bits, and p such that e to the power of x is (1 + p) times two to
// the power of n.
func (m vmath) reduced(x vec) (n, bits, p vec) {
	return m.reducedBy(m.mul(m.c(math.Log2E), x), x, 0.5, 0.16666666666666669, 0.04166666666662413, 0.008333333333330062, 0.0013888888917213717,
		0.00019841269863053618, 2.4801521295954376e-05, 2.7557268459997064e-06, 2.7620088445409746e-07, 2.510038549551032e-08)
}

// reducedBy is reduced where n is a number, rounded, and what is left of x is r such that
// p is r and r² times a polynomial in it.
func (m vmath) reducedBy(number, x vec, coefs ...float64) (n, bits, p vec) {
	n, bits = m.exponent(number)
	r := m.sub(m.sub(x, m.mul(m.c(ln2Hi), n)), m.mul(n, m.c(ln2Lo)))
	square := m.mul(r, r)
	return n, bits, m.add(m.mul(m.polyOf(r, square, coefs...), square), r)
}

// scaled is y times two to the power of n, in two steps, as the power may be no normal
// number.
func (m vmath) scaled(y, n vec) vec {
	half, bits := m.exponent(m.mul(n, m.c(0.5)))
	_, rest := m.exponent(m.sub(n, half))
	return m.mul(m.mul(y, m.power(bits)), m.power(rest))
}

func (m vmath) log(x vec) vec {
	const normal = 0x1p-1022
	odd := m.not(m.and(m.do(wasm.F64x2Le, m.c(normal), x), m.less(x, m.c(math.Inf(1)))))
	return m.unless(odd, func() vec { return m.logNormal(x, m.c(0x1p52+1023)) }, func() vec {
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
func (m vmath) logNormal(x, less vec) vec {
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

// smalls are functions of x that are made of e to the power of -|x|, which is at most 1:
// those of x and of -x share it.
var smalls = map[term.Sym]func(m vmath, e, x vec) vec{term.SymSigmoid: vmath.sigmoid, term.SymSoftplus: vmath.softplus}

// small is e to the power of -|x|.
func (m vmath) small(x vec) vec {
	y := m.or(m.bits(math.MinInt64), x)
	return m.expUnless(m.do(wasm.F64x2Le, y, m.c(-708)), y)
}

func (m vmath) sigmoid(e, x vec) vec {
	one := m.c(1)
	// As e is at most 1, the larger one is e where x is negative, and else 1.
	return m.div(m.do(wasm.F64x2Pmax, e, m.do(wasm.V128AndNot, one, m.less(x, m.c(0)))), m.add(one, e))
}

func (m vmath) softplus(e, x vec) vec {
	// The logarithm of 1 + e, which is between 1 and 2.
	s := m.div(e, m.add(e, m.c(2)))
	z := m.mul(s, s)
	series := m.mul(z, m.poly(z, 0.66666666666666658561, 0.40000000000014582673, 0.28571428567108757162, 0.22222222717427862989, 0.18181789436132858169, 0.15385570064958623103, 0.1331414420965493615, 0.12001072809590712535, 0.088007384861446738822, 0.16164045611943532221))
	half := m.mul(m.mul(e, e), m.c(0.5))
	return m.add(m.do(wasm.F64x2Pmax, x, m.c(0)), m.sub(e, m.sub(half, m.mul(s, m.add(half, series)))))
}

// tanh is (1 - e) / (1 + e), where e is e to the power of -2|x|, or 1 - 2e / (1 + e) where
// that is small. So that 1 - e is exact enough, e is (1 + p) times a power of two that is 1
// up to where the result is 1/4.
func (m vmath) tanh(x vec) vec {
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
func (m vmath) signed(a, b vec) vec { return m.or(a, m.and(b, m.bits(math.MinInt64))) }

// difference is a - b, and what rounding has lost (Knuth).
func (m vmath) difference(a, b vec) (d, lost vec) {
	d = m.sub(a, b)
	c := m.sub(d, a)
	return d, m.sub(m.sub(a, m.sub(d, c)), m.add(b, c))
}

func (m vmath) sin(x vec) vec { return m.wave(x, term.SymSin) }

func (m vmath) cos(x vec) vec { return m.wave(x, term.SymCos) }

// wave is sine or cosine.
func (m vmath) wave(x vec, op term.Sym) vec {
	// A half of pi, in parts whose products with small integers are exact.
	const p1, p2, p3, p4 = 1.5707963267341256, 6.077100506303966e-11, 2.0222662487111665e-21, 8.4784276603689e-32
	n, bits := m.round(m.mul(x, m.c(2/math.Pi)))
	r := m.sub(x, m.mul(n, m.c(p1)))
	r, lost2 := m.difference(r, m.mul(n, m.c(p2)))
	r, lost3 := m.difference(r, m.mul(n, m.c(p3)))
	lost := m.sub(m.add(lost2, lost3), m.mul(n, m.c(p4)))
	y := m.add(r, lost)
	rest := m.add(m.sub(r, y), lost)
	z := m.mul(y, y)
	v := m.mul(z, y)
	sp := m.poly(z, 8.33333333332248946124e-03, -1.98412698298579493134e-04, 2.75573137070700676789e-06, -2.50507602534068634195e-08, 1.58969099521155010221e-10)
	a := m.sub(m.mul(z, m.sub(m.mul(rest, m.c(0.5)), m.mul(v, sp))), rest)
	sine := m.sub(y, m.sub(a, m.mul(v, m.c(-1.66666666666666324348e-01))))
	cp := m.mul(z, m.poly(z, 4.16666666666666019037e-02, -1.38888888888741095749e-03, 2.48015872894767294178e-05, -2.75573143513906633035e-07, 2.08757232129817482790e-09, -1.13596475577881948265e-11))
	h := m.mul(z, m.c(0.5))
	u := m.sub(m.c(1), h)
	cosine := m.add(u, m.add(m.sub(m.sub(m.c(1), u), h), m.sub(m.mul(z, cp), m.mul(y, rest))))
	q := bits
	if op == term.SymCos {
		q = m.addInt(bits, 1)
	} else { // of -0 too
		sine = m.where(m.do(wasm.F64x2Eq, x, m.c(0)), x, sine)
	}
	odd := m.do(wasm.I64x2Neg, m.and(q, m.bits(1)))
	sign := m.shift(wasm.I64x2Shl, m.and(q, m.bits(2)), 62)
	// Large numbers are the host's.
	return m.orHost(m.do(wasm.F64x2Ge, m.abs(x), m.c(1<<18)), m.do(wasm.V128Xor, m.where(odd, cosine, sine), sign))
}
