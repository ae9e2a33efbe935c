package steps

import (
	"slices"

	"egad/internal/slice"
	"egad/kernel"
	"egad/kernel/cost"
	"egad/kernel/inplace"
	"egad/kernel/schedule"
)

// Bounds on the numbers of a state, and on those of them that are carried: more than [inplace.MaxCarried] if no
// step changes a state in a few places only, which is done where it lies.
const (
	maxState   = 80
	maxCarried = 64
)

// carried are kernels that do what the steps of a loop do, and the arrays that these read or make
// beside those that there are; or none.
func carried(k *kernel.Kernel, w *cost.Weights) ([]*kernel.Kernel, []*kernel.Array) {
	s := k.Steps
	if s == nil {
		return nil, nil
	}
	elements := slice.Sum(s.Step.Result.Arrays(), (*kernel.Array).Len)
	if s.Count != nil || s.N == 0 || elements > maxState {
		return nil, nil
	}
	c := newCarrier(s)
	if !c.steps() {
		return nil, nil
	}
	values, l, after := c.loop() // of which live leaves what is used
	if n := len(l.Carries); n > maxCarried || n > inplace.MaxCarried && len(inplace.Changed(s)) > 0 {
		return nil, nil
	}
	out, arrays := []*kernel.Kernel{c.within(kernel.DropUnused(slices.Concat(values, []kernel.Stmt{l}, after)))}, c.literals
	step := slice.Sum(s.Step.Kernels, func(k *kernel.Kernel) float64 { return w.Of[cost.Nest] + schedule.KernelTime(k, w) })
	time := schedule.Costs(w, out)
	if schedule.KernelTime(out[0], w) > step*float64(s.Runs()) {
		return nil, nil
	}
	if len(s.Outer) == 0 {
		x := newFission(l)
		for _, before := range [][]*kernel.Value{nil, x.before()} {
			if apart := x.apart(values, after, before); len(apart) > 0 && schedule.Costs(w, apart) < time {
				out, arrays, time = apart, slices.Concat(c.literals, x.made), schedule.Costs(w, apart)
			}
		}
	}
	return out, arrays
}

// carrier makes a loop that carries the states of steps.
type carrier struct {
	*kernel.Steps
	*straightener
	outer []*kernel.Value   // indices of the loops around
	run   *kernel.Value     // the number of the step
	first [][]*kernel.Value // by state, the numbers of the first one
	value [][]*kernel.Value // and those that a run has from the one before
	state [][]*kernel.Value // these, or the first ones where no step changes them
	next  [][]*kernel.Value
}

func newCarrier(s *kernel.Steps) *carrier {
	c := &carrier{Steps: s, straightener: newStraightener(s)}
	for i, n := range s.Outer {
		c.outer = append(c.outer, c.b.Variable(n, i+1))
	}
	c.run = c.b.Variable(s.N, len(c.outer)+1)
	for k, a := range s.Step.Result.Arrays() {
		first, value := make([]*kernel.Value, a.Len()), make([]*kernel.Value, a.Len())
		for i := range first {
			first[i] = c.b.Load(c.place(k, i, c.b.Int(0)))
			value[i] = c.b.Atom(&kernel.Value{Kind: kernel.Carried, Elem: a.Elem, Range: first[i].Range, Level: len(c.outer) + 1})
		}
		c.first, c.value, c.state = append(c.first, first), append(c.value, value), append(c.state, slices.Clone(value))
	}
	return c
}

// place is where number i of state k is after some steps.
func (c *carrier) place(k, i int, steps *kernel.Value) kernel.Access {
	at := slices.Clone(c.outer)
	if c.All[k] {
		at = append(at, steps)
	}
	return kernel.Access{Array: c.States[k], At: append(at, c.b.Unravel(c.b.Int(int64(i)), c.Step.Result.Arrays()[k].Shape)...)}
}

// steps writes a step out, and reports whether that can be done.
func (c *carrier) steps() bool {
	for again := true; again; {
		next, ok := c.straight(append(slices.Clone(c.outer), c.run), c.state)
		if !ok {
			return false
		}
		c.next, again = next, false
		for k, state := range c.state {
			for i, v := range state {
				if v == c.value[k][i] && next[k][i] == v { // it stays what it was at first
					state[i], again = c.first[k][i], true
				}
			}
		}
	}
	return true
}

// loop is the loop, with values that are computed before it, and what is stored after it.
func (c *carrier) loop() (values []kernel.Stmt, l *kernel.Loop, after []kernel.Stmt) {
	l = &kernel.Loop{Name: c.Name(len(c.outer)), Var: c.run, N: c.N, Order: kernel.Carrying}
	var stores []kernel.Stmt
	var ends []*kernel.Value
	last := make(map[*kernel.Value]kernel.Access) // where it is stored after the last run
	for k, next := range c.next {
		for i, v := range next {
			if c.All[k] {
				stores, ends = append(stores, &kernel.Store{Access: c.place(k, i, c.b.Add(c.run, c.b.Int(1))), Value: v}), append(ends, v)
			} else if x := c.value[k][i]; c.state[k][i] == x {
				last[x] = c.place(k, i, nil)
			}
		}
	}
	carries := make(map[*kernel.Value]bool)
	for again := true; again; {
		again = false
		used := kernel.Needed(ends...)
		for k, state := range c.state {
			for i, x := range state {
				to, stored := last[x]
				if x != c.value[k][i] || carries[x] || !used[x] && !stored {
					continue
				}
				carries[x], again = true, true
				ends = append(ends, c.next[k][i])
				result := c.b.Atom(&kernel.Value{Kind: kernel.Folded, Elem: x.Elem, Range: x.Range, Level: len(c.outer)})
				l.Carries = append(l.Carries, kernel.Carry{Value: x, From: c.first[k][i], Next: c.next[k][i], Result: result})
				if stored {
					after = append(after, &kernel.Store{Access: to, Value: result})
				}
			}
		}
	}
	for _, first := range c.first {
		for _, v := range first {
			values = append(values, &kernel.Let{Value: v})
		}
	}
	varies := kernel.NewVariance([]kernel.Stmt{l}, l)
	for _, s := range c.body {
		if varies.Varies(s.(*kernel.Let).Value) {
			l.Body = append(l.Body, s)
		} else {
			values = append(values, s)
		}
	}
	l.Body = append(l.Body, stores...)
	return values, l, after
}

// within is a kernel of statements in the loops around.
func (c *carrier) within(body []kernel.Stmt) *kernel.Kernel {
	loops := slice.Make(len(c.outer), func(i int) *kernel.Loop { return &kernel.Loop{Name: c.Name(i), Var: c.outer[i], N: c.Outer[i]} })
	return &kernel.Kernel{Body: kernel.Around(loops, body)}
}

// Carry has loops whose states are but a few numbers be loops of kernels that carry these from
// run to run, where an estimate says that it takes less time. What a step does is written out: of
// small arrays that it makes for itself nothing is left in memory.
func Carry(p *kernel.Program, by kernel.Names) {
	var ks []*kernel.Kernel
	for _, k := range p.Kernels {
		made, arrays := carried(k, p.Costs())
		if made == nil {
			ks = append(ks, k)
			continue
		}
		ks = append(ks, made...)
		for _, a := range arrays {
			if a.Role == kernel.Temp {
				a.Name = by.Fresh()
			}
			p.Arrays = slice.With(p.Arrays, a)
		}
	}
	p.Kernels = ks
}
