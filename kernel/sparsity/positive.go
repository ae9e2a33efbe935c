package sparsity

import (
	"slices"

	"egad/internal/memo"
	"egad/kernel"
	"egad/term/ops"
	"egad/term/types"
)

// isPositive reports whether a number is greater than 0 if all numbers are finite that no mask has made infinite.
func (b *Bounder) isPositive(v *kernel.Value) bool {
	x := b.positive(v)
	return x.ok && len(x.Limits) == 0
}

// positive finds conditions under which a number is greater than 0, if all numbers are finite that no mask has made
// infinite: elsewhere it is at least 0.
func (b *Bounder) positive(v *kernel.Value) sure {
	return memo.Of(b.positives, v, func() sure {
		b.positives[v] = sure{} // an array that is made of itself
		switch {
		case v.Kind == kernel.Lit:
			return sure{ok: v.Elem == types.R && v.Const.Num.Float64() > 0}
		case v.Kind == kernel.Load:
			return b.filled(v.Access, b.positive)
		case v.Kind == kernel.Folded:
			if f := b.folds[v]; f != nil && f.From == nil && f.Op == ops.SymSum {
				return sure{ok: b.somewhere(b.positive(f.Value), b.inside[v])}
			}
			return sure{}
		case v.Kind != kernel.Compute:
			return sure{}
		}
		switch v.Op {
		case ops.SymExp:
			return b.reaches(v.Args[0], -1)
		case ops.SymSqrt:
			return b.positive(v.Args[0])
		case ops.SymAdd:
			return sure{ok: b.isPositive(v.Args[0]) && b.notNegative(v.Args[1]) || b.isPositive(v.Args[1]) && b.notNegative(v.Args[0])}
		case ops.SymMax:
			return sure{ok: b.isPositive(v.Args[0]) || b.isPositive(v.Args[1])}
		}
		if of, when, ok := chosen(v); ok {
			return b.positive(of).and(exactly(when))
		}
		return sure{}
	})
}

// notNegative reports whether a number is at least 0 if all numbers are finite that no mask has made infinite.
func (b *Bounder) notNegative(v *kernel.Value) bool {
	return memo.Of(b.notNegatives, v, func() bool {
		b.notNegatives[v] = false // an array that is made of itself
		both := func() bool { return b.notNegative(v.Args[0]) && b.notNegative(v.Args[1]) }
		switch {
		case v.IsZero() || b.positive(v).ok:
			return true
		case v.Kind == kernel.Load:
			return len(b.Stores[v.Array]) > 0 && !b.called[v.Array] && !slices.ContainsFunc(b.Stores[v.Array], func(s *kernel.Store) bool { return !b.notNegative(s.Value) })
		case v.Kind == kernel.Folded:
			f := b.folds[v]
			return f != nil && f.From == nil && f.Op == ops.SymSum && b.notNegative(f.Value)
		case v.Kind != kernel.Compute:
			return false
		}
		switch v.Op {
		case ops.SymAbs:
			return true
		case ops.SymMul:
			return v.Args[0] == v.Args[1] || both()
		case ops.SymAdd, ops.SymDiv:
			return both()
		}
		return false
	})
}
