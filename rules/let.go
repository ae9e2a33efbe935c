package rules

import (
	"slices"

	"egad/internal/memo"
	"egad/slot"
	"egad/term"
)

// letVar is a let-bound variable: a named input that the let replaces.
func (b *builder) letVar(name string) slot.Ref {
	t := b.lets[name]
	if t == nil && b.left != nil {
		t = b.left.Lets[name]
	}
	if t == nil {
		b.fail("the let-bound variable %s has no type", name)
	}
	return b.make(term.Op{Sym: term.SymVar, Name: LetInput(name), Type: t}, nil, nil, nil)
}

// LetInput returns the named input that stands for a let-bound variable while the
// sides of a rule are built.
func LetInput(name string) string { return "let " + name }

func (b *builder) isLet(name string) bool {
	return slices.Contains(b.m.Rule.Vars.Lets, name)
}

// let builds a let by putting what it binds for the variable.
func (b *builder) let(p *Pattern) slot.Ref {
	bound := b.term(p.Bound, nil)
	memo.Set(&b.lets, p.Name, b.space.Type(bound))
	return b.substLet(b.term(p.Body, nil), p.Name, bound)
}

// substLet replaces a let-bound variable. Only terms know how; rules with let
// are not run on an e-graph.
func (b *builder) substLet(t slot.Ref, name string, by slot.Ref) slot.Ref {
	s, ok := b.space.(Terms)
	if !ok {
		b.fail("let on an e-graph")
	}
	for _, in := range s.Inputs(t) {
		if got := s.Type(by); in.Name == LetInput(name) && !got.Equal(in.Type) {
			b.fail("%s cannot stand for %s, which is %s", got, name, in.Type)
		}
	}
	return s.SubstVars(t, map[string]term.Term{LetInput(name): by})
}
