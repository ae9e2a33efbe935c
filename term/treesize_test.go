package term_test

import (
	"testing"

	"egad/term"
	"egad/term/ops"
	"egad/term/types"
)

// TestTreeSizes counts the nodes of sums of a term and itself, which double, until there are
// too many.
func TestTreeSizes(t *testing.T) {
	s := term.NewStore(term.NewSignature())
	x := s.Var("x", types.ArrayOf(types.R))
	sizes := s.TreeSizes()
	for k, want := 0, int64(1); k < 70; k++ {
		if got := sizes.Of(x); got != want {
			t.Fatalf("%d nodes of a sum of depth %d, wanted %d", got, k, want)
		}
		x = s.MustMake(ops.Op{Sym: ops.SymAdd}, nil, nil, []term.Term{x, x})
		if k < 62 {
			want = 2*want + 1
		} else {
			want = term.MostTree
		}
	}
}
