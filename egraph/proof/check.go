package proof

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"egad/egraph"
	"egad/internal/memo"
	"egad/internal/raise"
	"egad/internal/set"
	"egad/internal/slice"
	"egad/slot"
)

// Check checks a proof that a and b are equal. It knows terms and rules and nothing of
// graphs: a step must have the two sides of its rule, for what it says that the variables
// stand for. Rules of which the other side is computed or that have conditions, and equations
// that were given are checked by other, which may be nil to let none pass. Whether
// the rules of the steps are the right ones, only who made them can say.
func (p *Proof) Check(sig *egraph.Signature, a, b *egraph.Tree, other func(s *Step) error) (err error) {
	defer raise.Caught(&err)
	if p == nil {
		return errors.New("there is no proof")
	}
	c := &checker{terms: newTerms(sig), p: p, other: other, steps: make(map[*Step][2]slot.Ref)}
	from, to := c.ref(a), c.ref(b)
	for k := range p.Equations {
		if err := c.equation(k); err != nil {
			return fmt.Errorf("equation %d: %w", k+1, err)
		}
	}
	if n := len(c.proved); n == 0 && !from.Equal(to) || n > 0 && !slot.Alike(c.proved[n-1][0], c.proved[n-1][1], from, to) {
		return errors.New("the proof is of something else")
	}
	return nil
}

type checker struct {
	*terms
	p      *Proof
	other  func(*Step) error
	steps  map[*Step][2]slot.Ref // those that are right, with their sides
	proved [][2]slot.Ref         // equations
}

// equation checks that an equation follows from those before it.
func (c *checker) equation(k int) (err error) {
	defer raise.Caught(&err)
	e := &c.p.Equations[k]
	if len(e.Links) == 0 {
		return errors.New("it says nothing")
	}
	at := e.From
	c.ref(at)
	for i := range e.Links {
		l := &e.Links[i]
		if err := c.link(at, l); err != nil {
			return fmt.Errorf("link %d: %w", i+1, err)
		}
		at = l.To
	}
	c.proved = append(c.proved, [2]slot.Ref{c.of[e.From], c.of[at]})
	return nil
}

func (c *checker) link(from *egraph.Tree, l *Link) (err error) {
	defer raise.Caught(&err)
	c.ref(l.To)
	switch {
	case l.Step != nil:
		s, err := c.step(l.Step)
		if err != nil {
			return fmt.Errorf("%s: %w", l.Step.Reason, err)
		}
		if l.Reverse {
			s[0], s[1] = s[1], s[0]
		}
		if !slot.Alike(s[0], s[1], c.of[from], c.of[l.To]) {
			return fmt.Errorf("it is not %s", l.Step.Reason)
		}
		return nil
	case l.Kids == nil:
		return c.commutes(from, l.To)
	}
	return c.children(from, l)
}

// commutes checks that the two children of a commutative operator change places.
func (c *checker) commutes(from, to *egraph.Tree) error {
	if !commutes(c.sig, from.Op) {
		return errors.New("the operator is not commutative")
	}
	swapped := *from
	swapped.Kids = []*egraph.Tree{from.Kids[1], from.Kids[0]}
	if !c.ref(&swapped).Equal(c.of[to]) {
		return errors.New("the children do not change places")
	}
	return nil
}

// commutes reports whether the children of an operator can change places: none of them gets
// into the scope of a variable.
func commutes(sig *egraph.Signature, op egraph.Op) bool {
	h := sig.HeadInfo(sig.Head(op))
	under := h.Under & 3
	return h.Commutative && (sig.Binders(op) == 0 || under == 0 || under == 3)
}

// children checks that two terms differ in children only, which are equal.
func (c *checker) children(from *egraph.Tree, l *Link) error {
	if from.Op != l.To.Op || !slices.Equal(from.Own, l.To.Own) {
		return errors.New("the operators differ")
	}
	if len(l.Kids) != len(from.Kids) {
		return errors.New("it is about other children")
	}
	// What both bind gets names that nothing else has.
	used := set.Of(slices.Concat(c.of[from].Args, c.of[l.To].Args, from.Binders, l.To.Binders)...)
	var names []slot.Name
	for range from.Binders {
		n := slot.Unused(1, used)
		used[n] = true
		names = append(names, n)
	}
	under := c.sig.HeadInfo(c.sig.Head(from.Op)).Under
	for i, e := range l.Kids {
		a, b := c.of[from.Kids[i]], c.of[l.To.Kids[i]]
		if under>>i&1 != 0 {
			a, b = a.Rename(inner(from.Binders, names)), b.Rename(inner(l.To.Binders, names))
		}
		switch {
		case e == -1:
			if !a.Equal(b) {
				return fmt.Errorf("child %d changes", i+1)
			}
		case e < 0 || e >= len(c.proved):
			return fmt.Errorf("child %d rests on what is not proved yet", i+1)
		case !slot.Alike(c.proved[e][0], c.proved[e][1], a, b):
			return fmt.Errorf("equation %d does not say that child %d is equal", e+1, i+1)
		}
	}
	return nil
}

// inner gives bound variables other names: of two that are called alike the last one counts.
func inner(binders, names []slot.Name) func(slot.Name) slot.Name {
	is := make(map[slot.Name]slot.Name)
	for i, n := range binders {
		is[n] = names[i]
	}
	return func(n slot.Name) slot.Name { return slot.Renamed(is, n) }
}

