package saturate

import (
	"slices"

	"egad/egraph"
	"egad/rules/match"
	"egad/term/ops"
	"egad/term/types"
)

// Where the right side of a rule is operators without attributes, applied to
// metavariables, the engine builds it: there is nothing to compute.

// typedTemplate is a template in a graph.
type typedTemplate struct {
	*egraph.Template
	g     *Graph
	right *egraph.Pattern
	typed [][]*types.Type // types of the metavariables for which it has a type
	types []*types.Type   // a buffer
}

// template is the right side of a form in a graph.
func (g *Graph) template(f *form) (*typedTemplate, error) {
	var with func(p *egraph.Pattern) (*egraph.Pattern, error)
	with = func(p *egraph.Pattern) (q *egraph.Pattern, err error) {
		if p.Kind == egraph.PVar {
			return p, nil
		}
		q = &egraph.Pattern{Kind: p.Kind, Kids: make([]*egraph.Pattern, len(p.Kids))}
		for i, k := range p.Kids {
			if q.Kids[i], err = with(k); err != nil {
				return nil, err
			}
		}
		q.Op, err = g.lang.op(ops.Op{Sym: ops.Sym(p.Head)}, len(p.Kids))
		return q, err
	}
	right, err := with(f.right)
	if err != nil {
		return nil, err
	}
	out := &typedTemplate{g: g, right: right, types: make([]*types.Type, len(f.metaNames))}
	out.Template, err = egraph.CompileTemplate(g.lang.eng, right)
	return out, err
}

// typed has a rule build its right side, by a template that is made at the first match: operators
// of right sides that nobody needs are not made.
func (g *Graph) typed(x *egraph.Rule, f *form) {
	var right *typedTemplate
	x.Guard = func(m *egraph.Match) bool {
		ok, err := g.holds(f, m)
		if ok && right == nil {
			if right, err = g.template(f); err == nil {
				x.Rhs = right.Template
			}
		}
		if ok && err == nil && !right.fits(m) {
			ok = false
			var full *match.Match
			if full, _, err = f.match(&g.reading, m, f.rest); full != nil {
				_, _, err = full.Build(g) // says what does not fit
			}
		}
		if g.mistake == nil {
			g.mistake = err
		}
		return ok && err == nil
	}
}

// fits reports whether what the metavariables of a match stand for gives the right
// side a type: rules are checked for many shapes, and not for all. Nearly always the
// types are those of a match before.
func (t *typedTemplate) fits(m *egraph.Match) bool {
	for i := range t.types {
		t.types[i] = t.g.types.Get(m.VarClass(i))
	}
	if slices.ContainsFunc(t.typed, func(old []*types.Type) bool { return slices.EqualFunc(old, t.types, (*types.Type).Equal) }) {
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
func (t *typedTemplate) typeOf(p *egraph.Pattern) *types.Type {
	if p.Kind == egraph.PVar {
		return t.types[p.Var]
	}
	kids := make([]*types.Type, len(p.Kids))
	for i, k := range p.Kids {
		if kids[i] = t.typeOf(k); kids[i] == nil {
			return nil
		}
	}
	return t.g.typeOf(p.Op, kids)
}
