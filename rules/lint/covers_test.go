package lint

import (
	"testing"

	"egad/diag"
	"egad/rules"
	"egad/rules/load"
	"egad/term"
)

// TestCovers checks which rules are seen to say nothing that another does not: those
// with other names, commuted operands, or stronger conditions, and no others.
func TestCovers(t *testing.T) {
	load := func(text string) *rules.Rule {
		sig := term.NewSignature()
		lib, err := load.Files(sig, &diag.Source{Name: "covers.rules", Text: "ruleset s\nrule r " + text + "\n"})
		if err != nil {
			t.Fatal(err)
		}
		return lib.Rule("r")
	}
	for _, c := range []struct {
		p, q string
		want bool
	}{
		{"exact a + b => b - a", "exact c + d => d - c", true},
		{"exact a + b => b + a", "exact c + d => c + d", true}, // commuted
		{"exact a - b => a", "exact c - d => d", false},
		{"exact a - b => a", "real c - d => c", true},
		{"real a - b => a", "exact c - d => c", false},
		{"exact a - b => a", "exact c - c => c", true},
		{"exact a - a => a", "exact c - d => c", false},
		{"exact a / b => a if 0 <= a", "exact a / b => a if 0 < a", true},
		{"exact a / b => a if 0 <= a", "exact a / b => a if 1 <= a", true},
		{"exact a / b => a if 0 < a", "exact a / b => a if 1 <= a", true},
		{"exact a / b => a if 0 < a", "exact a / b => a if 0 <= a", false},
		{"exact a / b => a if 1 <= a", "exact a / b => a if 0 <= a", false},
		{"exact a / b => a if a <= 1", "exact a / b => a if a <= 0", true},
		{"exact a / b => a if a <= 1", "exact a / b => a if a <= 2", false},
		{"exact a / b => a if a != 0", "exact a / b => a if 0 < a", false}, // the sides are the other way round
		{"exact a / b => a if 0 != a", "exact a / b => a if 0 < a", true},
		{"exact a / b => a if 0 != a", "exact a / b => a if 0 <= a", false},
		{"exact a / b => a if 0 < a", "exact a / b => a if 0 != a", false},
		{"exact a / b => a if 0 < a", "exact a / b => a", false},
		{"exact a / b => a", "exact a / b => a if 0 < a", true},
		{"exact a / b => a if 0 < a", "exact a / b => a if 0 < b", false},
		{"exact build k (\\i -> build n (\\j -> t)) => build k (\\i -> build n (\\j -> t))", "exact build n (\\a -> build m (\\b -> u)) => build n (\\a -> build m (\\b -> u))", true},
		{"exact gather [k] t (\\[i] -> [u]) => gather [k] t (\\[i] -> [u])", "exact gather [k] t (\\[j] -> [u]) => gather [k] t (\\[j] -> [u])", true},
		{"exact index (build k (\\i -> t)) [u] => t[i := u]", "exact index (build n (\\j -> x)) [v] => x[j := v]", true},
		{"exact index (build k (\\i -> t)) [u] => t[i := u]", "exact index (build k (\\i -> t)) [u] => t[i := u + 1]", false},
		{"exact gather [m, n] t (\\[i, j] -> [i, j]) => gather [m, n] t (\\[i, j] -> [j, i])", "exact gather [m, n] t (\\[i, j] -> [i, j]) => gather [m, n] t (\\[i, j] -> [i, i])", false},
		{"exact gather [m, n] t (\\[i, j] -> [i, j]) => gather [m, n] t (\\[i, j] -> [j, i])", "exact gather [m, n] t (\\[i, j] -> [i, j]) => gather [m, n] t (\\[j, i] -> [i, j])", false},
		{"exact ?op (tr p a) => tr p (?op a) if ?op : elementwise/1", "exact ?op (tr p a) => tr p (?op a) if ?op : zero-preserving/1", true},
		{"exact ?op (tr p a) => tr p (?op a) if ?op : zero-preserving/1", "exact ?op (tr p a) => tr p (?op a) if ?op : elementwise/1", false},
		{"real a + b => a assuming finite a", "real a + b => a", false},
		{"real a + b => a", "real a + b => a assuming finite a", true},
	} {
		if got := Covers(load(c.p), load(c.q)); got != c.want {
			t.Errorf("%s\ncovers\n%s\nis %v", c.p, c.q, got)
		}
	}
}
