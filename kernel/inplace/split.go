package inplace

import (
	"slices"

	"egad/internal/slice"
	"egad/kernel"
	"egad/kernel/plan"
	"egad/kernel/sparsity"
	"egad/term/ops"
	"egad/term/types"
)

// maxSplit is how many kernels make a state, at most.
const maxSplit = 4

// MaxCarried is how many numbers of a state are carried in registers at most, where a step changes
// a few of them only: more are changed where they lie. See [egad/kernel/steps].
const MaxCarried = 24

// Split has several kernels make a result of a step that is the state before but for elements
// at several places, one for each, so that each does the runs for its own where the result lies in
// the place of the state:
//
//	t[j] := where (j == a) x (where (j == b) y s[j])
//
// is first where (j == a) x s[j], and then where (j == a) t[j] (where (j == b) y t[j]), if no
// condition of both depends on s[j]. What else is read of the state is read before. Fresh gives names of arrays.
func Split(s *kernel.Steps, fresh func() string) {
	for in, result := range plan.LastOnly(s) {
		at := kernel.Writer(s.Step.Kernels, result)
		if at < 0 {
			continue
		}
		k := s.Step.Kernels[at]
		before, rest, kept := readBefore(k, in, s.Step.Name)
		ks := split(rest, in, result)
		if len(ks) == 0 || len(ks) == 1 && plan.ElementByElement(k, in, result) {
			continue
		}
		for _, a := range kept {
			a.Name = fresh()
		}
		s.Step.Arrays = append(s.Step.Arrays, kept...)
		s.Step.Kernels = slices.Replace(s.Step.Kernels, at, at+1, append(before, ks...)...)
	}
}

// readBefore is a kernel that loads what it makes of other elements of an array than those at the place
// of its store from arrays, kept, if that is the same in all runs of some of its loops, and the kernels
// before it that store that.
func readBefore(k *kernel.Kernel, in *kernel.Array, program string) (before []*kernel.Kernel, rest *kernel.Kernel, kept []*kernel.Array) {
	made := onlyStore(k)
	var loops []*kernel.Loop
	var lets []kernel.Stmt
	ok := made != nil
	kernel.Walk(k.Body, func(s kernel.Stmt) {
		switch s := s.(type) {
		case *kernel.Let:
			lets = append(lets, s)
		case *kernel.Loop:
			loops = append(loops, s)
			ok = ok && s.Order == kernel.Parallel && len(s.Folds) == 0
		}
	})
	if !ok {
		return nil, k, nil
	}
	of := make(map[*kernel.Value]bool)              // what is made of such elements
	along := make(map[*kernel.Value][]*kernel.Loop) // those in whose runs a value is another one
	loaded := make(map[*kernel.Value]*kernel.Value)
	var load func(v *kernel.Value)
	load = func(v *kernel.Value) {
		switch {
		case v.Kind == kernel.Linear:
			for _, x := range v.Args {
				load(x)
			}
		case of[v] && loaded[v] == nil && len(along[v]) < len(loops):
			to := kernel.Access{Array: kernel.NewTemp(program, v.Elem, slice.Map(along[v], func(l *kernel.Loop) int { return l.N }), v.Range),
				At: slice.Map(along[v], func(l *kernel.Loop) *kernel.Value { return l.Var })}
			kept, loaded[v] = append(kept, to.Array), &kernel.Value{Kind: kernel.Load, Elem: v.Elem, Range: v.Range, Access: to}
			body := slices.DeleteFunc(slices.Clone(lets), func(s kernel.Stmt) bool {
				return slices.ContainsFunc(along[s.(*kernel.Let).Value], func(l *kernel.Loop) bool { return !slices.Contains(along[v], l) })
			})
			body = kernel.Around(along[v], append(body, &kernel.Store{Access: to, Value: v}))
			before = append(before, &kernel.Kernel{Body: kernel.DropUnused(body)})
		}
	}
	for _, s := range append(lets, made) {
		if let, ok := s.(*kernel.Let); ok {
			v, all := let.Value, kernel.Needed(let.Value)
			of[v] = v.Kind == kernel.Load && v.Array == in && !slices.Equal(v.At, made.At)
			for x := range all {
				of[v] = of[v] || of[x]
			}
			along[v] = slices.DeleteFunc(slices.Clone(loops), func(l *kernel.Loop) bool { return !all[l.Var] })
			if len(along[v]) < len(loops) {
				continue
			}
		}
		for _, v := range kernel.Uses(s) {
			load(v)
		}
	}
	if len(kept) == 0 {
		return nil, k, nil
	}
	return before, withInstead(k, loaded), kept
}

// withInstead is a kernel with other values in the place of some.
func withInstead(k *kernel.Kernel, made map[*kernel.Value]*kernel.Value) *kernel.Kernel {
	return &kernel.Kernel{Body: kernel.DropUnused(kernel.MapValues(kernel.Clone(k.Body), make(map[*kernel.Value]bool), kernel.Substitute(made)))}
}

