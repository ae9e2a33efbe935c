package vecmath

import (
	"math"

	"egad/kernel/wasm"
	"egad/term/ops"
)

// Family is functions of x, and of -x, that share most of what they compute: as the sigmoid and the softplus
// function are made of e to the power of -|x|.
type Family struct {
	// Shared returns what they share.
	Shared func(m Vectors, x Value) []Value
}

// Twin is a function of a family.
type Twin struct {
	*Family
	// Of returns the function of x, or of -x, by what those of x share.
	Of func(m Vectors, shared []Value, x Value) Value
}

// Twins has the functions that are of families.
var Twins = func() map[ops.Sym]Twin {
	exps, waves := &Family{Vectors.small}, &Family{Vectors.waves}
	return map[ops.Sym]Twin{
		ops.SymSigmoid: {exps, Vectors.sigmoid}, ops.SymSoftplus: {exps, Vectors.softplus},
		ops.SymSin: {waves, Vectors.sin}, ops.SymCos: {waves, Vectors.cos}, ops.SymTan: {waves, Vectors.tan},
	}
}()

// small is e to the power of -|x|, which is at most 1.
func (m Vectors) small(x Value) []Value {
	y := m.or(m.bits(math.MinInt64), x)
	return []Value{m.expUnless(m.do(wasm.F64x2Le, y, m.c(-708)), y)}
}

func (m Vectors) sigmoid(small []Value, x Value) Value {
	e := small[0]
	one := m.c(1)
	// As e is at most 1, the larger one is e where x is negative, and else 1.
	return m.div(m.do(wasm.F64x2Pmax, e, m.do(wasm.V128AndNot, one, m.less(x, m.c(0)))), m.add(one, e))
}

func (m Vectors) softplus(small []Value, x Value) Value {
	e := small[0]
	// The logarithm of 1 + e, which is between 1 and 2.
	s := m.div(e, m.add(e, m.c(2)))
	z := m.mul(s, s)
	series := m.mul(z, m.poly(z, 0.66666666666666658561, 0.40000000000014582673, 0.28571428567108757162, 0.22222222717427862989, 0.18181789436132858169, 0.15385570064958623103, 0.1331414420965493615, 0.12001072809590712535, 0.088007384861446738822, 0.16164045611943532221))
	half := m.mul(m.mul(e, e), m.c(0.5))
	return m.add(m.do(wasm.F64x2Pmax, x, m.c(0)), m.sub(e, m.sub(half, m.mul(s, m.add(half, series)))))
}

// waves are the sine and the cosine of what is left of |x| if multiples of a half of pi are taken away, bits of which
// the lowest two say how many, and where x is so large that its functions are the host's.
func (m Vectors) waves(x Value) []Value {
	// A half of pi, in parts whose products with small integers are exact.
	const p1, p2, p3, p4 = 1.5707963267341256, 6.077100506303966e-11, 2.0222662487111665e-21, 8.4784276603689e-32
	x = m.abs(x)
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
	return []Value{sine, cosine, bits, m.do(wasm.F64x2Ge, x, m.c(1<<18))}
}

// quarter is the sine of what is left of |x| and so many quarters of a turn.
func (m Vectors) quarter(waves []Value, q Value) Value {
	sign := m.shift(wasm.I64x2Shl, m.and(q, m.bits(2)), 62)
	return m.do(wasm.V128Xor, m.where(m.odd(q), waves[1], waves[0]), sign)
}

// odd has bits where an integer is odd.
func (m Vectors) odd(q Value) Value { return m.do(wasm.I64x2Neg, m.and(q, m.bits(1))) }

// negated is a, or -a where b is negative.
func (m Vectors) negated(a, b Value) Value {
	return m.do(wasm.V128Xor, a, m.and(b, m.bits(math.MinInt64)))
}

func (m Vectors) sin(waves []Value, x Value) Value {
	return m.near(waves, ops.SymSin, x, m.negated(m.quarter(waves, waves[2]), x))
}

func (m Vectors) cos(waves []Value, x Value) Value {
	return m.near(waves, ops.SymCos, x, m.quarter(waves, m.addInt(waves[2], 1)))
}

func (m Vectors) tan(waves []Value, x Value) Value {
	odd := m.odd(waves[2])
	sine, cosine := m.where(odd, waves[1], waves[0]), m.where(odd, m.Neg(waves[0]), waves[1])
	return m.near(waves, ops.SymTan, x, m.negated(m.div(sine, cosine), x))
}

// near is y, or what the host makes of x where that is large.
func (m Vectors) near(waves []Value, op ops.Sym, x, y Value) Value {
	return m.unless(waves[3], func() Value { return y }, func() Value { return m.where(waves[3], m.hosted(HostCode(op, 0), x), y) })
}
