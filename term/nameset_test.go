package term_test

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"egad/term"
)

// A set of names gives the first one that is free, whatever was used and given
// back before.
func TestNameSet(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	hints := []string{"x", "x2", "x3", "y", "t12", "7"}
	var s term.NameSet
	used := make(map[string]bool)
	var taken []string
	for range 2_000 {
		if len(taken) > 0 && rng.Intn(3) == 0 {
			i := rng.Intn(len(taken))
			s.Release(taken[i])
			delete(used, taken[i])
			taken = append(taken[:i], taken[i+1:]...)
			continue
		}
		hint := hints[rng.Intn(len(hints))]
		want := hint
		for k := 2; used[want]; k++ {
			want = strings.TrimRight(hint, "0123456789") + fmt.Sprint(k)
		}
		got := s.Like(hint)
		if got != want || !s.Has(got) {
			t.Fatalf("like %s: %s, want %s", hint, got, want)
		}
		used[got] = true
		taken = append(taken, got)
	}
}
