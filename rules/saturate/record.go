package saturate

import (
	"fmt"

	"egad/egraph"
	"egad/rules"
	"egad/rules/proof"
	"egad/slot"
	"egad/term"
)

// Equation says of two terms that they are equal: as an application of a rule does of its
// sides, or because it is computed.
type Equation struct {
	Kind proof.Kind // ByRule or Computed
	rules.Application
	Left, Right term.Term
	// Evidence has by condition terms that are equal as it says, or that show it by being
	// equal.
	Evidence []rules.Evidence
}

// recorder records applications of rules as equations of terms. A class is put down
// as a term of it, the same each time.
type recorder struct {
	g       *Graph
	store   *term.Store
	terms   map[egraph.ClassID]named
	classes map[uint32]named // the class of a term that stands for one, by node
	list    []Equation
	known   terms
	finite  bool // what is known of them takes the reals among the inputs for finite
}

// named is a reference and the names it is in: of the slots of a class, or of those
// of a term.
type named struct {
	ref   slot.Ref
	names []slot.Name
}

// Record makes the graph record applications of rules, as equations of terms of s.
// It is called before rules are applied.
func (g *Graph) Record(s *term.Store) {
	g.record = &recorder{g: g, store: s, terms: make(map[egraph.ClassID]named), classes: make(map[uint32]named)}
}

// Recorded lists the equations in the order in which rules were applied, those that
// are news.
func (g *Graph) Recorded() []Equation { return g.record.list }

// Unite unites two classes because somebody says so, and returns the terms that stand for
// them. The graph must record.
func (g *Graph) Unite(a, b slot.Ref) (x, y term.Term) {
	x, y = g.record.term(a), g.record.term(b)
	g.Union(a, b)
	return x, y
}

// applied records an application whose sides are in classes l and r.
func (c *recorder) applied(m *rules.Match, ops []term.Op, l, r slot.Ref) (err error) {
	if c.g.Same(l, r) {
		return nil
	}
	return term.Guard(func() error {
		is := make(map[slot.Name]slot.Name)
		name := func(n slot.Name) slot.Name {
			if _, ok := is[n]; !ok {
				is[n] = c.store.Fresh()
			}
			return is[n]
		}
		var refs []slot.Ref
		e := Equation{Application: rules.Application{Ops: ops, Match: m.In(name, func(r slot.Ref) slot.Ref {
			refs = append(refs, r)
			return c.term(r).Rename(name)
		})}}
		sides, err := e.Sides(rules.Terms{Store: c.store})
		if err != nil {
			return fmt.Errorf("the application of %s cannot be recorded: %w", m.Rule.Name, err)
		}
		if e.Left, e.Right = sides.Lhs, sides.Rhs; e.Left.Equal(e.Right) {
			return nil
		}
		rests, open, err := e.Application.Rests(c.space())
		if open {
			seen := make(map[egraph.ClassID]bool)
			for _, r := range refs {
				rests = c.shows(r, seen, rests)
			}
		}
		for _, pair := range rests {
			e.Evidence = append(e.Evidence, rules.Evidence{{pair}})
		}
		c.list = append(c.list, e)
		return err
	})
}

// terms is the terms of a store, with what is known of them.
type terms struct {
	rules.Terms
	*term.Supposed
}

func (t terms) Bounds(r slot.Ref) term.Bounds { return t.Supposed.Bounds(r) }

func (c *recorder) space() terms {
	if c.known.Supposed == nil || c.finite != c.g.finite {
		c.finite = c.g.finite
		c.known = terms{rules.Terms{Store: c.store}, c.store.Supposing(c.finite)}
	}
	return c.known
}

// maxShown bounds how many terms show what is known of classes.
const maxShown = 100

// shows adds pairs of the term that stands for a class and of others of the class, if
// these say more of it: a literal, or those that bound it, with what they rest on.
func (c *recorder) shows(r slot.Ref, seen map[egraph.ClassID]bool, to [][2]term.Term) [][2]term.Term {
	r = c.g.FindRef(r)
	if seen[r.ID] || len(to) > maxShown {
		return to
	}
	seen[r.ID] = true
	t := c.term(r)
	var nodes []term.View
	c.g.Nodes(r, func(v term.View) bool {
		if v.Op.Sym == term.SymConst {
			nodes = []term.View{v}
			return false
		}
		if c.space().Bounds(t) != c.g.Bounds(r) {
			nodes = append(nodes, v)
		}
		return true
	})
	for _, v := range nodes {
		for i, k := range v.Kids {
			to = c.shows(k, seen, to)
			v.Kids[i] = c.term(k)
		}
		if u := c.store.MustMake(v.Op, v.Own, v.Binders, v.Kids); !u.Equal(t) {
			to = append(to, [2]term.Term{t, u})
		}
	}
	return to
}

// term is the term that stands for a class.
func (c *recorder) term(r slot.Ref) term.Term {
	r = c.g.FindRef(r)
	x, ok := c.terms[r.ID]
	if !ok {
		own := slot.Ref{ID: r.ID}
		for range r.Args {
			own.Args = append(own.Args, c.g.Fresh())
		}
		n := c.g.least(own)
		kids := make([]term.Term, len(n.Kids))
		for i, k := range n.Kids {
			kids[i] = c.term(k)
		}
		x = named{c.store.MustMake(c.g.TermOp(n.Op), n.Own, n.Binders, kids), own.Args}
		c.terms[r.ID] = x
		if _, known := c.classes[x.ref.ID]; !known {
			c.classes[x.ref.ID] = named{own, x.ref.Args}
		}
	}
	return x.ref.RenameFrom(x.names, r.Args)
}

// class is the class that a term stands for.
func (c *recorder) class(t term.Term) slot.Ref {
	x := c.classes[t.ID]
	return c.g.FindRef(x.ref.RenameFrom(x.names, t.Args))
}

// subst is [Graph.Subst] in the term that stands for a class.
func (c *recorder) subst(t term.Term, env map[slot.Name]rules.Replacement) slot.Ref {
	// The class may depend on less than the term.
	if out, ok := c.g.renaming(t, env); ok {
		return c.class(out)
	}
	binders := make([]slot.Name, c.store.Binders(t))
	for i := range binders {
		binders[i] = c.g.Fresh()
	}
	v := c.store.OpenWith(t, binders)
	if len(v.Own) > 0 {
		return env[v.Own[0]].By
	}
	kids := make([]slot.Ref, len(v.Kids))
	for i, k := range v.Kids {
		kids[i] = c.subst(k, env)
	}
	out, err := c.g.Make(v.Op, v.Own, v.Binders, kids)
	if err != nil {
		panic(fmt.Sprintf("substitution in a term makes an ill-typed term: %s", err.Msg))
	}
	return out
}
