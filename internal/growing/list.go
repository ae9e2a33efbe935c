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

// Grow adds n elements at the end, for the caller to write, if they lie side by side in
// what the list has; else it gives nil and adds none.
func (l *List[T]) Grow(n int) []T {
	at := l.n & (blockSize - 1)
	if at == 0 || at+n > blockSize {
		return nil
	}
	l.n += n
	return l.blocks[(l.n-1)>>blockBits][at : at+n]
}

// From are elements from i on, at least one.
func (l *List[T]) From(i int) []T {
	return l.blocks[i>>blockBits][i&(blockSize-1) : min(l.n-i&^(blockSize-1), blockSize)]
}

// At is element i, in its place.
func (l *List[T]) At(i int) *T { return &l.blocks[i>>blockBits][i&(blockSize-1)] }
