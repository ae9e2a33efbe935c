package proof

import "slices"

// pieces is a list that grows at its end, in pieces that stay where they are: a long
// list in one piece would be copied again and again.
type pieces[T any] struct {
	pieces [][]T
}

// A piece has pieceSize elements, the first one up to as many, and more only if
// they have to lie side by side.
const (
	pieceBits = 14
	pieceSize = 1 << pieceBits
)

// room returns the last piece with room for n elements, to append to, and the
// place where they will be.
func (l *pieces[T]) room(n int) (piece *[]T, at uint32) {
	k := len(l.pieces) - 1
	if k < 0 || len(l.pieces[k])+n > max(cap(l.pieces[k]), pieceSize) {
		size := max(n, pieceSize)
		if k < 0 {
			size = n
		}
		l.pieces = append(l.pieces, make([]T, 0, size))
		k++
	}
	piece = &l.pieces[k]
	if len(*piece)+n > cap(*piece) {
		// Only the first piece grows.
		grown := make([]T, len(*piece), max(min(2*cap(*piece), pieceSize), len(*piece)+n))
		copy(grown, *piece)
		*piece = grown
	}
	return piece, uint32(k<<pieceBits + len(*piece))
}

// add appends one element.
func (l *pieces[T]) add(x T) {
	piece, _ := l.room(1)
	*piece = append(*piece, x)
}

// from returns the elements from a place on, as far as they lie side by side.
func (l *pieces[T]) from(at uint32) []T { return l.pieces[at>>pieceBits][at&(pieceSize-1):] }

// all returns a copy of the list.
func (l *pieces[T]) all() []T { return slices.Concat(l.pieces...) }

// cap is for how many elements there is memory, about.
func (l *pieces[T]) cap() int {
	k := len(l.pieces)
	if k == 0 {
		return 0
	}
	return (k-1)*pieceSize + cap(l.pieces[k-1])
}

// end is a place where a log ended.
type end struct{ pieces, last int }

func (l *pieces[T]) end() end {
	k := len(l.pieces)
	if k == 0 {
		return end{}
	}
	return end{k, len(l.pieces[k-1])}
}

// cut brings back an earlier end.
func (l *pieces[T]) cut(e end) {
	l.pieces = l.pieces[:e.pieces]
	if e.pieces > 0 {
		l.pieces[e.pieces-1] = l.pieces[e.pieces-1][:e.last]
	}
}
