package plan

import (
	"math/rand"
	"slices"
	"testing"

	"egad/kernel"
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
			if g.n >= CacheLine && g.from%CacheLine != 0 {
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
		p := &kernel.Program{}
		b := kernel.NewBuilder(nil)
		array := func(role kernel.Role, shape ...int) *kernel.Array {
			a := &kernel.Array{Name: "a", Elem: types.R, Shape: shape, Role: role}
			p.Arrays = append(p.Arrays, a)
			return a
		}
		of, made, sum, other := array(kernel.Temp, 100), array(kernel.Temp, 100), array(kernel.Temp), array(kernel.Temp, 100)
		i, j := b.Variable(100, 1), b.Variable(100, 1)
		p.Kernels = []*kernel.Kernel{{Body: []kernel.Stmt{&kernel.Loop{Var: i, N: 100, Body: []kernel.Stmt{&kernel.Store{Access: kernel.Access{Array: of, At: []*kernel.Value{i}}, Value: b.Lit(ops.ScalarR(numeric.Int(2)))}}}}}}
		x := b.Load(kernel.Access{Array: of, At: []*kernel.Value{j}})
		y := b.Op(ops.Op{Sym: ops.SymNeg}, types.R, x)
		one := b.Lit(ops.ScalarR(numeric.Int(1)))
		store := func(a *kernel.Array, v *kernel.Value) *kernel.Store {
			return &kernel.Store{Access: kernel.Access{Array: a, At: []*kernel.Value{j}}, Value: v}
		}
		l := &kernel.Loop{Var: j, N: 100, Order: kernel.Folding, Body: []kernel.Stmt{&kernel.Let{Value: x}, &kernel.Let{Value: y}, store(made, one)}}
		value := one
		switch late {
		case "fold":
			value = y
		case "store":
			l.Body = append(l.Body, store(other, y))
		case "written":
			l.Body = []kernel.Stmt{&kernel.Let{Value: x}, store(of, one), store(made, one)}
		default:
			l.Body = []kernel.Stmt{&kernel.Let{Value: x}, &kernel.Let{Value: y}, store(made, y)}
		}
		l.Folds = []kernel.Fold{{Op: ops.SymSum, Value: value, Result: &kernel.Value{Kind: kernel.Folded, Elem: types.R, Range: ops.AnyInt}}}
		p.Kernels = append(p.Kernels, &kernel.Kernel{Body: []kernel.Stmt{l, &kernel.Store{Access: kernel.Access{Array: sum}, Value: l.Folds[0].Result}}})
		p.Result.Parts = []kernel.Result{{Array: sum}, {Array: other}, {Array: made}}
		pl := New(p)
		if shared := pl.At[of] == pl.At[made]; shared != (late == "neither") {
			t.Errorf("%s: the place is shared: %t", late, shared)
		}
	}
}
