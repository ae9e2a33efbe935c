package kernel

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/tetratelabs/wazero/api"

	"egad/kernel/wasm"
)

// Native says how machine code is made.
type Native struct {
	// Exact code gives what the interpreter gives, bit for bit.
	Exact bool
	// Threads are how many goroutines may share a run, 1 if it is 0. Results do not
	// depend on it.
	Threads int

	shares float64 // how long a loop has to take that is shared: 0, but for tests
}

// Compile is [CompileNative] with these choices.
func (n Native) Compile(p *Program) (*Machine, error) {
	if n.Threads < 0 || n.Threads > MaxThreads {
		return nil, fmt.Errorf("%d threads: expected 1 to %d", n.Threads, MaxThreads)
	}
	if p != nil && !n.Exact {
		p = p.partial(cmp.Or(n.shares, p.costs().of[costParts]))
	}
	m, err := Compile(p, DefaultBlock)
	if err == nil {
		err = m.makeNative(n)
	}
	if err != nil {
		return nil, err
	}
	return m, nil
}

// MaxThreads is how many threads there may be: each has memory of its own.
const MaxThreads = 256

// part is the outermost loop of a kernel, of which a function of the module does a part:
// it is given from where on, up to where, and the number of the goroutine.
type part struct {
	name string
	runs int
	step int // parts begin at multiples of it
	few  bool
}

// parted is the loop of a kernel that goroutines may share: the only one that is not in
// another one, if its runs may go in any order and there is enough to do.
func (s *schedule) parted(least float64) *Loop {
	if s.time < least || len(s.body) == 0 {
		return nil
	}
	for _, t := range s.body[:len(s.body)-1] {
		if _, ok := t.(*Let); !ok {
			return nil
		}
	}
	l, ok := s.body[len(s.body)-1].(*Loop)
	if !ok || l.Order != Parallel || l.N < 2*s.step(l) {
		return nil
	}
	return l
}

// step is how many runs of a loop are done together.
func (s *schedule) step(l *Loop) int {
	return max(1, 2*s.lanes[l]*max(1, s.often[l]), s.rows[l])
}

// fork writes a call of the host, which has goroutines do the parts of a loop.
func (m *module) fork(f *wasm.Func, s *schedule, l *Loop) (name string) {
	name = fmt.Sprintf("part%d", len(m.parts))
	f.I32(int32(len(m.parts)))
	f.Call(m.host[hostFork])
	m.parts = append(m.parts, part{name, l.N, s.step(l), len(s.panels) > 0})
	return name
}

// forked is the function of the host that [module.fork] calls.
func forked(ctx context.Context, stack []uint64) {
	x := ctx.Value(instanceKey{}).(*instance)
	end := x.share(ctx, api.DecodeU32(stack[0]))
	stack[0] = 0
	if end {
		stack[0] = 1
	}
}

// share has goroutines do part number n, and reports whether to end.
func (x *instance) share(ctx context.Context, n uint32) bool {
	p, threads := x.native.module.parts[n], x.native.module.threads
	pieces := threads
	if !p.few { // they may take differently long
		pieces *= 4
	}
	steps := (p.runs + p.step - 1) / p.step
	size := (steps + pieces - 1) / pieces * p.step
	var next, ended atomic.Int64
	errs := make([]error, threads)
	var wait sync.WaitGroup
	work := func(thread int) {
		f, stack := x.part(n, thread), make([]uint64, 3)
		for {
			from := int(next.Add(int64(size))) - size
			if from >= p.runs || ended.Load() != 0 {
				return
			}
			stack[0], stack[1], stack[2] = uint64(from), uint64(min(from+size, p.runs)), uint64(thread)
			if err := f.CallWithStack(ctx, stack); err != nil {
				errs[thread] = err
				ended.Store(1)
				return
			}
			if stack[0] != 0 {
				ended.Store(1)
			}
		}
	}
	for t := 1; t < threads; t++ {
		wait.Go(func() { work(t) })
	}
	work(0)
	wait.Wait()
	if err := errors.Join(errs...); err != nil {
		panic(err)
	}
	return ended.Load() != 0 || x.stop.Requested()
}

// part is the function of part number n for a goroutine: each needs one of its own.
func (x *instance) part(n uint32, thread int) api.Function {
	return x.functions[int(n)*x.native.module.threads+thread]
}
