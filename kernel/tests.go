package kernel

import (
	"slices"

	"egad/term"
)

// tests are truth values of which an element needs all to hold; else it is 0.
type tests []*Value

// never reports whether a test is known to fail.
func (t tests) never() bool { return len(t) == 1 && t[0].Kind == Lit }

// and is all of t and u.
func (t tests) and(u tests) tests {
	if t.never() || len(u) == 0 {
		return t
	}
	if u.never() || len(t) == 0 {
		return u
	}
	out := slices.Concat(t, u)
	slices.SortFunc(out, func(a, b *Value) int { return a.serial - b.serial })
	return slices.Compact(out)
}

// inRange are the tests that every index is in range.
func (b *builder) inRange(at []*Value, shape []int) tests {
	var out tests
	for i, x := range at {
		lo := b.op(term.Op{Sym: term.SymLe}, term.B, b.int(0), x)
		hi := b.op(term.Op{Sym: term.SymLt}, term.B, x, b.int(int64(shape[i])))
		for _, v := range []*Value{lo, hi} {
			if v.Kind != Lit || v.Const.Int == 0 {
				out = out.and(tests{v})
			}
		}
	}
	return out
}

// guarded is v where all tests hold, else 0.
func (b *builder) guarded(t tests, v *Value) *Value {
	if len(t) == 0 {
		return v
	}
	zero := b.lit(term.ScalarZero(v.Elem))
	return b.op(term.Op{Sym: term.SymWhere}, v.Elem, b.both(t), v, zero)
}

// both is whether all of some tests hold, of which there is one at least.
func (b *builder) both(t tests) *Value {
	all := t[0]
	for _, u := range t[1:] {
		all = b.op(term.Op{Sym: term.SymAnd}, term.B, all, u)
	}
	return all
}
