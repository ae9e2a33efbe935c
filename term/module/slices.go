package module

import (
	"fmt"
	"slices"

	"egad/slot"
	"egad/term/ast"
	"egad/term/ops"
	"egad/term/size"
	"egad/term/types"
)

// indexExpr is an element or a part of an array, or of all arrays in a tuple.
func (w *walker[V]) indexExpr(e *ast.IndexExpr, s *scope[V]) *val[V] {
	a := w.eval(e.Array, s)
	if a == nil {
		return nil
	}
	if a.list {
		return w.picked(e, a, s)
	}
	if a.hasFunction() || a.tuple && isTuple(e.Array) {
		return w.errorf(s, e.Array.At(), "expected an array, found %s; what a call results in is indexed in parentheses, as (f x)[i]", w.describe(a))
	}
	if len(e.Ix) > 0 && a.tuple && slices.ContainsFunc(a.arrays(nil), w.isScalar) {
		return w.errorf(s, e.Ix[0].At(), "too many indices: %d for %s, whose components are %s", len(e.Ix), w.describe(a), components(e.Array, len(a.parts)))
	}
	cuts := make([]cut[V], len(e.Ix))
	for i, x := range e.Ix {
		var ok bool
		if cuts[i], ok = w.cut(x, s); !ok {
			return nil
		}
	}
	return w.each(a, func(a *val[V]) *val[V] { return w.part(e, a, cuts, s) })
}

// picked is a function of a list of functions, or a part of the list, as numbers say that
// are known before the program runs.
func (w *walker[V]) picked(e *ast.IndexExpr, fs *val[V], s *scope[V]) *val[V] {
	if len(e.Ix) != 1 {
		return w.errorf(s, e.Ix[1].At(), "a list of functions has one axis, and here are %d indices", len(e.Ix))
	}
	x, ok := w.cut(e.Ix[0], s)
	if !ok {
		return nil
	}
	n := int64(len(fs.parts))
	at := func(v *val[V], otherwise, last int64) int64 {
		if v == nil {
			return otherwise
		}
		if v.sym != nil {
			if k, known := v.sym.Const(); known && 0 <= k && k <= last {
				return k
			}
		}
		w.errorf(s, e.Ix[0].At(), "functions of a list are taken at numbers that are known, from 0 to %d", last)
		return -1
	}
	if x.slice == nil {
		if k := at(x.lo, 0, n-1); k >= 0 {
			return fs.parts[k]
		}
		return nil
	}
	lo, hi := at(x.lo, 0, n), at(x.hi, n, n)
	switch {
	case lo < 0 || hi < 0:
		return nil
	case lo >= hi:
		return w.errorf(s, e.Ix[0].At(), "there is no function in this part of the list")
	}
	return &val[V]{tuple: true, list: true, parts: fs.parts[lo:hi]}
}

// cut is where a slice begins and ends; either may be missing. Of an index, it is
// the first alone.
type cut[V any] struct {
	slice  *ast.Slice
	lo, hi *val[V]
}

func (w *walker[V]) cut(e ast.Expr, s *scope[V]) (cut[V], bool) {
	sl, ok := e.(*ast.Slice)
	if !ok {
		v := w.array(e, s)
		return cut[V]{lo: v}, v != nil
	}
	out := cut[V]{slice: sl}
	end := func(e ast.Expr) (*val[V], bool) {
		if e == nil {
			return nil, true
		}
		v := w.array(e, s)
		if v == nil {
			return nil, false
		}
		if v.sym == nil {
			w.errorf(s, e.At(), "the length of a slice is a size, and is not known here: an end of a slice is a sum of sizes, names and numbers, as in a[i:i + 3]")
			return nil, false
		}
		return v, true
	}
	if out.lo, ok = end(sl.Lo); !ok {
		return out, false
	}
	out.hi, ok = end(sl.Hi)
	return out, ok
}

