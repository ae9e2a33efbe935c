package egraph

import (
	"fmt"
	"maps"
	"slices"
)

// listener is a [Recorder] that checks that it is told of known terms only, with a
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

func (l *listener) Applied(a *Application) {
	for _, t := range slices.Concat([]Term{a.A, a.B}, a.Left, a.Right, a.From, a.Vars) {
		l.term(t)
	}
}

func (l *listener) Mark() any { return ClassID(l.g.ClassIDs()) }

func (l *listener) Back(mark any) {
	maps.DeleteFunc(l.slots, func(c ClassID, _ int) bool { return c >= mark.(ClassID) })
}

func (l *listener) Bytes() int { return 0 }

// Link builds the lists of parents, and SetPatience says after how many rounds a
// rebuild does: tests of proofs go through all ways of rebuilding.
func (g *Graph) Link() { g.link() }

// SetPatience is told of at [Graph.Link].
func (g *Graph) SetPatience(n int) { g.patience = n }
