package term

import (
	"maps"
	"slices"
	"strings"

	"egad/internal/memo"
	"egad/term/ast"
)

// What is known of integers while a definition is checked or instantiated: a value
// that is a polynomial in sizes and index variables carries it. A size may be bound by
// let so, and the length of a slice is seen.

// maxSymbolic bounds the degree and the number of terms of what values carry.
const maxSymbolic = 4

// private marks the names of integers in polynomials, which may be negative.
const private = "#"

// symbolic makes v carry a polynomial, if it is a small one.
func (v *val[V]) symbolic(s Size) *val[V] {
	if v == nil || !small(s) {
		return v
	}
	out := *v
	out.sym = &s
	return &out
}

func small(s Size) bool {
	return degreeOf(s) <= maxSymbolic && len(s.monomials()) <= 4*maxSymbolic
}

// private is a new name for an integer, which stands for 0 up to below the range, if
// that is known.
func (w *walker[V]) private(of *Size) Size {
	w.privates++
	name := sprintf("%d%s", w.privates, private)
	if of != nil {
		memo.Set(&w.ranges, name, *of)
	}
	return SizeVar(name)
}

// unknown gives the integer that a name means something to carry, if it carries
// nothing.
func (w *walker[V]) unknown(v *val[V]) *val[V] {
	if v == nil || v.sym != nil || v.tuple || v.fn != nil || !w.dom.typ(v.v).IsScalar(I) {
		return v
	}
	s := w.private(nil)
	v.sym = &s
	return v
}

// isSize reports whether s has no integers but sizes.
func isSize(s Size) bool {
	return !slices.ContainsFunc(s.Vars(), func(v string) bool { return strings.HasSuffix(v, private) })
}

// arithmetic is what an operation on integers carries.
func (v *val[V]) arithmetic(op string, l, r *val[V]) *val[V] {
	if v == nil || l.sym == nil || r.sym == nil {
		return v
	}
	if s, ok := combined(op, *l.sym, *r.sym); ok {
		return v.symbolic(s)
	}
	return v
}

// combined is an operation on polynomials, unless its result is not small.
func combined(op string, l, r Size) (out Size, ok bool) {
	if degreeOf(l)+degreeOf(r) > maxSymbolic {
		return Size{}, false
	}
	defer func() {
		if p := recover(); p != nil {
			if _, is := p.(*Overflow); !is {
				panic(p)
			}
			ok = false
		}
	}()
	switch op {
	case "+":
		out = l.Add(r)
	case "-":
		out = l.Sub(r)
	case "*":
		out = l.Mul(r)
	case "div":
		q, err := l.FloorDiv(r)
		return q, err == nil && small(q)
	case "min":
		out = l.Min(r)
	case "max":
		out = l.Max(r)
	default:
		return Size{}, false
	}
	return out, small(out)
}

// sizesFor is the sizes in reach, and what let has bound to one among the names of e.
func (w *walker[V]) sizesFor(e ast.Expr, s *scope[V]) map[string]Size {
	out := s.ctx.sizes
	for _, name := range ast.FreeNames(e) {
		if b, ok := s.lookup(name); ok && b.val != nil && b.val.sym != nil && isSize(*b.val.sym) {
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
func (w *walker[V]) always(s Size, least int64) bool {
	if c, ok := any(w.dom).(*checker); ok {
		return always(s.Subst(c.eqs), least, w.ranges)
	}
	return always(s, least, w.ranges)
}

// always is as for a walker, given the ranges of index variables.
func always(s Size, least int64, ranges map[string]Size) bool {
	// It is smallest where each index variable is 0, or as large as it can be. None is
	// negative, as a name without the mark says.
	within := make(map[string]Size)
	for _, v := range s.Vars() {
		if n, ok := ranges[v]; ok && !n.IsConst(0) {
			bare := strings.TrimSuffix(v, private)
			s, within[bare] = s.Subst(map[string]Size{v: SizeVar(bare)}), n
		}
	}
	for _, v := range s.Vars() {
		n, ok := within[v]
		if !ok {
			continue
		}
		at := SizeConst(0)
		if rest := s.Sub(s.Subst(map[string]Size{v: at})); !rest.Natural() {
			if !SizeConst(0).Sub(rest).Natural() {
				return false
			}
			at = n.Sub(SizeConst(1))
		}
		s = s.Subst(map[string]Size{v: at})
	}
	return s.Sub(SizeConst(least)).Natural()
}

// outside reports whether an index is out of range of an axis at all values of sizes
// and index variables, and on which side.
func outside(always func(Size, int64) bool, i, n Size) (before, after bool) {
	if n.IsConst(0) {
		return false, false // there is nothing to read, at any index
	}
	return always(SizeConst(0).Sub(i), 1), always(i.Sub(n), 0)
}

// polynomials are what integer terms carry when their text is read.
type polynomials struct {
	of     map[*Instance]*Size
	ranges map[string]Size
}

// at is what an instance carries, nil if nothing.
func (p *polynomials) at(in *Instance) *Size {
	if s, ok := p.of[in]; ok {
		return s
	}
	s, ok := p.read(in)
	out := &s
	if !ok {
		out = nil
	}
	p.of[in] = out
	return out
}

func (p *polynomials) read(in *Instance) (Size, bool) {
	zero := SizeConst(0)
	l, r := &zero, &zero
	op := in.View.Op
	switch len(in.Kids) {
	case 0:
		switch {
		case op.Sym == SymConst && op.Type.IsScalar(I):
			return SizeConst(op.Const.Fill.Int), op.Const.Data == nil
		case op.Sym == SymVar && op.Type.IsScalar(I):
			return SizeVar(op.Name + private), true
		case op.Sym == SymIvar:
			name := sprintf("%d%s", in.Term.Args[0], private)
			p.ranges[name] = op.Sizes[0]
			return SizeVar(name), true
		}
		return Size{}, false
	case 1:
		if r = p.at(in.Kids[0]); op.Sym != SymNeg || r == nil {
			return Size{}, false
		}
		return combined("-", *l, *r)
	case 2:
		if l, r = p.at(in.Kids[0]), p.at(in.Kids[1]); l == nil || r == nil {
			return Size{}, false
		}
		if o := Builtin(op.Sym); o != nil {
			return combined(o.Text(), *l, *r)
		}
	}
	return Size{}, false
}

// misses reports whether index is read as one that is always out of range.
func (p *Printer) misses(index *Instance) bool {
	if p.integers == nil {
		p.integers = &polynomials{make(map[*Instance]*Size), make(map[string]Size)}
	}
	shape := p.Store.Type(index.Kids[0].Term).Shape
	for k, i := range index.Kids[1:] {
		s := p.integers.at(i)
		if s == nil {
			continue
		}
		always := func(s Size, least int64) bool { return always(s, least, p.integers.ranges) }
		if before, after := outside(always, *s, shape[k]); before || after {
			return true
		}
	}
	return false
}
