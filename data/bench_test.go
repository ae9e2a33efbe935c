package data

import (
	"math/rand/v2"
	"strings"
	"testing"

	"egad/diag"
)

// BenchmarkReadJSON reads a matrix of 100 000 rows of 10 numbers.
func BenchmarkReadJSON(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	var text strings.Builder
	text.WriteString(`{"x": [`)
	for i := range 100_000 {
		if i > 0 {
			text.WriteString(",\n")
		}
		for j := range 10 {
			text.WriteString(map[bool]string{true: "[", false: ", "}[j == 0])
			text.Write(appendReal(nil, rng.NormFloat64()))
		}
		text.WriteString("]")
	}
	text.WriteString("]}")
	src := &diag.Source{Name: "bench.json", Text: text.String()}
	b.SetBytes(int64(len(src.Text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := ReadJSON(src); err != nil {
			b.Fatal(err)
		}
	}
}
