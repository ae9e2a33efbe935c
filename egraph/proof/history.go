package proof

import (
	"iter"

	"egad/egraph"
)

// History notes which rules a graph applies to what, and the terms of its classes. Nothing
// is looked up in it while the graph works.
type History struct {
	logged
	events pieces[event]
	count  int // of those that are applications of rules
	given  []given
	claim  *given // what is being given, if the terms are known exactly
	rules  map[*egraph.Rule]int32
	list   []*egraph.Rule
	buffer []uint32
}

// event is an application of a rule, the match of which is in words, or what was given.
type event struct {
	rule int32  // in list, or byUser
	at   uint32 // in words, or the number of what was given
}

const byUser = -1

// given is what the user of the graph says to be equal: terms as they are written, or those of
// classes.
type given struct {
	a, b   egraph.Term
	terms  [2]*egraph.Tree
	reason string
}

// Given is the reason of what was united without one.
const Given = "given"

// Write has a graph write a history. It must be called before anything is added.
func Write(g *egraph.Graph) *History {
	h := &History{logged: newLogged(g), rules: make(map[*egraph.Rule]int32)}
	g.Record(h)
	return h
}

// Given notes that terms were united.
func (h *History) Given(a, b egraph.Term) {
	x := given{a: a, b: b, reason: Given}
	if h.claim != nil {
		x = *h.claim
	}
	h.events.add(event{byUser, uint32(len(h.given))})
	h.given = append(h.given, x)
}

// Equate says that two terms are equal, for a reason that proofs give. It adds them
// if they are not there, and reports whether that was news.
func (h *History) Equate(a, b *egraph.Tree, reason string) (bool, error) {
	x, err := h.g.AddTree(a)
	if err != nil {
		return false, err
	}
	y, err := h.g.AddTree(b)
	if err != nil {
		return false, err
	}
	h.claim = &given{terms: [2]*egraph.Tree{a, b}, reason: reason}
	defer func() { h.claim = nil }()
	return h.g.Union(x, y), nil
}

// Applied notes an application.
func (h *History) Applied(r *egraph.Rule, m *egraph.Match, of *egraph.Term, is egraph.Term) {
	n, known := h.rules[r]
	if !known {
		n = int32(len(h.list))
		h.rules[r] = n
		h.list = append(h.list, r)
	}
	h.buffer = m.Words(h.buffer[:0])
	if r.Apply != nil {
		h.buffer = append(h.buffer, is.ID, is.Args)
		if of != nil {
			h.buffer = append(h.buffer, 1, of.ID, of.Args)
		} else {
			h.buffer = append(h.buffer, 0)
		}
	}
	words, at := h.words.room(len(h.buffer))
	*words = append(*words, h.buffer...)
	h.events.add(event{n, at})
	h.count++
}

// historyMarks says how long the lists of a history are.
type historyMarks struct {
	loggedMarks
	events       end
	count, given int
}

// Mark says how long the history is.
func (h *History) Mark() any { return historyMarks{h.mark(), h.events.end(), h.count, len(h.given)} }

// Back forgets what was noted after a mark.
func (h *History) Back(mark any) {
	m := mark.(historyMarks)
	h.back(m.loggedMarks)
	h.events.cut(m.events)
	h.count, h.given = m.count, h.given[:m.given]
}

// Bytes returns the memory of the history, about.
func (h *History) Bytes() int { return h.bytes() + 8*h.events.cap() + 48*cap(h.given) }

// Count is how many applications there are so far.
func (h *History) Count() int { return h.count }

// Matches gives the applications in the order in which they were made, with their rules. A
// match is valid until the next one.
func (h *History) Matches() iter.Seq2[*egraph.Rule, *egraph.Match] {
	return func(yield func(*egraph.Rule, *egraph.Match) bool) {
		past := h.g.Past()
		for _, e := range h.events.all() {
			if e.rule == byUser {
				continue
			}
			m, _ := past.Match(h.list[e.rule], h.words.from(e.at))
			if !yield(h.list[e.rule], m) {
				return
			}
		}
	}
}

// Slots is how many slots the term of a class has.
func (h *History) Slots(c egraph.ClassID) int { return h.slots(c) }
