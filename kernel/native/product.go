package native

import (
	"slices"

	"egad/kernel"
	"egad/kernel/gemm"
	"egad/kernel/schedule"
	"egad/kernel/wasm"
)

// Product says how the host multiplies two matrices. It is given how many runs there are of the loop that it
// is in the place of, or of the part of it that a goroutine does, where the factors and the product begin, in bytes, the
// number of the goroutine, and whether it has been called before since the factors have changed.
type Product struct {
	Factors       [2]Factor
	Rows, Columns gemm.Index     // of the product
	Add           bool           // to what is there
	ByColumns     bool           // the loop is one of those of the columns
	Axis          int            // and which of them, or of those of the rows, it is
	Kernel        *kernel.Kernel // that needs it
}

// Factor is the left or the right factor of a product.
type Factor struct {
	Rows, Columns gemm.Index
	Scale         float64 // what all elements are multiplied by
	Keep          bool    // the factor is the same in many products, one after the other
}

// maxKept bounds how many bytes of a factor are kept as they are packed.
const maxKept = 1 << 24

// contract writes a call of the host that multiplies matrices, in the place of a loop.
func (e *emitter) contract(c *schedule.Contraction, outer *kernel.Loop) {
	index := func(a kernel.Access, loops []*kernel.Loop) (x gemm.Index) {
		f := e.flat(a)
		for _, l := range loops {
			step := 0
			if i := slices.Index(f.Args, l.Var); i >= 0 {
				step = int(f.Coef[i])
			}
			x.Sizes, x.Steps = append(x.Sizes, l.N), append(x.Steps, step)
		}
		return x
	}
	written := kernel.Stores(e.Body)
	factor := func(f schedule.Factor, rows, columns []*kernel.Loop) Factor {
		out := Factor{index(f.Access, rows), index(f.Access, columns), f.Scale, len(e.counters) > 0}
		out.Keep = out.Keep && 8*out.Rows.Len()*out.Columns.Len() <= maxKept
		for a := range written {
			out.Keep = out.Keep && !e.overlap(a, f.Array)
		}
		return out
	}
	p := Product{
		Factors: [2]Factor{factor(c.Left, c.Rows, c.Inner), factor(c.Right, c.Inner, c.Columns)},
		Rows:    index(c.Product, c.Rows), Columns: index(c.Product, c.Columns), Add: c.Add, Kernel: e.named[len(e.named)-1].Original(),
	}
	if p.Axis = slices.Index(c.Rows, outer); p.Axis < 0 {
		p.ByColumns, p.Axis = true, slices.Index(c.Columns, outer)
	}
	f := e.f
	f.I32(int32(len(e.products)))
	e.products = append(e.products, p)
	if e.part == outer {
		f.On(wasm.I32Sub, partTo, partFrom)
	} else {
		f.I32(int32(outer.N))
	}
	loops := slices.Concat(c.Rows, c.Columns, c.Inner)
	for _, l := range loops {
		i := f.Local(wasm.I32)
		e.counters[l.Var] = i
		if l == e.part {
			f.OnI32(wasm.I32Shl, partFrom, 3)
		} else {
			f.I32(0)
		}
		f.Set(i)
	}
	for _, a := range []kernel.Access{c.Left.Access, c.Right.Access, c.Product} {
		e.scaled(e.flat(a), int64(e.at[a.Array]), place{}, false)
	}
	for _, l := range loops {
		delete(e.counters, l.Var)
	}
	if e.part != nil {
		f.Get(partThread)
	} else {
		f.I32(0)
	}
	before := f.Local(wasm.I32)
	f.Get(before)
	f.Call(e.host[HostMultiply])
	ends(f)
	f.SetI32(before, 1)
}
