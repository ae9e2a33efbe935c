package egraph

import (
	"errors"
	"reflect"
	"slices"
)

// Blame explains the contradiction that a run has stopped at: it proves that two
// terms are equal of which an analysis says, by themselves, that they cannot be. At
// least one rule of the proof is unsound, or something that was given is wrong. The
// graph must keep proofs. Of several pairs of terms the one with the shortest proof
// counts, as far as [maxBlamed] pairs go.
func (g *Graph) Blame() (*Proof, error) {
	if g.proofs == nil {
		return nil, errors.New("the graph does not keep proofs")
	}
	return newExplainer(g).Blame()
}

// Blame is as [Graph.Blame].
func (x *Explainer) Blame() (*Proof, error) {
	g := x.g
	if g.err == nil {
		return nil, errors.New("there is no contradiction")
	}
	var best *Proof
	var first error
	for _, pair := range g.conflict.analysis.clashes(x, g.Find(g.conflict.class), errors.Unwrap(g.err)) {
		if x.expired() {
			first = ErrTime
			break
		}
		x.steps = 0
		p, err := x.clash(pair[0], pair[1])
		if err != nil {
			if first == nil {
				first = err
			}
			continue
		}
		if best == nil || len(p.Steps) < len(best.Steps) {
			best = p
		}
	}
	switch {
	case best != nil:
		return best, nil
	case x.expired():
		first = ErrTime
	case first == nil:
		first = errors.New("no two terms of the class contradict each other by themselves")
	}
	return nil, first
}

const maxBlamed = 50

// conflict is where a contradiction was found.
type conflict struct {
	class    ClassID
	analysis analysis
}

// witness is a term that says a fact by itself: that of an origin, in which some
// children are other terms that they equal.
type witness struct {
	origin ClassID
	kids   []*witness // nil for a child that stays
	size   int
}

// maxWitness bounds the size of a witness.
const maxWitness = 1000

// clash proves that two witnesses are equal.
func (x *Explainer) clash(a, b *witness) (*Proof, error) {
	from := x.opened(a.origin)
	left, start, err := x.unfold(from, a)
	if err != nil {
		return nil, err
	}
	right, _, err := x.toward(from, b)
	if err != nil {
		return nil, err
	}
	p := &Proof{Start: start, Steps: slices.Concat(reversed(left), right)}
	return p, p.finish(x)
}

// toward is the steps from the term of a class to a witness that equals it, which
// it gives too.
func (x *Explainer) toward(from Ref, w *witness) ([]Step, *Tree, error) {
	to := x.blank(w.origin)
	steps, err := x.path(from, to, len(x.edges))
	if err != nil {
		return nil, nil, err
	}
	for k, n := range to.Args {
		to.Args[k] = x.decided(n)
	}
	rest, t, err := x.unfold(to, w)
	return join(steps, rest), t, err
}

// unfold is the steps from the term of a witness's origin to the witness.
func (x *Explainer) unfold(at Ref, w *witness) (steps []Step, t *Tree, err error) {
	t = &Tree{Binders: x.binders(x.opOf(at.ID))}
	var kids []Ref
	t.Op, t.Own, kids = x.term(at, t.Binders)
	for k, r := range kids {
		if w.kids == nil || w.kids[k] == nil {
			t.Kids = append(t.Kids, x.tree(r))
			continue
		}
		s, u, err := x.toward(r, w.kids[k])
		if err != nil {
			return nil, nil, err
		}
		steps = join(steps, x.inside(t.Op, k, t.Binders, s))
		t.Kids = append(t.Kids, u)
	}
	return steps, t, nil
}

// testimony is a witness with what it says.
type testimony[D any] struct {
	witness
	fact D
}

// inquiry asks terms of the log for facts.
type inquiry[D any] struct {
	c   *Column[D]
	x   *Explainer
	by  [][]*testimony[D] // by class at present
	own []ownFact[D]      // by origin: what its own term says
}

// ownFact is unknown if equal children say different things: a column has one
// fact for both.
type ownFact[D any] struct {
	fact  D
	known bool
}

// How many different facts of a class are followed, how many ways to take those of
// the children of one term, and how often all terms are asked.
const (
	maxFacts = 8
	maxWays  = 64
	maxAsked = 100
)

