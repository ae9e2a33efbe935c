package egad_test

import (
	"regexp"
	"strings"
	"testing"

	"egad"
	"egad/data"
	"egad/diag"
	"egad/term"
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
	raw, err := term.LoadModule(term.NewSignature(), &diag.Source{Name: "maps.egad", Text: text})
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
