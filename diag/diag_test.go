package diag

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

func TestError(t *testing.T) {
	long := strings.Repeat("abcdefghij", 50)
	wide := strings.Repeat("é", 300)
	for _, c := range []struct {
		name, text string
		pos        int
		want       string
	}{
		{"the first line", "let x\nin", 4, "f:1:5: m\n    let x\n        ^"},
		{"the last line", "let x\nin y", 9, "f:2:4: m\n    in y\n       ^"},
		{"the end of a line", "ab\ncd", 2, "f:1:3: m\n    ab\n      ^"},
		{"the end of the text", "ab\n", 3, "f:2:1: m\n    \n    ^"},
		{"beyond the end", "ab", 100, "f:1:3: m\n    ab\n      ^"},
		{"no text", "", 0, "f:1:1: m\n    \n    ^"},
		{"columns are characters", "λé = ?", len("λé = "), "f:1:6: m\n    λé = ?\n         ^"},
		{"a tab is one column", "\tx\ty", 3, "f:1:4: m\n     x y\n       ^"},
		{"what is not visible is shown", "a\x1b[2Jb\u202ec\u200bd", 9, "f:1:8: m\n    a\\u{1b}[2Jb\\u{202e}c\\u{200b}d\n    " + strings.Repeat(" ", 19) + "^"},
		{"a byte that is no text", "a\xffb", 2, "f:1:3: m\n    a\\x{ff}b\n           ^"},
		{"lines of Windows", "ab\r\ncd\r\n", 5, "f:2:2: m\n    cd\n     ^"},
		{"a long line, its start", long, 3, "f:1:4: m\n    " + long[:100] + "\n       ^"},
		{"a long line, its middle", long, 250, "f:1:251: m\n    " + long[200:300] + "\n    " + strings.Repeat(" ", 50) + "^"},
		{"a long line, its end", long, 499, "f:1:500: m\n    " + long[400:] + "\n    " + strings.Repeat(" ", 99) + "^"},
		{"a long line, after its end", long, 500, "f:1:501: m\n    " + long[400:] + "\n    " + strings.Repeat(" ", 100) + "^"},
		{"a long line of wide characters", wide, 2 * 150, "f:1:151: m\n    " + wide[:200] + "\n    " + strings.Repeat(" ", 50) + "^"},
		{"a line of 100 characters", wide[:200], 198, "f:1:100: m\n    " + wide[:200] + "\n    " + strings.Repeat(" ", 99) + "^"},
		{"a long line before", long + "\nx", 501, "f:2:1: m\n    x\n    ^"},
	} {
		e := Errorf(&Source{Name: "f", Text: c.text}, Pos(c.pos), "m")
		if got := e.Error(); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
	if got := Errorf(nil, 7, "%d sets", 3).Error(); got != "3 sets" {
		t.Errorf("without a source: %q", got)
	}
}

// The work for a finding on a long line does not allocate in proportion to it.
func TestErrorOnLongLine(t *testing.T) {
	text := strings.Repeat("x é ", 2_500_000)
	e := Errorf(&Source{Name: "f", Text: text}, Pos(len(text)/2), "m")
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	shown := e.Error()
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; n > 10_000 {
		t.Errorf("%d bytes are allocated", n)
	}
	if lines := strings.Split(shown, "\n"); utf8.RuneCountInString(lines[1]) != 4+maxShown {
		t.Errorf("shown as\n%s", shown)
	}
}

func TestMessageIsBounded(t *testing.T) {
	for _, word := range []string{"x", "é", "λ→"} {
		e := Errorf(nil, 0, "first %s last", strings.Repeat(word, 10_000))
		if !strings.HasPrefix(e.Msg, "first "+word) || !strings.HasSuffix(e.Msg, word+" last") || len(e.Msg) > maxMessage+10 || !utf8.ValidString(e.Msg) {
			t.Errorf("%d bytes: %.30s", len(e.Msg), e.Msg)
		}
	}
}

func TestList(t *testing.T) {
	a, b := &Source{Name: "a", Text: "1\n2\n3"}, &Source{Name: "b", Text: "1\n2\n3"}
	var l List
	if err := l.Err(); err != nil {
		t.Errorf("no findings: %v", err)
	}
	l.Add(b, 4, "b, late")
	l.Add(a, 2, "a, late")
	l.Add(b, 0, "b, early")
	l.Add(a, 2, "a, later")
	l.Add(b, 4, "b, late")
	l.Add(a, 0, "a, early")
	var got []string
	for _, e := range l.Err().(List) {
		got = append(got, e.Msg)
	}
	// The files as they were met, each in the order of its text, each finding once.
	if want := "b, early|b, late|a, early|a, late|a, later"; strings.Join(got, "|") != want {
		t.Errorf("got %s, want %s", strings.Join(got, "|"), want)
	}
	if text := l.Error(); strings.Count(text, "\n") != 5*3-1 {
		t.Errorf("printed as\n%s", text)
	}
}

func TestListIsBounded(t *testing.T) {
	src := &Source{Name: "a", Text: strings.Repeat("x", 3*maxErrors)}
	var l List
	for i := range MaxShownErrors + 3 {
		l.Add(src, Pos(i), "m")
	}
	if text := l.Error(); !strings.HasSuffix(text, "\n… and 3 more") || strings.Count(text, ": m\n") != MaxShownErrors {
		t.Errorf("printed as\n%s", text)
	}
	for i := range 3 * maxErrors {
		l.Add(src, Pos(i), "m")
	}
	if !l.Full() || len(l) != maxErrors || !strings.HasSuffix(l.Error(), "\n… and many more") {
		t.Errorf("%d findings: %v", len(l), l)
	}
}

func TestReadSource(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	good := file("good", "λ\n")
	if s, err := ReadSource(good); err != nil || s.Name != good || s.Text != "λ\n" {
		t.Errorf("%v, %v", s, err)
	}
	marked := file("marked", "\ufeffλ\n")
	if s, err := ReadSource(marked); err != nil || s.Text != "λ\n" {
		t.Errorf("with a byte order mark: %v, %v", s, err)
	}
	if endless := "/dev/zero"; runtime.GOOS == "linux" {
		if s, err := ReadSource(endless); err == nil || !strings.Contains(err.Error(), ": not a text file") {
			t.Errorf("a file without an end: %v, %v", s, err)
		}
	}
	large := file("large", "")
	if err := os.Truncate(large, MaxFileBytes+1); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		dir:                         ": is a directory, not a file",
		filepath.Join(dir, "none"):  ": no such file",
		filepath.Join(good, "none"): "not a directory",
		file("latin", "caf\xe9"):    ": not a text file (UTF-8)",
		file("zero", "a\x00b"):      ": not a text file (UTF-8)",
		large:                       ": more than the 16777216 bytes that such a file may have",
	} {
		if s, err := ReadSource(path); s != nil || err == nil || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", path, err, want)
		}
	}
}

