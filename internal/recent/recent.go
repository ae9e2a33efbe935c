// Package recent keeps what was used most recently.
package recent

import (
	"slices"
	"sync"
)

// List keeps at most Max items, those that were asked for last. Goroutines may share
// it.
type List[E any] struct {
	Max   int
	mu    sync.Mutex
	items []E // the latest first
}

// Find gives the latest item that is what is looked for.
func (l *List[E]) Find(is func(E) bool) (e E, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.find(is)
}

// Get is Find, or if there is none what make gives, which is kept then. Others wait
// for it meanwhile.
func (l *List[E]) Get(is func(E) bool, make func() (E, error)) (E, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if e, ok := l.find(is); ok {
		return e, nil
	}
	e, err := make()
	if err == nil {
		l.items = slices.Insert(l.items[:min(len(l.items), l.Max-1)], 0, e)
	}
	return e, err
}

// Drop forgets the items that are what is said.
func (l *List[E]) Drop(is func(E) bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.items = slices.DeleteFunc(l.items, is)
}

func (l *List[E]) find(is func(E) bool) (e E, ok bool) {
	for i, x := range l.items {
		if is(x) {
			copy(l.items[1:], l.items[:i])
			l.items[0] = x
			return x, true
		}
	}
	return e, false
}
