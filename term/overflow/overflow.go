package overflow

import "egad/internal/interrupt"

// Error is the panic value of a Store whose bounds are reached. [Guard]
// turns it into an error.
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
