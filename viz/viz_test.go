package viz_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"gonum.org/v1/gonum/graph/formats/dot"
	"gonum.org/v1/gonum/graph/formats/dot/ast"

	"egad"
	"egad/ad"
	"egad/diag"
	"egad/extract"
	"egad/internal/programs"
	"egad/internal/testflag"
	"egad/kernel"
	"egad/rules/load"
	"egad/rules/runner"
	"egad/rules/suite"
	"egad/slot"
	"egad/stages"
	"egad/term"
	"egad/term/types"
	"egad/viz"
)

const source = `
def f2(x: R): R = let y = x * x in let z = x + y in y * z
def selfconv[n](a: R[n]): R = sum (build n (\i -> a[i] * a[n - 1 - i]))
def nested[n](a: R[n, n], lo: R): R =
  let b = build [n, n] (\[i, j] -> if a[i, j] < lo then a[j, i] else a[i + j, [1, 0, 3, 2, 4, 5, 6, 7][j]]) in
  sum2 (b * b)
def pair[n](p: (R[n], R)): (R[n], B, R) = (p.0 * p.1, p.1 < 0 && true, maximum p.0)
`

// drawing is a picture, with what there is to be seen in it.
type drawing struct {
	name            string
	draw            func(viz.Options) (string, error)
	nodes, clusters int
	edges           int
	filled          int // nodes filled as extracted, or -1
	program         *term.Program
}

// drawings lists the pictures of all stages of all programs.
func drawings(t *testing.T) []drawing {
	t.Helper()
	m, err := egad.Parse("programs", source)
	if err != nil {
		t.Fatal(err)
	}
	var out []drawing
	for _, name := range m.Defs() {
		p, err := m.Instantiate(name, map[string]int64{"n": 4})
		if err != nil {
			if p, err = m.Instantiate(name, nil); err != nil {
				t.Fatal(err)
			}
		}
		ss, err := m.Stages(p, ad.Options{}).All()
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, ofStages(t, name, ss)...)
	}
	return append(out, ofTests(t)...)
}

// ofTests lists pictures of e-graphs of languages, at the start of the tests.
func ofTests(t *testing.T) []drawing {
	t.Helper()
	paths, err := filepath.Glob("../examples/rewriting/*.rules")
	if err != nil || len(paths) == 0 {
		t.Fatal("no languages", err)
	}
	var out []drawing
	for _, path := range paths {
		src, err := diag.ReadSource(path)
		if err != nil {
			t.Fatal(err)
		}
		f, err := suite.Load(src)
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range f.Tests {
			res, err := f.Run(x, runner.Options{Iterations: 2})
			if err != nil {
				t.Fatal(err)
			}
			if len(res.Roots) > 0 { // or there is nothing to be filled
				out = append(out, ofData(t, f.Language.Name+", "+x.Name.Text, extract.Data(res.Graph, res.Roots...)))
			}
		}
	}
	return out
}

// ofData counts what is reached from the roots.
func ofData(t *testing.T, name string, g *extract.Graph) drawing {
	t.Helper()
	p, err := extract.NewProblem(g, nil)
	if err != nil {
		t.Fatal(err)
	}
	best := p.Trees()
	d := drawing{name: name, filled: len(best.Nodes()), draw: func(o viz.Options) (string, error) {
		return viz.Data(g, func() *extract.Extraction { return best }, o)
	}}
	class := make(map[string]string)
	for _, n := range g.Nodes {
		class[n.ID] = n.Class
	}
	reached := make(map[string]bool)
	for _, c := range g.Roots {
		reached[c] = true
	}
	for n := -1; n < len(reached); {
		n = len(reached)
		d.nodes, d.edges = 0, 0
		for _, x := range g.Nodes {
			if !reached[x.Class] {
				continue
			}
			d.nodes++
			d.edges += len(x.Children)
			for _, k := range x.Children {
				reached[class[k]] = true
			}
		}
	}
	d.clusters = len(reached)
	return d
}

// ofStages lists the pictures of stages.
func ofStages(t *testing.T, name string, ss []*stages.Stage) []drawing {
	t.Helper()
	var out []drawing
	for _, s := range ss {
		at := name + ", " + s.Name
		if s.Kernels != nil {
			out = append(out, ofKernels(at, s.Kernels))
			continue
		}
		if s.Program != nil {
			out = append(out, ofTerm(at, s.Program))
		}
		if s.Run == nil {
			continue
		}
		before, err := s.Run.Before()
		if err != nil {
			t.Fatal(err)
		}
		after, err := s.Run.After()
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, ofEGraph(at+", before", before), ofEGraph(at+", after", after))
	}
	return out
}

