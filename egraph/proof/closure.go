package proof

import (
	"errors"
	"fmt"
	"time"

	"egad/egraph"
	"egad/internal/interrupt"
	"egad/internal/memo"
	"egad/internal/raise"
	"egad/internal/slice"
	"egad/slot"
)

// Closure is what follows from equations between terms: an e-graph in which every term has an
// e-node of its own, as long as all terms are added before the first equation is given. What
// follows by congruence is its work, and it proves what has become equal.
type Closure struct {
	*egraph.Graph
	log     *trace
	given   []reason
	ways    *search // for proofs from what is given so far; nil if there was more since
	rebuilt int
}

// reason is why two terms are said to be equal, and which others it rests on.
type reason struct {
	why   any
	rests [][2]egraph.Ref
}

// NewClosure returns a closure for terms over a signature without commutative operators.
func NewClosure(sig *egraph.Signature) *Closure {
	c := &Closure{Graph: egraph.New(sig)}
	c.log = &trace{logged: newLogged(c.Graph), fresh: 1 << 30}
	c.Record(c.log)
	return c
}

// Rebuild finds what follows from what was given. Where it is asked for often, since much of what
// is given rests on something, the lists of parents are kept.
func (c *Closure) Rebuild() {
	if c.rebuilt++; c.rebuilt == manyRebuilds {
		c.Link()
	}
	c.Graph.Rebuild()
}

const manyRebuilds = 50

// Give says that two terms are equal, and why. It may rest on other terms that are equal, which
// proofs prove.
func (c *Closure) Give(why any, a, b egraph.Ref, rests ...[2]egraph.Ref) {
	if c.Union(a, b) {
		c.ways, c.given = nil, append(c.given, reason{why, rests})
	}
}

// Swapped gives pairs of equal terms: those of which the two children may change places, and
// what these are then, which it adds.
func (c *Closure) Swapped(commutes func(t egraph.ClassID) bool) (out [][2]egraph.Ref) {
	for id := range egraph.ClassID(c.ClassIDs()) {
		if !commutes(id) {
			continue
		}
		t := egraph.Ref{ID: id}
		for range c.log.slots(id) {
			t.Args = append(t.Args, c.log.name())
		}
		op, own, binders, kids := c.log.Open(t, c.log.name)
		n := c.ClassIDs()
		u := c.Add(op, own, binders, []egraph.Ref{kids[1], kids[0]})
		if isNew := int(u.ID) >= n; !u.Equal(t) && (isNew || id <= u.ID) {
			out = append(out, [2]egraph.Ref{t, u})
		}
	}
	return out
}

// Lemma says that two terms of a closure are equal. A proof is a list of lemmas, in which
// each may rest on those before it: what is equal in many places is proved once.
type Lemma struct {
	From, To egraph.Ref
	Legs     []Leg // from From to To
}

// Leg is a step of a lemma between two terms: an equation that was given, or
// that the children are equal.
type Leg struct {
	From, To egraph.Ref
	Why      any  // of the equation that was given; nil if the children are equal
	Reverse  bool // the given equation is used from right to left
	// Kids has for each child of the two terms, or for each equation that the given one
	// rests on, the number of its lemma; -1 where both are the same. It holds up to
	// the names of variables.
	Kids []int
}

// Prove proves that two terms that were added are equal, until the end at most unless that is
// zero. The last lemma says it; there is none if the terms are the same.
func (c *Closure) Prove(from, to egraph.Ref, end time.Time) (_ []Lemma, err error) {
	defer raise.Caught(&err)
	if c.Rebuild(); c.ways == nil {
		c.ways = c.newSearch()
	}
	x := c.ways
	x.end, x.steps = end, 0
	p := &prover{search: x, known: make(map[string]int)}
	p.lemma(from, to, len(x.log.edges))
	return p.list, nil
}

// ErrTime says that a proof was not found in the time that there is for it.
var ErrTime = errors.New("the time limit was reached before a proof was found")

