package module

import (
	"fmt"
	"slices"

	"egad/diag"
	"egad/internal/slice"
	"egad/slot"
	"egad/term/ast"
	"egad/term/ops"
	"egad/term/size"
	"egad/term/types"
)

// mismatch says where v departs from the type t; it is "" if v is of that type.
func (w *walker[V]) mismatch(t *types.Type, v *val[V]) string {
	if t.Kind == types.KTuple && v.tuple && len(v.parts) == len(t.Parts) {
		for i, p := range t.Parts {
			if msg := w.mismatch(p, v.parts[i]); msg != "" {
				return fmt.Sprintf("component %d: %s", i, msg)
			}
		}
		return ""
	}
	if v.fn == nil && !v.tuple {
		u, got := w.dom.unify(), w.dom.typ(v.v)
		if t.Kind != types.KArray || got.Kind != types.KArray || len(t.Shape) != len(got.Shape) {
			if u.Types(t, got) {
				return ""
			}
			return fmt.Sprintf("expected %s, found %s", t.Described(), got.Described())
		}
		if !u.Elems(t.Elem, got.Elem) {
			return fmt.Sprintf("expected elements of type %s, found %s%s", t.Elem, got.Elem, types.Conversion(t.Elem, got.Elem))
		}
		for i, s := range t.Shape {
			if !u.Sizes(s, got.Shape[i]) {
				return fmt.Sprintf("axis %d has size %s, expected %s", i, got.Shape[i], s)
			}
		}
		return ""
	}
	return fmt.Sprintf("expected %s, found %s", t.Described(), w.describe(v))
}

func (w *walker[V]) describe(v *val[V]) string {
	if v.hasFunction() {
		w.misplaced++
	}
	switch {
	case v.fn != nil:
		return v.fn.describe()
	case v.list:
		return "a list of functions"
	case v.tuple && v.hasFunction():
		return "a tuple with a function"
	case v.tuple:
		return "a tuple " + w.typeOf(v).String()
	}
	return w.dom.typ(v.v).Described()
}

// typeOf is the type of a value that is not a function.
func (w *walker[V]) typeOf(v *val[V]) *types.Type {
	if !v.tuple {
		return w.dom.typ(v.v)
	}
	return types.TupleOf(slice.Map(v.parts, w.typeOf)...)
}

// sizeMatcher finds the sizes of a call from the axes of its arguments.
type sizeMatcher struct {
	sizes map[string]size.Size
	axes  []size.Axis
	at    []argAxis      // of each axis
	by    map[string]int // the axis that told a size
}

// argAxis is an axis of an argument.
type argAxis struct{ arg, axis int }

func (w *walker[V]) inferSizes(m *sizeMatcher, t *types.Type, v *val[V], arg int) {
	if t.Kind == types.KTuple {
		if v.tuple && len(v.parts) == len(t.Parts) {
			for i, p := range t.Parts {
				w.inferSizes(m, p, v.parts[i], arg)
			}
		}
		return
	}
	if v.tuple || v.fn != nil {
		return
	}
	m.match(t, w.dom.typ(v.v), arg)
}

// match adds the axes of an argument, of type is, beside those of its parameter.
func (m *sizeMatcher) match(param, is *types.Type, arg int) {
	if param.Kind != is.Kind {
		return
	}
	for i := 0; i < min(len(param.Shape), len(is.Shape)); i++ {
		m.axes, m.at = append(m.axes, size.Axis{Declared: param.Shape[i], Is: is.Shape[i]}), append(m.at, argAxis{arg, i})
	}
	for i := 0; i < min(len(param.Parts), len(is.Parts)); i++ {
		m.match(param.Parts[i], is.Parts[i], arg)
	}
}

// explain says which arguments of d told the sizes in a parameter type.
func (m *sizeMatcher) explain(d *checkedDef, t *types.Type) string {
	out := ""
	seen := make(map[string]bool)
	var visit func(t *types.Type)
	visit = func(t *types.Type) {
		for _, s := range t.Shape {
			for _, v := range s.Vars() {
				if i, ok := m.by[v]; ok && !seen[v] {
					seen[v] = true
					out += fmt.Sprintf("; %s is %s by argument %d (%s), axis %d", v, m.sizes[v], m.at[i].arg+1, d.Params[m.at[i].arg].Name, m.at[i].axis)
				}
			}
		}
		for _, p := range t.Parts {
			visit(p)
		}
	}
	visit(t)
	return out
}

