package fun

import (
	"egad/internal/raise"
	"slices"
	"sync"
	"sync/atomic"
)

// Threads bounds how many goroutines evaluate beside each other.
type Threads struct {
	free  chan struct{}
	grain int64
}

// NewThreads is for n goroutines, that of the caller among them. Work is done in parts of at
// least grain elements or computations.
func NewThreads(n int, grain int64) *Threads {
	return &Threads{make(chan struct{}, max(n-1, 0)), max(grain, 1)}
}

// Forker is a state of a [Machine] whose work can be done in parts beside each other.
type Forker interface {
	// Fork is the state for a part.
	Fork() any
	// Join takes in what a part did to its state; parts are joined in their order.
	Join(m *Machine, part any)
}

// Parts does work in n parts, each on a machine of its own, on as many goroutines as
// [Machine.Threads] has free. Which parts there are must not depend on the goroutines: then
// no result does, nor the steps.
func (m *Machine) Parts(n int, f func(m *Machine, k int)) {
	parts, errs := make([]*Machine, n), make([]error, n)
	var next atomic.Int64
	var panicked atomic.Pointer[any]
	work := func() {
		// A panic goes on where the caller can recover it.
		defer func() {
			if r := recover(); r != nil {
				panicked.Store(&r)
			}
		}()
		for k := int(next.Add(1) - 1); k < n; k = int(next.Add(1) - 1) {
			parts[k] = m.fork()
			errs[k] = parts[k].part(k, f)
		}
	}
	var wait sync.WaitGroup
	for range n - 1 {
		if !m.Threads.take(&wait, work) {
			break
		}
	}
	work()
	wait.Wait()
	if r := panicked.Load(); r != nil {
		panic(*r)
	}
	for k, p := range parts {
		raise.Error(errs[k])
		m.Step(p.Steps)
		if s, ok := m.State.(Forker); ok {
			s.Join(m, p.State)
		}
	}
}

// part does part k of some work, with the error that is raised.
func (m *Machine) part(k int, f func(m *Machine, k int)) (err error) {
	defer m.Caught(&err)
	f(m, k)
	return nil
}

// take starts a goroutine, if one more may be.
func (t *Threads) take(wait *sync.WaitGroup, work func()) bool {
	select {
	case t.free <- struct{}{}:
		wait.Go(func() {
			work()
			<-t.free
		})
		return true
	default:
		return false
	}
}

// fork is a machine for a part of the work, which may make as many steps as are left.
func (m *Machine) fork() *Machine {
	out := &Machine{Domain: m.Domain, Limit: max(m.most()-m.Steps, 1), Ended: m.Ended, Threads: m.Threads, State: m.State, Keeps: m.Keeps, depth: m.depth}
	if s, ok := m.State.(Forker); ok {
		out.State = s.Fork()
	}
	return out
}

// mostParts is how many parts there are at most: more than processors, so that all have work
// to the end.
const mostParts = 16

// PartsOf is in how many parts work is done, of which a part takes overhead as well; if it is
// 1, nothing is started.
func (m *Machine) PartsOf(work, overhead int64) int {
	if m.Threads == nil {
		return 1
	}
	return int(max(min(work/max(m.Threads.grain, overhead), mostParts), 1))
}

// Part is where part k of n begins, of a number of elements.
func Part(elements, k, n int) int { return elements * k / n }

// elements evaluates the body of a build for all indices in parts, when it is asked for the
// first one.
func (m *Machine) elements(t *Term, env []Value, n, parts int) func(i Value) Value {
	var all []Value
	return func(i Value) Value {
		if all == nil {
			out := make([][]Value, parts)
			m.Parts(parts, func(m *Machine, k int) {
				env, xs := roomy(env), []Value(nil)
				for i := Part(n, k, parts); i < Part(n, k+1, parts); i++ {
					xs = append(xs, m.element(t, env, int64(i), false))
				}
				out[k] = xs
			})
			all = slices.Concat(out...)
		}
		return all[i.(int64)]
	}
}

// halves is the reduction of elements, its halves in parts.
func (m *Machine) halves(t *Term, env []Value, xs []Value) Value {
	if m.PartsOf(int64(len(xs)), 1) == 1 {
		return m.Domain.Reduce(&Elements{xs}, t.Type, m.joining(t, env, false))
	}
	mid := (len(xs) + 1) / 2
	var l, r Value
	m.Parts(2, func(m *Machine, k int) {
		if k == 0 {
			l = m.halves(t, roomy(env), xs[:mid])
		} else {
			r = m.halves(t, roomy(env), xs[mid:])
		}
	})
	return m.joining(t, env, false)(l, r)
}

// roomy is an environment of its own.
func roomy(env []Value) []Value { return append(make([]Value, 0, len(env)+16), env...) }
