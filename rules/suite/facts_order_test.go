package suite

import (
	"slices"
	"testing"
)

// TestByNumbers: facts are in the order of their numbers, and the same texts have the same place.
func TestByNumbers(t *testing.T) {
	want := []string{"", "p (a - 3)", "p (a - 20)", "p[-10, 2]", "p[-3, 1]", "p[-0.5]", "p[0] a", "p[1%30]", "p[0.05]", "p[0.25]", "p[1%3]", "p[2]", "p[9, 3]", "p[10, 2]", "p[10, 2] b", "p[10, 10]", "pq", "q10x", "q10x2", "qx"}
	for i, a := range want {
		for j, b := range want {
			if got := byNumbers(a, b); got < 0 != (i < j) || got > 0 != (i > j) {
				t.Errorf("%q and %q: %d", a, b, got)
			}
		}
	}
	got := slices.Clone(want)
	slices.Reverse(got)
	if slices.SortFunc(got, byNumbers); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}
