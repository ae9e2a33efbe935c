package extract_test

import (
	"encoding/json"
	"math"
	"math/rand"
	"strings"
	"testing"

	"egad/diag"
	"egad/extract"
	"egad/internal/defs"
	"egad/term"
	"egad/term/eval"
)

// Whatever the method, the simplified program has the value of the source; exact
// extraction costs least, and its bound is no more. The e-graph goes out as JSON, comes
// back, and has terms of the same kind of cost.
func TestMethodsOfPrograms(t *testing.T) {
	lib, m := defs.Load(t, "testdata/programs.egad")
	r := rand.New(rand.NewSource(1))
	optimal := 0
	defs.Each(t, m, 3, func(name string, p *term.Program) {
		env := defs.Inputs(t, p, func() float64 { return 0.5 + r.Float64() }, func() int64 { return 0 })
		want, err := eval.Interpret(p.Store, p.Root, eval.FloatArrays(), env)
		if err != nil {
			t.Fatal(err)
		}
		cost := make(map[string]float64)
		for _, method := range extract.Methods() {
			how := extract.Choosing{Method: method, Budget: extract.Budget{Steps: 20_000}}
			q, run, err := how.Way(false).Program(lib, "simplify", p, extract.How{})
			if err != nil {
				t.Fatalf("%s, %s: %v", name, method, err)
			}
			cost[method] = run.Cost
			if method == "exact" && strings.HasSuffix(run.Known, "no DAG costs less") {
				optimal++
			}
			got, err := eval.Interpret(q.Store, q.Root, eval.FloatArrays(), env)
			if err != nil {
				t.Fatal(err)
			}
			if !alike(want, got) {
				t.Errorf("%s: by %s it is\n%s", name, method, q.Text(name))
			}
			g, err := run.Data()
			if err != nil {
				t.Fatal(err)
			}
			if n := len(g.Nodes); n != run.Nodes {
				t.Errorf("%s: %d e-nodes as data, of %d", name, n, run.Nodes)
			}
			var text strings.Builder
			if err := extract.WriteJSON(&text, g); err != nil || !json.Valid([]byte(text.String())) {
				t.Fatalf("%s: %v", name, err)
			}
			back, err := extract.ReadJSON(&diag.Source{Name: name, Text: text.String()})
			if err != nil {
				t.Fatal(err)
			}
			problem, err := extract.NewProblem(back, nil)
			if err != nil {
				t.Fatal(err)
			}
			if e := problem.By(how); e.DAG > run.Cost+1e-6 && method == "exact" && e.Optimal {
				t.Errorf("%s: %s as data, %v in the e-graph", name, e, run.Cost)
			}
		}
		for method, c := range cost {
			if c < cost["exact"]-1e-9 && method != "greedy" || cost["exact"] > cost["shared"] {
				t.Errorf("%s: %s costs %v, exact %v", name, method, c, cost["exact"])
			}
		}
	})
	if optimal < 12 {
		t.Errorf("only %d programs of least cost", optimal)
	}
}

func alike(a, b *eval.Value[float64]) bool {
	if len(a.R) != len(b.R) || len(a.Parts) != len(b.Parts) {
		return false
	}
	for i := range a.R {
		if math.Abs(a.R[i]-b.R[i]) > 1e-9*(1+math.Abs(a.R[i])) {
			return false
		}
	}
	for i := range a.Parts {
		if !alike(a.Parts[i], b.Parts[i]) {
			return false
		}
	}
	return true
}
