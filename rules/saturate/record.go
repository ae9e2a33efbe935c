package saturate

import (
	"errors"
	"fmt"
	"time"

	"egad/egraph"
	explain "egad/egraph/proof"
	"egad/internal/memo"
	"egad/internal/slice"
	"egad/rules"
	"egad/rules/match"
	"egad/rules/proof"
	"egad/slot"
	"egad/term"
	"egad/term/ops"
	"egad/term/overflow"
)

// Equation says of two terms that they are equal: as an application of a rule does of its
// sides, or because it is computed.
type Equation struct {
	Kind proof.Kind // ByRule or Computed
	match.Application
	Left, Right term.Term
	// Evidence has by condition terms that are equal as it says, or that show it by being
	// equal.
	Evidence []match.Evidence
	// Open says that other conditions, of a rule for arrays, do not hold of the terms by themselves,
	// but because of what parts of them equal; Finite that they take the reals among the inputs for
	// finite.
	Open, Finite bool
}

// recorder has a graph write a history, and makes equations of terms of it. The term of a
// class is that for which the class was made.
type recorder struct {
	g       *Graph
	history *explain.History
	store   *term.Store
	terms   map[egraph.ClassID]named
	known   terms
	finite  bool // what is known takes the reals among the inputs for finite
	reading reading
	folded  []folded
	told    map[uint32]bool // terms that are computed
	found   *Finder
	atoms   map[egraph.ClassID][]ops.Op // the numbers and symbols of a class
	chosen  map[substituted]named
	list    []Equation
}

// folded is what an operator gives for constants, as operators.
type folded struct {
	after int // applications of rules
	op    egraph.Op
	kids  []egraph.Op
	is    egraph.Op
}

// named is a reference and the names it is in: of the slots of a class, or of those
// of a term.
type named struct {
	ref   slot.Ref
	names []slot.Name
}

// Record makes the graph record applications of rules, which [Graph.Recorded] makes equations
// of terms of s. It is called before anything is added.
func (g *Graph) Record(s *term.Store) {
	g.record = &recorder{g: g, history: explain.Write(g.Graph), store: s, terms: make(map[egraph.ClassID]named), atoms: make(map[egraph.ClassID][]ops.Op),
		chosen: make(map[substituted]named)}
}

// Unite unites two classes because somebody says so, and returns terms of them. The graph
// must record.
func (g *Graph) Unite(a, b slot.Ref) (x, y term.Term) {
	x, y = g.record.term(g.FindRef(a)), g.record.term(g.FindRef(b))
	g.Union(a, b)
	return x, y
}

// Recorded lists equations in the order in which they came about: applications of rules, and
// what was computed. Facts are those that are asked for. It is an error if there is no time
// until end, unless that is zero.
func (g *Graph) Recorded(end time.Time, facts ...term.Term) ([]Equation, error) {
	c := g.record
	c.list, c.found, c.told = nil, g.Finder(c.store), make(map[uint32]bool)
	clear(c.atoms)
	err := overflow.Guard(func() error {
		for _, t := range facts {
			c.differ(t)
		}
		n, computed := 0, c.folded
		until := func(n int) {
			for ; len(computed) > 0 && computed[0].after <= n; computed = computed[1:] {
				c.fold(computed[0])
			}
		}
		for r, m := range c.history.Matches() {
			if n%1000 == 0 && !end.IsZero() && time.Now().After(end) {
				return explain.ErrTime
			}
			until(n)
			if err := c.application(r.Owner.(*form), m, n); err != nil {
				return fmt.Errorf("%s: %w", r.Name, err)
			}
			n++
		}
		until(c.history.Count() + len(c.folded))
		return nil
	})
	return c.list, err
}

// application notes an application of a rule, after others.
func (c *recorder) application(f *form, m *egraph.Match, after int) error {
	name := c.renamed()
	space := c.space()
	c.reading.space, c.reading.lang = space, c.g.lang
	binding := slice.Filter(f.rest, func(k *rules.Cond) bool { return f.types[k] != nil }) // the others are known to hold
	full, ok, err := f.match(&c.reading, past{m, c, f, after, name}, binding)
	if err == nil && !ok {
		err = errors.New("the left side is another term")
	}
	if err != nil {
		return err
	}
	e := Equation{Application: match.Application{Ops: f.operators(c.g, m), Match: full.Clone()}}
	sides, err := e.Sides(space.Terms)
	if err != nil {
		return err
	}
	if e.Left, e.Right = sides.Lhs, sides.Rhs; e.Left.Equal(e.Right) {
		return nil
	}
	e.Evidence, e.Open, err = e.Application.Evidence(space, c.atomsOf)
	e.Open, e.Finite = e.Open && c.g.language == nil, c.finite
	for _, ways := range e.Evidence {
		for _, way := range ways {
			c.differ(way[0][0])
		}
	}
	c.list = append(c.list, e)
	return err
}

// past is what an application of a rule has found, in terms and under other names.
type past struct {
	*egraph.Match
	c     *recorder
	f     *form
	after int // applications
	name  func(slot.Name) slot.Name
}

// term is the term of a class, or that in which the application has replaced variables.
func (p past) term(r slot.Ref) slot.Ref {
	x, ok := p.c.chosen[substituted{p.after, r.ID}]
	if r = r.Rename(p.name); !ok {
		return p.c.term(r)
	}
	return x.ref.RenameFrom(x.names, r.Args)
}

