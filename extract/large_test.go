package extract

import (
	"bytes"
	"fmt"
	"math"
	"math/rand"
	"runtime"
	"strings"
	"testing"
	"time"
)

// chain has n classes, each with the next one as a child twice, or with the one
// after it if there is a choice.
func chain(n int, choice bool) *Graph {
	g := &Graph{Roots: []string{"0"}}
	node := func(c, i int, cost float64, kids ...int) {
		x := Node{ID: fmt.Sprint(c, ".", i), Op: fmt.Sprint("f", i), Class: fmt.Sprint(c), Cost: cost}
		for _, k := range kids {
			if k < n {
				x.Children = append(x.Children, fmt.Sprint(k, ".", 0))
			}
		}
		g.Nodes = append(g.Nodes, x)
	}
	for c := range n {
		node(c, 0, 2, c+1, c+1)
		if choice {
			node(c, 1, 3, c+2)
		}
	}
	return g
}

// shared has n classes of two nodes with two children each, somewhat below.
func shared(n int) *Graph {
	r := rand.New(rand.NewSource(1))
	g := &Graph{Roots: []string{"0"}}
	for c := range n {
		for i := range 2 {
			x := Node{ID: fmt.Sprint(c, ".", i), Op: fmt.Sprint("f", i), Class: fmt.Sprint(c), Cost: float64(1 + r.Intn(8))}
			for _, ahead := range []int{5, 8} {
				if k := c + 1 + r.Intn(ahead); k < n {
					x.Children = append(x.Children, fmt.Sprint(k, ".", 0))
				}
			}
			g.Nodes = append(g.Nodes, x)
		}
	}
	return g
}

