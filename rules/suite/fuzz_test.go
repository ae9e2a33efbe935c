package suite

import (
	"os"
	"path/filepath"
	"testing"

	"egad/diag"
	"egad/rules/runner"
)

// FuzzLoad: whatever the text is, it loads or has findings, and its tests run
// within small limits.
func FuzzLoad(f *testing.F) {
	paths, _ := filepath.Glob("../../examples/rewriting/*.rules")
	for _, p := range paths {
		text, err := os.ReadFile(p)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	for _, c := range outcomes {
		f.Add(header + c.text)
	}
	for _, c := range ofLists {
		f.Add(listHeader + c.text)
	}
	f.Add(computed + "grammar g\nstart E\nE -> number | symbol | add E... : 1\nE -> other E... : 2.5\nrule r add as... (lin[c] b) => add (lin[c] b) as...\ntest t\n start add 1 (lin[2] x)\n by g\n extract add 1 (lin[2] 3) => 7")
	f.Fuzz(func(t *testing.T, text string) {
		x, err := Load(&diag.Source{Name: "fuzz", Text: text})
		if (x == nil) == (err == nil) {
			t.Fatalf("%v, %v", x, err)
		}
		if err != nil {
			return
		}
		for i, y := range x.Tests {
			if i == 3 {
				return
			}
			if _, err := x.Run(y, runner.Options{Iterations: 2, Nodes: 300}); err != nil {
				t.Fatal(err)
			}
		}
	})
}
