package theory

import (
	"strings"

	"egad/diag"
	"egad/egraph"
)

// Test is a run of the rules on terms, and what is to come of it.
type Test struct {
	Name, Doc string
	Limits    egraph.Limits // of the run
	Schedule  []Step

	src                            *diag.Source
	pos                            diag.Pos
	scope                          *scope
	starts                         []*node
	assume, prove, refute, extract []equation
	backoffs                       map[*Rule]egraph.Backoff
	noBackoff                      bool
	expect                         []expectDecl
}

// equation is a = b.
type equation struct {
	pos  diag.Pos
	a, b *node
	text string
	// mirror is the fact a with its sides exchanged, if it is one that is symmetric.
	mirror *node
	same   bool // the sides are written in the same way
}

// Limits of a test that does not say others.
const (
	defaultIterations = 30
	defaultNodes      = 10_000
	defaultBytes      = 1_000_000_000
)

func (c *checker) tests(f *file) {
	named := make(map[string]bool)
	for i := range f.tests {
		d := &f.tests[i]
		if named[d.name.text] {
			c.add(d.name.pos, "there are two tests %s", d.name.text)
		}
		named[d.name.text] = true
		c.t.Tests = append(c.t.Tests, c.test(d))
	}
}

// ParseTest reads one test, beginning with "test" and its name, as it stands in
// the file of a language. It is not added to [Theory.Tests]. The error lists all
// findings, as a [diag.List].
func (t *Theory) ParseTest(src *diag.Source) (*Test, error) {
	var errs diag.List
	d := parseTest(src, &errs)
	if err := errs.Err(); err != nil {
		return nil, err
	}
	c := &checker{src: src, errs: &errs, t: t}
	x := c.test(d)
	return x, errs.Err()
}

func (c *checker) test(d *testDecl) *Test {
	t := &Test{Name: d.name.text, Doc: d.name.doc, src: c.src, pos: d.name.pos, scope: &scope{closed: true}, noBackoff: d.noBackoff, expect: d.expect}
	t.Limits = egraph.Limits{Iterations: defaultIterations, Nodes: defaultNodes, Bytes: defaultBytes, Naive: d.naive}
	for _, v := range d.vars {
		s := c.sort(v.sort)
		for _, w := range v.names {
			if s != nil {
				t.scope.vars = append(t.scope.vars, variable{w.text, s, c.variable(w.pos, s)})
				t.scope.open = append(t.scope.open, len(t.scope.vars)-1)
			}
		}
	}
	for _, x := range d.starts {
		if n := c.term(t.scope, x, nil); n != nil {
			t.starts = append(t.starts, n)
		}
	}
	if len(d.starts) == 0 {
		c.add(d.name.pos, "the test %s has no start", d.name.text)
	}
	free := len(t.scope.vars)
	t.assume = c.claims(t, d.assume)
	for _, e := range t.assume {
		c.general(e.a, free)
		c.general(e.b, free)
	}
	t.prove = c.claims(t, d.prove)
	t.refute = c.claims(t, d.refute)
	t.extract = c.claims(t, d.extract)
	for _, l := range d.limits {
		switch l.what.text {
		case "iterations":
			t.Limits.Iterations = l.n
		case "nodes":
			t.Limits.Nodes = l.n
		case "matches":
			t.Limits.Matches = l.n
		case "work":
			t.Limits.Work = l.n
		case "bytes":
			t.Limits.Bytes = l.n
		}
	}
	t.backoffs = make(map[*Rule]egraph.Backoff)
	for _, b := range d.backoffs {
		rules := c.t.Rules
		if len(b.names) > 0 {
			rules = c.named(b.names)
		}
		for _, r := range rules {
			t.backoffs[r] = egraph.Backoff{Matches: b.matches, Ban: b.ban}
		}
	}
	t.Schedule = c.schedule(t, d.schedule)
	return t
}

// claims checks equations; a fact is an equation with what all facts equal.
func (c *checker) claims(t *Test, ds []claim) []equation {
	var out []equation
	for _, d := range ds {
		e := equation{pos: d.pos, text: d.a.String()}
		if d.b == nil {
			e.a, e.b = c.term(t.scope, d.a, c.t.holds.Sort), &node{op: c.t.holds}
			if e.a != nil && e.a.op == c.t.distinct {
				e.mirror = &node{op: e.a.op, kids: []*node{e.a.kids[1], e.a.kids[0]}}
			}
		} else {
			e.same = e.text == d.b.String()
			e.text += " = " + d.b.String()
			if e.a = c.term(t.scope, d.a, nil); e.a != nil {
				e.b = c.term(t.scope, d.b, t.scope.sortOf(e.a))
			}
		}
		if e.a != nil && e.b != nil {
			out = append(out, e)
		}
	}
	return out
}

// general looks for variables of the test, the first ones of its scope, in what
// is assumed. An equation with a free variable holds whatever the variable stands
// for: with one in it, much more would be assumed than what is written.
func (c *checker) general(n *node, free int) {
	if n.kind == nodeVar && n.v < free {
		c.add(n.pos, "what is assumed of a variable would hold for all of them: take a symbol")
	}
	for _, k := range n.kids {
		c.general(k, free)
	}
}

// String writes a term as it is read.
func (x *sexp) String() string {
	if x.list == nil {
		return x.atom
	}
	var parts []string
	for _, k := range x.list {
		parts = append(parts, k.String())
	}
	return "(" + strings.Join(parts, " ") + ")"
}
