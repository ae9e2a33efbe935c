package kernel

import (
	"slices"

	"egad/internal/memo"
	"egad/internal/set"
	"egad/internal/slice"
	"egad/term/ops"
	"egad/term/types"
)

// fission takes apart a loop that carries numbers: what needs nothing that is carried is computed
// before, by vectors, if that takes long, and what is not needed for what is carried after it.
// What one loop makes for another one is kept in memory. A number to which runs but add is the sum
// of a fold then:
//
//	loop i: h, l := a + b * h * x[i], l + log h
//
// is a loop that stores each h, and a fold of their logarithms.
type fission struct {
	l       *Loop
	inside  map[*Value]bool // computed in the loop
	depends *Variance       // on what is carried
	sums    map[*Value]Fold // by a number to which runs but add
	core    map[*Value]bool // what is needed for what is carried
	kept    map[*Value]Access
	stores  []*Store // of what is carried, and what it needs
	made    []*Array
}

// maxBetween is how many bytes may be kept for what loops that are taken apart make for each other:
// a loop of many steps needs no memory for them otherwise.
const maxBetween = 1 << 26

func newFission(l *Loop) *fission {
	x := &fission{l: l, inside: make(map[*Value]bool), depends: NewVariance(nil), sums: make(map[*Value]Fold)}
	uses := make(map[*Value]int)
	use := func(vs ...*Value) {
		for _, v := range vs {
			uses[v]++
		}
	}
	for _, s := range l.Body {
		switch s := s.(type) {
		case *Let:
			x.inside[s.Value] = true
			use(slices.Concat(s.Value.Args, s.Value.At)...)
		case *Store:
			use(append(slices.Clone(s.At), s.Value)...)
		}
	}
	for _, c := range l.Carries {
		use(c.Next)
	}
	var ends []*Value
	for _, c := range l.Carries {
		if f, ok := c.sum(); ok && uses[c.Value] == 1 && uses[c.Next] == 1 {
			x.sums[c.Value] = f
		} else {
			x.depends.Mark(c.Value, true)
			ends = append(ends, c.Value, c.Next)
		}
	}
	x.core = needed(ends...)
	return x
}

// sum is the fold that does what runs do with a number, if that is to add something to it. What a number
// is multiplied by stays in its order: in another one products may be out of range.
func (c Carry) sum() (f Fold, ok bool) {
	v := c.Next
	if v.Kind != Compute || v.Elem != types.R || v.Op != ops.SymAdd && v.Op != ops.SymSub {
		return f, false
	}
	i := slices.Index(v.Args, c.Value)
	if i < 0 || v.Op == ops.SymSub && i > 0 {
		return f, false
	}
	return Fold{Op: ops.SymSum, Value: v.Args[1-i], From: c.From, Result: c.Result}, true
}

// dependent reports whether a value depends on what is carried.
func (x *fission) dependent(v *Value) bool { return x.depends.Varies(v) }

// before are the values, in order, that are worth to be computed before the loop: those that
// depend on nothing that is carried, take long, and are operands of what does depend on it.
func (x *fission) before() (out []*Value) {
	long, operands := make(map[*Value]bool), make(map[*Value]bool)
	for _, s := range x.l.Body {
		let, ok := s.(*Let)
		if !ok || !x.core[let.Value] {
			continue
		}
		v := let.Value
		if x.dependent(v) {
			set.Add(operands, v.Args...)
			continue
		}
		long[v] = v.long() || slices.ContainsFunc(v.Args, func(a *Value) bool { return long[a] })
	}
	for _, s := range x.l.Body {
		if let, ok := s.(*Let); ok && long[let.Value] && operands[let.Value] {
			out = append(out, let.Value)
		}
	}
	return out
}

// long reports whether it takes long to compute a value, of one run alone.
func (v *Value) long() bool {
	return v.IsFunction() || v.Kind == Compute && v.Elem == types.R && (v.Op == ops.SymDiv || v.Op == ops.SymSqrt)
}

