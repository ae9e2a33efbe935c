package kernel

import (
	"math/rand"
	"slices"
	"testing"

	"egad/term/numeric"
	"egad/term/ops"
	"egad/term/types"
)

// TestRoom takes and gives places at random: no two that are taken overlap, what is
// free is not taken, what fills a line of the cache begins one, and when all is given there
// is one gap.
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
			g := gap{n: rng.Int63n(20)}
			g.from = r.take(g.n)
			if g.n >= cacheLine && g.from%cacheLine != 0 {
				t.Fatalf("seed %d: %d elements do not begin a line of the cache", seed, g.n)
			}
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

// TestPlanLate: an array does not take the place of another one that is still read after an
// element is stored: by a fold, or by what is stored next. Nor does it if more is stored to
// the other one.
func TestPlanLate(t *testing.T) {
	for _, late := range []string{"fold", "store", "written", "neither"} {
		p := &Program{}
		b := NewBuilder(nil)
		array := func(role Role, shape ...int) *Array {
			a := &Array{Name: "a", Elem: types.R, Shape: shape, Role: role}
			p.Arrays = append(p.Arrays, a)
			return a
		}
		of, made, sum, other := array(Temp, 100), array(Temp, 100), array(Temp), array(Temp, 100)
		i, j := b.Variable(100, 1), b.Variable(100, 1)
		p.Kernels = []*Kernel{{Body: []Stmt{&Loop{Var: i, N: 100, Body: []Stmt{&Store{Access: Access{Array: of, At: []*Value{i}}, Value: b.Lit(ops.ScalarR(numeric.Int(2)))}}}}}}
		x := b.Load(Access{Array: of, At: []*Value{j}})
		y := b.Op(ops.Op{Sym: ops.SymNeg}, types.R, x)
		one := b.Lit(ops.ScalarR(numeric.Int(1)))
		store := func(a *Array, v *Value) *Store { return &Store{Access: Access{Array: a, At: []*Value{j}}, Value: v} }
		l := &Loop{Var: j, N: 100, Order: Folding, Body: []Stmt{&Let{x}, &Let{y}, store(made, one)}}
		value := one
		switch late {
		case "fold":
			value = y
		case "store":
			l.Body = append(l.Body, store(other, y))
		case "written":
			l.Body = []Stmt{&Let{x}, store(of, one), store(made, one)}
		default:
			l.Body = []Stmt{&Let{x}, &Let{y}, store(made, y)}
		}
		l.Folds = []Fold{{Op: ops.SymSum, Value: value, Result: &Value{Kind: Folded, Elem: types.R, Range: ops.AnyInt}}}
		p.Kernels = append(p.Kernels, &Kernel{Body: []Stmt{l, &Store{Access: Access{Array: sum}, Value: l.Folds[0].Result}}})
		p.Result.Parts = []Result{{Array: sum}, {Array: other}, {Array: made}}
		pl := newPlan(p)
		if shared := pl.At[of] == pl.At[made]; shared != (late == "neither") {
			t.Errorf("%s: the place is shared: %t", late, shared)
		}
	}
}
