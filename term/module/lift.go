package module

import (
	"slices"

	"egad/slot"
	"egad/term/ast"
	"egad/term/ops"
	"egad/term/size"
	"egad/term/types"
)

// Functions on scalars apply to arrays element by element.

// lifted applies a definition whose parameters are scalars, and functions, to arrays
// of one shape, with scalars among them: once for each element. It reports whether
// this is such a call.
func (w *walker[V]) lifted(d *checkedDef, at ast.Expr, args []*arg[V], s *scope[V]) (*val[V], bool) {
	var shape []size.Size
	var first *arg[V]
	for i, t := range d.params {
		switch {
		case t == nil || t.Kind == types.KFun:
		case !scalars(t):
			return nil, false
		case first == nil:
			if shape = w.shapeOf(args[i].val); shape != nil {
				first = args[i]
			}
		}
	}
	if first == nil || !scalars(d.result) {
		return nil, false
	}
	names, is := w.indices(s, at, shape)
	if is == nil {
		return nil, true
	}
	args = append([]*arg[V](nil), args...)
	for i, t := range d.params {
		if t == nil || t.Kind == types.KFun {
			continue
		}
		one := *args[i]
		if one.val = w.element(d, i, args[i], shape, is, at, s); one.val == nil {
			return nil, true
		}
		args[i] = &one
	}
	r := w.finishCall(d, at, args, s)
	return w.built(s, at, shape, names, r), true
}

// scalars reports whether a type is a scalar, or a tuple of nothing else.
func scalars(t *types.Type) bool {
	switch t.Kind {
	case types.KArray:
		return len(t.Shape) == 0
	case types.KTuple:
		return !slices.ContainsFunc(t.Parts, func(p *types.Type) bool { return !scalars(p) })
	}
	return false
}

// shapeOf is the shape of the first array with axes in a value, nil if there is none.
func (w *walker[V]) shapeOf(v *val[V]) []size.Size {
	if v.tuple {
		for _, p := range v.parts {
			if shape := w.shapeOf(p); shape != nil {
				return shape
			}
		}
		return nil
	}
	if v.fn != nil {
		return nil
	}
	if t := w.dom.typ(v.v); t.Kind == types.KArray && len(t.Shape) > 0 {
		return t.Shape
	}
	return nil
}

// element is the element at is of argument i of d: of each array in it, which has the
// given shape.
func (w *walker[V]) element(d *checkedDef, i int, a *arg[V], shape []size.Size, is []*val[V], at ast.Expr, s *scope[V]) *val[V] {
	return w.each(a.val, func(v *val[V]) *val[V] {
		own := w.shapeOf(v)
		if own == nil {
			return v
		}
		if !w.dom.unify().Shapes(shape, own) {
			s, e := a.where(at, s)
			return w.errorf(s, e.At(), "argument %d of %s (%s: %s), which is a function on scalars: the arrays it is applied to must have one shape, and here are %s and %s",
				i+1, d.Name, d.Params[i].Name, d.params[i], types.ShapeText(shape), types.ShapeText(own))
		}
		return w.index(s, at, v, is)
	})
}

// indices are new index variables over the given ranges.
func (w *walker[V]) indices(s *scope[V], at ast.Expr, ranges []size.Size) ([]slot.Name, []*val[V]) {
	names := w.dom.fresh(len(ranges))
	is := make([]*val[V], len(names))
	for k := range is {
		if is[k] = w.make(s, at, ops.Op{Sym: ops.SymIvar, Sizes: ranges[k : k+1]}, names[k:k+1], nil, nil, nil); is[k] == nil {
			return nil, nil
		}
		is[k] = is[k].symbolic(w.private(&ranges[k]))
	}
	return names, is
}

// index is the element or subarray of v at is; of a tuple of arrays, of each.
func (w *walker[V]) index(s *scope[V], at ast.Expr, v *val[V], is []*val[V]) *val[V] {
	return w.each(v, func(v *val[V]) *val[V] {
		return w.make(s, at, ops.Op{Sym: ops.SymIndex}, nil, nil, nil, append([]*val[V]{v}, is...))
	})
}

// built is the array of all v over index variables; of a tuple, one of each component.
func (w *walker[V]) built(s *scope[V], at ast.Expr, ranges []size.Size, names []slot.Name, v *val[V]) *val[V] {
	return w.each(v, func(v *val[V]) *val[V] {
		for i := len(ranges) - 1; i >= 0 && v != nil; i-- {
			v = w.make(s, at, ops.Op{Sym: ops.SymBuild, Sizes: ranges[i : i+1]}, nil, names[i:i+1], nil, []*val[V]{v})
		}
		return v
	})
}

// each applies f to a value that is no tuple, or to all components of a tuple. It is
// nil if v is, or a result.
func (w *walker[V]) each(v *val[V], f func(*val[V]) *val[V]) *val[V] {
	switch {
	case v == nil:
		return nil
	case !v.tuple:
		return f(v)
	}
	out := &val[V]{tuple: true, list: v.list}
	for _, p := range v.parts {
		if p = w.each(p, f); p == nil {
			return nil
		}
		out.parts = append(out.parts, p)
	}
	return out
}
