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
	kept  [][2]gemm.Kept
	sizes []int // of the part of a product that a goroutine does
}

// packed is the memory that products of matrices need beside the module's, in bytes.
func (n *compiled) packed() int64 {
	all, most := int64(0), int64(0)
	for _, p := range n.Products {
		kept, shared := gemm.Room(p.Rows.Len(), p.Columns.Len(), p.Factors[0].Columns.Len(), p.Factors[0].Keep, p.Factors[1].Keep)
		all, most = all+kept, max(most, shared)
	}
	return int64(n.Threads) * (all + most)
}

// multiplied is the function of the host that multiplies matrices.
func multiplied(ctx context.Context, stack []uint64) {
	x := ctx.Value(instanceKey{}).(*instance)
	number, runs := api.DecodeU32(stack[0]), int(api.DecodeU32(stack[1]))
	p, room := x.native.Products[number], &x.packed[api.DecodeU32(stack[5])]
	all := unsafe.Slice((*float64)(unsafe.Pointer(&x.bytes[0])), len(x.bytes)/8)
	at := func(i int) []float64 { return all[api.DecodeU32(stack[2+i])/8:] }
	var factors [2]gemm.Matrix
	for i, f := range p.Factors {
		factors[i] = gemm.Matrix{Data: at(i), Rows: f.Rows, Columns: f.Columns, Scale: f.Scale}
		if f.Keep {
			factors[i].Kept = &room.kept[number][i]
			if api.DecodeU32(stack[6]) == 0 {
				factors[i].Kept.Forget()
			}
		}
	}
	a, b, c := &factors[0], &factors[1], gemm.Matrix{Data: at(2), Rows: p.Rows, Columns: p.Columns, Scale: 1}
	lines, same := &a.Rows, &c.Rows
	if p.ByColumns {
		lines, same = &b.Columns, &c.Columns
	}
	if lines.Sizes[p.Axis] != runs { // a part
		room.sizes = append(room.sizes[:0], lines.Sizes...)
		room.sizes[p.Axis] = runs
		lines.Sizes, same.Sizes = room.sizes, room.sizes
	}
	stopped := gemm.Multiply(*a, *b, c, p.Add, &room.Buffers, x.stopped)
	stack[0] = 0
	if stopped {
		stack[0] = 1
	}
}
