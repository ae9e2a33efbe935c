package module

import (
	"slices"

	"egad/diag"
	"egad/internal/slice"
	"egad/term/ast"
	"egad/term/ops"
	"egad/term/size"
	"egad/term/types"
)

// General is a function of values of any type. The prelude cannot say these, as a
// definition has one type.
type General struct {
	Name, Call, Doc string
	axes            bool // the first argument is an axis, or a list of some
	steps           bool // the first argument is a size
	least           int  // how many arguments it takes
	more            bool // it takes further ones
	derives         bool // it takes a function, and then what that takes
	doubled         bool // and that again
}

// Generals lists the general functions. A definition of the same name hides one.
var Generals = []*General{
	{Name: "map", Call: "map f a", least: 2, Doc: "`f` of every element, or row, of `a`"},
	{Name: "zip", Call: "zip f a b …", least: 3, more: true, Doc: "`f` of the elements, or rows, of all of `a`, `b`, … at each place"},
	{Name: "pipe", Call: "pipe [f, g, …] x", least: 2, Doc: "`… (g (f x))`"},
	{Name: "concat", Call: "concat a b …", least: 2, more: true, Doc: "`a`, then `b`, … along the outer axis"},
	{Name: "stack", Call: "stack k a b …", least: 3, more: true, axes: true, Doc: "arrays of one shape along a new axis, number `k` of the result"},
	{Name: "along", Call: "along k f a …", least: 3, more: true, axes: true, Doc: "`f` of every vector along axis `k`, in whose place the result stands; with a list of axes, of all elements along them as one vector"},
	{Name: "flat", Call: "flat a", least: 1, Doc: "all elements as one vector"},
	{Name: "fold", Call: "fold f z a", least: 3, Doc: "`f (… (f (f z a[0]) a[1]) …) a[n - 1]`: section 6"},
	{Name: "scan", Call: "scan f z a", least: 3, Doc: "the states of `fold f z a` after each step"},
	{Name: "mapAccum", Call: "mapAccum f z a", least: 3, Doc: "for an `f` that results in a pair of a state and an output: the last state, and all outputs"},
	{Name: "iterate", Call: "iterate n f z", least: 3, steps: true, Doc: "`f` applied n times"},
	{Name: "grad", Call: "grad f x …", least: 1, derives: true, Doc: "the gradient of `f x …`, a real scalar, by `x`, …"},
	{Name: "jvp", Call: "jvp f x … dx …", least: 1, derives: true, doubled: true, Doc: "the change of `f x …` for changes `dx`, … of `x`, …"},
	{Name: "vjp", Call: "vjp f x … ct", least: 2, derives: true, Doc: "the cotangents of `x`, … for a cotangent `ct` of `f x …`"},
	{Name: "jacobian", Call: "jacobian f x …", least: 1, derives: true, Doc: "the derivatives of all elements of `f x …` by those of `x`, …"},
	{Name: "hessian", Call: "hessian f x …", least: 1, derives: true, Doc: "the second derivatives of `f x …`, a real scalar, by `x`, …"},
	{Name: "last", Call: "last a", least: 1, Doc: "the last element, or row"},
}

func generalCalled(name string) (*General, bool) {
	i := slices.IndexFunc(Generals, func(g *General) bool { return g.Name == name })
	if i < 0 {
		return nil, false
	}
	return Generals[i], true
}

