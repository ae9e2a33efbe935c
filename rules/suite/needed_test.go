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

// TestNeededOfMany: what is kept is enough, and nothing in it can be left out; of few that are needed
// what is looked at does not grow faster than all there is.
func TestNeededOfMany(t *testing.T) {
	const n = 256
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	for k := range n {
		for _, enough := range [][][]int{{{k}}, {{k, n - 1 - k}}, {{k, (k + 1) % n}, {(k + 7) % n}}, {{}}} {
			out := make(map[int]bool)
			holds := func() bool {
				return slices.ContainsFunc(enough, func(s []int) bool { return !slices.ContainsFunc(s, func(i int) bool { return out[i] }) })
			}
			looked := 0
			var kept []int
			needed(all, func(some []int, leave bool) bool {
				for _, i := range some {
					out[i] = leave
				}
				if leave {
					for _, i := range all {
						if !out[i] {
							looked++
						}
					}
				}
				return !leave || holds()
			}, func(i int) { kept = append(kept, i) })
			for i := range n {
				out[i] = !slices.Contains(kept, i)
			}
			if !slices.IsSorted(kept) || !holds() {
				t.Fatalf("of %v %v are not enough, or in no order", enough, kept)
			}
			for _, i := range kept {
				if out[i] = true; holds() {
					t.Errorf("of %v %v are kept, and %d is not needed", enough, kept, i)
				}
				out[i] = false
			}
			if len(enough) == 1 && len(enough[0]) == 1 && looked > 2*n {
				t.Errorf("%d were looked at to find that %d is needed", looked, k)
			}
		}
	}
}
