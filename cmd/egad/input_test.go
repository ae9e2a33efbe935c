package main

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"egad/data"
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
	f.Fuzz(func(t *testing.T, in, size string) {
		flags := programFlags{sizes: []string{size}}
		sizes, err := flags.sizeMap()
		name, _, named := strings.Cut(size, "=")
		if err == nil && (!named || len(sizes) != 1 || sizes[name] < 0) {
			t.Errorf("--size %q: %v", size, sizes)
		}
		name, _, named = strings.Cut(in, "=")
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
