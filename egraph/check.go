package egraph

import (
	"errors"
	"fmt"

	"egad/slot"
)

// Check replays a proof that a and b are equal. It knows terms and rules and
// nothing of graphs: every step must replace an instance of one side of its rule
// by the same instance of the other. Rules of which the other side is computed or
// that have conditions, and equations that were given are checked by other, which may be
// nil to let none pass.
func (p *Proof) Check(sig *Signature, a, b *Tree, other func(s *Step) error) error {
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
		at = at.replace(s.Path, s.To)
	}
	if at.Key(sig) != b.Key(sig) {
		return errors.New("the proof does not end with the term it is about")
	}
	return nil
}

func (s *Step) check(sig *Signature, other func(*Step) error) error {
	from, to := s.From, s.To
	if s.Reverse {
		from, to = to, from
	}
	if s.Reason == Commuted && s.Rule == nil {
		if from.Op != to.Op || !sig.HeadInfo(sig.Head(from.Op)).Commutative || from.Kids[0].Key(sig) != to.Kids[1].Key(sig) ||
			from.Kids[1].Key(sig) != to.Kids[0].Key(sig) {
			return errors.New("the children do not change places")
		}
		return nil
	}
	if s.Rule != nil {
		in := &instantiation{sig: sig, vars: make(map[int]*Tree), bound: make(map[int]slot.Name)}
		for m, op := range s.Rule.Variables {
			// It may be bound before it is met.
			if s.Vars[m].Op != op {
				return errors.New("a metavariable is not the variable that it should be")
			}
			in.vars[m] = s.Vars[m]
		}
		left := s.Rule.Lhs.source
		if s.Rule.From != nil {
			left = s.Rule.From.source
		}
		if !in.matches(left, from, nil) {
			return errors.New("the left side does not match")
		}
		if s.Rule.Apply == nil && !in.matches(s.Rule.Rhs.source, to, nil) {
			return errors.New("the right side does not match")
		}
		if !in.scoped() {
			return errors.New("a variable escapes its binder")
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

// instantiation is what the variables of a rule stand for. The terms of
// metavariables may mention bound variables of the rule by the names they have
// where they were first met.
type instantiation struct {
	sig   *Signature
	vars  map[int]*Tree
	bound map[int]slot.Name
	met   []occurrence
}

// matches reports whether t is an instance of p. Is says what bound names of t
// are called in the terms of metavariables.
func (in *instantiation) matches(p *Pattern, t *Tree, is map[slot.Name]slot.Name) bool {
	switch p.Kind {
	case PVar:
		u := t.Rename(is)
		in.met = append(in.met, occurrence{u, is})
		old, ok := in.vars[p.Var]
		if !ok {
			in.vars[p.Var] = u
			return true
		}
		return old.Key(in.sig) == u.Key(in.sig)
	case PSlot:
		return len(t.Own) == 1 && len(t.Kids) == 0 && renamed(is)(t.Own[0]) == in.bound[p.Var]
	}
	head := in.sig.HeadInfo(in.sig.Head(t.Op))
	switch {
	case len(t.Kids) != len(p.Kids) || len(t.Binders) != len(p.Binders):
		return false
	case p.Class != 0:
		if head.Class&p.Class != p.Class {
			return false
		}
	case in.sig.Head(t.Op) != p.Head:
		return false
	}
	inner := is
	if len(p.Binders) > 0 {
		inner = make(map[slot.Name]slot.Name)
		for n, m := range is {
			inner[n] = m
		}
		for k, b := range p.Binders {
			if b < 0 {
				n, ok := in.variable(-1-b, t)
				if !ok {
					return false
				}
				inner[t.Binders[k]] = n
				continue
			}
			if _, ok := in.bound[b]; !ok {
				in.bound[b] = t.Binders[k]
			}
			inner[t.Binders[k]] = in.bound[b]
		}
	}
	for k, q := range p.Kids {
		scope := is
		if head.Under>>k&1 != 0 {
			scope = inner
		}
		if !in.matches(q, t.Kids[k], scope) {
			return false
		}
	}
	return true
}

// variable is the name of the variable that metavariable m is, when t binds it
// under another name: t must not mention it as well.
func (in *instantiation) variable(m int, t *Tree) (slot.Name, bool) {
	v := in.vars[m]
	if v == nil || len(v.Own) != 1 || len(v.Kids) > 0 {
		return 0, false
	}
	n := v.Own[0]
	under := in.sig.HeadInfo(in.sig.Head(t.Op)).Under
	for k, kid := range t.Kids {
		if under>>k&1 != 0 && kid.Mentions(n) {
			return 0, false
		}
	}
	return n, true
}

// occurrence is a metavariable in a side: what stands there, and the bound names
// it may mention.
type occurrence struct {
	term  *Tree
	scope map[slot.Name]slot.Name
}

// scoped reports whether no term mentions a bound variable of the rule outside
// its scope.
func (in *instantiation) scoped() bool {
	for _, o := range in.met {
		inside := make(map[slot.Name]bool, len(o.scope))
		for _, n := range o.scope {
			inside[n] = true
		}
		for _, n := range in.bound {
			if !inside[n] && o.term.Mentions(n) {
				return false
			}
		}
	}
	return true
}
