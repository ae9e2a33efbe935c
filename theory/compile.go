package theory

import (
	"slices"

	"egad/egraph"
	"egad/rules/syntax"
)

// compiled is a rule for the engine, but for what depends on the graph.
type compiled struct {
	lhs *egraph.Program
	// from and rhs are what is united; from is nil if it is what matched.
	from, rhs *egraph.Template
}

// compile translates a rule. There is one rule of the engine for each fact or
// term that is added.
func (r *Rule) compile(t *Theory) error {
	site := 0
	lhs, err := egraph.Compile(t.sig, r.pattern(r.lhs, &site), len(r.scope.metas), r.left)
	if err != nil {
		return err
	}
	for _, n := range r.rhs {
		c := &compiled{lhs: lhs}
		r.programs = append(r.programs, c)
		if c.rhs, err = egraph.CompileTemplate(t.sig, r.pattern(n, &site)); err != nil {
			return err
		}
		switch r.kind {
		case syntax.Fact:
			c.from, c.rhs = c.rhs, nil
			if c.rhs, err = egraph.CompileTemplate(t.sig, &egraph.Pattern{Kind: egraph.PApp, Op: t.holds.op}); err != nil {
				return err
			}
		case syntax.Demand:
			c.from = c.rhs
		}
	}
	return nil
}

// pattern is n for the engine, as a left side and as a right side.
func (r *Rule) pattern(n *node, site *int) *egraph.Pattern {
	switch n.kind {
	case nodeMeta:
		return &egraph.Pattern{Kind: egraph.PVar, Var: n.v}
	case nodeVar:
		return &egraph.Pattern{Kind: egraph.PSlot, Var: n.v, Op: n.op.op}
	}
	p := &egraph.Pattern{Kind: egraph.PApp, Head: n.op.head, Op: n.op.op, Binders: n.binders, Position: *site, Opaque: len(n.kids) > 0}
	*site++
	for _, k := range n.kids {
		p.Kids = append(p.Kids, r.pattern(k, site))
	}
	return p
}

// engine makes the rules of the engine for a graph, in the memory of block. It
// returns the rest of the block.
func (r *Rule) engine(g *Graph, block []egraph.Rule) (out []*egraph.Rule, rest []egraph.Rule) {
	out = make([]*egraph.Rule, len(r.programs))
	for i, c := range r.programs {
		x := &block[i]
		*x = egraph.Rule{Name: r.Name, Lhs: c.lhs, From: c.from, Rhs: c.rhs, Backoff: r.Backoff}
		sorted := r.lhs.kind == nodeMeta && g.t.severalSorts()
		if sorted || len(r.conds) > 0 {
			x.Guard = func(m *egraph.Match) bool { return g.guard(r, m) }
		}
		x.Stable = r.stable()
		if g.t.prune && len(r.lhs.kids) > 0 {
			x.Atom = g.atom
		}
		if g.source != nil {
			g.source[x] = r
			x.Variables = r.variables()
		}
		out[i] = x
	}
	return out, block[len(out):]
}

// variables has the metavariables that are variables, with their operators.
func (r *Rule) variables() map[int]egraph.Op {
	var out map[int]egraph.Op
	for i := range r.conds {
		if k := &r.conds[i]; k.kind == condIs && k.word == "variable" {
			if out == nil {
				out = make(map[int]egraph.Op)
			}
			out[k.a.v] = k.sort.variable.op
		}
	}
	return out
}

// stable reports whether what the conditions say of a match changes only with the
// rows of the match. The sort of a class never changes; what equals a constant goes
// on to; and a class that no longer depends on a variable changes the rows that
// pass it the variable.
func (r *Rule) stable() bool {
	return !slices.ContainsFunc(r.conds, func(k cond) bool { return k.kind != condNotIn || k.a.kind != nodeVar })
}
