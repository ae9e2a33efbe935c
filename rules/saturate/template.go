package saturate

import (
	"slices"

	"egad/egraph"
	"egad/rules"
	"egad/rules/syntax"
	"egad/term"
)

// Where the right side of a rule is operators without attributes, applied to
// metavariables, the engine builds it: there is nothing to compute.

// template is such a right side, the same in all graphs.
type template struct {
	right *egraph.Pattern
	ops   []operatorOf
	vars  int
}

// operatorOf is an application whose operator is still to be found.
type operatorOf struct {
	p   *egraph.Pattern
	sym term.Sym
}

// template is the right side for the engine, nil if it has to be computed.
func (f *form) template() *template {
	if len(f.indices)+len(f.indexLists)+len(f.rule.Assumes) > 0 || f.rule.Kind != syntax.Rewrite || f.rule.Rhs == nil {
		return nil
	}
	t := &template{vars: len(f.terms)}
	if t.right = t.term(f, f.rule.Rhs); t.right == nil {
		return nil
	}
	return t
}

// term is a pattern, nil if it has to be computed.
func (t *template) term(f *form, p *rules.Pattern) *egraph.Pattern {
	if p.Kind == rules.PMeta {
		return &egraph.Pattern{Kind: egraph.PVar, Var: slices.Index(f.terms, p.Name)}
	}
	if p.Kind != rules.PApp || p.Name != "" || p.Implicit || p.Attrs != (rules.Attrs{}) || p.Binders != nil {
		return nil
	}
	q := &egraph.Pattern{Kind: egraph.PApp}
	for _, e := range rules.Flatten(p.Kids) {
		if e.Kind != rules.EOne {
			return nil
		}
		q.Kids = append(q.Kids, t.term(f, e.Pat))
	}
	if len(q.Kids) == 0 || slices.Contains(q.Kids, nil) {
		return nil
	}
	t.ops = append(t.ops, operatorOf{q, p.Sym})
	return q
}

// typedTemplate is a template in a graph.
type typedTemplate struct {
	*egraph.Template
	g     *Graph
	right *egraph.Pattern
	typed [][]*term.Type // types of the metavariables for which it has a type
	types []*term.Type   // a buffer
}

// in is the template in a graph.
func (t *template) in(g *Graph) (*typedTemplate, error) {
	ops := make(map[*egraph.Pattern]egraph.Op)
	for _, x := range t.ops {
		op, err := g.lang.op(term.Op{Sym: x.sym}, len(x.p.Kids))
		if err != nil {
			return nil, err
		}
		ops[x.p] = op
	}
	var with func(p *egraph.Pattern) *egraph.Pattern
	with = func(p *egraph.Pattern) *egraph.Pattern {
		q := *p
		q.Op, q.Kids = ops[p], nil
		for _, k := range p.Kids {
			q.Kids = append(q.Kids, with(k))
		}
		return &q
	}
	out := &typedTemplate{g: g, right: with(t.right), types: make([]*term.Type, t.vars)}
	var err error
	out.Template, err = egraph.CompileTemplate(g.lang.eng, out.right)
	return out, err
}

// fits reports whether what the metavariables of a match stand for gives the right
// side a type: rules are checked for many shapes, and not for all. Nearly always the
// types are those of a match before.
func (t *typedTemplate) fits(m *egraph.Match) bool {
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
func (t *typedTemplate) typeOf(p *egraph.Pattern) *term.Type {
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
