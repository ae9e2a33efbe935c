package loops

import (
	"slices"

	"egad/internal/memo"
	"egad/slot"
	"egad/term"
	"egad/term/ops"
	"egad/term/overflow"
	"egad/term/size"
	"egad/term/types"
)

// Sums makes the program with sums in the place of loops of which the last state is read, there a number to
// which each step adds what is made of few others, and does not need the sum, as
//
//	iterate (p[i + 1] - p[i]) (\(s, e) -> (s + a[e] * x[c[e]], e + 1)) (0, p[i])
//
// whose first number is the sum of all a[e] * x[c[e]] with p[i] <= e < p[i + 1]. So their derivative
// needs no states. This is an induction on the steps, as in [Settle]. Numbers may be added in another order.
// Where data say how many steps there are, those are left out that are beyond the ends of an array by which all
// is multiplied, as if what 0 is multiplied by there were finite; then too many steps are no error. It also
// reports whether anything was changed.
func Sums(p *term.Program) (out *term.Program, changed bool, err error) {
	q := *p
	err = overflow.Guard(func() error {
		for again := p.HasLoops(); again; changed = changed || again {
			root, became := p.Store.Rewrite(q.Root, func(at term.Term, _ term.View) (term.Term, bool) {
				return summed(p.Store, at)
			})
			again = !root.Equal(q.Root)
			q.Root, q.Names = root, term.MoveHints(q.Names, became)
		}
		return nil
	})
	return &q, changed, err
}

// summed is the last number of a loop as a sum, if it is one.
func summed(s *term.Store, t term.Term) (term.Term, bool) {
	v := s.Open(t)
	if v.Op.Sym != ops.SymIndex || len(v.Kids) != 2 || !s.Type(t).IsScalar(types.R) {
		return term.Term{}, false
	}
	loop, part := wholeOf(s, v.Kids[0]), s.Op(v.Kids[0]).N
	if op := s.Op(loop); op.Sym != ops.SymStates || !isInt(s, v.Kids[1].ID, op.Sizes[0]) {
		return term.Term{}, false
	}
	a := newAdding(s, loop)
	more, ok := a.more(a.next[part], part)
	if !ok {
		return term.Term{}, false
	}
	by, more := a.apart(more)
	if !a.adds(more) {
		return term.Term{}, false
	}
	sum, ok := a.sum(more)
	if !ok {
		return term.Term{}, false
	}
	if len(by) > 0 { // which may be infinite where there is no step
		for _, x := range by {
			sum = s.Apply(ops.SymMul, sum, x)
		}
		sum = s.Apply(ops.SymCond, s.Apply(ops.SymLt, s.LitInt(0), a.count), sum, s.Lit(ops.ScalarZero(types.R)))
	}
	if a.first[part].Equal(s.Zeros(s.Type(sum))) {
		return sum, true
	}
	return s.Apply(ops.SymAdd, a.first[part], sum), true
}

// adding is a loop with what its arrays become in a step.
type adding struct {
	*term.State
	s           *term.Store
	index       slot.Name // of the step
	most        size.Size // steps
	count       term.Term // of them, not negative in rounds
	rounds      bool      // it is in rounds, of which data say how many there are
	open        bool      // it is for each of some indices
	first, next []term.Term
}

// newAdding takes a loop apart. One in rounds is taken for a single one.
func newAdding(s *term.Store, loop term.Term) *adding {
	v := s.Open(loop)
	a := &adding{State: s.StateOf(v.Op.Type), s: s, index: v.Binders[0], most: v.Op.Sizes[0], count: v.Kids[1], open: len(s.Vars(loop)) > 0}
	step := s.Arrays(v.Kids[2], v.Binders[1], a.Arrays)
	for k := range a.Types {
		a.first, a.next = append(a.first, s.Component(k, v.Kids[0])), append(a.next, s.Component(k, step))
	}
	a.inRounds()
	return a
}

// inRounds takes a loop in rounds, of whose steps data say how many there are, for a single one of
// that many.
func (a *adding) inRounds() {
	s, c := a.s, a.s.Open(a.count)
	if c.Op.Sym != ops.SymCond || !a.most.IsConst(ops.MaxSteps) {
		return
	}
	count, steps := s.InRounds(c.Kids[1])
	of := s.Op(a.next[0])
	if !a.count.Equal(count) || of.Sym != ops.SymIndex {
		return
	}
	round := wholeOf(s, s.Open(a.next[0]).Kids[0])
	if s.Op(round).Sym != ops.SymStates {
		return
	}
	v := s.Open(round)
	ok := v.Op.Sizes[0].IsConst(ops.MaxSteps) && v.Kids[1].Equal(steps(s.Ivar(a.index, a.most))) && v.Op.Type.Equal(term.PackedType(a.Types)) && !v.Kids[2].Has(v.Binders[0])
	for k := range a.Types {
		ok = ok && a.next[k].Equal(s.Index(s.Component(k, round), s.LitInt(ops.MaxSteps))) && s.Component(k, v.Kids[0]).Equal(a.Arrays[k])
	}
	if step := s.Arrays(v.Kids[2], v.Binders[1], a.Arrays); ok && !step.Has(a.index) {
		a.count, a.rounds = c.Kids[1], true
		for k := range a.next {
			a.next[k] = s.Component(k, step)
		}
	}
}

