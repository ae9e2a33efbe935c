package strength

import (
	"maps"
	"math"
	"slices"

	"egad/internal/memo"
	"egad/kernel"
	"egad/term/ops"
	"egad/term/types"

	"egad/term/numeric"
)

// quotients divides integers as reals, which vectors can, where the dividend is known to be small
// enough: below 2^49, the integer below x / d is that below (x ± 1/2) / d, by the sign of d, and
// what rounding adds to it is less than the half of 1 / d that is between that and an integer. So
// a divisor that a loop does not change is inverted before it. What is divided, and what comes of it,
// is kept as a real where it is divided again, compared, or needed as a real.
type quotients struct {
	made     map[*kernel.Value]*kernel.Value // what is made of values
	reals    map[*kernel.Value]*kernel.Value // integers that are known as reals here
	divided  map[*kernel.Value]bool          // those that come of divisions
	divisors map[*kernel.Value]dividing
	done     []kernel.Stmt
}

// dividing is what is known here of a divisor: as a real, 1 in the place of 0; whether it is 0, or nil
// if it is not; and, if that is known, its inverse, and half of the absolute value of that.
type dividing struct{ real, zero, by, half *kernel.Value }

// Up to maxDividend integers are divided as reals, by divisors up to maxDivisor, so that their products
// with quotients are exact.
const (
	maxDividend = 1 << 49
	maxDivisor  = 1 << 50
)

// quotient reports whether v is a quotient or a remainder that is computed in reals.
func quotient(v *kernel.Value) bool {
	if v.Kind != kernel.Compute || v.Op != ops.SymIdiv && v.Op != ops.SymMod || v.Args[1].IsZero() {
		return false
	}
	_, _, inverted := v.Inverted()
	return !inverted && v.Args[0].Within(maxDividend) && v.Args[1].Within(maxDivisor)
}

// inverted is a kernel that divides in reals, or itself if it divides no such integers.
func inverted(k *kernel.Kernel) *kernel.Kernel {
	if !kernel.Any(k.Body, func(l *kernel.Let) bool { return quotient(l.Value) }) {
		return k
	}
	q := &quotients{made: make(map[*kernel.Value]*kernel.Value), reals: make(map[*kernel.Value]*kernel.Value), divided: make(map[*kernel.Value]bool), divisors: make(map[*kernel.Value]dividing)}
	return k.With(kernel.DropUnused(q.body(k.Body)))
}

// loop is a loop with divisions in reals. What is made in it is known in it only.
func (q *quotients) loop(l *kernel.Loop) *kernel.Loop {
	around := *q
	q.made, q.reals, q.divisors = maps.Clone(q.made), maps.Clone(q.reals), maps.Clone(q.divisors)
	out := l.Map(q.body(l.Body), q.value)
	*q = around
	return out
}

func (q *quotients) body(body []kernel.Stmt) (out []kernel.Stmt) {
	for _, s := range body {
		switch old := s.(type) {
		case *kernel.Let:
			w := q.divide(old.Value)
			if w == nil {
				w = q.value(old.Value)
				q.done = append(q.done, &kernel.Let{Value: w})
			}
			q.made[old.Value] = w
			out, q.done = append(out, q.done...), nil
			continue
		case *kernel.Store:
			s = old.Map(q.value)
		case *kernel.Loop:
			q.before(old)
			out, q.done = append(out, q.done...), nil
			s = q.loop(old)
		}
		out = append(out, s)
	}
	return out
}

// before inverts the divisors in a loop that it does not change.
func (q *quotients) before(l *kernel.Loop) {
	changed := make(map[*kernel.Value]bool)
	var divisors []*kernel.Value
	kernel.Walk([]kernel.Stmt{l}, func(s kernel.Stmt) {
		switch s := s.(type) {
		case *kernel.Let:
			changed[s.Value] = true
			if v := s.Value; quotient(v) && !slices.Contains(divisors, v.Args[1]) {
				divisors = append(divisors, v.Args[1])
			}
		case *kernel.Loop:
			changed[s.Var] = true
			for _, f := range s.Folds {
				changed[f.Result] = true
			}
			for _, c := range s.Carries {
				changed[c.Value], changed[c.Result] = true, true
			}
		}
	})
	for _, d := range divisors {
		if d.Kind != kernel.Lit && !slices.ContainsFunc(slices.Collect(maps.Keys(kernel.Needed(d))), func(v *kernel.Value) bool { return changed[v] }) {
			q.invert(d)
		}
	}
}

// invert has the inverse of a divisor known here.
func (q *quotients) invert(d *kernel.Value) {
	x := q.divisor(d)
	if x.by == nil {
		x.by = q.real(ops.SymDiv, kernel.Real64(1), x.real)
		x.half = q.real(ops.SymMul, kernel.Real64(0.5), q.real(ops.SymAbs, x.by))
		q.divisors[d] = x
	}
}

