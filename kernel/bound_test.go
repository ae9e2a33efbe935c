package kernel

import (
	"testing"

	"egad/term/ops"
	"egad/term/overflow"
	"egad/term/types"
)

// TestMaxValues: a program is refused when its kernels have too many scalars.
func TestMaxValues(t *testing.T) {
	made := maxValues - 2
	b := NewBuilder(&made)
	err := overflow.Guard(func() error {
		for i := range int64(9) {
			b.Int(i % 2)
		}
		return nil
	})
	if err != nil {
		t.Error("equal scalars are counted once:", err)
	}
	err = overflow.Guard(func() error { b.Int(2); return nil })
	if err == nil || err.Error() != "the kernels compute more than 2097152 different scalars" {
		t.Error(err)
	}
}

// TestLongSums: a chain of sums of integers is computed in proportion to its
// length, and no value is a sum of very many.
func TestLongSums(t *testing.T) {
	for _, n := range []int{100, 1000} {
		made := 0
		b := NewBuilder(&made)
		sum := b.Variable(10, 0)
		for range n {
			sum = b.Add(sum, b.Op(ops.Op{Sym: ops.SymMul}, types.I, sum, b.Variable(10, 0)))
			if sum.Kind == Linear && len(sum.Args) > maxParts {
				t.Fatalf("a sum of %d parts", len(sum.Args))
			}
		}
		if made > 10*n {
			t.Errorf("%d values for %d sums", made, n)
		}
	}
}
