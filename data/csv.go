package data

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"egad/diag"
)

// ReadCSV reads a table of numbers, or of truth values, separated by commas: rows of
// equal length, after at most one header. That is a first line in which no cell is a
// number or a truth value, or starts like a number. Empty
// lines and lines that start with # do not count. NaN, the infinities and truth values are
// written nan, inf, -inf, true and false, in any case. The error lists all findings, as a
// [diag.List].
func ReadCSV(path string) (*Raw, error) {
	src, err := ReadText(path)
	if err != nil {
		return nil, err
	}
	return new(Reader).csv(src, MaxElements)
}

// table reads the rows of a CSV file.
type table struct {
	src   *diag.Source
	cells *csv.Reader
	nums  *numbers
	limit int  // of elements
	kind  kind // of the first cell, and so of all
	rows  int
	cols  int
	line  int // of the row that said how many columns there are
	errs  diag.List
}

// cellBytes is what a cell of a row takes while the row is read.
const cellBytes = 100

// rowCells bounds the cells of a row. A quoted cell may go over many lines.
func rowCells(text string) int {
	if strings.Contains(text, `"`) {
		return strings.Count(text, ",") + 1
	}
	most := 0
	for line := range strings.Lines(text) {
		most = max(most, strings.Count(line, ",")+1)
	}
	return most
}

func (rd *Reader) csv(src *diag.Source, limit int) (*Raw, error) {
	most := strings.Count(src.Text, ",") + strings.Count(src.Text, "\n") + 1
	if err := rd.take(src.Name, int64(most)*elementBytes+int64(rowCells(src.Text))*cellBytes); err != nil {
		return nil, err
	}
	r := csv.NewReader(strings.NewReader(src.Text))
	r.Comment = '#'
	r.FieldsPerRecord = -1 // compared here, for a better message
	r.ReuseRecord = true
	r.TrimLeadingSpace = true
	t := &table{src: src, cells: r, nums: &numbers{}, limit: limit}
	t.nums.grow(min(most, limit))
	for len(t.errs) < maxFindings {
		cells, err := r.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.syntax(err)
			break
		}
		if !t.row(cells) {
			break
		}
	}
	if err := t.errs.Err(); err != nil {
		return nil, err
	}
	if t.rows == 0 {
		return nil, fmt.Errorf("%s: the table has no rows of numbers; an empty array is given as [] in JSON", src.Name)
	}
	return &Raw{File: src.Name, table: true, val: node{kind: t.kind, shape: []int{t.rows, t.cols}, nums: t.nums}}, nil
}

// report reports something about cell i of the row that was read last.
func (t *table) report(i int, format string, args ...any) {
	t.errs.Add(t.src, t.pos(t.cells.FieldPos(i)), format, args...)
}

// pos is the place of a column, in bytes, of a line.
func (t *table) pos(line, column int) diag.Pos {
	at := column - 1
	for l := range strings.Lines(t.src.Text) {
		if line--; line == 0 {
			break
		}
		at += len(l)
	}
	return diag.Pos(at)
}

// syntax reports text that is not CSV.
func (t *table) syntax(err error) {
	pe, ok := errors.AsType[*csv.ParseError](err)
	if !ok {
		t.errs.Add(nil, 0, "%s: %v", t.src.Name, err)
		return
	}
	if at := t.pos(pe.Line, pe.Column); int(at) < len(strings.TrimRight(t.src.Text, "\n")) {
		t.errs.Add(t.src, at, "%v", pe.Err)
	} else {
		t.errs.Add(t.src, t.pos(pe.StartLine, 1), "a quote of this row is not closed")
	}
}

// row reads a line of cells. It returns false if there is no going on.
func (t *table) row(cells []string) bool {
	if t.line == 0 {
		t.line, _ = t.cells.FieldPos(0)
		t.cols = len(cells)
		if isHeader(cells) {
			return true
		}
	}
	if len(cells) != t.cols {
		t.report(0, "this row has %s, and line %d has %d", diag.Count(len(cells), "cell"), t.line, t.cols)
		return true
	}
	if t.nums.len()+len(cells) > t.limit {
		t.report(0, "the table has more than the %d elements that are allowed", t.limit)
		return false
	}
	t.rows++
	for i, c := range cells {
		if len(t.errs) >= maxFindings {
			return false
		}
		t.cell(strings.TrimSpace(c), i)
	}
	return true
}

// cell reads cell i of a row.
func (t *table) cell(c string, i int) {
	if c == "" {
		t.report(i, "column %d is empty, and a number is expected", i+1)
		return
	}
	f, ok := parseCell(c)
	is := numeric
	if isTruth(c) {
		is = truth
	}
	if t.nums.len() == 0 {
		t.kind = is
	}
	switch {
	case is == truth && t.kind == truth:
		t.nums.addBool(strings.EqualFold(c, "true"))
	case t.kind == truth && ok || is == truth:
		t.report(i, "column %d is %s, and the table begins with a %s: it has numbers or truth values, not both", i+1, c, [...]string{numeric: "number", truth: "truth value"}[t.kind])
	case !ok && strings.ContainsAny(c, " ;\t"):
		t.report(i, "column %d is %s, which is not a number; cells are separated by commas", i+1, clip(strconv.Quote(c)))
	case !ok:
		t.report(i, "column %d is %s, which is not a number", i+1, clip(strconv.Quote(c)))
	case math.IsNaN(f) || strings.ContainsAny(c, "iI"): // an infinity that is written so
		t.nums.addReal(f)
	case !t.nums.addLiteral(c):
		t.report(i, "column %d is %s, which is out of the range of float64", i+1, clip(c))
	}
}

// parseCell reads a decimal number, NaN or an infinity. A number out of range
// is a number.
func parseCell(c string) (float64, bool) {
	if strings.ContainsAny(c, "xX_") {
		return 0, false
	}
	f, err := strconv.ParseFloat(c, 64)
	return f, err == nil || errors.Is(err, strconv.ErrRange)
}

// isTruth reports whether a cell is a truth value.
func isTruth(c string) bool { return strings.EqualFold(c, "true") || strings.EqualFold(c, "false") }

// isHeader reports whether no cell looks like a number or is a truth value.
func isHeader(cells []string) bool {
	for _, c := range cells {
		c = strings.TrimSpace(c)
		if _, ok := parseCell(c); ok || isTruth(c) || c == "" || strings.IndexByte("+-.0123456789", c[0]) >= 0 {
			return false
		}
	}
	return true
}
