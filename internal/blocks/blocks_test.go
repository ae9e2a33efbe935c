package blocks

import "testing"

// TestNew: values are zero, and none is given out twice.
func TestNew(t *testing.T) {
	var p Of[[3]int]
	seen := make(map[*[3]int]bool)
	for range 1_000 {
		x := p.New()
		if *x != [3]int{} || seen[x] {
			t.Fatalf("%p, %v, was given out before", x, *x)
		}
		seen[x] = true
		x[1] = 1
	}
	var large Of[[5_000]byte]
	if x := large.New(); x == large.New() {
		t.Error("a large value was given out twice")
	}
}