// applyGeneral applies a general function to all its arguments.
func (w *walker[V]) applyGeneral(g *General, at ast.Expr, args []*arg[V], s *scope[V]) *val[V] {
	c := &generalCall[V]{w, g, at, args, s}
	if g.derives {
		return c.derivative()
	}
	switch g.Name {
	case "map", "zip":
		return c.mapped()
	case "pipe":
		return c.pipe()
	case "fold", "scan", "mapAccum":
		return c.looped()
	case "iterate":
		return c.iterated()
	case "concat":
		return w.across(s, at, "the operands of concat", c.values(0), c.concat)
	case "stack":
		return w.across(s, at, "the operands of stack", c.values(1), c.stack)
	case "along":
		return c.along()
	case "flat":
		return w.each(args[0].val, func(a *val[V]) *val[V] {
			t := c.array(0, a)
			if t == nil {
				return nil
			}
			return w.make(s, at, ops.Op{Sym: ops.SymReshape, Sizes: []size.Size{size.Product(t.Shape)}}, nil, nil, nil, []*val[V]{a})
		})
	}
	n, ok := c.outer(0, args[0].val)
	if !ok {
		return nil
	}
	i := w.sizeValue(s, at, n.Sub(size.Const(1)))
	return w.index(s, at, args[0].val, []*val[V]{i})
}

type generalCall[V any] struct {
	w    *walker[V]
	g    *General
	at   ast.Expr
	args []*arg[V]
	s    *scope[V]
}

func (c *generalCall[V]) values(from int) []*val[V] {
	return valuesOf(c.args[from:])
}

// fail reports a finding at argument i.
func (c *generalCall[V]) fail(i int, format string, args ...any) {
	s, e := c.args[i].where(c.at, c.s)
	c.w.errorf(s, e.At(), format, args...)
}

// function is argument i, which must be a function of n arguments.
func (c *generalCall[V]) function(i, n int) *closure[V] {
	f := c.args[i].val.fn
	if f == nil {
		c.fail(i, "%s needs a function here, and this is %s", c.g.Name, c.w.describe(c.args[i].val))
		return nil
	}
	k := f.arity() - len(f.given)
	if k != n && (f.general == nil || !f.general.more) {
		c.fail(i, "%s needs a function of %s here, and this one takes %d", c.g.Name, diag.Count(n, "argument"), k)
		return nil
	}
	return f
}

// array is the type of v, which is argument i or a part of it and must be an array.
func (c *generalCall[V]) array(i int, v *val[V]) *types.Type {
	if !v.tuple && v.fn == nil {
		if t := c.w.dom.typ(v.v); t.Kind == types.KArray {
			return t
		}
	}
	c.fail(i, "%s works on arrays, and this is %s", c.g.Name, c.w.describe(v))
	return nil
}

// outer is the size of the outer axis of v, which is argument i: of all arrays in it.
func (c *generalCall[V]) outer(i int, v *val[V]) (n size.Size, ok bool) {
	known := false
	r := c.w.each(v, func(a *val[V]) *val[V] {
		t := c.array(i, a)
		switch {
		case t == nil:
			return nil
		case len(t.Shape) == 0:
			c.fail(i, "%s goes along the outer axis of an array, and this is %s", c.g.Name, t.Described())
			return nil
		case known && !c.w.dom.unify().Sizes(n, t.Shape[0]):
			c.fail(i, "%s goes along one outer axis, and here are some of sizes %s and %s", c.g.Name, n, t.Shape[0])
			return nil
		}
		n, known = t.Shape[0], true
		return a
	})
	if r != nil && !known {
		c.fail(i, "%s works on arrays, and this is %s", c.g.Name, c.w.describe(v))
	}
	return n, r != nil && known
}

// elements is a value that argument i, the function f, makes, as the elements of an
// array: no function.
func (c *generalCall[V]) elements(i int, f *closure[V], vs []*val[V]) *val[V] {
	s, e := c.args[i].where(c.at, c.s)
	r := c.w.applyValues(f, e, vs, s)
	if r != nil && r.hasFunction() {
		return c.w.errorf(s, e.At(), "what the function of %s results in becomes elements of an array, and this is %s", c.g.Name, c.w.describe(r))
	}
	return r
}

func (c *generalCall[V]) mapped() *val[V] {
	f := c.function(0, len(c.args)-1)
	if f == nil {
		return nil
	}
	var n size.Size
	for i, a := range c.args[1:] {
		m, ok := c.outer(i+1, a.val)
		switch {
		case !ok:
			return nil
		case i > 0 && !c.w.dom.unify().Sizes(n, m):
			c.fail(i+1, "%s takes arrays with one outer axis, and here are some of sizes %s and %s", c.g.Name, n, m)
			return nil
		}
		n = m
	}
	c.w.dom.binder("i", n, c.s.ctx.src, c.at.At())
	return c.everywhere([]size.Size{n}, 0, f, c.values(1))
}

