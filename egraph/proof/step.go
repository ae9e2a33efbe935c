package proof

import (
	"errors"
	"fmt"
	"slices"

	"egad/egraph"
	"egad/internal/raise"
	"egad/slot"
)

// Step says that two terms are equal: by a rule, of which it says what the variables stand
// for, or because it was given.
type Step struct {
	Rule     *egraph.Rule // nil of what was given
	Reason   string       // the rule's name, or why it was given
	From, To *egraph.Tree
	// Left is what the left side matched, if the rule says something of other terms; else it
	// is nil.
	Left *egraph.Tree
	// Vars and Lists are the terms of metavariables and of lists of them, Bound and BoundLists the
	// names of bound variables and of lists of them.
	Vars       []*egraph.Tree
	Lists      [][]*egraph.Tree
	Bound      []slot.Name
	BoundLists [][]slot.Name
	// Ops are the operators of the left side in prefix order, and Shape says which
	// alternative it is, or how many children there are, where that is open.
	Ops   []egraph.Op
	Shape []int
}

// sides puts what the variables of a step stand for into the sides of its rule. What is wrong with
// the step is raised.
type sides struct {
	sig  *egraph.Signature
	step *Step
	// Op and shape say what the step does of a part of the left side, at a place in a list;
	// on the right side op is nil.
	op    func(p *egraph.Pattern, place int) egraph.Op
	shape func(p *egraph.Pattern) int
	// free are the free variables of a term; nil if nobody asks whether they are in scope.
	free func(t *egraph.Tree) []slot.Name
}

var errMissing = errors.New("it does not say what a variable of the rule stands for")

// at is an element of a list.
func at[T any](list []T, i int) T {
	if i < 0 || i >= len(list) {
		raise.Error(errMissing)
	}
	return list[i]
}

// term is the term that a part of a side stands for, in the scope of some variables.
func (s *sides) term(p *egraph.Pattern, open []slot.Name, place int) *egraph.Tree {
	switch p.Kind {
	case egraph.PVar:
		return s.scoped(at(s.step.Vars, p.Var), open)
	case egraph.PElem:
		return s.scoped(at(at(s.step.Lists, p.Var), place), open)
	case egraph.PSlot:
		return variable(p.Op, at(s.step.Bound, p.Var), open)
	case egraph.PEither:
		return s.term(at(p.Kids, s.shape(p)), open, place)
	case egraph.PApp:
		return s.application(p, open, place)
	}
	return raise.Must[*egraph.Tree](nil, errors.New("the rule has a list where a term has to be"))
}

func (s *sides) application(p *egraph.Pattern, open []slot.Name, place int) *egraph.Tree {
	t := &egraph.Tree{Op: p.Op}
	if s.op != nil {
		t.Op = s.op(p, place)
	}
	for _, b := range p.Binders {
		t.Binders = append(t.Binders, s.binder(b))
	}
	if p.Rest > 0 {
		t.Binders = append(t.Binders, at(s.step.BoundLists, p.Rest-1)...)
	}
	inner := slices.Concat(open, t.Binders)
	under := s.sig.HeadInfo(s.sig.Head(t.Op)).Under
	for _, q := range p.Kids {
		scope := func() []slot.Name {
			if under>>len(t.Kids)&1 != 0 {
				return inner
			}
			return open
		}
		switch q.Kind {
		case egraph.PList:
			for _, x := range at(s.step.Lists, q.Var) {
				t.Kids = append(t.Kids, s.scoped(x, scope()))
			}
		case egraph.PSlots:
			for _, n := range at(s.step.BoundLists, q.Var) {
				t.Kids = append(t.Kids, variable(q.Op, n, scope()))
			}
		case egraph.PEach:
			for k := range s.shape(q) {
				t.Kids = append(t.Kids, s.term(q.Kids[0], scope(), k))
			}
		default:
			t.Kids = append(t.Kids, s.term(q, scope(), place))
		}
	}
	return t
}

// binder is the name of bound variable b; -1-m is the variable that metavariable m stands for.
func (s *sides) binder(b int) slot.Name {
	if b >= 0 {
		return at(s.step.Bound, b)
	}
	t := at(s.step.Vars, -1-b)
	if t == nil || len(t.Own) != 1 || len(t.Kids) > 0 {
		raise.Error(fmt.Errorf("metavariable %d is no variable", -1-b))
	}
	return t.Own[0]
}

// variable is a bound variable in a scope.
func variable(op egraph.Op, n slot.Name, open []slot.Name) *egraph.Tree {
	if !slices.Contains(open, n) {
		raise.Error(errScope)
	}
	return &egraph.Tree{Op: op, Own: []slot.Name{n}}
}

var errScope = errors.New("a variable escapes its binder")

// scoped is a term that a variable of the rule stands for in a scope: it mentions no other
// bound variables of the rule.
func (s *sides) scoped(t *egraph.Tree, open []slot.Name) *egraph.Tree {
	if s.free != nil && slices.ContainsFunc(s.free(t), func(n slot.Name) bool { return !slices.Contains(open, n) && s.step.binds(n) }) {
		raise.Error(errScope)
	}
	return t
}

// binds reports whether a name is that of a bound variable of the rule.
func (s *Step) binds(n slot.Name) bool {
	return slices.Contains(s.Bound, n) || slices.ContainsFunc(s.BoundLists, func(l []slot.Name) bool { return slices.Contains(l, n) })
}
