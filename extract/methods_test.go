package extract

import (
	"fmt"
	"math"
	"math/rand"
	"strings"
	"testing"
	"time"

	"egad/diag"
)

// randomGraph has up to 7 classes of up to 3 nodes; many have cycles.
func randomGraph(r *rand.Rand) *Graph {
	n := 1 + r.Intn(7)
	g := &Graph{}
	for c := range n {
		for i := range 1 + r.Intn(3) {
			x := Node{ID: fmt.Sprintf("%d.%d", c, i), Op: fmt.Sprint("f", i), Class: fmt.Sprint(c), Cost: float64(r.Intn(5))}
			if r.Intn(4) == 0 {
				x.Cost += 0.1
			}
			for range r.Intn(4) {
				x.Children = append(x.Children, fmt.Sprintf("%d.0", r.Intn(n)))
			}
			if r.Intn(10) == 0 {
				x.Subsumed = true
			}
			g.Nodes = append(g.Nodes, x)
		}
	}
	g.Roots = []string{"0"}
	if r.Intn(2) == 0 {
		g.Roots = append(g.Roots, fmt.Sprint(n-1))
	}
	return g
}

// brute is the least cost of a tree and of a DAG among all choices.
func brute(p *Problem) (tree, dag float64) {
	tree, dag = math.Inf(1), math.Inf(1)
	pick := make([]int, len(p.states))
	var try func(c int)
	try = func(c int) {
		if c == len(pick) {
			if e, ok := p.finish(pick); ok {
				tree, dag = min(tree, e.Tree), min(dag, e.DAG)
			}
			return
		}
		pick[c] = -1
		if len(p.states[c].options) == 0 {
			try(c + 1)
		}
		for i := range p.states[c].options {
			pick[c] = i
			try(c + 1)
		}
	}
	try(0)
	return tree, dag
}

func near(a, b float64) bool { return math.Abs(a-b) < 1e-6 }

func TestExtractorsAgainstAllChoices(t *testing.T) {
	seed := time.Now().UnixNano()
	r := rand.New(rand.NewSource(seed))
	solved, improved, bounded := 0, 0, 0
	for range 3000 {
		g := randomGraph(r)
		p, err := NewProblem(g, nil)
		if err != nil {
			continue
		}
		solved++
		for s := range p.states { // some options go on to another state, as lines A -> B of grammars do
			for i := range p.states[s].options {
				if o := &p.states[s].options[i]; len(o.all) == 1 && r.Intn(2) == 0 {
					o.node = -1
				}
			}
		}
		tree, dag := brute(p)
		if shared := p.Shared(); shared.DAG < dag-1e-9 || !near(shared.DAG, p.measure(shared.pick, make([]float64, len(p.states)))) {
			t.Errorf("shared: %v, the least is %v", shared.DAG, dag)
		}
		trees, greedy, exact := p.Trees(), p.Greedy(Budget{Steps: DefaultSteps}), p.Exact(Budget{})
		if !near(trees.Tree, tree) {
			t.Errorf("trees: %v, the least is %v", trees.Tree, tree)
		}
		if greedy.DAG > trees.DAG+1e-9 || greedy.DAG < dag-1e-9 {
			t.Errorf("greedy: %v, trees %v, the least is %v", greedy.DAG, trees.DAG, dag)
		}
		if !near(exact.DAG, dag) || !exact.Optimal || !near(exact.Bound, dag) {
			t.Errorf("exact: %v with bound %v, the least is %v", exact.DAG, exact.Bound, dag)
		}
		if exact.DAG < greedy.DAG-1e-9 {
			improved++
		}
		for steps := 1; steps < 4; steps++ {
			e := p.Exact(Budget{Steps: steps})
			if e.Bound > dag+1e-9 || e.DAG < dag-1e-9 || e.Optimal && !near(e.DAG, dag) {
				t.Errorf("%d steps: %v with bound %v (optimal: %v), the least is %v", steps, e.DAG, e.Bound, e.Optimal, dag)
			}
			if !e.Optimal {
				bounded++
			}
		}
		if t.Failed() {
			var b strings.Builder
			_ = WriteJSON(&b, g)
			t.Fatalf("seed %d\n%s", seed, b.String())
		}
	}
	if solved < 500 || improved == 0 || bounded == 0 {
		t.Errorf("seed %d: %d graphs, %d where exact is better than greedy, %d with a bound only", seed, solved, improved, bounded)
	}
}

func TestNothingToExtract(t *testing.T) {
	for text, want := range map[string]string{
		`{"nodes": {"a": {"op": "f", "children": ["a"], "eclass": "0"}}, "root_eclasses": ["0"]}`: `g.json:1:83: the class "0" has no term: each of its nodes leads to a cycle`,
		`{"nodes": {"a": {"op": "f", "eclass": "0"}}}`:                                            "the e-graph has no root classes: name some",
		`{"nodes": {"a": {"op": "f", "eclass": "0", "subsumed": true}}, "root_eclasses": ["0"]}`:  `the class "0" has no term`,
		`{"nodes": {}, "root_eclasses": []}`:                                                      "the e-graph has no root classes",
	} {
		g, err := ReadJSON(&diag.Source{Name: "g.json", Text: text})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := NewProblem(g, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
		if _, err := NewProblem(g, []string{"9"}); err == nil || !strings.Contains(err.Error(), `there is no class "9"`) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// TestSharedBeside: what is shared costs less where it stands beside something that is a
// smaller tree.
func TestSharedBeside(t *testing.T) {
	g := &Graph{Roots: []string{"r"}, Nodes: []Node{
		{ID: "r.0", Op: "loop", Class: "r", Cost: 10},
		{ID: "r.1", Op: "pair", Class: "r", Cost: 1, Children: []string{"x.0", "y.0"}},
		{ID: "x.0", Op: "f", Class: "x", Cost: 1, Children: []string{"z.0"}},
		{ID: "y.0", Op: "g", Class: "y", Cost: 1, Children: []string{"z.0"}},
		{ID: "z.0", Op: "h", Class: "z", Cost: 5},
	}}
	p, err := NewProblem(g, nil)
	if err != nil {
		t.Fatal(err)
	}
	if e := p.Trees(); e.DAG != 10 {
		t.Errorf("the least tree costs %v", e.DAG)
	}
	if e := p.Shared(); e.DAG != 8 {
		t.Errorf("what is shared costs %v", e.DAG)
	}
}
