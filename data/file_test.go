package data

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"egad/diag"
	"egad/internal/raise"
)

func TestFiles(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	sparse := func(name string) string {
		path := write(name, "")
		if err := os.Truncate(path, MaxFileBytes+1); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, c := range []struct {
		name, path, want string
	}{
		{"a scalar", write("s.json", " 1 "), ""},
		{"a byte order mark", write("bom.json", "\ufeff[1]"), ""},
		{"a table with a byte order mark", write("bom.csv", "\ufeff1,2\n"), ""},
		{"upper case", write("X.CSV", "1"), ""},
		{"no such JSON file", filepath.Join(dir, "none.json"), "none.json: no such file"},
		{"no such .npy file", filepath.Join(dir, "none.npy"), "none.npy: no such file"},
		{"a folder", write("sub", "") + ".json", "sub.json: no such file"},
		{"an unknown form", write("x.txt", "1"), "x.txt: the value of an input is in a .json, .csv or .npy file"},
		{"not text", write("bin.json", "[1, \xff]"), "bin.json: not a text file (UTF-8)"},
		{"a zero byte", write("zero.csv", "1,\x002\n"), "zero.csv: not a text file (UTF-8)"},
		{"a large JSON file", sparse("large.json"), "large.json: more than the 1073741824 bytes that such a file may have"},
		{"a large .npy file", sparse("large.npy"), "large.npy: more than the 1073741824 bytes that such a file may have"},
		{"two values", write("two.json", "1 2"), "two.json:1:3: the text has to end after its value, and here is a number\n    1 2\n      ^"},
		{"a bad value", write("bad.json", "[null]"), "bad.json:1:2: the value[0] is null, which is no value\n    [null]\n     ^"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := ReadValue(c.path)
			got := ""
			if err != nil {
				got = strings.TrimPrefix(err.Error(), dir+string(filepath.Separator))
			}
			if got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
	if err := os.Mkdir(filepath.Join(dir, "d.json"), 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadText(filepath.Join(dir, "d.json")); err == nil || !strings.HasSuffix(err.Error(), "is a directory, not a file") {
		t.Errorf("a folder: %v", err)
	}
}

// TestLimits reads what has too many elements or items, with lower limits where
// the text would be large.
func TestLimits(t *testing.T) {
	p := newParser(&diag.Source{Name: "x.json", Text: `{"x": [[1, 2], [3, 4]]}`})
	p.limit = 3
	err := raise.Catch(func() { p.object(&Inputs{}) })
	if got := firstLine(err); got != "x.json:1:20: the text has more than the 3 elements that are allowed" {
		t.Error(got)
	}
	_, err = new(Reader).csv(&diag.Source{Name: "x.csv", Text: "1,2\n3,4\n"}, 3)
	if got := firstLine(err); got != "x.csv:2:1: the table has more than the 3 elements that are allowed" {
		t.Error(got)
	}
	for want, text := range map[string]string{
		"x.json:1:210008: x[70000] has 1 element, and x[0] has 0: the items of an array have the same type and shape": `{"x": [` + strings.Repeat("[],", 70_000) + "[1]]}",
		"x.json:1:11: x[1] has 1 element, and x[0] has 0: the items of an array have the same type and shape":         `{"x": [[],[1],` + strings.Repeat("[],", 70_000) + "[]]}",
	} {
		_, err := ReadJSON(&diag.Source{Name: "x.json", Text: text})
		if got := firstLine(err); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
	_, err = ReadJSON(&diag.Source{Name: "x.json", Text: `{"x": [` + strings.Repeat("null,", 1000) + "1]}"})
	if n := len(err.(diag.List)); n != maxFindings {
		t.Errorf("%d findings", n)
	}
}

func firstLine(err error) string {
	if err == nil {
		return "no error"
	}
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}
