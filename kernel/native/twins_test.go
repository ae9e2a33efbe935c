package native

import (
	"testing"

	"egad/kernel/vecmath"
	"egad/term"
)

// TestTwins: the functions that share their work are those that say so.
func TestTwins(t *testing.T) {
	for _, o := range term.NewSignature().All() {
		if o.Twins != (vecmath.Twins[o.Sym].Family != nil) {
			t.Errorf("%s: %t", o.Name, o.Twins)
		}
	}
}
