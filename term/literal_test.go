package term_test

import (
	"strings"
	"testing"

	"egad/term"
	"egad/term/module"
	"egad/term/ops"
	"egad/term/types"
)

// Literals that have no type are findings, whatever is read of them at once.
func TestWrongLiterals(t *testing.T) {
	for _, text := range []string{"[1.5, [2]]", "[[1.5], 2]", "[[1.5], [2, 3]]", "[1.5, true]", "[[1.5], [true]]", "[[true], true]", "[[[1.5], [2]], [[3]]]", "[[1.5], []]", "[[], [1.5]]", "[[]]"} {
		_, err := module.Load(term.NewSignature(), source("def f(x: R): R = let a = "+text+" in x\n"))
		if err == nil || !strings.Contains(err.Error(), "test.egad:1:") {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// A tuple of all components of one, in their order, is that one, but for terms as written.
func TestWholeTuples(t *testing.T) {
	s := term.NewStore(term.NewSignature())
	x := s.Var("x", types.TupleOf(types.ArrayOf(types.R), types.ArrayOf(types.R)))
	y := s.Var("y", types.TupleOf(types.ArrayOf(types.R), types.ArrayOf(types.R), types.ArrayOf(types.R)))
	for _, c := range []struct {
		kids []term.Term
		isX  bool
	}{
		{[]term.Term{s.Proj(0, x), s.Proj(1, x)}, true},
		{[]term.Term{s.Proj(1, x), s.Proj(0, x)}, false},
		{[]term.Term{s.Proj(0, y), s.Proj(1, y)}, false},
		{[]term.Term{s.Proj(0, x), s.Proj(1, y)}, false},
	} {
		got := s.Apply(ops.SymTuple, c.kids...)
		if got.Equal(x) != c.isX || !c.isX && s.Op(got).Sym != ops.SymTuple {
			t.Errorf("a tuple is %s %v", s.Op(got).Name, s.Type(got))
		}
	}
	s.AsWritten = true
	written := s.Apply(ops.SymTuple, s.Proj(0, x), s.Proj(1, x))
	if s.Op(written).Sym != ops.SymTuple {
		t.Error("a tuple as written is not kept")
	}
	if !s.Literals(written).Equal(x) {
		t.Error("a tuple as written is not found to be whole")
	}
}
