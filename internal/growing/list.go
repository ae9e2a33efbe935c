// Package growing has lists that grow without being copied.
package growing

import (
	"reflect"
	"sync"
)

// List is a list that keeps its elements where they are when it grows. The zero value is
// empty.
type List[T any] struct {
	blocks []*[blockSize]T
	last   *[blockSize]T
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
	at := l.n & (blockSize - 1)
	if at == 0 {
		l.more()
	}
	l.last[at] = x
	l.n++
}

func (l *List[T]) more() {
	var ok bool
	if l.last, ok = blocksOf[T]().Get().(*[blockSize]T); !ok {
		l.last = new([blockSize]T)
	}
	l.blocks = append(l.blocks, l.last)
}

// Free empties the list, and gives its memory to others of the type.
func (l *List[T]) Free() {
	pool := blocksOf[T]()
	for _, b := range l.blocks {
		clear(b[:])
		pool.Put(b)
	}
	*l = List[T]{}
}

// free has blocks that are not used, a pool for each type of elements.
var free sync.Map

func blocksOf[T any]() *sync.Pool {
	of := reflect.TypeFor[T]()
	pool, ok := free.Load(of)
	if !ok {
		pool, _ = free.LoadOrStore(of, new(sync.Pool))
	}
	return pool.(*sync.Pool)
}

// At is element i, in its place.
func (l *List[T]) At(i int) *T { return &l.blocks[i>>blockBits][i&(blockSize-1)] }
