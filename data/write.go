package data

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"

	"egad/diag"
	"egad/internal/slice"
	"egad/term"
	"egad/term/eval"
	"egad/term/types"
)

// Result is a named value of a program, or named results: one of Value, Group, List and
// Text.
type Result struct {
	Name  string
	Value *eval.Value[float64]
	Group []Result // written as an object
	List  []Result // written as a list, without their names
	Text  string
}

// WriteJSON writes results as an object, in order; groups are objects in it. A vector is one line, a
// matrix one line per row. Numbers are the shortest that read back to the same
// float64; NaN and the infinities are the strings "NaN", "Infinity" and
// "-Infinity". A value that is not an array or a tuple of arrays, or whose
// elements do not fill its shape, is an error.
func WriteJSON(w io.Writer, results []Result) error {
	return writeJSON(w, writableAll("", results), func(j *jsonWriter) { j.object(results, 0) })
}

// writeJSON writes what write does, on lines of its own, unless something is wrong with it.
func writeJSON(w io.Writer, flaw error, write func(j *jsonWriter)) error {
	if w == nil {
		return errNowhere
	}
	if flaw != nil {
		return flaw
	}
	j := &jsonWriter{w: bufio.NewWriter(w)}
	write(j)
	j.text("\n")
	return j.w.Flush()
}

var errNowhere = errors.New("there is no writer")

