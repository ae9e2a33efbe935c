// Package diag reports what is wrong with a file: position, message, the source
// line and a caret.
package diag

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"egad/internal/slice"
)

// Source is a text file in memory.
type Source struct {
	Name string
	Text string
	// Origin, if not nil, tells which line of a Go program wrote what is at a place of
	// the text.
	Origin func(Pos) (file string, line int)
}

// Pos is a byte offset in a [Source].
type Pos int

// Error is one finding.
type Error struct {
	Src *Source // nil if the finding is not in a text
	Pos Pos
	Msg string
	// Detail is what is shown below the source line, on lines of its own.
	Detail string
	// Want is what was expected of a value, as a type of the language; "" if the
	// finding is of another kind.
	Want string
	// Err, if not nil, is the error that was found there.
	Err error
}

// Unwrap is the error that was found, if there is one.
func (e *Error) Unwrap() error { return e.Err }

// maxMessage bounds a message, in bytes: types and names in it may be long.
const maxMessage = 2000

// Errorf makes an [Error], which wraps the error of %w in the format, if there is one.
func Errorf(src *Source, pos Pos, format string, args ...any) *Error {
	err := fmt.Errorf(format, args...)
	msg := err.Error()
	if len(msg) > maxMessage {
		msg = strings.ToValidUTF8(msg[:maxMessage/2], "") + " … " + strings.ToValidUTF8(msg[len(msg)-maxMessage/2:], "")
	}
	return &Error{Src: src, Pos: pos, Msg: msg, Err: errors.Unwrap(err)}
}

// LineCol gives the line and the column of p, from 1; columns count characters.
func (s *Source) LineCol(p Pos) (line, col int) {
	before := s.Text[:min(int(p), len(s.Text))]
	line = 1 + strings.Count(before, "\n")
	last := before[strings.LastIndexByte(before, '\n')+1:]
	return line, 1 + utf8.RuneCountInString(last)
}

// Line gives the line of p, from 1.
func (s *Source) Line(p Pos) int {
	line, _ := s.LineCol(p)
	return line
}

// Position is where the finding is: in which file, and the line and the column from 1;
// "", 0, 0 if it is not in a text. Of what a Go program has written it is the line of
// that, and the column is 0.
func (e *Error) Position() (file string, line, col int) {
	if e == nil || e.Src == nil {
		return "", 0, 0
	}
	if e.Src.Origin != nil {
		file, line = e.Src.Origin(e.Pos)
		return file, line, 0
	}
	line, col = e.Src.LineCol(e.Pos)
	return e.Src.Name, line, col
}

// maxShown bounds the part of a source line that is shown.
const maxShown = 100

// Error is "file:line:col: message", the source line, a caret under the column, and
// the detail. Of a Go program there is no column, and the line that is shown is one of
// the text that it has written, if it has.
func (e *Error) Error() string {
	msg := PrintableLines(e.Msg)
	if e.Src == nil {
		return msg
	}
	file, line, col := e.Position()
	text := fmt.Sprintf("%s:%d: %s", Printable(file), line, msg)
	if col > 0 {
		text = fmt.Sprintf("%s:%d:%d: %s", Printable(file), line, col, msg)
	}
	if e.Src.Text != "" || col > 0 {
		shown, at := e.Src.around(e.Pos)
		text += fmt.Sprintf("\n    %s\n    %s^", shown, strings.Repeat(" ", at))
	}
	if e.Detail != "" {
		text += "\n  " + strings.ReplaceAll(PrintableLines(e.Detail), "\n", "\n  ")
	}
	return text
}

// around gives at most [maxShown] characters of the line of p, as they are shown,
// and how many of them stand before p.
func (s *Source) around(p Pos) (shown string, at int) {
	pos := min(int(p), len(s.Text))
	start := strings.LastIndexByte(s.Text[:pos], '\n') + 1
	rest, _, _ := strings.Cut(s.Text[pos:], "\n")
	end := max(pos, start+len(strings.TrimRight(s.Text[start:pos+len(rest)], "\r")))
	// The line may be long: only what is near p is looked at.
	from, to := pos, pos
	for ; from > start && at < maxShown; at++ {
		_, n := utf8.DecodeLastRuneInString(s.Text[start:from])
		from -= n
	}
	for n := 0; to < end && n < maxShown; n++ {
		_, size := utf8.DecodeRuneInString(s.Text[to:end])
		to += size
	}
	// A tab is one column; what cannot be seen takes as many as are shown of it.
	one := strings.NewReplacer("\t", " ")
	before := Printable(one.Replace(s.Text[from:pos]))
	runes := []rune(before + Printable(one.Replace(s.Text[pos:to])))
	at = utf8.RuneCountInString(before)
	skip := max(0, min(at-maxShown/2, len(runes)-maxShown))
	return string(runes[skip:min(len(runes), skip+maxShown)]), at - skip
}

// List collects findings of one run.
type List []*Error

// MaxShownErrors is how many findings [List.Error] prints, and maxErrors how many
// a list keeps.
const (
	MaxShownErrors = 20
	maxErrors      = 1000
)

// Full reports whether the list keeps no more findings.
func (l *List) Full() bool { return len(*l) >= maxErrors }

// Add appends a finding, once, unless the list is full.
func (l *List) Add(src *Source, pos Pos, format string, args ...any) {
	if !l.Full() {
		l.AddError(Errorf(src, pos, format, args...))
	}
}

