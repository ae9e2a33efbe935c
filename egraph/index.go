package egraph

// index lists rows by class and by head. It is built when the graph is rebuilt
// as a whole, and valid until the next change.
type index struct {
	classStart []uint32 // by class; the end is the start of the next
	classRows  []RowID
	headStart  []uint32 // by head
	headRows   []RowID
	newest     []uint32 // by class: the latest stamp of its rows
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

// buildIndex sorts rows by counting.
func (g *Graph) buildIndex() {
	x := &index{
		classStart: make([]uint32, len(g.parent)+1),
		headStart:  make([]uint32, len(g.sig.heads)+1),
		classRows:  make([]RowID, g.live),
		headRows:   make([]RowID, g.live),
		newest:     make([]uint32, len(g.parent)),
	}
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
	at := make([]uint32, len(x.headStart))
	copy(at, x.headStart)
	g.eachRow(func(r RowID, n int) {
		h := g.sig.ops[g.op(r)]
		x.headRows[at[h]] = r
		at[h]++
	})
	at = append(at[:0], x.classStart...)
	for _, r := range x.headRows {
		c := g.arena[r+rowClass]
		x.classRows[at[c]] = r
		at[c]++
	}
	g.index = x
}
