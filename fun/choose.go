package fun

import (
	"cmp"
	"fmt"
	"slices"

	"egad/internal/raise"
	"egad/internal/slice"
	"egad/term"
	"egad/term/ops"
	"egad/term/size"
)

// choose is x if c is true, and else y: values of one type, in which each term has axes of
// the given shape. A side of a sum that is not there, nil, is the other.
func (d *symbolic) choose(c term.Term, x, y Value, shape []size.Size) Value {
	if x == nil {
		return y
	}
	if y == nil {
		return x
	}
	switch x := x.(type) {
	case *Pairing:
		y := y.(*Pairing)
		return &Pairing{d.choose(c, x.L, y.L, shape), d.choose(c, x.R, y.R, shape)}
	case Nothing:
		return x
	case *Function:
		return d.chooseFunction(c, x, y.(*Function))
	case *Elements, *rows:
		return d.chooseArray(c, x, y, shape)
	case int64:
		if x == y {
			return x
		}
	case Chosen:
		return x.Choose(c, y)
	}
	s, sided := x.(*Side)
	u, other := y.(*Side)
	if sided && other && s.Right == u.Right {
		return &Side{s.Right, d.choose(c, s.X, u.X, shape)}
	}
	if !bare(x) || !bare(y) {
		a, b := d.either(x, shape), d.either(y, shape)
		right := d.choose(c, isRight(x), isRight(y), shape)
		return &either{d.lift(right, shape), d.choose(c, a.l, b.l, shape), d.choose(c, a.r, b.r, shape)}
	}
	if len(shape) == 0 { // by a truth value that is known
		switch on := d.store.Apply; {
		case sided && other && u.Right:
			return c
		case sided && other:
			return on(ops.SymNot, c)
		case sided && !s.Right:
			return on(ops.SymOr, c, d.lift(y, nil))
		case sided:
			return on(ops.SymAnd, on(ops.SymNot, c), d.lift(y, nil))
		case other && !u.Right:
			return on(ops.SymOr, on(ops.SymNot, c), d.lift(x, nil))
		case other:
			return on(ops.SymAnd, c, d.lift(x, nil))
		}
	}
	return d.chooseTerm(c, d.lift(x, shape), d.lift(y, shape))
}

func (d *symbolic) chooseTerm(c, x, y term.Term) term.Term {
	if x.Equal(y) {
		return x
	}
	return d.store.Apply(ops.SymCond, c, x, y)
}

// bare reports whether v is a scalar: a side of a sum is if there is nothing in it.
func bare(v Value) bool {
	switch v := v.(type) {
	case *Side:
		return v.X == Nothing{}
	case *either:
		return false
	}
	return true
}

// isRight is whether a value of a sum is the right side.
func isRight(v Value) Value {
	if e, ok := v.(*either); ok {
		return e.right
	}
	return Truth(v.(*Side).Right)
}

// either is a value of a sum that is no truth value, as if its side were not known.
func (d *symbolic) either(v Value, shape []size.Size) *either {
	switch v := v.(type) {
	case *either:
		return v
	case *Side:
		right := d.store.Lit(ops.ScalarB(v.Right), shape...)
		if v.Right {
			return &either{right, nil, v.X}
		}
		return &either{right, v.X, nil}
	}
	raise.Error(fmt.Errorf("%T is no sum", v))
	return nil
}

// chooseArray chooses between arrays of one length.
func (d *symbolic) chooseArray(c term.Term, x, y Value, shape []size.Size) Value {
	a, listed := x.(*Elements)
	b, other := y.(*Elements)
	if listed && other && len(a.X) == len(b.X) {
		return &Elements{slice.Make(len(a.X), func(i int) Value { return d.choose(c, a.X[i], b.X[i], shape) })}
	}
	if listed && len(a.X) == 0 || other && len(b.X) == 0 {
		return d.fail("the branches of a case make arrays of different lengths, and which is not known until the program runs")
	}
	r, s := d.rows(x), d.rows(y)
	if r.n != s.n {
		return d.fail("the branches of a case make arrays of %d and of %d elements, and which is not known until the program runs", r.n, s.n)
	}
	return &rows{r.n, d.choose(c, r.x, s.x, append(shape[:len(shape):len(shape)], size.Const(r.n))), r.partial || s.partial}
}

