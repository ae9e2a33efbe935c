package cost

import (
	"math"
	"testing"
)

// TestOwnWeights: the file of egad says all weights.
func TestOwnWeights(t *testing.T) {
	for i, n := range Default().Of {
		if math.IsNaN(n) {
			t.Errorf("there is no %s", Words[i])
		}
	}
}
