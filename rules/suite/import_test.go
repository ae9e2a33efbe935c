package suite

import (
	"bytes"
	"maps"
	"slices"
	"strings"
	"testing"

	"egad/diag"
	"egad/egraph"
	"egad/extract"
	"egad/rules/runner"
	"egad/rules/saturate"
	"egad/term"
)

// asJSON is a graph as JSON.
func asJSON(t testing.TB, g *extract.Graph) string {
	t.Helper()
	var b bytes.Buffer
	if err := extract.WriteJSON(&b, g); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// read reads what asJSON wrote.
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
		f := loadFile(t, "../../examples/rewriting/"+name+".rules")
		for _, test := range f.Tests {
			res := runTest(t, f, test, runner.Options{Iterations: 5, Nodes: 3000})
			out := extract.Data(res.Graph, res.Roots...)
			g, roots, err := readIn(f.Language, read(t, asJSON(t, out)))
			if err != nil {
				t.Errorf("%s: %v", test.Name.Text, err)
				continue
			}
			if g.Size() != res.Graph.Size() || g.Classes() != res.Graph.Classes() {
				t.Errorf("%s: %d nodes in %d classes went out, %d in %d came back", test.Name.Text, res.Graph.Size(), res.Graph.Classes(), g.Size(), g.Classes())
			}
			store := test.Program.Store
			a, b := &attempt{Result: res, store: store}, &attempt{Result: &Result{Graph: g, file: f, test: test}, store: store}
			for _, e := range slices.Concat(test.Prove, test.Refute) {
				if a.holds(e) != b.holds(e) {
					t.Errorf("%s: %s: %v before, %v after", test.Name.Text, e.Text, a.holds(e), b.holds(e))
				}
			}
			if len(roots) != len(out.Roots) || !maps.Equal(operators(g), operators(res.Graph)) {
				t.Errorf("%s: other roots or operators came back", test.Name.Text)
			}
		}
	}
}

// operators counts the nodes of each operator.
func operators(g *saturate.Graph) map[string]int {
	out := make(map[string]int)
	for _, n := range extract.Data(g).Nodes {
		out[n.Op]++
	}
	return out
}

// A class with a symmetry, and one that lost a slot.
func TestRoundTripOfSlots(t *testing.T) {
	f := loadText(t, header+`rule comm a + B => B + a
rule lose f (a + a) => f 0
test t
  var a b : E
  start lam (\v -> v + a)
  start a + b
  start f (a + a)
  prove a + b = b + a
  prove f (a + a) = f (b + b)
  prove lam (\v -> v + a) = lam (\w -> a + w)
  refute a + b = a + a
`)
	test := f.Tests[0]
	res := runTest(t, f, test, runner.Options{})
	g, roots, err := readIn(f.Language, read(t, asJSON(t, extract.Data(res.Graph, res.Roots...))))
	if err != nil {
		t.Fatal(err)
	}
	a := &attempt{Result: &Result{Graph: g, file: f, test: test}, store: test.Program.Store}
	for _, e := range test.Prove {
		if !a.holds(e) {
			t.Errorf("no longer: %s", e.Text)
		}
	}
	if a.holds(test.Refute[0]) {
		t.Errorf("new: %s", test.Refute[0].Text)
	}
	if len(roots[0].Args) != 1 {
		t.Error("lam (\\v -> v + a) does not depend on a")
	}
}

