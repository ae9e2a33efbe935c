// Package overflow is how work ends that would become too large: a store with too many terms, a size
// with too many parts. It panics with an [*Error] from deep within, and whoever began it gets an error
// from [Guard].
package overflow

import "egad/internal/interrupt"

// Error is the panic value of work whose bounds are reached. [Guard] returns it as an error.
type Error struct{ Msg string }

func (e *Error) Error() string { return e.Msg }

// Guard runs f and returns the error of an [*Error] raised in it, or
// [interrupt.ErrEnded] if the work was told to end.
func Guard(f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			o, ok := r.(*Error)
			switch {
			case ok:
				err = o
			case r == error(interrupt.ErrEnded):
				err = interrupt.ErrEnded
			default:
				panic(r)
			}
		}
	}()
	return f()
}
