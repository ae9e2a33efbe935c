package growth

import (
	"runtime"
	"testing"

	"egad/ad"
	"egad/fusion"
	"egad/internal/defs"
)

// TestReads asserts that the memory that is allocated to make kernels of a gradient grows
// in proportion to the places at which one array is read: the gradient adds as many
// scatters.
func TestReads(t *testing.T) {
	var bytes [2]uint64
	for i, n := range []int{150, 300} {
		lib, p := defs.Last(t, "def f(x: R[1000]): R = "+terms(n, "index x [%d]")+"\n")
		d, err := ad.Grad(lib, p, ad.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err = fusion.Lower(lib, d.Program, nil)
		runtime.ReadMemStats(&after)
		if err != nil {
			t.Fatal(err)
		}
		bytes[i] = after.TotalAlloc - before.TotalAlloc
	}
	t.Logf("%d bytes allocated for 150, %d for 300", bytes[0], bytes[1])
	if float64(bytes[1]) > longBound*float64(bytes[0]) {
		t.Errorf("%d bytes allocated for 150, %d for 300, more than %v times as many", bytes[0], bytes[1], longBound)
	}
}
