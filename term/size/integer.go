package size

import (
	"slices"
	"strings"

	"egad/term/overflow"
)

// Integers of a program, where they are polynomials in its sizes and in other integers.

// maxSymbolic bounds the degree and the number of terms of what values carry.
const maxSymbolic = 4

// IntegerMark ends the names of integers in polynomials, which may be negative; sizes are not.
const IntegerMark = "#"

// Small reports whether a polynomial is one that is worth to carry along.
func (s Size) Small() bool {
	return s.degree() <= maxSymbolic && len(s.monomials()) <= 4*maxSymbolic
}

// OnlySizes reports whether s has no integers but sizes.
func (s Size) OnlySizes() bool {
	return !slices.ContainsFunc(s.Vars(), func(v string) bool { return strings.HasSuffix(v, IntegerMark) })
}

// Combine applies an operator of integers to polynomials; ok is false if there is no result that is
// [Size.Small].
func Combine(op string, l, r Size) (out Size, ok bool) {
	if l.degree()+r.degree() > maxSymbolic {
		return Size{}, false
	}
	defer func() {
		if p := recover(); p != nil {
			if _, is := p.(*overflow.Error); !is {
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
		return q, err == nil && q.Small()
	case "min":
		out = l.Min(r)
	case "max":
		out = l.Max(r)
	default:
		return Size{}, false
	}
	return out, out.Small()
}

// AtLeast reports whether a polynomial is at least least at all values of sizes and of index
// variables, of which ranges says from 0 up to below what they go, as far as this can be seen.
func (s Size) AtLeast(least int64, ranges map[string]Size) bool {
	// It is smallest where each index variable is 0, or as large as it can be. None is
	// negative, as a name without the mark says.
	within := make(map[string]Size)
	for _, v := range s.Vars() {
		if n, ok := ranges[v]; ok && !n.IsConst(0) {
			bare := strings.TrimSuffix(v, IntegerMark)
			s, within[bare] = s.Subst(map[string]Size{v: Var(bare)}), n
		}
	}
	for _, v := range s.Vars() {
		n, ok := within[v]
		if !ok {
			continue
		}
		at := Const(0)
		if rest := s.Sub(s.Subst(map[string]Size{v: at})); !rest.Natural() {
			if !Const(0).Sub(rest).Natural() {
				return false
			}
			at = n.Sub(Const(1))
		}
		s = s.Subst(map[string]Size{v: at})
	}
	return s.Sub(Const(least)).Natural()
}

// Outside reports whether an index is out of range of an axis at all values of sizes
// and index variables, and on which side.
func Outside(always func(Size, int64) bool, i, n Size) (before, after bool) {
	if n.IsConst(0) {
		return false, false // there is nothing to read, at any index
	}
	return always(Const(0).Sub(i), 1), always(i.Sub(n), 0)
}
