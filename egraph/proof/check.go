package proof

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"egad/egraph"
	"egad/slot"
)

// Check replays a proof that a and b are equal. It knows terms and rules and
// nothing of graphs: every step must replace an instance of one side of its rule
// by the same instance of the other, and Vars and Bound must say which. Rules of
// which the other side is computed or that have conditions, and equations that
// were given are checked by other, which may be nil to let none pass. Whether
// the rules of the steps are the right ones, only who made them can say.
func (p *Proof) Check(sig *egraph.Signature, a, b *egraph.Tree, other func(s *Step) error) error {
	if err := p.formed(sig, a, b); err != nil {
		return err
	}
	if p.Start.Key(sig) != a.Key(sig) {
		return errors.New("the proof does not begin with the term it is about")
	}
	at := p.Start
	for i := range p.Steps {
		s := &p.Steps[i]
		sub := at.At(s.Path)
		if sub == nil || sub.Key(sig) != s.From.Key(sig) {
			return fmt.Errorf("step %d is not about a subterm of the term before it", i+1)
		}
		if err := s.check(sig, other); err != nil {
			return fmt.Errorf("step %d, %s: %w", i+1, s.Reason, err)
		}
		at = at.Replace(s.Path, s.To)
	}
	if at.Key(sig) != b.Key(sig) {
		return errors.New("the proof does not end with the term it is about")
	}
	return nil
}

// formed reports what is no term at all. Nothing else looks at the numbers of
// children and names.
func (p *Proof) formed(sig *egraph.Signature, a, b *egraph.Tree) error {
	if p == nil {
		return errors.New("there is no proof")
	}
	seen := make(map[*egraph.Tree]bool)
	for _, t := range []*egraph.Tree{a, b, p.Start} {
		if err := formed(t, sig, seen); err != nil {
			return err
		}
	}
	for i, s := range p.Steps {
		all := slices.Concat([]*egraph.Tree{s.From, s.To}, s.Vars)
		if s.Left != nil {
			all = append(all, s.Left)
		}
		for _, t := range all {
			if err := formed(t, sig, seen); err != nil {
				return fmt.Errorf("step %d, %s: %w", i+1, s.Reason, err)
			}
		}
	}
	return nil
}

func (s *Step) check(sig *egraph.Signature, other func(*Step) error) error {
	if s.Rule == nil && s.Reason == Commuted {
		return s.commutes(sig)
	}
	if s.Rule != nil {
		if err := s.instance(sig); err != nil {
			return err
		}
		if s.Rule.Apply == nil && s.Rule.Guard == nil && s.Rule.From == nil {
			return nil
		}
	}
	if other == nil {
		return errors.New("nobody vouches for it")
	}
	return other(s)
}

// commutes checks that the two children of a commutative operator change places.
func (s *Step) commutes(sig *egraph.Signature) error {
	h := sig.HeadInfo(sig.Head(s.From.Op))
	if !h.Commutative {
		return fmt.Errorf("%s is not commutative", h.Name)
	}
	if under := h.Under & 3; sig.Binders(s.From.Op) > 0 && under != 0 && under != 3 {
		return fmt.Errorf("a child of %s would get into the scope of a variable", h.Name)
	}
	if swapped(s.From).Key(sig) != s.To.Key(sig) {
		return errors.New("the children do not change places")
	}
	return nil
}

// instance checks that a step has the two sides of its rule, for the variables
// that it says.
func (s *Step) instance(sig *egraph.Signature) error {
	r := s.Rule
	if r.Lhs == nil || r.Rhs == nil && r.Apply == nil {
		return errors.New("the rule has no sides")
	}
	if s.Reason != r.Name {
		return fmt.Errorf("the rule is %s", r.Name)
	}
	in := newInstantiation(sig, slices.Concat([]*egraph.Tree{s.From, s.To}, s.Vars), s.Bound)
	if err := in.read(s); err != nil {
		return err
	}
	from, to := s.From, s.To
	if s.Reverse {
		from, to = to, from
	}
	if r.Beside {
		if s.Left == nil || !in.matches(r.Lhs.Pattern(), s.Left, nil, true) {
			return errors.New("the left side does not match")
		}
	} else if r.From != nil {
		if !in.matches(r.From.Pattern(), from, nil, false) {
			return errors.New("what the rule is about does not match")
		}
	} else if !in.matches(r.Lhs.Pattern(), from, nil, true) {
		return errors.New("the left side does not match")
	}
	if r.Apply == nil && !in.matches(r.Rhs.Pattern(), to, nil, false) {
		return errors.New("the right side does not match")
	}
	for k, t := range in.said {
		if u, ok := in.vars[k]; ok && u.Key(sig) != t.Key(sig) {
			return fmt.Errorf("metavariable %d stands for another term", k)
		}
	}
	if !in.scoped(r.Lhs.Pattern(), nil) {
		return errors.New("a variable escapes its binder")
	}
	return nil
}

// instantiation is what the variables of a rule stand for. In the terms of
// metavariables the bound variables of the rule have names that no other
// variable has, so that a variable that gets into a scope or out of one makes
// another term.
type instantiation struct {
	sig  *egraph.Signature
	used map[slot.Name]bool
	last slot.Name
	vars map[int]*egraph.Tree
	said []*egraph.Tree    // the same as the step says it
	own  map[int]slot.Name // of the bound variables of the rule
}

