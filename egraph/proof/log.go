package proof

import (
	"maps"
	"slices"

	"egad/egraph"
	"egad/egraph/perm"
	"egad/slot"
)

// Log notes what happens to a graph. Nothing is ever looked up in it during a run.
//
// It has terms, and says of pairs of them why they are equal. Most terms are what
// e-nodes were when they were made, and have the numbers of their classes. Those
// that [Log.Equate] is told are there as they were told, also where the graph has
// the e-nodes of other terms for them; they have numbers of their own.
type Log struct {
	g    *egraph.Graph
	vecs *perm.Vecs

	start   pieces[uint32] // by class: where its term is in words, if it has one
	classes egraph.ClassID // so far, in start
	exact   []exactTerm
	// Words has terms: operator and children, with slots the number of slots, own
	// slots and arguments too; and what there is to say of applications of rules.
	words pieces[uint32]
	// Classes that lost slots have no term: what is logged is that of the class in
	// the place of which they are.
	shrunk map[egraph.ClassID]shrunkClass

	edges   pieces[loggedEdge]
	args    pieces[edgeArgs]        // of the edges that have some
	edged   int                     // edges so far
	reasons []string                // of what was given
	rests   map[int][][2]egraph.Ref // by number of what was given: the equations that it rests on
	claim   *claim                  // what is being given, if the terms are known exactly
	rules   map[*egraph.Rule]int32
	list    []*egraph.Rule
	latest  int32 // in list, the one that was asked for last
}

// exactTerm is a term that has no class of its own.
type exactTerm struct {
	start uint32         // in words
	of    egraph.ClassID // a term that it equals
}

// exactBit marks numbers of terms in exact.
const exactBit = 1 << 31

// slotsFlag marks a term with slots in words; operators are below it.
const slotsFlag = 1 << 31

type shrunkClass struct {
	of   egraph.ClassID
	keep egraph.Vec
}

// loggedEdge says that terms a and b are equal, by a rule or for one of the other
// reasons.
type loggedEdge struct {
	a, b egraph.ClassID
	rule int32  // in list
	data uint32 // of a rule, where words says more; of what was given, its number
}

// Reasons that are no rules.
const (
	byCongruence = -1
	byUser       = -2
)

// edgeArgs is the names of the terms of an edge.
type edgeArgs struct {
	edge   int
	av, bv egraph.Vec
}

// claim is two terms that are said to be equal.
type claim struct {
	a, b   egraph.Term
	reason string
}

// Keep has a graph note what proofs need. It must be called before anything is
// added.
func Keep(g *egraph.Graph) *Log {
	l := &Log{g: g, vecs: g.Vecs(), shrunk: make(map[egraph.ClassID]shrunkClass), rules: make(map[*egraph.Rule]int32)}
	g.Record(l)
	return l
}

// Of returns the log of a graph, nil if it keeps none.
func Of(g *egraph.Graph) *Log {
	l, _ := g.Recorder().(*Log)
	return l
}

// Added logs the term of a new e-node.
func (l *Log) Added(c egraph.ClassID, slots int, op egraph.Op, own egraph.Vec, kids []egraph.ClassID, args []egraph.Vec) {
	for ; l.classes < c; l.classes++ {
		l.start.add(0)
	}
	l.classes++
	if len(l.shrunk) > 0 {
		all := make([]egraph.Vec, len(kids))
		copy(all, args)
		kids, args = slices.Clone(kids), all
		for k, id := range kids {
			t := l.whole(egraph.Term{ID: id, Args: args[k]})
			kids[k], args[k] = t.ID, t.Args
		}
	}
	l.start.add(l.write(slots, op, own, kids, args))
}

// whole is a term in the place of a class that has lost slots: the term that it was
// made from, of which any name would do for these slots.
func (l *Log) whole(t egraph.Term) egraph.Term {
	for len(l.shrunk) > 0 {
		s, ok := l.shrunk[t.ID]
		if !ok {
			break
		}
		names := slices.Repeat([]egraph.Pos{egraph.AnyPos}, l.slots(s.of))
		for k, i := range l.vecs.Get(s.keep) {
			names[i] = l.vecs.Get(t.Args)[k]
		}
		t = egraph.Term{ID: s.of, Args: l.vecs.Intern(names)}
	}
	return t
}

// write adds a term to words, and returns where.
func (l *Log) write(slots int, op egraph.Op, own egraph.Vec, kids []egraph.ClassID, args []egraph.Vec) uint32 {
	if slots == 0 && !slices.ContainsFunc(args, func(v egraph.Vec) bool { return v != 0 }) {
		words, at := l.words.room(1 + len(kids))
		*words = append(append(*words, uint32(op)), kids...)
		return at
	}
	words, at := l.words.room(3 + 2*len(kids))
	*words = append(*words, uint32(op)|slotsFlag, uint32(slots), own)
	for k, id := range kids {
		*words = append(*words, id, args[k])
	}
	return at
}

