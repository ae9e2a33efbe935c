package egraph

import (
	"fmt"
	"slices"

	"egad/egraph/perm"
	"egad/slot"
)

// Snapshot is the state of a graph at some moment.
type Snapshot struct {
	g         *Graph
	id        int
	arena     []uint32
	live      int
	entries   []uint64
	filled    int
	unionFind []ClassID
	unionArgs []Vec
	slots     []uint16
	group     []perm.ID
	classes   int
	stamp     uint32
	next      slot.Name
	facts     []any // of each analysis
	journal   []journalEntry
	losers    int
	err       error
	lossy     bool
	analyses  int
	recorded  any
}

// Snapshot rebuilds the graph and copies it: a few flat arrays.
func (g *Graph) Snapshot() *Snapshot {
	g.note(Outside)
	g.Rebuild()
	g.note(Congruence)
	s := &Snapshot{
		g: g, id: g.nextSnapshot, arena: slices.Clone(g.arena), live: g.live,
		entries: slices.Clone(g.table.entries), filled: g.table.filled,
		unionFind: slices.Clone(g.unionFind), unionArgs: slices.Clone(g.unionArgs), slots: slices.Clone(g.slots), group: slices.Clone(g.group),
		classes: g.classes, stamp: g.stamp, next: g.next,
		journal: slices.Clone(g.journal.entries), losers: len(g.journal.losers), err: g.err, lossy: g.lossy, analyses: len(g.analyses),
	}
	if g.recording != nil {
		s.recorded = g.recording.Mark()
	}
	for _, a := range g.analyses {
		s.facts = append(s.facts, a.save())
	}
	g.snapshots = append(g.snapshots, s.id)
	g.nextSnapshot++
	return s
}

// Restore brings the graph back to a snapshot of it. What was added since is
// gone, and class numbers are given anew; a later snapshot can no longer be
// restored or compared. Analyses that were attached since are not kept.
func (g *Graph) Restore(s *Snapshot) error {
	if s.g != g || !slices.Contains(g.snapshots, s.id) {
		return fmt.Errorf("the snapshot is not of an earlier state of this graph")
	}
	g.snapshots = g.snapshots[:slices.Index(g.snapshots, s.id)+1]
	g.restored++
	g.arena, g.live = append(g.arena[:0], s.arena...), s.live
	g.table = table{entries: slices.Clone(s.entries), filled: s.filled}
	g.unionFind, g.unionArgs = append(g.unionFind[:0], s.unionFind...), append(g.unionArgs[:0], s.unionArgs...)
	g.slots, g.group = append(g.slots[:0], s.slots...), append(g.group[:0], s.group...)
	g.classes, g.stamp, g.next = s.classes, s.stamp, s.next
	g.journal.entries = slices.Clone(s.journal)
	g.journal.losers = g.journal.losers[:s.losers]
	g.err, g.lossy, g.pending, g.stale = s.err, s.lossy, g.pending[:0], false
	g.index, g.links, g.current = nil, nil, true
	if g.recording != nil {
		g.recording.Back(s.recorded)
	}
	g.analyses = g.analyses[:s.analyses]
	for i, a := range g.analyses {
		a.restore(s.facts[i])
	}
	return nil
}

// Difference is what happened between two snapshots of a graph.
type Difference struct {
	By []Changes // in the order in which causes first did something
}

// Changes is what one cause did: a rule, [Congruence] or [Outside].
type Changes struct {
	Cause  string
	Added  []ClassID    // the classes of e-nodes it added, and those in place of classes that lost slots
	Merged [][2]ClassID // which class became part of which, that of the later snapshot
}

// Since tells what happened between an earlier snapshot of the same graph and
// this one.
func (s *Snapshot) Since(earlier *Snapshot) (*Difference, error) {
	at1, at2 := slices.Index(s.g.snapshots, earlier.id), slices.Index(s.g.snapshots, s.id)
	if s.g != earlier.g || at1 < 0 || at2 < at1 {
		return nil, fmt.Errorf("the snapshots are not of one graph, the earlier one first")
	}
	d := &Difference{}
	at := make(map[string]int)
	ids, losers := len(earlier.unionFind), earlier.losers
	for _, e := range s.journal[max(len(earlier.journal)-1, 0):] {
		if e.ids <= ids && e.losers <= losers {
			continue
		}
		i, ok := at[e.cause]
		if !ok {
			i = len(d.By)
			at[e.cause] = i
			d.By = append(d.By, Changes{Cause: e.cause})
		}
		c := &d.By[i]
		for ; ids < e.ids; ids++ {
			c.Added = append(c.Added, ClassID(ids))
		}
		for ; losers < e.losers; losers++ {
			b := s.g.journal.losers[losers]
			c.Merged = append(c.Merged, [2]ClassID{b, s.leader(b)})
		}
	}
	return d, nil
}

// leader is the class that c belongs to in the snapshot.
func (s *Snapshot) leader(c ClassID) ClassID {
	for s.unionFind[c] != c {
		c = s.unionFind[c]
	}
	return c
}
