package props

// What tests of this package from outside, which may use random functional programs, need.
var (
	ErrSkip       = errSkip
	Derive        = derive
	SameByKernels = checkKernels
)
