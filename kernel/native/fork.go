package native

import (
	"fmt"
	"slices"

	"egad/kernel"
	"egad/kernel/schedule"
	"egad/kernel/wasm"
)

// Part is the outermost loop of a kernel, of which a function of the module does a part:
// it is given from where on, up to where, and the number of the goroutine.
type Part struct {
	Name   string // of the function
	Number int
	Runs   int // of the loop
	Step   int // parts begin at multiples of it
	Pieces int // of which goroutines take one after the other
}

// fork writes a call of the host, which has goroutines do the parts of a loop.
func (m *module) fork(f *wasm.Func, s *schedule.Schedule, l *kernel.Loop) (name string) {
	name = fmt.Sprintf("part%d", len(m.parts))
	f.I32(int32(len(m.parts)))
	f.Call(m.host[HostFork])
	pieces := 4 * m.Threads // they may take differently long
	switch {
	case l.Order == kernel.Parts:
		pieces = l.N
	case len(s.Panels) > 0 || s.Contracted[l] != nil: // panels are filled for each, and factors packed
		pieces = m.Threads
	}
	m.parts = append(m.parts, Part{name, len(m.parts), l.N, s.Step(l), pieces})
	return name
}

// changed reports whether what is computed before the loops of a kernel is of an element that
// lies where they store: what does a part of the runs would read what others have changed.
func (l *layout) changed(body []kernel.Stmt) bool {
	n := max(0, kernel.FirstLoop(body))
	var read []*kernel.Array
	kernel.Accesses(body[:n], func(a kernel.Access) { read = append(read, a.Array) })
	for written := range kernel.Stores(body[n:]) {
		if slices.ContainsFunc(read, func(a *kernel.Array) bool { return l.overlap(a, written) }) {
			return true
		}
	}
	return false
}

// overlap reports whether two arrays lie in the same place, or in a part of it.
func (l *layout) overlap(a, b *kernel.Array) bool {
	at, is := int64(l.at[a]), int64(l.at[b])
	return at < is+8*int64(b.Len()) && is < at+8*int64(a.Len())
}