// Shrunk logs that a class has lost slots.
func (l *Log) Shrunk(c, of egraph.ClassID, keep egraph.Vec) { l.shrunk[c] = shrunkClass{of, keep} }

// Congruent logs two terms of which the children are equal.
func (l *Log) Congruent(a, b egraph.Term) { l.connect(a, b, byCongruence, 0) }

// Given logs two terms that the user of the graph has united.
func (l *Log) Given(a, b egraph.Term) {
	c := claim{a, b, Given}
	if l.claim != nil {
		c = *l.claim
	}
	l.reasons = append(l.reasons, c.reason)
	l.connect(c.a, c.b, byUser, uint32(len(l.reasons)))
}

// connect logs why two terms are equal.
func (l *Log) connect(a, b egraph.Term, rule int32, data uint32) {
	a, b = l.whole(a), l.whole(b)
	l.edges.add(loggedEdge{a.ID, b.ID, rule, data})
	if a.Args|b.Args != 0 {
		l.args.add(edgeArgs{l.edged, a.Args, b.Args})
	}
	l.edged++
}

// Applied logs an application of a rule. Names are logged if there are any.
func (l *Log) Applied(a *egraph.Application) {
	parts := [4][]egraph.Term{a.Left, a.Vars, a.Right, a.From}
	n := len(a.Left) + len(a.Vars) + len(a.Right) + len(a.From)
	words, at := l.words.room(1 + 2*n + len(a.Bound))
	list, names := append(*words, 0), egraph.Vec(0)
	for k, terms := range parts {
		for i, t := range terms {
			if k == 1 { // the others are e-nodes
				t = l.whole(t)
				terms[i] = t
			}
			list = append(list, t.ID)
			names |= t.Args
		}
	}
	if names != 0 || len(a.Bound) > 0 {
		list[len(list)-1-n] = 1 + uint32(len(a.Bound))
		for _, terms := range parts {
			for _, t := range terms {
				list = append(list, t.Args)
			}
		}
		for _, p := range a.Bound {
			list = append(list, uint32(p))
		}
	}
	*words = list
	l.connect(a.A, a.B, l.rule(a.Rule), at)
}

// rule numbers a rule.
func (l *Log) rule(r *egraph.Rule) int32 {
	if n := len(l.list); n > 0 && l.list[l.latest] == r {
		return l.latest
	}
	i, ok := l.rules[r]
	if !ok {
		i = int32(len(l.list))
		l.rules[r] = i
		l.list = append(l.list, r)
	}
	l.latest = i
	return i
}

// marks says how long the lists of the log are.
type marks struct {
	start, words, edges, args end
	classes                   egraph.ClassID
	ids, exact                int
	edged, given              int
}

// Mark says how long the log is.
func (l *Log) Mark() any {
	return marks{l.start.end(), l.words.end(), l.edges.end(), l.args.end(), l.classes, l.g.ClassIDs(), len(l.exact), l.edged, len(l.reasons)}
}

// Back forgets what was logged after a mark.
func (l *Log) Back(mark any) {
	m := mark.(marks)
	l.start.cut(m.start)
	l.words.cut(m.words)
	l.edges.cut(m.edges)
	l.args.cut(m.args)
	l.classes, l.edged, l.exact, l.reasons = m.classes, m.edged, l.exact[:m.exact], l.reasons[:m.given]
	maps.DeleteFunc(l.shrunk, func(c egraph.ClassID, _ shrunkClass) bool { return int(c) >= m.ids })
}

// Bytes returns the memory of the log, and of what makes proofs of it, about.
func (l *Log) Bytes() int {
	log := 4*l.start.cap() + 4*l.words.cap() + 16*l.edges.cap() + 16*l.args.cap() + 8*cap(l.exact) + 16*cap(l.reasons)
	return log + 56*int(l.classes) + 48*l.edged // what an Explainer takes
}

// Equate says that two terms are equal, for a reason that proofs give. It adds them
// if they are not there, and reports whether that was news.
func (l *Log) Equate(a, b *egraph.Tree, reason string) (bool, error) {
	ra, err := l.g.AddTree(a)
	if err != nil {
		return false, err
	}
	rb, err := l.g.AddTree(b)
	if err != nil || l.g.Same(ra, rb) {
		return false, err
	}
	_, ta := l.told(a)
	_, tb := l.told(b)
	return l.give(ra, rb, ta, tb, reason), nil
}

// EquateNode says that the class of an e-node equals b, because the children of the
// e-node equal those of a, and a equals b for a reason that proofs give. It is for
// analyses: during a rebuild, a need not be an e-node of the class yet.
func (l *Log) EquateNode(n egraph.Node, class egraph.Ref, a, b *egraph.Tree, reason string) (bool, error) {
	for _, t := range append(slices.Clone(a.Kids), b) {
		if _, err := l.g.AddTree(t); err != nil {
			return false, err
		}
	}
	if err := a.Formed(l.g.Signature()); err != nil {
		return false, err
	}
	kids := make([]egraph.Ref, len(a.Kids))
	for k, t := range a.Kids {
		_, kids[k] = l.told(t)
	}
	ta := l.as(a, kids, l.g.TermOf(n.ID))
	rb, tb := l.told(b)
	return l.give(class, rb, ta, tb, reason), nil
}

