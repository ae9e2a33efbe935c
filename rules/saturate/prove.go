package saturate

import (
	"errors"
	"slices"
	"time"

	"egad/egraph"
	explain "egad/egraph/proof"
	"egad/internal/slice"
	"egad/rules"
	"egad/rules/match"
	"egad/rules/proof"
	"egad/slot"
	"egad/term"
	"egad/term/ops"
	"egad/term/overflow"
)

// Known is what a proof may rest on.
type Known struct {
	Equations []Equation   // that were recorded
	Instances []Instance   // of what is proved by them, parts first
	Assumed   []proof.Said // terms that are taken for equal
	// Language is that of the terms, nil if they are of arrays.
	Language *rules.Language
	End      time.Time // when it has to be over; zero if it need not
}

// Instance says that a term equals what it is where some of its variables, on which
// its value does not depend, have the values For.
type Instance struct {
	Of, Is term.Term
	For    map[slot.Name]term.Term
}

// Prove proves that two terms of a store are equal: from, and to with literals in the
// place of arrays of literals. The last equation of the proof says it; there is none if
// the terms are the same.
func (k Known) Prove(s *term.Store, from, to term.Term) (*proof.Proof, error) {
	return k.among(s, [2]term.Term{from, to})(0)
}

// Prover returns what proves that the terms of pair i of a store are equal, as [Known.Prove]
// does. Proofs of each pair by itself are shorter, as no terms of others are on the way; where
// there are many, what is known is gone through once for all.
func (k Known) Prover(s *term.Store, pairs ...[2]term.Term) func(i int) (*proof.Proof, error) {
	if len(pairs)*len(k.Equations) > maxApart {
		return k.among(s, pairs...)
	}
	return func(i int) (*proof.Proof, error) { return k.Prove(s, pairs[i][0], pairs[i][1]) }
}

// maxApart is how often an equation is looked at for proofs of pairs by themselves.
const maxApart = 1 << 15

// among is what proves pairs among the terms of all.
func (k Known) among(s *term.Store, pairs ...[2]term.Term) func(i int) (*proof.Proof, error) {
	c := newClosure(s)
	var ends [][2]slot.Ref
	unknown := overflow.Guard(func() error {
		for _, x := range pairs {
			c.enter(x[1])
			ends = append(ends, [2]slot.Ref{c.enter(x[0]), c.enter(s.Literals(x[1]))})
		}
		seen := make(map[uint32]bool)
		for _, x := range pairs {
			for _, t := range x {
				s.Walk(t, func(t term.Term) { c.forms(t, seen) })
			}
		}
		return k.give(c)
	})
	return func(i int) (out *proof.Proof, err error) {
		if err = unknown; err == nil {
			err = overflow.Guard(func() (err error) {
				out, err = c.prove(ends[i][0], ends[i][1], k.End)
				return err
			})
		}
		return out, err
	}
}

// give gives a closure what is known.
func (k Known) give(c *closure) error {
	var steps, instances []*fact
	for i := range k.Equations {
		e := &k.Equations[i]
		steps = append(steps, c.say(e.Kind, e.Left, e.Right, e.Evidence...))
		steps[i].equation = e
	}
	for i := range k.Instances {
		x := &k.Instances[i]
		instances = append(instances, c.say(proof.Instance, x.Of, x.Is))
		instances[i].of = x
	}
	// What holds by itself comes late, for short proofs, but before what rests on it.
	late := slices.IndexFunc(steps, func(f *fact) bool { return len(f.evidence) > 0 || f.equation.Open })
	if late < 0 {
		late = len(steps)
	}
	all := slices.Clone(steps[:late])
	for i, x := range k.Assumed {
		f := c.say(proof.Assumed, x.A, x.B)
		f.number, f.reason = i, x.Reason
		all = append(all, f)
	}
	all = slices.Concat(all, c.swaps(k.Language), c.literals(), steps[late:], instances)
	if c.err != nil {
		return c.err
	}
	for i, f := range all {
		if i%1000 == 0 && !k.End.IsZero() && time.Now().After(k.End) {
			return explain.ErrTime
		}
		c.unite(f, k)
	}
	return nil
}

