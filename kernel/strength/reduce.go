package strength

import "egad/kernel"

// Reduce makes a kernel that does the same with less to ask and to divide in its loops.
func Reduce(k *kernel.Kernel, exact bool) *kernel.Kernel {
	return clamped(inverted(powered(strict(nonzero(k, exact), exact), exact)))
}
