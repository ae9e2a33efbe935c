package term_test

import (
	"maps"
	"testing"

	"egad/diag"
	"egad/term"
	"egad/term/module"
)

// Equations tell sizes on either side of them, one after the other, and inequalities none.
func TestTell(t *testing.T) {
	m, err := module.Load(term.NewSignature(), &diag.Source{Name: "f.egad", Text: `def f[n, k, l, m](x: R[m]): R where n * n = l, 2 * k + n = l, m < n = sum x`})
	if err != nil {
		t.Fatal(err)
	}
	d, err := m.Lookup("f")
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct{ given, want map[string]int64 }{
		{map[string]int64{"n": 3, "m": 1}, map[string]int64{"n": 3, "m": 1, "l": 9, "k": 3}},
		{map[string]int64{"k": 4, "l": 10}, map[string]int64{"n": 2, "k": 4, "l": 10}},
		{map[string]int64{"n": 3, "l": 6}, map[string]int64{"n": 3, "l": 6}},
		{nil, map[string]int64{}},
	} {
		if got := d.Tell(x.given); !maps.Equal(got, x.want) {
			t.Errorf("of %v: %v, want %v", x.given, got, x.want)
		}
	}
}
