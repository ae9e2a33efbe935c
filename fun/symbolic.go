package fun

import (
	"fmt"

	"egad/internal/raise"
	"egad/internal/slice"
	"egad/slot"
	"egad/term"
	"egad/term/numeric"
	"egad/term/ops"
	"egad/term/size"
	"egad/term/types"
)

// symbolic is the domain of terms of array programs. Reals are terms, integers and truth
// values are if they are not known, and arrays are [rows] unless they are written element by
// element.
type symbolic struct {
	store   *term.Store
	Choices int64 // how often both branches of a case were evaluated
	depth   int   // how many of them contain this one
}

// rows is an array of n elements: x is an element, in which each term has an axis of n before
// those that it has. What is known in x, as an integer or a side, is so of all elements.
type rows struct {
	n int64
	x Value
	// partial says that it may be from outside of an array: then it has no elements, though
	// here there are zeros.
	partial bool
}

// either is a value of a sum of which the side is not known. A side is nil if it is known
// that it is not that one.
type either struct {
	right term.Term
	l, r  Value
}

// Bounds on cases of which the side is not known: how deep they nest, and how many there are.
const (
	maxNesting = 1000
	maxChoices = 100_000
)

// fail raises an error.
func (d *symbolic) fail(format string, args ...any) Value {
	raise.Error(fmt.Errorf(format, args...))
	return nil
}

// lift is a scalar as a term; of a shape it is an array full of what is known.
func (d *symbolic) lift(v Value, shape []size.Size) term.Term {
	switch v := v.(type) {
	case term.Term:
		return v
	case int64:
		return d.store.Lit(ops.ScalarI(v), shape...)
	case *Side:
		return d.store.Lit(ops.ScalarB(!v.Right), shape...)
	}
	raise.Error(fmt.Errorf("%T is no scalar", v))
	return term.Term{}
}

// Literal is a number.
func (d *symbolic) Literal(n numeric.Num, t *Type) Value {
	if t.Kind == KInt {
		return Floats().Literal(n, t)
	}
	return d.store.Lit(ops.ScalarR(n))
}

// Op applies an operator. Of integers and truth values that are known so is the result, and
// comparisons of literals.
func (d *symbolic) Op(op ops.Op, xs []Value) Value {
	if s, ok := xs[0].(*Side); ok && op.Sym == ops.SymWhere {
		return xs[1+Place(s.Right)]
	}
	known := make([]Value, len(xs))
	compares := op.Sym == ops.SymLt || op.Sym == ops.SymLe || op.Sym == ops.SymEq
	all := op.Sym != ops.SymReal
	for i, x := range xs {
		known[i] = x
		if t, ok := x.(term.Term); ok {
			c := d.store.Op(t).Const
			if all = all && compares && c != nil; all {
				known[i] = c.Fill.Num.Float64()
			}
		}
	}
	if all {
		return Floats().Op(op, known)
	}
	kids := slice.Map(xs, func(x Value) term.Term { return d.lift(x, nil) })
	if k, ok := xs[0].(int64); ok && op.Sym == ops.SymReal {
		return d.store.Lit(ops.ScalarR(numeric.Int(k)))
	}
	return d.store.MustMake(op, nil, nil, kids)
}

// Case evaluates both branches and chooses.
func (d *symbolic) Case(x Value, left, right func(Value) Value) Value {
	var c term.Term
	var l, r Value = Nothing{}, Nothing{}
	if e, ok := x.(*either); ok {
		if e.l == nil {
			return right(e.r)
		}
		if e.r == nil {
			return left(e.l)
		}
		if c, l, r = e.right, e.l, e.r; d.store.Op(c).Sym == ops.SymNot {
			c = d.store.OpenWith(c, nil).Kids[0]
		} else {
			left, right, l, r = right, left, r, l
		}
	} else {
		c = d.lift(x, nil)
	}
	return d.chosen(c, func() Value { return left(l) }, func() Value { return right(r) })
}