// apart are kernels that do what the loop does, after some values and before some stores; none if
// there is nothing to take apart that takes long, or too much would have to be kept. Some values are
// computed before the loop. No two of the kernels do the same arithmetic on reals: what one has made
// by it and another one needs is kept.
func (x *fission) apart(values, after []Stmt, before []*Value) []*Kernel {
	x.kept, x.stores, x.made = make(map[*Value]Access), nil, nil
	first := x.side(Parallel, x.run(), func(*Value) (Access, bool) { return Access{}, false })
	keepFirst := func(v *Value) {
		x.kept[v] = x.room(v)
		first.store(x.kept[v], v)
	}
	for _, v := range before {
		keepFirst(v)
	}
	core := x.side(Carrying, x.l.Var, func(v *Value) (Access, bool) {
		if _, ok := x.kept[v]; !ok && first.calculates(v) {
			keepFirst(v)
		}
		a, ok := x.kept[v]
		return a, ok && !x.dependent(v)
	})
	for _, c := range x.l.Carries {
		if _, ok := x.sums[c.Value]; !ok {
			core.l.Carries = append(core.l.Carries, Carry{Value: c.Value, From: c.From, Next: core.value(c.Next), Result: c.Result})
		}
	}
	last := x.side(Parallel, x.run(), func(v *Value) (Access, bool) {
		if _, ok := x.kept[v]; !ok && first.calculates(v) {
			keepFirst(v)
		} else if core.calculates(v) || x.core[v] && x.dependent(v) {
			x.keep(v)
		}
		a, ok := x.kept[v]
		return a, ok
	})
	var others []*Store
	for _, s := range x.l.Body {
		if s, ok := s.(*Store); ok && x.core[s.Value] {
			x.stores = append(x.stores, s)
		} else if ok {
			others = append(others, s)
		}
	}
	for _, s := range others {
		last.store(s.Access, s.Value)
	}
	for _, c := range x.l.Carries {
		if f, ok := x.sums[c.Value]; ok {
			f.Value = last.value(f.Value)
			if c.Next.Op == ops.SymSub {
				f.Value = realOf(ops.SymNeg, f.Value)
				last.l.Body = append(last.l.Body, &Let{f.Value})
			}
			last.l.Order, last.l.Folds = Folding, append(last.l.Folds, f)
		}
	}
	for _, s := range x.stores {
		core.store(s.Access, s.Value)
	}
	if 8*x.l.N*len(x.made) > maxBetween {
		return nil
	}
	if !slices.ContainsFunc(slices.Concat(first.l.Body, last.l.Body), func(s Stmt) bool { let, ok := s.(*Let); return ok && let.Value.long() }) {
		return nil
	}
	sides := slice.Filter([]*side{first, core, last}, func(s *side) bool { return len(s.l.Body)+len(s.l.Carries)+len(s.l.Folds) > 0 })
	return slice.Map(sides, func(s *side) *Kernel { return s.kernel(values, after) })
}

// run is an index for another loop of as many runs.
func (x *fission) run() *Value {
	v := *x.l.Var
	return &v
}

// room is a place in memory for the values of all runs.
func (x *fission) room(v *Value) Access {
	a := NewTemp("", v.Elem, []int{x.l.N}, v.Range)
	x.made = append(x.made, a)
	return Access{Array: a, At: []*Value{x.l.Var}}
}

// keep says where a value that the loop computes is in memory: where it is stored anyway, or in a
// place of its own.
func (x *fission) keep(v *Value) {
	next, from := v, (*Value)(nil)
	for _, c := range x.l.Carries {
		if c.Value == v {
			next, from = c.Next, c.From
		}
	}
	for _, s := range x.l.Body {
		s, ok := s.(*Store)
		if !ok || s.Value != next {
			continue
		}
		if from == nil {
			x.kept[v] = s.Access
			return
		}
		if a, ok := x.stateBefore(s.Access, from); ok {
			x.kept[v] = a
			return
		}
	}
	x.kept[v] = x.room(v)
	x.stores = append(x.stores, &Store{Access: x.kept[v], Value: v})
}

// stateBefore is the place of a number of a state, where that of the next one is given, if the
// first one is there.
func (x *fission) stateBefore(next Access, first *Value) (a Access, ok bool) {
	if first.Kind != Load || first.Array != next.Array {
		return a, false
	}
	a = Access{Array: next.Array, At: slices.Clone(next.At)}
	ok = true
	for i, at := range next.At {
		if at == first.At[i] {
			continue
		}
		f := FormOf(at)
		ok = ok && f.Const == 1 && len(f.Args) == 1 && f.Args[0] == x.l.Var && f.Coef[0] == 1 && first.At[i].AllZero()
		a.At[i] = x.l.Var
	}
	return a, ok
}

// side is one of the loops that are made, in which the values of the loop are made anew.
type side struct {
	x    *fission
	l    *Loop
	made map[*Value]*Value
	from func(v *Value) (Access, bool) // what is read from memory
}

func (x *fission) side(order Order, run *Value, from func(v *Value) (Access, bool)) *side {
	return &side{x, &Loop{Name: x.l.Name, Var: run, N: x.l.N, Order: order}, map[*Value]*Value{x.l.Var: run}, from}
}

func (s *side) value(v *Value) *Value {
	return memo.Of(s.made, v, func() *Value {
		a, read := s.from(v)
		var w *Value
		if read {
			w = &Value{Kind: Load, Elem: v.Elem, Access: s.access(a), Range: v.Range}
		} else {
			w = v.remade(s.value)
		}
		if read || s.x.inside[v] {
			s.l.Body = append(s.l.Body, &Let{w})
		}
		return w
	})
}

func (s *side) access(a Access) Access {
	a.At = slice.Map(a.At, s.value)
	return a
}

// calculates reports whether the loop makes a value by arithmetic on reals.
func (s *side) calculates(v *Value) bool {
	w := s.made[v]
	return w != nil && w.Kind == Compute && w.Elem == types.R && w.Op != ops.SymReal
}

// store stores a value, after what computes it.
func (s *side) store(to Access, v *Value) {
	v = s.value(v)
	s.l.Body = append(s.l.Body, &Store{Access: s.access(to), Value: v})
}

// kernel is a kernel of the loop after those of some values that it needs, and before the stores of
// what it results in.
func (s *side) kernel(values, after []Stmt) *Kernel {
	body := append(slices.Clone(values), s.l)
	for _, t := range after {
		for _, v := range uses(t) {
			if slices.ContainsFunc(s.l.Carries, func(c Carry) bool { return c.Result == v }) || slices.ContainsFunc(s.l.Folds, func(f Fold) bool { return f.Result == v }) {
				body = append(body, t)
			}
		}
	}
	return &Kernel{Body: live(body)}
}
