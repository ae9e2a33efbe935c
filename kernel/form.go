package kernel

// Form is an integer as a sum: a constant, and each of some values as often as a number says.
type Form struct {
	Const int64
	Coef  []int64 // of the values
	Args  []*Value
}

// FormOf is an integer as a form.
func FormOf(v *Value) Form {
	coef, args, konst := v.sum()
	return Form{konst, coef, args}
}

// Near reports whether eight times an integer has 32 bits.
func (v *Value) Near() bool { return v.Range.Lo >= -MaxIndex && v.Range.Hi <= MaxIndex }

// MaxIndex bounds the integers of which eight times as much is sure to have 32 bits.
const MaxIndex = 1 << 27
