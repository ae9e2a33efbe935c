package theory

import (
	"os"
	"path/filepath"
	"testing"

	"egad/diag"
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