// part is what the indices and slices leave of one array.
func (w *walker[V]) part(e *ast.IndexExpr, a *val[V], at []cut[V], s *scope[V]) *val[V] {
	for len(at) > 0 && at[len(at)-1].slice != nil && at[len(at)-1].lo == nil && at[len(at)-1].hi == nil {
		if t := w.dom.typ(a.v); t.Kind != types.KArray || len(at) > len(t.Shape) {
			break
		}
		at = at[:len(at)-1] // the whole of the last axis
	}
	t := w.dom.typ(a.v)
	es, kids := []ast.Expr{e.Array}, []*val[V]{a}
	var sizes []size.Size
	var names []slot.Name
	for k, x := range at {
		if t.Kind != types.KArray || k >= len(t.Shape) {
			if x.slice != nil {
				return w.errorf(s, x.slice.At(), "too many indices: %d for %s", len(at), t.Described())
			}
			es, kids = append(es, e.Ix[k]), append(kids, x.lo)
			continue
		}
		es = append(es, e.Ix[k])
		if x.slice == nil {
			if !w.inRange(x.lo, k, t.Shape[k], e, s) {
				return nil
			}
			kids = append(kids, x.lo)
			continue
		}
		n, ok := w.length(x, k, t.Shape[k], s)
		if !ok {
			return nil
		}
		name, is := w.indices(s, e, []size.Size{n})
		if is == nil {
			return nil
		}
		i := is[0]
		if x.lo != nil {
			if i = w.elementwise(s, e, ops.Op{Sym: ops.SymAdd}, nil, []*val[V]{x.lo, i}); i == nil {
				return nil
			}
		}
		sizes, names, kids = append(sizes, n), append(names, name...), append(kids, i)
	}
	if len(sizes) == 0 {
		return w.read(s, e, ops.Op{Sym: ops.SymIndex}, nil, es, kids)
	}
	return w.read(s, e, ops.Op{Sym: ops.SymGather, Sizes: sizes}, names, es, kids)
}

// length is how many elements a slice has along axis k of size n.
func (w *walker[V]) length(x cut[V], k int, n size.Size, s *scope[V]) (size.Size, bool) {
	lo, hi := size.Const(0), n
	if x.lo != nil {
		lo = *x.lo.sym
	}
	if x.hi != nil {
		hi = *x.hi.sym
	}
	length := hi.Sub(lo)
	fail := func(format string, args ...any) (size.Size, bool) {
		w.errorf(s, x.slice.At(), format, args...)
		return size.Size{}, false
	}
	none := size.Const(0)
	_, checking := any(w.dom).(*checker)
	switch {
	case !length.OnlySizes():
		return fail("the length of a slice is a size, and here it depends on the values of integers, not of sizes alone")
	case w.always(none.Sub(length), 1):
		return fail("this slice ends before it begins: its length is %s", length)
	case checking && w.always(none.Sub(lo), 1):
		return fail("this slice begins before axis %d, of size %s; positions count from 0, and the end as n - 1 (slice reads zeros beyond an array)", k, n)
	case checking && w.always(hi.Sub(n), 1):
		return fail("this slice ends beyond axis %d, of size %s (slice reads zeros beyond an array)", k, n)
	}
	if err := possible(length, x.slice.At()); err != nil {
		return fail("%s", err.Msg)
	}
	return length, true
}

// inRange reports an index that is out of range whatever the values of sizes and index
// variables are.
func (w *walker[V]) inRange(i *val[V], k int, n size.Size, e *ast.IndexExpr, s *scope[V]) bool {
	if _, checking := any(w.dom).(*checker); !checking || i.sym == nil {
		return true
	}
	before, after := size.Outside(w.always, *i.sym, n)
	last := ""
	switch {
	case before:
		last = "; the end is counted as n - 1, or last a"
	case !after:
		return true
	}
	w.errorf(s, e.Ix[k].At(), "this index is always out of range: axis %d has size %s. Such a read is 0 (to ask for that, write index a [i])%s", k, n, last)
	return false
}

// isScalar reports whether a value is one number, or truth value.
func (w *walker[V]) isScalar(v *val[V]) bool {
	t := w.dom.typ(v.v)
	return t.Kind == types.KArray && t.Rank() == 0
}

// components says how the n components of the tuple e are written.
func components(e ast.Expr, n int) string {
	name := "(…)"
	if id, ok := e.(*ast.Ident); ok {
		name = id.Name
	}
	return fmt.Sprintf("%s.0 to %s.%d", name, name, n-1)
}

// isTuple reports whether an expression is a tuple in parentheses.
func isTuple(e ast.Expr) bool {
	_, ok := e.(*ast.TupleLit)
	return ok
}
