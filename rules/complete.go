package rules

import (
	"slices"

	"egad/slot"
	"egad/term"
)

// Reader says what the metavariables of a rule stand for in a match that an e-graph
// looks for: of operators as they are found, and of the rest when all of the
// match is known. It is used for one rule after the other.
type Reader struct {
	matcher
	mark int // how many metavariables operators have bound
}

// begin goes on with a match of r in which known metavariables are bound.
func (c *Reader) begin(s Space, r *Rule, known int) {
	if c.m == nil {
		c.m = new(Match)
	}
	c.space, c.m.Rule, c.m.vars = s, r, c.m.vars[:known]
}

// Operator matches the operator at an application or a literal of the left side of r,
// with the names of its binders; both are kept. Before, known metavariables were bound
// on the way to the match, and those bound after them are forgotten; now is how many
// there are.
func (c *Reader) Operator(s Space, r *Rule, p *Pattern, op *term.Op, binders []slot.Name, known int) (now int, ok bool) {
	c.begin(s, r, known)
	if p.Kind == PApp {
		if _, ok = c.operator(p, op, binders); ok && p.Name != "" {
			c.bindOperator(p.Name, op)
		}
	} else {
		ok = c.literalNode(p, op)
	}
	return len(c.m.vars), ok
}

// Begin begins to read the terms of a match of r, of which the operators have just been
// matched.
func (c *Reader) Begin(s Space, r *Rule) {
	c.mark = 0
	if c.m != nil && c.m.Rule == r {
		c.mark = len(c.m.vars)
	}
	c.begin(s, r, c.mark)
}

// Term says what a term metavariable stands for.
func (c *Reader) Term(name string, r slot.Ref) { c.bind(binding{name: name, ref: r}) }

// Terms is Term for a list. It is kept, and not nil even if it is empty.
func (c *Reader) Terms(name string, rs []slot.Ref) { c.bind(binding{name: name, refs: rs}) }

// Variable says what a bound variable of a language stands for.
func (c *Reader) Variable(name string, n slot.Name, sort *term.Type) {
	c.bind(binding{name: name, index: n, typ: sort})
}

// End ends what Begin has begun. It is false if conditions are asked for and one does
// not hold of the match.
func (c *Reader) End(root slot.Ref, conditions bool) (m *Match, ok bool, err error) {
	c.m.Root, ok = root, true
	if conditions {
		err = c.m.ask(c.space, func(mt *matcher) { ok = mt.holds() })
	}
	if ok = ok && err == nil; ok {
		m = &Match{Rule: c.m.Rule, Root: root, vars: slices.Clone(c.m.vars)}
	}
	c.m.vars = c.m.vars[:c.mark]
	return m, ok, err
}
