package extract

import (
	"bytes"
	"fmt"
	"math"
	"math/rand"
	"slices"
	"strings"
	"testing"
	"time"

	"egad/diag"
	"egad/egraph"
	"egad/internal/slice"
	"egad/slot"
)

// binding is a signature with variables, constants, operators and a binder.
type binding struct {
	*egraph.Signature
	variable, bind egraph.Op
	ops            [3][]egraph.Op // by arity
}

func newBinding(t *testing.T) *binding {
	t.Helper()
	l := &binding{Signature: egraph.NewSignature()}
	op := func(h egraph.Head) egraph.Op {
		id, err := l.AddHead(h)
		if err != nil {
			t.Fatal(err)
		}
		o, err := l.AddOp(id)
		if err != nil {
			t.Fatal(err)
		}
		return o
	}
	l.variable = op(egraph.Head{Name: "variable", Own: 1})
	l.bind = op(egraph.Head{Name: "bind", Arity: 1, Binders: 1, Under: 1})
	for arity := range l.ops {
		for i := range 2 {
			l.ops[arity] = append(l.ops[arity], op(egraph.Head{Name: fmt.Sprint("abc"[arity:arity+1], i), Arity: arity}))
		}
	}
	return l
}

// random adds a random term with some variables.
func (l *binding) random(r *rand.Rand, g *egraph.Graph, depth int, scope []slot.Name) egraph.Ref {
	if n := r.Intn(4); n == 0 || depth == 0 {
		if len(scope) > 0 && r.Intn(4) > 0 {
			return g.Add(l.variable, scope[r.Intn(len(scope)):][:1], nil, nil)
		}
		return g.Add(l.ops[0][r.Intn(2)], nil, nil, nil)
	} else if n == 1 {
		x := g.Fresh()
		return g.Add(l.bind, nil, []slot.Name{x}, []egraph.Ref{l.random(r, g, depth-1, append(slices.Clone(scope), x))})
	}
	arity := 1 + r.Intn(2)
	var kids []egraph.Ref
	for range arity {
		kids = append(kids, l.random(r, g, depth-1, scope))
	}
	return g.Add(l.ops[arity][r.Intn(2)], nil, nil, kids)
}

// subterms counts the different subterms of the terms that a choice makes of a graph that was read, of
// which each is written out; the variables of a node are its own wherever it stands, and slots that may change
// places are passed in the least order if that is wanted.
func subterms(p *Problem, pick []int, ordered bool) int {
	met := make(map[string]bool)
	slots, symmetries := make(map[string][]string), make(map[string][][]int)
	for _, c := range p.g.Classes {
		slots[c.ID], symmetries[c.ID] = c.Slots, c.Symmetries
	}
	var write func(state int, args []string) string
	write = func(state int, args []string) string {
		orders := [][]string{args}
		for i := 0; i < len(orders) && ordered; i++ {
			for _, p := range symmetries[p.classes[state]] {
				other := slice.Map(p, func(k int) string { return orders[i][k] })
				if !slices.ContainsFunc(orders, func(o []string) bool { return slices.Equal(o, other) }) {
					orders = append(orders, other)
				}
			}
		}
		args = slices.MinFunc(orders, slices.Compare)
		n := &p.g.Nodes[p.states[state].options[pick[state]].node]
		s := n.Slots
		if s == nil {
			s = &Slots{}
		}
		name := func(x string) string {
			if i := slices.Index(slots[n.Class], x); i >= 0 && !slices.Contains(s.Bind, x) {
				return args[i]
			}
			return n.ID + "." + x
		}
		text := n.Op
		for _, x := range slices.Concat(s.Own, s.Bind) {
			text += " " + name(x)
		}
		for i, k := range p.states[state].options[pick[state]].all {
			var pass []string
			if i < len(s.Args) {
				for _, x := range s.Args[i] {
					pass = append(pass, name(x))
				}
			}
			text += " (" + write(k, pass) + ")"
		}
		met[text] = true
		return text
	}
	for _, r := range p.roots {
		write(r.state, slots[p.classes[r.state]])
	}
	return len(met)
}

