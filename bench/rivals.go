package main

import (
	"egad"
	"egad/bench/hand"
)

// rival is another library of Go. Those that there are come with the tag rivals, as they
// need many modules.
type rival struct {
	name string
	// program makes the program of a workload, or none.
	program func(workload string, in egad.Env) (*hand.Func, error)
}

var rivals []rival

// entry is a workload by a rival.
type entry struct {
	*hand.Func
	name string
	err  error
}

// rivalsOf lists those that have a program for a workload.
func rivalsOf(w workload) (out []entry) {
	for _, r := range rivals {
		f, err := r.program(w.name, w.inputs)
		if f != nil || err != nil {
			out = append(out, entry{f, r.name, err})
		}
	}
	return out
}
