package kernel

import (
	"fmt"
	"slices"

	"egad/kernel/wasm"
)

// part is the outermost loop of a kernel, of which a function of the module does a part:
// it is given from where on, up to where, and the number of the goroutine.
type part struct {
	name   string // of the function
	number int
	runs   int // of the loop
	step   int // parts begin at multiples of it
	pieces int // of which goroutines take one after the other
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
