package kernel

import (
	"slices"

	"egad/term/ops"
	"egad/term/types"
)

// limit is a condition on indices of loops, or on axes of an array, and on other integers: konst +
// the sum of coef[i] * args[i] is less than 0.
type limit struct {
	Form
	finite bool
}

// equal reports whether two limits are the same, but for what is finite.
func (a limit) equal(b limit) bool {
	if a.Const != b.Const || len(a.Args) != len(b.Args) {
		return false
	}
	for i, x := range a.Args {
		if j := slices.IndexFunc(b.Args, x.alike); j < 0 || a.Coef[i] != b.Coef[j] {
			return false
		}
	}
	return true
}

// limits are conditions that all have to hold; none says nothing.
type limits []limit

// and are conditions of which some have to hold as well as others.
func (a limits) and(b limits) limits {
	out := slices.Clone(a)
	for _, x := range b {
		if i := slices.IndexFunc(out, x.equal); i < 0 {
			out = append(out, x)
		} else if out[i].finite && !x.finite {
			out[i] = x
		}
	}
	return out
}

// or are the conditions that hold whichever of two lists does.
func (a limits) or(b limits) limits {
	var out limits
	for _, x := range a {
		if i := slices.IndexFunc(b, x.equal); i >= 0 {
			x.finite = x.finite || b[i].finite
			out = append(out, x)
		}
	}
	return out
}

// where are those conditions in which other values stand for arguments, and for the indices of inputs; what
// has none is left out.
func (a limits) where(stands func(x *Value) *Value) limits {
	var out limits
next:
	for _, l := range a {
		coef, args := make([]int64, 0, len(l.Args)), make([]*Value, 0, len(l.Args))
		for i, x := range l.Args {
			var y *Value
			if x.data() {
				y = x.elsewhere(stands)
			} else {
				y = stands(x)
			}
			if y == nil {
				continue next
			}
			coef, args = append(coef, l.Coef[i]), append(args, y)
		}
		out = append(out, less(l.Const, coef, args, l.finite)...)
	}
	return out
}

// less is the condition that konst + the sum of coef[i] * args[i] is less than 0, if there are
// indices in it, and eight times what is added has 32 bits: of one number that may be large, it
// is enough to know whether it is larger than all else, but that sums with it may overflow.
func less(konst int64, coef []int64, args []*Value, finite bool) limits {
	large := 0
	for i, x := range args {
		rest, more := FormOf(x).near()
		if large += len(more); large > 1 || large == 1 && len(more) == 1 && !(unit(coef[i]) && unit(more[0])) || !rest.atMost(MaxIndex) {
			return nil
		}
	}
	f := FormOf(NewBuilder(nil).linear(konst, coef, args))
	rest, _ := f.near()
	if !slices.ContainsFunc(rest.Args, func(x *Value) bool { return x.Kind == Var }) || !rest.atMost(MaxIndex/2) {
		return nil
	}
	return limits{{f, finite}}
}

// unit reports whether a coefficient is 1 or -1.
func unit(coef int64) bool { return coef == 1 || coef == -1 }

// near is a form without what may be large, and what that is multiplied by.
func (f Form) near() (rest Form, large []int64) {
	rest.Const = f.Const
	for i, x := range f.Args {
		if x.Near() {
			rest.Coef, rest.Args = append(rest.Coef, f.Coef[i]), append(rest.Args, x)
		} else {
			large = append(large, f.Coef[i])
		}
	}
	return rest, large
}

// atMost reports whether a form is an integer from -most to most.
func (f Form) atMost(most int64) bool {
	r := linearRange(f.Const, f.Coef, f.Args)
	return -most <= r.Lo && r.Hi <= most
}

// leastLeft is one of how many runs at least a condition has to leave out, of what in a loop may be
// needed for some of its runs.
const leastLeft = 8

// some are the conditions that hold in a run of a loop, if in any: those of the run for which each is
// most likely to.
func (a limits) some(l *Loop) limits {
	var out limits
	for _, x := range a {
		if slices.ContainsFunc(x.Args, func(v *Value) bool { return v.Kind != Var && needed(v)[l.Var] }) {
			continue
		}
		i := slices.Index(x.Args, l.Var)
		if i < 0 {
			out = append(out, x)
			continue
		}
		coef, args := slices.Delete(slices.Clone(x.Coef), i, i+1), slices.Delete(slices.Clone(x.Args), i, i+1)
		konst := x.Const + min(0, x.Coef[i]*int64(l.N-1))
		if r := linearRange(konst, coef, args); r.Hi >= (r.Hi-r.Lo)/leastLeft {
			out = append(out, less(konst, coef, args, x.finite)...)
		}
	}
	return out
}

// less is the comparison of two integers that a truth value says: x is less than y, or, if or is 1, at
// most y.
func (t truth) less() (x, y *Value, or int64, ok bool) {
	v := t.of
	if v.Kind != Compute || v.Op != ops.SymLt && v.Op != ops.SymLe || v.Args[0].Elem != types.I {
		return nil, nil, 0, false
	}
	x, y = v.Args[0], v.Args[1]
	if v.Op == ops.SymLe {
		or = 1
	}
	if !t.one {
		return y, x, 1 - or, true
	}
	return x, y, or, true
}

// along are conditions in which axes stand for the sums that their indices are, as those of rows
// in blocks are.
func (a limits) along(at, axes []*Value) limits {
	out := slices.Clone(a)
	for i, x := range out {
		for k, v := range at {
			f := FormOf(v)
			if v.Kind != Linear || len(f.Args) == 0 {
				continue
			}
			if times, rest, ok := x.without(f); ok {
				x.Form = Form{rest.Const, append(rest.Coef, times), append(rest.Args, axes[k])}
			}
		}
		out[i] = x
	}
	return out
}

// without takes a multiple of g out of a form, so that nothing of its integers is left, and tells
// which one.
func (f Form) without(g Form) (times int64, rest Form, ok bool) {
	rest.Const = f.Const
	taken := 0
	for i, x := range f.Args {
		j := slices.Index(g.Args, x)
		switch {
		case j < 0:
			rest.Coef, rest.Args = append(rest.Coef, f.Coef[i]), append(rest.Args, x)
			continue
		case taken == 0:
			times = f.Coef[i] / g.Coef[j]
		}
		if taken++; times*g.Coef[j] != f.Coef[i] {
			return 0, f, false
		}
	}
	rest.Const -= times * g.Const
	return times, rest, taken == len(g.Args)
}
