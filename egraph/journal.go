package egraph

// A journal says which rule made which classes and which merges. Rules work one
// after the other, so a few numbers for each are enough.
type journal struct {
	entries []journalEntry
	losers  []ClassID // every merge, in order: the class that became part of another
}

// journalEntry is what happened up to some moment, since the entry before.
type journalEntry struct {
	cause  string
	ids    int // class numbers given so far
	losers int // merges so far
}

// The causes that are no rules.
const (
	// Outside is the cause of what the user of the graph adds and unites.
	Outside = "outside"
	// Congruence is the cause of merges of e-nodes that have become equal.
	Congruence = "congruence"
)

// note ends an entry of the journal: what happened since the last one was for
// the given cause.
func (g *Graph) note(cause string) {
	j := &g.journal
	ids, losers := len(g.unionFind), len(j.losers)
	if n := len(j.entries); n > 0 {
		last := &j.entries[n-1]
		if last.ids == ids && last.losers == losers {
			return
		}
		if last.cause == cause {
			last.ids, last.losers = ids, losers
			return
		}
	}
	j.entries = append(j.entries, journalEntry{cause, ids, losers})
}
