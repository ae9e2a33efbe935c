package sparsity

import (
	"slices"

	"egad/internal/memo"
	"egad/kernel"
	"egad/term/ops"
	"egad/term/types"
)

// fact is what may be so of a number, if all numbers are finite that no mask has made infinite.
type fact int8

// The facts.
const (
	notMinusInf fact = -1 // it is finite; elsewhere it may be -inf
	notInf      fact = 1  // it is finite; elsewhere it may be inf
	positive    fact = 2  // it is greater than 0; elsewhere it is 0
	notNegative fact = 3  // it is at least 0, everywhere
)

// infinity reports whether a fact is about an infinity, whose sign is that of the fact.
func (f fact) infinity() bool { return f == notMinusInf || f == notInf }

// is reports whether it is so of a literal, and else whether that is what a number is elsewhere.
func (f fact) is(c ops.Scalar) (so, elsewhere bool) {
	switch x := c.Num.Float64(); f {
	case positive:
		return x > 0, x == 0
	case notNegative:
		return x >= 0, false
	default:
		return !isInf(c, 0), isInf(c, int(f))
	}
}

// sure are conditions under which something is sure to be so.
type sure struct {
	Limits
	ok bool // there are some, or it always is so
}

// and is where both are sure.
func (x sure) and(y sure) sure { return sure{x.And(y.Limits), x.ok && y.ok} }

// always reports whether it always is so.
func (x sure) always() bool { return x.ok && len(x.Limits) == 0 }

// factOf is a fact of a number.
type factOf struct {
	*kernel.Value
	fact
}

// surely finds conditions under which a fact is so of a number.
func (b *Bounder) surely(v *kernel.Value, f fact) sure {
	return memo.Of(b.facts, factOf{v, f}, func() sure {
		b.facts[factOf{v, f}] = sure{} // an array that is made of itself
		switch {
		case v.Elem != types.R:
			return sure{ok: f.infinity()}
		case v.Kind == kernel.Lit:
			so, _ := f.is(v.Const)
			return sure{ok: so}
		case v.Kind == kernel.Load && (f.infinity() && b.Finite(v.Array) || f == notNegative && b.throughout(v.Array, f)):
			return sure{ok: true}
		case v.Kind == kernel.Load:
			return b.filled(v.Access, func(x *kernel.Value) sure { return b.surely(x, f) })
		case v.Kind == kernel.Folded:
			return sure{ok: b.surelyFolded(b.folds[v], b.inside[v], f)}
		case v.Kind != kernel.Compute:
			return sure{}
		case v.Op == ops.SymWhere:
			return b.surelyChosen(v, f)
		case f == notNegative && b.surely(v, positive).ok:
			return sure{ok: true}
		case f.infinity() && scales(v) != nil:
			x := scales(v)
			return b.surely(x.Value, f*fact(x.sign))
		}
		return b.surelyMade(v, f)
	})
}

// throughout reports whether a fact always is so of all elements that are stored to an array.
func (b *Bounder) throughout(a *kernel.Array, f fact) bool {
	return len(b.Stores[a]) > 0 && !b.called[a] && !slices.ContainsFunc(b.Stores[a], func(s *kernel.Store) bool { return !b.surely(s.Value, f).always() })
}

// surelyFolded is [Bounder.surely] of what a loop folds.
func (b *Bounder) surelyFolded(of *kernel.Fold, l *kernel.Loop, f fact) bool {
	switch {
	case of == nil || of.From != nil:
	case of.Op == ops.SymSum && f == positive:
		return b.somewhere(b.surely(of.Value, f), l)
	case of.Op == ops.SymSum:
		return b.surely(of.Value, f).always()
	case of.Op == ops.SymMaximum && f.infinity():
		return b.somewhere(b.surely(of.Value, notMinusInf), l)
	case of.Op == ops.SymMinimum && f.infinity():
		return b.somewhere(b.surely(of.Value, notInf), l)
	}
	return false
}

// surelyChosen is [Bounder.surely] of a choice, which may be one between a number and what that is elsewhere.
func (b *Bounder) surelyChosen(v *kernel.Value, f fact) sure {
	for i, x := range v.Args[1:] {
		if x.Kind != kernel.Lit {
			continue
		}
		if _, elsewhere := f.is(x.Const); elsewhere {
			return b.surely(v.Args[2-i], f).and(exactly(Truth{v.Args[0], i == 1}))
		}
	}
	return b.surely(v.Args[1], f).and(b.surely(v.Args[2], f))
}

// surelyMade is [Bounder.surely] of what an operator makes that is no choice.
func (b *Bounder) surelyMade(v *kernel.Value, f fact) sure {
	x, y := v.Args[0], v.Args[len(v.Args)-1]
	is := func(f fact, v *kernel.Value) bool { return b.surely(v, f).always() }
	all := func(f fact) bool {
		return !slices.ContainsFunc(v.Args, func(x *kernel.Value) bool { return !is(f, x) })
	}
	finite := func() bool { return f.infinity() && all(notInf) }
	switch v.Op {
	case ops.SymAdd:
		if f == positive {
			return sure{ok: is(f, x) && is(notNegative, y) || is(f, y) && is(notNegative, x)}
		}
		return b.surely(x, f).and(b.surely(y, f))
	case ops.SymSub:
		if f.infinity() {
			return b.surely(x, f).and(b.surely(y, -f))
		}
	case ops.SymExp:
		out := b.surely(x, notMinusInf)
		if f != positive { // it is 0 elsewhere
			out.Limits = nil
		}
		return out
	case ops.SymLog:
		return sure{ok: finite() && is(positive, x)}
	case ops.SymDiv:
		return sure{ok: finite() && is(positive, y) || f == notNegative && all(f)}
	case ops.SymMul:
		return sure{ok: finite() || f == notNegative && (x == y || all(f))}
	case ops.SymAbs:
		return sure{ok: finite() || f == notNegative}
	case ops.SymMax:
		return sure{ok: finite() || f == positive && (is(f, x) || is(f, y))}
	case ops.SymSqrt:
		if f == positive {
			return b.surely(x, f)
		}
		return sure{ok: finite()}
	case ops.SymMin, ops.SymTanh, ops.SymSigmoid, ops.SymSin, ops.SymCos, ops.SymErf, ops.SymReal:
		return sure{ok: finite()}
	}
	return sure{}
}