// A symbol that is called true, of a sort that may be called as the type of facts is, is not what facts
// are, with and without the types of classes.
func TestRoundTripOfTruths(t *testing.T) {
	for _, sort := range []string{"B", "T"} {
		f := loadText(t, strings.ReplaceAll(`language l
sort B
symbol true false x : B
op and B B : B
relation R B
rule one and true a => a
fact both for and a b then R a if R b
test t
  start and true x
  start and false x
  assume R x
  prove and true x = x
  prove R false
  refute and false x = x
`, "B", sort))
		test := f.Tests[0]
		res := runTest(t, f, test, runner.Options{})
		if err := res.Failed.Err(); err != nil {
			t.Fatal(err)
		}
		for _, typed := range []bool{true, false} {
			out := extract.Data(res.Graph, res.Roots...)
			for i := range out.Classes {
				if !typed {
					out.Classes[i].Type = ""
				}
			}
			g, _, err := readIn(f.Language, read(t, asJSON(t, out)))
			if err != nil {
				t.Errorf("%s, types %v: %v", sort, typed, err)
				continue
			}
			if g.Size() != res.Graph.Size() || g.Classes() != res.Graph.Classes() {
				t.Errorf("%s, types %v: %d nodes in %d classes went out, %d in %d came back", sort, typed, res.Graph.Size(), res.Graph.Classes(), g.Size(), g.Classes())
			}
			a := &attempt{Result: &Result{Graph: g, file: f, test: test}, store: test.Program.Store}
			for _, e := range test.Prove {
				if !a.holds(e) {
					t.Errorf("%s, types %v: no longer: %s", sort, typed, e.Text)
				}
			}
			if a.holds(test.Refute[0]) {
				t.Errorf("%s, types %v: new: %s", sort, typed, test.Refute[0].Text)
			}
		}
	}
}

func TestImportMistakes(t *testing.T) {
	f := loadText(t, header+"sort G\nop g G : E\nop lamg [v : G] v.E : E\n")
	for json, want := range map[string]string{
		`{"nodes": {"a": {"op": "true", "eclass": "0"}}}`:                                                                                "",
		`{"nodes": {"a": {"op": "true", "eclass": "0"}}, "class_data": {"0": {"type": "E"}}}`:                                            "node a: there is no operator true",
		`{"nodes": {"a": {"op": "z", "eclass": "0"}}}`:                                                                                   "node a: there is no operator z",
		`{"nodes": {"a": {"op": "+", "children": ["a", "a"], "eclass": "0"}}}`:                                                           "node a: the class 0 has no term without an end",
		`{"nodes": {"a": {"op": "x", "eclass": "0"}, "b": {"op": "+", "children": ["a"], "eclass": "1"}}}`:                               "node b: + takes 2 operands, not 1",
		`{"nodes": {"a": {"op": "p", "eclass": "0"}, "b": {"op": "f", "children": ["a"], "eclass": "1"}}}`:                               "node b: operand 1 of f has the sort F, expected E",
		`{"nodes": {"a": {"op": "p", "eclass": "0"}, "b": {"op": "x", "eclass": "0"}}}`:                                                  "node b: it has the type E, and its class F",
		`{"nodes": {"a": {"op": "variable", "eclass": "0", "slots": {"own": ["s"]}}}, "class_data": {"0": {"type": "F", "slots": "s"}}}`: `node a: it is a variable of the type "F", which has none`,
		`{"nodes": {"v": {"op": "variable", "eclass": "v", "slots": {"own": ["s"]}}, "l": {"op": "lam", "children": ["v"], "eclass": "l", "slots": {"bind": ["b"], "args": [["b"]]}}}, "class_data": {"v": {"type": "E", "slots": "s"}, "l": {"type": "E"}}}`:                                                                                                                   "",
		`{"nodes": {"v": {"op": "variable", "eclass": "v", "slots": {"own": ["s"]}}, "g": {"op": "g", "children": ["v"], "eclass": "g", "slots": {"args": [["s"]]}}, "l": {"op": "lam", "children": ["g"], "eclass": "l", "slots": {"bind": ["b"], "args": [["b"]]}}}, "class_data": {"v": {"type": "G", "slots": "s"}, "g": {"type": "E", "slots": "s"}, "l": {"type": "E"}}}`: "node l: a slot stands for two kinds of variables: one is of type E, and one is of type G",
		`{"nodes": {"v": {"op": "variable", "eclass": "v"}}}`: `node v: a variable lacks its slot: it is said by the field slots, as {"own": ["s"]}`,
	} {
		_, _, err := readIn(f.Language, read(t, json))
		if err == nil && want == "" {
			continue
		}
		if want == "" || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", json, err, want)
		}
	}
}