// Give says that two e-nodes are equal. It returns a number for that, 0 if it was
// known. It may rest on other e-nodes that are equal, which shared proofs prove.
func (l *Log) Give(a, b egraph.Ref, rests ...[2]egraph.Ref) int {
	if !l.g.Union(a, b) {
		return 0
	}
	if len(rests) > 0 {
		if l.rests == nil {
			l.rests = make(map[int][][2]egraph.Ref)
		}
		l.rests[len(l.reasons)] = rests
	}
	return len(l.reasons)
}

// give unites two classes since two terms of them are equal.
func (l *Log) give(ra, rb, a, b egraph.Ref, reason string) bool {
	var names slot.Numbering
	l.claim = &claim{l.numbered(a, &names), l.numbered(b, &names), reason}
	defer func() { l.claim = nil }()
	return l.g.Union(ra, rb)
}

// numbered is a term in which names have numbers.
func (l *Log) numbered(r egraph.Ref, names *slot.Numbering) egraph.Term {
	return egraph.Term{ID: r.ID, Args: l.vecs.Intern(positions(r.Args, names))}
}

func positions(ns []slot.Name, names *slot.Numbering) []egraph.Pos {
	out := make([]egraph.Pos, len(ns))
	for k, n := range ns {
		out[k] = egraph.AnyPos
		if n != egraph.AnyName {
			out[k] = egraph.Pos(names.Of(n))
		}
	}
	return out
}

// told is the class of a well-formed term that the graph has, and the term exactly
// as it is.
func (l *Log) told(t *egraph.Tree) (class, term egraph.Ref) {
	classes, kids := make([]egraph.Ref, len(t.Kids)), make([]egraph.Ref, len(t.Kids))
	for k, u := range t.Kids {
		classes[k], kids[k] = l.told(u)
	}
	class = l.g.Add(t.Op, t.Own, t.Binders, classes)
	return class, l.as(t, kids, l.g.Recorded())
}

// as is the term with the root of t and these terms as children. At is a term with
// children that equal these; it is not logged twice if it is the very term.
func (l *Log) as(t *egraph.Tree, kids []egraph.Ref, at egraph.Ref) egraph.Ref {
	if _, own, is := l.open(at, t.Binders); slices.Equal(own, t.Own) && slices.EqualFunc(is, kids, egraph.Ref.Equal) {
		return at
	}
	var names slot.Numbering
	own := l.vecs.Intern(positions(t.Own, &names))
	ids, args := make([]egraph.ClassID, len(kids)), make([]egraph.Vec, len(kids))
	under := l.g.Signature().HeadInfo(l.g.Signature().Head(t.Op)).Under
	for k, r := range kids {
		ps := make([]egraph.Pos, len(r.Args))
		for i, n := range r.Args {
			if b := slices.Index(t.Binders, n); b >= 0 && under>>k&1 != 0 {
				ps[i] = egraph.BoundPos | egraph.Pos(b)
			} else {
				ps[i] = egraph.Pos(names.Of(n))
			}
		}
		ids[k], args[k] = r.ID, l.vecs.Intern(ps)
	}
	l.exact = append(l.exact, exactTerm{l.write(len(names), t.Op, own, ids, args), at.ID})
	out := egraph.Ref{ID: exactBit | egraph.ClassID(len(l.exact)-1), Args: slices.Clone(names)}
	l.Congruent(l.numbered(out, &names), l.numbered(at, &names))
	return out
}

// open is the operator, the own slots and the children of a term, where what it
// binds is called binders.
func (l *Log) open(r egraph.Ref, binders []slot.Name) (op egraph.Op, own []slot.Name, kids []egraph.Ref) {
	t := l.term(r.ID)
	op = egraph.Op(t[0] &^ slotsFlag)
	kids = make([]egraph.Ref, l.g.Signature().Arity(op))
	if t[0]&slotsFlag == 0 {
		for k := range kids {
			kids[k] = egraph.Ref{ID: t[1+k]}
		}
		return op, nil, kids
	}
	for k := range kids {
		kids[k] = egraph.Ref{ID: t[3+2*k], Args: l.g.Names(t[4+2*k], r.Args, binders)}
	}
	return op, l.g.Names(t[2], r.Args, binders), kids
}

// slots is the number of slots of a term, or of a class that has lost some.
func (l *Log) slots(id egraph.ClassID) int {
	if s, ok := l.shrunk[id]; ok {
		return l.vecs.Len(s.keep)
	}
	if t := l.term(id); t[0]&slotsFlag != 0 {
		return int(t[1])
	}
	return 0
}

// term is what words has of a term.
func (l *Log) term(id egraph.ClassID) []uint32 {
	if id&exactBit != 0 {
		return l.words.from(l.exact[id&^exactBit].start)
	}
	return l.words.from(l.start.from(id)[0])
}