// A text of which the size is not known beforehand is read as if it were, up to
// the limit.
func TestCause(t *testing.T) {
	for _, c := range []struct {
		cause error
		want  string
	}{
		{fs.ErrNotExist, "x: no such file"},
		{fs.ErrPermission, "x: permission denied"},
		{io.ErrUnexpectedEOF, "x: unexpected EOF"},
	} {
		err := plain("x", &fs.PathError{Op: "open", Path: "x", Err: c.cause})
		if err.Error() != c.want || !errors.Is(err, c.cause) {
			t.Errorf("%v of %v, want %s", err, c.cause, c.want)
		}
		if e := Errorf(nil, 0, "first: %w", err); e.Msg != "first: "+c.want || !errors.Is(e, c.cause) {
			t.Errorf("%v is not of %v", e, c.cause)
		}
	}
}

func TestGather(t *testing.T) {
	text := strings.Repeat("0123456789", 300_000)
	for _, size := range []int64{0, 1, int64(len(text)), 5_000_000} {
		if got, err := gather(strings.NewReader(text), size, 5_000_000); err != nil || got != text {
			t.Errorf("size %d: %d bytes, %v", size, len(got), err)
		}
		if got, err := gather(strings.NewReader(text), size, int64(len(text))); err != nil || got != text {
			t.Errorf("size %d: %d bytes, %v", size, len(got), err)
		}
		if _, err := gather(strings.NewReader(text), size, int64(len(text))-1); err != errTooLarge {
			t.Errorf("size %d, a byte too many: %v", size, err)
		}
	}
	if got, err := gather(strings.NewReader(""), 0, 10); err != nil || got != "" {
		t.Errorf("nothing: %q, %v", got, err)
	}
	if got, err := gather(strings.NewReader(""), 0, 0); err != nil || got != "" {
		t.Errorf("nothing, and nothing is allowed: %q, %v", got, err)
	}
}

func TestNearest(t *testing.T) {
	for _, c := range []struct {
		name       string
		candidates []string
		want       string
	}{
		{"lenght", []string{"height", "length"}, "length"},
		{"exq", []string{"log", "exp"}, "exp"},
		{"b", []string{"a", "c"}, ""}, // nothing of the name would be left
		{"b", []string{"a"}, "a"},     // there is no other choice
		{"/", []string{"f"}, ""},      // a word is no choice
		{"f", []string{"+"}, ""},
		{"+", []string{"-"}, "-"},
		{"exq", []string{"eq", "exp"}, "exp"}, // begins as the name does
		{"exq", []string{"axq", "exa"}, "exa"},
		{"summ", []string{"sum2", "sum"}, "sum"},
		{"sum", []string{"product", "maximum"}, ""},
		{"ab", []string{"ac", "ad"}, "ac"}, // the first of those that are as near
		{"x", nil, ""},
		{strings.Repeat("x", 41), []string{strings.Repeat("x", 42)}, ""},
		{"lenght", make([]string, MaxCandidates+1), ""},
	} {
		got, ok := Nearest(c.name, c.candidates)
		if got != c.want && ok || ok != (c.want != "") {
			t.Errorf("%.10s among %.60q: %q, %v", c.name, c.candidates, got, ok)
		}
	}
	if got := DidYouMean("lenght", []string{"length"}); got != " (did you mean length?)" {
		t.Errorf("%q", got)
	}
}

