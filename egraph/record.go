package egraph

import (
	"slices"

	"egad/slot"
)

// Recorder is told what happens to a graph, at the moment when it happens, so that
// it can say later why terms are equal. Package proof has one.
//
// It knows terms by number. The e-node f(a) is made together with a class: the
// number of that class stands for the term f(a) from then on, also when the class
// has become part of another, and the e-node f(b) since a equals b.
type Recorder interface {
	// Added tells of a new e-node and of the class c that was made for it, which
	// has some slots. Own, kids and args are its parts; they are valid during the
	// call. Args is nil if it mentions no slot.
	Added(c ClassID, slots int, op Op, own Vec, kids []ClassID, args []Vec)
	// Shrunk tells of class c, made in the place of another one that had more
	// slots: for each slot of c, keep has the slot of that one.
	Shrunk(c, of ClassID, keep Vec)
	// Given says that two terms are equal because the user of the graph says so.
	Given(a, b Term)
	// Applied says that a rule was applied to a match, which is valid during the call. Of
	// a computed right side is has what was computed, in the names of the match, and of
	// what it equals if [Match.Side] says so.
	Applied(r *Rule, m *Match, of *Term, is Term)
	// Mark stands for all that has been told so far, and Back forgets what was
	// told since.
	Mark() any
	Back(mark any)
	// Bytes is the memory that is used, about.
	Bytes() int
}

// Tracer is a [Recorder] that is told of congruences too: e-nodes keep the numbers of
// their terms for it.
type Tracer interface {
	Recorder
	// Congruent says that two terms are equal because their children are.
	Congruent(a, b Term)
}

// Term is a term that a [Recorder] was told of, with names for the slots that its
// class had when it was made, or [AnyPos].
type Term struct {
	ID   ClassID
	Args Vec
}

// AnyPos and AnyName stand for a name on which a term does not depend any more: as
// y once x - y and 0 are equal.
const (
	AnyPos  = bound - 1
	AnyName = ^slot.Name(0)
)

// Record has the graph tell r what happens. It must be called before anything is
// added.
func (g *Graph) Record(r Recorder) {
	if len(g.unionFind) > 0 {
		panic("egraph: a graph is recorded from the beginning or not at all")
	}
	g.recorder = r
	g.tracer, _ = r.(Tracer)
}

// Names returns the names of the positions in v: those of slots are called slots,
// those that the e-node binds binders.
func (g *Graph) Names(v Vec, slots, binders []slot.Name) []slot.Name {
	var out []slot.Name
	for _, p := range g.vecs.Get(v) {
		switch {
		case p == AnyPos:
			out = append(out, AnyName)
		case p&bound != 0:
			out = append(out, binders[p&^bound])
		default:
			out = append(out, slots[p])
		}
	}
	return out
}

// added tells of a new e-node with its class.
func (g *Graph) added(r NodeID, c ClassID) {
	if g.recorder == nil {
		return
	}
	n := g.arity(r)
	if g.tracer != nil {
		g.arena = append(g.arena, c)
	}
	if !g.slotted(r) {
		g.recorder.Added(c, 0, g.op(r), 0, g.kids(r, n), nil)
		return
	}
	slots := g.slotsOf(c)
	if g.tracer != nil {
		g.arena = append(g.arena, g.vecs.Identity(slots))
	}
	at := r + nodeKids + NodeID(n) + 2
	g.recorder.Added(c, slots, g.op(r), g.own(r, n), g.kids(r, n), g.arena[at:at+NodeID(n)])
}

// traced tells the number of the term of e-node r, and for each of its slots the slot
// of the e-node: its last words, if there is a tracer.
func (g *Graph) traced(r NodeID) (ClassID, Vec) {
	n := g.arity(r)
	if !g.slotted(r) {
		return g.arena[r+nodeKids+NodeID(n)], 0
	}
	at := r + NodeID(g.nodeLen(n, true)) - 2
	return g.arena[at], g.arena[at+1]
}

// itself is the term of e-node r in terms of its own slots.
func (g *Graph) itself(r NodeID) Term {
	c, names := g.traced(r)
	return Term{c, names}
}

// termOf is the term of e-node r, whose slots have the names free.
func (g *Graph) termOf(r NodeID, free []Pos) Term {
	t := g.itself(r)
	if t.Args == 0 {
		return t
	}
	t.Args = g.mapped(t.Args, func(p Pos) Pos { return free[p] })
	return t
}

// congruent tells that two terms are equal because their children are.
func (g *Graph) congruent(terms func() (a, b Term)) {
	if g.tracer != nil {
		g.tracer.Congruent(terms())
	}
}

// renumbered notes that the slots of e-node r, which has been rewritten, are those
// that were called free before, in this order. It returns the names before.
func (g *Graph) renumbered(r NodeID, free []Pos) (old Vec) {
	if g.tracer == nil {
		return 0
	}
	_, old = g.traced(r)
	g.arena[r+NodeID(g.nodeLen(g.arity(r), true))-1] = g.mapped(old, func(p Pos) Pos {
		if i := slices.Index(free, p); i >= 0 {
			return Pos(i)
		}
		return AnyPos
	})
	return old
}

// computed tells of an application of a rule with a computed right side.
func (g *Graph) computed(r *Rule, m *Match, out Ref) {
	if g.recorder == nil {
		return
	}
	var of *Term
	if m.Side != nil {
		of = &Term{m.Side.ID, g.matchNames(m.Side.Args)}
	}
	g.recorder.Applied(r, m, of, Term{out.ID, g.matchNames(out.Args)})
}

// matchNames is names of a match, of which some are fresh, as small numbers.
func (g *Graph) matchNames(names []slot.Name) Vec {
	out := make([]Pos, len(names))
	for k, n := range names {
		out[k] = Pos(n)
		if n >= ownNames {
			out[k] = Pos(ownNames + slices.Index(names, n))
		}
	}
	return g.vecs.Intern(out)
}
