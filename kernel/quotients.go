package kernel

import (
	"maps"
	"math"
	"slices"

	"egad/internal/memo"
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
	made     map[*Value]*Value // what is made of values
	reals    map[*Value]*Value // integers that are known as reals here
	divided  map[*Value]bool   // those that come of divisions
	divisors map[*Value]dividing
	done     []Stmt
}

// dividing is what is known here of a divisor: as a real, 1 in the place of 0; whether it is 0, or nil
// if it is not; and, if that is known, its inverse, and half of the absolute value of that.
type dividing struct{ real, zero, by, half *Value }

// Up to maxDividend integers are divided as reals, by divisors up to maxDivisor, so that their products
// with quotients are exact.
const (
	maxDividend = 1 << 49
	maxDivisor  = 1 << 50
)

// maxWhole bounds integers that are reals whose lowest bits are those of the integer if [vecmath.Magic] is added.
const maxWhole = 1 << 51

// within reports whether the range of an integer is from -most to most.
func (v *Value) within(most int64) bool { return v.Range.Lo >= -most && v.Range.Hi <= most }

// quotient reports whether v is a quotient or a remainder that is computed in reals.
func (v *Value) quotient() bool {
	if v.Kind != Compute || v.Op != ops.SymIdiv && v.Op != ops.SymMod || v.Args[1].isZero() {
		return false
	}
	_, _, inverted := v.Inverted()
	return !inverted && v.Args[0].within(maxDividend) && v.Args[1].within(maxDivisor)
}

// quotients is a kernel that divides in reals, or itself if it divides no such integers.
func (k *Kernel) quotients() *Kernel {
	if !some(k.Body, func(l *Let) bool { return l.Value.quotient() }) {
		return k
	}
	q := &quotients{made: make(map[*Value]*Value), reals: make(map[*Value]*Value), divided: make(map[*Value]bool), divisors: make(map[*Value]dividing)}
	out := *k
	out.Body = live(q.body(k.Body))
	return &out
}

// loop is a loop with divisions in reals. What is made in it is known in it only.
func (q *quotients) loop(l *Loop) *Loop {
	around := *q
	q.made, q.reals, q.divisors = maps.Clone(q.made), maps.Clone(q.reals), maps.Clone(q.divisors)
	out := l.remade(q.body(l.Body), q.value)
	*q = around
	return out
}

func (q *quotients) body(body []Stmt) (out []Stmt) {
	for _, s := range body {
		switch old := s.(type) {
		case *Let:
			w := q.divide(old.Value)
			if w == nil {
				w = q.value(old.Value)
				q.done = append(q.done, &Let{w})
			}
			q.made[old.Value] = w
			out, q.done = append(out, q.done...), nil
			continue
		case *Store:
			s = old.remade(q.value)
		case *Loop:
			q.before(old)
			out, q.done = append(out, q.done...), nil
			s = q.loop(old)
		}
		out = append(out, s)
	}
	return out
}

