package suite

import (
	"fmt"
	"strings"
	"testing"

	"egad/rules/runner"
)

// TestManyAssumptions: what a proof does not rest on is looked at once, and not in each of its steps.
func TestManyAssumptions(t *testing.T) {
	const steps, more = 40, 1000
	work := func(others int) float64 {
		var b strings.Builder
		b.WriteString("language l\nsort E\nnumber E\nop f E : E\nrelation next E E\nrelation other E E\nrelation ahead E E\n" +
			"fact one for next x y then ahead x y\nfact all for ahead x y then ahead x z if next y z\n" +
			"test t\n  limit iterations 0\n  start f 0\n")
		for i := range steps {
			fmt.Fprintf(&b, "  assume next %d %d\n", i, i+1)
		}
		for i := range others {
			fmt.Fprintf(&b, "  assume other %d %d\n", i%steps, i)
		}
		fmt.Fprintf(&b, "  prove ahead 0 %d\n", steps)
		f := loadText(t, b.String())
		res := runTest(t, f, f.Tests[0], runner.Options{Proofs: true})
		return testing.AllocsPerRun(1, func() {
			if ps, err := res.Proofs(); err != nil || len(ps) != 1 {
				t.Fatal(len(ps), err)
			}
		})
	}
	few, many := work(0), work(more)
	if many-few > 100*more {
		t.Errorf("%.0f allocations without other assumptions, %.0f with %d", few, many, more)
	}
}
