package match

import (
	"slices"

	"egad/internal/memo"
	"egad/rules"
	"egad/slot"
	"egad/term"
	"egad/term/ops"
	"egad/term/types"
)

func (b *builder) substitution(subs []rules.Binding) map[slot.Name]Replacement {
	env := make(map[slot.Name]Replacement)
	for _, s := range subs {
		x := b.m.Get(s.Var)
		if !s.List {
			by := b.term(s.By, nil)
			if x.Type == nil {
				b.index(by)
			} else if t := b.space.Type(by); !t.Equal(x.Type) {
				b.fail("%s cannot stand for a state of type %s", t, x.Type)
			}
			env[x.Index] = Replacement{by, x.of()}
			continue
		}
		by := b.list(s.ByL)
		if len(by) != len(x.Names) {
			b.noValue("lists of different length")
		}
		for i, n := range x.Names {
			env[n] = Replacement{b.index(by[i]), ops.VarType{Size: x.Sizes[i]}}
		}
	}
	return env
}

// index is r, which replaces an index variable.
func (b *builder) index(r slot.Ref) slot.Ref {
	if t := b.space.Type(r); !t.IsScalar(types.I) {
		b.fail("%s cannot stand for an index variable", t)
	}
	return r
}

// preimage is the value of an index variable for which u is a: of i - 1 it is a + 1, and of 4 - i it is
// 4 - a. There is no value unless u is the variable plus or minus what does not mention it, or such a term
// minus the variable. Integers wrap around, and so does what is made here: it is right for all of them.
// Of anything but an integer there is no value: an equation may be one of reals.
// Of a class it is that of the term that was there first, as a proof has that one.
func (b *builder) preimage(i slot.Name, u, a slot.Ref) slot.Ref {
	if !b.space.Type(u).IsScalar(types.I) {
		b.noValue("no integer")
	}
	seen := make(map[uint32]bool) // a class may be among the operands of itself
	for {
		var first term.View
		b.space.Nodes(u, func(v term.View) bool {
			first = v
			return false
		})
		if first.Op.Sym == ops.SymIvar && u.Has(i) {
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
	if v.Op.Sym == ops.SymNeg {
		return v.Kids[0], b.apply(ops.SymNeg, a), true
	}
	if len(v.Kids) != 2 || v.Kids[0].Has(i) == v.Kids[1].Has(i) {
		return of, at, false
	}
	switch x, y := v.Kids[0], v.Kids[1]; {
	case v.Op.Sym == ops.SymAdd && x.Has(i):
		return x, b.apply(ops.SymSub, a, y), true
	case v.Op.Sym == ops.SymAdd:
		return y, b.apply(ops.SymSub, a, x), true
	case v.Op.Sym == ops.SymSub && x.Has(i):
		return x, b.apply(ops.SymAdd, a, y), true
	case v.Op.Sym == ops.SymSub:
		return y, b.apply(ops.SymSub, x, a), true
	}
	return of, at, false
}

// Replacement is what replaces a variable of type Of.
type Replacement struct {
	By slot.Ref
	Of ops.VarType
}

// letVar is a let-bound variable: a named input that the let replaces.
func (b *builder) letVar(name string) slot.Ref {
	t := b.lets[name]
	if t == nil && b.left != nil {
		t = b.left.Lets[name]
	}
	if t == nil {
		b.fail("the let-bound variable %s has no type", name)
	}
	return b.make(ops.Op{Sym: ops.SymVar, Name: LetInput(name), Type: t}, nil, nil, nil)
}

// LetInput returns the named input that stands for a let-bound variable while the
// sides of a rule are built.
func LetInput(name string) string { return "let " + name }

func (b *builder) isLet(name string) bool {
	return slices.Contains(b.m.Rule.Vars.Lets, name)
}

// let builds a let by putting what it binds for the variable.
func (b *builder) let(p *rules.Pattern) slot.Ref {
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
