package egad_test

import (
	"regexp"
	"strings"
	"testing"

	"egad"
	"egad/data"
	"egad/diag"
	"egad/term"
	"egad/term/module"
)

// TestMaps compares programs that apply linear maps with matrices: those of the
// documentation.
func TestMaps(t *testing.T) {
	src, err := diag.ReadSource("docs/language.md")
	if err != nil {
		t.Fatal(err)
	}
	text := regexp.MustCompile("(?s)```egad\n(def x: R\\[3\\].*?)```").FindStringSubmatch(src.Text)[1]
	m, err := egad.Parse("maps.egad", text)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := module.Load(term.NewSignature(), &diag.Source{Name: "maps.egad", Text: text})
	if err != nil {
		t.Fatal(err)
	}
	applied := 0
	for _, def := range m.Defs() {
		q, err := raw.Instantiate(def, nil)
		if err != nil {
			t.Fatal(err)
		}
		if !q.AppliesMaps() {
			continue
		}
		applied++
		p, err := m.Instantiate(def, nil)
		if err != nil {
			t.Fatal(err)
		}
		want, err := egad.Evaluate(q, nil)
		if err != nil {
			t.Fatal(err)
		}
		got, err := egad.Run(p, nil)
		if err != nil {
			t.Fatal(err)
		}
		if a, b := written(t, got), written(t, want); a != b {
			t.Errorf("%s: %s by rules, %s by matrices", def, a, b)
		}
	}
	if applied < 14 {
		t.Errorf("%d definitions apply maps", applied)
	}
}

// written is a value as JSON.
func written(t *testing.T, v *egad.Value) string {
	var b strings.Builder
	if err := data.WriteJSONValue(&b, v); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestMapsOfNothing: linear maps are applied to arrays without elements, also beside others
// in tuples.
func TestMapsOfNothing(t *testing.T) {
	m, err := egad.Parse("maps.egad", `
def total[n](x: R[n]): R = lapply (lmap sum @R[n]) x
def scaled[n](x: R[n], y: R): (R[n], R) = lapply (lpair (lcompose (lscale x) (lproj 0 @(R[n], R))) (lproj 1 @(R[n], R))) (x, y)
def back[n](x: R[n], y: R): (R[n], R) = lapply (ltranspose (ljoin (lcompose (lmap sum @R[n]) (lscale x)) (lscale y))) y
def added[n](x: R[n], y: R): R = lapply (ladd (lcompose (lmap sum @R[n]) (lcompose (lscale x) (lmap replicate n @R))) (lscale y)) y
def placed[n](x: R[n], y: R): (R[n], (R, R[n])) = lapply (lcompose (linj 1 @(R[n], (R, R[n]))) (lpair (lone @R) (lzero @R @R[n]))) y
def states[n](x: R[n], y: R): R[n + 1] = lapply (lcompose (lstates n (\i -> lscale y)) (lpair (lscale y) (lcompose (lscale x) (lmap replicate n @R)))) y
def pairs[n](x: R[n], y: R): (R[n + 1], R[n + 1]) = lapply (lstates n (\i -> lone @(R, R))) ((y, 2 * y), (x, x))
`)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ def, none, one string }{
		{"total", "0", "3"}, {"scaled", "[[], 2]", "[[9], 2]"}, {"back", "[[], 4]", "[[6], 4]"}, {"added", "4", "10"},
		{"placed", "[[], [2, []]]", "[[0], [2, [0]]]"}, {"states", "[4]", "[4, 20]"}, {"pairs", "[[2], [4]]", "[[2, 5], [4, 7]]"},
	} {
		for n, want := range []string{c.none, c.one} {
			p, err := m.Instantiate(c.def, map[string]int64{"n": int64(n)})
			if err != nil {
				t.Errorf("%s: %v", c.def, err)
				continue
			}
			env := egad.Env{"x": egad.Array([]float64{3}[:n], n)}
			if c.def != "total" {
				env["y"] = egad.Array([]float64{2})
			}
			v, err := egad.Run(p, env)
			if err != nil {
				t.Errorf("%s: %v", c.def, err)
				continue
			}
			if got := strings.NewReplacer("\n", "", " ", "", ",", ", ").Replace(written(t, v)); got != want {
				t.Errorf("%s of %d: %s, want %s", c.def, n, got, want)
			}
		}
	}
}
