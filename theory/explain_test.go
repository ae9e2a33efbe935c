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
			all, err := res.Proofs()
			if err != nil {
				t.Errorf("%s: %v", f, err)
			}
			if len(all) != len(x.prove) {
				t.Errorf("%s, %s: %d proofs of %d", f, x.Name, len(all), len(x.prove))
			}
			for _, p := range all {
				proofs++
				steps += len(p.Steps)
			}
		}
	}
	t.Logf("%d proofs of %d steps", proofs, steps)
}
