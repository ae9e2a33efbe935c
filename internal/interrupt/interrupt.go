// Package interrupt tells long work that the user wants the process to end. Work
// that looks at a time limit looks at this too, ends as at a limit, and says what
// it has found so far. A process that asks for nothing is never interrupted.
package interrupt

import "sync/atomic"

var requested atomic.Bool

// Request asks all work of the process to end soon. It cannot be taken back.
func Request() { requested.Store(true) }

// Requested reports whether work is to end.
func Requested() bool { return requested.Load() }
