package kernel

import (
	"slices"

	"egad/term/ops"
	"egad/term/types"
)

// Conditions are truth values of which an element needs all to hold; else it is 0.
type Conditions []*Value

// Never reports whether a test is known to fail.
func (t Conditions) Never() bool { return len(t) == 1 && t[0].Kind == Lit }

// And is all of t and u.
func (t Conditions) And(u Conditions) Conditions {
	if t.Never() || len(u) == 0 {
		return t
	}
	if u.Never() || len(t) == 0 {
		return u
	}
	out := slices.Concat(t, u)
	slices.SortFunc(out, func(a, b *Value) int { return a.Serial - b.Serial })
	return slices.Compact(out)
}

// InRange are the tests that every index is in range.
func (b *Builder) InRange(at []*Value, shape []int) Conditions {
	var out Conditions
	for i, x := range at {
		lo := b.Op(ops.Op{Sym: ops.SymLe}, types.B, b.Int(0), x)
		hi := b.Op(ops.Op{Sym: ops.SymLt}, types.B, x, b.Int(int64(shape[i])))
		for _, v := range []*Value{lo, hi} {
			if v.Kind != Lit || v.Const.Int == 0 {
				out = out.And(Conditions{v})
			}
		}
	}
	return out
}

// Guarded is v where all tests hold, else 0.
func (b *Builder) Guarded(t Conditions, v *Value) *Value {
	if len(t) == 0 {
		return v
	}
	zero := b.Lit(ops.ScalarZero(v.Elem))
	return b.Op(ops.Op{Sym: ops.SymWhere}, v.Elem, b.Both(t), v, zero)
}

// Both tells whether all of some tests hold, of which there is one at least.
func (b *Builder) Both(t Conditions) *Value {
	all := t[0]
	for _, u := range t[1:] {
		all = b.Op(ops.Op{Sym: ops.SymAnd}, types.B, all, u)
	}
	return all
}