// opaqueFunction is a function of which only the type is known.
func opaqueFunction[V any](t *types.Type) *val[V] { return &val[V]{fn: &closure[V]{typ: t}} }

// opaque is a value of which only the type is known.
func (w *walker[V]) opaque(t *types.Type, s *scope[V], at ast.Expr) *val[V] {
	switch t.Kind {
	case types.KTuple:
		return &val[V]{tuple: true, parts: slice.Map(t.Parts, func(p *types.Type) *val[V] { return w.opaque(p, s, at) })}
	case types.KFun:
		return opaqueFunction[V](t)
	}
	return w.make(s, at, ops.Op{Sym: ops.SymVar, Name: "?", Type: t}, nil, nil, nil, nil)
}

// bodyOf evaluates f, which must be a function of n index variables with the
// given ranges, and returns the names of the variables and the value.
func (w *walker[V]) bodyOf(f ast.Expr, ranges []size.Size, list bool, s *scope[V]) ([]slot.Name, []ast.Expr, []*val[V]) {
	names, is := w.indices(s, f, ranges)
	if is == nil {
		return nil, nil, nil
	}
	lam, ok := f.(*ast.Lambda)
	if !ok {
		v := w.eval(f, s)
		if v == nil {
			return nil, nil, nil
		}
		switch {
		case v.fn == nil || list && v.fn.goes == nil:
			w.errorf(s, f.At(), "expected a function of %s, as in \\i -> …", diag.Count(len(ranges), "index variable"))
			return nil, nil, nil
		case list && !v.fn.goes.indices:
			w.errorf(s, f.At(), "expected a function to a list of indices")
			return nil, nil, nil
		case list && v.fn.goes.arity != len(is):
			w.errorf(s, f.At(), "expected a function of %s, and this one takes %d", diag.Count(len(is), "index variable"), v.fn.goes.arity)
			return nil, nil, nil
		case list:
			r := v.fn.goes.apply(is)
			if r == nil {
				return nil, nil, nil
			}
			for _, p := range r.parts {
				if w.isArray(p, f, s) == nil {
					return nil, nil, nil
				}
			}
			return names, slices.Repeat([]ast.Expr{f}, len(r.parts)), r.parts
		}
		r := w.applyValues(v.fn, f, is, s)
		if r == nil {
			return nil, nil, nil
		}
		return names, []ast.Expr{f}, []*val[V]{r}
	}
	inner, ok := w.bindIndices(lam, ranges, is, s)
	if !ok {
		return nil, nil, nil
	}
	if !list {
		r := w.eval(lam.Body, inner)
		if r == nil {
			return nil, nil, nil
		}
		return names, []ast.Expr{lam.Body}, []*val[V]{r}
	}
	body, inner := w.stripLets(lam.Body, inner)
	es, ok := body.(*ast.ListLit)
	if !ok {
		w.errorf(inner, body.At(), "expected a list of indices, as in \\[i] -> [i + 1]")
		return nil, nil, nil
	}
	vs := w.arrays(es.Elems, inner)
	if vs == nil && len(es.Elems) > 0 {
		return nil, nil, nil
	}
	return names, es.Elems, vs
}

// stripLets evaluates the lets around an index list.
func (w *walker[V]) stripLets(e ast.Expr, s *scope[V]) (ast.Expr, *scope[V]) {
	for {
		l, ok := e.(*ast.Let)
		if !ok {
			return e, s
		}
		s = w.bindLet(l, s)
		e = l.Body
	}
}

// bindIndices binds the index variables of \i j -> … or \[i, j] -> ….
func (w *walker[V]) bindIndices(lam *ast.Lambda, ranges []size.Size, is []*val[V], s *scope[V]) (*scope[V], bool) {
	ps := lam.Params
	if len(ps) == 1 && ps[0].Kind == ast.PatList {
		ps = ps[0].Subs
	}
	if len(ps) != len(is) {
		w.errorf(s, lam.At(), "expected a function of %s, and this one takes %d", diag.Count(len(is), "index variable"), len(ps))
		return nil, false
	}
	for k, p := range ps {
		switch p.Kind {
		case ast.PatName:
			if isReserved(p.Name) {
				w.errorf(s, p.Pos, "%s is a built-in name", p.Name)
			}
			w.dom.binder(p.Name, ranges[k], s.ctx.src, p.Pos)
			s = s.bind(p.Name, w.ofType(p, is[k], s), p.Pos)
		case ast.PatWild:
		default:
			w.errorf(s, p.Pos, "an index variable is a name")
			return nil, false
		}
	}
	return s, true
}
