package theory

import (
	"slices"

	"egad/diag"
	"egad/egraph"
)

// Rule is a rewrite rule, a rule for facts, or a demand.
type Rule struct {
	Name, Doc string
	Set       string // its rule set; empty if it is in none
	Backoff   egraph.Backoff

	index int // its place in [Theory.Rules]
	kind  ruleKind
	scope *scope
	left  int // how many bound variables the left side has
	lhs   *node
	rhs   []*node
	conds []cond

	programs []*compiled
}

// cond is a checked condition.
type cond struct {
	kind condKind
	word string
	sort *Sort // of a
	a, b *node // of a fact of !=, b is its mirror image
}

func (c *checker) rules(f *file) {
	named := make(map[string]bool)
	for i := range f.rules {
		d := &f.rules[i]
		names := []string{d.name.text}
		if d.kind == ruleBoth {
			names = append(names, d.name.text+"-rev")
		}
		for _, n := range names {
			if named[n] {
				c.add(d.name.pos, "there are two rules %s", n)
			}
			named[n] = true
		}
		if d.set != "" && !slices.Contains(c.t.Sets, d.set) {
			c.t.Sets = append(c.t.Sets, d.set)
		}
		c.rule(d, names[0], d.lhs, d.rhs)
		if d.kind == ruleBoth {
			c.rule(d, names[1], d.rhs[0], []*sexp{d.lhs})
		}
	}
	for _, n := range c.t.Sets {
		if named[n] {
			c.add(f.rules[0].name.pos, "%s is a rule and a rule set", n)
		}
	}
	for _, b := range f.backoffs {
		how := egraph.Backoff{Matches: b.matches, Ban: b.ban}
		for _, r := range c.t.Rules {
			if len(b.names) == 0 {
				r.Backoff = how
			}
		}
		for _, r := range c.named(b.names) {
			r.Backoff = how
		}
	}
}

// named lists the rules with the given names, of rules or of rule sets.
func (c *checker) named(names []word) []*Rule {
	var out []*Rule
	for _, w := range names {
		n := len(out)
		for _, r := range c.t.Rules {
			if r.Name == w.text || r.Set == w.text {
				out = append(out, r)
			}
		}
		if len(out) == n {
			all := slices.Clone(c.t.Sets)
			for _, r := range c.t.Rules {
				all = append(all, r.Name)
			}
			c.add(w.pos, "there is no rule or rule set %s%s", w.text, diag.DidYouMean(w.text, all))
		}
	}
	return out
}

// rule checks one direction of a rule.
func (c *checker) rule(d *ruleDecl, name string, lhs *sexp, rhs []*sexp) {
	found := c.findings
	s := &scope{}
	r := &Rule{Name: name, Doc: d.name.doc, Set: d.set, kind: d.kind, scope: s}
	r.lhs = c.term(s, lhs, nil)
	if r.lhs == nil {
		return
	}
	want := s.sortOf(r.lhs)
	switch d.kind {
	case ruleFact:
		want = c.t.holds.Sort
	case ruleDemand:
		want = nil
	}
	r.left = len(s.vars)
	s.closed, s.reuse = true, true
	// Conditions first: they say which metavariables are variables.
	for i := range d.conds {
		if k := &d.conds[i]; k.kind == condIs && k.word.text == "variable" {
			if m := c.metaOf(s, k.a); m >= 0 {
				s.metas[m].variable = true
			}
		}
	}
	for _, x := range rhs {
		n := c.term(s, x, want)
		if n == nil {
			return
		}
		if r.lhs.kind == nodeMeta && s.metas[r.lhs.v].sort == nil {
			s.metas[r.lhs.v].sort = s.sortOf(n)
		}
		r.rhs = append(r.rhs, n)
	}
	if r.lhs.kind == nodeMeta && s.metas[r.lhs.v].sort == nil {
		c.add(lhs.pos, "the sort of %s is not clear", s.metas[r.lhs.v].name)
	}
	s.free = true
	for i := range d.conds {
		c.condition(r, &d.conds[i])
	}
	if c.findings > found {
		return
	}
	for _, n := range r.rhs {
		c.captured(r, n, nil)
	}
	if c.findings > found {
		return
	}
	if c.findings > 0 {
		return // an operator that could not be declared cannot be compiled
	}
	if err := r.compile(c.t); err != nil {
		c.add(d.name.pos, "%v", err)
		return
	}
	r.index = len(c.t.Rules)
	c.t.Rules = append(c.t.Rules, r)
}

