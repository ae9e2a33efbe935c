// Package interrupt tells long work that the user wants the process to end. Work
// that looks at a time limit looks at this too, ends as at a limit, and says what
// it has found so far; work that has nothing to say ends with [ErrEnded]. A process
// that asks for nothing is never interrupted.
package interrupt

import (
	"errors"
	"sync/atomic"
)

var requested atomic.Bool

// Request asks all work of the process to end soon. It cannot be taken back.
func Request() { requested.Store(true) }

// Requested reports whether work is to end. It may be asked in inner loops.
func Requested() bool { return requested.Load() }

// ErrEnded is the error of work that was to end and has no result.
var ErrEnded = errors.New("interrupted")

// Check is ErrEnded if work is to end, else nil.
func Check() error {
	if Requested() {
		return ErrEnded
	}
	return nil
}
