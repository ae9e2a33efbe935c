package vecmath

import (
	"math"
	"slices"

	"egad/kernel/wasm"
)

// Vectors writes into a function what computes several vectors at once: the time of one instruction
// is hidden behind that of others, and constants are loaded once.
type Vectors struct {
	*Library
	Func *wasm.Func
	Wide int   // how many vectors
	code int32 // HostCode of the operator
}

// Value pushes vector number u of those that are computed at once.
type Value func(u int)

// Param returns operand number i of the function.
func (m Vectors) Param(i int) Value { return func(u int) { m.Func.Get(wasm.Local(i*m.Wide + u)) } }

// do keeps what an instruction makes of vectors.
func (m Vectors) do(op wasm.Op, args ...Value) Value {
	return m.each(func(u int) {
		for _, a := range args {
			a(u)
		}
		m.Func.Op(op)
	})
}

// locals are as many as there are vectors.
func (m Vectors) locals() []wasm.Local {
	ls := make([]wasm.Local, m.Wide)
	for u := range ls {
		ls[u] = m.Func.Local(wasm.V128)
	}
	return ls
}

// Of returns the vectors in locals.
func (m Vectors) Of(ls []wasm.Local) Value { return func(u int) { m.Func.Get(ls[u]) } }

// each keeps what a function pushes for each vector.
func (m Vectors) each(push Value) Value { return m.Of(m.Set(push)) }

// Set makes locals of what a function pushes for each vector.
func (m Vectors) Set(push Value) []wasm.Local {
	ls := m.locals()
	for u, l := range ls {
		push(u)
		m.Func.Set(l)
	}
	return ls
}

// Pop makes locals of the vectors that are on the stack.
func (m Vectors) Pop() []wasm.Local {
	ls := m.locals()
	for _, l := range slices.Backward(ls) {
		m.Func.Set(l)
	}
	return ls
}

// bits is the same number in all lanes of all vectors.
func (m Vectors) bits(x int64) Value {
	l := m.Func.Local(wasm.V128)
	m.Func.I64x2(x)
	m.Func.Set(l)
	return func(int) { m.Func.Get(l) }
}

func (m Vectors) c(x float64) Value             { return m.bits(int64(math.Float64bits(x))) }
func (m Vectors) add(a, b Value) Value          { return m.do(wasm.F64x2Add, a, b) }
func (m Vectors) sub(a, b Value) Value          { return m.do(wasm.F64x2Sub, a, b) }
func (m Vectors) mul(a, b Value) Value          { return m.do(wasm.F64x2Mul, a, b) }
func (m Vectors) div(a, b Value) Value          { return m.do(wasm.F64x2Div, a, b) }
func (m Vectors) abs(a Value) Value             { return m.and(m.bits(math.MaxInt64), a) }
func (m Vectors) sqrt(a Value) Value            { return m.do(wasm.F64x2Sqrt, a) }
func (m Vectors) and(a, b Value) Value          { return m.do(wasm.V128And, a, b) }
func (m Vectors) or(a, b Value) Value           { return m.do(wasm.V128Or, a, b) }
func (m Vectors) not(a Value) Value             { return m.do(wasm.V128Not, a) }
func (m Vectors) less(a, b Value) Value         { return m.do(wasm.F64x2Lt, a, b) }
func (m Vectors) addInt(a Value, k int64) Value { return m.do(wasm.I64x2Add, a, m.bits(k)) }

// Neg returns -a.
func (m Vectors) Neg(a Value) Value { return m.do(wasm.V128Xor, m.bits(math.MinInt64), a) }

// where is a where the mask has bits, else b.
func (m Vectors) where(mask, a, b Value) Value { return m.do(wasm.V128Bitselect, a, b, mask) }

func (m Vectors) shift(op wasm.Op, a Value, n int32) Value {
	return m.each(func(u int) {
		a(u)
		m.Func.I32(n)
		m.Func.Op(op)
	})
}

// unless keeps what one function makes if the mask has bits in any lane, else what the
// other one makes.
func (m Vectors) unless(mask Value, none, some func() Value) Value {
	out := m.locals()
	keep := func(make func() Value) {
		v := make()
		for u, l := range out {
			v(u)
			m.Func.Set(l)
		}
	}
	for u := range m.Wide {
		mask(u)
		if u > 0 {
			m.Func.Op(wasm.V128Or)
		}
	}
	m.Func.Op(wasm.V128AnyTrue)
	m.Func.IfElse(func() { keep(some) }, func() { keep(none) })
	return m.Of(out)
}

// poly is the polynomial in x with coefficients from the constant on. Even and odd powers
// are summed beside each other, as instructions wait for what they use; more parts would
// wait less, but take more instructions.
func (m Vectors) poly(x Value, coefs ...float64) Value { return m.polyOf(x, m.mul(x, x), coefs...) }

// polyOf is poly where the square of x is known.
func (m Vectors) polyOf(x, square Value, coefs ...float64) Value {
	sum := func(from int) Value {
		last := (len(coefs)-1-from)/2*2 + from
		y := m.c(coefs[last])
		for i := last - 2; i >= 0; i -= 2 {
			y = m.add(m.mul(y, square), m.c(coefs[i]))
		}
		return y
	}
	return m.add(m.mul(sum(1), x), sum(0))
}
