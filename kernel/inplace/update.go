package inplace

import (
	"fmt"
	"slices"

	"egad/kernel"
	"egad/kernel/plan"
	"egad/kernel/schedule"
	"egad/kernel/sparsity"
	"egad/term/types"
)

// Updated is a program in which steps of loops change the last state where it lies, if they
// add to a few elements of it: there is one kernel instead of one that adds to zeros, and one
// that adds these sums to the whole state. Other arrays of sums are added to where they are to be: see
// [sum]. It is for code that is not exact, as sums are added in
// another order.
func Updated(p *kernel.Program) *kernel.Program {
	out := loopsUpdated(p)
	sum(out)
	return out
}

// loopsUpdated is updated for the loops of a program.
func loopsUpdated(p *kernel.Program) *kernel.Program {
	out := *p
	out.Kernels = slices.Clone(p.Kernels)
	for i, k := range p.Kernels {
		if k.Steps == nil {
			continue
		}
		s := *k.Steps
		s.Step = UpdatedStep(&s)
		out.Kernels[i] = &kernel.Kernel{Steps: &s, Fused: k.Fused, Of: k}
	}
	return &out
}

// UpdatedStep makes the step of a loop as [Updated] has it. Other results stay where the
// states before lie, as only what they change of these may be stored.
func UpdatedStep(s *kernel.Steps) *kernel.Program {
	now := *s
	now.Step = loopsUpdated(s.Step)
	for in, result := range plan.LastOnly(s) {
		next, step := now, *now.Step
		next.Step = &step
		if update(&step, in, result); len(step.Kernels) < len(now.Step.Kernels) && keeps(&next, plan.Overlaid(s)) {
			now = next
		}
	}
	next, step := now, *now.Step
	next.Step = &step
	if sum(&step); len(step.Kernels) < len(now.Step.Kernels) && keeps(&next, plan.Overlaid(s)) {
		now = next
	}
	return now.Step
}

// keeps reports whether those results that a step still has lie where some arrays do.
func keeps(s *kernel.Steps, over map[*kernel.Array]*kernel.Array) bool {
	there := plan.Overlaid(s)
	return !slices.ContainsFunc(s.Step.Result.Arrays(), func(a *kernel.Array) bool { return over[a] != there[a] })
}

// NoteReplaced notes which kernels of a step machine code may have others in the place of.
func NoteReplaced(s *kernel.Steps) {
	if s == nil {
		return
	}
	there := UpdatedStep(s).Kernels
	for _, k := range s.Step.Kernels {
		k.Less = k.Steps == nil && !slices.Contains(there, k)
	}
}

