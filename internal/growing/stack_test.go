package growing

import (
	"math/rand"
	"slices"
	"testing"
)

// TestStack: a stack that grows by any numbers of elements is read from its end as a slice is.
func TestStack(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	for range 20 {
		var s Stack[int]
		var want []int
		for range rng.Intn(200) {
			to := s.Grow(rng.Intn(1 << rng.Intn(11)))
			for k := range to {
				to[k] = rng.Int()
			}
			want = append(want, to...)
		}
		if s.Len() != len(want) {
			t.Fatalf("%d elements, want %d", s.Len(), len(want))
		}
		r := s.Reader()
		for i, x := range slices.Backward(want) {
			if got := r.Next(); got != x {
				t.Fatalf("element %d is %d, want %d", i, got, x)
			}
		}
	}
}
