// Package interrupt tells long work to end: because the user wants the process to end, or
// because the caller that it is for does not wait any more. Work that looks at a time limit
// looks at this too, ends as at a limit, and says what it has found so far; work that has
// nothing to say ends with [ErrEnded]. Where nothing is asked for, nothing is interrupted.
package interrupt

import (
	"context"
	"errors"
	"sync/atomic"
)

var requested atomic.Bool

// Request asks all work of the process to end soon. It cannot be taken back.
func Request() { requested.Store(true) }

// Requested reports whether the process is to end. It may be asked in inner loops.
func Requested() bool { return requested.Load() }

// ErrEnded is the error of work that was to end and has no result.
var ErrEnded = errors.New("interrupted")

// Check is ErrEnded if the process is to end, else nil.
func Check() error { return (*Stop)(nil).Check() }

// Stop tells the work for one caller to end: when its context is done, or when the process
// is to end. Nil and the zero Stop are those of a caller that has no context.
type Stop struct{ done <-chan struct{} }

// By is the Stop of a context.
func By(ctx context.Context) Stop { return Stop{ctx.Done()} }

// Done is closed when the caller does not wait any more; it is nil if it always waits.
func (s *Stop) Done() <-chan struct{} {
	if s == nil {
		return nil
	}
	return s.done
}

// Left reports whether the caller does not wait any more.
func (s *Stop) Left() bool {
	select {
	case <-s.Done():
		return true
	default:
		return false
	}
}

// Requested reports whether the work is to end. It may be asked in inner loops.
func (s *Stop) Requested() bool { return Requested() || s.Left() }

// Check is ErrEnded if the work is to end, else nil.
func (s *Stop) Check() error {
	if s.Requested() {
		return ErrEnded
	}
	return nil
}
