package kernel

// form is an integer: konst + the sum of coef[i] * args[i].
type form struct {
	konst int64
	coef  []int64
	args  []*Value
}

func formOf(v *Value) form {
	coef, args, konst := v.sum()
	return form{konst, coef, args}
}

// near reports whether eight times v has 32 bits.
func near(v *Value) bool { return v.Range.Lo >= -maxIndex && v.Range.Hi <= maxIndex }

const maxIndex = 1 << 27
