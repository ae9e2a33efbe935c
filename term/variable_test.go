package term_test

import (
	"strings"
	"testing"

	"egad/slot"
	"egad/term"
	"egad/term/ops"
	"egad/term/size"
	"egad/term/types"
)

// withBinder is a store with an operator of two children, the second under a binder
// that stands for pairs of an integer and an array, and the operator.
func withBinder(of *types.Type) (*term.Store, ops.Op, *types.Type) {
	g := term.NewSignature()
	pair := types.TupleOf(types.ArrayOf(types.I), types.ArrayOf(types.R, size.Const(3)))
	o, err := g.DeclareSorted(&ops.Sorted{
		Name: "with", Children: []ops.Child{{Type: pair}, {Type: of, Under: true}}, Binders: []ops.Binder{{Type: pair}}, Result: of,
	})
	if err != nil {
		panic(err)
	}
	return term.NewStore(g), ops.Op{Sym: o.Sym}, pair
}

func local(s *term.Store, n slot.Name, t *types.Type) term.Term {
	return s.MustMake(ops.Op{Sym: ops.SymLocal, Type: t}, []slot.Name{n}, nil, nil)
}

// An operator may bind variables of any type: names of bound variables do not matter,
// one that is not under the binder is free, and types must agree.
func TestBindersOfAnyType(t *testing.T) {
	s, with, pair := withBinder(types.ArrayOf(types.R, size.Const(3)))
	bind := func(n slot.Name, outer, inner term.Term) term.Term {
		return s.MustMake(with, nil, []slot.Name{n}, []term.Term{outer, inner})
	}
	x := s.Var("x", pair)
	n, m := s.Fresh(), s.Fresh()
	second := func(n slot.Name) term.Term { return s.Proj(1, local(s, n, pair)) }
	a, b := bind(n, x, second(n)), bind(m, x, second(m))
	if !a.Equal(b) || len(a.Args) != 0 || !s.Type(a).Equal(pair.Parts[1]) {
		t.Errorf("two names of one bound variable make %s and %s", dump(s, a), dump(s, b))
	}
	if free := bind(n, local(s, n, pair), second(n)); len(free.Args) != 1 || !s.Vars(free)[0].Equal(ops.VarType{Type: pair}) {
		t.Errorf("the variable of an operand outside of the binder is bound: %s", dump(s, free))
	}
	_, err := s.Make(with, nil, []slot.Name{n}, []term.Term{x, s.Ivar(n, size.Const(3))})
	if err == nil || !strings.Contains(err.Msg, "a variable that ranges over 3 is bound to one that is of type (I, R[3])") {
		t.Errorf("an index variable is bound as a pair: %v", err)
	}
	one := local(s, n, types.ArrayOf(types.R))
	if _, err := s.Make(ops.Op{Sym: ops.SymTuple}, nil, nil, []term.Term{one, local(s, n, types.ArrayOf(types.I))}); err == nil || !strings.Contains(err.Msg, "one variable is of type I and is of type R") {
		t.Errorf("a variable of two types: %v", err)
	}
}

// A bound variable of any type is replaced by a term of its type, and not where
// another of its name is meant.
func TestSubstituteLocals(t *testing.T) {
	s, with, pair := withBinder(types.ArrayOf(types.I))
	n, m := s.Fresh(), s.Fresh()
	first := func(t term.Term) term.Term { return s.Proj(0, t) }
	open := s.MustMake(with, nil, []slot.Name{n}, []term.Term{local(s, m, pair), s.Apply(ops.SymAdd, first(local(s, n, pair)), first(local(s, m, pair)))})
	x := s.Var("x", pair)
	want := s.MustMake(with, nil, []slot.Name{n}, []term.Term{x, s.Apply(ops.SymAdd, first(local(s, n, pair)), first(x))})
	if got := s.Subst(open, map[slot.Name]term.Term{m: x}); !got.Equal(want) {
		t.Errorf("got %s, want %s", dump(s, got), dump(s, want))
	}
	// The variable of the context is not caught by the binder.
	by := local(s, n, pair)
	if got := s.Subst(open, map[slot.Name]term.Term{m: by}); !got.Equal(open.RenameFrom([]slot.Name{m}, []slot.Name{n})) || len(got.Args) != 1 {
		t.Errorf("the replacement is caught: %s", dump(s, got))
	}
	to := term.NewStore(s.Signature())
	if got := to.Import(s, open, nil); len(got.Args) != 1 || !to.Vars(got)[0].Equal(ops.VarType{Type: pair}) {
		t.Errorf("imported: %s", dump(to, got))
	}
}
