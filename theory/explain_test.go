package theory

import (
	"path/filepath"
	"testing"
)

// TestProofs runs the tests of the examples with proofs. What is proved has a
// proof, which is checked, and figures are the same as without.
func TestProofs(t *testing.T) {
	files, err := filepath.Glob("../examples/rewriting/*.rules")
	if err != nil || len(files) == 0 {
		t.Fatal("no examples", err)
	}
	proofs, steps := 0, 0
	for _, f := range files {
		th := load(t, f)
		for _, x := range th.Tests {
			res := th.Run(x, Options{Proofs: true})
			if err := res.Failed.Err(); err != nil {
				t.Errorf("%s", err)
				continue
			}
			for i, goal := range x.Goals() {
				p, err := res.Prove(i)
				if err != nil {
					t.Errorf("%s, %s: %s: %v", f, x.Name, goal, err)
					continue
				}
				if err := res.Verify(p); err != nil {
					t.Errorf("%s, %s: %s: %v", f, x.Name, goal, err)
				}
				proofs++
				steps += len(p.Steps)
				t.Logf("%s: %s: %d steps", x.Name, goal, len(p.Steps))
			}
		}
	}
	t.Logf("%d proofs of %d steps", proofs, steps)
}
