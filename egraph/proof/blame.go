package proof

import (
	"errors"
	"reflect"
	"slices"

	"egad/egraph"
)

// Blame explains the contradiction that a run has stopped at: it proves that two
// terms are equal of which an analysis says, by themselves, that they cannot be. At
// least one rule of the proof is unsound, or something that was given is wrong. Of
// several pairs of terms the one with the shortest proof counts, as far as
// [maxBlamed] pairs go.
func (x *Explainer) Blame() (*Proof, error) {
	if x.g.Err() == nil {
		return nil, errors.New("there is no contradiction")
	}
	var best *Proof
	first := errors.New("no two terms of the class contradict each other by themselves")
	class, analysis := x.g.Conflict()
	for k, pair := range x.clashes(analysis, x.g.Find(class), errors.Unwrap(x.g.Err())) {
		if x.expired() {
			break
		}
		x.steps = 0
		p, err := x.clash(pair[0], pair[1])
		if err != nil && k == 0 {
			first = err
		}
		if err == nil && (best == nil || len(p.Steps) < len(best.Steps)) {
			best = p
		}
	}
	switch {
	case best != nil:
		return best, nil
	case x.expired():
		return nil, ErrTime
	}
	return nil, first
}

const maxBlamed = 50

// example is a term with the fact that it says by itself: a logged term, in which
// some children are other terms that they equal. Of x with the fact "a number, 0 to
// 9" and x = 3, f(3) is an example of what f(x) says.
type example struct {
	logged egraph.ClassID
	kids   []*example // nil for a child that stays
	size   int
	fact   any
}

// maxExample bounds the size of an example.
const maxExample = 1000

