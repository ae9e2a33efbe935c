package kernel

import (
	"fmt"
	"slices"

	"egad/term/types"
)

// Updated is a program in which steps of loops change the last state where it lies, if they
// add to a few elements of it: there is one kernel instead of one that adds to zeros, and one
// that adds these sums to the whole state. Other arrays of sums are added to where they are to be: see
// [Program.sum]. It is for code that is not exact, as sums are added in
// another order.
func (p *Program) Updated() *Program {
	out := p.loopsUpdated()
	out.sum()
	return out
}

// loopsUpdated is updated for the loops of a program.
func (p *Program) loopsUpdated() *Program {
	out := *p
	out.Kernels = slices.Clone(p.Kernels)
	for i, k := range p.Kernels {
		if k.Steps == nil {
			continue
		}
		s := *k.Steps
		s.Step = s.updated()
		out.Kernels[i] = &Kernel{Steps: &s, Fused: k.Fused, of: k}
	}
	return &out
}

// updated is the step of a loop as [Program.Updated] has it. Other results stay where the
// states before lie, as only what they change of these may be stored.
func (s *Steps) updated() *Program {
	now := *s
	now.Step = s.Step.loopsUpdated()
	for in, result := range s.lastOnly() {
		next, step := now, *now.Step
		next.Step = &step
		if step.update(in, result); len(step.Kernels) < len(now.Step.Kernels) && next.keeps(s.overlaid()) {
			now = next
		}
	}
	next, step := now, *now.Step
	next.Step = &step
	if step.sum(); len(step.Kernels) < len(now.Step.Kernels) && next.keeps(s.overlaid()) {
		now = next
	}
	return now.Step
}

// keeps reports whether those results that a step still has lie where some arrays do.
func (s *Steps) keeps(over map[*Array]*Array) bool {
	there := s.overlaid()
	return !slices.ContainsFunc(s.Step.Result.Arrays(), func(a *Array) bool { return over[a] != there[a] })
}

// less notes which kernels of a step machine code may have others in the place of.
func (s *Steps) less() {
	if s == nil {
		return
	}
	there := s.updated().Kernels
	for _, k := range s.Step.Kernels {
		k.less = k.Steps == nil && !slices.Contains(there, k)
	}
}

// update has the kernels of a step change an input, a part of the state, and not make the next
// one, if they can.
func (p *Program) update(in, result *Array) {
	i := writer(p.Kernels, result)
	if i < 1 || !p.inPlace(in, result, make([][]*Array, len(p.Kernels))) {
		return
	}
	sums, old := p.adds(i, in)
	if sums == nil {
		return
	}
	sum := sums[0].Array
	ks, first := p.adding(sums).adjacent(sum, i)
	changes := &Kernel{Fused: p.Kernels[i].Fused, of: p.Kernels[i]}
	var last []Stmt
	for j, k := range ks {
		adds := first <= j && j < i
		if slices.Contains(k.Reads(), sum) != (j == i) || slices.Contains(k.Writes(), sum) != adds || slices.Contains(k.Reads(), result) || j != i && slices.Contains(k.Writes(), result) {
			return
		}
		if !adds {
			continue
		}
		body, rest, ok := k.addingLast(sum)
		if !ok {
			return
		}
		changes.Body, last = append(changes.Body, body...), append(last, rest...)
		changes.Fused = append(changes.Fused[:len(changes.Fused):len(changes.Fused)], k.Fused...)
	}
	arrays := p.Arrays
	if now := changing(last, sum, in, len(old) == 0); now != nil {
		last = now
	} else if body, adds, made := aside(last, sum, in); made != nil {
		changes.Body, last, arrays = append(changes.Body, body...), adds, slices.Concat(arrays, made)
	} else {
		return
	}
	changes.Body = anew(slices.Concat(changes.Body, old, storing(last, sum, in)))
	p.Kernels, p.Arrays = slices.Replace(ks, first, i+1, changes), arrays
	p.Result = p.Result.with(result, in)
}

// adjacent are the kernels with those that write to an array next to kernel i, if others that
// are between can come before them, and the number of the first of them.
func (p *Program) adjacent(to *Array, i int) (ks []*Kernel, first int) {
	ks = slices.Clone(p.Kernels)
	writes := func(k *Kernel) bool { return slices.Contains(k.Writes(), to) }
	for range i {
		first = writer(ks, to)
		other := slices.IndexFunc(ks[max(first, 0):i], func(k *Kernel) bool { return !writes(k) })
		if first < 0 || other < 0 {
			break
		}
		ks = before(ks, first, first+other)
	}
	return ks, first
}