// captured reports metavariables of a right side that stand outside the binders
// that they stood in on the left.
func (c *checker) captured(r *Rule, n *node, open []int) {
	switch n.kind {
	case nodeMeta:
		m := r.scope.metas[n.v]
		for _, v := range m.under {
			if !slices.Contains(open, v) && !r.excludes(v, n.v) {
				x := r.scope.vars[v].name
				c.add(n.pos, "%s may mention %s, which is bound around it on the left and not here (a condition may exclude it: %s not in %s)", m.name, x, x, m.name)
			}
		}
	case nodeApp:
		for i, k := range n.kids {
			in := open
			if n.op.Operands[n.op.kids[i]].Under {
				in = append(slices.Clone(open), n.binders...)
			}
			c.captured(r, k, in)
		}
	}
}

// excludes reports whether a condition says that variable v is not in
// metavariable m.
func (r *Rule) excludes(v, m int) bool {
	return slices.ContainsFunc(r.conds, func(k cond) bool {
		return k.kind == condNotIn && k.a.kind == nodeVar && k.a.v == v && k.b.kind == nodeMeta && k.b.v == m
	})
}

// metaOf is the metavariable that x is, -1 with a finding if it is none.
func (c *checker) metaOf(s *scope, x *sexp) int {
	if n := c.term(s, x, nil); n != nil {
		if n.kind == nodeMeta {
			return n.v
		}
		c.add(x.pos, "expected a metavariable")
	}
	return -1
}

func (c *checker) condition(r *Rule, d *condDecl) {
	s := r.scope
	k := cond{kind: d.kind, word: d.word.text}
	switch d.kind {
	case condIs:
		k.a = c.term(s, d.a, nil)
		if k.a == nil || c.metaOf(s, d.a) < 0 {
			return
		}
		what := []string{"number", "symbol", "variable"}
		if !slices.Contains(what, k.word) {
			c.add(d.word.pos, "a term is a number, a symbol or a variable, not %s%s", k.word, diag.DidYouMean(k.word, what))
		}
		if sort := s.sortOf(k.a); k.word == "number" && !sort.Numbers && sort != unknownSort {
			c.add(d.word.pos, "the sort %s has no numbers", sortName(sort))
		} else if k.word == "variable" && sort.variable == nil && sort != unknownSort {
			c.add(d.word.pos, "no operator binds variables of the sort %s", sortName(sort))
		}
		c.t.columns = c.t.columns || k.word == "number"
		c.t.atoms = c.t.atoms || k.word == "symbol"
	case condDistinct:
		if k.a = c.term(s, d.a, nil); k.a != nil {
			k.b = c.term(s, d.b, s.sortOf(k.a))
		}
		c.t.columns, c.t.atoms = true, true
	case condNotIn:
		k.a, k.b = c.term(s, d.a, nil), c.term(s, d.b, nil)
		if k.a != nil && k.a.kind != nodeVar && !(k.a.kind == nodeMeta && s.metas[k.a.v].variable) {
			c.add(d.a.pos, "expected a variable")
		}
		if k.b != nil && k.b.kind != nodeMeta {
			c.add(d.b.pos, "expected a metavariable")
		}
	case condFact:
		if k.a = c.term(s, d.a, c.t.holds.Sort); k.a != nil && k.a.op == c.t.distinct && c.t.distinct != nil {
			k.b = &node{op: k.a.op, kids: []*node{k.a.kids[1], k.a.kids[0]}}
		}
	case condEqual:
		if k.a = c.term(s, d.a, nil); k.a != nil {
			k.b = c.term(s, d.b, s.sortOf(k.a))
		}
	}
	if k.a != nil {
		k.sort = s.sortOf(k.a)
	}
	r.conds = append(r.conds, k)
}