// isRound reports whether a loop is a round of a loop in rounds, of whose steps data say how many there are.
func (a *adding) isRound() bool {
	s, t, i := a.s, a.count, term.Term{}
	for _, op := range []ops.Sym{ops.SymMax, ops.SymMin, ops.SymSub} {
		v := s.Open(t)
		if v.Op.Sym != op {
			return false
		}
		t, i = v.Kids[0], v.Kids[1]
	}
	if s.Op(i).Sym != ops.SymMul {
		return false
	}
	_, steps := s.InRounds(t)
	return a.count.Equal(steps(s.Open(i).Kids[0]))
}

// adds reports whether what is added to a number of the state needs nothing of the state but what stays as it
// is, or what has the same added to in each step.
func (a *adding) adds(more term.Term) bool {
	for k, n := range a.Names {
		if _, counted := a.added(k); more.Has(n) && !counted && !a.next[k].Equal(a.Arrays[k]) {
			return false
		}
	}
	return a.plain(more)
}

// apart takes the factors of a product out that are the same in all steps of which data say how many there are:
// what is left is what steps add then.
func (a *adding) apart(t term.Term) (by []term.Term, rest term.Term) {
	v := a.s.Open(t)
	if !a.rounds || v.Op.Sym != ops.SymMul {
		return nil, t
	}
	for i, x := range v.Kids {
		if other := v.Kids[1-i]; a.fixed(x) && !a.fixed(other) {
			by, rest = a.apart(other)
			return append(by, x), rest
		}
	}
	left, x := a.apart(v.Kids[0])
	right, y := a.apart(v.Kids[1])
	return append(left, right...), a.s.Apply(ops.SymMul, x, y)
}

// more is what is added to a part of the state in a sum.
func (a *adding) more(t term.Term, part int) (term.Term, bool) {
	s, v := a.s, a.s.Open(t)
	if sub := v.Op.Sym == ops.SymSub; v.Op.Sym == ops.SymAdd || sub {
		x, y := v.Kids[0], v.Kids[1]
		if !sub && y.Has(a.Names[part]) {
			x, y = y, x
		}
		if y.Has(a.Names[part]) {
			return term.Term{}, false
		}
		if x.Equal(a.Arrays[part]) {
			if sub {
				y = s.Apply(ops.SymNeg, y)
			}
			return y, true
		}
		if x, ok := a.more(x, part); ok {
			return s.Apply(v.Op.Sym, x, y), true
		}
	}
	return term.Term{}, false
}

// added is what each step adds to an integer of the state.
func (a *adding) added(k int) (c term.Term, ok bool) {
	if !a.Types[k].IsScalar(types.I) {
		return term.Term{}, false
	}
	c, ok = added(a.s, a.next[k], a.Arrays[k])
	return c, ok && a.fixed(c)
}

// fixed reports whether a term is the same in all steps.
func (a *adding) fixed(t term.Term) bool {
	return !t.Has(a.index) && !slices.ContainsFunc(a.Names, t.Has)
}

// at is a term in step i.
func (a *adding) at(t, i term.Term) term.Term {
	env := map[slot.Name]term.Term{a.index: i}
	for k, n := range a.Names {
		env[n] = a.first[k]
		if c, ok := a.added(k); ok {
			env[n] = after(a.s, a.first[k], c, i)
		}
	}
	return a.s.Subst(t, env)
}

// sum is the sum of what all steps add.
func (a *adding) sum(more term.Term) (term.Term, bool) {
	s, zero := a.s, a.s.Lit(ops.ScalarZero(types.R))
	switch {
	case a.rounds:
		return a.along(more)
	case a.isRound():
		return term.Term{}, false
	case isInt(s, a.count.ID, a.most):
		return s.Apply(ops.SymSum, s.Build(a.most, func(i term.Term) term.Term { return a.at(more, i) })), true
	}
	return s.Apply(ops.SymSum, s.Build(a.most, func(i term.Term) term.Term {
		return s.Apply(ops.SymCond, s.Apply(ops.SymLt, i, a.count), a.at(more, i), zero)
	})), true
}

