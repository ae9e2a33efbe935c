package recent

import (
	"errors"
	"slices"
	"testing"
)

func TestList(t *testing.T) {
	l := List[int]{Max: 3}
	made := 0
	get := func(x int) {
		t.Helper()
		got, err := l.Get(func(y int) bool { return x == y }, func() (int, error) { made++; return x, nil })
		if got != x || err != nil {
			t.Errorf("%d: %d, %v", x, got, err)
		}
	}
	for _, x := range []int{1, 2, 3, 1, 4, 1, 3, 2} {
		get(x)
	}
	if want := []int{2, 3, 1}; !slices.Equal(l.items, want) || made != 5 {
		t.Errorf("%v after %d were made, want %v", l.items, made, want)
	}
	failed := errors.New("failed")
	if _, err := l.Get(func(int) bool { return false }, func() (int, error) { return 0, failed }); err != failed {
		t.Error(err)
	}
	l.Drop(func(x int) bool { return x == 3 })
	if _, ok := l.Find(func(x int) bool { return x == 3 }); ok || !slices.Equal(l.items, []int{2, 1}) {
		t.Errorf("%v", l.items)
	}
	if x, ok := l.Find(func(x int) bool { return x == 1 }); !ok || x != 1 || !slices.Equal(l.items, []int{1, 2}) {
		t.Errorf("%v", l.items)
	}
}
