package schedule_test

import (
	"slices"
	"testing"

	"egad/kernel"
	"egad/kernel/cost"
	"egad/kernel/kerneltest"
	"egad/term"
)

// TestRemembered: a nest that is estimated as one before it takes as long as by itself, whatever
// other nests there were. Of each program there are nests with and without conditions, of arrays
// of several sizes, and ones that are alike.
func TestRemembered(t *testing.T) {
	sizes := []map[string]int64{{"n": 40, "m": 41}, {"n": 41, "m": 40}, {"n": 400, "m": 41}, {"n": 5, "m": 3}, {"n": 0, "m": 1}}
	all, own := cost.Default().Remembering(), cost.Default()
	for _, text := range []string{stencils, kerneltest.Filters} {
		for _, size := range sizes {
			if text == kerneltest.Filters {
				size["c"], size["o"] = 3, size["m"]/4
			}
		}
		kerneltest.EachLowered(t, text, sizes, func(p *term.Program, k *kernel.Program, size map[string]int64) {
			want := kerneltest.Costs(k, own)
			for range 2 {
				if got := kerneltest.Costs(k, all); !slices.Equal(got, want) {
					t.Errorf("%s at %v: %v, not %v\n%s", p.Name, size, got, want, k)
				}
			}
		})
	}
}
