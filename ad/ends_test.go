package ad

import (
	"testing"

	"egad/diag"
	"egad/rules/load"
	"egad/term"
	"egad/term/module"
)

// endingPrograms are programs on which simplification once went on for ever: literals were made
// of sums of literals, and a factor of 1 was sent to places, and to their places again.
const endingPrograms = `
def half[n](x: R[n]): R = 0.5 * sum (x * x)
def waves[n](x: R[n]): R = 0.5 * sum (square (sin x)) + 0.25 * sum (cos x)
def squares[m, n](x: R[n], k: I[n]): R = sum (square (scatter [m] x (\[e] -> [k[e]])))
def sparse[k, n, m](row: I[k], col: I[k], value: R[k], x: R[n], b: R[m]): R =
  let y = scatter [m] (build k (\e -> value[e] * x[col[e]])) (\[e] -> [row[e]]) in
  0.5 * sum (square (y - b))
def fit[m, n](a: R[m, n], x: R[n], b: R[m]): R = sum (square (matvec a x - b)) / (2.0 * real m)`

func TestEnds(t *testing.T) {
	sig := term.NewSignature()
	lib, err := load.Builtin(sig)
	if err != nil {
		t.Fatal(err)
	}
	m, err := module.Load(sig, &diag.Source{Name: "ends.egad", Text: endingPrograms})
	if err != nil {
		t.Fatal(err)
	}
	for _, def := range m.Defs() {
		info, err := m.Lookup(def)
		if err != nil {
			t.Fatal(err)
		}
		sizes := make(map[string]int64)
		for i, s := range info.Sizes {
			sizes[s] = int64(i + 3)
		}
		p, err := m.Instantiate(def, sizes)
		if err != nil {
			t.Fatal(err)
		}
		d, err := Grad(lib, p, Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range d.Stages {
			if s.Report != nil && s.Report.Stop.CutOff() {
				t.Errorf("%s: %s: %s", def, s.Name, s.Report)
			}
		}
	}
}
