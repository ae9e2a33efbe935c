package kernel

import (
	"slices"

	"egad/internal/interrupt"
	"egad/slot"
	"egad/term"
)

// Call makes an array of whole arrays by the meaning of an operator, once for each
// index of their first Outer axes.
type Call struct {
	Op    term.Op
	Outer int
	Args  []*Array
	Array *Array
}

func (*Call) stmt() {}

// call makes the kernel that calls an operator, and those that put its operands into
// memory.
func (l *lowering) call(n *node, op term.Op, kids []slot.Kid, outer []int) {
	c := &Call{Op: op, Outer: len(outer), Array: n.array}
	l.nests = append(l.nests, &nest{call: c})
	for _, kid := range kids {
		shape := l.shape(kid.ID)
		a := l.temp(kid.ID, l.typ(kid.ID).Elem, slices.Concat(outer, shape), l.store.Range(term.Term{ID: kid.ID}))
		c.Args = append(c.Args, a)
		k := l.nest(a)
		slots := k.addLoops(outer, Parallel)
		at := k.addLoops(shape, Parallel)
		k.target = slices.Concat(slots, at)
		k.value = k.trialElement(kid.ID, kidSlots(kid.Args, slots, nil), at, nil)
	}
}

// calls reports whether a kernel calls an operator on whole arrays.
func (k *Kernel) calls() bool {
	return slices.ContainsFunc(k.Body, func(s Stmt) bool { _, ok := s.(*Call); return ok })
}

// runs is how often the operator is called.
func (s *Call) runs() int {
	n := 1
	for _, k := range s.Array.Shape[:s.Outer] {
		n *= k
	}
	return n
}

// part is the type of a part of a, as the operator sees it.
func (s *Call) part(a *Array) *concrete { return &concrete{Elem: a.Elem, Shape: a.Shape[s.Outer:]} }

// callee emits a call.
func (c *compiler) callee(s *Call) {
	arrays := append(slices.Clone(s.Args), s.Array)
	parts, memory, sizes := make([]*concrete, len(arrays)), make([]*Elements, len(arrays)), make([]int, len(arrays))
	runs := s.runs()
	for i, a := range arrays {
		parts[i], memory[i], sizes[i] = s.part(a), c.memory[a], a.Len()/max(runs, 1)
	}
	last := len(arrays) - 1
	run := term.NewFilling(s.Op, parts[last], parts[:last]).Run
	if slices.Max(sizes) >= large {
		one := run
		run = func() error { return c.await(one) }
	}
	c.emit(func(int) {
		for r := range runs {
			c.poll()
			for i, p := range parts {
				from, to := r*sizes[i], (r+1)*sizes[i]
				if p.Elem == term.R {
					p.R = memory[i].R[from:to]
				} else {
					p.N = memory[i].N[from:to]
				}
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