// before inverts the divisors in a loop that it does not change.
func (q *quotients) before(l *Loop) {
	changed := make(map[*Value]bool)
	var divisors []*Value
	Walk([]Stmt{l}, func(s Stmt) {
		switch s := s.(type) {
		case *Let:
			changed[s.Value] = true
			if v := s.Value; v.quotient() && !slices.Contains(divisors, v.Args[1]) {
				divisors = append(divisors, v.Args[1])
			}
		case *Loop:
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
		if d.Kind != Lit && !slices.ContainsFunc(slices.Collect(maps.Keys(needed(d))), func(v *Value) bool { return changed[v] }) {
			q.invert(d)
		}
	}
}

// invert has the inverse of a divisor known here.
func (q *quotients) invert(d *Value) {
	x := q.divisor(d)
	if x.by == nil {
		x.by = q.real(ops.SymDiv, real64(1), x.real)
		x.half = q.real(ops.SymMul, real64(0.5), q.real(ops.SymAbs, x.by))
		q.divisors[d] = x
	}
}

// divisor is what is known of a divisor. One that is a literal is inverted.
func (q *quotients) divisor(d *Value) dividing {
	x, ok := q.divisors[d]
	switch {
	case ok:
		return x
	case d.Kind == Lit:
		by := 1 / float64(d.Const.Int)
		x = dividing{real: q.realOf(d), by: real64(by), half: real64(math.Abs(by) / 2)}
	default:
		x.real = q.realOf(d)
		if d.Range.Lo <= 0 && d.Range.Hi >= 0 {
			x.zero = q.do(ops.SymEq, types.B, x.real, real64(0))
			x.real = q.real(ops.SymWhere, x.zero, real64(1), x.real)
		}
	}
	q.divisors[d] = x
	return x
}

// do is what an operator makes of values, which is done.
func (q *quotients) do(op ops.Sym, elem types.Elem, args ...*Value) *Value {
	v := realOf(op, args...)
	v.Elem = elem
	q.done = append(q.done, &Let{v})
	return v
}

func (q *quotients) real(op ops.Sym, args ...*Value) *Value { return q.do(op, types.R, args...) }

// realOf is an integer as a real. It is never -0.
func (q *quotients) realOf(x *Value) *Value {
	if x.Kind == Lit {
		return NewBuilder(nil).Lit(ops.ScalarR(numeric.Int(x.Const.Int)))
	}
	return memo.Of(q.reals, x, func() *Value {
		if r := q.sum(x); r != nil {
			return r
		}
		return q.real(ops.SymReal, q.value(x))
	})
}

// sum is a linear integer as a sum of reals, or nil if that may be rounded.
func (q *quotients) sum(x *Value) *Value {
	if x.Kind != Linear {
		return nil
	}
	most := math.Abs(float64(x.Const.Int))
	for i, a := range x.Args {
		most += math.Abs(float64(x.Coef[i])) * max(math.Abs(float64(a.Range.Lo)), math.Abs(float64(a.Range.Hi)))
	}
	if most > maxWhole {
		return nil
	}
	out := real64(float64(x.Const.Int))
	for i, a := range x.Args {
		part, op := q.realOf(a), ops.SymAdd
		c := x.Coef[i]
		if c < 0 {
			c, op = -c, ops.SymSub
		}
		if c != 1 {
			part = q.real(ops.SymMul, real64(float64(c)), part)
		}
		if op == ops.SymAdd && out.isZero() {
			out = part
		} else {
			out = q.real(op, out, part)
		}
	}
	return out
}

// value is a value with divisions in reals.
func (q *quotients) value(v *Value) *Value {
	return memo.Of(q.made, v, func() *Value { return v.remade(q.value) })
}

// divide is a quotient or a remainder, or what a real or a comparison is of these; or nil.
func (q *quotients) divide(v *Value) *Value {
	if v.Kind != Compute || v.Args[0].Elem != types.I {
		return nil
	}
	switch v.Op {
	case ops.SymReal:
		return q.reals[v.Args[0]]
	case ops.SymLt, ops.SymLe, ops.SymEq:
		x, y := v.Args[0], v.Args[1]
		if (q.divided[x] || q.divided[y]) && q.within(x, maxWhole) && q.within(y, maxWhole) {
			return q.do(v.Op, types.B, q.realOf(x), q.realOf(y))
		}
	case ops.SymIdiv, ops.SymMod:
		mod, d, inverted := v.Inverted()
		bits := inverted && mod && d&(d-1) == 0 // which the integer has already
		if v.quotient() || q.divided[v.Args[0]] && !bits && !v.Args[1].isZero() && q.within(v.Args[0], maxDividend) && v.Args[1].within(maxDivisor) {
			return q.whole(v)
		}
	}
	return nil
}

// within is [Value.within] of an integer, of which more is known if it comes of a division.
func (q *quotients) within(v *Value, most int64) bool {
	return v.within(most) || q.value(v).within(most)
}

// whole is a quotient or a remainder.
func (q *quotients) whole(v *Value) *Value {
	x, d, most := q.realOf(v.Args[0]), q.divisor(v.Args[1]), int64(maxDividend)
	r := q.below(x, d)
	switch {
	case v.Op == ops.SymMod: // by 1, if by 0
		most = maxDivisor
		r = q.real(ops.SymSub, x, q.real(ops.SymMul, d.real, r))
	case d.zero != nil:
		r = q.real(ops.SymWhere, d.zero, real64(0), r)
	}
	r.plus = true
	q.reals[v], q.divided[v] = r, true
	w := q.do(ops.SymRound, types.I, r)
	// No access is known to be in range by this that was not before.
	w.Range = v.Range.Meet(ops.Range{Lo: -most, Hi: most})
	return w
}

// below is the greatest integer that is not above x / d.
func (q *quotients) below(x *Value, d dividing) *Value {
	if d.by != nil {
		return q.real(ops.SymFloor, q.real(ops.SymAdd, q.real(ops.SymMul, x, d.by), d.half))
	}
	return q.real(ops.SymAdd, q.real(ops.SymFloor, q.real(ops.SymDiv, x, d.real)), real64(0)) // not -0
}
