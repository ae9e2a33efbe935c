package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// model is a Gaussian mixture model and points. Its numbers are kept as they are
// written.
type model struct {
	alpha    []string
	mu, icf  [][]string
	x        [][]string // one row that stands for all points, or all of them
	points   int
	gamma, m string
}

const (
	maxLine  = 64 << 20 // bytes
	maxPoint = 1 << 27  // numbers in x
	maxDim   = 1 << 20  // D and K
)

// wrongLength is about a line with too many or too few numbers.
const wrongLength = "%s is expected, a line of length %d, and this line has length %d"

// reader reads lines of numbers.
type reader struct {
	name string
	scan *bufio.Scanner
	line int
}

func (r *reader) errorf(format string, args ...any) error {
	return fmt.Errorf("%s:%d: %s", r.name, max(r.line, 1), fmt.Sprintf(format, args...))
}

// next gives the numbers of the next line that has some; none at the end.
func (r *reader) next() ([]string, error) {
	for r.scan.Scan() {
		r.line++
		words := strings.Fields(r.scan.Text())
		for i, w := range words {
			n, ok := number(w)
			if !ok {
				return nil, r.errorf("%.40q is not a number", w)
			}
			words[i] = n
		}
		if len(words) > 0 {
			return words, nil
		}
	}
	switch err := r.scan.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		r.line++
		return nil, r.errorf("more than %d bytes in one line", maxLine)
	case err != nil:
		return nil, fmt.Errorf("%s: %w", r.name, err)
	}
	return nil, nil
}

// row reads a line of n numbers; what says which.
func (r *reader) row(n int, what string, args ...any) ([]string, error) {
	words, err := r.next()
	if err != nil {
		return nil, err
	}
	what = fmt.Sprintf(what, args...)
	if words == nil {
		return nil, r.errorf("the text ends here, and %s is expected", what)
	}
	if len(words) != n {
		return nil, r.errorf(wrongLength, what, n, len(words))
	}
	return words, nil
}

// rows reads count lines of n numbers.
func (r *reader) rows(count, n int, what string) ([][]string, error) {
	var out [][]string
	for i := range count {
		row, err := r.row(n, "%s[%d]", what, i)
		if err != nil {
			return nil, err
		}
		out = append(out, row)
	}
	return out, nil
}

// readModel reads the format of ADBench.
func readModel(name string, in io.Reader) (*model, error) {
	r := &reader{name: name, scan: bufio.NewScanner(in)}
	r.scan.Buffer(make([]byte, 0, 1<<16), maxLine)
	sizes, err := r.row(3, "D K N")
	if err != nil {
		return nil, err
	}
	var dkn [3]int
	for i, s := range sizes {
		limit := maxDim
		if i == 2 {
			limit = maxPoint
		}
		v, err := strconv.Atoi(s)
		if err != nil || v < 1 || v > limit {
			return nil, r.errorf("%c is %.40s, and a whole number from 1 to %d is expected", "DKN"[i], s, limit)
		}
		dkn[i] = v
	}
	d, k, n := dkn[0], dkn[1], dkn[2]
	if n > maxPoint/d {
		return nil, r.errorf("%d points of %d numbers are more than the %d numbers that are allowed", n, d, maxPoint)
	}
	m := &model{points: n}
	for len(m.alpha) < k {
		words, err := r.next()
		switch {
		case err != nil:
			return nil, err
		case words == nil:
			return nil, r.errorf("the text ends here, and alpha[%d] is expected", len(m.alpha))
		case len(m.alpha)+len(words) > k:
			return nil, r.errorf("alpha has %d numbers, and with this line %d", k, len(m.alpha)+len(words))
		}
		m.alpha = append(m.alpha, words...)
	}
	if m.mu, err = r.rows(k, d, "mu"); err != nil {
		return nil, err
	}
	if m.icf, err = r.rows(k, d+d*(d-1)/2, "icf"); err != nil {
		return nil, err
	}
	return m, m.readPoints(r, d)
}

// readPoints reads the points, one per line, and the last line, which has gamma
// and m. A single line of points stands for all of them; only the number of
// lines tells, because a point may have two numbers as well.
func (m *model) readPoints(r *reader, d int) error {
	var lines [][]string
	var at []int // their line numbers
	for {
		words, err := r.next()
		if err != nil {
			return err
		}
		if words == nil {
			break
		}
		if len(lines) == m.points+1 {
			return r.errorf("this line is one too many: N is %d, and as many points and gamma m come before it", m.points)
		}
		lines, at = append(lines, words), append(at, r.line)
	}
	last := len(lines) - 1
	if last != m.points && last != 1 {
		return r.errorf("%d points and gamma m are expected, and there are %d lines for them", m.points, len(lines))
	}
	m.x = lines[:last]
	for i, row := range m.x {
		if r.line = at[i]; len(row) != d {
			return r.errorf(wrongLength, fmt.Sprintf("x[%d]", i), d, len(row))
		}
	}
	r.line = at[last]
	if len(lines[last]) != 2 {
		return r.errorf(wrongLength, "gamma m", 2, len(lines[last]))
	}
	m.gamma, m.m = lines[last][0], lines[last][1]
	if _, err := strconv.ParseInt(m.m, 10, 64); err != nil {
		return r.errorf("m is %.40s, and a whole number is expected", m.m)
	}
	return nil
}

// number writes a decimal number as JSON does, with the same digits.
func number(s string) (string, bool) {
	if _, err := strconv.ParseFloat(s, 64); err != nil {
		return "", false
	}
	s = strings.TrimPrefix(s, "+")
	sign := ""
	if strings.HasPrefix(s, "-") {
		sign, s = "-", s[1:]
	}
	end := strings.IndexAny(s, "eE")
	if end < 0 {
		end = len(s)
	}
	whole, fraction, _ := strings.Cut(s[:end], ".")
	whole = strings.TrimLeft(whole, "0")
	if whole == "" {
		whole = "0"
	}
	if fraction != "" {
		whole += "." + fraction
	}
	s = sign + whole + s[end:]
	return s, json.Valid([]byte(s)) // NaN, infinities and hexadecimal numbers are not
}

// write writes the inputs of gmm.egad: vectors on one line, and matrices one row
// per line.
func (m *model) write(out io.Writer) error {
	w := bufio.NewWriter(out)
	fmt.Fprintf(w, "{\n  \"alpha\": %s", vector(m.alpha))
	matrix(w, "mu", m.mu, len(m.mu))
	matrix(w, "icf", m.icf, len(m.icf))
	matrix(w, "x", m.x, m.points)
	fmt.Fprintf(w, ",\n  \"gamma\": %s,\n  \"m\": %s\n}\n", m.gamma, m.m)
	return w.Flush()
}

func vector(v []string) string { return "[" + strings.Join(v, ", ") + "]" }

// matrix writes n rows, repeating a single one.
func matrix(w io.Writer, name string, rows [][]string, n int) {
	fmt.Fprintf(w, ",\n  %q: [", name)
	comma := ""
	for i := range n {
		fmt.Fprintf(w, "%s\n    %s", comma, vector(rows[i%len(rows)]))
		comma = ","
	}
	fmt.Fprint(w, "\n  ]")
}