// search looks for ways from term to term, by the equations that were given and what follows
// from them.
type search struct {
	c        *Closure
	log      *trace
	wild     map[slot.Name][]slot.Name // wildcards: any names but those listed, as a route turns out
	vertices []vertex                  // by class
	end      time.Time                 // zero if there is no limit
	asked    int                       // how often for the time
	steps    int
}

func (c *Closure) newSearch() *search {
	x := &search{c: c, log: c.log, wild: make(map[slot.Name][]slot.Name), vertices: make([]vertex, c.ClassIDs())}
	x.connect()
	return x
}

// late reports whether there is no time left. It looks at the clock now and then.
func (x *search) late() bool {
	x.asked++
	return x.asked%lateUnit == 0 && (interrupt.Requested() || over(x.end))
}

const lateUnit = 16

// maxSteps bounds a proof while it is put together.
const maxSteps = 1_000_000

// more counts a step of a proof that is put together.
func (x *search) more() {
	if x.late() {
		raise.Error(ErrTime)
	}
	if x.steps++; x.steps > maxSteps {
		raise.Error(fmt.Errorf("the proof has more than %d steps", maxSteps))
	}
}

// prover puts lemmas together.
type prover struct {
	*search
	list  []Lemma
	known map[string]int // by the two terms, up to names
}

// lemma proves that two references are equal by edges before limit, and gives the
// number of the lemma, -1 if they are the same.
func (x *prover) lemma(from, to egraph.Ref, limit int) int {
	if from.Equal(to) {
		return -1
	}
	var names slot.Numbering
	key := fmt.Sprint(from.ID, positions(from.Args, &names), to.ID, positions(to.Args, &names))
	return memo.Of(x.known, key, func() int {
		out := Lemma{From: from, To: to}
		for _, h := range x.route(from, to, limit) {
			x.more()
			l, rests := Leg{From: h.from, To: h.to, Reverse: h.reverse}, [][2]egraph.Ref(nil)
			if n := x.log.edges[h.edge].given; n > 0 {
				l.Why, rests = x.c.given[n-1].why, x.c.given[n-1].rests
			} else {
				rests = x.children(h)
			}
			l.Kids = slice.Map(rests, func(p [2]egraph.Ref) int { return x.lemma(p[0], p[1], h.edge) })
			out.Legs = append(out.Legs, l)
		}
		x.list = append(x.list, out)
		return len(x.list) - 1
	})
}

// children are the children of the ends of an arc, in pairs.
func (x *search) children(h arc) [][2]egraph.Ref {
	_, _, binders, from := x.log.Open(h.from, x.log.name)
	_, _, to := x.log.open(h.to, binders, x.log.name)
	return slice.Make(len(from), func(k int) [2]egraph.Ref { return [2]egraph.Ref{from[k], to[k]} })
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

// trace notes why terms of a closure are equal.
type trace struct {
	logged
	edges []edge
	given int       // how often terms were said to be equal
	fresh slot.Name // the last name that was given
}

// name is a name that nothing has yet.
func (l *trace) name() slot.Name {
	l.fresh++
	return l.fresh
}

// edge says that two terms are equal: as what was given with a number says, or if that is 0
// because their children are.
type edge struct {
	a, b   egraph.ClassID
	av, bv egraph.Vec
	given  int
}

// Congruent notes two terms of which the children are equal.
func (l *trace) Congruent(a, b egraph.Term) { l.connect(a, b, 0) }

// Given notes two terms that were united.
func (l *trace) Given(a, b egraph.Term) {
	l.given++
	l.connect(a, b, l.given)
}

func (l *trace) connect(a, b egraph.Term, given int) {
	a, b = l.whole(a), l.whole(b)
	l.edges = append(l.edges, edge{a.ID, b.ID, a.Args, b.Args, given})
}

// Applied is told of nothing: a closure has no rules.
func (l *trace) Applied(*egraph.Rule, *egraph.Match, *egraph.Term, egraph.Term) {}

// Mark and Back are not asked for: a closure stays as it is.
func (l *trace) Mark() any { return nil }

// Back does nothing.
func (l *trace) Back(any) {}

// Bytes returns the memory of the trace, about.
func (l *trace) Bytes() int { return l.bytes() + 24*cap(l.edges) }
