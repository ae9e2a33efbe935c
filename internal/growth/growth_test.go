package growth

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// bound is what twice the size may cost. 2 is proportional; the rest is for
// parts that do not grow alike.
const bound = 2.2

func measure(tb testing.TB, f Family, n int) *counts {
	tb.Helper()
	c, err := derive(f.Text(n))
	if err != nil {
		tb.Fatalf("%s, size %d: %v", f.Name, n, err)
	}
	return c
}

// TestGrowth asserts that all counts of a family grow in proportion.
func TestGrowth(t *testing.T) {
	for _, f := range Families {
		small, large := measure(t, f, f.Size/2), measure(t, f, f.Size)
		for _, c := range []struct {
			what string
			a, b int64
		}{
			{"e-nodes", int64(small.ENodes), int64(large.ENodes)},
			{"matches", int64(small.Matches), int64(large.Matches)},
			{"nodes of the gradient", int64(small.Gradient), int64(large.Gradient)},
			{"operations", small.Operations, large.Operations},
			{"statements of kernels", int64(small.Statements), int64(large.Statements)},
			{"evaluations of statements", small.Evaluations, large.Evaluations},
		} {
			if c.a <= 0 || float64(c.b) > bound*float64(c.a) {
				t.Errorf("%s: %d %s at size %d, %d at size %d, more than %v times as many", f.Name, c.a, c.what, f.Size/2, c.b, f.Size, bound)
			}
		}
	}
}

// TestBound sees that the counts would show what grows out of proportion: the
// products of all pairs of n sums.
func TestBound(t *testing.T) {
	pairs := Family{"pairs", "", 16, func(n int) string {
		var terms []string
		for i := range n {
			for j := range n {
				terms = append(terms, fmt.Sprintf("(x + %d) * (x - %d)", i+1, j+1))
			}
		}
		return "def f(x: R): R = " + strings.Join(terms, " + ") + "\n"
	}}
	small, large := measure(t, pairs, pairs.Size/2), measure(t, pairs, pairs.Size)
	for _, r := range []float64{
		float64(large.ENodes) / float64(small.ENodes), float64(large.Gradient) / float64(small.Gradient),
		float64(large.Operations) / float64(small.Operations),
	} {
		if r <= bound {
			t.Errorf("a count grows %v-fold where the program grows fourfold", r)
		}
	}
}

// BenchmarkGrowth prints the counts of all families, with the time of one
// derivation.
func BenchmarkGrowth(b *testing.B) {
	var out strings.Builder
	for b.Loop() {
		out.Reset()
		table(b, &out)
	}
	fmt.Print(out.String()) // b.Log would cut it
}

func table(b *testing.B, out *strings.Builder) {
	fmt.Fprintf(out, "\n%-26s %5s %7s %8s %8s %9s %6s %9s\n", "family", "size", "source", "e-nodes", "matches", "gradient", "ops", "time")
	for _, f := range Families {
		var last *counts
		for _, n := range []int{f.Size / 2, f.Size} {
			start := time.Now()
			c := measure(b, f, n)
			fmt.Fprintf(out, "%-26s %5d %7d %8d %8d %9d %6d %9s\n", f.Name, n, c.Source, c.ENodes, c.Matches, c.Gradient, c.Operations,
				time.Since(start).Round(time.Millisecond))
			if last != nil {
				fmt.Fprintf(out, "%-26s %5.2f %7.2f %8.2f %8.2f %9.2f %6.2f\n", "  growth", 2.0, ratio(last.Source, c.Source),
					ratio(last.ENodes, c.ENodes), ratio(last.Matches, c.Matches), ratio(last.Gradient, c.Gradient), ratio(last.Operations, c.Operations))
			}
			last = c
		}
	}
}

func ratio[N int | int64](a, b N) float64 { return float64(b) / float64(a) }
