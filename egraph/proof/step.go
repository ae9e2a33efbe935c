package proof

import (
	"errors"
	"fmt"
	"slices"

	"egad/egraph"
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

// sides puts what the variables of a step stand for into the sides of its rule.
type sides struct {
	sig  *egraph.Signature
	step *Step
	// Op and shape say what the step does of a part of the left side, at a place in a list;
	// on the right side op is nil.
	op    func(p *egraph.Pattern, place int) (egraph.Op, error)
	shape func(p *egraph.Pattern) (int, error)
	// free are the free variables of a term; nil if nobody asks whether they are in scope.
	free func(t *egraph.Tree) ([]slot.Name, error)
}

var errMissing = errors.New("it does not say what a variable of the rule stands for")

// at is an element of a list.
func at[T any](list []T, i int) (x T, err error) {
	if i < 0 || i >= len(list) {
		return x, errMissing
	}
	return list[i], nil
}

// term is the term that a part of a side stands for, in the scope of some variables.
func (s *sides) term(p *egraph.Pattern, open []slot.Name, place int) (*egraph.Tree, error) {
	switch p.Kind {
	case egraph.PVar:
		t, err := at(s.step.Vars, p.Var)
		return s.scoped(t, open, err)
	case egraph.PElem:
		list, err := at(s.step.Lists, p.Var)
		if err != nil {
			return nil, err
		}
		t, err := at(list, place)
		return s.scoped(t, open, err)
	case egraph.PSlot:
		n, err := at(s.step.Bound, p.Var)
		return s.variable(p.Op, n, open, err)
	case egraph.PEither:
		k, err := s.shape(p)
		if err != nil {
			return nil, err
		}
		q, err := at(p.Kids, k)
		if err != nil {
			return nil, err
		}
		return s.term(q, open, place)
	case egraph.PApp:
		return s.application(p, open, place)
	}
	return nil, errors.New("the rule has a list where a term has to be")
}

func (s *sides) application(p *egraph.Pattern, open []slot.Name, place int) (*egraph.Tree, error) {
	t := &egraph.Tree{Op: p.Op}
	if s.op != nil {
		var err error
		if t.Op, err = s.op(p, place); err != nil {
			return nil, err
		}
	}
	for _, b := range p.Binders {
		n, err := s.binder(b)
		if err != nil {
			return nil, err
		}
		t.Binders = append(t.Binders, n)
	}
	if p.Rest > 0 {
		rest, err := at(s.step.BoundLists, p.Rest-1)
		if err != nil {
			return nil, err
		}
		t.Binders = append(t.Binders, rest...)
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
		n, one := 1, func(k int) (*egraph.Tree, error) { return s.term(q, scope(), place) }
		var err error
		switch q.Kind {
		case egraph.PList:
			var list []*egraph.Tree
			list, err = at(s.step.Lists, q.Var)
			n, one = len(list), func(k int) (*egraph.Tree, error) { return s.scoped(list[k], scope(), nil) }
		case egraph.PSlots:
			var list []slot.Name
			list, err = at(s.step.BoundLists, q.Var)
			n, one = len(list), func(k int) (*egraph.Tree, error) { return s.variable(q.Op, list[k], scope(), nil) }
		case egraph.PEach:
			n, err = s.shape(q)
			one = func(k int) (*egraph.Tree, error) { return s.term(q.Kids[0], scope(), k) }
		}
		for k := 0; k < n && err == nil; k++ {
			var kid *egraph.Tree
			kid, err = one(k)
			t.Kids = append(t.Kids, kid)
		}
		if err != nil {
			return nil, err
		}
	}
	return t, nil
}

// binder is the name of bound variable b; -1-m is the variable that metavariable m stands for.
func (s *sides) binder(b int) (slot.Name, error) {
	if b >= 0 {
		return at(s.step.Bound, b)
	}
	t, err := at(s.step.Vars, -1-b)
	if err != nil {
		return 0, err
	}
	if t == nil || len(t.Own) != 1 || len(t.Kids) > 0 {
		return 0, fmt.Errorf("metavariable %d is no variable", -1-b)
	}
	return t.Own[0], nil
}

// variable is a bound variable in a scope.
func (s *sides) variable(op egraph.Op, n slot.Name, open []slot.Name, err error) (*egraph.Tree, error) {
	if err == nil && !slices.Contains(open, n) {
		err = errScope
	}
	return &egraph.Tree{Op: op, Own: []slot.Name{n}}, err
}

var errScope = errors.New("a variable escapes its binder")

// scoped is a term that a variable of the rule stands for in a scope: it mentions no other
// bound variables of the rule.
func (s *sides) scoped(t *egraph.Tree, open []slot.Name, err error) (*egraph.Tree, error) {
	if err != nil || s.free == nil {
		return t, err
	}
	free, err := s.free(t)
	if err != nil {
		return nil, err
	}
	for _, n := range free {
		if !slices.Contains(open, n) && s.step.binds(n) {
			return nil, errScope
		}
	}
	return t, nil
}

// binds reports whether a name is that of a bound variable of the rule.
func (s *Step) binds(n slot.Name) bool {
	return slices.Contains(s.Bound, n) || slices.ContainsFunc(s.BoundLists, func(l []slot.Name) bool { return slices.Contains(l, n) })
}
