//go:build !amd64

package gemm

// tiles are those that this processor has instructions for: none.
func tiles() []*tile { return nil }

// interleave4 is for processors that have tiles.
func interleave4(n, group int, scale float64, l0, l1, l2, l3, to *float64) { panic("no instructions") }
