package machine

import (
	"math"
	"testing"
)

// TestInfinite: an infinity or a NaN is found wherever it is, and nothing else is one.
func TestInfinite(t *testing.T) {
	for n := range 20 {
		x := make([]float64, n)
		for i := range x {
			x[i] = []float64{math.MaxFloat64, -math.MaxFloat64, 5e-324, -0.1}[i%4]
		}
		if infinite(x) {
			t.Errorf("of %v one is infinite", x)
		}
		for i, was := range x {
			for _, bad := range []float64{math.Inf(1), math.Inf(-1), math.NaN()} {
				if x[i] = bad; !infinite(x) {
					t.Errorf("of %v none is infinite", x)
				}
			}
			x[i] = was
		}
	}
}