// chosen is the first of two values if c is true, and else the second.
func (d *symbolic) chosen(c term.Term, yes, no func() Value) Value {
	if d.depth >= maxNesting {
		return d.fail("more than %d cases inside each other, of which the side is not known until the program runs: a function that calls itself must end by what is known", maxNesting)
	}
	d.depth++
	defer func() { d.depth-- }()
	if d.Choices++; d.Choices > maxChoices {
		return d.fail("of more than %d cases both branches are evaluated, as their sides are not known until the program runs: "+
			"each such case doubles the calls of functions that it makes", maxChoices)
	}
	a := yes()
	return d.choose(c, a, no(), nil)
}

// build is the array of n values at the indices.
func (d *symbolic) build(n int64, f func(i Value) Value) *rows {
	size, name := size.Const(n), d.store.Fresh()
	return &rows{n: n, x: d.batch(f(d.store.Ivar(name, size)), name, size)}
}

// batch gives each term of a value an axis.
func (d *symbolic) batch(v Value, name slot.Name, length size.Size) Value {
	again := func(v Value) Value { return d.batch(v, name, length) }
	switch v := v.(type) {
	case term.Term:
		return d.store.MustMake(ops.Op{Sym: ops.SymBuild, Sizes: []size.Size{length}}, nil, []slot.Name{name}, []term.Term{v})
	case *Pairing:
		return &Pairing{again(v.L), again(v.R)}
	case *Side:
		return &Side{v.Right, again(v.X)}
	case *either:
		return &either{again(v.right).(term.Term), again(v.l), again(v.r)}
	case *rows:
		return &rows{v.n, again(v.x), v.partial}
	case *Elements:
		if len(v.X) > 0 {
			return again(d.rows(v))
		}
	case *Function:
		return d.fail("an element of an array is a function")
	}
	return v
}

// Array is a build, of a length that is known.
func (d *symbolic) Array(n Value, _ *Type, f func(i Value) Value) Value {
	k, ok := n.(int64)
	switch {
	case !ok:
		return d.fail("the length of an array is not known until the program runs")
	case k <= 0:
		return &Elements{}
	case k > types.DefaultMaxElements:
		return d.fail("an array of %d elements has more than the %d that are allowed", k, types.DefaultMaxElements)
	}
	return d.build(k, f)
}

// Length is known.
func (d *symbolic) Length(a Value) Value {
	if e, ok := a.(*Elements); ok {
		return int64(len(e.X))
	}
	return d.whole(a.(*rows)).n
}

// whole is an array that has its elements for sure.
func (d *symbolic) whole(a *rows) *rows {
	if a.partial {
		d.fail("an array of arrays is indexed where there may be none, and the length of what is there is not known until the program runs")
	}
	return a
}

// rows is an array, which has elements, of which all have one shape.
func (d *symbolic) rows(a Value) *rows {
	switch a := a.(type) {
	case *rows:
		return a
	case *Elements:
		return &rows{n: int64(len(a.X)), x: d.stack(a.X, nil)}
	}
	raise.Error(fmt.Errorf("%T is no array", a))
	return nil
}

// Index is an element: outside there are zeros.
func (d *symbolic) Index(a, i Value, t *Type) Value {
	n := int64(0)
	switch a := a.(type) {
	case *Elements:
		n = int64(len(a.X))
		if k, ok := i.(int64); ok && 0 <= k && k < n {
			return a.X[k]
		}
	case *rows:
		n = a.n
	}
	inside := false
	switch i := i.(type) {
	case int64:
		if inside = 0 <= i && i < n; !inside {
			n = 0
		}
	case term.Term:
		r := d.store.Range(i)
		inside = r.Lo >= 0 && r.Hi < n
	}
	if n == 0 {
		return Zero(d, t)
	}
	b := d.rows(a)
	x := d.element(b.x, d.lift(i, nil), t, []size.Size{size.Const(n)}, inside)
	if r, ok := x.(*rows); ok && b.partial && !r.partial {
		x = &rows{r.n, r.x, true}
	}
	return x
}

