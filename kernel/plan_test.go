package kernel

import (
	"math/rand"
	"slices"
	"testing"

	"egad/term"
)

// TestRoom takes and gives places at random: no two that are taken overlap, what is
// free is not taken, and when all is given there is one gap.
func TestRoom(t *testing.T) {
	for seed := range int64(50) {
		rng := rand.New(rand.NewSource(seed))
		var r room
		var taken []gap
		used := make(map[int64]bool)
		most, now := int64(0), int64(0)
		for range 200 {
			if k := len(taken); k > 0 && rng.Intn(2) == 0 {
				i := rng.Intn(k)
				g := taken[i]
				taken = slices.Delete(taken, i, i+1)
				for x := range g.n {
					delete(used, g.from+x)
				}
				now -= g.n
				r.give(g)
				continue
			}
			g := gap{n: rng.Int63n(9)}
			g.from = r.take(g.n)
			for x := range g.n {
				if used[g.from+x] {
					t.Fatalf("seed %d: element %d is taken twice", seed, g.from+x)
				}
				used[g.from+x] = true
			}
			taken = append(taken, g)
			now += g.n
			most = max(most, now)
			free := int64(0)
			for _, x := range r.gaps {
				free += x.n
			}
			if g.from+g.n > r.end || now+free != r.end {
				t.Fatalf("seed %d: %d elements taken and %d free of %d", seed, now, free, r.end)
			}
		}
		if r.end > 2*most {
			t.Errorf("seed %d: room for %d elements, of which %d are used at a time", seed, r.end, most)
		}
		for _, g := range taken {
			r.give(g)
		}
		if len(r.gaps) > 1 || len(r.gaps) == 1 && r.gaps[0] != (gap{0, r.end}) {
			t.Errorf("seed %d: when nothing is taken the gaps are %v of %d", seed, r.gaps, r.end)
		}
	}
}

// TestPlanReuses: a chain of arrays, each needed by the next only, takes the memory
// of two.
func TestPlanReuses(t *testing.T) {
	p := &Program{}
	b := newBuilder(nil)
	for i := range 20 {
		p.Arrays = append(p.Arrays, &Array{Elem: term.R, Shape: []int{100}, Role: Temp})
		v := b.variable(100, 1)
		x := b.lit(term.ScalarR(term.NumInt(1)))
		var body []Stmt
		if i > 0 {
			x = b.load(Access{Array: p.Arrays[i-1], At: []*Value{v}})
			body = []Stmt{&Let{x}}
		}
		body = append(body, &Store{Access: Access{Array: p.Arrays[i], At: []*Value{v}}, Value: x})
		p.Kernels = append(p.Kernels, &Kernel{Body: []Stmt{&Loop{Var: v, N: 100, Body: body}}})
	}
	p.Result.Array = p.Arrays[19]
	m, err := Compile(p, DefaultBlock)
	if err != nil || m.Memory() != 8*200 {
		t.Errorf("%d bytes, %v", m.Memory(), err)
	}
	v, err := m.Run(nil)
	if err != nil || v.R[99] != 1 {
		t.Errorf("%v, %v", v, err)
	}
}