func writableAll(prefix string, results []Result) error {
	for _, r := range results {
		var err error
		switch {
		case r.Group != nil || r.List != nil:
			err = writableAll(prefix+r.Name+".", append(r.Group, r.List...))
		case r.Text == "":
			err = writable(prefix+r.Name, r.Value)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// object writes results as an object whose brace stands at the given depth.
func (j *jsonWriter) object(results []Result, depth int) {
	j.lines("{", "}", len(results), depth, func(i int) {
		j.quote(results[i].Name)
		j.text(": ")
		j.result(results[i], depth+1)
	})
}

// result writes a result without its name.
func (j *jsonWriter) result(r Result, depth int) {
	switch {
	case r.Group != nil:
		j.object(r.Group, depth)
	case r.List != nil:
		j.lines("[", "]", len(r.List), depth, func(i int) { j.result(r.List[i], depth+1) })
	case r.Text != "":
		j.quote(r.Text)
	default:
		j.value(r.Value, depth)
	}
}

// Rows is a value of type t as it is written: an array of tuples is a list of them, and
// not a tuple of arrays, and a value of a sum is that of its side.
func Rows(t *types.Type, v *eval.Value[float64]) *eval.Value[float64] {
	if t == nil || t.Kind != types.KTuple || v == nil || len(v.Parts) != len(t.Parts) {
		return v
	}
	if t.Sum && t.Rows == 0 {
		k := 1
		if v.Parts[0].N[0] != 0 {
			k = 2
		}
		return &eval.Value[float64]{Parts: []*eval.Value[float64]{Rows(t.Parts[k], v.Parts[k])}, Map: side([]string{"inl", "inr"}[k-1])}
	}
	if t.Rows == 0 {
		return &eval.Value[float64]{Parts: slice.Make(len(v.Parts), func(i int) *eval.Value[float64] { return Rows(t.Parts[i], v.Parts[i]) })}
	}
	one, _ := t.Element()
	var list func(v *eval.Value[float64], axes int) *eval.Value[float64]
	list = func(v *eval.Value[float64], axes int) *eval.Value[float64] {
		if axes == 0 {
			return Rows(one, v)
		}
		return &eval.Value[float64]{Parts: slice.Make(outer(v), func(i int) *eval.Value[float64] { return list(subarray(v, i), axes-1) })}
	}
	return list(v, t.Rows)
}

// Sides is a gradient at an input, with the sides that the sums in the input have there.
func Sides(in term.Input, env eval.Env[*eval.Value[float64]], gradient *eval.Value[float64]) *eval.Value[float64] {
	if in.Type == nil || in.Type.Kind != types.KTuple || gradient == nil || len(gradient.Parts) != len(in.Type.Parts) {
		return gradient
	}
	out := &eval.Value[float64]{Parts: make([]*eval.Value[float64], len(gradient.Parts))}
	for i, c := range in.Components() {
		out.Parts[i] = Sides(c, env, gradient.Parts[i])
	}
	if tag := env[in.Components()[0].Name]; in.Type.Sum && tag != nil {
		out.Parts[0] = tag
	}
	return out
}

// side marks what [Rows] gives for a value of a sum: the value of the side that is called so.
type side string

// outer is the length of the outer axis of the arrays in v.
func outer(v *eval.Value[float64]) int {
	for v.Elem == types.NoElem && len(v.Parts) > 0 {
		v = v.Parts[0]
	}
	if len(v.Shape) == 0 {
		return 0
	}
	return v.Shape[0]
}

// subarray is item i along the outer axis of each array in v; it shares its memory.
func subarray(v *eval.Value[float64], i int) *eval.Value[float64] {
	if v.Elem == types.NoElem {
		return &eval.Value[float64]{Parts: slice.Map(v.Parts, func(p *eval.Value[float64]) *eval.Value[float64] { return subarray(p, i) })}
	}
	out := &eval.Value[float64]{Elem: v.Elem, Shape: v.Shape[1:]}
	n := v.Len() / v.Shape[0]
	if v.Elem == types.R {
		out.R = v.R[i*n : (i+1)*n]
	} else {
		out.N = v.N[i*n : (i+1)*n]
	}
	return out
}

// WriteJSONValue writes one value as [WriteJSON] writes it.
func WriteJSONValue(w io.Writer, v *eval.Value[float64]) error {
	return writeJSON(w, writable("the value", v), func(j *jsonWriter) { j.value(v, 0) })
}

// writable reports whether v has a form in JSON.
func writable(name string, v *eval.Value[float64]) error {
	switch {
	case v == nil:
		return fmt.Errorf("%s has no value", name)
	case v.Map != nil:
		if _, ok := v.Map.(side); ok {
			return writable(name, v.Parts[0])
		}
		return fmt.Errorf("%s is a linear map, which cannot be written as data", name)
	case v.Elem == types.NoElem:
		for i, p := range v.Parts {
			if err := writable(fmt.Sprintf("%s.%d", name, i), p); err != nil {
				return err
			}
		}
		return nil
	}
	lists, n, fits := 1, 1, true
	for _, d := range v.Shape {
		fits = fits && d >= 0 && n <= types.MaxElements/max(d, 1)
		if n *= d; n != 0 {
			lists = n
		}
	}
	if !fits || n == 0 && lists > MaxElements { // lists of nothing may be many
		return fmt.Errorf("%s: an array of shape %s cannot be written", name, shapeText(v.Shape))
	}
	if n != v.Len() {
		return fmt.Errorf("%s has %s for the shape %s", name, diag.Count(v.Len(), "element"), shapeText(v.Shape))
	}
	return nil
}

// jsonWriter writes JSON; errors are those of its buffer, found when it is
// flushed.
type jsonWriter struct {
	w   *bufio.Writer
	buf []byte
}

func (j *jsonWriter) text(s string) { j.w.WriteString(s) }

// newline starts a line at the given depth.
func (j *jsonWriter) newline(depth int) {
	j.text("\n")
	for range depth {
		j.text("  ")
	}
}

// lines writes n items, each on a line of its own, in brackets that stand at the given depth.
func (j *jsonWriter) lines(open, closing string, n, depth int, item func(i int)) {
	j.text(open)
	for i := range n {
		if i > 0 {
			j.text(",")
		}
		j.newline(depth + 1)
		item(i)
	}
	if n > 0 {
		j.newline(depth)
	}
	j.text(closing)
}

// value writes a value that starts within a line of the given depth.
func (j *jsonWriter) value(v *eval.Value[float64], depth int) {
	if v.Elem != types.NoElem {
		j.array(v, v.Shape, 0, depth)
		return
	}
	if s, ok := v.Map.(side); ok {
		j.text(`{"` + string(s) + `": `)
		j.value(v.Parts[0], depth)
		j.text("}")
		return
	}
	j.lines("[", "]", len(v.Parts), depth, func(i int) { j.value(v.Parts[i], depth+1) })
}

// array writes the subarray of the given shape whose elements start at from.
func (j *jsonWriter) array(v *eval.Value[float64], shape []int, from, depth int) {
	if len(shape) == 0 {
		j.element(v, from)
		return
	}
	if len(shape) > 1 {
		block := 1
		for _, d := range shape[1:] {
			block *= d
		}
		j.lines("[", "]", shape[0], depth, func(i int) { j.array(v, shape[1:], from+i*block, depth+1) })
		return
	}
	j.text("[")
	for i := range shape[0] {
		if i > 0 {
			j.text(", ")
		}
		j.element(v, from+i)
	}
	j.text("]")
}

// element writes element i.
func (j *jsonWriter) element(v *eval.Value[float64], i int) {
	switch v.Elem {
	case types.I:
		j.buf = strconv.AppendInt(j.buf[:0], v.N[i], 10)
	case types.B:
		j.buf = strconv.AppendBool(j.buf[:0], v.N[i] != 0)
	default:
		j.buf = appendReal(j.buf[:0], v.R[i])
	}
	j.w.Write(j.buf)
}

// appendReal appends the shortest number that reads back as f, with an exponent
// only where the plain form is long.
func appendReal(b []byte, f float64) []byte {
	switch {
	case math.IsNaN(f):
		return append(b, `"NaN"`...)
	case math.IsInf(f, 1):
		return append(b, `"Infinity"`...)
	case math.IsInf(f, -1):
		return append(b, `"-Infinity"`...)
	}
	if a := math.Abs(f); a != 0 && (a < 1e-6 || a >= 1e21) {
		return strconv.AppendFloat(b, f, 'e', -1, 64)
	}
	return strconv.AppendFloat(b, f, 'f', -1, 64)
}

// quote writes a JSON string.
func (j *jsonWriter) quote(s string) {
	b, err := json.Marshal(s)
	if err != nil { // a string always has a form
		b = []byte(`""`)
	}
	j.w.Write(b)
}
