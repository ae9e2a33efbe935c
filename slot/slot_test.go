package slot

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// sequences lists the sequences of at most n of the names 1, …, m.
func sequences(n, m int) [][]Name {
	out := [][]Name{nil}
	for from := 0; n > 0; n-- {
		to := len(out)
		for _, s := range out[from:to] {
			for k := 1; k <= m; k++ {
				out = append(out, append(slices.Clone(s), Name(k)))
			}
		}
		from = to
	}
	return out
}

// forSources calls f with every node of two children with at most two names
// each, under at most two binders, over three names.
func forSources(f func(s Source)) {
	short, all := sequences(1, 3), sequences(2, 3)
	for _, own := range short {
		for _, a := range all {
			for _, b := range all {
				for _, binders := range all {
					for mask := range 4 {
						f(Source{
							Own: own, Binders: binders,
							Kids:  []Ref{{ID: 7, Args: a}, {ID: 8, Args: b}},
							Under: func(kid int) bool { return mask>>kid&1 == 1 },
						})
					}
				}
			}
		}
	}
}

// meant is what a name in a child means: the position of the binder that binds
// it, or -1.
func meant(s Source, kid int, n Name) int {
	found := -1
	if s.Under(kid) {
		for i, b := range s.Binders {
			if b == n {
				found = i
			}
		}
	}
	return found
}

// A row keeps what every name means, and nothing else of the names.
func TestCanonicalise(t *testing.T) {
	fresh := []Name{100, 101}
	renamed := []Name{0, 30, 10, 20} // 1, 2 and 3 in another order
	rename := func(n Name) Name { return renamed[n] }
	count := 0
	forSources(func(s Source) {
		count++
		r := Canonicalise(s)
		var want []Ref
		var free []Name // in the order of first occurrence
		see := func(n Name) {
			if !slices.Contains(free, n) {
				free = append(free, n)
			}
		}
		for _, n := range s.Own {
			see(n)
		}
		for i, k := range s.Kids {
			opened := Ref{ID: k.ID}
			for _, n := range k.Args {
				if b := meant(s, i, n); b >= 0 {
					opened.Args = append(opened.Args, fresh[b])
				} else {
					see(n)
					opened.Args = append(opened.Args, n)
				}
			}
			want = append(want, opened)
		}
		if d := cmp.Diff(free, r.Free); d != "" {
			t.Fatalf("%s: free names (-want +got):\n%s", show(s), d)
		}
		if d := cmp.Diff(want, Open(r.Kids, r.Free, fresh)); d != "" {
			t.Fatalf("%s opened (-want +got):\n%s", show(s), d)
		}
		if own := Names(r.Own, r.Free, nil); !slices.Equal(own, s.Own) {
			t.Fatalf("%s: own names %v", show(s), own)
		}

		other := s
		other.Own, other.Binders, other.Kids = nil, nil, nil
		for _, n := range s.Own {
			other.Own = append(other.Own, rename(n))
		}
		for _, n := range s.Binders {
			other.Binders = append(other.Binders, rename(n))
		}
		for _, k := range s.Kids {
			other.Kids = append(other.Kids, k.Rename(rename))
		}
		again := Canonicalise(other)
		for i, n := range r.Free {
			if again.Free[i] != rename(n) {
				t.Fatalf("%s renamed has free names %v", show(s), again.Free)
			}
		}
		again.Free = r.Free
		if d := cmp.Diff(r, again); d != "" {
			t.Fatalf("%s renamed (-before +after):\n%s", show(s), d)
		}
	})
	if count != 4*13*13*13*4 {
		t.Errorf("%d nodes were tried", count)
	}
}

func show(s Source) string {
	under := ""
	for i := range s.Kids {
		if s.Under(i) {
			under += fmt.Sprintf(" over child %d", i)
		}
	}
	return fmt.Sprintf("own %v, children %v, binders %v%s", s.Own, s.Kids, s.Binders, under)
}

// Without Under, binders scope over nothing. Rows do not share room to grow.
func TestCanonicaliseAlone(t *testing.T) {
	r := Canonicalise(Source{Own: []Name{4}, Kids: []Ref{{1, []Name{5}}, {2, []Name{4, 5}}}, Binders: []Name{5}})
	want := Row{Own: []Pos{0}, Kids: []Kid{{1, []Pos{1}}, {2, []Pos{0, 1}}}, Free: []Name{4, 5}}
	if d := cmp.Diff(want, r); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	_ = append(r.Own, 9)
	_ = append(r.Kids[0].Args, 9)
	if d := cmp.Diff(want, r); d != "" {
		t.Errorf("after appending to parts of it (-want +got):\n%s", d)
	}
}

func TestRef(t *testing.T) {
	r := Ref{3, []Name{1, 2, 1}}
	// In parallel: 1 and 2 change places.
	if got := r.RenameFrom([]Name{1, 2}, []Name{2, 1}); !got.Equal(Ref{3, []Name{2, 1, 2}}) {
		t.Errorf("swapped: %v", got)
	}
	if got := r.RenameFrom([]Name{2, 9}, []Name{5, 6}); !got.Equal(Ref{3, []Name{1, 5, 1}}) {
		t.Errorf("renamed: %v", got)
	}
	if !r.Equal(Ref{3, []Name{1, 2, 1}}) {
		t.Errorf("renaming changed its operand: %v", r)
	}
	if !r.Has(2) || r.Has(3) || (Ref{ID: 3}).Has(0) {
		t.Error("Has")
	}
	if r.Equal(Ref{4, r.Args}) || r.Equal(Ref{3, r.Args[:2]}) || !(Ref{ID: 3}).Equal(Ref{3, []Name{}}) {
		t.Error("Equal")
	}
}