// closure is a closure of the terms of a store.
type closure struct {
	*explain.Closure
	store *term.Store
	lang  *lang
	nodes map[uint32]named // the e-node of a term
	order []term.Term      // the terms, over names of their own
	terms map[egraph.ClassID]named
	err   error
}

func newClosure(s *term.Store) *closure {
	l := newLang(s.Signature(), true)
	return &closure{Closure: explain.NewClosure(l.eng), store: s, lang: l, nodes: make(map[uint32]named), terms: make(map[egraph.ClassID]named)}
}

// fact is what says that two terms are equal: one of the equations, an instance, or
// what holds by itself.
type fact struct {
	kind     proof.Kind
	equation *Equation
	of       *Instance
	number   int // of what is assumed
	reason   string
	sides    [2]slot.Ref
	evidence [][][][2]slot.Ref // by condition of the equation, ways to what it may rest on
}

// say adds two terms that are equal.
func (c *closure) say(k proof.Kind, a, b term.Term, evidence ...match.Evidence) *fact {
	f := &fact{kind: k, sides: [2]slot.Ref{c.enter(a), c.enter(b)}}
	for _, e := range evidence {
		var ways [][][2]slot.Ref
		for _, way := range e {
			pairs := slice.Map(way, func(x [2]term.Term) [2]slot.Ref { return [2]slot.Ref{c.enter(x[0]), c.enter(x[1])} })
			ways = append(ways, pairs)
		}
		f.evidence = append(f.evidence, ways)
	}
	return f
}

// enter adds a term and its subterms.
func (c *closure) enter(t term.Term) slot.Ref {
	x, ok := c.nodes[t.ID]
	if !ok {
		own := term.Term{ID: t.ID, Args: c.Graph.FreshN(len(t.Args))}
		binders := c.Graph.FreshN(c.store.Binders(t))
		v := c.store.OpenWith(own, binders)
		kids := slice.Map(v.Kids, c.enter)
		op, err := c.lang.op(v.Op, len(kids))
		if err != nil {
			c.err = errors.Join(c.err, err)
			return slot.Ref{}
		}
		x = named{c.Graph.Add(op, v.Own, binders, kids), own.Args}
		c.nodes[t.ID], c.terms[x.ref.ID] = x, named{own, x.ref.Args}
		c.order = append(c.order, own)
	}
	return x.ref.RenameFrom(x.names, t.Args)
}

// forms adds the ways to make a literal array of others, unless it has been seen.
func (c *closure) forms(t term.Term, seen map[uint32]bool) {
	if seen[t.ID] {
		return
	}
	seen[t.ID] = true
	for _, v := range c.store.Forms(t) {
		for _, k := range v.Kids {
			c.forms(k, seen)
		}
		c.enter(c.store.MustMake(v.Op, nil, nil, v.Kids))
	}
}

// swaps adds terms of commutative operators, and of a language that two terms differ, with
// their operands in the other order.
func (c *closure) swaps(l *rules.Language) (out []*fact) {
	for _, p := range c.Swapped(func(id egraph.ClassID) bool { return proof.Commutes(c.store, c.terms[id].ref, l) }) {
		t := c.term(p[0])
		v := c.store.OpenWith(t, nil)
		out = append(out, c.say(proof.Swapped, t, c.store.MustMake(v.Op, nil, nil, []term.Term{v.Kids[1], v.Kids[0]})))
	}
	return out
}

// literals adds the literals that terms are, and the tuples of which tuples have all
// components.
func (c *closure) literals() (out []*fact) {
	is := make(map[uint32]term.Term) // by node of a closed term
	for _, t := range c.order {
		sym := c.store.Op(t).Sym
		if literal := sym == ops.SymStack || sym == ops.SymReplicate; sym != ops.SymTuple && !(literal && len(t.Args) == 0) {
			continue
		}
		v := c.store.OpenWith(t, nil)
		for i, k := range v.Kids {
			if lit, ok := is[k.ID]; ok {
				v.Kids[i] = lit
			}
		}
		flat := c.store.MustMake(v.Op, nil, nil, v.Kids)
		if lit, ok := c.store.Literal(flat); ok {
			is[t.ID] = lit
			out = append(out, c.say(proof.Literal, flat, lit))
		}
	}
	return out
}

