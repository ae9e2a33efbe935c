package proof

import (
	"maps"
	"slices"

	"egad/egraph"
	"egad/egraph/perm"
	"egad/slot"
)

// logged is the terms of a graph: what e-nodes were when they were made, with the numbers of
// their classes.
type logged struct {
	g    *egraph.Graph
	vecs *perm.Vecs

	start   pieces[uint32] // by class: where its term is in words, if it has one
	classes egraph.ClassID // so far, in start
	// Words has terms: operator and children, with slots the number of slots, own
	// slots and arguments too; and what there is to say of applications of rules.
	words pieces[uint32]
	// Classes that lost slots have no term: what is logged is that of the class in
	// the place of which they are.
	shrunk  map[egraph.ClassID]shrunkClass
	dropped map[[3]uint32]slot.Name // of slots that do not matter, by class, slot and how often it was tried
}

func newLogged(g *egraph.Graph) logged {
	return logged{g: g, vecs: g.Vecs(), shrunk: make(map[egraph.ClassID]shrunkClass), dropped: make(map[[3]uint32]slot.Name)}
}

// slotsFlag marks a term with slots in words; operators are below it.
const slotsFlag = 1 << 31

type shrunkClass struct {
	of   egraph.ClassID
	keep egraph.Vec
}

// Added logs the term of a new e-node.
func (l *logged) Added(c egraph.ClassID, slots int, op egraph.Op, own egraph.Vec, kids []egraph.ClassID, args []egraph.Vec) {
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
func (l *logged) whole(t egraph.Term) egraph.Term {
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
func (l *logged) write(slots int, op egraph.Op, own egraph.Vec, kids []egraph.ClassID, args []egraph.Vec) uint32 {
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
func (l *logged) Shrunk(c, of egraph.ClassID, keep egraph.Vec) { l.shrunk[c] = shrunkClass{of, keep} }

// loggedMarks says how long the lists of terms are.
type loggedMarks struct {
	start, words end
	classes      egraph.ClassID
	ids          int
}

func (l *logged) mark() loggedMarks {
	return loggedMarks{l.start.end(), l.words.end(), l.classes, l.g.ClassIDs()}
}

func (l *logged) back(m loggedMarks) {
	l.start.cut(m.start)
	l.words.cut(m.words)
	l.classes = m.classes
	maps.DeleteFunc(l.shrunk, func(c egraph.ClassID, _ shrunkClass) bool { return int(c) >= m.ids })
}

func (l *logged) bytes() int { return 4*l.start.cap() + 4*l.words.cap() }

// op is the operator of a term.
func (l *logged) op(c egraph.ClassID) egraph.Op { return egraph.Op(l.term(c)[0] &^ slotsFlag) }

// Open is the operator, the own slots, the names that are bound, and the children of the
// term of a class: the e-node for which the class was made, or of a class that was made as
// another one lost slots the e-node of that one. Fresh gives names: to what is bound, and to
// slots on which a child does not depend any more, the same each time.
func (l *logged) Open(r egraph.Ref, fresh func() slot.Name) (op egraph.Op, own, binders []slot.Name, kids []egraph.Ref) {
	for s, ok := l.shrunk[r.ID]; ok; s, ok = l.shrunk[r.ID] {
		names := slices.Repeat([]slot.Name{egraph.AnyName}, l.slots(s.of))
		for k, i := range l.vecs.Get(s.keep) {
			names[i] = r.Args[k]
		}
		r = l.complete(egraph.Ref{ID: s.of, Args: names}, fresh)
	}
	for range l.g.Signature().Binders(l.op(r.ID)) {
		binders = append(binders, fresh())
	}
	op, own, kids = l.open(r, binders, fresh)
	return op, own, binders, kids
}

// open is the operator, the own slots and the children of a term of a class that has all its
// slots, where what it binds is called binders.
func (l *logged) open(r egraph.Ref, binders []slot.Name, fresh func() slot.Name) (op egraph.Op, own []slot.Name, kids []egraph.Ref) {
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
		kids[k] = l.complete(egraph.Ref{ID: t[3+2*k], Args: l.g.Names(t[4+2*k], r.Args, binders)}, fresh)
	}
	return op, l.g.Names(t[2], r.Args, binders), kids
}

// complete gives the slots of r for which any name would do names.
func (l *logged) complete(r egraph.Ref, fresh func() slot.Name) egraph.Ref {
	for k, n := range r.Args {
		for try := uint32(0); n == egraph.AnyName; try++ {
			key := [3]uint32{r.ID, uint32(k), try}
			if l.dropped[key] == 0 {
				l.dropped[key] = fresh()
			}
			if x := l.dropped[key]; !r.Has(x) {
				n, r.Args[k] = x, x
			}
		}
	}
	return r
}

// slots is the number of slots of a term, or of a class that has lost some.
func (l *logged) slots(id egraph.ClassID) int {
	if s, ok := l.shrunk[id]; ok {
		return l.vecs.Len(s.keep)
	}
	if t := l.term(id); t[0]&slotsFlag != 0 {
		return int(t[1])
	}
	return 0
}

// term is what words has of a term.
func (l *logged) term(id egraph.ClassID) []uint32 {
	return l.words.from(l.start.from(id)[0])
}