func ofKernels(name string, k *kernel.Program) drawing {
	d := drawing{name: name, nodes: len(k.Arrays) + len(k.Kernels), filled: -1,
		draw: func(o viz.Options) (string, error) { return viz.Kernels(k, o) }}
	for _, x := range k.Kernels {
		d.edges += len(x.Reads()) + len(x.Writes())
	}
	return d
}

func ofTerm(name string, p *term.Program) drawing {
	d := drawing{name: name, filled: -1, program: p, draw: func(o viz.Options) (string, error) { return viz.Term(p, o) }}
	term.PlaceLets(p.Store, p.Root, func(in *term.Instance) bool {
		d.nodes++
		d.edges += len(in.Kids)
		if _, bound := in.View.Op.Variable(); bound {
			d.edges++ // to its binder
		}
		return false
	})
	// The root is not asked for.
	d.nodes++
	d.edges += len(p.Store.Kids(p.Root))
	return d
}

func ofEGraph(name string, s *extract.Snapshot) drawing {
	d := drawing{name: name, draw: func(o viz.Options) (string, error) { return viz.EGraph(s, o) }}
	roots := make(map[uint32]slot.Ref)
	for _, r := range s.Graph.Roots() {
		roots[r.ID] = r
	}
	seen := make(map[uint32]bool)
	var visit func(c uint32)
	visit = func(c uint32) {
		if c = s.Graph.Find(c); seen[c] {
			return
		}
		seen[c] = true
		d.clusters++
		s.Graph.Nodes(roots[c], func(v term.View) bool {
			d.nodes++
			d.edges += len(v.Kids)
			for _, k := range v.Kids {
				visit(k.ID)
			}
			return true
		})
	}
	visit(s.Root.ID)
	if s.Result != nil {
		d.filled = len(s.Result.Nodes)
	}
	return d
}

// seen is what a picture contains.
type seen struct {
	nodes, clusters map[string]map[string]string // attributes
	edges           int
	errs            []error
}

func (s *seen) fail(format string, args ...any) { s.errs = append(s.errs, fmt.Errorf(format, args...)) }

func (s *seen) read(stmts []ast.Stmt, cluster string) {
	for _, st := range stmts {
		switch st := st.(type) {
		case *ast.NodeStmt:
			if s.nodes[st.Node.ID] != nil {
				s.fail("node %s is there twice", st.Node.ID)
			}
			s.nodes[st.Node.ID] = attrs(st.Attrs)
		case *ast.Subgraph:
			if !strings.HasPrefix(st.ID, "cluster_") {
				s.fail("subgraph %s is no cluster", st.ID)
			}
			s.clusters[st.ID] = make(map[string]string)
			s.read(st.Stmts, st.ID)
		case *ast.Attr:
			if cluster != "" {
				s.clusters[cluster][st.Key] = st.Val
			}
		case *ast.AttrStmt:
			s.fail("attributes of all %v", st.Kind)
		}
	}
	for _, st := range stmts {
		if e, ok := st.(*ast.EdgeStmt); ok {
			s.edge(e)
		}
	}
}

func attrs(as []*ast.Attr) map[string]string {
	out := make(map[string]string)
	for _, a := range as {
		out[a.Key] = strings.Trim(a.Val, `"`)
	}
	return out
}

// edge checks that the ends of an edge are there, with their ports.
func (s *seen) edge(e *ast.EdgeStmt) {
	s.edges++
	for _, v := range []ast.Vertex{e.From, e.To.Vertex} {
		n, ok := v.(*ast.Node)
		if !ok || s.nodes[n.ID] == nil {
			s.fail("an edge has an end %v, which is not there", v)
			continue
		}
		if n.Port != nil && !strings.Contains(s.nodes[n.ID]["label"], `port="`+n.Port.ID+`"`) {
			s.fail("an edge begins at %v, and the node has no such port", n)
		}
	}
	if head, ok := attrs(e.Attrs)["lhead"]; ok && s.clusters[head] == nil {
		s.fail("an edge leads to %s, which is not there", head)
	}
}

func read(text string) (*seen, error) {
	file, err := dot.ParseString(text)
	if err != nil {
		return nil, err
	}
	if len(file.Graphs) != 1 || !file.Graphs[0].Directed {
		return nil, errors.New("not one directed graph")
	}
	s := &seen{nodes: make(map[string]map[string]string), clusters: make(map[string]map[string]string)}
	s.read(file.Graphs[0].Stmts, "")
	return s, errors.Join(s.errs...)
}

