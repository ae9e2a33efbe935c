package steps

import (
	"slices"

	"egad/internal/memo"
	"egad/internal/set"
	"egad/internal/slice"
	"egad/kernel"
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
	l       *kernel.Loop
	inside  map[*kernel.Value]bool        // computed in the loop
	depends *kernel.Variance              // on what is carried
	sums    map[*kernel.Value]kernel.Fold // by a number to which runs but add
	core    map[*kernel.Value]bool        // what is needed for what is carried
	kept    map[*kernel.Value]kernel.Access
	stores  []*kernel.Store // of what is carried, and what it needs
	made    []*kernel.Array
}

// maxBetween is how many bytes may be kept for what loops that are taken apart make for each other:
// a loop of many steps needs no memory for them otherwise.
const maxBetween = 1 << 26

func newFission(l *kernel.Loop) *fission {
	x := &fission{l: l, inside: make(map[*kernel.Value]bool), depends: kernel.NewVariance(nil), sums: make(map[*kernel.Value]kernel.Fold)}
	uses := make(map[*kernel.Value]int)
	use := func(vs ...*kernel.Value) {
		for _, v := range vs {
			uses[v]++
		}
	}
	for _, s := range l.Body {
		switch s := s.(type) {
		case *kernel.Let:
			x.inside[s.Value] = true
			use(slices.Concat(s.Value.Args, s.Value.At)...)
		case *kernel.Store:
			use(append(slices.Clone(s.At), s.Value)...)
		}
	}
	for _, c := range l.Carries {
		use(c.Next)
	}
	var ends []*kernel.Value
	for _, c := range l.Carries {
		if f, ok := sum(c); ok && uses[c.Value] == 1 && uses[c.Next] == 1 {
			x.sums[c.Value] = f
		} else {
			x.depends.Mark(c.Value, true)
			ends = append(ends, c.Value, c.Next)
		}
	}
	x.core = kernel.Needed(ends...)
	return x
}

// sum is the fold that does what runs do with a number, if that is to add something to it, or to take it away. What a number
// is multiplied by stays in its order: in another one products may be out of range.
func sum(c kernel.Carry) (f kernel.Fold, ok bool) {
	v := c.Next
	if v.Kind != kernel.Compute || v.Elem != types.R || v.Op != ops.SymAdd && v.Op != ops.SymSub {
		return f, false
	}
	i := slices.Index(v.Args, c.Value)
	if i < 0 || v.Op == ops.SymSub && i > 0 {
		return f, false
	}
	op := map[ops.Sym]ops.Sym{ops.SymAdd: ops.SymSum, ops.SymSub: ops.SymSub}[v.Op]
	return kernel.Fold{Op: op, Value: v.Args[1-i], From: c.From, Result: c.Result}, true
}

// dependent reports whether a value depends on what is carried.
func (x *fission) dependent(v *kernel.Value) bool { return x.depends.Varies(v) }

// before are the values, in order, that are worth to be computed before the loop: those that
// depend on nothing that is carried, take long, and are operands of what does depend on it.
func (x *fission) before() (out []*kernel.Value) {
	long, operands := make(map[*kernel.Value]bool), make(map[*kernel.Value]bool)
	for _, let := range kernel.Among[*kernel.Let](x.l.Body) {
		if !x.core[let.Value] {
			continue
		}
		v := let.Value
		if x.dependent(v) {
			set.Add(operands, v.Args...)
			continue
		}
		long[v] = v.TakesLong() || slices.ContainsFunc(v.Args, func(a *kernel.Value) bool { return long[a] })
	}
	for _, s := range x.l.Body {
		if let, ok := s.(*kernel.Let); ok && long[let.Value] && operands[let.Value] {
			out = append(out, let.Value)
		}
	}
	return out
}

// apart are kernels that do what the loop does, after some values and before some stores; none if
// there is nothing to take apart that takes long, or too much would have to be kept. Some values are
// computed before the loop. No two of the kernels do the same arithmetic on reals: what one has made
// by it and another one needs is kept.
func (x *fission) apart(values, after []kernel.Stmt, before []*kernel.Value) []*kernel.Kernel {
	x.kept, x.stores, x.made = make(map[*kernel.Value]kernel.Access), nil, nil
	first := x.side(kernel.Parallel, x.run(), func(*kernel.Value) (kernel.Access, bool) { return kernel.Access{}, false })
	keepFirst := func(v *kernel.Value) {
		x.kept[v] = x.room(v)
		first.store(x.kept[v], v)
	}
	for _, v := range before {
		keepFirst(v)
	}
	core := x.side(kernel.Carrying, x.l.Var, func(v *kernel.Value) (kernel.Access, bool) {
		if _, ok := x.kept[v]; !ok && first.calculates(v) {
			keepFirst(v)
		}
		a, ok := x.kept[v]
		return a, ok && !x.dependent(v)
	})
	for _, c := range x.l.Carries {
		if _, ok := x.sums[c.Value]; !ok {
			core.l.Carries = append(core.l.Carries, kernel.Carry{Value: c.Value, From: c.From, Next: core.value(c.Next), Result: c.Result})
		}
	}
	last := x.side(kernel.Parallel, x.run(), func(v *kernel.Value) (kernel.Access, bool) {
		if _, ok := x.kept[v]; !ok && first.calculates(v) {
			keepFirst(v)
		} else if core.calculates(v) || x.core[v] && x.dependent(v) {
			x.keep(v)
		}
		a, ok := x.kept[v]
		return a, ok
	})
	var others []*kernel.Store
	for _, s := range x.l.Body {
		if s, ok := s.(*kernel.Store); ok && x.core[s.Value] {
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
			last.l.Order, last.l.Folds = kernel.Folding, append(last.l.Folds, f)
		}
	}
	for _, s := range x.stores {
		core.store(s.Access, s.Value)
	}
	if 8*x.l.N*len(x.made) > maxBetween {
		return nil
	}
	if !slices.ContainsFunc(slices.Concat(first.l.Body, last.l.Body), func(s kernel.Stmt) bool { let, ok := s.(*kernel.Let); return ok && let.Value.TakesLong() }) {
		return nil
	}
	sides := slice.Filter([]*side{first, core, last}, func(s *side) bool { return len(s.l.Body)+len(s.l.Carries)+len(s.l.Folds) > 0 })
	return slice.Map(sides, func(s *side) *kernel.Kernel { return s.kernel(values, after) })
}

