package gemm

import "golang.org/x/sys/cpu"

//go:noescape
func tile512(k int, a, b, c *float64, stride int, add bool)

//go:noescape
func tile256(k int, a, b, c *float64, stride int, add bool)

// interleave4 stores, for each of n numbers of four lines, a multiple of 4, those of all lines times a scale one after the
// other: group numbers after those before.
//
//go:noescape
func interleave4(n, group int, scale float64, l0, l1, l2, l3, to *float64)

// tiles are those that this processor has instructions for, the fastest first.
func tiles() (out []*tile) {
	if cpu.X86.HasAVX512F && cpu.X86.HasFMA {
		out = append(out, &tile{rows: 8, columns: 24, multiply: tile512})
	}
	if cpu.X86.HasAVX2 && cpu.X86.HasFMA {
		out = append(out, &tile{rows: 4, columns: 12, multiply: tile256})
	}
	return out
}
