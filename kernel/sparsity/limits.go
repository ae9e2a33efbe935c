package sparsity

import (
	"slices"

	"egad/internal/slice"
	"egad/kernel"
	"egad/term/ops"
	"egad/term/types"
)

// Limit is a condition on indices of loops, or on axes of an array, and on other integers: konst +
// the sum of coef[i] * args[i] is less than 0.
type Limit struct {
	kernel.Form
	Finite bool
}

// Equal reports whether two limits are the same, but for what is finite.
func (a Limit) Equal(b Limit) bool { return a.Const == b.Const && a.beside(b) }

// beside reports whether two limits are the same but for a number that is added, and for what is finite.
func (a Limit) beside(b Limit) bool {
	if len(a.Args) != len(b.Args) {
		return false
	}
	for i, x := range a.Args {
		if j := slices.IndexFunc(b.Args, func(w *kernel.Value) bool { return alike(x, w) }); j < 0 || a.Coef[i] != b.Coef[j] {
			return false
		}
	}
	return true
}

// Not is the condition that holds where a does not.
func (a Limit) Not() Limit {
	return Limit{Form: kernel.Form{Const: -1 - a.Const, Coef: slice.Map(a.Coef, func(c int64) int64 { return -c }), Args: a.Args}}
}

// Limits are conditions that all have to hold; none says nothing.
type Limits []Limit

// And are conditions of which some have to hold as well as others.
func (a Limits) And(b Limits) Limits {
	out := slices.Clone(a)
	for _, x := range b {
		if i := slices.IndexFunc(out, x.Equal); i < 0 {
			out = append(out, x)
		} else if out[i].Finite && !x.Finite {
			out[i] = x
		}
	}
	return out
}

// or are the conditions that hold whichever of two lists does: of two that are the same but for a number that is added the
// weaker one, as i < j + 1 of i < j and i < j + 1.
func (a Limits) or(b Limits) Limits {
	var out Limits
	for _, x := range a {
		if i := slices.IndexFunc(b, x.beside); i >= 0 {
			x.Finite = x.Finite || b[i].Finite
			x.Const = min(x.Const, b[i].Const)
			out = append(out, x)
		}
	}
	return out
}

// where are those conditions in which other values stand for arguments, and for the indices of inputs; what
// has none is left out.
func (a Limits) where(stands func(x *kernel.Value) *kernel.Value) Limits {
	var out Limits
next:
	for _, l := range a {
		coef, args := make([]int64, 0, len(l.Args)), make([]*kernel.Value, 0, len(l.Args))
		for i, x := range l.Args {
			var y *kernel.Value
			if IsData(x) {
				y = elsewhere(x, stands)
			} else {
				y = stands(x)
			}
			if y == nil {
				continue next
			}
			coef, args = append(coef, l.Coef[i]), append(args, y)
		}
		out = append(out, less(l.Const, coef, args, l.Finite)...)
	}
	return out
}

// less is the condition that konst + the sum of coef[i] * args[i] is less than 0, if there are
// indices in it, and eight times what is added has 32 bits: of one number that may be large, it
// is enough to know whether it is larger than all else, but that sums with it may overflow.
func less(konst int64, coef []int64, args []*kernel.Value, finite bool) Limits {
	large := 0
	for i, x := range args {
		rest, more := near(kernel.FormOf(x))
		if large += len(more); large > 1 || large == 1 && len(more) == 1 && !(kernel.IsUnit(coef[i]) && kernel.IsUnit(more[0])) || !atMost(rest, kernel.MaxIndex) {
			return nil
		}
	}
	f := kernel.FormOf(kernel.NewBuilder(nil).Linear(konst, coef, args))
	rest, _ := near(f)
	if !slices.ContainsFunc(rest.Args, func(x *kernel.Value) bool { return x.Kind == kernel.Var }) || !atMost(rest, kernel.MaxIndex/2) {
		return nil
	}
	return Limits{{f, finite}}
}

