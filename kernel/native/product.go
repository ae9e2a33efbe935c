package native

import (
	"slices"

	"egad/kernel"
	"egad/kernel/schedule"
	"egad/kernel/wasm"
)

// Product says how the host multiplies two matrices. It is given how many rows and columns there are, where the
// factors and the product begin, in bytes, and the number of the goroutine.
type Product struct {
	Inner int  // columns of the left factor, and rows of the right one
	Add   bool // to what is there
	// How many elements apart the next row and the next column are. Those of the product are contiguous.
	Left, Right [2]int
	Row         int        // of the product
	Scale       [2]float64 // what the elements of the factors are multiplied by
}

// contract writes a call of the host that multiplies matrices, in the place of the loops that do.
func (e *emitter) contract(c *schedule.Contraction) {
	apart := func(a kernel.Access, l *kernel.Loop) int {
		f := e.flat(a)
		if i := slices.Index(f.Args, l.Var); i >= 0 {
			return int(f.Coef[i])
		}
		return 0
	}
	e.f.I32(int32(len(e.products)))
	e.products = append(e.products, Product{
		Inner: c.Inner.N, Add: c.Add,
		Left:  [2]int{apart(c.Left.Access, c.Rows), apart(c.Left.Access, c.Inner)},
		Right: [2]int{apart(c.Right.Access, c.Inner), apart(c.Right.Access, c.Columns)},
		Row:   apart(c.Product, c.Rows),
		Scale: [2]float64{c.Left.Scale, c.Right.Scale},
	})
	for _, l := range []*kernel.Loop{c.Rows, c.Columns} {
		if l == e.part {
			e.f.On(wasm.I32Sub, partTo, partFrom)
		} else {
			e.f.I32(int32(l.N))
		}
	}
	loops := []*kernel.Loop{c.Rows, c.Columns, c.Inner}
	f := e.f
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
	f.Call(e.host[HostMultiply])
	ends(f)
}
