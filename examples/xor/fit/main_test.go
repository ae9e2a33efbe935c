package main

import (
	"strings"
	"testing"
)

// TestFit reads off the output that the network has learned the function.
func TestFit(t *testing.T) {
	var out strings.Builder
	if err := run(&out, ".."); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"p([0 0]) = 0.0", "p([0 1]) = 0.9", "p([1 0]) = 0.9", "p([1 1]) = 0.0"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%s is not in\n%s", want, out.String())
		}
	}
}
