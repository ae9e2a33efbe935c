package sparsity

import (
	"slices"

	"egad/internal/slice"
	"egad/kernel"
	"egad/term/ops"
)

// quotients is a sum of integers that do not wrap around, of which some are divided by literals.
type quotients struct {
	kernel.Form
	by int64 // a multiple of all that they are divided by, or 0 if none is divided
}

// divided is a sum konst + the sum of coef[i] * args[i] as one in which integers are divided, or one of nothing if these
// may wrap around, or no literal by which one is divided is a multiple of the others.
func divided(konst int64, coef []int64, args []*kernel.Value) (q quotients) {
	for _, x := range args {
		if rest, large := near(kernel.FormOf(x)); len(large) > 0 || !atMost(rest, kernel.MaxIndex) {
			return quotients{}
		}
	}
	q.Form = kernel.FormOf(kernel.NewBuilder(nil).Linear(konst, coef, args))
	for i, x := range q.Args {
		if _, c := dividend(x); c > 0 {
			q.by = max(q.by, c)
		}
		if q.Coef[i] < -kernel.MaxIndex || q.Coef[i] > kernel.MaxIndex {
			return quotients{}
		}
	}
	for _, x := range q.Args {
		if _, c := dividend(x); c > 0 && q.by%c > 0 {
			return quotients{}
		}
	}
	return q
}

// dividend is what is divided by a literal, and that, which is 0 if it is not from 1 to [kernel.MaxIndex].
func dividend(v *kernel.Value) (x *kernel.Value, by int64) {
	if v.Kind != kernel.Compute || v.Op != ops.SymIdiv || v.Args[1].Kind != kernel.Lit {
		return nil, 0
	}
	if c := v.Args[1].Const.Int; c >= 1 && c <= kernel.MaxIndex {
		return v.Args[0], c
	}
	return nil, 0
}

// undivided is a multiple of the sum with what is divided in the place of the quotients, which is at most so much more.
func (q quotients) undivided() (f kernel.Form, more int64) {
	f.Const = q.by * q.Const
	for i, x := range q.Args {
		of, c := dividend(x)
		if c == 0 {
			f.Coef, f.Args = append(f.Coef, q.by*q.Coef[i]), append(f.Args, x)
			continue
		}
		k := q.by / c * q.Coef[i]
		f.Coef, f.Args = append(f.Coef, k), append(f.Args, of)
		more += max(0, k) * (c - 1)
	}
	return f, more
}

// lessUndivided is what follows of what is divided if konst + the sum of coef[i] * args[i] is less than 0.
func lessUndivided(konst int64, coef []int64, args []*kernel.Value) Limits {
	q := divided(konst, coef, args)
	if q.by == 0 {
		return nil
	}
	f, more := q.undivided()
	return less(f.Const-more+q.by-1, f.Coef, f.Args, false) // as an integer that is less than 0 is at most -1
}

// equal are conditions under which two integers are equal. Of quotients, to which integers may be added, they are those under
// which what is divided is equal, and of one quotient, that it is of a multiple.
func equal(x, y *kernel.Value) sure {
	q := divided(0, []int64{1, -1}, []*kernel.Value{x, y})
	f := q.Form
	if q.by > 0 {
		f, _ = q.undivided()
		var coef []int64
		for i, x := range q.Args {
			if _, c := dividend(x); c > 0 {
				coef = append(coef, q.Coef[i])
			}
		}
		if len(coef) > 2 || slices.ContainsFunc(coef, func(c int64) bool { return !kernel.IsUnit(c) }) || len(coef) == 2 && coef[0] == coef[1] {
			return sure{}
		}
	}
	out := sure{ok: len(f.Args) > 0}
	for _, sign := range []int64{1, -1} {
		g := kernel.FormOf(kernel.NewBuilder(nil).Linear(sign*f.Const-1, slice.Map(f.Coef, func(c int64) int64 { return sign * c }), f.Args))
		out.Limits = append(out.Limits, Limit{Form: g})
		out.ok = out.ok && atMost(g, kernel.MaxIndex/2)
	}
	return out
}
