package main

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"egad/data"
	"egad/diag"
	"egad/term"
	"egad/term/eval"
	"egad/term/module"
)

// TestData compares the JSON files of the example with the conversion of the
// text files beside them.
func TestData(t *testing.T) {
	texts, err := filepath.Glob("../data/*.txt")
	if err != nil || len(texts) != 3 {
		t.Fatalf("%v, %v", texts, err)
	}
	for _, text := range texts {
		want, err := os.ReadFile(strings.TrimSuffix(text, ".txt") + ".json")
		if err != nil {
			t.Fatal(err)
		}
		out := filepath.Join(t.TempDir(), "out.json")
		if err := run([]string{text, out}, nil, nil); err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s: the JSON file is not its conversion", text)
		}
	}
}

// TestObjective runs gmm.egad on a converted file; ADBench publishes the value.
func TestObjective(t *testing.T) {
	src, err := diag.ReadSource("../gmm.egad")
	if err != nil {
		t.Fatal(err)
	}
	m, err := module.Load(term.NewSignature(), src)
	if err != nil {
		t.Fatal(err)
	}
	info, err := m.Lookup("gmm")
	if err != nil {
		t.Fatal(err)
	}
	text, err := data.ReadText("../data/gmm_test.json")
	if err != nil {
		t.Fatal(err)
	}
	in, err := data.ReadJSON(text)
	if err != nil {
		t.Fatal(err)
	}
	sizes, env, err := data.Bind(info, in, nil)
	if err != nil {
		t.Fatal(err)
	}
	prog, err := m.Instantiate("gmm", sizes)
	if err != nil {
		t.Fatal(err)
	}
	v, err := eval.Interpret(prog.Store, prog.Root, eval.FloatArrays(), env)
	if err != nil {
		t.Fatal(err)
	}
	const want = 8.07380408004975791
	if got := v.R[0]; math.Abs(got-want) > 1e-8*(math.Abs(got)+want) {
		t.Errorf("the objective is %v, want %v", got, want)
	}
}

func TestConvert(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{
			"one point for all",
			"1 1 3\n.5\n+1\n-01.50\n007\n1e-3 2\n",
			"{\n  \"alpha\": [0.5],\n  \"mu\": [\n    [1]\n  ],\n  \"icf\": [\n    [-1.50]\n  ],\n  \"x\": [\n    [7],\n    [7],\n    [7]\n  ],\n  \"gamma\": 1e-3,\n  \"m\": 2\n}\n",
		},
		{
			"all digits are kept, and alpha may be on one line",
			"2 2 1\n\n0.12345678901234567890 2.\r\n1 2\n3 4\n1 2 3\n4 5 6\n7 8\n1 0\n\n",
			"{\n  \"alpha\": [0.12345678901234567890, 2],\n  \"mu\": [\n    [1, 2],\n    [3, 4]\n  ],\n  \"icf\": [\n    [1, 2, 3],\n    [4, 5, 6]\n  ],\n  \"x\": [\n    [7, 8]\n  ],\n  \"gamma\": 1,\n  \"m\": 0\n}\n",
		},
	} {
		var b strings.Builder
		if err := run(nil, strings.NewReader(c.in), &b); err != nil || b.String() != c.want {
			t.Errorf("%s: got %v and\n%s", c.name, err, b.String())
		}
	}
}

func TestConvertErrors(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"nothing", "", "in:1: the text ends here, and D K N is expected"},
		{"a size is missing", "1 1\n", "in:1: D K N is expected, a line of length 3, and this line has length 2"},
		{"a size is 0", "1 0 1\n", "in:1: K is 0, and a whole number from 1 to 1048576 is expected"},
		{"a size is not whole", "1 1 2.5\n", "in:1: N is 2.5, and a whole number from 1 to 134217728 is expected"},
		{"sizes that are too large", "1000000 1 1000000\n", "in:1: 1000000 points of 1000000 numbers are more than the 134217728 numbers that are allowed"},
		{"a word", "1 1 1\none\n", `in:2: "one" is not a number`},
		{"not a number", "1 1 1\nNaN\n", `in:2: "NaN" is not a number`},
		{"out of range", "1 1 1\n1e999\n", `in:2: "1e999" is not a number`},
		{"hexadecimal", "1 1 1\n0x1p3\n", `in:2: "0x1p3" is not a number`},
		{"alpha ends", "1 2 1\n1\n", "in:2: the text ends here, and alpha[1] is expected"},
		{"alpha is too long", "1 2 1\n1\n2 3\n", "in:3: alpha has 2 numbers, and with this line 3"},
		{"a short row", "2 1 1\n1\n1 2\n1 2\n", "in:4: icf[0] is expected, a line of length 3, and this line has length 2"},
		{"a row is missing", "2 2 1\n1\n2\n1 2\n", "in:4: the text ends here, and mu[1] is expected"},
		{"no points", "1 1 3\n1\n1\n1\n", "in:4: 3 points and gamma m are expected, and there are 0 lines for them"},
		{"too few points", "1 1 3\n1\n1\n1\n1\n2\n1 0\n", "in:7: 3 points and gamma m are expected, and there are 3 lines for them"},
		{"too many points", "1 1 1\n1\n1\n1\n1\n2\n1 0\n", "in:7: this line is one too many: N is 1, and as many points and gamma m come before it"},
		{"a long point", "1 1 1\n1\n1\n1\n1 2\n1 0\n", "in:5: x[0] is expected, a line of length 1, and this line has length 2"},
		{"m is missing", "1 1 1\n1\n1\n1\n1\n1\n", "in:6: gamma m is expected, a line of length 2, and this line has length 1"},
		{"m is not whole", "1 1 1\n1\n1\n1\n1\n1 0.5\n", "in:6: m is 0.5, and a whole number is expected"},
	} {
		var b strings.Builder
		if err := convert("in", strings.NewReader(c.in), &b); err == nil || err.Error() != c.want || b.Len() > 0 {
			t.Errorf("%s:\ngot  %v\nwant %s", c.name, err, c.want)
		}
	}
	if err := run([]string{"in"}, nil, nil); err == nil || !strings.HasPrefix(err.Error(), "usage: ") {
		t.Errorf("one argument: %v", err)
	}
	if err := run([]string{"none.txt", "none.json"}, nil, nil); err == nil || err.Error() != "none.txt: no such file" {
		t.Errorf("no file: %v", err)
	}
}

// FuzzConvert reads any text as a model; what is written of one is JSON.
func FuzzConvert(f *testing.F) {
	f.Add("1 1 3\n.5\n+1\n-01.50\n007\n1e-3 2\n")
	f.Add("2 2 1\n\n0.12345678901234567890 2.\r\n1 2\n3 4\n1 2 3\n4 5 6\n7 8\n1 0\n\n")
	f.Add("1 1 1\none\n")
	f.Add("1 2 1\n1\n2 3\n")
	text, err := os.ReadFile("../data/gmm_test.txt")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(text))
	f.Fuzz(func(t *testing.T, text string) {
		m, err := readModel("in", strings.NewReader(text))
		if err != nil {
			if !strings.HasPrefix(err.Error(), "in:") {
				t.Errorf("%q: %v", text, err)
			}
			return
		}
		if m.points > 1000 {
			return // a single line may stand for many points
		}
		var b bytes.Buffer
		if err := m.write(&b); err != nil {
			t.Fatal(err)
		}
		in, err := data.ReadJSON(&diag.Source{Name: "out.json", Text: b.String()})
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		if got := strings.Join(in.Names(), " "); got != "alpha mu icf x gamma m" {
			t.Errorf("%q: inputs %s", text, got)
		}
	})
}