// TestBlameReadIn: what an e-graph that is read in says is equal is as suspect as rules and assumptions.
func TestBlameReadIn(t *testing.T) {
	const head = "language l\nsort E\nnumber E\nsymbol x y : E\nop f E : E\n"
	const same = `{"nodes": {"a": {"op": "x", "eclass": "0"}, "b": {"op": "y", "eclass": "0"}}}`
	const one = `{"nodes": {"a": {"op": "x", "eclass": "0"}, "b": {"op": "f", "children": ["a"], "eclass": "1"}, "c": {"op": "1", "eclass": "1"}}}`
	const arrays = `{"nodes": {"a": {"op": "x", "eclass": "0", "operator": {"op": "var", "name": "x", "type": {"of": "R"}}}, ` +
		`"b": {"op": "y", "eclass": "0", "operator": {"op": "var", "name": "y", "type": {"of": "R"}}}}, "class_data": {"0": {"type": "R"}}}`
	for _, c := range []struct{ text, from, want string }{
		{head + "test t\n  start x", same, "what was read in is wrong: x = y"},
		{head + "rule two f x => 2\ntest t\n  start f x", one,
			"of these rules one is unsound, or what was read in is wrong: two; read in: 1 = f x"},
		{head + "rule two f x => 2\ntest t\n  start f y\n  assume f y = 3\n  assume x = y", one,
			"of these assumptions one is wrong, or what was read in: f y = 3, x = y; read in: 1 = f x"},
		{head + "rule two f m => y\ntest t\n  start f x\n  assume y = 3", one,
			"of these rules one is unsound, or an assumption or what was read in is wrong: two; assumed: y = 3; read in: 1 = f x"},
		{head + "rule two f m => y\ntest t\n  start f x\n  refute y = 1", one,
			"what was to be refuted follows from these rules: two; read in: 1 = f x"},
		{head + "rule back f x => y\nrule forth f x => x\ntest t\n  start f x", one, "of these rules one is unsound: forth, back"},
		{"ruleset m\nrule r exact neg (neg a) => a\ntest t\n  var x y : R\n  start x + y", arrays, "what was read in is wrong: x = y"},
	} {
		f := loadText(t, c.text+"\n")
		f.From = read(t, c.from)
		b, err := f.Blame(f.Tests[0], runner.Options{})
		if b == nil || err != nil {
			t.Errorf("%s: no proof: %v, %v", c.text, b, err)
			continue
		}
		if b.Text != c.want {
			t.Errorf("%s:\n%s, want\n%s", c.text, b.Text, c.want)
		}
	}
}

// FuzzImport: a graph comes in or has findings; if it comes in, it goes out and
// comes in again with as many nodes and classes.
func FuzzImport(f *testing.F) {
	file := loadFile(f, "../../examples/rewriting/lambda.rules")
	for _, x := range file.Tests {
		res := runTest(f, file, x, runner.Options{Iterations: 3, Nodes: 100})
		f.Add(asJSON(f, extract.Data(res.Graph, res.Roots...)))
	}
	arrays := loadText(f, "ruleset m\nrule r real\n  a * b => b * a\ntest t\n  var x : R[2, 3]\n  start sum (gather [3] (tr [1, 0] x) (\\[i] -> [i, 1])) + 2.5\n")
	res := runTest(f, arrays, arrays.Tests[0], runner.Options{})
	f.Add(asJSON(f, extract.Data(res.Graph, res.Roots...)))
	f.Fuzz(func(t *testing.T, text string) {
		in, err := extract.ReadJSON(&diag.Source{Name: "fuzz", Text: text})
		if err != nil || len(in.Nodes) > 200 {
			return
		}
		_, _ = in.Into(saturate.New(term.NewSignature()), nil) // has findings, or not
		g, roots, err := readIn(file.Language, in)
		if err != nil {
			return
		}
		h, _, err := readIn(file.Language, extract.Data(g, roots...))
		if err != nil || h.Size() != g.Size() || h.Classes() != g.Classes() {
			t.Errorf("%d nodes in %d classes went out, and came back with %v", g.Size(), g.Classes(), err)
		}
	})
}

// readIn makes a graph of data over the operators of a language, and gives its roots.
func readIn(l *saturate.Language, in *extract.Graph) (*saturate.Graph, []egraph.Ref, error) {
	g := l.New()
	roots, err := in.Into(g, nil)
	return g, roots, err
}
