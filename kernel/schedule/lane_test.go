package schedule_test

import (
	"testing"

	"egad/kernel"
	"egad/kernel/kerneltest"
	"egad/kernel/schedule"
	"egad/term"
)

// TestLaneOfRows: the interpreter does not run rows in blocks of which each has elements of its own, as it would do
// those of all for each.
func TestLaneOfRows(t *testing.T) {
	limited := 0
	kerneltest.EachGradient(t, `
def rows[n, m, z](x: R[n], val: R[z], ptr: I[m + 1], col: I[z]): R =
  sumsq (build m (\i -> sum (build z (\e -> if ptr[i] <= e && e < ptr[i + 1] then val[e] * x[col[e]] else 0))))
`, []map[string]int64{{"n": 500, "m": 2000, "z": 20000}}, func(_ *term.Program, k *kernel.Program, _ map[string]int64) {
		for _, of := range k.Kernels {
			for _, s := range of.Body {
				lane := schedule.Lane(k, []kernel.Stmt{s}, 512).Lane
				if lane == nil {
					continue
				}
				for l := range kernel.All[*kernel.Loop]([]kernel.Stmt{s}) {
					if len(l.Only) > 0 {
						limited++
						if kernel.Any(lane.Body, func(in *kernel.Loop) bool { return in == l }) {
							t.Errorf("the lanes are of the loop of %d runs around one of %d\n%s", lane.N, l.N, k)
						}
					}
				}
			}
		}
	})
	if limited == 0 {
		t.Error("no loop has runs that need not be done")
	}
}