// chooseFunction chooses between functions: closures of one body by what they have captured,
// and others when they are called, by their results.
func (d *symbolic) chooseFunction(c term.Term, f, g *Function) Value {
	if f == g {
		return f
	}
	if f.lam != nil && g.lam != nil && f.lam.Kids[0] == g.lam.Kids[0] && f.lam.Form == g.lam.Form {
		xs, ys := f.captured(nil), g.captured(nil)
		for i, y := range ys {
			xs[i] = d.choose(c, xs[i], y, nil)
		}
		return &Function{f.lam, captures(xs)}
	}
	return FunctionOf(func(m *Machine, x Value) Value {
		return d.chosen(c, func() Value { return m.Apply(f, x) }, func() Value { return m.Apply(g, x) })
	})
}

// stack gives values an axis before the others, along which they stand; each term has axes
// of the given shape.
func (d *symbolic) stack(xs []Value, shape []size.Size) Value {
	some := slices.IndexFunc(xs, func(x Value) bool { return x != nil })
	if some < 0 {
		return nil
	}
	xs = slice.Map(xs, func(x Value) Value { return cmp.Or(x, xs[some]) }) // what is not there is never looked at
	switch first := xs[0].(type) {
	case Nothing:
		return first
	case *Pairing:
		return &Pairing{
			d.stack(slice.Map(xs, func(x Value) Value { return x.(*Pairing).L }), shape),
			d.stack(slice.Map(xs, func(x Value) Value { return x.(*Pairing).R }), shape),
		}
	case *Function:
		return d.fail("an element of an array is a function")
	case Chosen:
		return d.fail("an array is read where is not known until the program runs")
	case *Elements, *rows:
		return d.stackArrays(xs, shape)
	}
	if side, ok := xs[0].(*Side); ok && !slices.ContainsFunc(xs, func(x Value) bool {
		s, ok := x.(*Side)
		return !ok || s.Right != side.Right
	}) {
		return &Side{side.Right, d.stack(slice.Map(xs, func(x Value) Value { return x.(*Side).X }), shape)}
	}
	if k, ok := xs[0].(int64); ok && !slices.ContainsFunc(xs, func(x Value) bool { return x != k }) {
		return k
	}
	if slices.ContainsFunc(xs, func(x Value) bool { return !bare(x) }) {
		var right []term.Term
		var l, r []Value
		for _, x := range xs {
			e := d.either(x, shape)
			right, l, r = append(right, e.right), append(l, e.l), append(r, e.r)
		}
		return &either{d.store.Apply(ops.SymStack, right...), d.stack(l, shape), d.stack(r, shape)}
	}
	return d.store.Apply(ops.SymStack, slice.Map(xs, func(x Value) term.Term { return d.lift(x, shape) })...)
}

// stackArrays stacks arrays of one length.
func (d *symbolic) stackArrays(xs []Value, shape []size.Size) Value {
	empty := func(x Value) bool {
		e, ok := x.(*Elements)
		return ok && len(e.X) == 0
	}
	if !slices.ContainsFunc(xs, func(x Value) bool { return !empty(x) }) {
		return xs[0]
	}
	if slices.ContainsFunc(xs, empty) {
		return d.fail("an array has elements of different lengths")
	}
	out := &rows{n: d.rows(xs[0]).n}
	inner := make([]Value, len(xs))
	for i, x := range xs {
		r := d.rows(x)
		if r.n != out.n {
			return d.fail("an array has elements of different lengths, %d and %d", out.n, r.n)
		}
		inner[i], out.partial = r.x, out.partial || r.partial
	}
	out.x = d.stack(inner, append(shape[:len(shape):len(shape)], size.Const(out.n)))
	return out
}