// AddError is [List.Add] of a finding that there is.
func (l *List) AddError(es ...*Error) {
	for _, e := range es {
		known := func(f *Error) bool { return f.Src == e.Src && f.Pos == e.Pos && f.Msg == e.Msg }
		if !l.Full() && !slices.ContainsFunc(*l, known) {
			*l = append(*l, e)
		}
	}
}

// Err returns the findings sorted by position, or nil if there are none.
func (l List) Err() error {
	if len(l) == 0 {
		return nil
	}
	order := make(map[*Source]int) // files in the order in which they were met
	for _, e := range l {
		if _, ok := order[e.Src]; !ok {
			order[e.Src] = len(order)
		}
	}
	slices.SortStableFunc(l, func(a, b *Error) int {
		return cmp.Or(cmp.Compare(order[a.Src], order[b.Src]), cmp.Compare(a.Pos, b.Pos))
	})
	return l
}

// Unwrap gives the findings to errors.As.
func (l List) Unwrap() []error {
	return slice.Map(l, func(e *Error) error { return e })
}

// Error prints all findings, up to [MaxShownErrors].
func (l List) Error() string {
	var b strings.Builder
	for i, e := range l {
		if i > 0 {
			b.WriteByte('\n')
		}
		if i == MaxShownErrors {
			more := fmt.Sprint(len(l) - i)
			if l.Full() {
				more = "many"
			}
			fmt.Fprintf(&b, "… and %s more", more)
			break
		}
		b.WriteString(e.Error())
	}
	return b.String()
}

// MaxCandidates is how many names [Nearest] looks at; it finds nothing in more.
const MaxCandidates = 2000

// Nearest returns the candidate most like name, if one is close enough for "did
// you mean": two thirds of the name must be left, unless there is no choice. Of those that are
// as close it is the one that begins longest as the name does. Large and small letters are
// alike. A word is not like signs.
func Nearest(name string, candidates []string) (string, bool) {
	if len(candidates) > MaxCandidates {
		return "", false
	}
	best, bestDist := "", 1+len(name)/3
	if len(candidates) > 1 {
		bestDist = min(max(1, (len(name)+1)/3), len(name)-1)
	}
	sorted := slices.Clone(candidates)
	slices.Sort(sorted)
	if i := slices.IndexFunc(sorted, func(c string) bool { return c != name && strings.EqualFold(c, name) }); i >= 0 {
		return sorted[i], true
	}
	like := -1
	for _, c := range sorted {
		l := likeness(name, c)
		if d := distance(name, c); l >= 0 && (d < bestDist || d == bestDist && l > like) {
			best, bestDist, like = c, d, l
		}
	}
	return best, best != "" && best != name
}

// Count is "1 rule", "2 rules", "2 matches", "2 children", "2 axes", "2 indices".
func Count(n int, noun string) string {
	switch {
	case n == 1:
		return "1 " + noun
	case noun == "child":
		noun += "ren"
	case noun == "axis":
		noun = "axes"
	case noun == "index":
		noun = "indices"
	case strings.HasSuffix(noun, "s") || strings.HasSuffix(noun, "ch"):
		noun += "es"
	default:
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}

// DidYouMean is " (did you mean x?)" or nothing.
func DidYouMean(name string, candidates []string) string {
	if c, ok := Nearest(name, candidates); ok {
		return fmt.Sprintf(" (did you mean %s?)", c)
	}
	return ""
}

// likeness is with how many bytes of a name a candidate begins, negative if one of them is a word
// and the other is not.
func likeness(name, c string) int {
	word := func(s string) bool {
		return strings.ContainsFunc(s, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
	}
	if word(name) != word(c) {
		return -1
	}
	n := 0
	for n < min(len(name), len(c)) && name[n] == c[n] {
		n++
	}
	return n
}

// distance is the edit distance, with swapped neighbours as one edit.
func distance(a, b string) int {
	if len(a) > 40 || len(b) > 40 {
		return 100
	}
	d := make([][]int, len(a)+1)
	for i := range d {
		d[i] = make([]int, len(b)+1)
		d[i][0] = i
	}
	for j := range d[0] {
		d[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			d[i][j] = min(d[i-1][j]+1, d[i][j-1]+1, d[i-1][j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d[i][j] = min(d[i][j], d[i-2][j-2]+1)
			}
		}
	}
	return d[len(a)][len(b)]
}

// Bytes shows an amount of memory.
func Bytes(n int64) string {
	for unit, name := range []string{"GB", "MB", "kB"} {
		if size := []int64{1e9, 1e6, 1e3}[unit]; n >= size {
			return fmt.Sprintf("%.4g %s", float64(n)/float64(size), name)
		}
	}
	return fmt.Sprintf("%d bytes", n)
}

// BytesOver shows an amount of memory that is more than another, exactly if both look alike.
func BytesOver(n, than int64) string {
	if text := Bytes(n); text != Bytes(than) {
		return text
	}
	return fmt.Sprintf("%d bytes", n)
}

// Duration shows a time, to two digits or to whole units.
func Duration(d time.Duration) string {
	for unit, name := range []string{"s", "ms", "µs"} {
		switch n := float64(d) / float64([]time.Duration{time.Second, time.Millisecond, time.Microsecond}[unit]); {
		case n >= 9.95:
			return fmt.Sprintf("%.0f %s", n, name)
		case n >= 1:
			return fmt.Sprintf("%.2g %s", n, name)
		}
	}
	return fmt.Sprintf("%d ns", d)
}
