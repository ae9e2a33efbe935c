package fusion_test

import (
	"strings"
	"testing"

	"egad/ad"
	"egad/fusion"
	"egad/internal/defs"
	"egad/term"
)

// TestAsked: what a choice takes for an index that is asked to be another number takes as many
// operations as if that number were written there, and so does its gradient; of the ends of a
// loop elements are read as they are.
func TestAsked(t *testing.T) {
	made := func(text string) (programs []*term.Program, floats []int64) {
		lib, p := defs.Last(t, text)
		d, err := ad.Grad(lib, p, ad.Options{})
		if err != nil {
			t.Fatal(err)
		}
		programs = []*term.Program{p, d.Program}
		for _, q := range programs {
			k, err := fusion.Lower(lib, q, nil)
			if err != nil {
				t.Fatal(err)
			}
			floats = append(floats, k.Counts().Float)
		}
		return programs, floats
	}
	for _, c := range []struct{ text, index, number string }{
		{`def f(x: R[30], k: I): R = sum (build 30 (\i -> if i == k then exp x[#] * x[5] else x[i]))`, "i", "k"},
		{`def f(x: R[30], k: I): R = sum (build 30 (\i -> if k == i && 0 < x[#] then exp x[#] else x[i]))`, "i", "k"},
		{`def f(x: R[30], k: I): R = sum (build 30 (\i -> if i < 5 then x[i] else if i == k then exp x[#] else x[i]))`, "i", "k"},
		{`def f(x: R[9, 8], k: I): R = sum2 (build [9, 8] (\i j -> if i == k then sum (build 8 (\h -> x[#, h] * exp x[j, h])) else x[i, j]))`, "i", "k"},
		{`def f(x: R[9, 8], k: I): R = sum2 (build [9, 8] (\i j -> if i == k && j < 5 then exp x[#, j] else x[i, j]))`, "i", "k"},
		{`def f(x: R[9, 8], k: I): R = sum2 (build [9, 8] (\i j -> if j < 5 then x[i, j] else if i == k then exp x[#, j] else x[i, j]))`, "i", "k"},
		{`def f(x: R[9, 9]): R = sum2 (build [9, 9] (\i j -> if j == i + 1 then sum (build 8 (\h -> exp x[#, h] * x[h, i])) else x[i, j]))`, "j", "i + 1"},
		{`def f(x: R[9, 8], k: I): R = sum2 (build [9, 8] (\i j -> if j == k - i && 0 < i && 0 < j then exp x[i, #] else x[i, j]))`, "j", "(k - i)"},
		{`def f(x: R[9, 8], k: I): R = sum2 (build [9, 8] (\i j -> if i + j == k && 0 < i && 0 < j then exp x[i, #] else x[i, j]))`, "j", "(k - i)"},
		{`def f(x: R[9, 8], k: I): R = sum2 (build [9, 8] (\i j -> if j - i == k && 0 < j then exp x[i, #] else x[i, j]))`, "j", "(k + i)"},
		{`def f(x: R[9, 8], k: I): R = sum2 (build [9, 8] (\i j -> if i + 1 == k then exp x[#, j] else x[i, j]))`, "i", "(k - 1)"},
		{`def f(x: R[9, 8], k: I): R = sum2 (build [9, 8] (\i j -> if i == k && x[i, j] < 1 && 0 < j then exp x[#, j] else x[i, j]))`, "i", "k"},
		{`def f(x: R[30], c: R[20]): R = sumsq (fold (\p (c, k) -> build 30 (\i -> if i == k then p[#] - c * p[k + 1] else if i == k + 1 then p[i] + c * p[k] else p[i])) x (c, iota 20))`, "i", "k"},
	} {
		_, by := made(strings.ReplaceAll(c.text, "#", c.index))
		_, want := made(strings.ReplaceAll(c.text, "#", c.number))
		if by[0] != want[0] || by[1] != want[1] {
			t.Errorf("%s: %d operations, not %d", c.text, by, want)
		}
	}
	for _, text := range []string{
		`def f(x: R[30]): R = sumsq (build 30 (\i -> if i == 30 - 1 then x[i] else exp x[i]))`,
		`def f(x: R[30]): R = sumsq (build 30 (\i -> if i == 0 then 0 else if i == 30 - 1 then x[i] else exp x[i]))`,
	} {
		programs, _ := made(text)
		if g := programs[1].Text("g"); strings.Contains(g, "[29]") {
			t.Errorf("the last element is read by itself:\n%s", g)
		}
	}
}
