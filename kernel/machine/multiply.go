package machine

import (
	"context"
	"unsafe"

	"github.com/tetratelabs/wazero/api"

	"egad/kernel/gemm"
)

// multiplied is the function of the host that multiplies matrices.
func multiplied(ctx context.Context, stack []uint64) {
	x := ctx.Value(instanceKey{}).(*instance)
	p := x.native.Products[api.DecodeU32(stack[0])]
	all := unsafe.Slice((*float64)(unsafe.Pointer(&x.bytes[0])), len(x.bytes)/8)
	at := func(i, row, column int, scale float64) gemm.Matrix {
		return gemm.Matrix{Data: all[api.DecodeU32(stack[i])/8:], Row: row, Column: column, Scale: scale}
	}
	stopped := gemm.Multiply(int(api.DecodeU32(stack[1])), int(api.DecodeU32(stack[2])), p.Inner,
		at(3, p.Left[0], p.Left[1], p.Scale[0]), at(4, p.Right[0], p.Right[1], p.Scale[1]), at(5, p.Row, 1, 1), p.Add, &x.packed[api.DecodeU32(stack[6])], x.stop.Requested)
	stack[0] = 0
	if stopped {
		stack[0] = 1
	}
}
