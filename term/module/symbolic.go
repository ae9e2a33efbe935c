package module

import (
	"fmt"
	"maps"

	"egad/internal/memo"
	"egad/term/ast"
	"egad/term/size"
	"egad/term/types"
)

// What is known of integers while a definition is checked or instantiated: a value
// that is a polynomial in sizes and index variables carries it. A size may be bound by
// let so, and the length of a slice is seen.

// symbolic makes v carry a polynomial, if it is a small one.
func (v *val[V]) symbolic(s size.Size) *val[V] {
	if v == nil || !s.Small() {
		return v
	}
	out := *v
	out.sym = &s
	return &out
}

// private is a new name for an integer, which stands for 0 up to below the range, if
// that is known.
func (w *walker[V]) private(of *size.Size) size.Size {
	w.privates++
	name := fmt.Sprintf("%d%s", w.privates, size.IntegerMark)
	if of != nil {
		memo.Set(&w.ranges, name, *of)
	}
	return size.Var(name)
}

// unknown gives the integer that a name means something to carry, if it carries
// nothing.
func (w *walker[V]) unknown(v *val[V]) *val[V] {
	if v == nil || v.sym != nil || v.tuple || v.fn != nil || !w.dom.typ(v.v).IsScalar(types.I) {
		return v
	}
	s := w.private(nil)
	v.sym = &s
	return v
}

// arithmetic is what an operation on integers carries.
func (v *val[V]) arithmetic(op string, l, r *val[V]) *val[V] {
	if v == nil || l.sym == nil || r.sym == nil {
		return v
	}
	if s, ok := size.Combine(op, *l.sym, *r.sym); ok {
		return v.symbolic(s)
	}
	return v
}

// sizesFor is the sizes in reach, and what let has bound to one among the names of e.
func (w *walker[V]) sizesFor(e ast.Expr, s *scope[V]) map[string]size.Size {
	out := s.ctx.sizes
	for _, name := range ast.FreeNames(e) {
		if b, ok := s.lookup(name); ok && b.val != nil && b.val.sym != nil && b.val.sym.OnlySizes() {
			if len(out) == len(s.ctx.sizes) {
				out = maps.Clone(out)
			}
			out[name] = *b.val.sym
		}
	}
	return out
}

// always reports whether a polynomial is at least least at all values of sizes and
// index variables, as far as this can be seen.
func (w *walker[V]) always(s size.Size, least int64) bool {
	if c, ok := any(w.dom).(*checker); ok {
		return s.Subst(c.eqs).AtLeast(least, w.ranges)
	}
	return s.AtLeast(least, w.ranges)
}
