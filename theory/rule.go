package theory

import (
	"slices"

	"egad/diag"
	"egad/egraph"
	"egad/rules/syntax"
	"egad/term"
)

// Rule is a rewrite rule, a rule for facts, or a demand.
type Rule struct {
	Name, Doc string
	Set       string // its rule set; empty if it is in none
	Backoff   egraph.Backoff

	index int // its place in [Theory.Rules]
	kind  syntax.RuleKind
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
		names := []string{d.Name.Text}
		if d.Kind == syntax.Both {
			names = append(names, d.Name.Text+syntax.Reversed)
		}
		for _, n := range names {
			if named[n] {
				c.add(d.Name.Pos, "there are two rules %s", n)
			}
			named[n] = true
		}
		if d.set != "" && !slices.Contains(c.t.Sets, d.set) {
			c.t.Sets = append(c.t.Sets, d.set)
		}
		switch {
		case d.Label != "":
			c.add(d.Lhs.At(), "rules for arrays have a label, and those of languages none: their numbers are exact")
		case d.Guard != nil:
			c.add(d.Guard[0].Pos, "guards are for rules for arrays")
		case d.Assuming != nil:
			c.add(d.AssumingAt, "assumptions of rules are for arrays; a test may assume something")
		case d.Examples != nil:
			c.add(d.Examples[0].Pos, "examples are for rules for arrays; a language has tests")
		}
		c.rule(d, names[0], d.Lhs, d.Rhs)
		if d.Kind == syntax.Both {
			c.rule(d, names[1], d.Rhs[0], []term.Expr{d.Lhs})
		}
	}
	for _, n := range c.t.Sets {
		if named[n] {
			c.add(f.rules[0].Name.Pos, "%s is a rule and a rule set", n)
		}
	}
	for _, b := range f.backoffs {
		how := egraph.Backoff{Matches: b.Matches, Ban: b.Ban}
		for _, r := range c.t.Rules {
			if len(b.Names) == 0 {
				r.Backoff = how
			}
		}
		for _, r := range c.named(b.Names) {
			r.Backoff = how
		}
	}
}

// named lists the rules with the given names, of rules or of rule sets.
func (c *checker) named(names []syntax.Name) []*Rule {
	var out []*Rule
	for _, w := range names {
		n := len(out)
		for _, r := range c.t.Rules {
			if r.Name == w.Text || r.Set == w.Text {
				out = append(out, r)
			}
		}
		if len(out) == n {
			all := slices.Clone(c.t.Sets)
			for _, r := range c.t.Rules {
				all = append(all, r.Name)
			}
			c.add(w.Pos, "there is no rule or rule set %s%s", w.Text, diag.DidYouMean(w.Text, all))
		}
	}
	return out
}

