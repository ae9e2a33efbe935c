// Package define writes definitions of the array language in Go: functions over array
// values make what a text would say.
//
//	d := define.New(nil, "loss")
//	n := d.Size("n")
//	w, b := d.Input("w", define.R(n)), d.Input("b", define.R())
//	x := d.Input("x", define.R(n))
//	src, err := d.Result(w.Mul(x).Sum().Add(b).Tanh())
//
// A [Value] stands for an array, a truth value, a tuple: for what a definition computes
// when it is run. Its methods are the operators of the language, and [Def.Call] calls any
// function that a text may call, by its name; functions in Go stand for functions,
// slices for lists. Where a text has a number, there may be one of Go.
//
// Go's own control flow is not part of the program: loops and conditions in Go, and Go
// functions that take and make values, decide what is written. So a definition can be
// unrolled, or be put together by parts. Conditions on values are [Def.If], and loops
// whose number of steps is a size are [Def.Fold] and its like. A value that is used twice
// is computed once, without that it is said.
//
// Types are checked where a value is made. What is wrong is kept, with the line of the
// caller, and [Def.Result] reports it; the values that would follow from it are none, and
// say nothing. Nothing panics.
//
// The result is a text, which goes where texts go: see egad.LoadTexts and egad's
// Module.With. A Def, and its values, are for one goroutine at a time.
package define
