package schedule_test

import (
	"strings"
	"testing"

	"egad/internal/defs"
	"egad/kernel/lower"
	"egad/kernel/schedule"
)

// TestRare: what is for equal reals, or for very small and large ones, alone is jumped over if it
// is much, and of other choices nothing.
func TestRare(t *testing.T) {
	long := strings.Repeat(`a[i] * (b[i] - `, 12) + `2` + strings.Repeat(`)`, 12)
	for cond, want := range map[string]bool{
		"a[i] == b[i]": true, "a[i] < b[i]": false, "i == 3": false, "i < k": false,
		"not (1e-60 < a[i] && a[i] < 1e60)": true, "not (0.5 < a[i] && a[i] < 1e60)": false, "not (1e-60 < a[i] && b[i] < 1e60)": false,
	} {
		_, p := defs.Last(t, `def f(a: R[40], b: R[40], k: I): R[40] = build 40 (\i -> if `+cond+` then `+long+` else a[i] + b[i])`)
		k, err := lower.Lower(p, nil)
		if err != nil {
			t.Fatal(err)
		}
		never := schedule.RareOf(k, k.Kernels[0])
		if got := len(never) > 0; got != want {
			t.Errorf("%s: %v", cond, got)
		}
		for _, n := range never {
			if n > 4 { // two loads, a sum, and a store
				t.Errorf("%d statements where it is not made\n%s", n, k)
			}
		}
	}
}
