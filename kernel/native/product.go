package native

import (
	"slices"

	"egad/kernel"
	"egad/kernel/schedule"
	"egad/kernel/wasm"
)

// Product says how the host multiplies two matrices. It is given how many rows and columns there are, where the
// factors and the product begin, in bytes, the number of the goroutine, and whether it has been called before
// since the factors have changed.
type Product struct {
	Rows, Columns int  // of the product, or of all parts that goroutines make
	Inner         int  // columns of the left factor, and rows of the right one
	Add           bool // to what is there
	Factors       [2]Factor
	Row           int // how many elements apart the next row of the product is; columns are contiguous
}

// Factor is the left or the right factor of a product.
type Factor struct {
	Row, Column int     // how many elements apart the next ones are
	Scale       float64 // what all elements are multiplied by
	Keep        bool    // the factor is the same in many products, one after the other
}

// maxKept bounds how many bytes of a factor are kept as they are packed.
const maxKept = 1 << 24

// contract writes a call of the host that multiplies matrices, in the place of the loops that do.
func (e *emitter) contract(c *schedule.Contraction) {
	apart := func(a kernel.Access, l *kernel.Loop) int {
		f := e.flat(a)
		if i := slices.Index(f.Args, l.Var); i >= 0 {
			return int(f.Coef[i])
		}
		return 0
	}
	written := kernel.Stores(e.Body)
	factor := func(f schedule.Factor, row, column *kernel.Loop) Factor {
		keep := len(e.counters) > 0 && 8*row.N*column.N <= maxKept
		for a := range written {
			keep = keep && !e.overlap(a, f.Array)
		}
		return Factor{apart(f.Access, row), apart(f.Access, column), f.Scale, keep}
	}
	e.f.I32(int32(len(e.products)))
	e.products = append(e.products, Product{
		Rows: c.Rows.N, Columns: c.Columns.N, Inner: c.Inner.N, Add: c.Add, Row: apart(c.Product, c.Rows),
		Factors: [2]Factor{factor(c.Left, c.Rows, c.Inner), factor(c.Right, c.Inner, c.Columns)},
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
	before := f.Local(wasm.I32)
	f.Get(before)
	f.Call(e.host[HostMultiply])
	ends(f)
	f.I32(1)
	f.Set(before)
}
