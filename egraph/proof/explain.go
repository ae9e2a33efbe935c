package proof

import (
	"fmt"
	"slices"
	"time"

	"egad/egraph"
	"egad/internal/memo"
	"egad/internal/raise"
	"egad/internal/slice"
	"egad/slot"
)

// Explain proves that the terms of each pair are equal, until the end at most unless that is
// zero. It is an error if they are not known to be equal. What the graph knows is gone through once
// for all pairs.
func (h *History) Explain(end time.Time, pairs ...[2]*egraph.Tree) (_ []*Proof, err error) {
	defer raise.Caught(&err)
	x := &replay{h: h, c: NewClosure(h.g.Signature().Free()), refs: make(map[*egraph.Tree]egraph.Ref)}
	formed := newTerms(h.g.Signature())
	var ends [][2]egraph.Ref
	for _, p := range pairs {
		x.unlike(p[0], p[1])
		var refs [2]egraph.Ref
		for k, t := range p {
			formed.ref(t)
			refs[k] = x.add(t)
		}
		ends = append(ends, refs)
	}
	steps := x.read(end)
	swapped := x.c.Swapped(func(t egraph.ClassID) bool { return commutes(h.g.Signature(), x.c.log.op(t)) })
	for i, s := range steps {
		if i%1000 == 0 && over(end) {
			return nil, ErrTime
		}
		x.c.Give(s, x.add(s.From), x.add(s.To))
	}
	for _, t := range swapped {
		x.c.Give((*Step)(nil), t[0], t[1])
	}
	x.ends = newTrees(&x.c.log.logged, x.c.log.name)
	out := make([]*Proof, len(pairs))
	for i, e := range ends {
		out[i] = x.proof(raise.Must(x.c.Prove(e[0], e[1], end)))
	}
	return out, nil
}

func over(end time.Time) bool { return !end.IsZero() && time.Now().After(end) }

// replay makes equations of terms of a history.
type replay struct {
	h     *History
	c     *Closure
	refs  map[*egraph.Tree]egraph.Ref // in the closure
	terms *trees                      // of the classes of the graph
	ends  *trees                      // of the closure
}

// unlike has names that are given later differ from those in terms.
func (x *replay) unlike(ts ...*egraph.Tree) {
	used := make(map[slot.Name]bool)
	for _, t := range ts {
		if t != nil {
			t.Names(used)
		}
	}
	for n := range used {
		x.c.log.fresh = max(x.c.log.fresh, n)
	}
}

// add adds a well-formed term to the closure.
func (x *replay) add(t *egraph.Tree) egraph.Ref {
	return memo.Of(x.refs, t, func() egraph.Ref {
		kids := slice.Map(t.Kids, x.add)
		return x.c.Add(t.Op, t.Own, t.Binders, kids)
	})
}

// read makes steps of what happened, in that order, and adds their terms.
func (x *replay) read(end time.Time) (out []*Step) {
	h := x.h
	for _, g := range h.given {
		x.unlike(g.terms[0], g.terms[1])
	}
	l := h.logged
	l.dropped = make(map[[3]uint32]slot.Name) // the names are others each time
	x.terms = newTrees(&l, x.c.log.name)
	past := h.g.Past()
	for i, e := range h.events.all() {
		if i%1000 == 0 && over(end) {
			raise.Error(ErrTime)
		}
		var s *Step
		var err error
		if e.rule == byUser {
			s = x.given(&h.given[e.at])
		} else if s, err = x.step(h.list[e.rule], past, h.words.from(e.at)); err != nil {
			raise.Error(fmt.Errorf("%s: %w", h.list[e.rule].Name, err))
		}
		x.add(s.From)
		x.add(s.To)
		out = append(out, s)
	}
	return out
}

// given is the step of what was given.
func (x *replay) given(g *given) *Step {
	if g.terms[0] != nil {
		return &Step{Reason: g.reason, From: g.terms[0], To: g.terms[1]}
	}
	return &Step{Reason: g.reason, From: x.term(g.a), To: x.term(g.b)}
}

