package rules

import (
	"egad/slot"
	"egad/term"
)

// preimage is the value of an index variable for which u is a: of i - 1 it is a + 1, and of 4 - i it is
// 4 - a. There is no value unless u is the variable plus or minus what does not mention it, or such a term
// minus the variable. Integers wrap around, and so does what is made here: it is right for all of them.
// Of anything but an integer there is no value: an equation may be one of reals.
// Of a class it is that of the term that was there first, as a proof has that one.
func (b *builder) preimage(i slot.Name, u, a slot.Ref) slot.Ref {
	if !b.space.Type(u).IsScalar(term.I) {
		b.noValue("no integer")
	}
	seen := make(map[uint32]bool) // a class may be among the operands of itself
	for {
		var first term.View
		b.space.Nodes(u, func(v term.View) bool {
			first = v
			return false
		})
		if first.Op.Sym == term.SymIvar && u.Has(i) {
			return a
		}
		x, y, ok := b.undo(i, first, a)
		if !ok || seen[u.ID] {
			b.noValue("more than a sum in which the variable stands once")
		}
		seen[u.ID] = true
		u, a = x, y
	}
}

// undo takes an operation on a variable away: it returns the operand that mentions the variable, and the
// value of it for which that of the e-node is a.
func (b *builder) undo(i slot.Name, v term.View, a slot.Ref) (of, at slot.Ref, ok bool) {
	if v.Op.Sym == term.SymNeg {
		return v.Kids[0], b.apply(term.SymNeg, a), true
	}
	if len(v.Kids) != 2 || v.Kids[0].Has(i) == v.Kids[1].Has(i) {
		return of, at, false
	}
	switch x, y := v.Kids[0], v.Kids[1]; {
	case v.Op.Sym == term.SymAdd && x.Has(i):
		return x, b.apply(term.SymSub, a, y), true
	case v.Op.Sym == term.SymAdd:
		return y, b.apply(term.SymSub, a, x), true
	case v.Op.Sym == term.SymSub && x.Has(i):
		return x, b.apply(term.SymAdd, a, y), true
	case v.Op.Sym == term.SymSub:
		return y, b.apply(term.SymSub, x, a), true
	}
	return of, at, false
}

// SolvedFor is the index variable of which a rule makes a preimage, by the metavariable with the given
// name, or "".
func (r *Rule) SolvedFor(name string) string {
	for p := range r.All() {
		if p.Kind == PPreimage && p.X.Name == name {
			return p.Subs[0].Var
		}
	}
	return ""
}
