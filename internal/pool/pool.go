// Package pool keeps what is dear to make and is used by one goroutine at a time.
package pool

import (
	"sync"
	"sync/atomic"
)

// Pool keeps values for whoever needs one next. One stays for as long as the pool
// does, so that who uses one at a time never makes another; the collector may take
// what else there is. The zero value is empty, and goroutines may share it.
type Pool[T any] struct {
	one  atomic.Pointer[T]
	more sync.Pool
}

// Take gives a value that nobody uses, or nil if there is none.
func (p *Pool[T]) Take() *T {
	if x := p.one.Swap(nil); x != nil {
		return x
	}
	x, _ := p.more.Get().(*T)
	return x
}

// Give puts x back, which is not nil and is not used any more.
func (p *Pool[T]) Give(x *T) {
	if !p.one.CompareAndSwap(nil, x) {
		p.more.Put(x)
	}
}
