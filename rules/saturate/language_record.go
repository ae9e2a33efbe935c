package saturate

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"egad/egraph"
	explain "egad/egraph/proof"
	"egad/rules"
	"egad/rules/proof"
	"egad/slot"
	"egad/term"
)

// entries makes equations of what the log of a graph of a language has.
type entries struct {
	g     *Graph
	x     *explain.Explainer
	space rules.Terms
	terms map[egraph.ClassID]named // the term of a number of the log
	found *Finder
	atoms map[egraph.ClassID][]term.Op // the numbers and symbols of a class
	list  []Equation
}

// LogEntries are the equations of the log of a graph of a language, as terms of s, in the
// order in which they came about: applications of rules, and what was computed. What was
// said is left out. Facts are those that are asked for. It is an error if there is no time until end, unless that is zero.
func (g *Graph) LogEntries(s *term.Store, end time.Time, facts ...term.Term) ([]Equation, error) {
	x, err := explain.For(g.Graph)
	if err != nil {
		return nil, err
	}
	c := &entries{g: g, x: x, space: rules.Terms{Store: s}, terms: make(map[egraph.ClassID]named), found: g.Finder(s), atoms: make(map[egraph.ClassID][]term.Op)}
	err = term.Guard(func() error {
		for _, t := range facts {
			c.differ(t)
		}
		n := 0
		for e := range x.Entries() {
			if n++; n%1000 == 0 && !end.IsZero() && time.Now().After(end) {
				return explain.ErrTime
			}
			if err := c.entry(e); err != nil {
				return err
			}
		}
		return nil
	})
	return c.list, err
}

func (c *entries) entry(e *explain.Entry) error {
	switch {
	case e.Rule != nil:
		return c.application(e)
	case e.Reason == proof.Folding:
		c.computed(c.term(e.A), c.term(e.B))
	}
	return nil
}

// computed notes that a term is computed.
func (c *entries) computed(a, b term.Term) {
	c.list = append(c.list, Equation{Kind: proof.Computed, Left: a, Right: b})
}

// term is a term of the log.
func (c *entries) term(r egraph.Ref) term.Term {
	x, ok := c.terms[r.ID]
	if !ok {
		own := egraph.Ref{ID: r.ID}
		for range r.Args {
			own.Args = append(own.Args, c.space.Fresh())
		}
		op, names, binders, refs := c.x.Open(own)
		kids := make([]term.Term, len(refs))
		for i, k := range refs {
			kids[i] = c.term(k)
		}
		x = named{c.space.MustMake(c.g.TermOp(op), names, binders, kids), own.Args}
		c.terms[r.ID] = x
	}
	return x.ref.RenameFrom(x.names, r.Args)
}

// application notes an application of a rule.
func (c *entries) application(e *explain.Entry) error {
	f := c.g.language.form(e.Rule)
	if f == nil {
		return errors.New("the rule is not of the file")
	}
	vars := make([]term.Term, len(e.Vars))
	for i, v := range e.Vars {
		vars[i] = c.term(v)
	}
	m, err := c.match(f, c.instance(e, e.Rule.Lhs.Pattern(), vars), vars, e.Bound)
	if err != nil {
		return fmt.Errorf("%s: %w", e.Reason, err)
	}
	out := Equation{Application: *m}
	sides, err := m.Sides(c.space)
	if err != nil {
		return fmt.Errorf("%s: %w", e.Reason, err)
	}
	if out.Left, out.Right = sides.Lhs, sides.Rhs; out.Left.Equal(out.Right) {
		return nil
	}
	if out.Evidence, err = m.Evidence(c.space, c.known); err != nil {
		return fmt.Errorf("%s: %w", e.Reason, err)
	}
	for _, ways := range out.Evidence {
		for _, way := range ways {
			c.differ(way[0][0])
		}
	}
	c.list = append(c.list, out)
	return nil
}

// instance is the term that a part of the left side is.
func (c *entries) instance(e *explain.Entry, p *egraph.Pattern, vars []term.Term) term.Term {
	if p.Kind == egraph.PVar {
		return vars[p.Var]
	}
	var own, binders []slot.Name
	if p.Kind == egraph.PSlot {
		own = []slot.Name{e.Bound[p.Var]}
	}
	for _, b := range p.Binders {
		binders = append(binders, e.Bound[b])
	}
	kids := make([]term.Term, len(p.Kids))
	for i, k := range p.Kids {
		kids[i] = c.instance(e, k, vars)
	}
	return c.space.MustMake(c.g.TermOp(e.Op(p)), own, binders, kids)
}

// match is the application of a rule to a term, in which metavariables, and lists of them,
// stand for these terms.
func (c *entries) match(f *form, left term.Term, vars []term.Term, bound []slot.Name) (out *rules.Application, err error) {
	rule := *f.rule
	rule.Conds = f.rest // the others rest on what is known
	err = rules.FindMatches(c.space, &rule, left, false, func(m *rules.Match) bool {
		is := make(map[slot.Name]slot.Name)
		all := (&rules.Application{Match: m}).Variables()
		find := func(name string) *rules.Variable {
			return &all[slices.IndexFunc(all, func(v rules.Variable) bool { return v.Name == name })]
		}
		for i, n := range f.boundNames[:f.left] {
			is[find(n).Names[0]] = bound[i]
		}
		rename := func(n slot.Name) slot.Name { return slot.Renamed(is, n) }
		var got []term.Term
		for _, n := range slices.Concat(f.metaNames, f.lists) {
			for _, t := range find(n).Terms {
				got = append(got, t.Rename(rename))
			}
		}
		if !slices.EqualFunc(got, vars, term.Term.Equal) {
			return true
		}
		out = m.Application(c.space)
		out.Match = m.In(rename, func(t slot.Ref) slot.Ref { return t.Rename(rename) })
		out.Match.Rule = f.rule
		return false
	})
	if err == nil && out == nil {
		err = errors.New("the left side is another term")
	}
	return out, err
}

// known lists the numbers and symbols that a term equals by now, itself first.
func (c *entries) known(t term.Term) (out []term.Term) {
	if c.g.language.IsAtom(c.space.Op(t)) {
		out = []term.Term{t}
	}
	r, ok := c.found.Find(t)
	if !ok {
		return out
	}
	ops, ok := c.atoms[r.ID]
	if !ok {
		c.g.Graph.Nodes(r, func(n egraph.Node) bool {
			if c.g.language.IsAtom(c.g.TermOp(n.Op)) {
				ops = append(ops, c.g.TermOp(n.Op))
			}
			return true
		})
		c.atoms[r.ID] = ops
	}
	for _, op := range ops {
		if u := c.space.MustMake(op, nil, nil, nil); !u.Equal(t) {
			out = append(out, u)
		}
	}
	return out
}

// differ notes that constants differ, if that is what a fact says of terms that equal them.
func (c *entries) differ(fact term.Term) {
	d := c.g.language.distinct
	if d == nil || c.space.Op(fact).Sym != d.Sym {
		return
	}
	v := c.space.OpenWith(fact, nil)
	for _, x := range c.known(v.Kids[0]) {
		for _, y := range c.known(v.Kids[1]) {
			if l := c.g.language; x.ID != y.ID && l.IsConstant(c.space.Op(x)) && l.IsConstant(c.space.Op(y)) {
				c.computed(c.space.MustMake(v.Op, nil, nil, []term.Term{x, y}), c.space.Lit(term.ScalarB(true)))
			}
		}
	}
}