// element takes the first axis from each term of a value of type t, whose axes are shape and
// then others.
func (d *symbolic) element(v Value, i term.Term, t *Type, shape []size.Size, inside bool) Value {
	part := func(v Value, k int) Value { return d.element(v, i, t.Parts[k], shape, inside) }
	switch v := v.(type) {
	case nil:
		return nil
	case term.Term:
		return d.store.Index(v, i)
	case int64:
		if !inside && v != 0 {
			return d.store.Index(d.lift(v, shape), i)
		}
	case *Pairing:
		return &Pairing{part(v.L, 0), part(v.R, 1)}
	case *Side:
		switch {
		case t.Equal(Bool):
			if !inside && !v.Right {
				return d.store.Index(d.lift(v, shape), i)
			}
		case inside || !v.Right:
			return &Side{v.Right, part(v.X, Place(v.Right))}
		default:
			right := d.store.Index(d.store.Lit(ops.ScalarB(true), shape...), i)
			return &either{right, d.zeros(t.Parts[0], shape[1:]), part(v.X, 1)}
		}
	case *either:
		out := &either{d.store.Index(v.right, i), part(v.l, 0), part(v.r, 1)}
		if out.l == nil && !inside {
			out.l = d.zeros(t.Parts[0], shape[1:])
		}
		return out
	case *rows:
		return &rows{v.n, d.element(v.x, i, t.Parts[0], append(shape[:len(shape):len(shape)], size.Const(v.n)), inside), v.partial || !inside}
	}
	return v
}

// zeros is [Zero] with axes.
func (d *symbolic) zeros(t *Type, shape []size.Size) Value {
	switch t.Kind {
	case KReal:
		return d.store.Lit(ops.ScalarZero(types.R), shape...)
	case KProd:
		return &Pairing{d.zeros(t.Parts[0], shape), d.zeros(t.Parts[1], shape)}
	case KSum:
		if !t.Equal(Bool) {
			return &Side{false, d.zeros(t.Parts[0], shape)}
		}
	}
	return Zero(d, t)
}

// Reduce makes the tree of [Concrete.Reduce] by levels. Halves of n elements are the longer
// one first; so after the halvings that leave a segment to each of p, the largest power of
// two that is at most n, there are one or two elements in each. Those are combined, and then
// neighbours level by level.
func (d *symbolic) Reduce(a Value, t *Type, f func(x, y Value) Value) Value {
	if e, ok := a.(*Elements); ok {
		return (&Concrete[float64]{}).Reduce(e, t, f)
	}
	r := d.whole(a.(*rows))
	at := func(i Value) Value {
		return d.element(r.x, d.lift(i, nil), t, []size.Size{size.Const(r.n)}, true)
	}
	on := func(sym ops.Sym, x, y Value) Value { return d.Op(ops.Op{Sym: sym}, []Value{x, y}) }
	p := int64(1)
	for 2*p <= r.n {
		p *= 2
	}
	if p < r.n {
		r = d.build(p, func(j Value) Value {
			var start, size Value = int64(0), r.n
			for half := p / 2; half > 0; half /= 2 {
				bit := on(ops.SymMod, on(ops.SymIdiv, j, half), int64(2))
				longer := on(ops.SymIdiv, on(ops.SymAdd, size, int64(1)), int64(2))
				start = on(ops.SymAdd, start, on(ops.SymMul, bit, longer))
				size = on(ops.SymIdiv, on(ops.SymSub, on(ops.SymAdd, size, int64(1)), bit), int64(2))
			}
			two := d.lift(on(ops.SymEq, size, int64(2)), nil)
			return d.chosen(two, func() Value {
				return f(at(start), at(on(ops.SymAdd, start, int64(1))))
			}, func() Value { return at(start) })
		})
	}
	for p > 1 {
		p /= 2
		r = d.build(p, func(j Value) Value {
			twice := on(ops.SymMul, j, int64(2))
			return f(at(twice), at(on(ops.SymAdd, twice, int64(1))))
		})
	}
	return at(int64(0))
}

// array is an array of scalars as a term, nil if it has no elements.
func (d *symbolic) array(a Value) *term.Term {
	if e, ok := a.(*Elements); ok && len(e.X) == 0 {
		return nil
	}
	r := d.whole(d.rows(a))
	t := d.lift(r.x, []size.Size{size.Const(r.n)})
	return &t
}

// Fold is a reduction of a vector.
func (d *symbolic) Fold(op ops.Op, a Value, t *Type) Value {
	v := d.array(a)
	if v == nil {
		e, _ := t.Elem()
		return ScalarOf(d, ops.Builtin(op.Sym).Nothing(e))
	}
	return d.store.MustMake(op, nil, nil, []term.Term{*v})
}

