package cost_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"egad/diag"
	"egad/kernel/cost"
)

// TestWeightErrors: all that is wrong with a file of weights is told of, with its place.
func TestWeightErrors(t *testing.T) {
	text := strings.Join([]string{
		"exp 3 -- fine", "foo 2", "load -1", "load 2", "expp 2", "sqrt", "sin x", " cos 1e400", "spill 1 2", "alone NaN", "", "sum 1",
	}, "\n")
	want := []string{
		"there is no weight foo", "a weight is not negative", "the weight load is given twice", "there is no weight expp (did you mean exp?)",
		"expected a word and a number, as sqrt 0.5", "x is no number", "a weight is at most 1000000000",
		"expected a word and a number, as spill 0.5", "NaN is no number", "there is no weight sum (did you mean sums?)",
	}
	var list diag.List
	if _, err := cost.Read(&diag.Source{Name: "w", Text: text}); !errors.As(err, &list) {
		t.Fatalf("error %v", err)
	}
	var got []string
	for _, e := range list {
		got = append(got, e.Msg)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if _, line, col := list[6].Position(); line != 8 || col != 6 {
		t.Errorf("%v at %d:%d", list[6].Msg, line, col)
	}
}

// FuzzWeights: no text crashes the reader of weights.
func FuzzWeights(f *testing.F) {
	for _, s := range []string{"", "exp 3", "load -1 -- x", "nest 1e9\nnest 1", "\x00 \xff", "-- only\n\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		w, err := cost.Read(&diag.Source{Name: "w", Text: text})
		if err == nil && w == nil {
			t.Error("neither weights nor an error")
		}
	})
}