func (p past) Root() slot.Ref { return p.c.term(p.Match.Root().Rename(p.name)) }

func (p past) Var(i int) slot.Ref {
	r := p.Match.Var(i)
	if v, ok := p.f.variable(i); ok { // its class may be named after another term that equals a variable
		return p.c.store.MustMake(p.c.g.TermOp(v), r.Rename(p.name).Args[:1], nil, nil)
	}
	return p.term(r)
}

func (p past) List(i int) []slot.Ref {
	out := p.Match.List(i)
	for k, r := range out {
		out[k] = p.term(r)
	}
	return out
}

func (p past) Bound(i int) slot.Name { return p.name(p.Match.Bound(i)) }

func (p past) BoundList(i int) []slot.Name {
	out := p.Match.BoundList(i)
	for k, n := range out {
		out[k] = p.name(n)
	}
	return out
}

// terms is the terms of a store, with what is known of them.
type terms struct {
	match.Terms
	*term.Supposed
}

func (t terms) Bounds(r slot.Ref) ops.Bounds { return t.Supposed.Bounds(r) }

func (c *recorder) space() terms {
	if c.known.Supposed == nil || c.finite != c.g.finite {
		c.finite = c.g.finite
		c.known = terms{match.Terms{Store: c.store}, c.store.Supposing(c.finite)}
	}
	return c.known
}

// term is the term of a class.
func (c *recorder) term(r slot.Ref) term.Term {
	x := memo.Of(c.terms, r.ID, func() named {
		own := slot.Ref{ID: r.ID, Args: c.store.FreshN(c.history.Slots(r.ID))}
		op, names, binders, kids := c.history.Open(own, c.store.Fresh)
		return named{c.store.MustMake(c.g.TermOp(op), names, binders, slice.Map(kids, c.term)), own.Args}
	})
	return x.ref.RenameFrom(x.names, r.Args)
}

// substituted is a class in which an application of a rule, told by the number of those before
// it, has replaced variables.
type substituted struct {
	after int
	class egraph.ClassID
}

// subst is [Graph.Subst], and notes the term of the class in which variables are replaced.
func (c *recorder) subst(r slot.Ref, env map[slot.Name]match.Replacement) slot.Ref {
	name := c.renamed()
	out, t := c.g.rebuild(r, env, name)
	c.chosen[substituted{c.history.Count(), r.ID}] = named{t, r.Rename(name).Args}
	return out
}

// renamed gives names of the store for those of the graph.
func (c *recorder) renamed() func(slot.Name) slot.Name {
	return renaming(c.store, make(map[slot.Name]slot.Name))
}

// renaming gives the names in a map for others, and fresh ones of a store for those that it lacks.
func renaming(s *term.Store, is map[slot.Name]slot.Name) func(slot.Name) slot.Name {
	return func(n slot.Name) slot.Name {
		if _, ok := is[n]; !ok {
			is[n] = s.Fresh()
		}
		return is[n]
	}
}

// fold notes what was computed.
func (c *recorder) fold(x folded) {
	constant := func(o egraph.Op) term.Term { return c.store.MustMake(c.g.TermOp(o), nil, nil, nil) }
	kids := slice.Map(x.kids, constant)
	if t := c.store.MustMake(c.g.TermOp(x.op), nil, nil, kids); !c.told[t.ID] {
		c.told[t.ID] = true
		c.computed(t, constant(x.is))
	}
}

// computed notes that a term is computed.
func (c *recorder) computed(a, b term.Term) {
	c.list = append(c.list, Equation{Kind: proof.Computed, Left: a, Right: b})
}

// atomsOf lists the numbers and symbols that a term equals by now, itself first.
func (c *recorder) atomsOf(t term.Term) (out []term.Term) {
	if c.g.language.IsAtom(c.store.Op(t)) {
		out = []term.Term{t}
	}
	r, ok := c.found.Find(t)
	if !ok {
		return out
	}
	for _, op := range memo.Of(c.atoms, r.ID, func() (ops []ops.Op) {
		c.g.Graph.Nodes(r, func(n egraph.Node) bool {
			if c.g.language.IsAtom(c.g.TermOp(n.Op)) {
				ops = append(ops, c.g.TermOp(n.Op))
			}
			return true
		})
		return ops
	}) {
		if u := c.store.MustMake(op, nil, nil, nil); !u.Equal(t) {
			out = append(out, u)
		}
	}
	return out
}

// differ notes that constants differ, if that is what a fact says of terms that equal them.
func (c *recorder) differ(fact term.Term) {
	if c.g.language == nil {
		return
	}
	d := c.g.language.distinct
	if d == nil || c.store.Op(fact).Sym != d.Sym {
		return
	}
	v := c.store.OpenWith(fact, nil)
	for _, x := range c.atomsOf(v.Kids[0]) {
		for _, y := range c.atomsOf(v.Kids[1]) {
			if l := c.g.language; x.ID != y.ID && l.IsConstant(c.store.Op(x)) && l.IsConstant(c.store.Op(y)) {
				c.computed(c.store.MustMake(v.Op, nil, nil, []term.Term{x, y}), c.store.Lit(ops.ScalarB(true)))
			}
		}
	}
}