// unite unites what a fact says to be equal. An instance rests on it that a term is the
// same for all values of some variables: if that is not so, it says nothing.
func (c *closure) unite(f *fact, k Known) {
	if f.kind == proof.Instance {
		other := slot.Ref{ID: f.sides[0].ID, Args: slices.Clone(f.sides[0].Args)}
		for i, n := range other.Args {
			if _, ok := f.of.For[n]; ok {
				other.Args[i] = c.Graph.Fresh()
			}
		}
		f.evidence = [][][][2]slot.Ref{{{{f.sides[0], other}}}}
	}
	var rests [][2]slot.Ref
	if len(f.evidence) > 0 {
		c.Rebuild()
		unknown := func(p [2]slot.Ref) bool { return !c.Graph.Same(p[0], p[1]) }
		for _, ways := range f.evidence {
			if i := slices.IndexFunc(ways, func(way [][2]slot.Ref) bool { return !slices.ContainsFunc(way, unknown) }); i >= 0 {
				rests = append(rests, ways[i]...)
			}
		}
	}
	if e := f.equation; e != nil && e.Open {
		c.Rebuild()
		for _, p := range c.bounding(proof.Options{Finite: e.Finite, Assumed: k.Assumed}, e) {
			rests = append(rests, [2]slot.Ref{c.enter(p[0]), c.enter(p[1])})
		}
	}
	rests = slices.DeleteFunc(rests, func(p [2]slot.Ref) bool { return p[0].Equal(p[1]) })
	if f.kind == proof.Instance && len(rests) == 0 {
		return
	}
	c.Give(f, f.sides[0], f.sides[1], rests...)
}

// term is the term of an e-node.
func (c *closure) term(r slot.Ref) term.Term {
	x := c.terms[r.ID]
	return x.ref.RenameFrom(x.names, r.Args)
}

func (c *closure) prove(from, to slot.Ref, end time.Time) (*proof.Proof, error) {
	lemmas, err := c.Closure.Prove(from, to, end)
	if err != nil {
		return nil, err
	}
	out := &proof.Proof{Store: c.store, Rests: make(map[int][]int)}
	steps := make(map[*Equation]int)
	for _, e := range lemmas {
		eq := proof.Equation{From: c.term(e.From)}
		for _, l := range e.Legs {
			link := proof.Link{Kind: proof.InOperands, To: c.term(l.To), Kids: l.Kids}
			if f, given := l.Why.(*fact); given {
				link.Kind, link.Kids = f.kind, nil
				switch f.kind {
				case proof.ByRule:
					n, known := steps[f.equation]
					if !known {
						n = len(steps)
						steps[f.equation] = n
						out.Steps = append(out.Steps, &f.equation.Application)
						if len(l.Kids) > 0 {
							out.Rests[n] = l.Kids
						}
					}
					link.Step, link.Reverse = n, l.Reverse
				case proof.Computed:
					link.Reverse, link.Reason = l.Reverse, proof.Folding
				case proof.Assumed:
					link.Step, link.Reverse, link.Reason = f.number, l.Reverse, f.reason
				case proof.Instance:
					of := l.From
					if l.Reverse {
						of = l.To
					}
					link.Kids, link.Reverse = l.Kids, l.Reverse
					link.Values = c.values(f.of, &out.Equations[l.Kids[0]], c.term(of))
				}
			}
			eq.Links = append(eq.Links, link)
		}
		out.Equations = append(out.Equations, eq)
	}
	return out, nil
}

// values are what the variables of the equation that an instance rests on stand for: as
// in the term that the instance is of, and for those that do not matter the values.
func (c *closure) values(x *Instance, eq *proof.Equation, of term.Term) []term.Term {
	var out []term.Term
	for i, v := range c.store.Vars(of) {
		out = append(out, c.store.Variable(of.Args[i], v))
	}
	for i, n := range x.Of.Args {
		if by, ok := x.For[n]; ok && !eq.From.Has(eq.To().Args[i]) {
			out = append(out, by)
		}
	}
	return out
}
