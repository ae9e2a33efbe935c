package growth

import (
	"runtime"
	"strings"
	"testing"

	"egad/ad"
	"egad/internal/defs"
)

// wideBound is what twice the inputs or results may allocate. The types of linear
// maps are tuples of all of them, and no node may cost as much as such a type.
const wideBound = 2.25

// TestWide asserts that the memory that derivations allocate grows in proportion to
// the numbers of inputs and of results.
func TestWide(t *testing.T) {
	for name, text := range map[string]func(n int) string{
		"many scalars": func(n int) string { return sumOf(n, "R", "x%d") },
		"many arrays":  func(n int) string { return sumOf(n, "R[3]", "sum (x%[1]d * x%[1]d)") },
		"many results": func(n int) string {
			return "def f(x: R[3]): (" + strings.TrimSuffix(strings.Repeat("R, ", n), ", ") + ") =\n" +
				"  (" + strings.ReplaceAll(terms(n, "sum (x * %d.5)"), " + ", ", ") + ")\n"
		},
	} {
		small, large := allocated(t, text(150)), allocated(t, text(300))
		t.Logf("%s: %d bytes allocated for 150, %d for 300", name, small, large)
		if float64(large) > wideBound*float64(small) {
			t.Errorf("%s: %d bytes allocated for 150, %d for 300, more than %v times as many", name, small, large, wideBound)
		}
	}
}

// allocated is how many bytes deriving a program allocates.
func allocated(t *testing.T, source string) uint64 {
	t.Helper()
	lib, p := defs.Last(t, source)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := ad.VJP(lib, p, ad.Options{})
	runtime.ReadMemStats(&after)
	if err != nil {
		t.Fatal(err)
	}
	return after.TotalAlloc - before.TotalAlloc
}
