package gemm

// Index is a list of places in memory: those of the elements of an array of such sizes, the last axis
// first, whose neighbours along each axis are so many places apart. So Index{[]int{2, 3}, []int{10, 1}} is 0, 1, 2,
// 10, 11, 12.
type Index struct{ Sizes, Steps []int }

// Len is how many places there are.
func (x Index) Len() int {
	n := 1
	for _, size := range x.Sizes {
		n *= size
	}
	return n
}

// places fills a list with places from the first one on.
func (x Index) places(first int, to []int) []int {
	last := len(x.Sizes) - 1
	if last < 0 {
		clear(to)
		return to
	}
	size, step := x.Sizes[last], x.Steps[last]
	for n := 0; n < len(to); {
		i := first + n
		at := i % size
		base := 0
		for rest, k := i/size, last-1; k >= 0; k-- {
			base += rest % x.Sizes[k] * x.Steps[k]
			rest /= x.Sizes[k]
		}
		for ; at < size && n < len(to); at, n = at+1, n+1 {
			to[n] = base + at*step
		}
	}
	return to
}