func problem(t *testing.T, g *Graph) *Problem {
	t.Helper()
	p, err := NewProblem(g, nil)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// spent runs f and says how much memory it took.
func spent(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// A deep graph takes no more than its size, with choices or without.
func TestDeepChain(t *testing.T) {
	const n = 100_000
	for _, choice := range []bool{false, true} {
		p := problem(t, chain(n, choice))
		for name, f := range map[string]func() *Extraction{
			"greedy": func() *Extraction { return p.Greedy(Budget{Steps: DefaultSteps / 10}) },
			"exact":  func() *Extraction { return p.Exact(Budget{Steps: DefaultSteps}) },
		} {
			var e *Extraction
			bytes := spent(func() { e = f() })
			want := 2.0 * n
			if choice {
				want = 1.5*n - 1 // the last class has no child
			}
			if e.DAG > want+1 || name == "exact" && !e.Optimal {
				t.Errorf("%s with choice %v: %s, want %v", name, choice, e, want)
			}
			if bytes > 400<<20 {
				t.Errorf("%s with choice %v: %d MB", name, choice, bytes>>20)
			}
		}
	}
}

// A DAG that is a tree of more than any float64 has its least tree all the same.
func TestHugeTree(t *testing.T) {
	g := chain(3001, false)
	// With this node the root is half as large.
	g.Nodes = append(g.Nodes, Node{ID: "b", Op: "b", Class: "0", Cost: 5, Children: []string{"2.0", "2.0"}})
	e := problem(t, g).Trees()
	if !math.IsInf(e.Tree, 1) || e.DAG != 5+2999*2 || !strings.HasSuffix(e.String(), "as a DAG, 2.46e+903 as a tree") {
		t.Errorf("%s", e)
	}
}

// What the limits leave is a bound that holds, and a choice no worse than trees.
func TestLimitsOfLargeProblems(t *testing.T) {
	p := problem(t, shared(3000))
	best := p.Exact(Budget{Steps: DefaultSteps})
	trees := p.Trees()
	for _, steps := range []int{1, 10, 1000, 100_000} {
		e := p.Exact(Budget{Steps: steps})
		again := p.Exact(Budget{Steps: steps, Time: time.Hour})
		if e.Optimal || !e.Stopped || e.Bound <= 0 || e.Bound > best.DAG || e.DAG > trees.DAG {
			t.Errorf("%d steps: %s", steps, e)
		}
		var a, b bytes.Buffer
		p.WriteTerms(&a, e)
		p.WriteTerms(&b, again)
		if e.String() != again.String() || a.String() != b.String() {
			t.Errorf("%d steps: %s, and with a time %s", steps, e, again)
		}
	}
	bytes := spent(func() {
		e := p.Exact(Budget{Time: 200 * time.Millisecond})
		if e.Bound <= 0 || e.Bound > best.DAG || e.DAG > trees.DAG {
			t.Errorf("200ms: %s", e)
		}
	})
	if bytes > 400<<20 {
		t.Errorf("200ms took %d MB", bytes>>20)
	}
	if e := p.Greedy(Budget{Steps: 1}); !e.Stopped || e.DAG > trees.DAG || !strings.HasSuffix(e.String(), "; the steps or the time ended the search") {
		t.Errorf("greedy in a step: %s", e)
	}
}

// A class of many nodes is not compared with itself pair by pair, and long cycles
// are no more than that.
func TestManyNodesAndLongCycles(t *testing.T) {
	const n = 50_000
	wide := &Graph{Roots: []string{"w"}}
	cycle := &Graph{Roots: []string{"0"}}
	for i := range n {
		leaf := fmt.Sprint("l", i)
		wide.Nodes = append(wide.Nodes, Node{ID: leaf, Op: leaf, Class: leaf, Cost: 1},
			Node{ID: fmt.Sprint("n", i), Op: "f", Class: "w", Cost: 1, Children: []string{leaf, fmt.Sprint("l", i*7%n)}})
		cycle.Nodes = append(cycle.Nodes, Node{ID: fmt.Sprint(i), Op: "f", Class: fmt.Sprint(i), Cost: 1, Children: []string{fmt.Sprint((i + 1) % n)}})
	}
	cycle.Nodes = append(cycle.Nodes, Node{ID: "x", Op: "x", Class: "7", Cost: 1})
	for name, c := range map[string]struct {
		g    *Graph
		cost float64
	}{"wide": {wide, 2}, "cycle": {cycle, 8}} {
		p := problem(t, c.g)
		bytes := spent(func() {
			if e := p.Exact(Budget{Steps: DefaultSteps}); !e.Optimal || e.DAG != c.cost {
				t.Errorf("%s: %s", name, e)
			}
		})
		if bytes > 200<<20 {
			t.Errorf("%s: %d MB", name, bytes>>20)
		}
	}
}

// Small costs are as good as large ones: what differs by little is not the best.
func TestScaleOfCosts(t *testing.T) {
	for _, scale := range []float64{1e-300, 1e-12, 1, 1e12, 1e90} {
		g := sharingGraph()
		for i := range g.Nodes {
			g.Nodes[i].Cost *= scale
		}
		p := problem(t, g)
		_, dag := brute(p)
		if e := p.Exact(Budget{}); !e.Optimal || math.Abs(e.DAG-dag) > 1e-12*dag || e.DAG >= p.Greedy(Budget{Steps: DefaultSteps}).DAG {
			t.Errorf("%g: %s, the least is %v, greedy %v", scale, e, dag, p.Greedy(Budget{Steps: DefaultSteps}).DAG)
		}
	}
}

// sharingGraph has a choice that only exact extraction finds: each child alone is
// dearer by it.
func sharingGraph() *Graph {
	g := &Graph{Roots: []string{"r"}}
	add := func(id, class string, cost float64, kids ...string) {
		g.Nodes = append(g.Nodes, Node{ID: id, Op: id, Class: class, Cost: cost, Children: kids})
	}
	add("r", "r", 1, "a1", "b1", "c1")
	for _, c := range []string{"a", "b", "c"} {
		add(c+"1", c, 3)
		add(c+"2", c, 1, "s")
	}
	add("s", "s", 4)
	return g
}

// A long chain of slots is written in time for its length.
func TestLongTermsWithSlots(t *testing.T) {
	const n = 100_000
	g := &Graph{Roots: []string{"0"}}
	for c := range n {
		x := Node{ID: fmt.Sprint(c), Op: "f", Class: fmt.Sprint(c), Cost: 1, Slots: &Slots{Own: []string{"s"}}}
		if c < n-1 {
			x.Children, x.Slots = []string{fmt.Sprint(c + 1)}, &Slots{Args: [][]string{{"s"}}}
		}
		g.Nodes = append(g.Nodes, x)
		g.Classes = append(g.Classes, Class{ID: fmt.Sprint(c), Slots: []string{"s"}})
	}
	p := problem(t, g)
	e := p.Trees()
	var out bytes.Buffer
	bytes := spent(func() { p.WriteTerms(&out, e) })
	if want := strings.Repeat("(f ", n-1) + "s" + strings.Repeat(")", n-1) + "\n"; out.String() != want {
		t.Errorf("%d bytes, want %d", out.Len(), len(want))
	}
	if bytes > 400<<20 {
		t.Errorf("%d MB", bytes>>20)
	}
}

// The text of a term with much in it stops, that of one after another too.
func TestTermsThatExplode(t *testing.T) {
	g := &Graph{}
	const depth, roots = 60, 30
	for c := range depth {
		x := Node{ID: fmt.Sprint(c), Op: "f", Class: fmt.Sprint(c), Slots: &Slots{Own: []string{"s"}}}
		if k := fmt.Sprint(c + 1); c < depth-1 {
			x.Children, x.Slots = []string{k, k}, &Slots{Args: [][]string{{"s"}, {"s"}}}
		}
		g.Nodes = append(g.Nodes, x)
		g.Classes = append(g.Classes, Class{ID: fmt.Sprint(c), Slots: []string{"s"}})
	}
	for r := range roots {
		id := fmt.Sprint("r", r)
		g.Nodes = append(g.Nodes, Node{ID: id, Op: id, Class: id, Children: []string{"0"}, Slots: &Slots{Bind: []string{"b"}, Args: [][]string{{"b"}}}})
		g.Roots = append(g.Roots, id)
	}
	var out bytes.Buffer
	p := problem(t, g)
	p.WriteTerms(&out, p.Trees())
	if out.Len() > 2*maxTexts || !strings.Contains(out.String(), "…") {
		t.Errorf("%d bytes", out.Len())
	}
}

// Operators that do not stand for themselves are quoted.
func TestOperatorNames(t *testing.T) {
	g := &Graph{Roots: []string{"0"}, Nodes: []Node{
		{ID: "a", Op: "f (x", Class: "0", Children: []string{"b", "c"}}, {ID: "b", Op: "", Class: "1"}, {ID: "c", Op: "α\"\n", Class: "2"},
	}}
	var out bytes.Buffer
	p := problem(t, g)
	p.WriteTerms(&out, p.Trees())
	if got, want := out.String(), "(\"f (x\" \"\" \"α\\\"\\n\")\n"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestNamesOfTerms: what gets a name gets one that nothing else has.
func TestNamesOfTerms(t *testing.T) {
	g := &Graph{Roots: []string{"f"}, Nodes: []Node{
		{ID: "t1", Op: "t1", Class: "t1"},
		{ID: "g", Op: "g", Class: "g", Children: []string{"t1"}},
		{ID: "f", Op: "f", Class: "f", Children: []string{"g", "g", "lam"}},
		{ID: "v1", Op: "v1", Class: "v1"},
		{ID: "lam", Op: "lam", Class: "lam", Children: []string{"v1"}, Slots: &Slots{Bind: []string{"x"}, Args: [][]string{nil}}},
	}}
	var out strings.Builder
	p := problem(t, g)
	p.WriteTerms(&out, p.Trees())
	if want := "t2 = (g t1)\n(f t2 t2 (lam v2 v1))\n"; out.String() != want {
		t.Errorf("%s, expected %s", out.String(), want)
	}
}

// A class with one node leaves no other choice to be looked for, however many there are: below a root with
// two nodes that cost as much, the tie is found.
func TestTieAboveChain(t *testing.T) {
	g := chain(20000, false)
	g.Nodes = append(g.Nodes, Node{ID: "0.1", Op: "g", Class: "0", Cost: 2, Children: []string{"1.0"}})
	p, err := NewProblem(g, nil)
	if err != nil {
		t.Fatal(err)
	}
	if e := p.Exact(Budget{Steps: DefaultSteps}); !strings.HasSuffix(e.Known(), "another costs as much") {
		t.Errorf("cost %v%s", e.DAG, e.Known())
	}
}