// term is the term of a class, with names as numbers.
func (x *replay) term(t egraph.Term) *egraph.Tree {
	r := egraph.Ref{ID: t.ID}
	for _, p := range x.h.vecs.Get(t.Args) {
		r.Args = append(r.Args, slot.Name(p))
	}
	return x.terms.of(r)
}

// step is the step of an application of a rule.
func (x *replay) step(r *egraph.Rule, past *egraph.Past, words []uint32) (s *Step, err error) {
	defer raise.Caught(&err)
	m, rest := past.Match(r, words)
	s = &Step{Rule: r, Reason: r.Name}
	for i := range r.Lhs.Vars() {
		v := m.Var(i)
		if op, ok := r.Variables[i]; ok { // its class may be named after another term that equals a variable
			s.Vars = append(s.Vars, &egraph.Tree{Op: op, Own: v.Args[:1]})
		} else {
			s.Vars = append(s.Vars, x.terms.of(v))
		}
	}
	for i := range r.Lhs.Lists() {
		var list []*egraph.Tree
		for _, v := range m.List(i) {
			list = append(list, x.terms.of(v))
		}
		s.Lists = append(s.Lists, list)
	}
	for i := range r.Lhs.Bound() {
		s.Bound = append(s.Bound, m.Bound(i))
	}
	for len(s.Bound) < max(r.Rhs.Bound(), r.From.Bound()) {
		s.Bound = append(s.Bound, x.c.log.name())
	}
	for i := range r.Lhs.BoundLists() {
		s.BoundLists = append(s.BoundLists, m.BoundList(i))
	}
	sig := x.h.g.Signature()
	left := &sides{sig: sig, step: s}
	left.op = func(p *egraph.Pattern, place int) egraph.Op {
		op := m.Op(p.Position, place)
		s.Ops = append(s.Ops, op)
		return op
	}
	left.shape = func(p *egraph.Pattern) int {
		k := m.Shape(p)
		s.Shape = append(s.Shape, k)
		return k
	}
	s.From = left.term(r.Lhs.Pattern(), nil, 0)
	right := &sides{sig: sig, step: s}
	if r.Apply != nil {
		if s.To = x.term(egraph.Term{ID: rest[0], Args: rest[1]}); rest[2] != 0 {
			s.Left, s.From = s.From, x.term(egraph.Term{ID: rest[3], Args: rest[4]})
		}
		return s, nil
	}
	if r.From != nil {
		s.Left, s.From = s.From, right.term(r.From.Pattern(), nil, 0)
	}
	s.To = right.term(r.Rhs.Pattern(), nil, 0)
	return s, nil
}

// proof is a proof of lemmas.
func (x *replay) proof(lemmas []Lemma) *Proof {
	p := &Proof{}
	for _, l := range lemmas {
		e := Equation{From: x.ends.of(l.From)}
		for _, g := range l.Legs {
			link := Link{To: x.ends.of(g.To)}
			if s, given := g.Why.(*Step); !given {
				link.Kids = g.Kids
			} else if link.Step = s; s != nil {
				link.Reverse = g.Reverse
			}
			e.Links = append(e.Links, link)
		}
		p.Equations = append(p.Equations, e)
	}
	return p
}

// trees makes terms of classes; those that are alike are made once.
type trees struct {
	log   *logged
	fresh func() slot.Name
	known map[string]*egraph.Tree
}

func newTrees(l *logged, fresh func() slot.Name) *trees {
	return &trees{l, fresh, make(map[string]*egraph.Tree)}
}

// of is the term of a class.
func (x *trees) of(r egraph.Ref) *egraph.Tree {
	return memo.Of(x.known, fmt.Sprint(r.ID, r.Args), func() *egraph.Tree {
		op, own, binders, kids := x.log.Open(egraph.Ref{ID: r.ID, Args: slices.Clone(r.Args)}, x.fresh)
		return &egraph.Tree{Op: op, Own: own, Binders: binders, Kids: slice.Map(kids, x.of)}
	})
}
