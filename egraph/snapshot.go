package egraph

import (
	"fmt"
	"slices"

	"egad/internal/memo"
)

// Snapshot is the state of a graph at some moment.
type Snapshot struct {
	state
	g        *Graph
	id       int
	facts    []any // of each analysis
	recorded any   // by the recorder
}

// Snapshot rebuilds the graph and copies it: a few flat arrays.
func (g *Graph) Snapshot() *Snapshot {
	g.note(Outside)
	g.Rebuild()
	g.note(Congruence)
	s := &Snapshot{g: g, id: g.nextSnapshot}
	g.state.copyTo(&s.state)
	if g.recorder != nil {
		s.recorded = g.recorder.Mark()
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
	s.state.copyTo(&g.state)
	g.pending, g.stale, g.index, g.links, g.current = g.pending[:0], false, nil, nil, true
	if g.recorder != nil {
		g.recorder.Back(s.recorded)
	}
	g.analyses = g.analyses[:len(s.facts)]
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
	ids, losers := len(earlier.unionFind), len(earlier.journal.losers)
	for _, e := range s.journal.entries[max(len(earlier.journal.entries)-1, 0):] {
		if e.ids <= ids && e.losers <= losers {
			continue
		}
		i := memo.Place(at, &d.By, e.cause, Changes{Cause: e.cause})
		c := &d.By[i]
		for ; ids < e.ids; ids++ {
			c.Added = append(c.Added, ClassID(ids))
		}
		for ; losers < e.losers; losers++ {
			b := s.journal.losers[losers]
			c.Merged = append(c.Merged, [2]ClassID{b, s.leader(b)})
		}
	}
	return d, nil
}
