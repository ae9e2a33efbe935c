package machine

import (
	"context"
	"errors"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/tetratelabs/wazero/api"

	"egad/kernel/native"
)

// team is the goroutines that share the loops of an instance. Number 0 is the one that runs
// the kernels; the others wait a while for the next loop before they end, as to wake one takes
// longer than many a loop.
type team struct {
	workers []worker

	// The loop that is shared: so many runs of it are one piece, and next is the first one that
	// nobody has begun.
	part  native.Part
	ctx   context.Context
	size  int
	next  atomic.Int64
	ended atomic.Bool
}

// worker is a goroutine of a team.
type worker struct {
	state     atomic.Int32
	functions []api.Function // of the parts of loops: each goroutine needs some of its own
	stack     [3]uint64
	err       error
	_         [64]byte // others are in another line of the cache
}

// The states of a worker.
const (
	gone    int32 = iota // there is no goroutine
	ready                // for a loop
	offered              // a loop, of which it does something when it sees that
	busy
)

// patience is how long a goroutine waits for more to do: about as long as it takes to wake
// another one.
const patience = 200 * time.Microsecond

// newTeam is so many goroutines that may share the parts of loops.
func newTeam(threads int, parts []native.Part, function func(name string) api.Function) *team {
	t := &team{workers: make([]worker, threads)}
	for i := range t.workers {
		for _, p := range parts {
			t.workers[i].functions = append(t.workers[i].functions, function(p.Name))
		}
	}
	return t
}

// share does all runs of a loop, and reports whether to end before that.
func (t *team) share(ctx context.Context, p native.Part) (ended bool, err error) {
	steps := (p.Runs + p.Step - 1) / p.Step
	t.part, t.ctx, t.size = p, ctx, (steps+p.Pieces-1)/p.Pieces*p.Step
	t.next.Store(0)
	t.ended.Store(false)
	for i := range t.workers[1:] {
		t.offer(1 + i)
	}
	t.do(0)
	for i := range t.workers {
		w := &t.workers[i]
		w.end()
		err = errors.Join(err, w.err)
		w.err = nil
	}
	return t.ended.Load(), err
}

// do does one piece of the loop after the other until all are begun.
func (t *team) do(thread int) {
	w := &t.workers[thread]
	for !t.ended.Load() {
		from := int(t.next.Add(int64(t.size))) - t.size
		if from >= t.part.Runs {
			return
		}
		w.stack = [...]uint64{uint64(from), uint64(min(from+t.size, t.part.Runs)), uint64(thread)}
		w.err = w.functions[t.part.Number].CallWithStack(t.ctx, w.stack[:])
		if w.err != nil || w.stack[0] != 0 {
			t.ended.Store(true)
		}
	}
}

// offer has a goroutine do some of the loop, a new one if the last has ended.
func (t *team) offer(thread int) {
	w := &t.workers[thread]
	if !w.state.CompareAndSwap(ready, offered) {
		w.state.Store(offered)
		go t.work(thread)
	}
}

// work does what is offered until nothing has been for a while.
func (t *team) work(thread int) {
	w := &t.workers[thread]
	for since := time.Now(); ; {
		switch {
		case w.state.CompareAndSwap(offered, busy):
			t.do(thread)
			w.state.Store(ready)
			since = time.Now()
		case time.Since(since) > patience && w.state.CompareAndSwap(ready, gone):
			return
		default:
			runtime.Gosched()
		}
	}
}

// end waits until a worker has done what it has begun, which is nothing if it has not seen
// yet that there is a loop.
func (w *worker) end() {
	if !w.state.CompareAndSwap(offered, ready) {
		for w.state.Load() == busy {
			runtime.Gosched()
		}
	}
}