// along is the sum of what steps add of which data say how many there are, along an axis of an array of which they read
// one element after the other. What they add beyond its ends is the same in all of them.
func (a *adding) along(more term.Term) (term.Term, bool) {
	s := a.s
	by, beyond, ok := a.axis(more)
	if !ok {
		return term.Term{}, false
	}
	from := a.moved(ops.SymAdd, a.first[by.part], by.offset)
	end, some := a.moved(ops.SymAdd, a.count, from), term.Term{}
	if v := s.Open(a.count); v.Op.Sym == ops.SymMax { // of steps and 0: none if the end is before
		steps := v.Kids[0]
		if v = s.Open(steps); v.Op.Sym == ops.SymSub && v.Kids[1].Equal(from) { // the difference may wrap: then there is no step, though the end is not before
			end, some = v.Kids[0], s.Apply(ops.SymLt, s.LitInt(0), steps)
		}
	}
	zero := s.Lit(ops.ScalarZero(types.R))
	sum := s.Apply(ops.SymSum, s.Build(size.Const(by.size), func(x term.Term) term.Term {
		within := s.Apply(ops.SymLt, x, a.within(end, by.size))
		if !from.Equal(s.LitInt(0)) {
			within = s.Apply(ops.SymAnd, s.Apply(ops.SymLe, a.within(from, by.size), x), within)
		}
		if some.ID != 0 {
			within = s.Apply(ops.SymAnd, within, some)
		}
		now := s.Subst(more, map[slot.Name]term.Term{a.Names[by.part]: a.moved(ops.SymSub, x, by.offset)})
		return s.Apply(ops.SymCond, within, a.at(now, a.moved(ops.SymSub, x, from)), zero)
	}))
	if beyond.Equal(zero) {
		return sum, true
	}
	inside := s.Apply(ops.SymMax, a.moved(ops.SymSub, a.clamped(end, by.size), a.clamped(from, by.size)), s.LitInt(0))
	if some.ID != 0 {
		inside = s.Apply(ops.SymCond, some, inside, s.LitInt(0))
	}
	outside := s.Apply(ops.SymSub, a.count, inside)
	return s.Apply(ops.SymAdd, sum, s.Apply(ops.SymCond, s.Apply(ops.SymLt, s.LitInt(0), outside),
		s.Apply(ops.SymMul, beyond, s.Apply(ops.SymReal, outside)), zero)), true
}

// axis is an axis along which steps read one element after the other, and what they add where they read beyond its
// ends: 0 if the element is a factor.
func (a *adding) axis(more term.Term) (by factor, beyond term.Term, ok bool) {
	if f := a.factors(more); len(f) > 0 {
		return f[0], a.s.Lit(ops.ScalarZero(types.R)), true
	}
	var read []factor
	a.without(more, func(f factor) bool {
		read = append(read, f)
		return false
	})
	for _, by := range read {
		if beyond := a.kept(a.without(more, by.along)); a.fixed(beyond) {
			return by, beyond, true
		}
	}
	return factor{}, term.Term{}, false
}

// without is a term with 0 for what is read along some axes, as of steps beyond their ends.
func (a *adding) without(t term.Term, along func(factor) bool) term.Term {
	done := make(map[string]term.Term)
	var of func(t term.Term) term.Term
	of = func(t term.Term) term.Term {
		return memo.Of(done, term.TermKey(t), func() term.Term {
			v := a.s.Open(t)
			if v.Op.Sym == ops.SymIndex && slices.ContainsFunc(a.elements(v), along) {
				return a.s.Zeros(a.s.Type(t))
			}
			for i, k := range v.Kids {
				v.Kids[i] = of(k)
			}
			return a.s.Remade(v)
		})
	}
	return of(t)
}

// kept is a term with what stays as it is in the state as it is at first.
func (a *adding) kept(t term.Term) term.Term {
	env := make(map[slot.Name]term.Term)
	for k, n := range a.Names {
		if a.next[k].Equal(a.Arrays[k]) {
			env[n] = a.first[k]
		}
	}
	return a.s.Subst(t, env)
}

// moved is an integer with another one added or subtracted.
func (a *adding) moved(op ops.Sym, t, by term.Term) term.Term {
	if by.Equal(a.s.LitInt(0)) {
		return t
	}
	return a.s.Apply(op, t, by)
}