// divisor is what is known of a divisor. One that is a literal is inverted.
func (q *quotients) divisor(d *kernel.Value) dividing {
	x, ok := q.divisors[d]
	switch {
	case ok:
		return x
	case d.Kind == kernel.Lit:
		by := 1 / float64(d.Const.Int)
		x = dividing{real: q.realOf(d), by: kernel.Real64(by), half: kernel.Real64(math.Abs(by) / 2)}
	default:
		x.real = q.realOf(d)
		if d.Range.Lo <= 0 && d.Range.Hi >= 0 {
			x.zero = q.do(ops.SymEq, types.B, x.real, kernel.Real64(0))
			x.real = q.real(ops.SymWhere, x.zero, kernel.Real64(1), x.real)
		}
	}
	q.divisors[d] = x
	return x
}

// do is what an operator makes of values, which is done.
func (q *quotients) do(op ops.Sym, elem types.Elem, args ...*kernel.Value) *kernel.Value {
	v := kernel.RealOf(op, args...)
	v.Elem = elem
	q.done = append(q.done, &kernel.Let{Value: v})
	return v
}

func (q *quotients) real(op ops.Sym, args ...*kernel.Value) *kernel.Value {
	return q.do(op, types.R, args...)
}

// realOf is an integer as a real. It is never -0.
func (q *quotients) realOf(x *kernel.Value) *kernel.Value {
	if x.Kind == kernel.Lit {
		return kernel.NewBuilder(nil).Lit(ops.ScalarR(numeric.Int(x.Const.Int)))
	}
	return memo.Of(q.reals, x, func() *kernel.Value {
		if r := q.sum(x); r != nil {
			return r
		}
		return q.real(ops.SymReal, q.value(x))
	})
}

// sum is a linear integer as a sum of reals, or nil if that may be rounded.
func (q *quotients) sum(x *kernel.Value) *kernel.Value {
	if x.Kind != kernel.Linear {
		return nil
	}
	most := math.Abs(float64(x.Const.Int))
	for i, a := range x.Args {
		most += math.Abs(float64(x.Coef[i])) * max(math.Abs(float64(a.Range.Lo)), math.Abs(float64(a.Range.Hi)))
	}
	if most > kernel.MaxWhole {
		return nil
	}
	out := kernel.Real64(float64(x.Const.Int))
	for i, a := range x.Args {
		part, op := q.realOf(a), ops.SymAdd
		c := x.Coef[i]
		if c < 0 {
			c, op = -c, ops.SymSub
		}
		if c != 1 {
			part = q.real(ops.SymMul, kernel.Real64(float64(c)), part)
		}
		if op == ops.SymAdd && out.IsZero() {
			out = part
		} else {
			out = q.real(op, out, part)
		}
	}
	return out
}

// value is a value with divisions in reals.
func (q *quotients) value(v *kernel.Value) *kernel.Value {
	return kernel.Substitute(q.made)(v)
}

// divide is a quotient or a remainder, or what a real or a comparison is of these; or nil.
func (q *quotients) divide(v *kernel.Value) *kernel.Value {
	if v.Kind != kernel.Compute || v.Args[0].Elem != types.I {
		return nil
	}
	switch v.Op {
	case ops.SymReal:
		return q.reals[v.Args[0]]
	case ops.SymLt, ops.SymLe, ops.SymEq:
		x, y := v.Args[0], v.Args[1]
		if (q.divided[x] || q.divided[y]) && q.within(x, kernel.MaxWhole) && q.within(y, kernel.MaxWhole) {
			return q.do(v.Op, types.B, q.realOf(x), q.realOf(y))
		}
	case ops.SymIdiv, ops.SymMod:
		mod, d, inverted := v.Inverted()
		bits := inverted && mod && d&(d-1) == 0 // which the integer has already
		if quotient(v) || q.divided[v.Args[0]] && !bits && !v.Args[1].IsZero() && q.within(v.Args[0], maxDividend) && v.Args[1].Within(maxDivisor) {
			return q.whole(v)
		}
	}
	return nil
}

// within is [kernel.Value.Within] of an integer, of which more is known if it comes of a division.
func (q *quotients) within(v *kernel.Value, most int64) bool {
	return v.Within(most) || q.value(v).Within(most)
}

// whole is a quotient or a remainder.
func (q *quotients) whole(v *kernel.Value) *kernel.Value {
	x, d, most := q.realOf(v.Args[0]), q.divisor(v.Args[1]), int64(maxDividend)
	r := q.below(x, d)
	switch {
	case v.Op == ops.SymMod: // by 1, if by 0
		most = maxDivisor
		r = q.real(ops.SymSub, x, q.real(ops.SymMul, d.real, r))
	case d.zero != nil:
		r = q.real(ops.SymWhere, d.zero, kernel.Real64(0), r)
	}
	r.Plus = true
	q.reals[v], q.divided[v] = r, true
	w := q.do(ops.SymRound, types.I, r)
	// No access is known to be in range by this that was not before.
	w.Range = v.Range.Meet(ops.Range{Lo: -most, Hi: most})
	return w
}

// below is the greatest integer that is not above x / d.
func (q *quotients) below(x *kernel.Value, d dividing) *kernel.Value {
	if d.by != nil {
		return q.real(ops.SymFloor, q.real(ops.SymAdd, q.real(ops.SymMul, x, d.by), d.half))
	}
	return q.real(ops.SymAdd, q.real(ops.SymFloor, q.real(ops.SymDiv, x, d.real)), kernel.Real64(0)) // not -0
}
