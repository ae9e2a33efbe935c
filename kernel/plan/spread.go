package plan

import (
	"slices"

	"egad/internal/slice"
	"egad/kernel"
)

// Of a first-level cache: how many bytes its sets of lines span, and how many lines a set has
// at least.
const (
	cacheSpan = 4096
	cacheWays = 8
)

// Spreads are the shapes in memory of arrays that have room between their rows.
type Spreads map[*kernel.Array][]int

// newSpreads leaves the rest of a line of the cache free after each row of an array whose rows
// would lie in few sets of lines: where a loop goes from row to row, as over rows of 512 numbers,
// each takes the place of one that is still needed. An operator on whole arrays, the steps of a
// loop and whoever asks for the results know of no such room; and what is read as one row, by
// indices that are divided, is to be one.
func newSpreads(p *kernel.Program) Spreads {
	s, whole := make(Spreads), p.UsedWhole()
	for _, k := range p.Kernels {
		kernel.Accesses(k.Body, func(a kernel.Access) { whole[a.Array] = whole[a.Array] || a.Divided() })
	}
	for _, k := range p.Kernels {
		for _, a := range k.Writes() {
			if a.Role == kernel.Temp && !whole[a] {
				s.spread(a)
			}
		}
	}
	return s
}

func (s Spreads) spread(a *kernel.Array) {
	stride := 1
	for i := len(a.Shape) - 1; i > 0 && stride > 0; i-- {
		inner := stride
		stride *= a.Shape[i]
		together := kernel.GCD(8*stride, cacheSpan)
		if together < cacheSpan/4 || slice.Product(a.Shape[:i])*together < cacheWays*cacheSpan {
			continue
		}
		if more := CacheLine / kernel.GCD(CacheLine, inner); 16*more <= a.Shape[i] {
			s[a] = slices.Clone(a.Shape)
			s[a][i] += more
		}
		return
	}
}

// Shape is that of an array in memory.
func (s Spreads) Shape(a *kernel.Array) []int {
	if shape, ok := s[a]; ok {
		return shape
	}
	return a.Shape
}

// Size is how many elements of memory an array takes.
func (s Spreads) Size(a *kernel.Array) int64 { return int64(slice.Product(s.Shape(a))) }
