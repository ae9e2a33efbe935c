package suite

import (
	"bytes"
	"maps"
	"math/big"
	"slices"
	"strings"
	"testing"

	"egad/diag"
	"egad/egraph"
	"egad/extract"
	"egad/rules"
	"egad/rules/runner"
	"egad/rules/saturate"
	"egad/slot"
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
		f := load(t, "../../examples/rewriting/"+name+".rules")
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

func TestImportMistakes(t *testing.T) {
	f := loadText(t, header+"sort G\nop g G : E\nop lamg [v : G] v.E : E\n")
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
		_, _, err := readIn(f.Language, read(t, json))
		if err == nil && want == "" {
			continue
		}
		if want == "" || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", json, err, want)
		}
	}
}

// FuzzImport: a graph comes in or has findings; if it comes in, it goes out and
// comes in again with as many nodes and classes.
func FuzzImport(f *testing.F) {
	file := load(f, "../../examples/rewriting/lambda.rules")
	for _, x := range file.Tests {
		res := runTest(f, file, x, runner.Options{Iterations: 3, Nodes: 100})
		f.Add(asJSON(f, extract.Data(res.Graph, res.Roots...)))
	}
	f.Fuzz(func(t *testing.T, text string) {
		in, err := extract.ReadJSON(&diag.Source{Name: "fuzz", Text: text})
		if err != nil || len(in.Nodes) > 200 {
			return
		}
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
// Literals are numbers of the type of their class.
func readIn(l *saturate.Language, in *extract.Graph) (*saturate.Graph, []egraph.Ref, error) {
	im := &importer{l: l, g: l.New(false), in: in, classes: make(map[string]*extract.Class), class: make(map[string]string), refs: make(map[string]egraph.Ref), names: make(map[string][]slot.Name), sorts: make(map[slot.Name]*term.Type)}
	for i := range in.Classes {
		im.classes[in.Classes[i].ID] = &in.Classes[i]
	}
	for _, n := range in.Nodes {
		im.class[n.ID] = n.Class
	}
	im.nodes()
	if err := im.errs.Err(); err != nil {
		return nil, nil, err
	}
	im.symmetries()
	im.g.Rebuild()
	if err := im.g.Err(); err != nil {
		return nil, nil, err
	}
	var roots []egraph.Ref
	for _, c := range in.Roots {
		roots = append(roots, im.g.FindRef(im.refs[c]))
	}
	return im.g, roots, nil
}

type importer struct {
	l       *saturate.Language
	g       *saturate.Graph
	in      *extract.Graph
	classes map[string]*extract.Class
	class   map[string]string // of a node
	// refs has the classes that are there, with names for their slots and
	// perhaps for others on which they do not depend.
	refs  map[string]egraph.Ref
	names map[string][]slot.Name // for the slots of classes
	sorts map[slot.Name]*term.Type
	errs  diag.List
}

// nodes adds nodes when their children are there: a class in a cycle has a node
// outside it.
func (im *importer) nodes() {
	missing := make([]int, len(im.in.Nodes))
	users := make(map[string][]int) // of a class
	var ready []int
	for i := range im.in.Nodes {
		n := &im.in.Nodes[i]
		for _, k := range n.Children {
			missing[i]++
			users[im.class[k]] = append(users[im.class[k]], i)
		}
		if missing[i] == 0 {
			ready = append(ready, i)
		}
	}
	for ; len(ready) > 0; ready = ready[1:] {
		n := &im.in.Nodes[ready[0]]
		if im.add(n); len(im.errs) > 0 {
			return
		}
		for _, u := range users[n.Class] {
			if missing[u]--; missing[u] == 0 {
				ready = append(ready, u)
			}
		}
		delete(users, n.Class)
	}
	for i := range im.in.Nodes {
		if n := &im.in.Nodes[i]; missing[i] > 0 {
			im.errs.Add(nil, 0, "node %s: the class %s has no term without an end", n.ID, n.Class)
			return
		}
	}
}

// operator is the operator of a node, with its children and variables.
func (im *importer) operator(n *extract.Node) (op term.Op, d *term.Sorted) {
	typ := ""
	if c := im.classes[n.Class]; c != nil {
		typ = c.Type
	}
	i := slices.IndexFunc(im.l.Sorts, func(s *term.Type) bool { return s.Name == typ })
	if n.Slots != nil && len(n.Slots.Own) > 0 {
		if i >= 0 && slices.ContainsFunc(im.l.Operators, func(o *term.Operator) bool {
			return slices.ContainsFunc(o.Sorted.Binders, func(b term.Binder) bool { return b.Type == im.l.Sorts[i] })
		}) {
			return term.Op{Sym: term.SymLocal, Type: im.l.Sorts[i]}, &term.Sorted{Name: "variable", Result: im.l.Sorts[i]}
		}
		im.errs.Add(nil, 0, "node %s is a variable of the type %q, which has none", n.ID, typ)
		return op, nil
	}
	if v, ok := new(big.Rat).SetString(n.Op); ok && len(n.Op) < 5000 {
		if i < 0 {
			i = slices.IndexFunc(im.l.Sorts, im.l.Numbers)
		}
		if i >= 0 && im.l.Numbers(im.l.Sorts[i]) {
			s := im.l.Sorts[i]
			return term.Op{Sym: term.SymConst, Const: term.ConstFill(term.ScalarR(term.NumOf(v))), Type: s}, &term.Sorted{Name: n.Op, Result: s}
		}
	}
	if n.Op == "true" && typ == term.Fact.String() {
		return term.Op{Sym: term.SymConst, Const: term.ConstFill(term.ScalarB(true)), Type: term.Fact}, &term.Sorted{Name: n.Op, Result: term.Fact}
	}
	o, ok := im.l.Signature.Lookup(n.Op)
	if !ok || o.Sorted == nil {
		im.errs.Add(nil, 0, "node %s: there is no operator %s", n.ID, n.Op)
		return op, nil
	}
	return term.Op{Sym: o.Sym}, o.Sorted
}

func (im *importer) add(n *extract.Node) {
	op, o := im.operator(n)
	if o == nil {
		return
	}
	s := n.Slots
	if s == nil {
		s = &extract.Slots{}
	}
	own := 0
	if op.Sym == term.SymLocal {
		own = 1
	}
	if len(n.Children) != len(o.Children) || len(s.Bind) != len(o.Binders) || len(s.Own) != own {
		im.errs.Add(nil, 0, "node %s: %s has %d children and %d binders", n.ID, o.Name, len(o.Children), len(o.Binders))
		return
	}
	formals := im.formals(n.Class)
	names := make(map[string]slot.Name)
	if c := im.classes[n.Class]; c != nil {
		for i, x := range c.Slots {
			names[x] = formals[i]
		}
	}
	for i, x := range s.Bind { // hides a slot of that name
		names[x] = im.g.Fresh()
		im.sorts[names[x]] = o.Binders[i].Type
	}
	is := func(x slot.Name, s *term.Type) {
		was := im.sorts[x]
		if was != nil && s != nil && !was.Equal(s) {
			im.errs.Add(nil, 0, "node %s: a slot is of the sort %s and of %s", n.ID, rules.SortName(was), rules.SortName(s))
		}
		if was == nil {
			im.sorts[x] = s
		}
	}
	all := func(xs []string) []slot.Name {
		var out []slot.Name
		for _, x := range xs {
			if _, ok := names[x]; !ok {
				names[x] = im.g.Fresh()
			}
			out = append(out, names[x])
		}
		return out
	}
	kids := make([]egraph.Ref, len(n.Children))
	for i, k := range n.Children {
		var args []slot.Name
		if i < len(s.Args) {
			args = all(s.Args[i])
		}
		for j, f := range im.formals(im.class[k]) {
			is(args[j], im.sorts[f])
		}
		kids[i] = im.g.FindRef(im.refs[im.class[k]]).RenameFrom(im.formals(im.class[k]), args)
		if got, want := im.g.Type(kids[i]), o.Children[i].Type; !got.Equal(want) {
			im.errs.Add(nil, 0, "node %s: child %d of %s has the sort %s, expected %s", n.ID, i+1, o.Name, rules.SortName(got), rules.SortName(want))
			return
		}
	}
	if own > 0 {
		is(all(s.Own)[0], o.Result)
	}
	r, terr := im.g.Make(op, all(s.Own), all(s.Bind), kids)
	if terr != nil {
		im.errs.Add(nil, 0, "node %s: %s", n.ID, terr.Msg)
		return
	}
	if ref, ok := im.refs[n.Class]; !ok {
		im.refs[n.Class] = r
	} else if got := im.g.Type(ref); !got.Equal(o.Result) {
		im.errs.Add(nil, 0, "node %s has the sort %s, and its class %s", n.ID, rules.SortName(o.Result), rules.SortName(got))
		return
	} else {
		im.g.Union(ref, r)
	}
	im.drop(n.Class)
}

// formals are the names for the slots of a class.
func (im *importer) formals(class string) []slot.Name {
	c := im.classes[class]
	if c == nil {
		return nil
	}
	if _, ok := im.names[class]; !ok {
		for range c.Slots {
			im.names[class] = append(im.names[class], im.g.Fresh())
		}
	}
	return im.names[class]
}

// drop makes a class independent of what is no slot of it.
func (im *importer) drop(class string) {
	r := im.g.FindRef(im.refs[class])
	formals := im.formals(class)
	other := r.Rename(func(n slot.Name) slot.Name {
		if slices.Contains(formals, n) {
			return n
		}
		return im.g.Fresh()
	})
	im.g.Union(r, other)
	im.refs[class] = im.g.FindRef(r)
}

// symmetries says of classes that their slots may change places.
func (im *importer) symmetries() {
	for _, c := range im.in.Classes {
		formals := im.formals(c.ID)
		for _, p := range c.Symmetries {
			to := make([]slot.Name, len(p))
			for i, k := range p {
				to[i] = formals[k]
			}
			r := im.g.FindRef(im.refs[c.ID])
			im.g.Union(r, r.RenameFrom(formals, to))
		}
	}
}
