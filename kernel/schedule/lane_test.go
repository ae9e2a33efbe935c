package schedule_test

import (
	"testing"

	"egad/kernel"
	"egad/kernel/inplace"
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

// TestAddedTwice: a loop that adds to two rows of one array runs in vectors, as each run adds to a column of its own;
// one that adds to an array in two places that may be those of other runs does not.
func TestAddedTwice(t *testing.T) {
	kerneltest.EachGradient(t, `
def rows[n, z](x: R[n, 32], a: R[z], i: I[z], j: I[z]): R = sum (build z (\e -> a[e] * sumsq (x[i[e]] - x[j[e]])))
def places[n, z](x: R[n], a: R[z], i: I[z], j: I[z]): R = sum (build z (\e -> a[e] * square (x[i[e]] - x[j[e]])))
`, []map[string]int64{{"n": 50, "z": 300}}, func(p *term.Program, k *kernel.Program, size map[string]int64) {
		of, twice := schedule.NewScheduler(k, false, false), false
		for _, x := range inplace.Updated(k).Kernels {
			s := of.Schedule(x)
			for l := range kernel.All[*kernel.Loop](s.Body) {
				added := make(map[*kernel.Array]int)
				for t := range kernel.All[*kernel.Store](l.Body) {
					if t.Add {
						added[t.Array]++
					}
				}
				for a, n := range added {
					if n < 2 || kernel.Any(l.Body, func(*kernel.Loop) bool { return true }) {
						continue
					}
					twice = true
					if vectors := s.Lanes[l] > 0; vectors != (p.Name == "rows") {
						t.Errorf("%s adds to %s in vectors: %t\n%s", p.Name, a.Name, vectors, x)
					}
				}
			}
		}
		if !twice {
			t.Errorf("%s adds to no array twice\n%s", p.Name, k)
		}
		kerneltest.CompareWays(t, p, k, 3, kerneltest.Ways)
	})
}
