package kernel_test

import (
	"slices"
	"testing"

	"egad/kernel"
	"egad/term"
)

// TestRemembered: a nest that is estimated as one before it takes as long as by itself, whatever
// other nests there were. Of each program there are nests with and without conditions, of arrays
// of several sizes, and ones that are alike.
func TestRemembered(t *testing.T) {
	sizes := []map[string]int64{{"n": 40, "m": 41}, {"n": 41, "m": 40}, {"n": 400, "m": 41}, {"n": 5, "m": 3}, {"n": 0, "m": 1}}
	all, own := kernel.Remembering(), kernel.OwnWeights()
	for _, text := range []string{stencils, filters} {
		for _, size := range sizes {
			if text == filters {
				size["c"], size["o"] = 3, size["m"]/4
			}
		}
		eachLowered(t, text, sizes, func(p *term.Program, k *kernel.Program, size map[string]int64) {
			want := k.Costs(own)
			for range 2 {
				if got := k.Costs(all); !slices.Equal(got, want) {
					t.Errorf("%s at %v: %v, not %v\n%s", p.Name, size, got, want, k)
				}
			}
		})
	}
}
