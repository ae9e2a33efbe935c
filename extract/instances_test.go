package extract

import (
	"fmt"
	"math"
	"math/rand"
	"slices"
	"testing"
	"time"

	"egad/egraph"
	"egad/slot"
)

// randomChoices has up to 6 states with up to 2 slots. Children are passed slots of the
// state and variables that the option binds.
func randomChoices(r *rand.Rand) *Choices {
	n := 1 + r.Intn(6)
	c := newChoices(n)
	c.slotted, c.inOrder = true, r.Intn(2) == 0
	fresh := slot.Name(0)
	name := func() slot.Name { fresh++; return fresh }
	for s := range c.states {
		for range r.Intn(3) {
			c.states[s].slots = append(c.states[s].slots, name())
		}
	}
	c.roots = []use{{0, c.states[0].slots}}
	if r.Intn(3) == 0 {
		c.roots = append(c.roots, use{n - 1, c.states[n-1].slots})
	}
	for s := range c.states {
		for i := range 1 + r.Intn(3) {
			scope := append([]slot.Name{name(), name()}, c.states[s].slots...)
			o := option{node: i, cost: float64(r.Intn(6))}
			for range r.Intn(4) {
				k := r.Intn(n)
				var args []slot.Name
				for _, x := range r.Perm(len(scope))[:len(c.states[k].slots)] {
					args = append(args, scope[x])
				}
				o.all, o.args = append(o.all, k), append(o.args, args)
			}
			if len(o.all) == 1 && r.Intn(4) == 0 && slices.Equal(c.states[o.all[0]].slots, o.args[0]) {
				o.node, o.cost = -1, 0
			}
			c.add(s, o)
		}
	}
	return c
}

// instances is the obvious way to say what a choice costs: each instance, by its name,
// once.
func instances(c *Choices, pick []int) float64 {
	total := 0.0
	met := make(map[string]bool)
	var visit func(u use)
	visit = func(u use) {
		if key := fmt.Sprint(u); met[key] {
			return
		} else {
			met[key] = true
		}
		o := &c.states[u.state].options[pick[u.state]]
		total += o.cost
		for i, k := range o.all {
			v := use{state: k}
			for _, a := range o.args[i] {
				if at := slices.Index(c.states[u.state].slots, a); at >= 0 {
					a = u.args[at]
				}
				v.args = append(v.args, a)
			}
			visit(v)
		}
	}
	for _, r := range c.roots {
		visit(r)
	}
	return total
}

// Where instances count, too, each method finds what it says it finds, by all choices
// that there are.
func TestInstancesAgainstAllChoices(t *testing.T) {
	seed := time.Now().UnixNano()
	r := rand.New(rand.NewSource(seed))
	solved, dearer, improved := 0, 0, 0
	for range 2000 {
		c := randomChoices(r)
		if !c.derives(c.least().pick) {
			for _, m := range Methods() {
				if e := c.By(Choosing{Method: m}); e != nil {
					t.Fatalf("seed %d: %s finds a term where there is none", seed, m)
				}
			}
			continue
		}
		solved++
		tree, dag := math.Inf(1), math.Inf(1)
		pick := make([]int, len(c.states))
		var try func(s int)
		try = func(s int) {
			if s == len(pick) {
				if _, ok := c.order(pick); ok {
					e, _ := c.finish(pick)
					tree, dag = min(tree, e.Tree), min(dag, instances(c, pick))
				}
				return
			}
			for i := range c.states[s].options {
				pick[s] = i
				try(s + 1)
			}
		}
		try(0)
		found := make(map[string]*Extraction)
		for _, m := range Methods() {
			e := c.By(Choosing{Method: m})
			found[m] = e
			if got := instances(c, e.pick); !near(e.DAG, got) || e.DAG < dag-1e-9 || e.Tree < tree-1e-9 {
				t.Fatalf("seed %d: %s costs %v, says %v; the least is %v", seed, m, got, e.DAG, dag)
			}
		}
		if e := found["exact"]; !near(e.DAG, dag) || !e.Optimal || !near(found["trees"].Tree, tree) {
			t.Fatalf("seed %d: exact %s, trees %s; the least are %v and %v", seed, e, found["trees"], dag, tree)
		}
		for steps := 1; steps < 4; steps++ {
			e := c.Exact(Budget{Steps: steps})
			if e.Bound > dag+1e-9 || e.DAG > min(found["trees"].DAG, found["shared"].DAG)+1e-9 || e.Optimal && !near(e.DAG, dag) {
				t.Fatalf("seed %d: %d steps: %s, the least is %v", seed, steps, e, dag)
			}
		}
		once := 0.0
		order, _ := c.order(found["exact"].pick)
		for _, s := range order {
			once += c.states[s].options[found["exact"].pick[s]].cost
		}
		if once < dag-1e-9 {
			dearer++
		}
		if dag < min(found["greedy"].DAG, found["shared"].DAG)-1e-9 {
			improved++
		}
	}
	if solved < 300 || dearer == 0 || improved == 0 {
		t.Errorf("seed %d: %d solved, in %d instances count, in %d exact is better", seed, solved, dearer, improved)
	}
}

