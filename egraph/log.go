package egraph

import "slices"

// log is a list that grows at its end, in pieces that stay where they are: a long
// list in one piece would be copied again and again.
type log[T any] struct {
	pieces [][]T
}

// A piece has logPiece elements, the first one up to as many, and more only if
// they have to lie side by side.
const (
	logBits  = 14
	logPiece = 1 << logBits
)

// room returns the last piece with room for n elements, to append to, and the
// place where they will be.
func (l *log[T]) room(n int) (piece *[]T, at uint32) {
	k := len(l.pieces) - 1
	if k < 0 || len(l.pieces[k])+n > max(cap(l.pieces[k]), logPiece) {
		size := max(n, logPiece)
		if k < 0 {
			size = n
		}
		l.pieces = append(l.pieces, make([]T, 0, size))
		k++
	}
	piece = &l.pieces[k]
	if len(*piece)+n > cap(*piece) {
		// Only the first piece grows.
		grown := make([]T, len(*piece), max(min(2*cap(*piece), logPiece), len(*piece)+n))
		copy(grown, *piece)
		*piece = grown
	}
	return piece, uint32(k<<logBits + len(*piece))
}

// add appends one element.
func (l *log[T]) add(x T) {
	piece, _ := l.room(1)
	*piece = append(*piece, x)
}

// from returns the elements from a place on, as far as they lie side by side.
func (l *log[T]) from(at uint32) []T { return l.pieces[at>>logBits][at&(logPiece-1):] }

// all returns a copy of the list.
func (l *log[T]) all() []T { return slices.Concat(l.pieces...) }

// cap is for how many elements there is memory, about.
func (l *log[T]) cap() int {
	k := len(l.pieces)
	if k == 0 {
		return 0
	}
	return (k-1)*logPiece + cap(l.pieces[k-1])
}

// logEnd is a place where a log ended.
type logEnd struct{ pieces, last int }

func (l *log[T]) end() logEnd {
	k := len(l.pieces)
	if k == 0 {
		return logEnd{}
	}
	return logEnd{k, len(l.pieces[k-1])}
}

// cut brings back an earlier end.
func (l *log[T]) cut(e logEnd) {
	l.pieces = l.pieces[:e.pieces]
	if e.pieces > 0 {
		l.pieces[e.pieces-1] = l.pieces[e.pieces-1][:e.last]
	}
}
