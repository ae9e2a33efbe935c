package define

import (
	"strconv"
	"strings"

	"egad/term/module"
	"egad/term/types"
)

// Call calls a function by its name, as a text does: an operator, a definition of the
// prelude or of the module, a function such as map, fold or grad. Where a text has a size,
// an axis or a number, args has one; a list is a slice, and a function one of Go.
func (d *Def) Call(name string, args ...any) Value {
	if d == nil {
		return Value{}
	}
	if !module.IsName(name) {
		d.begin()
		return d.fail("no function is called %q", name)
	}
	return d.make(call, name, args...)
}

// Value is a number, a truth value, or an array of these or of values, from a slice.
func (d *Def) Value(x any) Value { return d.make(plain, "", x) }

// Tuple is the tuple of values.
func (d *Def) Tuple(parts ...any) Value { return d.make(tuple, "", parts...) }

// If is then where c is true, and otherwise where it is not; of a c with axes, at each
// place. Both are computed.
func (d *Def) If(c, then, otherwise any) Value {
	return d.make(conditional, "", c, then, otherwise)
}

// Build is the array of the values of f at all indices below n, a size or a []any of
// sizes, of which f takes as many.
func (d *Def) Build(n, f any) Value { return d.make(call, "build", n, f) }

// Fold is the state of a loop after its last step: f of a state and an element, or row, of
// a is the next one, and z the first.
func (d *Def) Fold(f func(state, x Value) Value, z, a any) Value {
	return d.make(call, "fold", f, z, a)
}

// Scan is the array of the states of Fold after each step.
func (d *Def) Scan(f func(state, x Value) Value, z, a any) Value {
	return d.make(call, "scan", f, z, a)
}

// MapAccum is Fold with an output of each step: f makes the tuple of the next state and an
// output, and the result is the tuple of the last state and all outputs.
func (d *Def) MapAccum(f func(state, x Value) Value, z, a any) Value {
	return d.make(call, "mapAccum", f, z, a)
}

// Iterate applies f n times, which is a size or an integer, beginning with z.
func (d *Def) Iterate(n any, f func(state Value) Value, z any) Value {
	return d.make(call, "iterate", n, f, z)
}

// Gather is the array of the elements, or subarrays, of x at the indices that f makes of
// all indices below n, a []any of sizes. Outside x there are zeros.
func (x Value) Gather(n, f any) Value { return x.d.make(call, "gather", n, x, f) }

// Scatter adds the elements, or subarrays, of x to an array of zeros with leading axes n,
// a []any of sizes, each at the indices that f makes of its own. What is sent outside is
// lost.
func (x Value) Scatter(n, f any) Value { return x.d.make(call, "scatter", n, x, f) }

// At is an element, or a subarray, of x. An index is an integer, or a [Range].
func (x Value) At(ix ...any) Value { return x.d.make(index, "", append([]any{x}, ix...)...) }

// Part is component k of a tuple.
func (x Value) Part(k int) Value {
	if k < 0 && x.d != nil {
		x.d.begin()
		return x.d.fail("there is no component %d", k)
	}
	return x.d.make(component, strconv.Itoa(k), x)
}

// Dim is the size of axis k of an array.
func (x Value) Dim(k int) Value {
	if x.n == nil || !x.d.begin() {
		return Value{d: x.d}
	}
	if _, ok := x.d.value(x); !ok {
		return Value{d: x.d}
	}
	t := x.d.check.TypeOf(x.n.typed)
	if t.Kind != types.KArray || k < 0 || k >= len(t.Shape) {
		return x.d.fail("there is no axis %d of %s", k, t)
	}
	text := t.Shape[k].String()
	if strings.Contains(text, "/") {
		return x.d.fail("the size %s has no value that can be written", text)
	}
	return x.d.add(&node{form: sized, name: text, typed: x.d.check.Sized(t.Shape[k]), scope: x.d.outermost()})
}

// Named gives x a name in the text, which derivatives keep where they can. A size and an
// input have theirs.
func (x Value) Named(name string) Value {
	switch {
	case x.n == nil || !x.d.begin():
		return Value{d: x.d}
	case !module.IsName(name):
		return x.d.fail("a value cannot be called %q", name)
	}
	x.n.hint = name
	return x
}

// Type is the type of x as the language writes it, "" if x is none.
func (x Value) Type() string {
	if x.n == nil {
		return ""
	}
	return x.d.check.TypeOf(x.n.typed).String()
}

// Neg is -x.
func (x Value) Neg() Value { return x.d.make(minus, "", x) }

// Gt is x > y.
func (x Value) Gt(y any) Value { return x.d.make(infix, ">", x, y) }

// Ge is x >= y.
func (x Value) Ge(y any) Value { return x.d.make(infix, ">=", x, y) }

// Ne is x != y.
func (x Value) Ne(y any) Value { return x.d.make(infix, "!=", x, y) }
