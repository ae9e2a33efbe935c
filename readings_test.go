package egad_test

import (
	"testing"

	"egad"
)

// TestReadings: a program that says the types of variables is an array program, which may have all
// that these have. Routes read it, and what calls it, as a functional one where it can be one.
func TestReadings(t *testing.T) {
	for _, c := range []struct {
		text       string
		functional bool
	}{
		{`def f[n](a: R[n]): R = sum (map (\(x: R) -> x * x) a)`, true},
		{"def g(x: R): R = (\\(y: R) -> y * y) x\ndef f[n](a: R[n]): R = g a[0] + 1", true},
		{`def f[n](a: R[n, n]): R = let c = \(k: I) -> min 1 k in sum (flat (build [n, n] (\i j -> a[c i, j])))`, false},
		{`def f[n](a: R[n]): R = sum (map (\x -> x * x) a)`, false},
		{`def f[n](a: R[n]): R = reduce (+) a`, true},
	} {
		m, err := egad.Parse("f.egad", c.text)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		if _, ok, err := m.Functional("f"); ok != c.functional || err != nil {
			t.Errorf("%s: functional %t, %v", c.text, ok, err)
		}
		if _, err := m.Instantiate("f", map[string]int64{"n": 3}); err != nil {
			t.Errorf("%s: %v", c.text, err)
		}
	}
}
