package chad

import (
	"testing"

	"egad/fun"
)

// TestRules: a term of operands that are not what the rule of its form says has no type.
func TestRules(t *testing.T) {
	pairs := fun.Array(fun.Prod(fun.Int, lreal))
	for _, c := range []struct {
		t        *fun.Term
		context  []*fun.Type
		of, want string
	}{
		{aUnzip.Make(v(0)), []*fun.Type{pairs}, "(I[_], lR[_])", ""},
		{aUnzip.Make(v(0)), []*fun.Type{fun.Array(lreal)}, "", "operand 1 of unzip is of type lR[_], where (a, b)[_] must be, in unzip v0"},
		{aScatter.Make(v(1), v(0)), []*fun.Type{fun.Array(lunit), pairs}, "", "operand 2 of scatter is of type (I, lR)[_], where (I, l1)[_] must be, in scatter v1 v0"},
		{lInl.Typed(lreal, v(0)), []*fun.Type{lreal}, "", "linl is at type lR, where a l+ b must be, in linl v0"},
		{lInl.Typed(formSum.Of(lreal, lunit), v(0)), []*fun.Type{lreal}, "lR l+ l1", ""},
	} {
		of, err := fun.Check(c.t, c.context)
		switch {
		case c.want == "" && (err != nil || of.String() != c.of):
			t.Errorf("%s: %v, %v, want %s", c.t.Form.Name, of, err, c.of)
		case c.want != "" && (err == nil || err.Error() != c.want):
			t.Errorf("%s: %v, want %s", c.t.Form.Name, err, c.want)
		}
	}
}
