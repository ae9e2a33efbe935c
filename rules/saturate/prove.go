package saturate

import (
	"errors"
	"slices"

	"egad/egraph"
	explain "egad/egraph/proof"
	"egad/rules/proof"
	"egad/slot"
	"egad/term"
)

// Prove proves that two terms of a store are equal by equations that were recorded:
// from, and to with literals in the place of arrays of literals. The last equation of
// the proof says it; there is none if the terms are the same. It may rest on what is
// assumed to be equal.
func Prove(s *term.Store, eqs []Equation, from, to term.Term, assumed ...[2]term.Term) (*proof.Proof, error) {
	var out *proof.Proof
	err := term.Guard(func() error {
		c := newClosure(s)
		c.add(to)
		a, b := c.add(from), c.add(s.Literals(to))
		sides := make([][2]slot.Ref, len(eqs))
		for i := range eqs {
			sides[i] = [2]slot.Ref{c.add(eqs[i].Left), c.add(eqs[i].Right)}
		}
		for _, x := range assumed {
			c.axioms = append(c.axioms, axiom{proof.Assumed, [2]slot.Ref{c.add(x[0]), c.add(x[1])}})
		}
		c.swap()
		c.literals()
		if c.err != nil {
			return c.err
		}
		for i := range eqs {
			c.give(sides[i], i)
		}
		for _, a := range c.axioms {
			c.give(a.sides, -int(a.kind))
		}
		var err error
		out, err = c.prove(eqs, a, b)
		return err
	})
	return out, err
}

// closure is an e-graph in which every term has an e-node of its own, until the
// equations are given; what follows from them by congruence is its work.
type closure struct {
	store  *term.Store
	g      *egraph.Graph
	log    *explain.Log
	lang   *lang
	nodes  map[uint32]named // the e-node of a term
	order  []term.Term      // the terms, over names of their own
	terms  map[egraph.ClassID]named
	axioms []axiom
	given  map[int]int // by number of what was given: the equation, or less than 0 the kind of an axiom
	err    error
}

func newClosure(s *term.Store) *closure {
	l := newLang(s.Signature(), true)
	c := &closure{store: s, lang: l, g: egraph.New(l.eng), nodes: make(map[uint32]named), terms: make(map[egraph.ClassID]named), given: make(map[int]int)}
	c.log = explain.Keep(c.g)
	return c
}

// axiom is an equation that holds by itself.
type axiom struct {
	kind  proof.Kind
	sides [2]slot.Ref
}

// add adds a term and its subterms.
func (c *closure) add(t term.Term) slot.Ref {
	x, ok := c.nodes[t.ID]
	if !ok {
		own := term.Term{ID: t.ID}
		for range t.Args {
			own.Args = append(own.Args, c.g.Fresh())
		}
		binders := make([]slot.Name, c.store.Binders(t))
		for i := range binders {
			binders[i] = c.g.Fresh()
		}
		v := c.store.OpenWith(own, binders)
		kids := make([]slot.Ref, len(v.Kids))
		for i, k := range v.Kids {
			kids[i] = c.add(k)
		}
		op, err := c.lang.op(v.Op, len(kids))
		if err != nil {
			c.err = errors.Join(c.err, err)
			return slot.Ref{}
		}
		x = named{c.g.Add(op, v.Own, binders, kids), own.Args}
		c.nodes[t.ID], c.terms[x.ref.ID] = x, named{own, x.ref.Args}
		c.order = append(c.order, own)
	}
	return x.ref.RenameFrom(x.names, t.Args)
}

// swap adds terms of commutative operators with their operands in the other order.
func (c *closure) swap() {
	for _, t := range slices.Clone(c.order) {
		if !c.store.Signature().Operator(c.store.Op(t).Sym).Commutative {
			continue
		}
		v := c.store.OpenWith(t, nil)
		u := c.store.MustMake(v.Op, nil, nil, []term.Term{v.Kids[1], v.Kids[0]})
		if _, known := c.nodes[u.ID]; !u.Equal(t) && (!known || t.ID <= u.ID) {
			c.axioms = append(c.axioms, axiom{proof.Swapped, [2]slot.Ref{c.add(t), c.add(u)}})
		}
	}
}

// literals adds the literals that terms are.
func (c *closure) literals() {
	is := make(map[uint32]term.Term) // by node of a closed term
	for _, t := range c.order {
		sym := c.store.Op(t).Sym
		if sym != term.SymStack && sym != term.SymReplicate || len(t.Args) > 0 {
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
			c.axioms = append(c.axioms, axiom{proof.Literal, [2]slot.Ref{c.add(flat), c.add(lit)}})
		}
	}
}

func (c *closure) give(sides [2]slot.Ref, number int) {
	if n := c.log.Give(sides[0], sides[1]); n > 0 {
		c.given[n] = number
	}
}

// term is the term of an e-node.
func (c *closure) term(r slot.Ref) term.Term {
	x := c.terms[r.ID]
	return x.ref.RenameFrom(x.names, r.Args)
}

func (c *closure) prove(eqs []Equation, from, to slot.Ref) (*proof.Proof, error) {
	shared, err := c.log.Explainer().Shared(from, to)
	if err != nil {
		return nil, err
	}
	out := &proof.Proof{Store: c.store}
	for _, e := range shared {
		eq := proof.Equation{From: c.term(e.From)}
		for _, l := range e.Links {
			link := proof.Link{Kind: proof.InOperands, To: c.term(l.To), Kids: l.Kids}
			if l.Given > 0 {
				link.Kind, link.Step, link.Reverse = proof.ByRule, c.given[l.Given], l.Reverse
				if link.Step < 0 {
					link.Kind, link.Step, link.Reverse = proof.Kind(-link.Step), 0, false
				}
			}
			eq.Links = append(eq.Links, link)
		}
		out.Equations = append(out.Equations, eq)
	}
	// Of the steps those that are used are kept, in the order in which they are used.
	steps := make(map[int]int) // by recorded equation
	out.Walk(func(l *proof.Link, _ []int) {
		k, known := steps[l.Step]
		if !known {
			k = len(out.Steps)
			steps[l.Step] = k
			out.Steps = append(out.Steps, &eqs[l.Step].Application)
		}
		l.Step = k
	})
	return out, nil
}
