package theory

import (
	"egad/diag"
	"egad/egraph"
	"egad/rules/syntax"
	"egad/runner"
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
	expect                         []syntax.Expect
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

func (c *checker) tests(f *file) {
	named := make(map[string]bool)
	for i := range f.tests {
		d := f.tests[i]
		if named[d.Name.Text] {
			c.add(d.Name.Pos, "there are two tests %s", d.Name.Text)
		}
		named[d.Name.Text] = true
		c.t.Tests = append(c.t.Tests, c.test(d))
	}
}

// ParseTest reads one test, beginning with "test" and its name, as it stands in
// the file of a language. It is not added to [Theory.Tests]. The error lists all
// findings, as a [diag.List].
func (t *Theory) ParseTest(src *diag.Source) (*Test, error) {
	var errs diag.List
	d := syntax.ParseTest(src, &errs)
	if err := errs.Err(); err != nil {
		return nil, err
	}
	c := &checker{src: src, errs: &errs, t: t}
	x := c.test(d)
	return x, errs.Err()
}

func (c *checker) test(d *syntax.Test) *Test {
	t := &Test{Name: d.Name.Text, Doc: d.Doc, src: c.src, pos: d.Name.Pos, scope: &scope{closed: true}, noBackoff: d.NoBackoff, expect: d.Expect}
	t.Limits = runner.LimitsOf(d)
	for _, v := range d.Vars {
		s := c.sortOf(v.Type)
		for _, w := range v.Names {
			if s != unknownSort {
				t.scope.vars = append(t.scope.vars, variable{w.Text, s, c.variable(w.Pos, s)})
				t.scope.open = append(t.scope.open, open{w.Text, len(t.scope.vars) - 1})
			}
		}
	}
	for _, x := range d.Starts {
		if n := c.term(t.scope, x, nil); n != nil {
			t.starts = append(t.starts, n)
		}
	}
	if len(d.Starts) == 0 {
		c.add(d.Name.Pos, "the test %s has no start", d.Name.Text)
	}
	free := len(t.scope.vars)
	t.assume = c.claims(t, d.Assume)
	for _, e := range t.assume {
		c.general(e.a, free)
		c.general(e.b, free)
	}
	t.prove = c.claims(t, d.Prove)
	t.refute = c.claims(t, d.Refute)
	t.extract = c.claims(t, d.Extract)
	t.backoffs = make(map[*Rule]egraph.Backoff)
	for _, b := range d.Backoffs {
		rules := c.t.Rules
		if len(b.Names) > 0 {
			rules = c.named(b.Names)
		}
		for _, r := range rules {
			t.backoffs[r] = egraph.Backoff{Matches: b.Matches, Ban: b.Ban}
		}
	}
	t.Schedule = c.schedule(t, d.Schedule)
	return t
}

// claims checks equations; a fact is an equation with what all facts equal.
func (c *checker) claims(t *Test, ds []syntax.Claim) []equation {
	var out []equation
	for _, d := range ds {
		e := equation{pos: d.Pos, text: d.Text, same: d.Same()}
		if d.B == nil {
			e.a, e.b = c.term(t.scope, d.A, c.t.holds.Sort), &node{op: c.t.holds}
			if e.a != nil && e.a.op == c.t.distinct {
				e.mirror = &node{op: e.a.op, kids: []*node{e.a.kids[1], e.a.kids[0]}}
			}
		} else if e.a = c.term(t.scope, d.A, nil); e.a != nil {
			e.b = c.term(t.scope, d.B, t.scope.sortOf(e.a))
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
