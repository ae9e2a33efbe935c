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

// Append adds elements at the end.
func (l *List[T]) Append(xs ...T) {
	if at := l.n & (blockSize - 1); at != 0 && at+len(xs) <= blockSize {
		b := l.blocks[l.n>>blockBits][at:]
		for i, x := range xs { // they are few
			b[i] = x
		}
		l.n += len(xs)
		return
	}
	for _, x := range xs {
		l.Push(x)
	}
}

// At is element i, in its place.
func (l *List[T]) At(i int) *T { return &l.blocks[i>>blockBits][i&(blockSize-1)] }