// near is a form without what may be large, and what that is multiplied by.
func near(f kernel.Form) (rest kernel.Form, large []int64) {
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
func atMost(f kernel.Form, most int64) bool {
	r := f.Range()
	return -most <= r.Lo && r.Hi <= most
}

// leastLeft is one of how many runs at least a condition has to leave out, of what in a loop may be
// needed for some of its runs.
const leastLeft = 8

// some are the conditions that hold in a run of a loop, if in any: those of the run for which each is
// most likely to.
func (a Limits) some(l *kernel.Loop) Limits {
	var out Limits
	for _, x := range a {
		if slices.ContainsFunc(x.Args, func(v *kernel.Value) bool { return v.Kind != kernel.Var && kernel.Needed(v)[l.Var] }) {
			continue
		}
		coef, rest := x.Without(l.Var)
		if coef == 0 {
			out = append(out, x)
			continue
		}
		rest.Const += min(0, coef*int64(l.N-1))
		if r := rest.Range(); r.Hi >= (r.Hi-r.Lo)/leastLeft {
			out = append(out, less(rest.Const, rest.Coef, rest.Args, x.Finite)...)
		}
	}
	return out
}

// less is the comparison of two integers that a truth value says: x is less than y, or, if or is 1, at
// most y.
func (t Truth) less() (x, y *kernel.Value, or int64, ok bool) {
	v := t.Of
	if v.Kind != kernel.Compute || v.Op != ops.SymLt && v.Op != ops.SymLe || v.Args[0].Elem != types.I {
		return nil, nil, 0, false
	}
	x, y = v.Args[0], v.Args[1]
	if v.Op == ops.SymLe {
		or = 1
	}
	if !t.One {
		return y, x, 1 - or, true
	}
	return x, y, or, true
}

// along are conditions in which axes stand for the sums that their indices are, as those of rows
// in blocks are.
func (a Limits) along(at, axes []*kernel.Value) Limits {
	out := slices.Clone(a)
	for i, x := range out {
		for k, v := range at {
			f := kernel.FormOf(v)
			if v.Kind != kernel.Linear || len(f.Args) == 0 {
				continue
			}
			if times, rest, ok := without(x.Form, f); ok {
				x.Form = kernel.Form{Const: rest.Const, Coef: append(rest.Coef, times), Args: append(rest.Args, axes[k])}
			}
		}
		out[i] = x
	}
	return out
}

// without takes a multiple of g out of a form, so that nothing of its integers is left, and tells
// which one.
func without(f, g kernel.Form) (times int64, rest kernel.Form, ok bool) {
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

// Limit finds the condition that a truth value says, if it is the same for integers that do not wrap
// around: of those that are compared one at most may be large, and it is not computed.
func (t Truth) Limit() (Limit, bool) {
	x, y, or, ok := t.less()
	if !ok || !x.Near() && (x.Kind == kernel.Linear || !y.Near()) || y.Kind == kernel.Linear && !y.Near() {
		return Limit{}, false
	}
	f := kernel.FormOf(kernel.NewBuilder(nil).Linear(-or, []int64{1, -1}, []*kernel.Value{x, y}))
	rest, _ := near(f)
	return Limit{Form: f}, atMost(rest, kernel.MaxIndex/2)
}

// Among takes a condition with those values that are alike in the place of its own.
func (x Limit) Among(there []*kernel.Value) Limit {
	x.Args = slice.Map(x.Args, func(v *kernel.Value) *kernel.Value {
		if i := slices.IndexFunc(there, func(w *kernel.Value) bool { return alike(v, w) }); i >= 0 {
			return there[i]
		}
		return v
	})
	return x
}

// Differences finds two forms of which one is not negative where a comparison of integers x and y is
// decided: y - x and x - y, less 1 where they have to differ.
func Differences(v *kernel.Value) (f, g kernel.Form, ok bool) {
	if v.Kind != kernel.Compute {
		return f, g, false
	}
	var less [2]int64
	switch v.Op {
	case ops.SymLt:
		less = [2]int64{1, 0}
	case ops.SymLe:
		less = [2]int64{0, 1}
	case ops.SymEq:
		less = [2]int64{1, 1}
	default:
		return f, g, false
	}
	x, y := v.Args[0], v.Args[1]
	of := func(i int, x, y *kernel.Value) kernel.Form {
		return kernel.FormOf(kernel.NewBuilder(nil).Linear(-less[i], []int64{-1, 1}, []*kernel.Value{x, y}))
	}
	return of(0, x, y), of(1, y, x), x.Elem == types.I
}
