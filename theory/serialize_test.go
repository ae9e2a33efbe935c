package theory

import (
	"bytes"
	"maps"
	"strings"
	"testing"

	"egad/diag"
	"egad/extract"
	"egad/term"
)

// text is a graph as JSON.
func text(t *testing.T, g *extract.Graph) string {
	t.Helper()
	var b bytes.Buffer
	if err := extract.WriteJSON(&b, g); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// read reads what text wrote.
func read(t *testing.T, s string) *extract.Graph {
	t.Helper()
	g, err := extract.ReadJSON(&diag.Source{Name: "g.json", Text: s})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// Every graph of the examples goes out and comes back: with as many nodes and
// classes, the same operators, and with what was proved still proved.
func TestRoundTrip(t *testing.T) {
	for _, name := range []string{"micro", "ac", "math", "lambda", "prop"} {
		th := load(t, "../examples/rewriting/"+name+".rules")
		for _, test := range th.Tests {
			res := th.Run(test, Options{Iterations: 5, Nodes: 3000})
			out := res.Graph.Export(res.Roots)
			g, roots, err := th.Import(read(t, text(t, out)))
			if err != nil {
				t.Errorf("%s: %v", test.Name, err)
				continue
			}
			if g.Size() != res.Graph.Size() || g.Classes() != res.Graph.Classes() {
				t.Errorf("%s: %d nodes in %d classes went out, %d in %d came back", test.Name, res.Graph.Size(), res.Graph.Classes(), g.Size(), g.Classes())
			}
			a, b := &attempt{test: test, graph: res.Graph, env: &env{g: res.Graph}}, &attempt{test: test, graph: g, env: &env{g: g}}
			for _, e := range append(append([]equation{}, test.prove...), test.refute...) {
				if a.holds(e) != b.holds(e) {
					t.Errorf("%s: %s: %v before, %v after", test.Name, e.text, a.holds(e), b.holds(e))
				}
			}
			if len(roots) != len(out.Roots) || !maps.Equal(operators(g), operators(res.Graph)) {
				t.Errorf("%s: other roots or operators came back", test.Name)
			}
		}
	}
}

// operators counts the nodes of each operator.
func operators(g *Graph) map[string]int {
	out := make(map[string]int)
	for _, n := range g.Export(nil).Nodes {
		out[n.Op]++
	}
	return out
}

// A class with a symmetry, and one that lost a slot.
func TestRoundTripOfSlots(t *testing.T) {
	res := run(t, header+`rule comm a + B => B + a
rule lose f (a + a) => f 0
test t
  var a b : E
  start lam (\v -> v + a)
  start a + b
  start f (a + a)
`)
	g, _, err := res.Graph.t.Import(read(t, text(t, res.Graph.Export(res.Roots))))
	if err != nil {
		t.Fatal(err)
	}
	e := &env{g: g}
	find := func(s string) *node {
		th := g.t
		c := &checker{t: th, src: &diag.Source{Text: s}, errs: &diag.List{}}
		sc := &scope{closed: true, vars: []variable{{"a", th.sorts["E"], th.sorts["E"].variable}, {"b", th.sorts["E"], th.sorts["E"].variable}}, open: []open{{"a", 0}, {"b", 1}}}
		return c.term(sc, term.NewParser(c.src, c.errs).Expr(), nil)
	}
	for _, pair := range [][2]string{{"a + b", "b + a"}, {"f (a + a)", "f (b + b)"}, {"lam (\\v -> v + a)", "lam (\\w -> a + w)"}} {
		x, okX := e.find(find(pair[0]))
		y, okY := e.find(find(pair[1]))
		if !okX || !okY || !g.Same(x, y) {
			t.Errorf("%s is no longer %s", pair[0], pair[1])
		}
	}
	if x, _ := e.find(find("lam (\\v -> v + a)")); len(x.Args) != 1 {
		t.Error("lam (\\v -> v + a) does not depend on a")
	}
}

func TestImportMistakes(t *testing.T) {
	th, err := Load(&diag.Source{Name: "l", Text: header + "sort G\nop g G : E\nop lamg [v : G] v.E : E\n"})
	if err != nil {
		t.Fatal(err)
	}
	for json, want := range map[string]string{
		`{"nodes": {"a": {"op": "z", "eclass": "0"}}}`:                                                                                   "node a: there is no operator z",
		`{"nodes": {"a": {"op": "+", "children": ["a", "a"], "eclass": "0"}}}`:                                                           "node a: the class 0 has no term without an end",
		`{"nodes": {"a": {"op": "x", "eclass": "0"}, "b": {"op": "+", "children": ["a"], "eclass": "1"}}}`:                               "node b: + has 2 children and 0 binders",
		`{"nodes": {"a": {"op": "p", "eclass": "0"}, "b": {"op": "f", "children": ["a"], "eclass": "1"}}}`:                               "node b: child 1 of f has the sort F, expected E",
		`{"nodes": {"a": {"op": "p", "eclass": "0"}, "b": {"op": "x", "eclass": "0"}}}`:                                                  "node b has the sort E, and its class F",
		`{"nodes": {"a": {"op": "variable", "eclass": "0", "slots": {"own": ["s"]}}}, "class_data": {"0": {"type": "F", "slots": "s"}}}`: `node a is a variable of the type "F", which has none`,
		`{"nodes": {"v": {"op": "variable", "eclass": "v", "slots": {"own": ["s"]}}, "l": {"op": "lam", "children": ["v"], "eclass": "l", "slots": {"bind": ["b"], "args": [["b"]]}}}, "class_data": {"v": {"type": "E", "slots": "s"}, "l": {"type": "E"}}}`:                                                                                                                   "",
		`{"nodes": {"v": {"op": "variable", "eclass": "v", "slots": {"own": ["s"]}}, "g": {"op": "g", "children": ["v"], "eclass": "g", "slots": {"args": [["s"]]}}, "l": {"op": "lam", "children": ["g"], "eclass": "l", "slots": {"bind": ["b"], "args": [["b"]]}}}, "class_data": {"v": {"type": "G", "slots": "s"}, "g": {"type": "E", "slots": "s"}, "l": {"type": "E"}}}`: "node l: a slot is of the sort E and of G",
	} {
		_, _, err := th.Import(read(t, json))
		if err == nil && want == "" {
			continue
		}
		if want == "" || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", json, err, want)
		}
	}
}
