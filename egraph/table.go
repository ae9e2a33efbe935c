package egraph

// table finds e-nodes by their contents: open addressing, in a power of two of
// entries, at most seven in ten of them in use. An entry is an e-node and 32 bits of its
// hash, so that e-nodes that differ are seldom looked at; the same bits say where
// the entry belongs, so that the table grows without looking at e-nodes at all.
type table struct {
	entries []uint64 // hash << 32 | e-node; 0 is free
	filled  int      // entries that are not free, tombstones included
}

// tombstone is the e-node of an entry that was removed.
const tombstone NodeID = 1

func newTable() table { return table{entries: make([]uint64, 128)} }

// at is where the search for a hash begins.
func (t *table) at(h uint32) uint64 { return uint64(h) & uint64(len(t.entries)-1) }

// after is the place that is looked at next.
func (t *table) after(i uint64) uint64 { return (i + 1) & uint64(len(t.entries)-1) }

// find returns the e-node with hash h of which same is true, or else the place where
// it is to be put.
func (t *table) find(h uint32, same func(NodeID) bool) (r NodeID, ok bool, i uint64, free int) {
	i, free = t.at(h), -1
	for {
		e := t.entries[i]
		r := NodeID(e)
		switch {
		case e == 0:
			return 0, false, i, free
		case r == tombstone:
			if free < 0 {
				free = int(i)
			}
		case uint32(e>>32) == h && same(r):
			return r, true, i, free
		}
		i = t.after(i)
	}
}

// put enters an e-node with hash h at the free entry i, or at the earlier tombstone
// at free if that is not negative.
func (t *table) put(h uint32, r NodeID, i uint64, free int) {
	if free >= 0 {
		i = uint64(free)
	} else {
		t.filled++
	}
	t.entries[i] = uint64(h)<<32 | uint64(r)
}

// fit makes room for live e-nodes and one more.
func (t *table) fit(live int) {
	if t.filled*10 < len(t.entries)*7 {
		return
	}
	// If there are many tombstones, the same size does.
	size := len(t.entries)
	for live*2 > size {
		size *= 2
	}
	old := t.entries
	t.entries = make([]uint64, size)
	t.filled = 0
	for _, e := range old {
		if NodeID(e) > tombstone {
			t.insert(e)
		}
	}
}

// insert enters an entry that is not in the table.
func (t *table) insert(e uint64) {
	i := t.at(uint32(e >> 32))
	for t.entries[i] != 0 {
		i = t.after(i)
	}
	t.entries[i] = e
	t.filled++
}

// remove takes out e-node r with hash h and reports whether it was there.
func (t *table) remove(h uint32, r NodeID) bool {
	e := uint64(h)<<32 | uint64(r)
	i := t.at(h)
	for t.entries[i] != e {
		if t.entries[i] == 0 {
			return false
		}
		i = t.after(i)
	}
	t.entries[i] = uint64(tombstone)
	return true
}

// empty removes all entries, and makes room for live e-nodes.
func (t *table) empty(live int) {
	size := len(t.entries)
	for live*10 >= size*7 {
		size *= 2
	}
	if size > len(t.entries) {
		t.entries = make([]uint64, size)
	} else {
		clear(t.entries)
	}
	t.filled = 0
}
