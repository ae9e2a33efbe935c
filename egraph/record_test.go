package egraph

import (
	"fmt"
	"maps"
)

// listener is a [Tracer] that checks that it is told of known terms only, with a
// name for each of their slots.
type listener struct {
	g     *Graph
	slots map[ClassID]int
}

// listen has a listener record g.
func listen(g *Graph) *listener {
	l := &listener{g: g, slots: make(map[ClassID]int)}
	g.Record(l)
	return l
}

func (l *listener) term(t Term) {
	n, ok := l.slots[t.ID]
	if names := l.g.vecs.Get(t.Args); !ok || len(names) != n {
		panic(fmt.Sprintf("term %d with the names %v has %d slots, and was told of: %v", t.ID, names, n, ok))
	}
}

func (l *listener) Added(c ClassID, slots int, op Op, own Vec, kids []ClassID, args []Vec) {
	if _, ok := l.slots[c]; ok || int(c) >= l.g.ClassIDs() {
		panic(fmt.Sprintf("class %d is not new", c))
	}
	l.slots[c] = slots
	for k, kid := range kids {
		if args == nil {
			l.term(Term{ID: kid})
		} else {
			l.term(Term{kid, args[k]})
		}
	}
}

func (l *listener) Shrunk(c, of ClassID, keep Vec) {
	l.term(Term{of, l.g.vecs.Identity(l.slots[of])})
	l.slots[c] = l.g.vecs.Len(keep)
}

func (l *listener) Congruent(a, b Term) { l.term(a); l.term(b) }

func (l *listener) Given(a, b Term) { l.term(a); l.term(b) }

func (l *listener) Applied(r *Rule, m *Match, of *Term, is Term) {
	l.term(Term{m.cls[0], m.arg[0]})
	for _, v := range m.prog.vars {
		l.term(Term{m.cls[v], m.arg[v]})
	}
	if r.Apply != nil {
		l.term(is)
	}
	if of != nil {
		l.term(*of)
	}
}

func (l *listener) Mark() any { return ClassID(l.g.ClassIDs()) }

func (l *listener) Back(mark any) {
	maps.DeleteFunc(l.slots, func(c ClassID, _ int) bool { return c >= mark.(ClassID) })
}

func (l *listener) Bytes() int { return 0 }

// SetPatience says after how many rounds a rebuild builds the lists of parents: tests of proofs
// go through all ways of rebuilding.
func (g *Graph) SetPatience(n int) { g.patience = n }
