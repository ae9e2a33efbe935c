package kernel

import (
	"context"
	"fmt"
	"slices"

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
}

// Compile is [CompileNative] with these choices.
func (n Native) Compile(p *Program) (*Machine, error) {
	if n.Threads < 0 || n.Threads > MaxThreads {
		return nil, fmt.Errorf("%d threads: expected 1 to %d", n.Threads, MaxThreads)
	}
	if _, err := host(); p != nil && err == nil {
		if !n.Exact {
			p = p.updated().partial(n.Threads)
		}
		p = p.joined(n.Exact)
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
	name   string
	number int
	runs   int
	step   int // parts begin at multiples of it
	pieces int // of which goroutines take one after the other
}

// parted is the loop of a kernel that goroutines may share: the only one that is not in
// another one, if its runs may go in any order and there is enough to do.
func (s *schedule) parted(least float64) *Loop {
	if s.time < least || len(s.body) == 0 {
		return nil
	}
	for _, t := range s.body[:len(s.body)-1] {
		if !isLet(t) {
			return nil
		}
	}
	l, ok := s.body[len(s.body)-1].(*Loop)
	if !ok || l.Order != Parallel && l.Order != Parts || l.N < 2*s.step(l) {
		return nil
	}
	return l
}

// changed reports whether what is computed before the loops of a kernel is of an element that
// lies where they store: what does a part of the runs would read what others have changed.
func (l *layout) changed(body []Stmt) bool {
	n := max(0, firstLoop(body))
	var read []*Array
	accesses(body[:n], func(a Access) { read = append(read, a.Array) })
	for written := range stores(body[n:]) {
		if slices.ContainsFunc(read, func(a *Array) bool { return l.overlap(a, written) }) {
			return true
		}
	}
	return false
}

// overlap reports whether two arrays lie in the same place, or in a part of it.
func (l *layout) overlap(a, b *Array) bool {
	at, is := int64(l.at[a]), int64(l.at[b])
	return at < is+8*int64(b.Len()) && is < at+8*int64(a.Len())
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
	pieces := 4 * m.threads // they may take differently long
	switch {
	case l.Order == Parts:
		pieces = l.N
	case len(s.panels) > 0: // which are filled for each
		pieces = m.threads
	}
	m.parts = append(m.parts, part{name, len(m.parts), l.N, s.step(l), pieces})
	return name
}

// forked is the function of the host that [module.fork] calls.
func forked(ctx context.Context, stack []uint64) {
	x := ctx.Value(instanceKey{}).(*instance)
	ended, err := x.team.share(ctx, x.native.module.parts[api.DecodeU32(stack[0])])
	if err != nil {
		panic(err)
	}
	stack[0] = 0
	if ended || x.stop.Requested() {
		stack[0] = 1
	}
}
