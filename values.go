package egad

import (
	"iter"
	"slices"

	"egad/data"
	"egad/internal/slice"
	"egad/term/eval"
	"egad/term/types"
)

// Value is a result: an array, with its elements in R or N, or a tuple of values in
// its Parts.
type Value = eval.Value[float64]

// Array gives the elements of an array, row-major, a shape: a value that a function
// takes. The value holds x itself, not a copy.
func Array(x []float64, shape ...int) *Value {
	return &Value{Elem: types.R, Shape: shape, R: x}
}

// Matrix is [Array] of two axes.
func Matrix(x []float64, rows, cols int) *Value { return Array(x, rows, cols) }

// ReadJSON reads inputs from a file: an object from names to numbers, truth values and
// nested lists.
func ReadJSON(path string) (In, error) {
	read, err := new(data.Reader).JSON(path)
	if err != nil {
		return nil, err
	}
	in := make(In)
	for _, name := range read.Names() {
		in[name] = read.Get(name)
	}
	return in, nil
}

// Values are values by name, in an order: that of Wrt.
type Values struct {
	names  []string
	values []*Value
}

// values are what derivatives by all that is differentiated by may go to.
func (f *Func) values() *Values {
	if !f.made() {
		return &Values{}
	}
	names := f.opt.ad.Wrt
	return &Values{names: names, values: slice.Make(len(names), func(int) *Value { return new(Value) })}
}

func (g *Values) places() []any {
	return slice.Map(g.values, func(v *Value) any { return v })
}

// Get is the value of a name, or nil if there is none.
func (g *Values) Get(name string) *Value {
	if g == nil {
		return nil
	}
	return at(g.names, g.values, name)
}

func at[E any](names []string, xs []E, name string) (x E) {
	if i := slices.Index(names, name); i >= 0 {
		x = xs[i]
	}
	return x
}

// Names lists the names.
func (g *Values) Names() []string {
	if g == nil {
		return nil
	}
	return slices.Clone(g.names)
}

// All goes through names and values in their order.
func (g *Values) All() iter.Seq2[string, *Value] {
	return func(yield func(string, *Value) bool) {
		for i, name := range g.Names() {
			if !yield(name, g.values[i]) {
				return
			}
		}
	}
}

// Blocks are second derivatives, by two names.
type Blocks struct {
	names []string
	rows  []*Values
}

// Get is the row of a name: the derivatives of the gradient by it, by each input. It is
// nil if there is none, which has no values.
func (h *Blocks) Get(name string) *Values {
	if h == nil {
		return nil
	}
	return at(h.names, h.rows, name)
}