// clash proves that two examples are equal.
func (x *Explainer) clash(a, b *example) (*Proof, error) {
	from := x.opened(a.logged)
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

// toward is the steps from a logged term to an example that equals it, which it
// gives too.
func (x *Explainer) toward(from egraph.Ref, e *example) ([]Step, *egraph.Tree, error) {
	to := x.blank(e.logged)
	steps, err := x.path(from, to, len(x.edges))
	if err != nil {
		return nil, nil, err
	}
	for k, n := range to.Args {
		to.Args[k] = x.decided(n)
	}
	rest, t, err := x.unfold(to, e)
	return join(steps, rest), t, err
}

// unfold is the steps from the logged term of an example to the example.
func (x *Explainer) unfold(at egraph.Ref, e *example) (steps []Step, t *egraph.Tree, err error) {
	t = &egraph.Tree{Binders: x.binders(x.opOf(at.ID))}
	var kids []egraph.Ref
	t.Op, t.Own, kids = x.term(at, t.Binders)
	for k, r := range kids {
		if e.kids == nil || e.kids[k] == nil {
			t.Kids = append(t.Kids, x.tree(r))
			continue
		}
		s, u, err := x.toward(r, e.kids[k])
		if err != nil {
			return nil, nil, err
		}
		steps = join(steps, x.inside(t.Op, k, t.Binders, s))
		t.Kids = append(t.Kids, u)
	}
	return steps, t, nil
}

// inquiry asks the terms of the log for facts.
type inquiry struct {
	x        *Explainer
	analysis egraph.Analysis
	by       [][]*example // by class at present
	own      []any        // by logged term: what it says itself
	// unsaid marks the terms of which equal children say different things: an
	// analysis has one fact for both.
	unsaid []bool
}

// How many different facts of a class are followed, how many ways to take those of
// the children of one term, and how often all terms are asked.
const (
	maxFacts = 8
	maxWays  = 64
	maxAsked = 100
)

// clashes lists pairs of examples that contradict each other: of one class and in
// these words if there are such, else in other words, else of other classes. What is
// known of classes as a whole does not count.
func (x *Explainer) clashes(a egraph.Analysis, id egraph.ClassID, words error) [][2]*example {
	known := make(map[egraph.ClassID]any)
	for c := range x.n {
		if x.g.Find(c) == c {
			known[c] = a.Known(c)
		}
	}
	defer func() {
		for c, fact := range known {
			a.Suppose(c, fact)
		}
	}()
	q := &inquiry{x: x, analysis: a, by: make([][]*example, x.n), own: make([]any, x.n), unsaid: slices.Repeat([]bool{true}, int(x.n))}
	for range maxAsked {
		more := false
		x.each(func(o egraph.ClassID) { more = o < x.n && !x.late() && q.ask(o) || more })
		if x.expired() {
			return nil
		}
		if !more {
			break
		}
	}
	out := q.pairs(id, words)
	for d := egraph.ClassID(0); d < x.n && len(out) == 0; d++ {
		out = q.pairs(d, words)
	}
	return out
}

// pairs lists the pairs of one class.
func (q *inquiry) pairs(id egraph.ClassID, words error) (out [][2]*example) {
	var others [][2]*example
	for j, b := range q.by[id] {
		for _, a := range q.by[id][:j] {
			pair := [2]*example{a, b}
			if b.size < a.size {
				pair = [2]*example{b, a}
			}
			_, err := q.analysis.Merge(a.fact, b.fact)
			_, swapped := q.analysis.Merge(b.fact, a.fact)
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

// ask finds what a logged term says with its own children and with terms that they
// equal. It reports whether that was news.
func (q *inquiry) ask(o egraph.ClassID) bool {
	g, x := q.x.g, q.x
	at := x.opened(o)
	n := egraph.Node{Binders: x.binders(x.opOf(o))}
	var kids []egraph.Ref
	n.Op, n.Own, kids = x.term(at, n.Binders)
	var classes []egraph.ClassID
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
				q.analysis.Suppose(classes[i], d)
				choose(i + 1)
			}
			return
		}
		fact := q.analysis.Fact(n)
		if ways++; ways == 1 {
			q.own[o], q.unsaid[o] = fact, slices.ContainsFunc(kids, func(k egraph.Ref) bool { return !q.says(k) })
		}
		if e := q.example(o, kids, fact); e != nil {
			q.by[g.Find(o)] = append(q.by[g.Find(o)], e)
			news = true
		}
	}
	choose(0)
	return news
}

// facts lists what children of one class may say: what their own terms say, and
// what others of the class do.
func (q *inquiry) facts(class egraph.ClassID, kids []egraph.Ref) (out []any) {
	add := func(d any) {
		if !slices.ContainsFunc(out, func(e any) bool { return q.analysis.Equal(d, e) }) {
			out = append(out, d)
		}
	}
	for _, k := range kids {
		if q.x.g.Find(k.ID) == class && !q.unsaid[k.ID] {
			add(q.own[k.ID])
		}
	}
	for _, e := range q.by[class] {
		add(e.fact)
	}
	return out
}

// says reports whether a child says by itself what is supposed of its class.
func (q *inquiry) says(k egraph.Ref) bool {
	return !q.unsaid[k.ID] && q.analysis.Equal(q.own[k.ID], q.analysis.Known(q.x.g.Find(k.ID)))
}

// example is a logged term with children that say what is supposed of their classes,
// if it says something of its class that no term did.
func (q *inquiry) example(o egraph.ClassID, kids []egraph.Ref, fact any) *example {
	known := q.by[q.x.g.Find(o)]
	// To Equal facts may be the same that differ in what no other e-node rests on.
	same := func(e *example) bool { return q.analysis.Equal(e.fact, fact) && reflect.DeepEqual(e.fact, fact) }
	if len(known) >= maxFacts || slices.ContainsFunc(known, same) {
		return nil
	}
	out := &example{logged: o, kids: make([]*example, len(kids)), size: 1, fact: fact}
	for i, k := range kids {
		class := q.x.g.Find(k.ID)
		if q.says(k) {
			out.size++
			continue
		}
		j := slices.IndexFunc(q.by[class], func(e *example) bool { return q.analysis.Equal(e.fact, q.analysis.Known(class)) })
		if j < 0 {
			return nil
		}
		out.kids[i] = q.by[class][j]
		out.size += out.kids[i].size
	}
	if out.size > maxExample {
		return nil
	}
	return out
}
