package kernel

import (
	"slices"

	"egad/term/ops"
	"egad/term/types"
)

// Form is an integer as a sum: a constant, and each of some values as often as a number says.
type Form struct {
	Const int64
	Coef  []int64 // of the values
	Args  []*Value
}

// FormOf is an integer as a form.
func FormOf(v *Value) Form {
	coef, args, konst := v.Sum()
	return Form{konst, coef, args}
}

// Range is that of a form.
func (f Form) Range() ops.Range { return LinearRange(f.Const, f.Coef, f.Args) }

// Without takes one of its values out of a form: how often it is there, and the rest.
func (f Form) Without(v *Value) (coef int64, rest Form) {
	i := slices.Index(f.Args, v)
	if i < 0 {
		return 0, f
	}
	return f.Coef[i], Form{f.Const, slices.Delete(slices.Clone(f.Coef), i, i+1), slices.Delete(slices.Clone(f.Args), i, i+1)}
}

// Equal reports whether two forms are the same, where values are alike as a function says.
func (f Form) Equal(g Form, alike func(v, w *Value) bool) bool {
	return f.Const == g.Const && slices.Equal(f.Coef, g.Coef) && slices.EqualFunc(f.Args, g.Args, alike)
}

// Same reports whether two values are one.
func Same(v, w *Value) bool { return v == w }

// Near reports whether eight times an integer has 32 bits.
func (v *Value) Near() bool { return v.Range.Lo >= -MaxIndex && v.Range.Hi <= MaxIndex }

// MaxIndex bounds the integers of which eight times as much is sure to have 32 bits.
const MaxIndex = 1 << 27

// LinearOf makes an index, which is konst + the sum of coef[i] * args[i].
func LinearOf(konst int64, coef []int64, args []*Value) *Value {
	return &Value{Kind: Linear, Elem: types.I, Const: ops.ScalarI(konst), Coef: coef, Args: args, Range: LinearRange(konst, coef, args)}
}

// IsUnit reports whether a coefficient is 1 or -1.
func IsUnit(coef int64) bool { return coef == 1 || coef == -1 }

// Undivided makes a quotient, or a remainder, of which it is known how often the divisor goes
// into its operand, without a division; a remainder of a sum without the multiples of the
// divisor that are in it; and any other value as it is.
func (v *Value) Undivided() *Value {
	sym, x, d, ok := v.Division()
	if !ok || d < 0 {
		return v
	}
	if FloorDiv(x.Range.Lo, d) != FloorDiv(x.Range.Hi, d) {
		multiples, rest, ok := NewBuilder(nil).split(x, d)
		if sym == ops.SymIdiv || !ok || multiples.Kind == Lit {
			return v
		}
		w := *v
		w.Args = []*Value{rest, v.Args[1]}
		return w.Undivided()
	}
	often := FloorDiv(x.Range.Lo, d)
	if sym == ops.SymIdiv {
		return LinearOf(often, nil, nil)
	}
	coef, args, konst := x.Sum()
	return LinearOf(konst-often*d, coef, args)
}
