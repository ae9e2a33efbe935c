package kernel_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"egad/fusion"
	"egad/internal/golden"
	"egad/kernel/kerneltest"
)

// TestPrint prints the kernels of the programs in testdata. Programs are
// separated by empty lines; each is followed by its kernels, indented.
func TestPrint(t *testing.T) {
	path := filepath.Join("testdata", "kernels.golden")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	for i, part := range strings.Split(strings.TrimSpace(string(text)), "\n\n====\n\n") {
		src, _, _ := strings.Cut(part, "\n----")
		p, err := fusion.Lower(nil, kerneltest.Program(t, src), nil)
		if err != nil {
			t.Fatal(err)
		}
		if i > 0 {
			out.WriteString("\n====\n\n")
		}
		out.WriteString(strings.TrimSpace(src) + "\n----\n" + p.String())
	}
	golden.Check(t, path, out.String())
}
