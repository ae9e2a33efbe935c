package rules

import (
	"slices"

	"egad/slot"
	"egad/term"
)

// Completer checks what an e-graph leaves open that has found the structure of a
// left side: attributes, literals and conditions. It is used for one match after
// the other, each begun by Begin; what says that a match does not count ends it.
type Completer struct{ matcher }

// Begin begins a match of r.
func (c *Completer) Begin(s Space, r *Rule) {
	if c.m == nil {
		c.m = new(Match)
	}
	c.space = s
	c.m.Rule, c.m.vars = r, c.m.vars[:0]
}

// Operator says which operator was found at an application or a literal of the
// left side, with the names of its binders. These are kept.
func (c *Completer) Operator(p *Pattern, op *term.Op, binders []slot.Name) (ok bool) {
	if p.Kind != PApp {
		return c.literalNode(p, op)
	}
	_, ok = c.operator(p, op, binders)
	return ok
}

// Term says what a term metavariable stands for. One that occurs below several
// binders of one name is said for each, in the names of the first.
func (c *Completer) Term(name string, r slot.Ref) bool {
	if old := c.m.get(name); old != nil {
		return c.space.Same(old.ref, r)
	}
	return c.bind(binding{name: name, ref: r})
}

// Terms is Term for a list. It is kept, and not nil even if it is empty.
func (c *Completer) Terms(name string, rs []slot.Ref) bool {
	if old := c.m.get(name); old != nil {
		return slices.EqualFunc(old.refs, rs, c.space.Same)
	}
	return c.bind(binding{name: name, refs: rs})
}

// End is false if the match does not count. It is given with the class of its root.
func (c *Completer) End(root slot.Ref) (m *Match, ok bool, err error) {
	c.m.Root = root
	err = c.m.ask(c.space, func(mt *matcher) { ok = mt.conditions(c.m.Rule.Conds) && mt.sizesFit() })
	if !ok || err != nil {
		return nil, false, err
	}
	return &Match{Rule: c.m.Rule, Root: root, vars: slices.Clone(c.m.vars)}, true, nil
}