// rule checks one direction of a rule.
func (c *checker) rule(d *ruleDecl, name string, lhs term.Expr, rhs []term.Expr) {
	found := c.findings
	s := &scope{}
	r := &Rule{Name: name, Doc: d.Doc, Set: d.set, kind: d.Kind, scope: s}
	r.lhs = c.term(s, lhs, nil)
	if r.lhs == nil {
		return
	}
	want := s.sortOf(r.lhs)
	switch d.Kind {
	case syntax.Fact:
		want = c.t.holds.Sort
	case syntax.Demand:
		want = nil
	}
	r.left = len(s.vars)
	s.closed, s.reuse = true, true
	// Conditions first: they say which metavariables are variables, and of which sort
	// they are.
	for i := range d.If {
		switch k := &d.If[i]; {
		case k.Kind == syntax.CondIs && k.Word.Text == "variable":
			if m := c.metaOf(s, k.A); m >= 0 {
				s.metas[m].variable = true
			}
		case k.Kind == syntax.CondType:
			c.typed(s, k)
		}
	}
	if r.lhs.kind == nodeMeta && want == nil && d.Kind != syntax.Demand {
		want = s.metas[r.lhs.v].sort
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
		c.add(lhs.At(), "the sort of %s is not clear", s.metas[r.lhs.v].name)
	}
	s.free = true
	for i := range d.If {
		c.condition(r, &d.If[i])
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
		c.add(d.Name.Pos, "%v", err)
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
func (c *checker) metaOf(s *scope, x term.Expr) int {
	if n := c.term(s, x, nil); n != nil {
		if n.kind == nodeMeta {
			return n.v
		}
		c.add(x.At(), "expected a metavariable")
	}
	return -1
}

// condKind tells conditions apart.
type condKind uint8

const (
	condIs       condKind = iota // a is word
	condDistinct                 // distinct a b
	condNotIn                    // a not in b
	condFact                     // a
	condEqual                    // a = b
)

func (c *checker) condition(r *Rule, d *syntax.Cond) {
	s := r.scope
	var k cond
	switch d.Kind {
	case syntax.CondIs:
		k.kind, k.word = condIs, d.Word.Text
		if c.metaOf(s, d.A) < 0 {
			return
		}
		k.a = c.term(s, d.A, nil)
		what := []string{"number", "symbol", "variable"}
		if !slices.Contains(what, k.word) {
			c.add(d.Word.Pos, "a term is a number, a symbol or a variable, not %s%s", k.word, diag.DidYouMean(k.word, what))
		}
		if sort := s.sortOf(k.a); k.word == "number" && !sort.Numbers && sort != unknownSort {
			c.add(d.Word.Pos, "the sort %s has no numbers", sortName(sort))
		} else if k.word == "variable" && sort.variable == nil && sort != unknownSort {
			c.add(d.Word.Pos, "no operator binds variables of the sort %s", sortName(sort))
		}
		c.t.columns = c.t.columns || k.word == "number"
		c.t.atoms = c.t.atoms || k.word == "symbol"
	case syntax.CondNotIn:
		k.kind, k.a, k.b = condNotIn, c.term(s, d.A, nil), c.term(s, d.B, nil)
		if k.a != nil && k.a.kind != nodeVar && !(k.a.kind == nodeMeta && s.metas[k.a.v].variable) {
			c.add(d.A.At(), "expected a variable")
		}
		if k.b != nil && k.b.kind != nodeMeta {
			c.add(d.B.At(), "expected a metavariable")
		}
	case syntax.CondEqual:
		k.kind = condEqual
		if k.a = c.term(s, d.A, nil); k.a != nil {
			k.b = c.term(s, d.B, s.sortOf(k.a))
		}
	case syntax.CondExpr:
		if args, is := c.distinctTerms(d.A); is {
			if k.kind = condDistinct; len(args) != 2 {
				c.add(d.Pos, "distinct compares two terms")
				return
			}
			if k.a = c.term(s, args[0], nil); k.a != nil {
				k.b = c.term(s, args[1], s.sortOf(k.a))
			}
			c.t.columns, c.t.atoms = true, true
			break
		}
		k.kind = condFact
		if k.a = c.term(s, d.A, c.t.holds.Sort); k.a != nil && k.a.op == c.t.distinct && c.t.distinct != nil {
			k.b = &node{op: k.a.op, kids: []*node{k.a.kids[1], k.a.kids[0]}}
		}
	case syntax.CondType:
		return // see typed
	default:
		c.add(d.Pos, "a condition of this form is for arrays")
		return
	}
	if k.a != nil {
		k.sort = s.sortOf(k.a)
	}
	r.conds = append(r.conds, k)
}

// typed checks the condition that a metavariable is of a sort.
func (c *checker) typed(s *scope, k *syntax.Cond) {
	m, sort := c.metaOf(s, k.A), c.sortOf(k.Type)
	switch {
	case m < 0 || sort == unknownSort:
	case s.metas[m].sort == nil:
		s.metas[m].sort = sort
	case s.metas[m].sort != sort && s.metas[m].sort != unknownSort:
		c.add(k.A.At(), "%s has the sort %s, expected %s", s.metas[m].name, sortName(s.metas[m].sort), sort.Name)
	}
}

// distinctTerms takes distinct a b apart, where no operator has this name.
func (c *checker) distinctTerms(x term.Expr) ([]term.Expr, bool) {
	call, ok := x.(*term.Call)
	if !ok || c.t.operators["distinct"] != nil {
		return nil, false
	}
	return call.Args, term.IsIdent(call.Fn, "distinct")
}
