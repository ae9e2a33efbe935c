package props

import (
	"math"

	"egad/term"
)

// Bounded is a float64 with a bound on its error: how far it may be from what
// exact arithmetic on the same inputs gives, with some room. Two ways to compute
// one thing differ by at most the sum of their bounds. The bound of a sum grows
// with the absolute values of its terms, so this is "relative to the sum of
// absolute terms" for any expression.
type Bounded struct{ V, E float64 }

// unit is a few roundings of float64: library functions are not always correctly
// rounded.
const unit = 4 * 0x1p-52

// Running is the arithmetic of values with running error bounds.
type Running struct{}

// FromNum rounds once.
func (Running) FromNum(n term.Num) (Bounded, error) {
	v := n.Float64()
	return Bounded{v, unit * math.Abs(v)}, nil
}

// FromInt is exact for small numbers.
func (Running) FromInt(i int64) (Bounded, error) { return Bounded{V: float64(i)}, nil }

// Unary carries the bound through an operator by its derivative.
func (Running) Unary(sym term.Sym, n int, a Bounded) (Bounded, error) {
	v, err := term.Floats{}.Unary(sym, n, a.V)
	if err != nil {
		return Bounded{}, err
	}
	d := slope(func(x float64) float64 { y, _ := term.Floats{}.Unary(sym, n, x); return y }, a)
	return Bounded{v, d + unit*math.Abs(v)}, nil
}

// slope bounds how much f moves over the interval of a.
func slope(f func(float64) float64, a Bounded) float64 {
	if a.E == 0 {
		return 0
	}
	mid := f(a.V)
	d := 0.0
	for _, x := range []float64{a.V - a.E, a.V + a.E, a.V - a.E/2, a.V + a.E/2} {
		if y := math.Abs(f(x) - mid); y > d || math.IsNaN(y) {
			d = y
		}
	}
	return 2 * d
}

// Binary carries the bounds of both operands through.
func (Running) Binary(sym term.Sym, a, b Bounded) (Bounded, error) {
	v, err := term.Floats{}.Binary(sym, a.V, b.V)
	if err != nil {
		return Bounded{}, err
	}
	var e float64
	switch sym {
	case term.SymAdd, term.SymSub, term.SymMin, term.SymMax:
		e = a.E + b.E
	case term.SymMul:
		e = math.Abs(a.V)*b.E + math.Abs(b.V)*a.E + a.E*b.E
	default:
		left := func(x float64) float64 { y, _ := term.Floats{}.Binary(sym, x, b.V); return y }
		right := func(x float64) float64 { y, _ := term.Floats{}.Binary(sym, a.V, x); return y }
		e = slope(left, a) + slope(right, b)
	}
	return Bounded{v, e + unit*math.Abs(v)}, nil
}

// Compare looks at the values.
func (Running) Compare(sym term.Sym, a, b Bounded) bool {
	return term.Floats{}.Compare(sym, a.V, b.V)
}

// Floor looks at the value.
func (Running) Floor(a Bounded) int64 { return term.Floats{}.Floor(a.V) }

// Round looks at the value.
func (Running) Round(a Bounded) int64 { return term.Floats{}.Round(a.V) }

// IsNaN looks at the value.
func (Running) IsNaN(a Bounded) bool { return math.IsNaN(a.V) }