// everywhere is the array, with the given first axes, of what argument i, the function f,
// makes of the elements or parts of vs at each place.
func (c *generalCall[V]) everywhere(axes []size.Size, i int, f *closure[V], vs []*val[V]) *val[V] {
	names, is := c.w.indices(c.s, c.at, axes)
	if is == nil {
		return nil
	}
	for k, v := range vs {
		if vs[k] = c.w.index(c.s, c.at, v, is); vs[k] == nil {
			return nil
		}
	}
	return c.w.built(c.s, c.at, axes, names, c.elements(i, f, vs))
}

func (c *generalCall[V]) pipe() *val[V] {
	fs, x := c.args[0].val, c.args[1].val
	if !fs.tuple {
		c.fail(0, "pipe needs a list of functions, and this is %s", c.w.describe(fs))
		return nil
	}
	for _, f := range fs.parts {
		if f.fn == nil {
			c.fail(0, "pipe needs a list of functions, and this has %s", c.w.describe(f))
			return nil
		}
		if x = c.w.applyValues(f.fn, c.at, []*val[V]{x}, c.s); x == nil {
			return nil
		}
	}
	return x
}

func (c *generalCall[V]) concat(vs []*val[V]) *val[V] {
	u := c.w.dom.unify()
	starts, total := make([]size.Size, len(vs)), size.Const(0)
	var first *types.Type
	for i, v := range vs {
		n, ok := c.outer(i, v)
		if !ok {
			return nil
		}
		t := c.w.dom.typ(v.v)
		if first == nil {
			first = t
		}
		if !u.Shapes(first.Shape[1:], t.Shape[1:]) {
			c.fail(i, "concat joins arrays along the outer axis, and their other axes must be the same: %s and %s", first, t)
			return nil
		}
		starts[i], total = total, total.Add(n)
	}
	ranges := []size.Size{total}
	names, is := c.w.indices(c.s, c.at, ranges)
	if is == nil {
		return nil
	}
	c.w.dom.binder("i", total, c.s.ctx.src, c.at.At())
	var out *val[V]
	for i := len(vs) - 1; i >= 0; i-- {
		at := is[0]
		if i > 0 {
			at = c.op(ops.SymSub, is[0], c.w.sizeValue(c.s, c.at, starts[i]))
		}
		v := c.w.index(c.s, c.at, vs[i], []*val[V]{at})
		if out != nil && v != nil {
			v = c.op(ops.SymCond, c.op(ops.SymLt, is[0], c.w.sizeValue(c.s, c.at, starts[i+1])), v, out)
		}
		if out = v; out == nil {
			return nil
		}
	}
	return c.w.built(c.s, c.at, ranges, names, out)
}

// op applies an operator to values of fitting shapes; it is nil if one is.
func (c *generalCall[V]) op(sym ops.Sym, kids ...*val[V]) *val[V] {
	if slices.Contains(kids, nil) {
		return nil
	}
	return c.w.make(c.s, c.at, ops.Op{Sym: sym}, nil, nil, nil, kids)
}

// tr permutes the axes of v, unless they are in order.
func (c *generalCall[V]) tr(perm []int, v *val[V]) *val[V] {
	if v == nil || slices.IsSorted(perm) {
		return v
	}
	return c.w.make(c.s, c.at, ops.Op{Sym: ops.SymTr, Perm: perm}, nil, nil, nil, []*val[V]{v})
}

