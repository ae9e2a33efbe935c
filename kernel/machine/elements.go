package machine

import (
	"unsafe"

	"egad/kernel"
	"egad/kernel/plan"
	"egad/term/types"
)

// Elements are those of an array, row-major: in R if they are real, else in N.
type Elements struct {
	R []float64
	N []int64
}

// newElements are those of an array, 0.
func newElements(a *kernel.Array) Elements {
	if a.Elem == types.R {
		return Elements{R: make([]float64, a.Len())}
	}
	return Elements{N: make([]int64, a.Len())}
}

func literal(a *kernel.Array) Elements {
	e := newElements(a)
	for i, s := range a.Const.Data {
		if a.Elem == types.R {
			e.R[i] = s.Num.Float64()
		} else {
			e.N[i] = s.Int
		}
	}
	return e
}

// is reports whether e can be the elements of a.
func (e Elements) is(a *kernel.Array) bool {
	if a.Elem == types.R {
		return len(e.R) == a.Len() && e.N == nil
	}
	return len(e.N) == a.Len() && e.R == nil
}

// part are those from a number on, up to another.
func (e Elements) part(from, to int) Elements {
	if e.R != nil {
		return Elements{R: e.R[from:to:to]}
	}
	return Elements{N: e.N[from:to:to]}
}

// copy sets e to from.
func (e Elements) copy(from Elements) {
	copy(e.R, from.R)
	copy(e.N, from.N)
}

// elementsOf makes the memory of a plan, and gives the part of an array.
func elementsOf(pl *plan.Plan) func(a *kernel.Array) Elements {
	r, n := pl.Sizes()
	reals, ints := Elements{R: make([]float64, r)}, Elements{N: make([]int64, n)}
	return func(a *kernel.Array) Elements {
		from, written := pl.At[a]
		if !written {
			return newElements(a)
		}
		if a.Elem == types.R {
			return reals.part(from, from+a.Len())
		}
		return ints.part(from, from+a.Len())
	}
}

// view is an array in the memory of a module.
func view(bytes []byte, at uint32, a *kernel.Array) *Elements {
	n := a.Len()
	if a.Elem == types.R {
		return &Elements{R: unsafe.Slice((*float64)(unsafe.Pointer(&bytes[at])), n)}
	}
	return &Elements{N: unsafe.Slice((*int64)(unsafe.Pointer(&bytes[at])), n)}
}