// What a choice costs as a DAG is how many different subterms it has, where classes have slots, too, and
// by each method of an e-graph itself and of what is written of it.
func TestSlotsAgainstAllTerms(t *testing.T) {
	seed := time.Now().UnixNano()
	r := rand.New(rand.NewSource(seed))
	again, better, open := 0, 0, 0
	for range 3000 {
		l := newBinding(t)
		g := egraph.New(l.Signature)
		scope := g.FreshN(2)
		var refs []egraph.Ref
		for range 3 {
			refs = append(refs, l.random(r, g, 4, scope))
		}
		for range r.Intn(3) {
			g.Union(refs[r.Intn(3)], l.random(r, g, 3, scope))
		}
		if r.Intn(2) == 0 { // two variables may change places
			x, y := l.random(r, g, 2, scope), refs[r.Intn(3)]
			both := g.Add(l.ops[2][0], nil, nil, []egraph.Ref{x, y})
			g.Union(both, both.RenameFrom(scope, []slot.Name{scope[1], scope[0]}))
			refs[0] = g.Add(l.ops[2][1], nil, nil, []egraph.Ref{g.Add(l.ops[2][1], nil, nil, []egraph.Ref{x, both}), g.Add(l.ops[2][1], nil, nil, []egraph.Ref{y, both})})
		}
		g.Rebuild()
		root := g.FindRef(refs[0])
		x := Reach(g, root)
		c := x.choices(1)
		c.inOrder = true
		for i, class := range x.Classes {
			for _, n := range class.Nodes {
				c.add(i, x.option(n, 1, func(int) int { return 0 }, 1))
			}
		}
		c.roots = []use{{0, root.Args}}
		var b bytes.Buffer
		data := x.Data(g, []egraph.Ref{root}, func(n *ENode) Node {
			return Node{Op: l.HeadInfo(l.Head(n.Op)).Name, Cost: 1}
		}, func(*EClass) string { return "" })
		if err := WriteJSON(&b, data); err != nil {
			t.Fatal(err)
		}
		read, err := ReadJSON(&diag.Source{Name: "g.json", Text: b.String()})
		if err != nil {
			t.Fatal(err)
		}
		p, err := NewProblem(read, nil)
		if err != nil {
			t.Fatal(err)
		}
		ways := 1
		for _, s := range p.states {
			ways *= len(s.options)
		}
		if ways > 500 {
			continue
		}
		least, direct, once := math.MaxInt, math.MaxInt, math.MaxInt
		pick := make([]int, len(p.states))
		var try func(s int)
		try = func(s int) {
			if s < len(pick) {
				for i := range p.states[s].options {
					pick[s] = i
					try(s + 1)
				}
			} else if order, ok := p.order(pick); ok {
				least, once = min(least, subterms(p, pick, true)), min(once, len(order))
				direct = min(direct, subterms(p, pick, false))
			}
		}
		try(0)
		found := make(map[string]*Extraction)
		for _, m := range Methods() {
			e, other := p.By(Choosing{Method: m}), c.By(Choosing{Method: m})
			n := subterms(p, e.pick, false)
			if int(e.DAG) != n || e.String() != other.String() || m == "exact" && n > direct || e.Optimal && n > least {
				t.Fatalf("seed %d: %s of the graph, %s as written by %s; there are %d subterms, and %d at least\n%s", seed, other, e, m, n, least, &b)
			}
			if m == "exact" && !e.Optimal {
				open++
				if !p.symmetric || e.Bound > float64(least) {
					t.Fatalf("seed %d: %s, and there are %d subterms at least\n%s", seed, e, least, &b)
				}
			}
			found[m] = e
		}
		if trees := found["trees"].DAG; trees < found["shared"].DAG || trees < found["greedy"].DAG {
			t.Fatalf("seed %d: trees are better as DAGs than what takes them for DAGs\n%s", seed, &b)
		}
		if once < least {
			again++
		}
		if found["exact"].DAG < found["trees"].DAG {
			better++
		}
	}
	t.Logf("%d graphs in which a class stands at other variables, %d in which sharing is worth it, %d in which symmetries leave open what is best", again, better, open)
	if again < 50 || better == 0 || open == 0 {
		t.Errorf("seed %d: only %d graphs in which a class stands at other variables, and %d in which sharing is worth it", seed, again, better)
	}
}

// What is used at other variables is not shared: two short terms cost less than one long one.
func TestOtherVariablesShareNothing(t *testing.T) {
	const text = `{
  "nodes": {
    "x": {"op": "variable", "eclass": "x", "slots": {"own": ["s"]}},
    "fx": {"op": "f", "children": ["x"], "eclass": "fx", "slots": {"args": [["s"]]}},
    "ffx": {"op": "f", "children": ["fx"], "eclass": "ffx", "slots": {"args": [["s"]]}},
    "pair": {"op": "pair", "children": ["ffx", "ffx"], "eclass": "p", "slots": {"args": [["s"], ["t"]]}},
    "g": {"op": "g", "children": ["alt"], "eclass": "p", "slots": {"args": [["s", "t"]]}},
    "alt": {"op": "alt", "children": ["x", "x"], "eclass": "a", "cost": 3, "slots": {"args": [["s"], ["t"]]}},
    "lam": {"op": "lam", "children": ["pair"], "eclass": "l", "slots": {"bind": ["a", "b"], "args": [["a", "b"]]}}
  },
  "root_eclasses": ["l"],
  "class_data": {"x": {"slots": "s"}, "fx": {"slots": "s"}, "ffx": {"slots": "s"}, "p": {"slots": "s t"}, "a": {"slots": "s t"}}
}`
	g, err := ReadJSON(&diag.Source{Name: "g.json", Text: text})
	if err != nil {
		t.Fatal(err)
	}
	p, err := NewProblem(g, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range Methods() {
		e := p.By(Choosing{Method: m})
		var b strings.Builder
		p.WriteTerms(&b, e)
		if e.DAG != 7 || b.String() != "(lam v1 v2 (g (alt v1 v2)))\n" {
			t.Errorf("%s: %s: %s", m, e, &b)
		}
	}
}
