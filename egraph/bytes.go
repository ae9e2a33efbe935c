package egraph

import (
	"slices"
	"unsafe"

	"egad/internal/slice"
)

// Bytes returns the memory of the graph with its analyses, about: of these, without what
// their facts point to.
func (g *Graph) Bytes() int {
	x := &g.spare
	n := g.links.bytes() + g.groups.Bytes() + 4*cap(g.journal.losers) +
		x.wayBytes + x.useBytes + 4*(cap(x.classNodes)+cap(x.headNodes)+cap(x.at)) + 16*cap(x.classes)
	if g.recorder != nil {
		n += g.recorder.Bytes()
	}
	n += slice.Sum(g.lists(), func(l listSize) int { return l.size * l.cap }) + slice.Sum(g.analyses, analysis.bytes)
	return n + opBytes*len(g.sig.ops)
}

// opBytes is the memory of an operator, about, with what the user of the graph knows
// of it: numbers that are computed are operators.
const opBytes = 500

// listSize is how much memory a list has that grows with the graph.
type listSize struct{ len, cap, size int }

func sizeOf[T any](list []T) listSize {
	return listSize{len(list), cap(list), int(unsafe.Sizeof(*new(T)))}
}

func (g *Graph) lists() []listSize {
	slots, starts, table := g.vecs.Memory()
	return []listSize{
		sizeOf(g.arena), sizeOf(g.unionFind), sizeOf(g.unionArgs), sizeOf(g.slots), sizeOf(g.group), sizeOf(g.grown),
		sizeOf(slots), sizeOf(starts), sizeOf(table),
		{g.table.filled * 10 / 7, len(g.table.entries), 8},
	}
}

// growth is the memory that the graph is about to take: a list that is nearly full
// will be copied to one that is larger.
func (g *Graph) growth() int {
	n := 0
	for _, l := range g.lists() {
		if l.cap-l.len < max(nearlyFull, l.cap/64) {
			n = max(n, 2*l.size*l.cap)
		}
	}
	return n
}

// indexBytes is what an index takes beyond the memory that there is for it.
func (g *Graph) indexBytes() int {
	x := &g.spare
	return 8*max(0, g.live-cap(x.classNodes)) + 20*max(0, len(g.unionFind)+1-cap(x.classes))
}

func (c *Column[D]) bytes() int {
	d := sizeOf(c.data)
	return d.size*d.cap + cap(c.queued) + 4*(cap(c.stale)+cap(c.news))
}

// roomFor makes room for n more. Append alone would grow long lists in small
// steps.
func roomFor[T any](list []T, n int) []T {
	if len(list)+n > cap(list) {
		list = slices.Grow(list, max(n, cap(list)))
	}
	return list
}
