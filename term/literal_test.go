package term

import (
	"strings"
	"testing"
)

// Literals that have no type are findings, whatever is read of them at once.
func TestWrongLiterals(t *testing.T) {
	for _, text := range []string{"[1.5, [2]]", "[[1.5], 2]", "[[1.5], [2, 3]]", "[1.5, true]", "[[1.5], [true]]", "[[true], true]", "[[[1.5], [2]], [[3]]]", "[[1.5], []]", "[[], [1.5]]", "[[]]"} {
		_, err := LoadModule(NewSignature(), source("def f(x: R): R = let a = "+text+" in x\n"))
		if err == nil || !strings.Contains(err.Error(), "test.egad:1:") {
			t.Errorf("%s: %v", text, err)
		}
	}
}