func (c *generalCall[V]) stack(vs []*val[V]) *val[V] {
	for i, v := range vs {
		if c.array(i+1, v) == nil {
			return nil
		}
	}
	v := c.op(ops.SymStack, vs...)
	if v == nil {
		return nil
	}
	rank := len(c.w.dom.typ(v.v).Shape)
	axes, ok := c.axes(rank)
	if !ok {
		return nil
	}
	if len(axes) != 1 {
		c.fail(0, "stack makes one new axis, and here are %d", len(axes))
		return nil
	}
	perm := slice.Count(1, rank)
	return c.tr(slices.Insert(perm, axes[0], 0), v)
}

// axes are the axes that the first argument lists, of an array of the given rank.
func (c *generalCall[V]) axes(rank int) ([]int, bool) {
	axes := c.args[0].axes
	for i, k := range axes {
		switch {
		case k >= rank:
			c.fail(0, "there is no axis %d in an array of rank %d", k, rank)
			return nil, false
		case slices.Contains(axes[:i], k):
			c.fail(0, "axis %d is listed twice", k)
			return nil, false
		}
	}
	return axes, true
}

func (c *generalCall[V]) along() *val[V] {
	f := c.function(1, len(c.args)-2)
	if f == nil {
		return nil
	}
	// A reduction works on all vectors at once.
	whole := f.op != nil && f.op.Reduction && len(c.args) == 3
	var others []size.Size // the sizes of the axes that are not listed
	var first int
	vs := c.values(2)
	for i, v := range vs {
		t := c.array(i+2, v)
		if t == nil {
			return nil
		}
		axes, ok := c.axes(len(t.Shape))
		if !ok {
			return nil
		}
		rest := slices.DeleteFunc(slice.Count(0, len(t.Shape)), func(k int) bool { return slices.Contains(axes, k) })
		switch own := slice.At(t.Shape, rest); {
		case i == 0:
			others, first = own, slices.Min(axes)
		case !c.w.dom.unify().Shapes(others, own):
			c.fail(i+2, "the axes that are not listed must have the same sizes in all operands, and here are %s and %s", types.ShapeText(others), types.ShapeText(own))
			return nil
		}
		perm, shape := slices.Concat(rest, axes), append(slices.Clone(others), size.Product(slice.At(t.Shape, axes)))
		if whole {
			perm, shape = slices.Concat(axes, rest), append([]size.Size{size.Product(slice.At(t.Shape, axes))}, others...)
		}
		if v = c.tr(perm, v); v != nil && len(axes) > 1 {
			v = c.w.make(c.s, c.at, ops.Op{Sym: ops.SymReshape, Sizes: shape}, nil, nil, nil, []*val[V]{v})
		}
		if vs[i] = v; v == nil {
			return nil
		}
	}
	var r *val[V]
	if whole {
		r = c.elements(1, f, vs)
	} else {
		r = c.everywhere(others, 1, f, vs)
	}
	return c.w.each(r, func(v *val[V]) *val[V] {
		n := len(others)
		k := len(c.w.dom.typ(v.v).Shape) - n // the axes of what f results in
		before, own, after := slice.Count(0, first), slice.Count(n, n+k), slice.Count(first, n)
		if whole {
			before, own, after = slice.Count(k, k+first), slice.Count(0, k), slice.Count(k+first, k+n)
		}
		return c.tr(slices.Concat(before, own, after), v)
	})
}

// across applies f to values that are no tuples, or to the components of tuples with
// as many, one after the other. What says in a message what the values are.
func (w *walker[V]) across(s *scope[V], at ast.Expr, what string, vs []*val[V], f func([]*val[V]) *val[V]) *val[V] {
	for _, v := range vs[1:] {
		if v.tuple != vs[0].tuple || len(v.parts) != len(vs[0].parts) {
			return w.errorf(s, at.At(), "%s must have one type: %s against %s", what, w.describe(vs[0]), w.describe(v))
		}
	}
	if !vs[0].tuple {
		return f(vs)
	}
	out := &val[V]{tuple: true}
	for i := range vs[0].parts {
		w.step()
		p := w.across(s, at, what, slice.Map(vs, func(v *val[V]) *val[V] { return v.parts[i] }), f)
		if p == nil {
			return nil
		}
		out.parts = append(out.parts, p)
	}
	return out
}
