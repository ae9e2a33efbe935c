package fusion_test

import (
	"strings"
	"testing"

	"egad/ad"
	"egad/extract"
	"egad/fusion"
	"egad/internal/defs"
)

// TestRound: where indices go round an axis several times they go round it once, or not at all,
// but not where a sum may wrap.
func TestRound(t *testing.T) {
	fused := func(index string) string {
		lib, p := defs.Last(t, `def f(x: R[30], k: I): R[30] = build 30 (\i -> x[`+index+`])`)
		q, err := fusion.Fuse(lib, p, nil, extract.How{})
		if err != nil {
			t.Fatal(err)
		}
		return q.Text("f")
	}
	for _, c := range [][2]string{
		{"((i - 1) mod 30 + 1) mod 30", "i"},
		{"((i + 3) mod 30 - 1) mod 30", "(i + 2) mod 30"},
		{"((i + 3) mod 30 - 3) mod 30", "i"},
		{"(7 - (i + 2) mod 30) mod 30", "(7 - (i + 2)) mod 30"},
		{"(i mod 30 + 8) mod 30", "(i + 8) mod 30"},
		{"((k mod 90 - i) mod 30 + i * i) mod 30", "(k mod 90 - i + i * i) mod 30"},
	} {
		if got, want := fused(c[0]), fused(c[1]); got != want {
			t.Errorf("%s:\n%s\nnot\n%s", c[0], got, want)
		}
	}
	for _, index := range []string{"((k - 1) mod 30 + i) mod 30", "((i - 1) mod 30 + k) mod 30", "((i - 1) mod 40 + 1) mod 30", "(k - (i + 2) mod 30) mod 30"} {
		if n := strings.Count(fused(index), "mod 30"); n+strings.Count(index, "mod 40") != 2 {
			t.Errorf("%s:\n%s", index, fused(index))
		}
	}
}

// TestRoundBack: what a periodic stencil computes of a neighbour is computed once of each
// element on the way back, and not once for each of the places that it goes to.
func TestRoundBack(t *testing.T) {
	lib, p := defs.Last(t, `def f(a: R[30]): R = sumsq (build 30 (\i -> exp a[(i + 1) mod 30] - a[i] * exp a[(i - 1) mod 30]))`)
	d, err := ad.Grad(lib, p, ad.Options{})
	if err != nil {
		t.Fatal(err)
	}
	q, err := fusion.Fuse(lib, d.Program, nil, extract.How{})
	if err != nil {
		t.Fatal(err)
	}
	if text := q.Text("g"); strings.Contains(text, "mod 30 + 1) mod") || strings.Contains(text, "mod 30 - 1) mod") {
		t.Error(text)
	}
}