// Instances that multiply are counted up to a bound, in time for it.
func TestInstancesThatMultiply(t *testing.T) {
	const depth, slots = 40, 9
	c := newChoices(depth)
	c.slotted = true
	fresh := slot.Name(0)
	for s := range c.states {
		for range slots {
			fresh++
			c.states[s].slots = append(c.states[s].slots, fresh)
		}
	}
	c.roots = []use{{0, c.states[0].slots}}
	for s := range c.states {
		o := option{node: s, cost: 1}
		if s+1 < depth {
			as := c.states[s].slots
			turned := append(slices.Clone(as[1:]), as[0])
			swapped := slices.Clone(as)
			swapped[0], swapped[1] = as[1], as[0]
			o.all, o.args = []int{s + 1, s + 1}, [][]slot.Name{turned, swapped}
		}
		c.add(s, o)
	}
	for _, m := range Methods() {
		if e := c.By(Choosing{Method: m, Budget: Budget{Steps: 1000}}); e.DAG < maxInstances {
			t.Errorf("%s: %s", m, e)
		}
	}
}

// Of the smallest trees of a class, the size is that which the obvious computation
// finds, and the tree is made of e-nodes that come first.
func TestSmallest(t *testing.T) {
	seed := time.Now().UnixNano()
	r := rand.New(rand.NewSource(seed))
	for range 300 {
		sig := egraph.NewSignature()
		var ops [3][]egraph.Op
		for arity := range ops {
			h, err := sig.AddHead(egraph.Head{Name: fmt.Sprint("f", arity), Arity: arity})
			if err != nil {
				t.Fatal(err)
			}
			for range 4 {
				op, err := sig.AddOp(h)
				if err != nil {
					t.Fatal(err)
				}
				ops[arity] = append(ops[arity], op)
			}
		}
		g := egraph.New(sig)
		refs := []egraph.Ref{g.Add(ops[0][0], nil, nil, nil)}
		for range 12 {
			arity := r.Intn(3)
			var kids []egraph.Ref
			for range arity {
				kids = append(kids, refs[r.Intn(len(refs))])
			}
			refs = append(refs, g.Add(ops[arity][r.Intn(4)], nil, nil, kids))
		}
		for range 4 {
			g.Union(refs[r.Intn(len(refs))], refs[r.Intn(len(refs))])
		}
		g.Rebuild()
		size := make(map[egraph.ClassID]int)
		of := func(n egraph.Node) int {
			s := 1
			for _, k := range n.Kids {
				if size[g.Find(k.ID)] == 0 {
					return math.MaxInt32
				}
				s += size[g.Find(k.ID)]
			}
			return s
		}
		for changed := true; changed; {
			changed = false
			for _, x := range refs {
				g.Nodes(x, func(n egraph.Node) bool {
					c := g.Find(x.ID)
					if s := of(n); s < math.MaxInt32 && (size[c] == 0 || s < size[c]) {
						size[c], changed = s, true
					}
					return true
				})
			}
		}
		type tree struct{ size int }
		for _, x := range refs {
			first := make(map[egraph.NodeID]bool)
			for _, y := range refs {
				done := false
				g.Nodes(y, func(n egraph.Node) bool {
					if !done && of(n) == size[g.Find(y.ID)] {
						first[n.ID], done = true, true
					}
					return true
				})
			}
			got, ok := Smallest(g, 1000, func(n egraph.Node, kids []tree) tree {
				if !first[n.ID] {
					t.Errorf("seed %d: an e-node that is not the first", seed)
				}
				out := tree{size: 1}
				for _, k := range kids {
					out.size += k.size
				}
				return out
			}, x)(x)
			if want := size[g.Find(x.ID)]; !ok || got.size != want {
				t.Fatalf("seed %d: a tree of %d, the smallest has %d", seed, got.size, want)
			}
			if _, ok := Smallest(g, got.size, func(egraph.Node, []tree) tree { return tree{} }, x)(x); ok {
				t.Errorf("seed %d: a tree of less than %d", seed, got.size)
			}
		}
	}
}
