package machine

import (
	"context"
	"unsafe"

	"github.com/tetratelabs/wazero/api"

	"egad/kernel/gemm"
)

// packing is the memory that a goroutine has to multiply matrices, and what it keeps of the factors of each product.
type packing struct {
	gemm.Buffers
	kept [][2]gemm.Kept
}

// packed is the memory that products of matrices need beside the module's, in bytes.
func (n *compiled) packed() int64 {
	all, most := int64(0), int64(0)
	for _, p := range n.Products {
		kept, shared := gemm.Room(p.Rows, p.Columns, p.Inner, p.Factors[0].Keep, p.Factors[1].Keep)
		all, most = all+kept, max(most, shared)
	}
	return int64(n.Threads) * (all + most)
}

// multiplied is the function of the host that multiplies matrices.
func multiplied(ctx context.Context, stack []uint64) {
	x := ctx.Value(instanceKey{}).(*instance)
	number := api.DecodeU32(stack[0])
	p, room := x.native.Products[number], &x.packed[api.DecodeU32(stack[6])]
	all := unsafe.Slice((*float64)(unsafe.Pointer(&x.bytes[0])), len(x.bytes)/8)
	at := func(i int) []float64 { return all[api.DecodeU32(stack[i])/8:] }
	factor := func(i int) gemm.Matrix {
		f := p.Factors[i]
		m := gemm.Matrix{Data: at(3 + i), Row: f.Row, Column: f.Column, Scale: f.Scale}
		if f.Keep {
			m.Kept = &room.kept[number][i]
			if stack[7] == 0 {
				m.Kept.Forget()
			}
		}
		return m
	}
	stopped := gemm.Multiply(int(api.DecodeU32(stack[1])), int(api.DecodeU32(stack[2])), p.Inner,
		factor(0), factor(1), gemm.Matrix{Data: at(5), Row: p.Row, Column: 1, Scale: 1}, p.Add, &room.Buffers, x.stopped)
	stack[0] = 0
	if stopped {
		stack[0] = 1
	}
}
