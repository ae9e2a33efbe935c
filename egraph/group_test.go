package egraph

import (
	"fmt"
	"math/rand"
	"slices"
	"testing"

	"egad/egraph/internal/permtest"
	"egad/egraph/perm"
)

// randomGroup extends the trivial group by some permutations and returns them too.
func randomGroup(r *rand.Rand, g *Graph, n int) (perm.ID, [][]Pos) {
	var id perm.ID
	var gens [][]Pos
	for range r.Intn(4) {
		if n > 0 {
			p := permtest.Random(r, n)
			gens = append(gens, p)
			id = g.extend(id, g.vecs.Intern(p))
		}
	}
	return id, gens
}

// nodeForm is an e-node that is not in a graph.
type nodeForm struct {
	head    *Head
	own     []Pos
	kids    []ClassID
	args    [][]Pos
	binders []Pos
}

func (x *nodeForm) String() string {
	return fmt.Sprint(x.head.Name, x.own, x.kids, x.args, " binding ", x.binders)
}

func (x *nodeForm) canon(g *Graph) *canon {
	var args []Vec
	for _, a := range x.args {
		args = append(args, g.vecs.Intern(a))
	}
	return g.canonicalise(x.head, x.own, x.kids, args, x.binders)
}

// all lists all ways to write the e-node, as text.
func (x *nodeForm) all(elements map[ClassID][][]Pos) map[string]bool {
	out := map[string]bool{}
	var choose func(args [][]Pos)
	choose = func(args [][]Pos) {
		if k := len(args); k < len(x.args) {
			for _, p := range elements[x.kids[k]] {
				choose(append(slices.Clone(args), permtest.Arranged(x.args[k], p)))
			}
			return
		}
		out[fmt.Sprint(args)] = true
		if x.head.Commutative && x.kids[0] == x.kids[1] {
			out[fmt.Sprint([][]Pos{args[1], args[0]})] = true
		}
	}
	choose(nil)
	return out
}

// TestLeastForm: random e-nodes have the same form as e-nodes that differ by symmetries
// of children and by names, the form is a way to write the e-node, and the symmetries
// of the e-node that are found generate all there are.
func TestLeastForm(t *testing.T) {
	heads := []*Head{
		{Name: "p", Arity: 2}, {Name: "c", Arity: 2, Commutative: true}, {Name: "q", Arity: 3},
		{Name: "own", Arity: 2, Own: 1}, {Name: "bind", Arity: 2, Binders: 1, Under: 2}, {Name: "bind2", Arity: 2, Binders: 2, Under: 3},
	}
	symmetric := 0
	for seed := range 2000 {
		r := rand.New(rand.NewSource(int64(seed)))
		g := New(NewSignature())
		elements := map[ClassID][][]Pos{}
		for range 2 {
			n := r.Intn(5)
			c := g.newClass(n)
			id, gens := randomGroup(r, g, n)
			set(&g.group, c, id)
			elements[c] = permtest.Elements(n, gens)
		}
		x := &nodeForm{head: heads[r.Intn(len(heads))]}
		names := 4 + r.Intn(4)
		for i := range x.head.Own {
			x.own = append(x.own, Pos(i))
		}
		for i := range x.head.Binders {
			x.binders = append(x.binders, Pos(i))
		}
		var bare Pos // a name below it may be bound, and is not free anywhere
		if x.head.Binders == 1 {
			bare = 1
		}
		for k := range x.head.Arity {
			c := ClassID(r.Intn(2))
			x.kids = append(x.kids, c)
			var args []Pos
			for _, i := range r.Perm(names) {
				if len(args) < g.slotsOf(c) && (x.head.Under>>k&1 != 0 || Pos(i) >= bare) {
					args = append(args, Pos(i))
				}
			}
			if len(args) < g.slotsOf(c) {
				args = append(args, Pos(names))
			}
			x.args = append(x.args, args)
		}
		first := *x.canon(g)
		form := fmt.Sprint(first.kids, first.args, first.own)
		free, autos := slices.Clone(first.free), slices.Clone(first.autos)
		// The form is a way to write the e-node.
		y := &nodeForm{head: x.head, own: x.own, kids: slices.Clone(first.kids), binders: x.binders}
		for _, v := range first.args {
			args := slices.Clone(g.vecs.Get(v))
			for i, p := range args {
				if p&bound != 0 {
					args[i] = x.binders[p&^bound]
				} else {
					args[i] = free[p]
				}
			}
			y.args = append(y.args, args)
		}
		if !slices.Equal(x.kids, y.kids) {
			x.kids[0], x.kids[1], x.args[0], x.args[1] = x.kids[1], x.kids[0], x.args[1], x.args[0]
		}
		all := x.all(elements)
		if !all[fmt.Sprint(y.args)] {
			t.Fatalf("seed %d: %v is not %v", seed, y, x)
		}
		// An e-node that is the same but for names has the same form.
		for range 3 {
			z := &nodeForm{head: x.head, kids: x.kids}
			to := func(p Pos) Pos { return p }
			if r.Intn(2) == 0 {
				shuffled := r.Perm(20)
				to = func(p Pos) Pos { return Pos(shuffled[p]) }
			}
			for _, p := range x.own {
				z.own = append(z.own, to(p))
			}
			for _, p := range x.binders {
				z.binders = append(z.binders, to(p))
			}
			for k, a := range x.args {
				list := elements[x.kids[k]]
				a = permtest.Arranged(a, list[r.Intn(len(list))])
				for i := range a {
					a[i] = to(a[i])
				}
				z.args = append(z.args, a)
			}
			if x.head.Commutative && r.Intn(2) == 0 {
				z.kids = []ClassID{x.kids[1], x.kids[0]}
				z.args[0], z.args[1] = z.args[1], z.args[0]
			}
			if c := z.canon(g); fmt.Sprint(c.kids, c.args, c.own) != form {
				t.Fatalf("seed %d: %v and %v have different forms", seed, x, z)
			}
		}
		// An exchange of free names is a symmetry if it gives a way to write the e-node.
		var gens [][]Pos
		for _, a := range autos {
			p := make([]Pos, len(free))
			for i, n := range a {
				p[i] = Pos(slices.Index(free, n))
			}
			gens = append(gens, p)
		}
		found := map[string]bool{}
		for _, p := range permtest.Elements(len(free), gens) {
			found[fmt.Sprint(p)] = true
		}
		if len(found) > 1 {
			symmetric++
		}
		if len(free) > 6 {
			continue
		}
		count := 0
		for _, p := range permtest.Elements(len(free), permtest.Swaps(len(free))) {
			same := true
			for _, n := range x.own {
				i := slices.Index(free, n)
				same = same && int(p[i]) == i
			}
			var args [][]Pos
			for k, a := range x.args {
				a = slices.Clone(a)
				for j, n := range a {
					if x.head.Under>>k&1 != 0 && slices.Contains(x.binders, n) {
						continue
					}
					a[j] = free[p[slices.Index(free, n)]]
				}
				args = append(args, a)
			}
			if same && all[fmt.Sprint(args)] {
				count++
				if !found[fmt.Sprint(p)] {
					t.Fatalf("seed %d: %v has symmetry %v of %v, which does not follow from %v", seed, x, p, free, gens)
				}
			}
		}
		if count != len(found) {
			t.Fatalf("seed %d: %v has %d symmetries, and %d were found", seed, x, count, len(found))
		}
	}
	if symmetric < 300 {
		t.Errorf("only %d e-nodes were symmetric", symmetric)
	}
}

