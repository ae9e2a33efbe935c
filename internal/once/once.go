// Package once makes what takes long, once for all who ask for it, who may leave before it
// is there.
package once

import (
	"context"
	"sync"
	"sync/atomic"

	"egad/internal/interrupt"
)

// Value is made when it is first asked for. Goroutines may share it; the zero value is one
// that nobody has asked for.
type Value[T any] struct {
	made atomic.Pointer[result[T]]
	mu   sync.Mutex
	work *work[T] // that makes it, nil if there is none
}

type result[T any] struct {
	value T
	err   error
	panic any
}

// work is making a value, as long as somebody waits for it.
type work[T any] struct {
	result[T]
	waiting int
	leave   context.CancelFunc
	done    chan struct{}
}

// Made is the value, or the error of making it, if it was made.
func (o *Value[T]) Made() (value T, err error, ok bool) {
	if r := o.made.Load(); r != nil {
		return r.value, r.err, true
	}
	return value, nil, false
}

// Get is Made, or what make gives. Who asks meanwhile waits for the same. When a context is
// done its caller gets the error of that; when all have left, the work is told to end, and
// begins again when somebody asks.
func (o *Value[T]) Get(ctx context.Context, make func(*interrupt.Stop) (T, error)) (T, error) {
	if v, err, ok := o.Made(); ok {
		return v, err
	}
	w := o.join(make)
	select {
	case <-w.done:
	case <-ctx.Done():
		o.left(w)
		var none T
		return none, ctx.Err()
	}
	if w.panic != nil {
		panic(w.panic)
	}
	return w.value, w.err
}

// join makes the caller one who waits.
func (o *Value[T]) join(how func(*interrupt.Stop) (T, error)) *work[T] {
	o.mu.Lock()
	defer o.mu.Unlock()
	w := o.work
	if w == nil {
		if r := o.made.Load(); r != nil {
			w = &work[T]{result: *r, done: make(chan struct{})}
			close(w.done)
			return w
		}
		ctx, cancel := context.WithCancel(context.Background())
		w = &work[T]{leave: cancel, done: make(chan struct{})}
		o.work = w
		stop := interrupt.By(ctx)
		go o.do(w, func() (T, error) { return how(&stop) })
	}
	w.waiting++
	return w
}

// left tells the work to end if nobody waits for it.
func (o *Value[T]) left(w *work[T]) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if w.waiting--; w.waiting == 0 && o.work == w {
		w.leave()
		o.work = nil
	}
}

// do makes the value, which is kept unless all have left: it may be cut short then.
func (o *Value[T]) do(w *work[T], make func() (T, error)) {
	defer func() {
		w.panic = recover()
		o.mu.Lock()
		defer o.mu.Unlock()
		if o.work == w {
			o.work = nil
			if w.panic == nil {
				r := w.result
				o.made.Store(&r)
			}
		}
		w.leave()
		close(w.done)
	}()
	w.value, w.err = make()
}
