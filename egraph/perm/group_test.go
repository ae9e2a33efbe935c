package perm_test

import (
	"fmt"
	"math/rand"
	"slices"
	"testing"

	"egad/egraph/internal/permtest"
	"egad/egraph/perm"
)

// randomGroup extends the trivial group by some permutations and returns them too.
func randomGroup(r *rand.Rand, v *perm.Vecs, s *perm.Groups, n int) (perm.ID, [][]perm.Pos) {
	var id perm.ID
	var gens [][]perm.Pos
	for range r.Intn(4) {
		p := permtest.Random(r, n)
		gens = append(gens, p)
		id, _ = s.Extend(id, v.Intern(p))
	}
	return id, gens
}

func never() bool { return false }

// TestGroupsAgainstElements compares chains with lists of all elements.
func TestGroupsAgainstElements(t *testing.T) {
	for seed := range 2000 {
		r := rand.New(rand.NewSource(int64(seed)))
		v := perm.NewVecs()
		s := perm.NewGroups(v, never)
		n := 1 + r.Intn(6)
		id, gens := randomGroup(r, v, s, n)
		elements := permtest.Elements(n, gens)
		c := s.Get(id)
		if c.Order() != uint64(len(elements)) {
			t.Fatalf("seed %d: %v generate %d elements, not %d", seed, gens, len(elements), c.Order())
		}
		in := map[string]bool{}
		for _, p := range elements {
			in[fmt.Sprint(p)] = true
			if grown, _ := s.Extend(id, v.Intern(p)); grown != id {
				t.Fatalf("seed %d: %v generate %v, which extends the group", seed, gens, p)
			}
		}
		for range 20 {
			p := permtest.Random(r, n)
			if got := s.Has(id, slices.Clone(p)); got != in[fmt.Sprint(p)] {
				t.Fatalf("seed %d: %v generate %v: %v", seed, gens, p, got)
			}
		}
		names := make([]perm.Pos, n)
		for i, x := range r.Perm(10)[:n] {
			names[i] = perm.Pos(x)
		}
		want := names
		for _, p := range elements {
			if other := permtest.Arranged(names, p); slices.Compare(other, want) < 0 {
				want = other
			}
		}
		least := slices.Clone(names)
		if s.Least(id, least); !slices.Equal(least, want) {
			t.Fatalf("seed %d: %v under %v: the least order is %v, not %v", seed, names, gens, want, least)
		}
		var again perm.ID
		for _, x := range c.Generators() {
			again, _ = s.Extend(again, x)
		}
		if s.Get(again).Order() != c.Order() {
			t.Fatalf("seed %d: the generators of %v generate %d elements, not %d", seed, gens, s.Get(again).Order(), c.Order())
		}
	}
}

// TestLimits: an extension that is too much work leaves the group as it is, and is
// not tried again.
func TestLimits(t *testing.T) {
	v := perm.NewVecs()
	late := true
	s := perm.NewGroups(v, func() bool { return late })
	turn := v.Intern([]perm.Pos{1, 2, 3, 0})
	if id, complete := s.Extend(0, turn); id != 0 || complete {
		t.Errorf("a late extension: %v, %v", id, complete)
	}
	late = false
	s.Work = 3
	if id, complete := s.Extend(0, turn); id != 0 || complete {
		t.Errorf("an extension that is too much work: %v, %v", id, complete)
	}
	s.Work = perm.DefaultWork
	if id, complete := s.Extend(0, turn); id != 0 || complete {
		t.Errorf("an extension that was too much work: %v, %v", id, complete)
	}
}

func Example() {
	v := perm.NewVecs()
	s := perm.NewGroups(v, never)
	id, _ := s.Extend(0, v.Intern([]perm.Pos{1, 2, 0})) // turns of three slots
	fmt.Println(s.Get(id).Order(), s.Has(id, []perm.Pos{2, 0, 1}), s.Has(id, []perm.Pos{1, 0, 2}))
	// Output: 3 true false
}