// update has the kernels of a step change an input, a part of the state, and not make the next
// one, if they can.
func update(p *kernel.Program, in, result *kernel.Array) {
	i := kernel.Writer(p.Kernels, result)
	if i < 1 || !plan.MayLieIn(p, in, result, make([][]*kernel.Array, len(p.Kernels))) {
		return
	}
	sums, old := adds(p, i, in)
	if sums == nil {
		return
	}
	sum := sums[0].Array
	ks, first := adjacent(adding(p, sums), sum, i)
	changes := &kernel.Kernel{Fused: p.Kernels[i].Fused, Of: p.Kernels[i]}
	var last []kernel.Stmt
	for j, k := range ks {
		adds := first <= j && j < i
		if slices.Contains(k.Reads(), sum) != (j == i) || slices.Contains(k.Writes(), sum) != adds || slices.Contains(k.Reads(), result) || j != i && slices.Contains(k.Writes(), result) {
			return
		}
		if !adds {
			continue
		}
		body, rest, ok := addingLast(k, sum)
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
	changes.Body = kernel.Freshen(slices.Concat(changes.Body, old, storing(last, sum, in)))
	p.Kernels, p.Arrays = slices.Replace(ks, first, i+1, changes), arrays
	p.Result = p.Result.With(result, in)
}

// adjacent are the kernels with those that write to an array next to kernel i, if others that
// are between can come before them, and the number of the first of them.
func adjacent(p *kernel.Program, to *kernel.Array, i int) (ks []*kernel.Kernel, first int) {
	ks = slices.Clone(p.Kernels)
	writes := func(k *kernel.Kernel) bool { return slices.Contains(k.Writes(), to) }
	for range i {
		first = kernel.Writer(ks, to)
		other := slices.IndexFunc(ks[max(first, 0):i], func(k *kernel.Kernel) bool { return !writes(k) })
		if first < 0 || other < 0 {
			break
		}
		ks = before(ks, first, first+other)
	}
	return ks, first
}

// adding is a program in which kernels add to the first of some arrays of sums what they add to all
// of them, or take away.
func adding(p *kernel.Program, sums []signed) *kernel.Program {
	out := *p
	out.Kernels = slices.Clone(p.Kernels)
	for n, x := range sums {
		if n == 0 && !x.minus {
			continue
		}
		for j, k := range out.Kernels {
			out.Kernels[j] = addingTo(k, x.Array, sums[0].Array, x.minus)
		}
	}
	return &out
}

// adds finds which sums kernel i adds to an array, or to what it makes of it element by
// element: the statements old put that in its place, none if it is just the array.
func adds(p *kernel.Program, i int, in *kernel.Array) (sums []signed, old []kernel.Stmt) {
	k := p.Kernels[i]
	made := onlyStore(k)
	ordered := func(l *kernel.Loop) bool { return l.Order != kernel.Parallel || len(l.Folds) > 0 }
	if made == nil || made.Value.Elem != types.R || made.Add || kernel.Any(k.Body, ordered) {
		return nil, nil
	}
	sums, rest := summands(p, made, i)
	if len(sums) == 0 || rest == nil {
		return nil, nil
	}
	there := kernel.Access{Array: in, At: made.At}
	if rest.SameAs(there) {
		return sums, nil
	}
	b := sparsity.NewBounder()
	b.Over = map[*kernel.Array]*kernel.Array{in: in}
	was := load(k, there)
	if was == nil {
		return nil, nil
	}
	if v := decided(rest, was, nil); v != nil {
		rest = v
	}
	most, before := maxSplit, make(map[*kernel.Value]bool)
	for _, let := range kernel.Among[*kernel.Let](k.Body) {
		before[let.Value] = true
	}
	for v := range kernel.Needed(rest) {
		if v.Kind == kernel.Load && v.Array == in && !v.SameAs(there) && !before[v] { // one place would change what is read for another one
			most = 1
		}
	}
	for _, v := range places(b, rest, was, most) {
		old = append(old, storing(storingOf(k.Body, v), made.Array, in)...)
	}
	if len(old) == 0 {
		return nil, nil
	}
	slices.SortStableFunc(old, func(s, t kernel.Stmt) int { // what all places need is read before one is changed
		switch {
		case kernel.IsLet(s) == kernel.IsLet(t):
			return 0
		case kernel.IsLet(s):
			return -1
		}
		return 1
	})
	old = b.Note(old)
	return sums, old
}

// onlyStore is the store of a kernel, if there is one only.
func onlyStore(k *kernel.Kernel) *kernel.Store {
	stores := slices.Collect(kernel.All[*kernel.Store](k.Body))
	if len(stores) != 1 || k.Calls() {
		return nil
	}
	return stores[0]
}

// storing are statements in which what goes to one array goes to another one.
func storing(body []kernel.Stmt, from, to *kernel.Array) []kernel.Stmt {
	out := slices.Clone(body)
	for i, s := range out {
		switch s := s.(type) {
		case *kernel.Store:
			if s.Array == from {
				t := *s
				t.Array = to
				out[i] = &t
			}
		case *kernel.Loop:
			l := s.With(storing(s.Body, from, to))
			l.Only = nil
			out[i] = l
		}
	}
	return out
}

// addingLast takes a kernel apart into what does not add to an array of sums, and what does,
// if that may come last.
func addingLast(k *kernel.Kernel, sum *kernel.Array) (body, last []kernel.Stmt, ok bool) {
	ok = k.Steps == nil
	for _, s := range k.Body {
		adds, other := false, false
		kernel.Walk([]kernel.Stmt{s}, func(s kernel.Stmt) {
			switch s := s.(type) {
			case *kernel.Store:
				adds, other = adds || s.Array == sum, other || s.Array != sum
				ok = ok && (s.Array != sum || s.Add)
			case *kernel.Loop:
				other = other || len(s.Folds) > 0 || s.Order.Whole()
			case *kernel.Call:
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
func changing(last []kernel.Stmt, sum, in *kernel.Array, as bool) []kernel.Stmt {
	reads := false
	kernel.Accesses(last, func(a kernel.Access) { reads = reads || a.Array == in })
	if !reads {
		return last
	}
	var all *kernel.Loop
	for _, s := range last {
		l, ok := s.(*kernel.Loop)
		if ok && all != nil {
			l = joined(all, l)
		}
		if !ok || !as || l == nil {
			return nil
		}
		all = l
	}
	if all = columns(all, sum, in); all == nil {
		return nil
	}
	return []kernel.Stmt{all}
}

// aside takes statements that add to an array of sums apart: what they add, which they make of array
// in, is stored in arrays of its own, and added afterwards, when in may have changed. There are none
// if that is not little beside in, if in tells where it is added, or if loops carry numbers from run to run.
func aside(last []kernel.Stmt, sum, in *kernel.Array) (body, adds []kernel.Stmt, made []*kernel.Array) {
	few, carries := 0, false
	var apart func(stmts []kernel.Stmt, around []*kernel.Loop) (body, adds []kernel.Stmt)
	apart = func(stmts []kernel.Stmt, around []*kernel.Loop) (body, adds []kernel.Stmt) {
		for _, s := range stmts {
			switch s := s.(type) {
			case *kernel.Loop:
				carries = carries || len(s.Carries) > 0
				first, then := *s, *s
				first.Order, first.Only = kernel.Parallel, nil // all that is added is stored
				first.Body, then.Body = apart(s.Body, append(around[:len(around):len(around)], s))
				body, adds = append(body, &first), append(adds, &then)
			case *kernel.Store:
				a := &kernel.Array{Name: fmt.Sprintf("addend %d of %s", len(made)+1, sum.Name), Elem: sum.Elem, Role: kernel.Temp, Range: sum.Range}
				to := kernel.Access{Array: a}
				for _, l := range around {
					a.Shape, to.At = append(a.Shape, l.N), append(to.At, l.Var)
				}
				made, few = append(made, a), few+a.Len()
				x := &kernel.Value{Kind: kernel.Load, Elem: a.Elem, Access: to, Range: a.Range}
				body, adds = append(body, &kernel.Store{Access: to, Value: s.Value}), append(adds, &kernel.Let{Value: x}, &kernel.Store{Access: s.Access, Value: x, Add: true})
			default:
				body, adds = append(body, s), append(adds, s)
			}
		}
		return body, adds
	}
	body, adds = apart(last, nil)
	body, adds = kernel.DropUnused(body), kernel.DropUnused(adds)
	if carries || 2*few >= in.Len() || slices.Contains((&kernel.Kernel{Body: adds}).Reads(), in) {
		return nil, nil, nil
	}
	return body, adds, made
}

// joined is a nest of parallel loops that does what two do, or nil.
func joined(l, m *kernel.Loop) *kernel.Loop {
	if l.N != m.N || l.Order != kernel.Parallel || m.Order != kernel.Parallel {
		return nil
	}
	out := l.With(slices.Clone(l.Body))
	inner := slices.IndexFunc(out.Body, func(s kernel.Stmt) bool { _, ok := s.(*kernel.Loop); return ok })
	for _, s := range schedule.NewReplacer(m, l.Var).Loop(m).Body {
		if next, ok := s.(*kernel.Loop); ok && inner >= 0 {
			if next = joined(out.Body[inner].(*kernel.Loop), next); next == nil {
				return nil
			}
			out.Body, inner, s = slices.Delete(out.Body, inner, inner+1), -1, next
		}
		out.Body = append(out.Body, s)
	}
	return out
}

// columns is a nest whose runs read and change other elements of two arrays each, for they stand
// for the same axes of both, with the stores of a run after all that it reads; or nil.
func columns(l *kernel.Loop, of ...*kernel.Array) *kernel.Loop {
	out := l.With(nil)
	var stores []kernel.Stmt
	var inner *kernel.Loop
	for _, s := range l.Body {
		switch s := s.(type) {
		case *kernel.Let:
			out.Body = append(out.Body, s)
		case *kernel.Store:
			stores = append(stores, s)
		case *kernel.Loop:
			if inner != nil {
				return nil
			}
			inner = s
		}
	}
	axis := -1
	ok := l.Order == kernel.Parallel && (inner == nil || len(stores) == 0)
	kernel.Accesses(l.Body, func(a kernel.Access) {
		if !slices.Contains(of, a.Array) {
			return
		}
		for i, x := range a.At {
			switch {
			case x == l.Var && axis < 0:
				axis = i
			case (x == l.Var) != (i == axis), x != l.Var && kernel.Needed(x)[l.Var]:
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
		if inner = columns(inner, of...); inner == nil {
			return nil
		}
		out.Body = append(out.Body, inner)
	}
	return out
}
