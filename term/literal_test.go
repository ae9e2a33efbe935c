package term

import (
	"strings"
	"testing"
)

// Literals that have no type are findings, whatever is read of them at once.
func TestWrongLiterals(t *testing.T) {
	for _, text := range []string{"[1.5, [2]]", "[[1.5], 2]", "[[1.5], [2, 3]]", "[1.5, true]", "[[1.5], [true]]", "[[true], true]", "[[[1.5], [2]], [[3]]]", "[[1.5], []]", "[[], [1.5]]", "[[]]"} {
		_, err := LoadModule(NewSignature(), source("def f(x: R): R = let a = "+text+" in x\n"))
		if err == nil || !strings.Contains(err.Error(), "test.egad:1:") {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// A tuple of all components of one, in their order, is that one, but for terms as written.
func TestWholeTuples(t *testing.T) {
	s := NewStore(NewSignature())
	x := s.Var("x", TupleOf(ArrayOf(R), ArrayOf(R)))
	y := s.Var("y", TupleOf(ArrayOf(R), ArrayOf(R), ArrayOf(R)))
	for _, c := range []struct {
		kids []Term
		isX  bool
	}{
		{[]Term{s.Proj(0, x), s.Proj(1, x)}, true},
		{[]Term{s.Proj(1, x), s.Proj(0, x)}, false},
		{[]Term{s.Proj(0, y), s.Proj(1, y)}, false},
		{[]Term{s.Proj(0, x), s.Proj(1, y)}, false},
	} {
		got := s.Apply(SymTuple, c.kids...)
		if got.Equal(x) != c.isX || !c.isX && s.Op(got).Sym != SymTuple {
			t.Errorf("a tuple is %s %v", s.Op(got).Name, s.Type(got))
		}
	}
	s.AsWritten = true
	written := s.Apply(SymTuple, s.Proj(0, x), s.Proj(1, x))
	if s.Op(written).Sym != SymTuple {
		t.Error("a tuple as written is not kept")
	}
	if !s.Literals(written).Equal(x) {
		t.Error("a tuple as written is not found to be whole")
	}
}