// run is an index for another loop of as many runs.
func (x *fission) run() *kernel.Value {
	v := *x.l.Var
	return &v
}

// room is a place in memory for the values of all runs.
func (x *fission) room(v *kernel.Value) kernel.Access {
	a := kernel.NewTemp("", v.Elem, []int{x.l.N}, v.Range)
	x.made = append(x.made, a)
	return kernel.Access{Array: a, At: []*kernel.Value{x.l.Var}}
}

// keep says where a value that the loop computes is in memory: where it is stored anyway, or in a
// place of its own.
func (x *fission) keep(v *kernel.Value) {
	next, from := v, (*kernel.Value)(nil)
	for _, c := range x.l.Carries {
		if c.Value == v {
			next, from = c.Next, c.From
		}
	}
	for _, s := range kernel.Among[*kernel.Store](x.l.Body) {
		if s.Value != next {
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
	x.stores = append(x.stores, &kernel.Store{Access: x.kept[v], Value: v})
}

// stateBefore is the place of a number of a state, where that of the next one is given, if the
// first one is there.
func (x *fission) stateBefore(next kernel.Access, first *kernel.Value) (a kernel.Access, ok bool) {
	if first.Kind != kernel.Load || first.Array != next.Array {
		return a, false
	}
	a = kernel.Access{Array: next.Array, At: slices.Clone(next.At)}
	ok = true
	for i, at := range next.At {
		if at == first.At[i] {
			continue
		}
		f := kernel.FormOf(at)
		ok = ok && f.Const == 1 && len(f.Args) == 1 && f.Args[0] == x.l.Var && f.Coef[0] == 1 && first.At[i].IsZero()
		a.At[i] = x.l.Var
	}
	return a, ok
}

// side is one of the loops that are made, in which the values of the loop are made anew.
type side struct {
	x    *fission
	l    *kernel.Loop
	made map[*kernel.Value]*kernel.Value
	from func(v *kernel.Value) (kernel.Access, bool) // what is read from memory
}

func (x *fission) side(order kernel.Order, run *kernel.Value, from func(v *kernel.Value) (kernel.Access, bool)) *side {
	return &side{x, &kernel.Loop{Name: x.l.Name, Var: run, N: x.l.N, Order: order}, map[*kernel.Value]*kernel.Value{x.l.Var: run}, from}
}

func (s *side) value(v *kernel.Value) *kernel.Value {
	return memo.Of(s.made, v, func() *kernel.Value {
		a, read := s.from(v)
		var w *kernel.Value
		if read {
			w = &kernel.Value{Kind: kernel.Load, Elem: v.Elem, Access: s.access(a), Range: v.Range}
		} else {
			w = v.MapArgs(s.value)
		}
		if read || s.x.inside[v] {
			s.l.Body = append(s.l.Body, &kernel.Let{Value: w})
		}
		return w
	})
}

func (s *side) access(a kernel.Access) kernel.Access {
	a.At = slice.Map(a.At, s.value)
	return a
}

// calculates reports whether the loop makes a value by arithmetic on reals.
func (s *side) calculates(v *kernel.Value) bool {
	w := s.made[v]
	return w != nil && w.Kind == kernel.Compute && w.Elem == types.R && w.Op != ops.SymReal
}

// store stores a value, after what computes it.
func (s *side) store(to kernel.Access, v *kernel.Value) {
	v = s.value(v)
	s.l.Body = append(s.l.Body, &kernel.Store{Access: s.access(to), Value: v})
}

// kernel is a kernel of the loop after those of some values that it needs, and before the stores of
// what it results in.
func (s *side) kernel(values, after []kernel.Stmt) *kernel.Kernel {
	body := append(slices.Clone(values), s.l)
	for _, t := range after {
		for _, v := range kernel.Uses(t) {
			if slices.ContainsFunc(s.l.Carries, func(c kernel.Carry) bool { return c.Result == v }) || slices.ContainsFunc(s.l.Folds, func(f kernel.Fold) bool { return f.Result == v }) {
				body = append(body, t)
			}
		}
	}
	return &kernel.Kernel{Body: kernel.DropUnused(body)}
}
