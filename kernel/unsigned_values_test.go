package kernel_test

import (
	"math"
	"testing"

	"egad/kernel"
)

// TestUnsignedValues: results are the same, bit for bit, where many numbers are 0 and -0.
func TestUnsignedValues(t *testing.T) {
	less := 0
	for seed := range int64(4000) {
		var out [2][]kernel.Elements
		var before int64
		for i := range out {
			p, in := kernel.RandomSums(seed, i > 0)
			if i > 0 {
				less += int(before - p.Counts().Float)
			}
			before = p.Counts().Float
			m, err := kernel.Compile(p, kernel.DefaultBlock)
			if err != nil {
				t.Fatal(err)
			}
			if out[i], err = outputs(m, p, in); err != nil {
				t.Fatal(err)
			}
		}
		for k, e := range out[1][len(out[0]):] {
			for i, x := range e.R {
				if x == 0 && math.Signbit(x) {
					t.Fatalf("seed %d: element %d of plus value %d is -0", seed, i, k)
				}
			}
		}
		for k := range out[0] {
			for i, x := range out[0][k].R {
				if y := out[1][k].R[i]; math.Float64bits(x) != math.Float64bits(y) && !(math.IsNaN(x) && math.IsNaN(y)) {
					p, _ := kernel.RandomSums(seed, false)
					t.Fatalf("seed %d: element %d of result %d is %v, and should be %v\n%s", seed, i, k, y, x, p)
				}
			}
		}
	}
	if less == 0 {
		t.Error("no addition is left out")
	}
}