var tag = regexp.MustCompile("<[^<>]*>")

// TestPictures reads every picture back: nodes, edges and frames are those of what
// was drawn, and nothing is drawn at places that are not there.
func TestPictures(t *testing.T) {
	for _, d := range drawings(t) {
		if err := d.check(); err != nil {
			t.Errorf("%s: %v", d.name, err)
		}
	}
}

// check reads the picture back.
func (d drawing) check() error {
	text, err := d.draw(viz.Options{Caption: d.name, MaxNodes: d.nodes})
	if err != nil {
		return err
	}
	s, err := read(text)
	if err != nil {
		return fmt.Errorf("%w\n%s", err, text)
	}
	if len(s.nodes) != d.nodes || len(s.clusters) != d.clusters || s.edges != d.edges {
		return fmt.Errorf("%d nodes, %d frames and %d edges are drawn of %d, %d and %d",
			len(s.nodes), len(s.clusters), s.edges, d.nodes, d.clusters, d.edges)
	}
	filled := 0
	for id, a := range s.nodes {
		if strings.Contains(a["label"], `bgcolor="#fff0b3"`) {
			filled++
		}
		// What is left of a label is text without brackets that are not closed.
		if l := tag.ReplaceAllString(strings.TrimSuffix(strings.TrimPrefix(a["label"], "<"), ">"), ""); strings.ContainsAny(l, "<>") {
			return fmt.Errorf("the label of %s is not closed: %s", id, a["label"])
		}
	}
	if d.filled >= 0 && filled != d.filled {
		return fmt.Errorf("%d e-nodes are filled, of %d that were extracted", filled, d.filled)
	}
	if !strings.Contains(text, d.name) {
		return errors.New("the caption is missing")
	}
	return nil
}

// TestRandomPictures draws the stages of random programs.
func TestRandomPictures(t *testing.T) {
	sig := term.NewSignature()
	lib, err := load.Builtin(sig)
	if err != nil {
		t.Fatal(err)
	}
	programs.Hold(t, testflag.Seed, testflag.Count(16, 400), programs.Gen(programs.Everything, types.R), func(c programs.Case) error {
		// Programs without a derivative have stages, too.
		ss, _ := stages.New(lib, c.Program(sig), ad.Options{}).All()
		for _, d := range ofStages(t, "p", ss) {
			if err := d.check(); err != nil {
				return fmt.Errorf("%s: %w", d.name, err)
			}
		}
		if len(ss) == 0 {
			return errors.New("there is no stage")
		}
		return nil
	})
}

// A picture is drawn alike again, by the same and by another reading of the
// program.
func TestDeterministic(t *testing.T) {
	first, second := drawings(t), drawings(t)
	for i, d := range first {
		var texts []string
		for _, draw := range []func(viz.Options) (string, error){d.draw, d.draw, second[i].draw} {
			text, err := draw(viz.Options{MaxNodes: d.nodes})
			if err != nil {
				t.Fatal(err)
			}
			texts = append(texts, text)
		}
		if texts[0] != texts[1] || texts[0] != texts[2] {
			t.Errorf("%s is drawn in several ways", d.name)
		}
	}
}

// A picture has at most as many nodes as it may.
func TestBounds(t *testing.T) {
	for _, d := range drawings(t) {
		if _, err := d.draw(viz.Options{MaxNodes: d.nodes}); err != nil {
			t.Errorf("%s: %v", d.name, err)
		}
		if d.nodes == 1 {
			continue
		}
		_, err := d.draw(viz.Options{MaxNodes: d.nodes - 1})
		var large *viz.TooLarge
		if !errors.As(err, &large) || large.Nodes != d.nodes {
			t.Errorf("%s: %v", d.name, err)
		}
	}
}

// Graphviz, where it is installed, lays pictures out.
func TestGraphviz(t *testing.T) {
	if err := viz.Installed(); err != nil {
		t.Skipf("only Graphviz itself can tell whether it takes the text: %v", err)
	}
	for i, d := range drawings(t) {
		if i%5 != 0 || d.nodes > 100 {
			continue // they are many, and it is slow
		}
		text, err := d.draw(viz.Options{})
		if err != nil {
			t.Fatal(err)
		}
		svg, err := viz.Render(context.Background(), text, "svg")
		if err != nil || !strings.Contains(string(svg), "<svg") {
			t.Errorf("%s: %v", d.name, err)
		}
	}
	if _, err := viz.Render(context.Background(), "digraph {", "svg"); err == nil || !strings.Contains(err.Error(), "syntax error") {
		t.Errorf("half a picture: %v", err)
	}
}
