package data

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"egad/diag"
	"egad/internal/testflag"
	"egad/term"
	"egad/term/module"
)

// A message case is a definition and files that do not fit it.
type messageCase struct {
	name  string
	def   string // "" for a case that ends while reading
	files []string
	sizes map[string]int64
}

const (
	dotDef   = "def dot[n](a: R[n], b: R[n]): R = sum (build n (\\i -> a[i] * b[i]))"
	matDef   = "def f[m, n](x: R[m, n]): R = 0.0"
	wholeDef = "def f[n](x: I[n]): R = 0.0"
	tupleDef = "def f[n](p: (R, (I[n], B))): R = 0.0"
)

// Each file is its name, a newline and its text; the value of a .csv file is
// given to the input that the file is called after.
var messageCases = []messageCase{
	{"an input is missing", dotDef, []string{"in.json\n{\"a\": [1, 2]}"}, nil},
	{"all inputs are missing", dotDef, []string{"in.json\n{}"}, nil},
	{"an input is missing in several files", dotDef, []string{"a.csv\n1,2\n", "in.json\n{\"c\": 1}"}, nil},
	{"an unknown input", dotDef, []string{"in.json\n{\"a\": [1], \"b\": [1],\n \"c\": 2, \"weights\": 3}", "bb.csv\n1\n"}, nil},
	{"an input has a strange name", dotDef, []string{"in.json\n{\"a\": [1], \"\\n\\\"\": 2, \"\": 3}"}, nil},
	{"a size in a file is no whole number", dotDef, []string{"in.json\n{\"a\": [1], \"b\": [1], \"n\": [1]}"}, nil},
	{"a size in a file is another", dotDef, []string{"in.json\n{\"a\": [1], \"b\": [1], \"n\": 2}"}, nil},
	{"a truth value that is 2", "def f[n](x: B[n]): R = real n", []string{"in.json\n{\"x\": [0, 1, 2]}"}, nil},
	{"a truth value that is 2 in a matrix", "def f[m, n](x: B[m, n]): R = 0.0", []string{"in.json\n{\"x\": [[1, 0],\n [0, 2]]}"}, nil},
	{"a truth value that is 2 in a table", "def f[m, n](x: B[m, n]): R = 0.0", []string{"x.csv\n1,0\n0,2\n"}, nil},
	{"a truth value that is a fraction", "def f(x: B): R = 0.0", []string{"in.json\n{\"x\": 0.5}"}, nil},
	{"a name is given twice in an object", dotDef, []string{"in.json\n{\"a\": [1],\n \"b\": [1],\n \"\\u0061\": [2]}"}, nil},
	{"a name is given in two files", dotDef, []string{"in.json\n{\"a\": [1], \"b\": [2]}", "b.csv\n1\n", "more.json\n{\"a\": [1]}"}, nil},

	{"a scalar where a vector belongs", dotDef, []string{"in.json\n{\"a\": 1, \"b\": [[1, 2], [3, 4]]}"}, nil},
	{"a vector where a scalar belongs", "def f(x: R): R = x", []string{"in.json\n{\"x\": [1]}"}, nil},
	{"an empty list where a scalar belongs", "def f(x: R): R = x", []string{"in.json\n{\"x\": []}"}, nil},
	{"a matrix with a short row", matDef, []string{"in.json\n{\"x\": [[1, 2, 3],\n       [4, 5],\n       [6]]}"}, nil},
	{"a matrix with a number as a row", matDef, []string{"in.json\n{\"x\": [[1, 2, 3], 4]}"}, nil},
	{"a ragged array inside", matDef, []string{"in.json\n{\"x\": [[[1, 2], [3, 4]], [[5, 6], [7]]]}"}, nil},
	{"numbers and truth values", matDef, []string{"in.json\n{\"x\": [[1, true]]}"}, nil},

	{"sizes of two inputs", dotDef, []string{"in.json\n{\"a\": [1, 2, 3],\n \"b\": [1, 2, 3, 4]}"}, nil},
	{"sizes of one input", "def f[n](x: R[n, n]): R = 0.0", []string{"in.json\n{\"x\": [[1, 2]]}"}, nil},
	{"a size given otherwise", dotDef, []string{"in.json\n{\"a\": [1], \"b\": [1]}"}, map[string]int64{"n": 2}},
	{"sizes that are not there", dotDef, []string{"in.json\n{\"a\": [1], \"b\": [1]}"}, map[string]int64{"N": 1, "n": -1}},
	{"an axis that is an expression", "def f[n](a: R[n], x: R[2*n]): R = 0.0", []string{"in.json\n{\"a\": [1, 2, 3], \"x\": [1, 2, 3, 4, 5]}"}, nil},
	{"an axis of two sizes", "def f[m, n](a: R[n], b: R[m], x: R[3, m + n]): R = 0.0", []string{"in.json\n{\"a\": [1], \"b\": [1], \"x\": [[1], [2]]}"}, nil},
	{"an axis that cannot be", "def f[n](a: R[n], x: R[n - 2]): R = 0.0", []string{"in.json\n{\"a\": [1], \"x\": []}"}, nil},
	{"a size that no input has alone", "def f[n](x: R[n*n]): R = 0.0", []string{"in.json\n{\"x\": [1, 2]}"}, nil},
	{"a size as a parameter", "def f(n: size, x: R): R = x * real n", []string{"in.json\n{\"x\": 1}"}, nil},
	{"an axis that is so for no size", "def f[m, n](x: R[2*n], y: R[m], z: R[3*m - 1]): R = 0.0", []string{"in.json\n{\"x\": [1, 2, 3], \"y\": [1], \"z\": [1, 2, 3]}"}, nil},
	{"an axis that is so for no size by another", "def f[m, n](x: R[m + n], y: R[m]): R = 0.0", []string{"in.json\n{\"x\": [1, 2, 3], \"y\": [1, 2, 3, 4]}"}, nil},
	{"a size in an axis that an empty array does not tell", "def f[m, n](x: R[m, 2*n]): R = 0.0", []string{"in.json\n{\"x\": []}"}, nil},
	{"a size that an empty array does not tell", matDef, []string{"in.json\n{\"x\": []}"}, nil},

	{"not whole numbers", "def f[n](x: I[n], y: I, z: I[n, n]): R = 0.0", []string{"in.json\n{\"x\": [1, 2.0, 3e0, 4.5], \"y\": 9223372036854775808,\n \"z\": [[1, 2], [\"NaN\",\n  4]]}"}, nil},
	{"a fraction that float64 does not see", wholeDef, []string{"in.json\n{\"x\": [9007199254740993.5]}"}, nil},
	{"not whole numbers in a table", "def f[m, n](x: I[m, n]): R = 0.0", []string{"x.csv\n1,2\n3,4.25\n"}, nil},
	{"numbers for truth values", "def f[n](x: B[n], y: R): R = 0.0", []string{"in.json\n{\"x\": [0, 1], \"y\": true}"}, nil},

	{"a number for a tuple", tupleDef, []string{"in.json\n{\"p\": 1}"}, nil},
	{"a tuple with too few components", tupleDef, []string{"in.json\n{\"p\": [1, [2]]}"}, nil},
	{"a tuple with wrong components", tupleDef, []string{"in.json\n{\"p\": [[1], [[1, 2.5], 3]]}"}, nil},
	{"a tuple from a table", tupleDef, []string{"p.csv\n1,2\n"}, nil},
	{"a component is missing", tupleDef, []string{"in.json\n{\"p.0\": 1, \"p.1.0\": [2]}"}, nil},
	{"a component is given twice", tupleDef, []string{"in.json\n{\"p\": [1, [[2], true]], \"p.0\": 1}"}, nil},
	{"a function", "def f(g: R -> R, x: R): R = g x", []string{"in.json\n{\"g\": 1, \"x\": 1}"}, nil},

	{"words where numbers belong", "", []string{"in.json\n{\"a\": [NaN, -Infinity, null, \"one\", {\"b\": [null]}, True, 01, +1, .5, 1., 0x10],\n \"b\": null, \"c\": {}}"}, nil},
	{"a number out of range", "", []string{"in.json\n{\"a\": [1, -1e400]}"}, nil},
	{"not an object", "", []string{"in.json\n[1, 2]"}, nil},
	{"an empty text", "", []string{"in.json\n"}, nil},
	{"something follows", "", []string{"in.json\n{\"a\": 1}\n{\"b\": 2}"}, nil},
	{"the text ends in a list", "", []string{"in.json\n{\"a\": [1, 2"}, nil},
	{"the text ends in a string", "", []string{"in.json\n{\"a"}, nil},
	{"a comma too many", "", []string{"in.json\n{\"a\": [1, 2,]}"}, nil},
	{"a comma too many in the object", "", []string{"in.json\n{\"a\": 1,\n}"}, nil},
	{"a comma is missing", "", []string{"in.json\n{\"a\": [1 2]}"}, nil},
	{"a colon is missing", "", []string{"in.json\n{\"a\" [1]}"}, nil},
	{"a name without quotes", "", []string{"in.json\n{a: [1]}"}, nil},
	{"a value is missing", "", []string{"in.json\n{\"a\": , \"b\": 1}"}, nil},
	{"a bad escape", "", []string{"in.json\n{\"\\q\": 1}"}, nil},
	{"lists nested too deep", "", []string{"in.json\n{\"a\": " + strings.Repeat("[", 17) + strings.Repeat("]", 17) + "}"}, nil},
	{"objects nested too deep", "", []string{"in.json\n{\"a\": " + strings.Repeat("{\"a\":", 20) + strings.Repeat("}", 20) + "}"}, nil},
	{"a position on a long line", "", []string{"in.json\n{\"a\": [" + strings.Repeat("1, ", 100) + "x, " + strings.Repeat("1, ", 100) + "2]}"}, nil},

	{"a table with a short row", "", []string{"x.csv\n# made by hand\n\na,b\n1,2\n\n3\n4,5,6\n"}, nil},
	{"a table with words", "", []string{"x.csv\n1,two\n3,\n0x1p3,1_000\n"}, nil},
	{"a table with two headers", "", []string{"x.csv\na,b\nc,d\n1,2\n"}, nil},
	{"a table without commas", "", []string{"x.csv\n1;2\n3 4\n"}, nil},
	{"a table of one row without commas", "", []string{"x.csv\n1;2\n"}, nil},
	{"a table of words", "", []string{"x.csv\nthis is no table\n"}, nil},
	{"a table of numbers and truth values", "", []string{"x.csv\n1,true\nfalse,2\n"}, nil},
	{"a table of truth values and numbers", "", []string{"x.csv\na,b\ntrue,FALSE\n\n0,yes\n"}, nil},
	{"truth values where numbers belong", matDef, []string{"x.csv\ntrue,false\n"}, nil},
	{"an empty table", "", []string{"x.csv\n"}, nil},
	{"a table with a number out of range", "", []string{"x.csv\n1e999\n"}, nil},
	{"a table with a stray quote", "", []string{"x.csv\n1,2\n3,\"4\n"}, nil},
	{"a table of two columns for a vector", dotDef, []string{"a.csv\n1,2\n3,4\n", "b.csv\n1\n2\n"}, nil},
}

