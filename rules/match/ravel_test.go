package match

import (
	"fmt"
	"testing"

	"egad/internal/slice"
	"egad/term/size"
)

// TestRegrouped takes shapes apart where both have as many elements. Of axes of size 1 nothing is left, or 0
// is made; what is not known, or has no elements, is whole.
func TestRegrouped(t *testing.T) {
	sizes := func(ns ...int64) []size.Size { return slice.Map(ns, size.Const) }
	n := size.Var("n")
	for _, c := range []struct {
		from, to []size.Size
		want     string
	}{
		{sizes(3, 2, 4), sizes(3, 8), "[[[3] [3]] [[2 4] [8]]]"},
		{sizes(3, 8), sizes(3, 2, 4), "[[[3] [3]] [[8] [2 4]]]"},
		{sizes(6, 4, 5), sizes(4, 6, 5), "[[[6 4] [4 6]] [[5] [5]]]"},
		{sizes(2, 3), sizes(6, 1), "[[[2 3] [6]] [[] [1]]]"},
		{sizes(1, 6), sizes(1, 6), "[[[1] [1]] [[6] [6]]]"},
		{sizes(1, 6), sizes(6), "[[[1] []] [[6] [6]]]"},
		{sizes(6), sizes(1, 2, 3), "[[[] [1]] [[6] [2 3]]]"},
		{sizes(1, 1), nil, "[[[1] []] [[1] []]]"},
		{sizes(3, 0), sizes(3, 0, 2), "[[[3 0] [3 0 2]]]"},
		{sizes(3, 2), sizes(4), "[[[3 2] [4]]]"},
		{append(sizes(3), n), []size.Size{size.Const(3).Mul(n)}, "[[[3 n] [3*n]]]"},
	} {
		var got [][2][]string
		for _, g := range regrouped(c.from, c.to) {
			got = append(got, [2][]string{slice.Map(g.from, size.Size.String), slice.Map(g.to, size.Size.String)})
		}
		if got := fmt.Sprint(got); got != c.want {
			t.Errorf("%s, expected %s", got, c.want)
		}
	}
}
