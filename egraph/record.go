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
	// Congruent says that two terms are equal because their children are.
	Congruent(a, b Term)
	// Given says that two terms are equal because the user of the graph says so.
	Given(a, b Term)
	// Applied says that two terms are equal by a rule.
	Applied(a *Application)
	// Mark stands for all that has been told so far, and Back forgets what was
	// told since.
	Mark() any
	Back(mark any)
	// Bytes is the memory that is used, about.
	Bytes() int
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
	AnyPos       = bound - 1
	AnyName      = ^slot.Name(0)
	BoundPos Pos = bound // marks names that are bound by the e-node itself
)

// Application is one application of a rule. Its lists are valid during the call.
type Application struct {
	Rule *Rule
	A, B Term // what was united: what the left side matched, and what the right side is
	// Left has the terms of the e-nodes that the left side matched, in the order
	// of [Program.Pattern] breadth first; Right those of the e-nodes that the right
	// side is, and From those of the rule's From, children first.
	Left, Right, From []Term
	Vars              []Term // by metavariable
	Bound             []Pos  // names of the bound variables
}

// recording is what a graph has for its recorder.
type recording struct {
	Recorder
	last  Term // of the e-node that was added or found last
	named Ref  // the same in the names of the caller of Add
	app   Application
}

// Record has the graph tell r what happens. It must be called before anything is
// added.
func (g *Graph) Record(r Recorder) {
	if len(g.unionFind) > 0 {
		panic("egraph: a graph is recorded from the beginning or not at all")
	}
	g.recording = &recording{Recorder: r}
}

// Recorder returns what the graph is recorded by, nil if it is not.
func (g *Graph) Recorder() Recorder {
	if g.recording == nil {
		return nil
	}
	return g.recording.Recorder
}

// Recorded returns the term of the e-node that [Graph.Add] added or found last, in the
// names that Add was told. The graph must be recorded.
func (g *Graph) Recorded() Ref { return g.recording.named }

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

// TermOf returns the term of an e-node, whatever its variables are called. The graph
// must be recorded.
func (g *Graph) TermOf(id NodeID) Ref {
	c, names := g.recorded(id)
	return Ref{ID: c, Args: slices.Repeat([]slot.Name{AnyName}, g.vecs.Len(names))}
}

// added tells of a new e-node with its class, which is passed the given names.
func (g *Graph) added(r NodeID, c ClassID, names Vec) {
	rec := g.recording
	if rec == nil {
		return
	}
	n := g.arity(r)
	g.arena = append(g.arena, c)
	if !g.slotted(r) {
		rec.Added(c, 0, g.op(r), 0, g.kids(r, n), nil)
	} else {
		slots := g.slotsOf(c)
		g.arena = append(g.arena, g.vecs.Identity(slots))
		at := r + nodeKids + NodeID(n) + 2
		rec.Added(c, slots, g.op(r), g.own(r, n), g.kids(r, n), g.arena[at:at+NodeID(n)])
	}
	rec.last = Term{c, names}
}

// found notes the term of an e-node that Add has found, whose slots have the names
// free.
func (g *Graph) found(r NodeID, free []Pos) {
	if g.recording != nil {
		g.recording.last = g.termOf(r, free)
	}
}

// name puts the term of the e-node that was added or found last into the names of
// the caller of Add.
func (rec *recording) name(g *Graph, names []slot.Name) {
	if rec == nil {
		return
	}
	rec.named = Ref{ID: rec.last.ID, Args: g.Names(rec.last.Args, names, nil)}
}

// recorded tells the number of the term of e-node r, and for each of its slots the slot
// of the e-node: its last words.
func (g *Graph) recorded(r NodeID) (ClassID, Vec) {
	n := g.arity(r)
	if !g.slotted(r) {
		return g.arena[r+nodeKids+NodeID(n)], 0
	}
	at := r + NodeID(g.nodeLen(n, true)) - 2
	return g.arena[at], g.arena[at+1]
}

// itself is the term of e-node r in terms of its own slots.
func (g *Graph) itself(r NodeID) Term {
	c, names := g.recorded(r)
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
	if g.recording != nil {
		g.recording.Congruent(terms())
	}
}

// renumbered notes that the slots of e-node r, which has been rewritten, are those
// that were called free before, in this order. It returns the names before.
func (g *Graph) renumbered(r NodeID, free []Pos) (old Vec) {
	if g.recording == nil {
		return 0
	}
	_, old = g.recorded(r)
	g.arena[r+NodeID(g.nodeLen(g.arity(r), true))-1] = g.mapped(old, func(p Pos) Pos {
		if i := slices.Index(free, p); i >= 0 {
			return Pos(i)
		}
		return AnyPos
	})
	return old
}

// note notes the term of e-node r, found by an instruction.
func (m *machine) note(i *instr, r NodeID, free []Pos) {
	switch {
	case m.g.recording == nil:
	case m.prog.special():
		m.terms = append(m.terms, m.g.termOf(r, free))
	default:
		m.terms[i.node] = m.g.termOf(r, free)
	}
}

// note notes the term of the e-node that a template has added.
func (run *templateRun) note(g *Graph) {
	if g.recording != nil {
		run.terms = append(run.terms, g.recording.last)
	}
}

// result is the term of what a template has built as these terms. A metavariable
// is what matched, and not what it is part of by now: so proofs are short.
func (run *templateRun) result(t *Template, terms []Term) Term {
	if t.out >= 0 {
		return Term{run.vars[t.out].class, run.vars[t.out].args}
	}
	return terms[-1-t.out]
}

// applied tells of an application of a rule. Out is what was computed, if the right
// side is.
func (g *Graph) applied(r *Rule, m *Match, run *templateRun, out Ref) {
	if g.recording == nil {
		return
	}
	a := &g.recording.app
	a.Rule, a.Left, a.Right, a.From, a.Vars = r, m.terms, nil, nil, a.Vars[:0]
	a.A, a.Bound = Term{m.cls[0], m.arg[0]}, m.names
	for _, reg := range m.prog.vars {
		a.Vars = append(a.Vars, Term{m.cls[reg], m.arg[reg]})
	}
	if len(m.terms) > 0 { // else any class matches
		a.A = m.terms[0]
	}
	if r.Apply != nil {
		a.B = Term{out.ID, g.matchNames(out.Args)}
		if m.Side != nil {
			a.A = Term{m.Side.ID, g.matchNames(m.Side.Args)}
		}
	} else {
		a.Right, a.Bound, a.B = run.terms, run.names, run.result(r.Rhs, run.terms)
	}
	if m.prog.special() {
		m.spell(a)
	}
	if r.From != nil {
		a.From, a.A = run.from, run.result(r.From, run.from)
	}
	g.recording.Applied(a)
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