func newInstantiation(sig *egraph.Signature, terms []*egraph.Tree, names []slot.Name) *instantiation {
	in := &instantiation{sig: sig, used: make(map[slot.Name]bool), vars: make(map[int]*egraph.Tree), own: make(map[int]slot.Name)}
	for _, t := range terms {
		t.Names(in.used)
	}
	for _, n := range names {
		in.used[n] = true
	}
	return in
}

func (in *instantiation) fresh() slot.Name {
	in.last = slot.Unused(in.last, in.used)
	in.used[in.last] = true
	return in.last
}

// name is what bound variable b of the rule is called.
func (in *instantiation) name(b int) slot.Name {
	n, ok := in.own[b]
	if !ok {
		n = in.fresh()
		in.own[b] = n
	}
	return n
}

// matches reports whether t is an instance of p. Scope says what the names that
// the rule binds around t are called in the terms of metavariables. A left side
// names heads, another side operators.
func (in *instantiation) matches(p *egraph.Pattern, t *egraph.Tree, scope map[slot.Name]slot.Name, left bool) bool {
	switch p.Kind {
	case egraph.PVar:
		u := t.Rename(in.sig, scope)
		old, ok := in.vars[p.Var]
		if !ok {
			in.vars[p.Var] = u
			return true
		}
		return old.Key(in.sig) == u.Key(in.sig)
	case egraph.PSlot:
		return len(t.Own) == 1 && len(t.Kids) == 0 && scope[t.Own[0]] == in.name(p.Var) && (left || t.Op == p.Op)
	}
	head := in.sig.HeadInfo(in.sig.Head(t.Op))
	switch {
	case len(t.Kids) != len(p.Kids) || len(t.Binders) != len(p.Binders):
		return false
	case !left:
		if t.Op != p.Op || len(t.Own) > 0 {
			return false
		}
	case p.Class != 0:
		if head.Class&p.Class != p.Class {
			return false
		}
	case in.sig.Head(t.Op) != p.Head:
		return false
	}
	inner := scope
	if len(p.Binders) > 0 {
		if inner = maps.Clone(scope); inner == nil {
			inner = make(map[slot.Name]slot.Name)
		}
		for k, b := range p.Binders {
			if !in.bind(b, t.Binders[k], inner) {
				return false
			}
		}
	}
	for k, q := range p.Kids {
		around := scope
		if head.Under>>k&1 != 0 {
			around = inner
		}
		if !in.matches(q, t.Kids[k], around, left) {
			return false
		}
	}
	return true
}

// bind enters in a scope that a term calls bound variable b of the rule n; -1-m is
// the variable that metavariable m stands for. An outer variable that is called
// like it in the rule cannot be meant in the scope.
func (in *instantiation) bind(b int, n slot.Name, scope map[slot.Name]slot.Name) bool {
	var name slot.Name
	if b >= 0 {
		name = in.name(b)
	} else {
		v := in.said[-1-b]
		if len(v.Own) != 1 || len(v.Kids) > 0 {
			return false
		}
		name = v.Own[0]
		if _, ok := scope[name]; !ok {
			scope[name] = name
		}
	}
	for o, m := range scope {
		if m == name {
			scope[o] = in.fresh()
		}
	}
	scope[n] = name
	return true
}

// read takes what a step says its variables stand for.
func (in *instantiation) read(s *Step) error {
	if len(s.Vars) != s.Rule.Lhs.Vars() {
		return fmt.Errorf("the rule has %d metavariables, and there are %d terms for them", s.Rule.Lhs.Vars(), len(s.Vars))
	}
	if len(s.Bound) < s.Rule.Lhs.Bound() {
		return fmt.Errorf("the rule has %d bound variables, and %d have names", s.Rule.Lhs.Bound(), len(s.Bound))
	}
	is := make(map[slot.Name]slot.Name)
	for b, n := range s.Bound {
		if is[n] != 0 {
			return errors.New("two bound variables have one name")
		}
		is[n] = in.name(b)
	}
	for _, t := range s.Vars {
		in.said = append(in.said, t.Rename(in.sig, is))
	}
	return nil
}

// scoped reports whether the terms of metavariables mention only the bound
// variables that are around their places in a left side. Those of a rule with
// From need not occur in either side of a step.
func (in *instantiation) scoped(p *egraph.Pattern, open []int) bool {
	switch p.Kind {
	case egraph.PVar:
		for b, n := range in.own {
			if !slices.Contains(open, b) && in.said[p.Var].Mentions(in.sig, n) {
				return false
			}
		}
		return true
	case egraph.PSlot:
		return true
	}
	for k, q := range p.Kids {
		around := open
		// In what is matched by the class of its head a term may be under the
		// binders or not.
		if p.Class != 0 || in.sig.HeadInfo(p.Head).Under>>k&1 != 0 {
			around = append(slices.Clone(open), p.Binders...)
		}
		if !in.scoped(q, around) {
			return false
		}
	}
	return true
}
