package match

import (
	"fmt"

	"egad/rules/syntax"
	"egad/slot"
)

// Sides are both sides of a rule, or for a derivative rule the operand and its
// maps, at an instance.
type Sides struct {
	Match    *Match
	Lhs, Rhs slot.Ref
	Maps     map[int]slot.Ref
}

// BuildSides makes both sides of a rule, given what its left side leaves open. It is false if a
// function in them has no value; a mistake in the rule is an error.
func (m *Match) BuildSides(t Terms, left *Left) (*Sides, bool, error) {
	out := &Sides{Match: m}
	b := &builder{space: t, m: m, left: left}
	ok, err := b.guard(func() { out.Lhs = b.term(m.Rule.Lhs, nil) })
	if err != nil {
		return nil, false, fmt.Errorf("the left side cannot be built: %w", err)
	}
	if !ok {
		return nil, false, nil
	}
	m.Root = out.Lhs
	ok, err = out.right(t)
	return out, ok, err
}

// right makes the right side of the match, given the left one. A fact says that its
// right side is true, and a demand nothing.
func (x *Sides) right(t Terms) (ok bool, err error) {
	r := x.Match.Rule
	if r.Nabla {
		x.Maps, ok, err = x.Match.BuildMaps(t)
		return ok, err
	}
	x.Rhs, ok, err = x.Match.Build(t)
	if !ok || err != nil {
		return ok, err
	}
	switch r.Kind {
	case syntax.Demand:
		x.Lhs = x.Rhs
	case syntax.Fact:
		x.Lhs = x.Rhs
		x.Rhs, ok, err = x.Match.True(t, x.Lhs)
	}
	return ok, err
}

// True returns the truth of the type of a fact. Other types are mistakes.
func (m *Match) True(s Space, fact slot.Ref) (r slot.Ref, ok bool, err error) {
	b := &builder{space: s, m: m}
	ok, err = b.guard(func() { r = b.truth(fact, b.literal) })
	return r, ok, err
}
