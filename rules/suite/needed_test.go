package suite

import (
	"slices"
	"testing"
	"time"
)

// TestNeeded: rules are left out as long as what is left shows it, and when there is no
// time for that all are named.
func TestNeeded(t *testing.T) {
	all := []int{0, 1, 2, 3, 4, 5, 6, -1}
	shows := func(only map[int]bool, _ time.Duration) bool { return only[-1] && (only[2] || only[5]) }
	if got, done := leftOver(all, time.Now().Add(time.Hour), shows); !slices.Equal(got, []int{5, -1}) || !done {
		t.Errorf("%v are needed, and all were tried: %v", got, done)
	}
	if got, done := leftOver(all, time.Now(), shows); !slices.Equal(got, all) || done {
		t.Errorf("without time %v are needed, and all were tried: %v", got, done)
	}
}
