package kernel

import (
	"slices"

	"egad/internal/slice"
	"egad/term/ops"
)

// Of a first-level cache: how many bytes its sets of lines span, and how many lines a set has
// at least.
const (
	cacheSpan = 4096
	cacheWays = 8
)

// Spreads are the shapes in memory of arrays that have room between their rows.
type Spreads map[*Array][]int

// newSpreads leaves the rest of a line of the cache free after each row of an array whose rows
// would lie in few sets of lines: where a loop goes from row to row, as over rows of 512 numbers,
// each takes the place of one that is still needed. An operator on whole arrays, the steps of a
// loop and whoever asks for the results know of no such room; and what is read as one row, by
// indices that are divided, is to be one.
func newSpreads(p *Program) Spreads {
	s, whole := make(Spreads), p.usedWhole()
	for _, k := range p.Kernels {
		Accesses(k.Body, func(a Access) { whole[a.Array] = whole[a.Array] || a.divided() })
	}
	for _, k := range p.Kernels {
		for _, a := range k.Writes() {
			if a.Role == Temp && !whole[a] {
				s.spread(a)
			}
		}
	}
	return s
}

// divided reports whether an index is a quotient or a remainder.
func (a Access) divided() bool {
	return slices.ContainsFunc(a.At, func(x *Value) bool {
		return slices.ContainsFunc(FormOf(x).Args, func(v *Value) bool {
			return v.Kind == Compute && (v.Op == ops.SymIdiv || v.Op == ops.SymMod)
		})
	})
}

func (s Spreads) spread(a *Array) {
	stride := 1
	for i := len(a.Shape) - 1; i > 0 && stride > 0; i-- {
		inner := stride
		stride *= a.Shape[i]
		together := gcd(8*stride, cacheSpan)
		if together < cacheSpan/4 || slice.Product(a.Shape[:i])*together < cacheWays*cacheSpan {
			continue
		}
		if more := cacheLine / gcd(cacheLine, inner); 16*more <= a.Shape[i] {
			s[a] = slices.Clone(a.Shape)
			s[a][i] += more
		}
		return
	}
}

// gcd is the greatest common divisor of two numbers.
func gcd[N int | int64](a, b N) N {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// Shape is that of an array in memory.
func (s Spreads) Shape(a *Array) []int {
	if shape, ok := s[a]; ok {
		return shape
	}
	return a.Shape
}

// Size is how many elements of memory an array takes.
func (s Spreads) Size(a *Array) int64 { return int64(slice.Product(s.Shape(a))) }