// The distance counts insertions, deletions, replacements and swaps, and is the
// same from both sides.
func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"abc", "abc", 0}, {"", "abc", 3}, {"abc", "abd", 1}, {"abc", "ac", 1}, {"abcd", "abdc", 1}, {"kitten", "sitting", 3}, {"ca", "abc", 3}} {
		if got, back := distance(c.a, c.b), distance(c.b, c.a); got != c.want || back != c.want {
			t.Errorf("%q and %q: %d and %d, want %d", c.a, c.b, got, back, c.want)
		}
	}
}

func TestFindingsAreErrors(t *testing.T) {
	var l List
	l.Add(nil, 0, "m")
	var list List
	if !errors.As(l.Err(), &list) || len(list) != 1 {
		t.Error("a list is not found in its error")
	}
	var one *Error
	if err := error(Errorf(nil, 0, "m")); !errors.As(err, &one) {
		t.Error("a finding is not found in its error")
	}
}

func TestPrintable(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"", ""},
		{"a b~λ→é日本∀", "a b~λ→é日本∀"},
		{"e\u0301 שלום", "e\u0301 שלום"}, // a combining accent; letters from right to left
		{"\x1b]0;x\a", `\u{1b}]0;x\u{7}`},
		{"a\nb\tc\r", `a\u{a}b\u{9}c\u{d}`},
		{"\x7f\u0080\u009b31m\u009f", `\u{7f}\u{80}\u{9b}31m\u{9f}`},
		{"\u202a\u202e\u2066\u2069\u200e\u200f\u061c", `\u{202a}\u{202e}\u{2066}\u{2069}\u{200e}\u{200f}\u{61c}`},
		{"\u200b\u200c\u200d\u2060\ufeff\u00ad\u034f", `\u{200b}\u{200c}\u{200d}\u{2060}\u{feff}\u{ad}\u{34f}`},
		{"\u00a0\u2003\u2028\u2029\u3000", `\u{a0}\u{2003}\u{2028}\u{2029}\u{3000}`},
		{"\u3164\uffa0\u115f\ufe0f\U000e0041\ue000", `\u{3164}\u{ffa0}\u{115f}\u{fe0f}\u{e0041}\u{e000}`},
		{"a\xffb\xc3", `a\x{ff}b\x{c3}`},
		{"\ufffd", "\ufffd"},
	} {
		if got := Printable(c.in); got != c.want {
			t.Errorf("%q is shown as %s, want %s", c.in, got, c.want)
		}
		if got := Printable(Printable(c.in)); got != c.want {
			t.Errorf("%q is shown twice as %s", c.in, got)
		}
	}
	if got := PrintableLines("a\n\tb\x1b\n"); got != "a\n\tb\\u{1b}\n" {
		t.Errorf("lines are shown as %q", got)
	}
	// Names, messages and details of findings.
	e := Errorf(&Source{Name: "a\nb\x1b.egad", Text: "x"}, 0, "unknown name \u202e")
	e.Detail = "first\nsecond\x07"
	if got := e.Error(); got != "a\\u{a}b\\u{1b}.egad:1:1: unknown name \\u{202e}\n    x\n    ^\n  first\n  second\\u{7}" {
		t.Errorf("shown as %q", got)
	}
}

func TestAllowFiles(t *testing.T) {
	defer AllowFiles(MaxFileBytes)
	path := filepath.Join(t.TempDir(), "f.egad")
	if err := os.WriteFile(path, []byte("def f: R = 1\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		bytes int64
		words int
		fails bool
	}{{10, 1000, true}, {13, 1000, false}, {MaxFileBytes, 1000, false}, {3 * MaxFileBytes, 3000, false}} {
		AllowFiles(c.bytes)
		if _, err := ReadSource(path); (err != nil) != c.fails || Words(1000) != c.words {
			t.Errorf("%d bytes: %v, %d words", c.bytes, err, Words(1000))
		}
	}
}

func TestDuration(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0 ns", 999: "999 ns", 1000: "1 µs", 9940: "9.9 µs", 9960: "10 µs", 123456: "123 µs", 2 * time.Millisecond: "2 ms",
		1600 * time.Second: "1600 s", 1e9 - 1: "1000 ms",
	} {
		if got := Duration(d); got != want {
			t.Errorf("%d: %s, expected %s", d, got, want)
		}
	}
}
