package module

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// TestScope: looking a name up in an index finds what looking through all names
// finds, in scopes that share their parents too.
func TestScope(t *testing.T) {
	from := rand.New(rand.NewPCG(1, 1))
	scopes := []*scope[int]{{ctx: &context{}}}
	for i := range 3000 {
		parent := scopes[max(0, len(scopes)-1-from.IntN(4))]
		scopes = append(scopes, parent.bind(fmt.Sprint("x", from.IntN(200)), &val[int]{v: i}, 0))
	}
	for _, s := range scopes {
		name := fmt.Sprint("x", from.IntN(220))
		want := s
		for want != nil && want.name != name {
			want = want.parent
		}
		if got, ok := s.lookup(name); got != want || ok != (want != nil) {
			t.Fatalf("%s at depth %d: %v, %v; want %v", name, s.depth, got, ok, want)
		}
	}
}
