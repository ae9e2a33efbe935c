package kernel

import (
	"math"
	"testing"
)

// TestOwnWeights: the file of egad says all weights.
func TestOwnWeights(t *testing.T) {
	for i, n := range ownWeights().of {
		if math.IsNaN(n) {
			t.Errorf("there is no %s", weightWords[i])
		}
	}
}