// TestMessages compares what is said about bad files with testdata/messages.txt.
func TestMessages(t *testing.T) {
	var b strings.Builder
	for _, c := range messageCases {
		err := c.run(t)
		if err == nil {
			t.Errorf("%s: no error", c.name)
			continue
		}
		fmt.Fprintf(&b, "## %s\n", c.name)
		if c.def != "" {
			fmt.Fprintf(&b, "%s\n", c.def)
		}
		fmt.Fprintf(&b, "%v\n\n", err)
	}
	const golden = "testdata/messages.txt"
	if testflag.Update {
		if err := os.WriteFile(golden, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Split(b.String(), "\n\n")
	for i, w := range strings.Split(string(want), "\n\n") {
		if i >= len(got) || got[i] != w {
			t.Fatalf("want\n%s\ngot\n%s", w, got[min(i, len(got)-1)])
		}
	}
}

// run reads the files and binds them.
func (c messageCase) run(t *testing.T) error {
	t.Helper()
	in := &Inputs{}
	var errs []string
	note := func(err error) {
		if err != nil {
			errs = append(errs, err.Error())
		}
	}
	for _, f := range c.files {
		name, text, _ := strings.Cut(f, "\n")
		src := &diag.Source{Name: name, Text: text}
		if input, ok := strings.CutSuffix(name, ".csv"); ok {
			raw, err := new(Reader).csv(src, MaxElements)
			note(err)
			if err == nil {
				note(in.Add(input, raw))
			}
			continue
		}
		more, err := ReadJSON(src)
		note(err)
		if err == nil {
			note(in.AddAll(more))
		}
	}
	if len(errs) == 0 && c.def != "" {
		_, _, err := Bind(define(t, c.def), in, c.sizes)
		note(err)
	}
	if len(errs) == 0 {
		return nil
	}
	return fmt.Errorf("%s", strings.Join(errs, "\n"))
}

// define checks one definition.
func define(t testing.TB, text string) module.DefInfo {
	t.Helper()
	m, err := module.Load(term.NewSignature(), &diag.Source{Name: "test.egad", Text: text})
	if err != nil {
		t.Fatal(err)
	}
	info, err := m.Lookup("")
	if err != nil {
		t.Fatal(err)
	}
	return info
}