// plain reports whether what steps add is a number that is made of few numbers that are read, so that for its
// derivative no more has to be kept than for that of the loop. It may be made by functions where all
// that is read is in the steps of one loop, or all loops together have few steps.
func (a *adding) plain(more term.Term) bool {
	s, ok, functions := a.s, true, !a.open && !a.rounds || a.segment()
	if a.open && a.rounds && !a.segment() { // of what is made of the row, an element might be kept for each step of each row
		ok = !slices.ContainsFunc(more.Args, a.row)
	}
	var real func(t term.Term)
	real = func(t term.Term) {
		v := s.Open(t)
		switch sym := v.Op.Sym; {
		case !s.Type(t).IsScalar(types.R):
			ok = false
		case sym == ops.SymIndex: // of an array that is there
			ok = ok && a.fixed(v.Kids[0]) && !slices.ContainsFunc(v.Kids[1:], func(i term.Term) bool { return s.Contains(i, a.makes) })
		case sym == ops.SymReal:
			ok = ok && !s.Contains(v.Kids[0], a.makes)
		case slices.Contains([]ops.Sym{ops.SymAdd, ops.SymSub, ops.SymMul, ops.SymNeg}, sym),
			sym == ops.SymDiv && s.Op(v.Kids[1]).Sym == ops.SymConst,
			functions && len(v.Kids) > 0 && len(v.Binders) == 0:
			for _, k := range v.Kids {
				real(k)
			}
		case !a.fixed(t):
			k := slices.IndexFunc(a.Arrays, t.Equal)
			ok = ok && k >= 0 && a.next[k].Equal(t) // what stays as it is
		}
	}
	real(more)
	return ok
}

// segment reports whether steps go from an element of an array of integers to the next one, as where rows begin and
// end that are one after the other: so all rows together have about as many steps as there are elements.
func (a *adding) segment() bool {
	s, v := a.s, a.s.Open(a.count)
	if v.Op.Sym != ops.SymMax {
		return false
	}
	if v = s.Open(v.Kids[0]); v.Op.Sym != ops.SymSub || !slices.ContainsFunc(a.first, v.Kids[1].Equal) {
		return false
	}
	end, from := s.Open(v.Kids[0]), s.Open(v.Kids[1])
	if end.Op.Sym != ops.SymIndex || from.Op.Sym != ops.SymIndex || len(end.Kids) != 2 || len(from.Kids) != 2 || !end.Kids[0].Equal(from.Kids[0]) {
		return false
	}
	next, ok := added(s, end.Kids[1], from.Kids[1])
	return ok && next.Equal(s.LitInt(1))
}

// row reports whether where the steps begin, or how many there are, depends on a variable from outside.
func (a *adding) row(n slot.Name) bool {
	return a.count.Has(n) || slices.ContainsFunc(a.first, func(t term.Term) bool { return a.s.Type(t).IsScalar(types.I) && t.Has(n) })
}

// makes reports whether a term is made of arrays or by a loop.
func (a *adding) makes(t term.Term) bool {
	op := a.s.Op(t)
	return op.Sym == ops.SymStates || a.s.Binders(t) > 0
}

// within is an integer that is computed as one from 0 to n, which compares with indices below n as it does.
func (a *adding) within(t term.Term, n int64) term.Term {
	s := a.s
	if sym := s.Op(t).Sym; sym != ops.SymAdd && sym != ops.SymSub {
		return t
	}
	return a.clamped(t, n)
}

// clamped is the integer from 0 to n that is nearest to another one.
func (a *adding) clamped(t term.Term, n int64) term.Term {
	if t.Equal(a.s.LitInt(0)) {
		return t
	}
	return a.s.Apply(ops.SymMax, a.s.Apply(ops.SymMin, t, a.s.LitInt(n)), a.s.LitInt(0))
}

// factor is an element of an array, at a number of the state that is one more in each step, and an offset; size is
// that of the axis.
type factor struct {
	part   int
	offset term.Term
	size   int64
}

// along reports whether two elements are beyond the ends of their axes in the same steps.
func (f factor) along(g factor) bool {
	return f.part == g.part && f.size == g.size && f.offset.Equal(g.offset)
}

// factors are elements without which a number is 0.
func (a *adding) factors(t term.Term) []factor {
	v := a.s.Open(t)
	switch v.Op.Sym {
	case ops.SymMul:
		return append(a.factors(v.Kids[0]), a.factors(v.Kids[1])...)
	case ops.SymNeg, ops.SymDiv: // by a literal
		return a.factors(v.Kids[0])
	case ops.SymAdd, ops.SymSub:
		other := a.factors(v.Kids[1])
		return slices.DeleteFunc(a.factors(v.Kids[0]), func(f factor) bool {
			return !slices.ContainsFunc(other, f.along)
		})
	case ops.SymIndex:
		return a.elements(v)
	}
	return nil
}

// elements are the axes along which an array is read at a number of the state that is one more in each step.
func (a *adding) elements(v term.View) (out []factor) {
	s := a.s
	for axis, e := range v.Kids[1:] {
		for k, x := range a.Arrays {
			one, ok := a.added(k)
			if !ok || !one.Equal(s.LitInt(1)) {
				continue
			}
			offset := s.LitInt(0)
			if !e.Equal(x) {
				offset, ok = added(s, e, x)
			}
			if size, known := s.Type(v.Kids[0]).Shape[axis].Const(); ok && known && a.fixed(offset) {
				out = append(out, factor{k, offset, size})
			}
		}
	}
	return out
}
