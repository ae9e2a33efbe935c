package theory

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"egad/diag"
	"egad/extract"
)

// FuzzLoad: whatever the text is, it loads or has findings, and its tests run
// within small limits.
func FuzzLoad(f *testing.F) {
	paths, _ := filepath.Glob("../examples/rewriting/*.rules")
	for _, p := range paths {
		text, err := os.ReadFile(p)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	for _, c := range mistakes {
		f.Add(header + c.text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		th, err := Load(&diag.Source{Name: "fuzz", Text: text})
		if (th == nil) == (err == nil) {
			t.Fatalf("%v, %v", th, err)
		}
		if err != nil {
			return
		}
		for i, x := range th.Tests {
			if i == 3 {
				return
			}
			th.Run(x, Options{Iterations: 2, Nodes: 300})
		}
	})
}

// FuzzImport: a graph comes in or has findings; if it comes in, it goes out and
// comes in again with as many nodes and classes.
func FuzzImport(f *testing.F) {
	th := load(f, "../examples/rewriting/lambda.rules")
	for _, x := range th.Tests {
		res := th.Run(x, Options{Iterations: 3, Nodes: 100})
		var b bytes.Buffer
		if err := extract.WriteJSON(&b, res.Graph.Export(res.Roots)); err != nil {
			f.Fatal(err)
		}
		f.Add(b.String())
	}
	f.Fuzz(func(t *testing.T, text string) {
		in, err := extract.ReadJSON(&diag.Source{Name: "fuzz", Text: text})
		if err != nil || len(in.Nodes) > 200 {
			return
		}
		g, roots, err := th.Import(in)
		if err != nil {
			return
		}
		h, _, err := th.Import(g.Export(roots))
		if err != nil || h.Size() != g.Size() || h.Classes() != g.Classes() {
			t.Errorf("%d nodes in %d classes went out, and came back with %v", g.Size(), g.Classes(), err)
		}
	})
}
