package kernel

// form is an integer as a sum: a constant, and each of some values as often as a number says.
type form struct {
	konst int64
	coef  []int64 // of the values
	args  []*Value
}

// formOf is an integer as a form.
func formOf(v *Value) form {
	coef, args, konst := v.sum()
	return form{konst, coef, args}
}

// near reports whether eight times an integer has 32 bits.
func (v *Value) near() bool { return v.Range.Lo >= -maxIndex && v.Range.Hi <= maxIndex }

// maxIndex bounds the integers of which eight times as much is sure to have 32 bits.
const maxIndex = 1 << 27
