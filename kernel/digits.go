package kernel

import (
	"cmp"
	"slices"

	"egad/term/ops"
	"egad/term/types"
)

// Division takes x div d or x mod d apart, for a literal d.
func (v *Value) Division() (sym ops.Sym, x *Value, d int64, ok bool) {
	if v.Kind != Compute || v.Op != ops.SymIdiv && v.Op != ops.SymMod || v.Args[1].Kind != Lit {
		return ops.SymNone, nil, 0, false
	}
	return v.Op, v.Args[0], v.Args[1].Const.Int, v.Args[1].Const.Int != 0
}

// Ravel is the row-major position of indices.
func (b *Builder) Ravel(at []*Value, shape []int) *Value {
	coef := make([]int64, len(at))
	stride := int64(1)
	for i := len(at) - 1; i >= 0; i-- {
		coef[i] = stride
		stride *= int64(shape[i])
	}
	return b.Linear(0, coef, at)
}

// Position is the row-major position of an access, if it is in range of an array of a shape.
func (a Access) Position(shape []int) *Value { return NewBuilder(nil).Ravel(a.At, shape) }

// Unravel is the inverse of ravel, for positions in range.
func (b *Builder) Unravel(flat *Value, shape []int) []*Value {
	out := make([]*Value, len(shape))
	for i := len(shape) - 1; i > 0; i-- {
		n := b.Int(int64(shape[i]))
		out[i] = b.Op(ops.Op{Sym: ops.SymMod}, types.I, flat, n)
		flat = b.Op(ops.Op{Sym: ops.SymIdiv}, types.I, flat, n)
	}
	if len(out) > 0 {
		out[0] = flat
	}
	return out
}

// split writes an integer as d * q + r, where all multiples of d that show are in q.
func (b *Builder) split(x *Value, d int64) (q, r *Value, ok bool) {
	if d <= 0 || x.Range == ops.AnyInt {
		return nil, nil, false
	}
	coef, args, c := x.Sum()
	var qc, rc []int64
	var qa, ra []*Value
	for i, k := range coef {
		if k%d == 0 {
			qc, qa = append(qc, k/d), append(qa, args[i])
		} else {
			rc, ra = append(rc, k), append(ra, args[i])
		}
	}
	c0 := ops.IntBinary(ops.SymIdiv)(c, d)
	r = b.Linear(c-c0*d, rc, ra)
	return b.Linear(c0, qc, qa), r, r.Range != ops.AnyInt
}

// divided is x div d, or x mod d, if that can be said more simply.
func (b *Builder) divided(op ops.Op, x *Value, d int64) *Value {
	q, r, ok := b.split(x, d)
	switch {
	case !ok:
		return nil
	case r.Range.Lo >= 0 && r.Range.Hi < d:
		if op.Sym == ops.SymIdiv {
			return q
		}
		return r
	case q.Kind != Lit: // which is taken out
		r = b.Op(op, types.I, r, b.Int(d))
		if op.Sym == ops.SymIdiv {
			return b.Add(q, r)
		}
		return r
	}
	return b.dividedBelow(op, x, d)
}

// dividedBelow is x div d, or x mod d, of an integer that is g * h + s where g divides d and s is from 0
// to g - 1: h div (d / g), or g * (h mod (d / g)) + s. It is nil of another one. The greatest g leaves the
// least to be divided.
func (b *Builder) dividedBelow(op ops.Op, x *Value, d int64) *Value {
	coef, _, _ := x.Sum()
	var by []int64
	for _, k := range coef {
		if g := GCD(max(k, -k), d); 1 < g && g < d {
			by = append(by, g)
		}
	}
	slices.SortFunc(by, func(x, y int64) int { return cmp.Compare(y, x) })
	for _, g := range slices.Compact(by) {
		h, s, ok := b.split(x, g)
		if !ok || s.Range.Lo < 0 || s.Range.Hi >= g {
			continue
		}
		h = b.Op(op, types.I, h, b.Int(d/g))
		if op.Sym == ops.SymIdiv {
			return h
		}
		return b.Linear(0, []int64{g, 1}, []*Value{h, s})
	}
	return nil
}

// FloorDiv divides as the div of the language does.
func FloorDiv(a, b int64) int64 { return ops.IntBinary(ops.SymIdiv)(a, b) }

// GCD finds the greatest common divisor of two numbers.
func GCD[N int | int64](a, b N) N {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// Divided reports whether an index is a quotient or a remainder.
func (a Access) Divided() bool {
	return slices.ContainsFunc(a.At, func(x *Value) bool {
		return slices.ContainsFunc(FormOf(x).Args, func(v *Value) bool {
			return v.Kind == Compute && (v.Op == ops.SymIdiv || v.Op == ops.SymMod)
		})
	})
}
