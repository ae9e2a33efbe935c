package saturate

import (
	"slices"

	"egad/egraph"
	"egad/rules"
	"egad/rules/syntax"
	"egad/term"
)

// Where the right side of a rule is operators without attributes, applied to
// metavariables, the engine builds it: there is nothing to compute. Where nothing of
// the left side but its structure matters, the engine's match is one of the rule.

// plain reports whether matches of the instance need no completion: its operators have
// no attributes that are looked at, there are no literals, and no conditions.
func (in *instance) plain() bool {
	more := func(c rules.Cond) bool { return c.Kind != rules.CondClass } // the engine has looked at classes
	return in.bound == 0 && !slices.ContainsFunc(in.rule.Conds, more) &&
		!slices.ContainsFunc(in.sites, func(p *rules.Pattern) bool {
			return p.Kind != rules.PApp || p.Name != "" || p.Attrs != rules.Attrs{} || p.Binders != nil
		})
}

// template is a right side that the engine builds.
type template struct {
	*egraph.Template
	g     *Graph
	right *egraph.Pattern
	typed [][]*term.Type // types of the metavariables for which it has a type
	types []*term.Type   // a buffer
}

// template is the right side for the engine, nil if it has to be computed.
func (in *instance) template(g *Graph) *template {
	if in.bound > 0 || len(in.rule.Assumes) > 0 || g.record != nil || in.rule.Kind != syntax.Rewrite {
		return nil
	}
	b := &templateBuilder{in: in}
	p := b.term(in.rule.Rhs, 0)
	if p == nil {
		return nil
	}
	for _, x := range b.ops {
		op, err := g.lang.op(term.Op{Sym: x.sym}, len(x.p.Kids))
		if err != nil {
			return nil // the error comes when the side is computed
		}
		x.p.Op = op
	}
	t, err := egraph.CompileTemplate(g.lang.eng, p)
	if err != nil {
		return nil
	}
	return &template{Template: t, g: g, right: p, types: make([]*term.Type, in.vars)}
}

// fits reports whether what the metavariables of a match stand for gives the right
// side a type: rules are checked for many shapes, and not for all. Nearly always the
// types are those of a match before.
func (t *template) fits(m *egraph.Match) bool {
	for i := range t.types {
		t.types[i] = t.g.types.Get(m.VarClass(i))
	}
	if slices.ContainsFunc(t.typed, func(old []*term.Type) bool { return slices.EqualFunc(old, t.types, (*term.Type).Equal) }) {
		return true
	}
	if t.typeOf(t.right) == nil {
		return false
	}
	if len(t.typed) == maxTyped {
		t.typed = t.typed[1:]
	}
	t.typed = append(t.typed, slices.Clone(t.types))
	return true
}

// maxTyped is how many combinations of types are remembered.
const maxTyped = 8

// typeOf is the type of a pattern, nil if it has none.
func (t *template) typeOf(p *egraph.Pattern) *term.Type {
	if p.Kind == egraph.PVar {
		return t.types[p.Var]
	}
	kids := make([]*term.Type, len(p.Kids))
	for i, k := range p.Kids {
		if kids[i] = t.typeOf(k); kids[i] == nil {
			return nil
		}
	}
	return t.g.typeOf(p.Op, kids)
}

// templateBuilder translates a right side. What it gives is nil if that cannot be
// done.
type templateBuilder struct {
	in  *instance
	ops []operatorOf
}

// operatorOf is an application whose operator is still to be found.
type operatorOf struct {
	p   *egraph.Pattern
	sym term.Sym
}

// term is a pattern at a place of a spread.
func (b *templateBuilder) term(p *rules.Pattern, place int) *egraph.Pattern {
	switch {
	case p.Kind == rules.PMeta:
		return b.variable(p.Name, 0)
	case p.Kind == rules.PElem:
		return b.variable(p.Name, place)
	case p.Kind != rules.PApp || p.Name != "" || p.Implicit || p.Attrs != (rules.Attrs{}) || p.Binders != nil:
		return nil
	}
	q := &egraph.Pattern{Kind: egraph.PApp}
	for _, e := range rules.Flatten(p.Kids) {
		n := 1
		if e.Kind != rules.EOne {
			if n = b.len(e); n < 0 {
				return nil
			}
		}
		for i := range n {
			switch e.Kind {
			case rules.EOne:
				q.Kids = append(q.Kids, b.term(e.Pat, place))
			case rules.EMap:
				q.Kids = append(q.Kids, b.term(e.Pat, i))
			default:
				q.Kids = append(q.Kids, b.variable(e.List.Name, i))
			}
		}
	}
	if len(q.Kids) == 0 || slices.Contains(q.Kids, nil) {
		return nil
	}
	b.ops = append(b.ops, operatorOf{q, p.Sym})
	return q
}

// variable is a metavariable, or element i of a list.
func (b *templateBuilder) variable(name string, i int) *egraph.Pattern {
	o := b.in.occurrence(name)
	if o == nil || i >= o.n {
		return nil
	}
	return &egraph.Pattern{Kind: egraph.PVar, Var: o.first + i}
}

// len is how many children an item stands for, -1 if that is not known.
func (b *templateBuilder) len(e rules.Elem) int {
	over := e.Over
	if e.Kind == rules.ESplice {
		over = []string{e.List.Name}
	}
	n := -1
	for _, l := range over {
		o := b.in.occurrence(l)
		if o == nil || n >= 0 && o.n != n || e.Kind == rules.ESplice && e.List.Kind != rules.LVar {
			return -1
		}
		n = o.n
	}
	return n
}

func (in *instance) occurrence(name string) *occurrence {
	if i := slices.IndexFunc(in.order, func(o occurrence) bool { return o.name == name }); i >= 0 {
		return &in.order[i]
	}
	return nil
}