// adding is a program in which kernels add to the first of some arrays of sums what they add to all
// of them, or take away.
func (p *Program) adding(sums []signed) *Program {
	out := *p
	out.Kernels = slices.Clone(p.Kernels)
	for n, x := range sums {
		if n == 0 && !x.minus {
			continue
		}
		for j, k := range out.Kernels {
			out.Kernels[j] = k.addingTo(x.Array, sums[0].Array, x.minus)
		}
	}
	return &out
}

// adds finds which sums kernel i adds to an array, or to what it makes of it element by
// element: the statements old put that in its place, none if it is just the array.
func (p *Program) adds(i int, in *Array) (sums []signed, old []Stmt) {
	k := p.Kernels[i]
	made := k.onlyStore()
	ordered := func(l *Loop) bool { return l.Order != Parallel || len(l.Folds) > 0 }
	if made == nil || made.Value.Elem != types.R || made.Add || some(k.Body, ordered) {
		return nil, nil
	}
	sums, rest := p.summands(made, i)
	if len(sums) == 0 || rest == nil {
		return nil, nil
	}
	there := Access{Array: in, At: made.At}
	if rest.same(there) {
		return sums, nil
	}
	b := newBounder()
	b.over = map[*Array]*Array{in: in}
	was := k.load(there)
	if was == nil {
		return nil, nil
	}
	if v := decided(rest, was, make(map[*Value]bool)); v != nil {
		rest = v
	}
	most, before := maxSplit, make(map[*Value]bool)
	for _, s := range k.Body {
		if let, ok := s.(*Let); ok {
			before[let.Value] = true
		}
	}
	for v := range needed(rest) {
		if v.Kind == Load && v.Array == in && !v.same(there) && !before[v] { // one place would change what is read for another one
			most = 1
		}
	}
	for _, v := range b.places(rest, was, most) {
		old = append(old, storing(storingOf(k.Body, v), made.Array, in)...)
	}
	if len(old) == 0 {
		return nil, nil
	}
	slices.SortStableFunc(old, func(s, t Stmt) int { // what all places need is read before one is changed
		switch {
		case isLet(s) == isLet(t):
			return 0
		case isLet(s):
			return -1
		}
		return 1
	})
	old = b.note(old)
	return sums, old
}

// onlyStore is the store of a kernel, if there is one only.
func (k *Kernel) onlyStore() *Store {
	stores := slices.Collect(allOf[*Store](k.Body))
	if len(stores) != 1 || k.Calls() {
		return nil
	}
	return stores[0]
}

// storing are statements in which what goes to one array goes to another one.
func storing(body []Stmt, from, to *Array) []Stmt {
	out := slices.Clone(body)
	for i, s := range out {
		switch s := s.(type) {
		case *Store:
			if s.Array == from {
				t := *s
				t.Array = to
				out[i] = &t
			}
		case *Loop:
			l := *s
			l.Body, l.Only = storing(s.Body, from, to), nil
			out[i] = &l
		}
	}
	return out
}

// addingLast takes a kernel apart into what does not add to an array of sums, and what does,
// if that may come last.
func (k *Kernel) addingLast(sum *Array) (body, last []Stmt, ok bool) {
	ok = k.Steps == nil
	for _, s := range k.Body {
		adds, other := false, false
		Walk([]Stmt{s}, func(s Stmt) {
			switch s := s.(type) {
			case *Store:
				adds, other = adds || s.Array == sum, other || s.Array != sum
				ok = ok && (s.Array != sum || s.Add)
			case *Loop:
				other = other || len(s.Folds) > 0 || s.Order.Whole()
			case *Call:
				ok = false
			}
		})
		if !adds {
			body = append(body, s)
			continue
		}
		ok = ok && !other
		last = append(last, s)
	}
	return body, last, ok
}