// split is a kernel as several, each of which makes elements at one place in what those before have
// made; none if it cannot be.
func split(k *kernel.Kernel, in, result *kernel.Array) []*kernel.Kernel {
	made := onlyStore(k)
	if made == nil || !plan.ElementByElement(k, in, result) {
		return nil
	}
	old := load(k, kernel.Access{Array: in, At: made.At})
	if old == nil {
		return nil
	}
	var out []*kernel.Kernel
	for i, v := range places(sparsity.NewBounder(), made.Value, old, maxSplit) {
		if i == 0 {
			out = append(out, &kernel.Kernel{Body: storingOf(k.Body, v)})
		} else {
			out = append(out, going(k, v, old, result))
		}
	}
	return out
}

// going is a kernel that goes on with what others have made: it stores a value that is made of an
// old one, which it loads from another array.
func going(k *kernel.Kernel, v, old *kernel.Value, from *kernel.Array) *kernel.Kernel {
	now := *old
	now.Array = from
	p := withInstead(&kernel.Kernel{Body: storingOf(k.Body, v)}, map[*kernel.Value]*kernel.Value{old: &now})
	p.Body = kernel.Freshen(p.Body)
	return p
}

// load is a value that a kernel loads, or nil.
func load(k *kernel.Kernel, of kernel.Access) (v *kernel.Value) {
	for s := range kernel.All[*kernel.Let](k.Body) {
		if s.Value.SameAs(of) {
			v = s.Value
		}
	}
	return v
}

// places are a value that may be an old one as several, at most some: each is made of what the one
// before makes, in the place of the old one, and is that but for elements at one place, as bounds
// tell. There are none if that cannot be.
func places(b *sparsity.Bounder, v, old *kernel.Value, most int) []*kernel.Value {
	if first, rest := halves(v, old); first != nil && most > 1 {
		out := places(b, first, old, most-1)
		if more := places(b, rest, old, most-len(out)); len(out) > 0 && len(more) > 0 {
			return append(out, more...)
		}
	}
	if ls, _ := b.Changes(v, old.Access); len(ls) == 0 {
		return nil
	}
	return []*kernel.Value{v}
}

// halves are a choice as two, first one that changes an old value where one condition holds, and then
// one that changes what is old then where the other one does; or nil. What both depend on must
// not depend on the old value, which the first one changes.
func halves(v, old *kernel.Value) (first, rest *kernel.Value) {
	v = choiceOfSums(v, old)
	if v.Kind != kernel.Compute || v.Op != ops.SymWhere {
		return nil, nil
	}
	c, x, y := v.Args[0], v.Args[1], v.Args[2]
	again := func(c *kernel.Value) bool { // it may be decided again
		for v := range kernel.Needed(c) {
			if v == old || v.SameAs(old.Access) {
				return false
			}
		}
		return true
	}
	choice := func(c, x, y *kernel.Value) *kernel.Value {
		w := *v
		w.Args = []*kernel.Value{c, x, y}
		return &w
	}
	is := func(op ops.Sym) bool { return c.Kind == kernel.Compute && c.Op == op }
	for is(ops.SymNot) {
		c, x, y = c.Args[0], y, x
	}
	switch {
	case y == old && is(ops.SymOr) && again(c.Args[0]):
		return choice(c.Args[0], x, old), choice(c.Args[0], old, choice(c.Args[1], x, old))
	case x == old && is(ops.SymAnd) && again(c.Args[0]):
		return choice(c.Args[0], old, y), choice(c.Args[0], choice(c.Args[1], old, y), old)
	case !again(c):
	case x != old && y != old:
		if maybe(x, old) || maybe(y, old) { // else all elements are changed
			return choice(c, x, old), choice(c, old, y)
		}
	case x == old:
		if first, rest = halves(y, old); first != nil {
			return choice(c, old, first), choice(c, old, rest)
		}
	case y == old:
		if first, rest = halves(x, old); first != nil {
			return choice(c, first, old), choice(c, rest, old)
		}
	}
	return nil, nil
}

// maybe reports whether a value is an old one, or a sum with that, or chooses between such and others.
func maybe(v, old *kernel.Value) bool {
	return v == old || v.Kind == kernel.Compute && v.Op == ops.SymAdd && slices.Contains(v.Args, old) ||
		v.Kind == kernel.Compute && v.Op == ops.SymWhere && (maybe(v.Args[1], old) || maybe(v.Args[2], old))
}

// choiceOfSums is a sum of two choices, of an old value or 0 and of another one or 0, as a choice of
// sums, or the value as it is. For few numbers it is, as they may be carried, and both sums made for each.
func choiceOfSums(v, old *kernel.Value) *kernel.Value {
	if v.Kind != kernel.Compute || v.Op != ops.SymAdd || v.Elem != types.R || old.Array.Len() <= MaxCarried {
		return v
	}
	for i, w := range v.Args {
		is, _, _ := sparsity.OrZero(w)
		_, _, orZero := sparsity.OrZero(v.Args[1-i])
		if other := v.Args[1-i]; is == old && orZero && !kernel.Needed(other)[old] {
			out := *w
			out.Args = []*kernel.Value{w.Args[0], kernel.RealOf(ops.SymAdd, w.Args[1], other), kernel.RealOf(ops.SymAdd, w.Args[2], other)}
			return &out
		}
	}
	return v
}
