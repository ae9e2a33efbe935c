package once

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"egad/internal/interrupt"
)

// TestValue: all who ask get what was made once, an error too.
func TestValue(t *testing.T) {
	failed := errors.New("failed")
	for _, want := range []error{nil, failed} {
		var o Value[int]
		if _, _, ok := o.Made(); ok {
			t.Error("made before anybody asked")
		}
		var mu sync.Mutex
		n := 0
		var wait sync.WaitGroup
		for range 20 {
			wait.Go(func() {
				v, err := o.Get(context.Background(), func(*interrupt.Stop) (int, error) {
					mu.Lock()
					defer mu.Unlock()
					n++
					return 7, want
				})
				if v != 7 || err != want {
					t.Errorf("%d, %v", v, err)
				}
			})
		}
		wait.Wait()
		if v, err, ok := o.Made(); n != 1 || v != 7 || err != want || !ok {
			t.Errorf("made %d times: %d, %v, %v", n, v, err, ok)
		}
	}
}

// TestLeaving: who leaves does not disturb others; when all have left the work is told to
// end, its result is not kept, and it begins again.
func TestLeaving(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var o Value[int]
		n := 0
		work := func(stop *interrupt.Stop) (int, error) {
			n++
			for range 100 {
				if stop.Requested() {
					return 0, interrupt.ErrEnded
				}
				time.Sleep(time.Second)
			}
			return n, nil
		}
		within := func(seconds int, value int, want error) {
			t.Helper()
			ctx, cancel := context.WithTimeout(t.Context(), time.Duration(seconds)*time.Second)
			defer cancel()
			if v, err := o.Get(ctx, work); v != value || err != want {
				t.Errorf("%d, %v; want %d, %v", v, err, value, want)
			}
		}
		go within(10, 0, context.DeadlineExceeded)
		within(20, 0, context.DeadlineExceeded)
		time.Sleep(5 * time.Second)
		go within(10, 0, context.DeadlineExceeded) // begins the second work, and leaves it to the next
		time.Sleep(time.Second)
		within(200, 2, nil)
		within(1, 2, nil)
	})
}

// TestPanic: a panic is that of who asks, and not of the process.
func TestPanic(t *testing.T) {
	var o Value[int]
	defer func() {
		if r := recover(); r != "bad" {
			t.Errorf("panic: %v", r)
		}
		if v, err := o.Get(context.Background(), func(*interrupt.Stop) (int, error) { return 1, nil }); v != 1 || err != nil {
			t.Errorf("afterwards: %d, %v", v, err)
		}
	}()
	o.Get(context.Background(), func(*interrupt.Stop) (int, error) { panic("bad") })
}