// TestLargeGroups: all permutations of many slots are one group, and an e-node with
// such a child has a form, in little time.
func TestLargeGroups(t *testing.T) {
	const n = 40
	g := New(NewSignature())
	turn := make([]Pos, n)
	for i := range turn {
		turn[i] = Pos((i + 1) % n)
	}
	c := g.newClass(n)
	id := g.extend(0, g.vecs.Intern(turn))
	if got := g.groups.Get(id).Order(); got != n {
		t.Fatalf("turning %d slots generates %d permutations", n, got)
	}
	id = g.extend(id, g.vecs.Intern(permtest.Swaps(n)[0]))
	set(&g.group, c, id)
	for _, p := range permtest.Swaps(n) {
		if g.extend(id, g.vecs.Intern(p)) != id {
			t.Fatal("the group of all permutations was extended")
		}
	}
	x := &nodeForm{head: &Head{Name: "c", Arity: 2, Commutative: true}, kids: []ClassID{c, c}, args: make([][]Pos, 2)}
	for i := range Pos(n) {
		x.args[0], x.args[1] = append(x.args[0], i), append(x.args[1], (7*i+n/2)%n+n/2)
	}
	if got := x.canon(g); g.lossy || len(got.free) != 3*n/2 {
		t.Errorf("the form has %d free slots; lossy: %v", len(got.free), g.lossy)
	}
}

// TestSymmetryLimit: a run that hits a bound on symmetries is not saturated.
func TestSymmetryLimit(t *testing.T) {
	for _, c := range []struct {
		name  string
		lower func(*Graph)
		stop  Stop
	}{
		{"none", func(*Graph) {}, Saturated},
		{"groups", func(g *Graph) { g.groups.Work = 100 }, SymmetryLimit},
		{"forms", func(g *Graph) { g.formWork = 10 }, SymmetryLimit},
	} {
		l := NewTestLang(t)
		g := New(l.Sig)
		before := g.Snapshot()
		c.lower(g)
		sum := v(0)
		for i := 1; i < 5; i++ {
			sum = app("g", v(i), sum)
		}
		l.Add(g, sum)
		rules := []*Rule{
			l.rule(t, "commute", app("g", v(0), v(1)), app("g", v(1), v(0))),
			l.rule(t, "associate", app("g", v(0), app("g", v(1), v(2))), app("g", app("g", v(0), v(1)), v(2))),
		}
		if rep := g.Saturate(rules, Limits{Iterations: 50}, nil); rep.Stop != c.stop {
			t.Errorf("%s: %v", c.name, rep)
		}
		if err := CheckInvariants(g); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if err := g.Restore(before); err != nil || g.saturated() != Saturated {
			t.Errorf("%s: restored, the graph is not as it was: %v", c.name, err)
		}
	}
}
