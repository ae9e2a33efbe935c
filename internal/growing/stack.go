package growing

// Stack is a list that grows at its end without being copied, and is read from there. The
// zero value is empty.
type Stack[T any] struct {
	below [][]T
	top   []T
}

// The sizes of blocks, of which each is twice as large as the one below.
const (
	smallest = 1 << 6
	largest  = 1 << 17
)

// Len is the number of elements.
func (s *Stack[T]) Len() int {
	n := len(s.top)
	for _, b := range s.below {
		n += len(b)
	}
	return n
}

// Grow adds n elements at the end, which lie side by side, for the caller to write.
func (s *Stack[T]) Grow(n int) []T {
	at := len(s.top)
	if at+n > cap(s.top) {
		return s.another(n)
	}
	s.top = s.top[:at+n]
	return s.top[at:]
}

// another grows into another block.
func (s *Stack[T]) another(n int) []T {
	if len(s.top) > 0 {
		s.below = append(s.below, s.top)
	}
	s.top = make([]T, n, max(n, min(2*cap(s.top), largest), smallest))
	return s.top
}

// Reader reads a stack from its end.
type Reader[T any] struct {
	below [][]T
	// Rest are the next elements, the first to be read last.
	Rest []T
}

// Reader begins at the end. What is added later it does not read.
func (s *Stack[T]) Reader() *Reader[T] { return &Reader[T]{s.below, s.top} }

// Down makes Rest what lies below, when all of it has been read.
func (r *Reader[T]) Down() {
	n := len(r.below) - 1
	r.below, r.Rest = r.below[:n], r.below[n]
}

// Next is the next element, which there must be.
func (r *Reader[T]) Next() T {
	if len(r.Rest) == 0 {
		r.Down()
	}
	n := len(r.Rest) - 1
	x := r.Rest[n]
	r.Rest = r.Rest[:n]
	return x
}