// step checks a step, once, and gives its sides.
func (c *checker) step(s *Step) (out [2]slot.Ref, err error) {
	defer raise.Caught(&err)
	if out, ok := c.steps[s]; ok {
		return out, nil
	}
	ask := true
	if r := s.Rule; r != nil {
		raise.Error(c.instance(s))
		ask = r.Apply != nil || r.Guard != nil || r.From != nil || r.Lhs.Joined() || carries(r.Lhs.Pattern())
	}
	for i, t := range []*egraph.Tree{s.From, s.To} {
		out[i] = c.ref(t)
	}
	if ask {
		if c.other == nil {
			return out, errors.New("nobody vouches for it")
		}
		raise.Error(c.other(s))
	}
	c.steps[s] = out
	return out, nil
}

// carries reports whether a left side asks what operators carry.
func carries(p *egraph.Pattern) bool {
	return len(p.Statics) > 0 || slices.ContainsFunc(p.Kids, carries)
}

// instance checks that a step has the two sides of its rule.
func (c *checker) instance(s *Step) error {
	r := s.Rule
	switch {
	case r.Lhs == nil || r.Rhs == nil && r.Apply == nil:
		return errors.New("the rule has no sides")
	case s.Reason != r.Name:
		return fmt.Errorf("the rule is %s", r.Name)
	case len(s.Vars) != r.Lhs.Vars():
		return fmt.Errorf("the rule has %d metavariables, and there are %d terms for them", r.Lhs.Vars(), len(s.Vars))
	}
	names := slices.Concat(append(slices.Clone(s.BoundLists), s.Bound)...)
	for i, n := range names {
		if slices.Contains(names[:i], n) {
			return errors.New("two bound variables have one name")
		}
	}
	ops, shape := s.Ops, s.Shape
	left := &sides{sig: c.sig, step: s, free: c.free}
	left.op = func(p *egraph.Pattern, _ int) egraph.Op {
		op := at(ops, 0)
		ops = ops[1:]
		if int(op) >= c.sig.Ops() {
			raise.Error(fmt.Errorf("there is no operator %d", op))
		}
		if h := c.sig.Head(op); p.Class == 0 && h != p.Head || c.sig.HeadInfo(h).Class&p.Class != p.Class {
			raise.Error(errors.New("the left side does not match"))
		}
		return op
	}
	left.shape = func(*egraph.Pattern) int {
		k := at(shape, 0)
		shape = shape[1:]
		return k
	}
	matched := s.From
	if s.Left != nil {
		matched = s.Left
	}
	c.side(left, r.Lhs.Pattern(), matched, "the left side")
	switch {
	case len(ops)+len(shape) > 0:
		return errors.New("the left side is another")
	case r.From != nil && s.Left == nil:
		return errors.New("it does not say what the left side matched")
	case s.Left != nil && r.From == nil && r.Apply == nil:
		return errors.New("the rule is about what the left side matches")
	}
	right := &sides{sig: c.sig, step: s, free: c.free}
	if r.From != nil {
		c.side(right, r.From.Pattern(), s.From, "what the rule is about")
	}
	if r.Apply == nil {
		c.side(right, r.Rhs.Pattern(), s.To, "the right side")
	}
	return nil
}

// side checks that a term is a side of a rule, for what the variables stand for.
func (c *checker) side(s *sides, p *egraph.Pattern, t *egraph.Tree, what string) {
	want := c.ref(s.term(p, nil, 0))
	if !c.ref(t).Equal(want) {
		raise.Error(fmt.Errorf("%s does not match", what))
	}
}

// terms numbers terms: those that differ in the names of variables only have one number.
type terms struct {
	sig *egraph.Signature
	ids map[string]uint32
	of  map[*egraph.Tree]slot.Ref // of those that were looked at
	in  map[*egraph.Tree]bool     // those that are being looked at
}

func newTerms(sig *egraph.Signature) *terms {
	return &terms{sig: sig, ids: make(map[string]uint32), of: make(map[*egraph.Tree]slot.Ref), in: make(map[*egraph.Tree]bool)}
}

// ref is the number of a term with its free variables. An error is raised if it has operators that
// there are not, or children, slots or binders that its operators do not have, or itself as a
// subterm.
func (x *terms) ref(t *egraph.Tree) slot.Ref {
	if t == nil {
		raise.Error(errors.New("a term is missing"))
	}
	if r, ok := x.of[t]; ok {
		return r
	}
	if x.in[t] {
		raise.Error(errors.New("a term is a subterm of itself"))
	}
	x.in[t] = true
	raise.Error(t.Formed(x.sig))
	under := x.sig.HeadInfo(x.sig.Head(t.Op)).Under
	c := slot.Canonicalise(slot.Source{
		Own: t.Own, Binders: t.Binders, Kids: slice.Map(t.Kids, x.ref), Under: func(k int) bool { return under>>k&1 != 0 },
	})
	key := binary.AppendUvarint(nil, uint64(t.Op))
	note := func(ps []slot.Pos) {
		for _, p := range ps {
			key = binary.AppendUvarint(key, uint64(p))
		}
	}
	note(c.Own)
	for _, k := range c.Kids {
		key = binary.AppendUvarint(key, uint64(k.ID))
		note(k.Args)
	}
	id := memo.Of(x.ids, string(key), func() uint32 { return uint32(len(x.ids)) })
	r := slot.Ref{ID: id, Args: c.Free}
	x.of[t] = r
	return r
}

// free are the free variables of a term.
func (x *terms) free(t *egraph.Tree) []slot.Name { return x.ref(t).Args }
