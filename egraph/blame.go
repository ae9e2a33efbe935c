package egraph

import (
	"errors"
	"slices"

	"egad/slot"
)

// Blame explains the contradiction that a run has stopped at: it proves that two
// terms are equal of which an analysis says that they cannot be. At least one
// rule of the proof is unsound, or something that was given is wrong. The graph
// must keep proofs. Of several pairs of terms the one with the shortest proof
// counts, as far as [maxBlamed] pairs go.
func (g *Graph) Blame() (*Proof, error) {
	switch {
	case g.err == nil:
		return nil, errors.New("there is no contradiction")
	case g.proofs == nil:
		return nil, errors.New("the graph does not keep proofs")
	}
	x := newExplainer(g)
	class := g.conflict.class
	names := make([]slot.Name, g.slotsOf(g.Find(class)))
	for k := range names {
		names[k] = x.name()
	}
	var best *Proof
	try := func(a, b Ref) error {
		p := &Proof{Start: x.tree(a)}
		var err error
		if p.Steps, err = x.path(a, b, len(x.edges)); err != nil {
			return err
		}
		if err := p.finish(g.sig); err != nil {
			return err
		}
		if best == nil || len(p.Steps) < len(best.Steps) {
			best = p
		}
		return nil
	}
	var err error
	n := 0
	for _, pair := range g.conflict.analysis.clashes(g.Find(class)) {
		if n++; n > maxBlamed {
			break
		}
		a, b := x.originOf(pair[0], names), x.originOf(pair[1], names)
		if e := try(a, b); e != nil {
			err = e
		}
	}
	if best == nil && err == nil {
		err = errors.New("no two terms of the class contradict each other by themselves")
	}
	if best != nil {
		err = nil
	}
	return best, err
}

const maxBlamed = 50

// conflict is where a contradiction was found.
type conflict struct {
	class    ClassID
	analysis analysis
}

// originOf is the origin of row r, whose class's slots have the given names.
func (x *Explainer) originOf(r RowID, names []slot.Name) Ref {
	g := x.g
	g.updateClass(r)
	n := g.arity(r)
	id, slots := g.origin(r)
	free := make([]slot.Name, g.rowSlots(r, n))
	for i := range free {
		free[i] = x.name()
	}
	for k, p := range g.vecs.get(g.cmap(r, n)) {
		free[p] = names[k]
	}
	out := Ref{ID: id}
	for _, p := range g.vecs.get(slots) {
		name := x.name()
		if p != noSlot {
			name = free[p]
		}
		out.Args = append(out.Args, name)
	}
	return x.settle(out)
}

// clashes lists pairs of rows of a class of which the facts contradict each
// other. Each row goes by itself: what is known of the class as a whole does not
// count.
func (c *Column[D]) clashes(id ClassID) [][2]RowID {
	g := c.g
	rows := g.scanRows(id)
	// What a row with children says may rest on classes that are contradictory
	// themselves: leaves count first.
	slices.SortStableFunc(rows, func(a, b RowID) int { return g.arity(a) - g.arity(b) })
	rows = rows[:min(len(rows), maxClashing)]
	facts := make([]D, len(rows))
	for i, r := range rows {
		g.updateClass(r)
		facts[i] = c.fact(r, id)
	}
	var out [][2]RowID
	for i := range rows {
		for j := range i {
			if _, err := c.l.Merge(facts[j], facts[i]); err != nil {
				out = append(out, [2]RowID{rows[j], rows[i]})
			}
		}
		if i+1 < len(rows) && g.arity(rows[i]) == 0 && g.arity(rows[i+1]) > 0 && len(out) > 0 {
			break
		}
	}
	return out
}

// maxClashing bounds the rows that are compared in pairs.
const maxClashing = 200
