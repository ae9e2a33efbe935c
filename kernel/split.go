package kernel

import (
	"slices"

	"egad/internal/memo"
	"egad/internal/slice"
	"egad/term/ops"
	"egad/term/types"
)

// maxSplit is how many kernels make a state, at most.
const maxSplit = 4

// split has several kernels make a result of a step that is the state before but for elements
// at several places, one for each, so that each does the runs for its own where the result lies in
// the place of the state:
//
//	t[j] := where (j == a) x (where (j == b) y s[j])
//
// is first where (j == a) x s[j], and then where (j == a) t[j] (where (j == b) y t[j]), if no
// condition of both depends on s[j]. What else is read of the state is read before. Fresh gives names of arrays.
func (s *Steps) split(fresh func() string) {
	for in, result := range s.lastOnly() {
		at := writer(s.Step.Kernels, result)
		if at < 0 {
			continue
		}
		k := s.Step.Kernels[at]
		before, rest, kept := k.readBefore(in, s.Step.Name)
		ks := rest.split(in, result)
		if len(ks) == 0 || len(ks) == 1 && k.elementByElement(in, result) {
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
func (k *Kernel) readBefore(in *Array, program string) (before []*Kernel, rest *Kernel, kept []*Array) {
	made := k.onlyStore()
	var loops []*Loop
	var lets []Stmt
	ok := made != nil
	Walk(k.Body, func(s Stmt) {
		switch s := s.(type) {
		case *Let:
			lets = append(lets, s)
		case *Loop:
			loops = append(loops, s)
			ok = ok && s.Order == Parallel && len(s.Folds) == 0
		}
	})
	if !ok {
		return nil, k, nil
	}
	of := make(map[*Value]bool)       // what is made of such elements
	along := make(map[*Value][]*Loop) // those in whose runs a value is another one
	loaded := make(map[*Value]*Value)
	var load func(v *Value)
	load = func(v *Value) {
		switch {
		case v.Kind == Linear:
			for _, x := range v.Args {
				load(x)
			}
		case of[v] && loaded[v] == nil && len(along[v]) < len(loops):
			to := Access{Array: NewTemp(program, v.Elem, slice.Map(along[v], func(l *Loop) int { return l.N }), v.Range),
				At: slice.Map(along[v], func(l *Loop) *Value { return l.Var })}
			kept, loaded[v] = append(kept, to.Array), &Value{Kind: Load, Elem: v.Elem, Range: v.Range, Access: to}
			body := slices.DeleteFunc(slices.Clone(lets), func(s Stmt) bool {
				return slices.ContainsFunc(along[s.(*Let).Value], func(l *Loop) bool { return !slices.Contains(along[v], l) })
			})
			body = append(body, &Store{Access: to, Value: v})
			for _, l := range slices.Backward(along[v]) {
				body = []Stmt{&Loop{Name: l.Name, Var: l.Var, N: l.N, Order: Parallel, Body: body}}
			}
			before = append(before, &Kernel{Body: live(body)})
		}
	}
	for _, s := range append(lets, made) {
		if let, ok := s.(*Let); ok {
			v, all := let.Value, needed(let.Value)
			of[v] = v.Kind == Load && v.Array == in && !slices.Equal(v.At, made.At)
			for x := range all {
				of[v] = of[v] || of[x]
			}
			along[v] = slices.DeleteFunc(slices.Clone(loops), func(l *Loop) bool { return !all[l.Var] })
			if len(along[v]) < len(loops) {
				continue
			}
		}
		for _, v := range uses(s) {
			load(v)
		}
	}
	if len(kept) == 0 {
		return nil, k, nil
	}
	return before, k.instead(loaded), kept
}

// instead is a kernel with other values in the place of some.
func (k *Kernel) instead(made map[*Value]*Value) *Kernel {
	return &Kernel{Body: live(remade(cloned(k.Body), make(map[*Value]bool), instead(made)))}
}

// instead computes values of those that stand in the place of others.
func instead(made map[*Value]*Value) func(*Value) *Value {
	var value func(v *Value) *Value
	value = func(v *Value) *Value { return memo.Of(made, v, func() *Value { return v.remade(value) }) }
	return value
}

// split is a kernel as several, each of which makes elements at one place in what those before have
// made; none if it cannot be.
func (k *Kernel) split(in, result *Array) []*Kernel {
	made := k.onlyStore()
	if made == nil || !k.elementByElement(in, result) {
		return nil
	}
	old := k.load(Access{Array: in, At: made.At})
	if old == nil {
		return nil
	}
	var out []*Kernel
	for i, v := range newBounder().places(made.Value, old, maxSplit) {
		if i == 0 {
			out = append(out, &Kernel{Body: storingOf(k.Body, v)})
		} else {
			out = append(out, k.going(v, old, result))
		}
	}
	return out
}

// going is a kernel that goes on with what others have made: it stores a value that is made of an
// old one, which it loads from another array.
func (k *Kernel) going(v, old *Value, from *Array) *Kernel {
	now := *old
	now.Array = from
	p := (&Kernel{Body: storingOf(k.Body, v)}).instead(map[*Value]*Value{old: &now})
	p.Body = anew(p.Body)
	return p
}

// load is a value that a kernel loads, or nil.
func (k *Kernel) load(of Access) (v *Value) {
	for s := range allOf[*Let](k.Body) {
		if s.Value.same(of) {
			v = s.Value
		}
	}
	return v
}

// places are a value that may be an old one as several, at most some: each is made of what the one
// before makes, in the place of the old one, and is that but for elements at one place, as bounds
// tell. There are none if that cannot be.
func (b *bounder) places(v, old *Value, most int) []*Value {
	if first, rest := halves(v, old); first != nil && most > 1 {
		out := b.places(first, old, most-1)
		if more := b.places(rest, old, most-len(out)); len(out) > 0 && len(more) > 0 {
			return append(out, more...)
		}
	}
	if ls, _ := b.changes(v, old.Access); len(ls) == 0 {
		return nil
	}
	return []*Value{v}
}

// halves are a choice as two, first one that changes an old value where one condition holds, and then
// one that changes what is old then where the other one does; or nil. What both depend on must
// not depend on the old value, which the first one changes.
func halves(v, old *Value) (first, rest *Value) {
	v = choiceOfSums(v, old)
	if v.Kind != Compute || v.Op != ops.SymWhere {
		return nil, nil
	}
	c, x, y := v.Args[0], v.Args[1], v.Args[2]
	again := func(c *Value) bool { // it may be decided again
		for v := range needed(c) {
			if v == old || v.same(old.Access) {
				return false
			}
		}
		return true
	}
	choice := func(c, x, y *Value) *Value {
		w := *v
		w.Args = []*Value{c, x, y}
		return &w
	}
	is := func(op ops.Sym) bool { return c.Kind == Compute && c.Op == op }
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
func maybe(v, old *Value) bool {
	return v == old || v.Kind == Compute && v.Op == ops.SymAdd && slices.Contains(v.Args, old) ||
		v.Kind == Compute && v.Op == ops.SymWhere && (maybe(v.Args[1], old) || maybe(v.Args[2], old))
}

// choiceOfSums is a sum of two choices, of an old value or 0 and of another one or 0, as a choice of
// sums, or the value as it is.
func choiceOfSums(v, old *Value) *Value {
	if v.Kind != Compute || v.Op != ops.SymAdd || v.Elem != types.R {
		return v
	}
	orZero := func(v *Value) *Value { // what is chosen, or nil
		switch {
		case v.Kind != Compute || v.Op != ops.SymWhere:
		case v.Args[1].AllZero():
			return v.Args[2]
		case v.Args[2].AllZero():
			return v.Args[1]
		}
		return nil
	}
	for i, w := range v.Args {
		if other := v.Args[1-i]; orZero(w) == old && orZero(other) != nil && !needed(other)[old] {
			out := *w
			out.Args = []*Value{w.Args[0], realOf(ops.SymAdd, w.Args[1], other), realOf(ops.SymAdd, w.Args[2], other)}
			return &out
		}
	}
	return v
}

// cloned copies statements and the loops among them.
func cloned(body []Stmt) []Stmt {
	out := slices.Clone(body)
	for i, s := range out {
		if l, ok := s.(*Loop); ok {
			l := *l
			l.Body, l.Folds, l.Carries, l.Only = cloned(l.Body), slices.Clone(l.Folds), slices.Clone(l.Carries), slices.Clone(l.Only)
			out[i] = &l
		}
	}
	return out
}
