package saturate

import (
	"slices"

	"egad/egraph"
	"egad/internal/slice"
	"egad/rules/proof"
	"egad/slot"
	"egad/term"
	"egad/term/ops"
	"egad/term/types"
)

// bounding finds which terms of a closure bound others that are equal to them. A graph knows of a
// class what all its e-nodes say; a proof names the terms that say it.
type bounding struct {
	*closure
	known   *term.Supposed
	members map[egraph.ClassID][]egraph.ClassID // by class: its terms, by their e-nodes
	bounds  map[egraph.ClassID]ops.Bounds       // of the classes that are looked at
	order   []egraph.ClassID                    // these classes, those of operands first
	by      map[egraph.ClassID][]egraph.ClassID // by class: the terms that narrowed its bounds
	said    map[egraph.ClassID]bool             // terms of which it was said what bounds them
	pairs   [][2]term.Term
}

// maxNarrowed is how often bounds of classes are narrowed by one another: some never come to an end.
const maxNarrowed = 20

// bounding lists equal terms because of which conditions of an application hold, as few as will do.
func (c *closure) bounding(o proof.Options, e *Equation) [][2]term.Term {
	unproved := func(pairs [][2]term.Term) int { return len(o.Unproved(c.store, &e.Application, pairs)) }
	if unproved(nil) == 0 {
		return nil
	}
	x := &bounding{
		closure: c, known: o.Supposing(c.store), members: make(map[egraph.ClassID][]egraph.ClassID), bounds: make(map[egraph.ClassID]ops.Bounds),
		by: make(map[egraph.ClassID][]egraph.ClassID), said: make(map[egraph.ClassID]bool),
	}
	for _, t := range c.order {
		n := c.nodes[t.ID].ref.ID
		x.members[c.Graph.Find(n)] = append(x.members[c.Graph.Find(n)], n)
	}
	var terms []egraph.ClassID
	for _, v := range e.Variables() {
		for _, t := range v.Terms {
			terms = append(terms, c.enter(t).ID)
		}
	}
	for _, n := range terms {
		x.visit(c.Graph.Find(n))
	}
	x.narrow()
	for _, n := range terms {
		x.say(n)
		x.literal(n)
	}
	pairs, least := x.pairs, unproved(x.pairs)
	for part := len(pairs); part > 0; part /= 2 {
		for i := len(pairs) - part; i >= 0; i -= part {
			if fewer := slices.Delete(slices.Clone(pairs), i, i+part); unproved(fewer) <= least {
				pairs = fewer
			}
		}
	}
	return pairs
}

// operands are the e-nodes of the operands of a term.
func (x *bounding) operands(n egraph.ClassID) []egraph.ClassID {
	return slice.Map(x.store.Kids(x.terms[n].ref), func(k slot.Kid) egraph.ClassID { return x.nodes[k.ID].ref.ID })
}

// visit lists a class of numbers and those of the operands of its terms.
func (x *bounding) visit(c egraph.ClassID) {
	if _, done := x.bounds[c]; done || x.store.Type(x.terms[x.members[c][0]].ref).Kind != types.KArray {
		return
	}
	x.bounds[c] = ops.Unbounded
	for _, n := range x.members[c] {
		for _, k := range x.operands(n) {
			x.visit(x.Graph.Find(k))
		}
	}
	x.order = append(x.order, c)
}

// narrow bounds the classes by their terms.
func (x *bounding) narrow() {
	of := func(t term.Term) ops.Bounds {
		if b, ok := x.bounds[x.Graph.Find(x.nodes[t.ID].ref.ID)]; ok {
			return b
		}
		return ops.Unbounded
	}
	equal := func(a, b term.Term) bool { return x.Graph.Same(x.enter(a), x.enter(b)) }
	for range maxNarrowed {
		news := false
		for _, c := range x.order {
			for _, n := range x.members[c] {
				b, err := boundsLattice{}.Merge(x.bounds[c], x.known.From(x.terms[n].ref, of, equal))
				if err == nil && !b.Real.Empty() && b != x.bounds[c] {
					x.bounds[c], news = b, true
					x.by[c] = append(x.by[c], n)
				}
			}
		}
		if !news {
			return
		}
	}
}

// say says what bounds a term: the terms that narrowed its class, and what bounds their operands.
func (x *bounding) say(n egraph.ClassID) {
	if x.said[n] {
		return
	}
	x.said[n] = true
	r := x.Graph.FindRef(x.enter(x.terms[n].ref))
	for _, m := range x.by[r.ID] {
		for _, k := range x.operands(m) {
			x.say(k)
		}
		if v := x.store.Open(x.terms[m].ref); len(v.Kids) == 2 && x.Graph.Same(x.enter(v.Kids[0]), x.enter(v.Kids[1])) {
			x.pair(v.Kids[0], v.Kids[1])
		}
		x.pair(x.terms[n].ref, x.like(x.terms[m].ref, r))
	}
}

// literal says that a term equals literals.
func (x *bounding) literal(n egraph.ClassID) {
	r := x.Graph.FindRef(x.enter(x.terms[n].ref))
	for _, m := range x.members[r.ID] {
		if u := x.terms[m].ref; x.store.Op(u).Sym == ops.SymConst {
			x.pair(x.terms[n].ref, u)
		}
	}
}

// pair says that two terms are equal.
func (x *bounding) pair(a, b term.Term) {
	if !a.Equal(b) {
		x.pairs = append(x.pairs, [2]term.Term{a, b})
	}
}

// like is a term of a class in the names of a reference to it.
func (c *closure) like(t term.Term, r slot.Ref) term.Term {
	is := make(map[slot.Name]slot.Name)
	for i, n := range c.Graph.FindRef(c.enter(t)).Args {
		is[n] = r.Args[i]
	}
	return t.Rename(renaming(c.store, is))
}