// clashes lists pairs of witnesses that contradict each other: of one class and in
// these words if there are such, else in other words, else of other classes. What is
// known of classes as a whole does not count.
func (c *Column[D]) clashes(x *Explainer, id ClassID, words error) [][2]*witness {
	data := c.data
	defer func() { c.data = data }()
	c.data = slices.Clone(data)
	n := len(x.at)
	q := &inquiry[D]{c: c, x: x, by: make([][]*testimony[D], n), own: make([]ownFact[D], n)}
	for range maxAsked {
		more := false
		for o := range ClassID(n) {
			if x.late() {
				return nil
			}
			if _, ok := c.g.proofs.shrunk[o]; !ok && q.ask(o) {
				more = true
			}
		}
		if !more {
			break
		}
	}
	if out := q.pairs(id, words); len(out) > 0 {
		return out
	}
	for d := range ClassID(n) {
		if out := q.pairs(d, words); len(out) > 0 {
			return out
		}
	}
	return nil
}

// pairs lists the pairs of one class.
func (q *inquiry[D]) pairs(id ClassID, words error) (out [][2]*witness) {
	var others [][2]*witness
	for j, b := range q.by[id] {
		for _, a := range q.by[id][:j] {
			pair := [2]*witness{&a.witness, &b.witness}
			if b.size < a.size {
				pair = [2]*witness{&b.witness, &a.witness}
			}
			_, err := q.c.l.Merge(a.fact, b.fact)
			_, swapped := q.c.l.Merge(b.fact, a.fact)
			switch {
			case err == nil || swapped == nil:
			case err.Error() == words.Error() || swapped.Error() == words.Error():
				out = append(out, pair)
			default:
				others = append(others, pair)
			}
		}
	}
	if out == nil {
		out = others
	}
	return out[:min(len(out), maxBlamed)]
}

// ask finds what the term of an origin says with its own children and with terms
// that they equal. It reports whether that was news.
func (q *inquiry[D]) ask(o ClassID) bool {
	g, x := q.c.g, q.x
	at := x.opened(o)
	n := Node{Binders: x.binders(x.opOf(o))}
	var kids []Ref
	n.Op, n.Own, kids = x.term(at, n.Binders)
	var classes []ClassID
	for _, k := range kids {
		n.Kids = append(n.Kids, g.FindRef(k))
		if c := g.Find(k.ID); !slices.Contains(classes, c) {
			classes = append(classes, c)
		}
	}
	ways, news := 0, false
	// Facts of the children are chosen class by class, their own ones first.
	var choose func(i int)
	choose = func(i int) {
		if ways >= maxWays {
			return
		}
		if i < len(classes) {
			for _, d := range q.facts(classes[i], kids) {
				q.c.data[classes[i]] = d
				choose(i + 1)
			}
			return
		}
		fact := q.c.Of(n)
		if ways++; ways == 1 {
			q.own[o] = ownFact[D]{fact, !slices.ContainsFunc(kids, func(k Ref) bool { return !q.says(k) })}
		}
		if w := q.witness(o, kids, fact); w != nil {
			q.by[g.Find(o)] = append(q.by[g.Find(o)], w)
			news = true
		}
	}
	choose(0)
	return news
}

// facts lists what children of one class may say: what their own terms say, and
// what others of the class do.
func (q *inquiry[D]) facts(class ClassID, kids []Ref) (out []D) {
	add := func(d D) {
		if !slices.ContainsFunc(out, func(e D) bool { return q.c.l.Equal(d, e) }) {
			out = append(out, d)
		}
	}
	for _, k := range kids {
		if q.c.g.Find(k.ID) == class && q.own[k.ID].known {
			add(q.own[k.ID].fact)
		}
	}
	for _, w := range q.by[class] {
		add(w.fact)
	}
	return out
}

// says reports whether a child says by itself what is in the column.
func (q *inquiry[D]) says(k Ref) bool {
	own := q.own[k.ID]
	return own.known && q.c.l.Equal(own.fact, q.c.data[q.c.g.Find(k.ID)])
}

// witness is the term of an origin with children that say what is in the column,
// if it says something of the class that no term did.
func (q *inquiry[D]) witness(o ClassID, kids []Ref, fact D) *testimony[D] {
	known := q.by[q.c.g.Find(o)]
	// To Equal facts may be the same that differ in what no other e-node rests on.
	same := func(w *testimony[D]) bool { return q.c.l.Equal(w.fact, fact) && reflect.DeepEqual(w.fact, fact) }
	if len(known) >= maxFacts || slices.ContainsFunc(known, same) {
		return nil
	}
	out := &testimony[D]{witness{origin: o, kids: make([]*witness, len(kids)), size: 1}, fact}
	for i, k := range kids {
		class := q.c.g.Find(k.ID)
		if q.says(k) {
			out.size++
			continue
		}
		j := slices.IndexFunc(q.by[class], func(w *testimony[D]) bool { return q.c.l.Equal(w.fact, q.c.data[class]) })
		if j < 0 {
			return nil
		}
		out.kids[i] = &q.by[class][j].witness
		out.size += out.kids[i].size
	}
	if out.size > maxWitness {
		return nil
	}
	return out
}
