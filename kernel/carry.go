package kernel

import (
	"slices"

	"egad/internal/slice"
)

// Carry is a number that a run of a loop in order [Carrying] has from the one before: Value is
// what it has, and Next what it leaves. The first run has From, and Result is what the last one
// leaves.
type Carry struct {
	Value, From, Next, Result *Value
}

// Bounds on the numbers of a state, and on those of them that are carried: more if no step changes
// a state in a few places only, which is done where it lies.
const (
	maxState          = 80
	maxCarried        = 64
	maxCarriedChanged = 24
)

// carried are kernels that do what the steps of a loop do, and the arrays that these read or make
// beside those that there are; or none.
func (k *Kernel) carried(w *Weights) ([]*Kernel, []*Array) {
	s := k.Steps
	if s == nil {
		return nil, nil
	}
	elements := slice.Sum(s.Step.Result.Arrays(), (*Array).Len)
	if s.Count != nil || s.N == 0 || elements > maxState {
		return nil, nil
	}
	c := newCarrier(s)
	if !c.steps() {
		return nil, nil
	}
	values, l, after := c.loop() // of which live leaves what is used
	if n := len(l.Carries); n > maxCarried || n > maxCarriedChanged && len(s.changed()) > 0 {
		return nil, nil
	}
	out, arrays := []*Kernel{c.within(live(slices.Concat(values, []Stmt{l}, after)))}, c.literals
	step := slice.Sum(s.Step.Kernels, func(k *Kernel) float64 { return w.of[costNest] + k.time(w) })
	time := w.costs(out)
	if out[0].time(w) > step*float64(s.runs()) {
		return nil, nil
	}
	if len(s.Outer) == 0 {
		x := newFission(l)
		for _, before := range [][]*Value{nil, x.before()} {
			if apart := x.apart(values, after, before); len(apart) > 0 && w.costs(apart) < time {
				out, arrays, time = apart, slices.Concat(c.literals, x.made), w.costs(apart)
			}
		}
	}
	return out, arrays
}

// carrier makes a loop that carries the states of steps.
type carrier struct {
	*Steps
	*straightener
	outer []*Value   // indices of the loops around
	run   *Value     // the number of the step
	first [][]*Value // by state, the numbers of the first one
	value [][]*Value // and those that a run has from the one before
	state [][]*Value // these, or the first ones where no step changes them
	next  [][]*Value
}

func newCarrier(s *Steps) *carrier {
	c := &carrier{Steps: s, straightener: newStraightener(s)}
	for i, n := range s.Outer {
		c.outer = append(c.outer, c.b.Variable(n, i+1))
	}
	c.run = c.b.Variable(s.N, len(c.outer)+1)
	for k, a := range s.Step.Result.Arrays() {
		first, value := make([]*Value, a.Len()), make([]*Value, a.Len())
		for i := range first {
			first[i] = c.b.Load(c.place(k, i, c.b.Int(0)))
			value[i] = c.b.Atom(&Value{Kind: Carried, Elem: a.Elem, Range: first[i].Range, Level: len(c.outer) + 1})
		}
		c.first, c.value, c.state = append(c.first, first), append(c.value, value), append(c.state, slices.Clone(value))
	}
	return c
}

// place is where number i of state k is after some steps.
func (c *carrier) place(k, i int, steps *Value) Access {
	at := slices.Clone(c.outer)
	if c.All[k] {
		at = append(at, steps)
	}
	return Access{Array: c.States[k], At: append(at, c.b.Unravel(c.b.Int(int64(i)), c.Step.Result.Arrays()[k].Shape)...)}
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
func (c *carrier) loop() (values []Stmt, l *Loop, after []Stmt) {
	l = &Loop{Name: c.name(len(c.outer)), Var: c.run, N: c.N, Order: Carrying}
	var stores []Stmt
	var ends []*Value
	last := make(map[*Value]Access) // where it is stored after the last run
	for k, next := range c.next {
		for i, v := range next {
			if c.All[k] {
				stores, ends = append(stores, &Store{Access: c.place(k, i, c.b.add(c.run, c.b.Int(1))), Value: v}), append(ends, v)
			} else if x := c.value[k][i]; c.state[k][i] == x {
				last[x] = c.place(k, i, nil)
			}
		}
	}
	carries := make(map[*Value]bool)
	for again := true; again; {
		again = false
		used := needed(ends...)
		for k, state := range c.state {
			for i, x := range state {
				to, stored := last[x]
				if x != c.value[k][i] || carries[x] || !used[x] && !stored {
					continue
				}
				carries[x], again = true, true
				ends = append(ends, c.next[k][i])
				result := c.b.Atom(&Value{Kind: Folded, Elem: x.Elem, Range: x.Range, Level: len(c.outer)})
				l.Carries = append(l.Carries, Carry{Value: x, From: c.first[k][i], Next: c.next[k][i], Result: result})
				if stored {
					after = append(after, &Store{Access: to, Value: result})
				}
			}
		}
	}
	for _, first := range c.first {
		for _, v := range first {
			values = append(values, &Let{v})
		}
	}
	varies := NewVariance([]Stmt{l}, l)
	for _, s := range c.body {
		if varies.Varies(s.(*Let).Value) {
			l.Body = append(l.Body, s)
		} else {
			values = append(values, s)
		}
	}
	l.Body = append(l.Body, stores...)
	return values, l, after
}

// within is a kernel of statements in the loops around.
func (c *carrier) within(body []Stmt) *Kernel {
	for i := len(c.outer) - 1; i >= 0; i-- {
		body = []Stmt{&Loop{Name: c.name(i), Var: c.outer[i], N: c.Outer[i], Body: body}}
	}
	return &Kernel{Body: body}
}

// name is that of index i of the loops around, or of the number of the step.
func (c *carrier) name(i int) string {
	return c.inputs[slices.IndexFunc(c.Inputs, func(in StepInput) bool { return in.Variable == i+1 })].Name
}

// carries lists what a loop carries, with what a function makes of the values from which it begins and
// that runs leave.
func (l *Loop) carries(f func(*Value) *Value) []Carry {
	out := slices.Clone(l.Carries)
	for i, c := range out {
		out[i].From, out[i].Next = f(c.From), f(c.Next)
	}
	return out
}

// carried has loops whose states are but a few numbers be loops of kernels that carry these from
// run to run, where an estimate says that it takes less time. What a step does is written out: of
// small arrays that it makes for itself nothing is left in memory.
func (p *Program) carried(by Names) {
	var ks []*Kernel
	for _, k := range p.Kernels {
		made, arrays := k.carried(p.costs())
		if made == nil {
			ks = append(ks, k)
			continue
		}
		ks = append(ks, made...)
		for _, a := range arrays {
			if a.Role == Temp {
				a.Name = by.Fresh()
			}
			p.Arrays = slice.With(p.Arrays, a)
		}
	}
	p.Kernels = ks
}
