package machine

import (
	"slices"

	"egad/internal/interrupt"
	"egad/internal/slice"
	"egad/kernel"
	"egad/term/eval"
)

// callee emits a call.
func (c *compiler) callee(s *kernel.Call) {
	arrays := append(slices.Clone(s.Args), s.Array)
	parts, memory, sizes := s.Parts(), make([]*Elements, len(arrays)), make([]int, len(arrays))
	runs, last := s.Runs(), len(arrays)-1
	if s.Together() {
		runs, parts[1].Shape, parts[last].Shape = 1, []int{s.Args[1].Len()}, []int{s.Array.Len()}
	}
	steps := make([]int, len(arrays))
	for i, a := range arrays {
		memory[i], sizes[i] = c.memory[a], slice.Product(parts[i].Shape)
		if sizes[i] < a.Len() {
			steps[i] = sizes[i]
		}
	}
	run := eval.NewFilling(s.Op, parts[last], parts[:last]).Run
	if slices.Max(sizes) >= large {
		one := run
		run = func() error { return c.await(one) }
	}
	c.emit(func(int) {
		for r := range runs {
			c.poll()
			for i, p := range parts {
				e := memory[i].part(r*steps[i], r*steps[i]+sizes[i])
				p.R, p.N = e.R, e.N
			}
			if err := run(); err != nil {
				panic(err) // of float64 everything has a value
			}
		}
	})
}

// large is how many elements an array has at least of which an operator on the whole takes
// milliseconds.
const large = 1 << 16

// ending tells a run to end.
type ending struct {
	interrupt.Stop
	late bool // an operator is still busy with the memory of the run
}

// await does what does not ask whether to end. If the caller of the run leaves before, it
// is left to itself, with the memory.
func (x *instance) await(f func() error) error {
	if x.stop.Done() == nil {
		return f()
	}
	var err error
	var failed any
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() { failed = recover() }()
		err = f()
	}()
	select {
	case <-done:
	case <-x.stop.Done():
		x.stop.late = true
		panic(interrupt.ErrEnded)
	}
	if failed != nil {
		panic(failed)
	}
	return err
}
