package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"egad/data"
	"egad/diag"
)

func TestSizeMap(t *testing.T) {
	f := programFlags{sizes: []string{"n=10", "m=0", "n=10"}}
	if got, err := f.sizeMap(); err != nil || len(got) != 2 || got["n"] != 10 || got["m"] != 0 {
		t.Errorf("%v, %v", got, err)
	}
	for _, sizes := range [][]string{{"n"}, {"n="}, {"=3"}, {"n=-1"}, {"n=1.5"}, {"n=x"}, {"n=99999999999999999999"}, {"n=1", "n=2"}, {""}} {
		var usage usageError
		if _, err := (&programFlags{sizes: sizes}).sizeMap(); !errors.As(err, &usage) || !strings.HasPrefix(err.Error(), "--size ") {
			t.Errorf("%q: %v", sizes, err)
		}
	}
}

// FuzzInputs reads any text as the values of --in and --size. Files are not
// opened: those are for the fuzz targets of package data.
func FuzzInputs(f *testing.F) {
	f.Add("x=[1, 2.5, -1e3]", "n=3")
	f.Add(`p=[[1, [true, "NaN"]], []]`, "n=03")
	f.Add("x==1", "=n=")
	f.Add("x=", "n")
	f.Add("=5", "n=-1")
	f.Add("x", "n=9223372036854775808")
	f.Add("x=[1", "n=1e3")
	f.Add("x=[[1], [2, 3]]", "é=7")
	f.Add("x=[]", "n=1,\xf7m\"=1")
	f.Add("0", "\v\v\vn=1")
	f.Add("0", "n=1, m=2")
	f.Fuzz(func(t *testing.T, in, size string) {
		flags := programFlags{sizes: []string{size}}
		sizes, err := flags.sizeMap()
		for _, one := range strings.Split(size, ",") {
			name, _, named := strings.Cut(strings.Trim(one, " "), "=")
			if n, ok := sizes[name]; err == nil && (!named || !ok || n < 0) {
				t.Errorf("--size %q: %v", size, sizes)
			}
		}
		name, _, named := strings.Cut(in, "=")
		if filepath.Ext(in) != "" {
			return
		}
		all, err := readInputs(&data.Reader{}, "--in", []string{in})
		if err != nil {
			if err.Error() == "" {
				t.Errorf("--in %q: an error without words", in)
			}
			return
		}
		if names := all.Names(); !named || len(names) != 1 || names[0] != name || name == "" {
			t.Errorf("--in %q: the inputs %q", in, names)
		}
	})
}

// broken panics when it is written to, as a defect of egad would.
type broken struct{}

func (broken) Write([]byte) (int, error) { panic("a defect") }

// A defect has a status of its own, and is said.
func TestInternalError(t *testing.T) {
	var errOut strings.Builder
	if got := run([]string{"rules", "list"}, broken{}, &errOut); got != statusFailure || errOut.String() != "egad: internal error: a defect\n" {
		t.Errorf("status %d: %s", got, errOut.String())
	}
}

// What is in a name, a file or a flag does not reach a terminal as it is: neither
// in messages, of egad or of the library for flags, nor in what people read.
func TestNothingSteersTheTerminal(t *testing.T) {
	bad := "x\x1b[31m\u009b2J\u202e\u200b\r"
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Skipf("this file system has no such names: %v", err)
		}
		return path
	}
	good := file("p.egad", "def f(x: R): R = x\n")
	program := file(bad+"\n.egad", "-- | "+bad+"\ndef f(x: R): R = x\n")
	wrong := file("w.egad", "def f(x: R): R = "+bad+" + y\ndef f(x: R): R = x")
	mine := file("r.rules", "-- | Mine, "+bad+".\nruleset mine\n\n-- | This "+bad+" too.\nrule twice exact -- "+bad+"\n  neg (neg x) => x\n")
	graph := file("g.json", `{"nodes": {"a": {"op": "`+strings.NewReplacer("\x1b", `\u001b`, "\r", `\r`).Replace(bad)+`", "eclass": "c", "children": [], "cost": 1}}, "root_eclasses": ["c"]}`)
	lang := file("l.rules", "language l\nsort S\nsymbol a b : S\ntest t\n  start a "+bad+"\n")
	input := file(bad+"\n.json", `{"`+"y\u202e"+`": 1}`)
	for _, args := range [][]string{
		{bad}, {"check", bad + "\n.egad"}, {"check", program}, {"check", wrong}, {"check", mine}, {"check", lang},
		{"run", "--" + bad}, {"run", "-" + bad}, {"run", good, "--size", bad}, {"run", good, "--size=" + bad + "\n=1"},
		{"run", good, "--in", bad}, {"run", good, "--in", "x=" + bad}, {"run", good, "--in", bad + "\n=1"}, {"run", good, "--in", input},
		{"run", good, "--in", "x=\n" + bad + ".npy"}, {"run", good, "--def", bad}, {"run", good, "--rules", bad}, {"run", good, "--in", "x=1", "--out", "/no\n" + bad + "/x"},
		{"grad", good, "--order", bad}, {"grad", good, "--wrt", bad}, {"grad", good, "--wrt", `"` + bad}, {"jacobian", good, "--mode", bad + "\n"},
		{"stages", good, "--stage", bad}, {"dot", good, "--out", bad}, {"dot", good, "--egraph", bad}, {"dot", good, "--stage", bad},
		{"rules", bad}, {"rules", "list", bad}, {"rules", "list", mine}, {"rules", "show", bad}, {"rules", "show", "twice", mine}, {"rules", "check", mine, "--count", "1"},
		{"rules", "check", "--count", bad}, {"rules", "check", "--seed=\n" + bad},
		{"saturate", bad + "\n"}, {"saturate", lang}, {"saturate", lang, "--time", bad}, {"saturate", lang, "--test", bad},
		{"extract", graph}, {"extract", graph, "--method", bad}, {"extract", graph, "--root", bad}, {"extract", "--steps", bad}, {"help", bad},
	} {
		var out, errOut strings.Builder
		run(args, &out, &errOut)
		text := out.String() + errOut.String()
		if text == "" {
			t.Errorf("%q: nothing is said", args)
		}
		if got := diag.PrintableLines(text); got != text || strings.Contains(text, "\t") {
			t.Errorf("%q: %q", args, text)
		}
		for i, line := range strings.Split(text, "\n") {
			if i > 0 && strings.IndexAny(line, "x.=") == 0 && args[0] != "extract" {
				t.Errorf("%q: an argument ends a line: %q", args, text)
			}
		}
	}
}
