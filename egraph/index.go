package egraph

import "slices"

// index lists rows by class and by head. It is built when the graph is rebuilt
// as a whole, and valid until the next change.
type index struct {
	classStart []uint32 // by class; the end is the start of the next
	classRows  []RowID
	headStart  []uint32 // by head
	headRows   []RowID
	newest     []uint32 // by class: the latest stamp of its rows
	at         []uint32 // where the next row of a head or class goes
}

func (x *index) rowsOf(c ClassID) []RowID {
	return x.classRows[x.classStart[c]:x.classStart[c+1]:x.classStart[c+1]]
}

func (x *index) rowsOfHead(h HeadID) []RowID {
	if int(h)+1 >= len(x.headStart) {
		return nil
	}
	return x.headRows[x.headStart[h]:x.headStart[h+1]:x.headStart[h+1]]
}

// buildIndex sorts rows by counting. It uses the memory of the index before.
func (g *Graph) buildIndex() {
	x := &g.spare
	x.classStart = zeroed(x.classStart, len(g.parent)+1)
	x.headStart = zeroed(x.headStart, len(g.sig.heads)+1)
	x.newest = zeroed(x.newest, len(g.parent))
	x.classRows = slices.Grow(x.classRows[:0], g.live)[:g.live]
	x.headRows = slices.Grow(x.headRows[:0], g.live)[:g.live]
	g.eachRow(func(r RowID, n int) {
		g.updateClass(r)
		c := g.arena[r+rowClass]
		x.classStart[c+1]++
		x.newest[c] = max(x.newest[c], g.arena[r+rowStamp])
		x.headStart[g.sig.ops[g.op(r)]+1]++
	})
	for i := 1; i < len(x.classStart); i++ {
		x.classStart[i] += x.classStart[i-1]
	}
	for i := 1; i < len(x.headStart); i++ {
		x.headStart[i] += x.headStart[i-1]
	}
	// Rows of a class are in the order of their heads: fill head by head.
	x.at = append(x.at[:0], x.headStart...)
	g.eachRow(func(r RowID, n int) {
		h := g.sig.ops[g.op(r)]
		x.headRows[x.at[h]] = r
		x.at[h]++
	})
	x.at = append(x.at[:0], x.classStart...)
	for _, r := range x.headRows {
		c := g.arena[r+rowClass]
		x.classRows[x.at[c]] = r
		x.at[c]++
	}
	g.index = x
}

// zeroed is a list of n zeros, in the memory of list if there is enough.
func zeroed[T any](list []T, n int) []T {
	list = slices.Grow(list[:0], n)[:n]
	clear(list)
	return list
}
