// Package raise carries errors, as panics, to where what they end began: a deep recursion, or a
// command.
package raise

// raised is an error on its way.
type raised struct{ err error }

// Error ends what is done with an error, if it is one.
func Error(err error) {
	if err != nil {
		end(err)
	}
}

// end stands apart so that where there is no error nothing is called.
func end(err error) { panic(raised{err}) }

// Must is x; an error is raised.
func Must[T any](x T, err error) T {
	Error(err)
	return x
}

// Caught is deferred where that began: an error that was raised is that of what it ended.
func Caught(err *error) { Recovered(recover(), err) }

// Catch is the error that ends do, if there is one.
func Catch(do func()) (err error) {
	defer Caught(&err)
	do()
	return nil
}

// Recovered is [Caught], of what a deferred function has recovered.
func Recovered(r any, err *error) {
	switch r := r.(type) {
	case nil:
	case raised:
		*err = r.err
	default:
		panic(r)
	}
}