// Scatter adds elements.
func (d *symbolic) Scatter(n, pairs Value, t *Type) Value {
	k, ok := n.(int64)
	if !ok {
		return d.fail("the length of a scatter is not known until the program runs")
	}
	if k <= 0 {
		return &Elements{}
	}
	to := size.Const(k)
	if e, ok := pairs.(*Elements); ok && len(e.X) == 0 {
		return &rows{n: k, x: d.zeros(t, []size.Size{to})}
	}
	r := d.whole(d.rows(pairs))
	from := []size.Size{size.Const(r.n)}
	p := r.x.(*Pairing)
	at := d.lift(p.L, from)
	return &rows{n: k, x: d.store.Scatter(from, []size.Size{to}, d.lift(p.R, from), func(is []term.Term) []term.Term {
		return []term.Term{d.store.Index(at, is[0])}
	})}
}

// States is a loop; the state is a tuple of the arrays in it.
func (d *symbolic) States(n, z, k Value, t *Type, step func(i, s Value) Value) Value {
	most, ok := n.(int64)
	if !ok {
		return d.fail("the number of the states of a loop is not known until the program runs")
	}
	layout, first := d.layout(z, t)
	if most <= 0 || len(first) == 0 {
		return &rows{n: max(most, 0) + 1, x: d.stack([]Value{z}, nil)}
	}
	names := d.store.FreshN(2)
	op := ops.Op{Sym: ops.SymStates, Sizes: []size.Size{size.Const(most)}, Type: d.store.Type(d.store.Packed(first))}
	local := d.store.MustMake(ops.Op{Sym: ops.SymLocal, Type: op.Type}, names[1:], nil, nil)
	v := step(d.store.Ivar(names[0], op.Sizes[0]), layout.value(d.components(local, len(first))))
	after, next := d.layout(v, t)
	if !after.Equal(layout) {
		return d.fail("a step of a loop changes the lengths of arrays in the state, or which side of a sum it is")
	}
	all, wrong := d.store.Make(op, nil, names, []term.Term{d.store.Packed(first), d.lift(k, nil), d.store.Packed(next)})
	if wrong != nil {
		raise.Error(wrong)
	}
	return &rows{n: most + 1, x: layout.value(d.components(all, len(first)))}
}

// components gives the n arrays of a tuple one after the other, or one array.
func (d *symbolic) components(t term.Term, n int) func(*Type, []size.Size) Value {
	k := -1
	return func(*Type, []size.Size) Value {
		if k++; n == 1 {
			return t
		}
		return d.store.Proj(k, t)
	}
}

// Whole applies an operator to arrays.
func (d *symbolic) Whole(op ops.Op, x Value, of, to *types.Type) Value {
	ts := []*types.Type{of}
	if of.Kind == types.KTuple {
		ts = of.Parts
	}
	parts := Untuple(x, len(ts))
	kids := slice.Make(len(parts), func(k int) term.Term { return d.arrayOf(parts[k], ts[k]) })
	t, err := d.store.Make(op, nil, nil, kids)
	if err != nil {
		raise.Error(err)
	}
	return d.valueOf(t, to)
}

// arrayOf is a value as an array of type t.
func (d *symbolic) arrayOf(v Value, t *types.Type) term.Term {
	for range t.Shape {
		v = d.whole(d.rows(v)).x
	}
	out := d.lift(v, t.Shape)
	if !d.store.Type(out).Equal(t) {
		d.fail("an array is %s, where %s must be", d.store.Type(out), t)
	}
	return out
}

// valueOf is an array, or a tuple of some, as a value.
func (d *symbolic) valueOf(t term.Term, typ *types.Type) Value {
	if typ.Kind == types.KTuple {
		parts := slice.Make(len(typ.Parts), func(k int) Value { return d.valueOf(d.store.Proj(k, t), typ.Parts[k]) })
		return TupleValue(parts...)
	}
	var v Value = t
	for k := len(typ.Shape) - 1; k >= 0; k-- {
		n, _ := typ.Shape[k].Const()
		if n == 0 {
			v = &Elements{}
			continue
		}
		v = &rows{n: n, x: v}
	}
	return v
}