// changing are statements that may add to an array in, instead of to one of sums: what they read of
// it they read before they change it, and it must be as it was at first. If that cannot be there
// are none.
func changing(last []Stmt, sum, in *Array, as bool) []Stmt {
	reads := false
	Accesses(last, func(a Access) { reads = reads || a.Array == in })
	if !reads {
		return last
	}
	var all *Loop
	for _, s := range last {
		l, ok := s.(*Loop)
		if ok && all != nil {
			l = all.joined(l)
		}
		if !ok || !as || l == nil {
			return nil
		}
		all = l
	}
	if all = all.columns(sum, in); all == nil {
		return nil
	}
	return []Stmt{all}
}

// aside takes statements that add to an array of sums apart: what they add, which they make of array
// in, is stored in arrays of its own, and added afterwards, when in may have changed. There are none
// if that is not little beside in, if in tells where it is added, or if loops carry numbers from run to run.
func aside(last []Stmt, sum, in *Array) (body, adds []Stmt, made []*Array) {
	few, carries := 0, false
	var apart func(stmts []Stmt, around []*Loop) (body, adds []Stmt)
	apart = func(stmts []Stmt, around []*Loop) (body, adds []Stmt) {
		for _, s := range stmts {
			switch s := s.(type) {
			case *Loop:
				carries = carries || len(s.Carries) > 0
				first, then := *s, *s
				first.Order, first.Only = Parallel, nil // all that is added is stored
				first.Body, then.Body = apart(s.Body, append(around[:len(around):len(around)], s))
				body, adds = append(body, &first), append(adds, &then)
			case *Store:
				a := &Array{Name: fmt.Sprintf("addend %d of %s", len(made)+1, sum.Name), Elem: sum.Elem, Role: Temp, Range: sum.Range}
				to := Access{Array: a}
				for _, l := range around {
					a.Shape, to.At = append(a.Shape, l.N), append(to.At, l.Var)
				}
				made, few = append(made, a), few+a.Len()
				x := &Value{Kind: Load, Elem: a.Elem, Access: to, Range: a.Range}
				body, adds = append(body, &Store{Access: to, Value: s.Value}), append(adds, &Let{x}, &Store{Access: s.Access, Value: x, Add: true})
			default:
				body, adds = append(body, s), append(adds, s)
			}
		}
		return body, adds
	}
	body, adds = apart(last, nil)
	body, adds = live(body), live(adds)
	if carries || 2*few >= in.Len() || slices.Contains((&Kernel{Body: adds}).Reads(), in) {
		return nil, nil, nil
	}
	return body, adds, made
}

// joined is a nest of parallel loops that does what two do, or nil.
func (l *Loop) joined(m *Loop) *Loop {
	if l.N != m.N || l.Order != Parallel || m.Order != Parallel {
		return nil
	}
	out := *l
	out.Body = slices.Clone(l.Body)
	inner := slices.IndexFunc(out.Body, func(s Stmt) bool { _, ok := s.(*Loop); return ok })
	for _, s := range m.replacer(l.Var).loop(m).Body {
		if next, ok := s.(*Loop); ok && inner >= 0 {
			if next = out.Body[inner].(*Loop).joined(next); next == nil {
				return nil
			}
			out.Body, inner, s = slices.Delete(out.Body, inner, inner+1), -1, next
		}
		out.Body = append(out.Body, s)
	}
	return &out
}

// columns is a nest whose runs read and change other elements of two arrays each, for they stand
// for the same axes of both, with the stores of a run after all that it reads; or nil.
func (l *Loop) columns(of ...*Array) *Loop {
	out := *l
	out.Body = nil
	var stores []Stmt
	var inner *Loop
	for _, s := range l.Body {
		switch s := s.(type) {
		case *Let:
			out.Body = append(out.Body, s)
		case *Store:
			stores = append(stores, s)
		case *Loop:
			if inner != nil {
				return nil
			}
			inner = s
		}
	}
	axis := -1
	ok := l.Order == Parallel && (inner == nil || len(stores) == 0)
	Accesses(l.Body, func(a Access) {
		if !slices.Contains(of, a.Array) {
			return
		}
		for i, x := range a.At {
			switch {
			case x == l.Var && axis < 0:
				axis = i
			case (x == l.Var) != (i == axis), x != l.Var && needed(x)[l.Var]:
				ok = false
			}
		}
		ok = ok && axis >= 0
	})
	switch {
	case !ok:
		return nil
	case inner == nil:
		out.Body = append(out.Body, stores...)
	default:
		if inner = inner.columns(of...); inner == nil {
			return nil
		}
		out.Body = append(out.Body, inner)
	}
	return &out
}
