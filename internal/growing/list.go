// Package growing has lists that grow without being copied.
package growing

// List is a list that keeps its elements where they are when it grows. The zero value is
// empty.
type List[T any] struct {
	blocks []*[blockSize]T
	n      int
}

const (
	blockBits = 14
	blockSize = 1 << blockBits
)

// Len is the number of elements.
func (l *List[T]) Len() int { return l.n }

// Push adds an element at the end.
func (l *List[T]) Push(x T) {
	if l.n>>blockBits == len(l.blocks) {
		l.blocks = append(l.blocks, new([blockSize]T))
	}
	l.blocks[l.n>>blockBits][l.n&(blockSize-1)] = x
	l.n++
}

// At is element i, in its place.
func (l *List[T]) At(i int) *T { return &l.blocks[i>>blockBits][i&(blockSize-1)] }
