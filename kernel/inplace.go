package kernel

import (
	"iter"
	"slices"
)

// inherited is one of some arrays, which are needed no more after k, whose place another one
// may take that k makes of it element by element, or nil.
func (k *Kernel) inherited(of []*Array, made *Array) *Array {
	for _, a := range of {
		if a.Elem == made.Elem && slices.Equal(a.Shape, made.Shape) && k.elementByElement(a, made) {
			return a
		}
	}
	return nil
}

// InPlace says of each state whether it is the last only that is kept, and the result of a step
// lies where the state before does. Cleared are the arrays that are cleared before each kernel
// of the step.
func (s *Steps) InPlace(cleared [][]*Array) []bool {
	there := make([]bool, len(s.States))
	placed := make(map[*Array]bool)
	for k, a := range s.Step.Result.Arrays() {
		there[k] = !placed[a] && !s.All[k] && a.Role == Temp && !s.Step.OfSteps(a) && s.Step.inPlace(s.State(k), a, cleared)
		placed[a] = placed[a] || there[k] || s.All[k]
	}
	return there
}

// changed are the results of a step that are the state before, of which the last only is kept,
// but for few elements, and the arrays of sums that are added to these: as long as the kernels that
// make one do nothing else, they do but their runs, or add where the state lies.
func (s *Steps) changed() map[*Array]bool {
	out := make(map[*Array]bool)
	for in, result := range s.lastOnly() {
		b := newBounder()
		for i, k := range s.Step.Kernels {
			sums := s.Step.fewSums(i, in)
			for t := range allOf[*Store](k.Body) {
				if t.Array == result && !t.Add && (len(sums) > 0 || len(b.changed(t, in)) > 0) {
					out[result] = true
					for _, x := range sums {
						out[x.Array] = true
					}
				}
			}
		}
	}
	for n, result := range s.Step.Result.Arrays() {
		if s.All[n] && s.Step.copies(result) {
			out[result] = true
		}
	}
	return out
}

// fewSums are the sums that kernel i adds to an array, if others make but few of them.
func (p *Program) fewSums(i int, in *Array) []signed {
	sums, _ := p.adds(i, in)
	for _, x := range sums {
		few := int64(0)
		for _, k := range p.Kernels {
			walkRuns(k.Body, 1, func(t Stmt, runs int64) {
				if t, ok := t.(*Store); ok && t.Array == x.Array {
					few += runs
				}
			})
		}
		if 2*few >= int64(x.Array.Len()) {
			return nil
		}
	}
	return sums
}

// readFirst has kernels of a step that read a part of the state, of which the last only is kept,
// before those that make the next one, if they can be, so that this may lie there.
func (s *Steps) readFirst() {
	p := s.Step
	for in, result := range s.lastOnly() {
		i := writer(p.Kernels, result)
		for j := i + 1; i >= 0 && j < len(p.Kernels); j++ {
			if slices.Contains(p.Kernels[j].Reads(), in) {
				p.Kernels = before(p.Kernels, i, j) // those up to j are the same ones
				i = writer(p.Kernels, result)
			}
		}
	}
}

// lastOnly are the inputs of a step that are parts of the state of which the last only is kept,
// each with what it computes as the next one.
func (s *Steps) lastOnly() iter.Seq2[*Array, *Array] {
	return func(yield func(in, result *Array) bool) {
		for n, result := range s.Step.Result.Arrays() {
			if in := s.State(n); in != nil && !s.All[n] && result.Role == Temp && !yield(in, result) {
				return
			}
		}
	}
}

// writer finds the first kernel that stores to an array: its number, or -1.
func writer(ks []*Kernel, a *Array) int {
	return slices.IndexFunc(ks, func(k *Kernel) bool { return slices.Contains(k.Writes(), a) })
}

// before are kernels with number j before number i, after what it needs of those between, or
// as they are if it needs that one.
func before(ks []*Kernel, i, j int) []*Kernel {
	moved := []*Kernel{ks[j]}
	var stay []*Kernel
	for at := j - 1; at >= i; at-- {
		if !slices.ContainsFunc(moved, func(k *Kernel) bool { return k.after(ks[at]) }) {
			stay = append(stay, ks[at])
		} else if moved = append(moved, ks[at]); at == i {
			return ks
		}
	}
	slices.Reverse(moved)
	slices.Reverse(stay)
	return slices.Concat(ks[:i], moved, stay, ks[j+1:])
}

// after reports whether a kernel has to come after one that is before it: it reads, or writes
// to, an array that the other writes to, or writes to one that the other reads.
func (k *Kernel) after(x *Kernel) bool {
	writes := k.Writes()
	return slices.ContainsFunc(x.Writes(), func(a *Array) bool { return slices.Contains(writes, a) || slices.Contains(k.Reads(), a) }) ||
		slices.ContainsFunc(x.Reads(), func(a *Array) bool { return slices.Contains(writes, a) })
}

// overlaid are the results of a step that lie where the states before do, its inputs.
func (s *Steps) overlaid() map[*Array]*Array {
	if s == nil {
		return nil
	}
	over := make(map[*Array]*Array)
	for k, there := range s.InPlace(newPlan(s.Step).Zeroed) {
		if there {
			over[s.Step.Result.Arrays()[k]] = s.State(k)
		}
	}
	return over
}

// inPlace reports whether the result of a step may lie where the part of the state before
// lies that is its input in: kernels read an element of that for the last time before they
// write the same one of the result. Cleared are the arrays that are cleared before each.
func (p *Program) inPlace(in, result *Array, cleared [][]*Array) bool {
	switch {
	case in == nil:
		return true
	case slices.Contains(p.Result.Arrays(), in): // which is kept then
		return false
	}
	written := false
	for i, k := range p.Kernels {
		reads, writes := slices.Contains(k.Reads(), in), slices.Contains(k.Writes(), result)
		if reads && (written || writes && (slices.Contains(cleared[i], result) || !k.elementByElement(in, result))) {
			return false
		}
		written = written || writes
	}
	return true
}

// elementByElement reports whether k reads elements of one array only to make the same ones
// of another of them, each before that, or before it makes any, and writes none to the first. What comes after
// the first is read no more does not matter.
func (k *Kernel) elementByElement(in, result *Array) bool {
	var body []Stmt  // where both are
	var at []*Value  // the variables of the loops around
	var folds []Fold // of the innermost of these
	places := 0
	var find func(stmts []Stmt, vars []*Value, of []Fold)
	find = func(stmts []Stmt, vars []*Value, of []Fold) {
		here := false
		for _, s := range stmts {
			switch s := s.(type) {
			case *Let:
				here = here || s.Value.Kind == Load && s.Value.Array == in
			case *Store:
				here = here || s.Array == result
			case *Loop:
				find(s.Body, append(vars[:len(vars):len(vars)], s.Var), s.Folds)
			}
		}
		if here {
			places++
			body, at, folds = stmts, vars, of
		}
	}
	all, n := k.Body, len(k.Body)-1
	for n > 0 && Stores(all[:n])[result] && !slices.Contains((&Kernel{Body: all[n:]}).Reads(), in) {
		all, n = all[:n], n-1 // it is read no more
	}
	if n >= 0 && !Stores(all[:n])[result] && Stores(all)[result] {
		find(all[n:], nil, nil)
	} else {
		find(all, nil, nil)
	}
	if places != 1 || k.Calls() || slices.Contains(k.Writes(), in) {
		return false
	}
	var first []*Value // the indices
	own := func(a Access) bool {
		if first == nil {
			first = a.At
		}
		return !a.Checked && len(a.At) == len(at) && slices.Equal(a.At, first) && !slices.ContainsFunc(at, func(v *Value) bool { return !slices.Contains(a.At, v) })
	}
	read, used := make(map[*Value]bool), make(map[*Value]int)
	Walk(body, func(s Stmt) {
		for _, v := range uses(s) {
			used[v]++
		}
	})
	for _, f := range folds {
		used[f.Value]++
	}
	// late reports whether v may be computed where it is used, of what was read.
	var late func(v *Value) bool
	late = func(v *Value) bool {
		return read[v] || (v.Kind == Linear || v.Kind == Compute && used[v] <= 1) && slices.ContainsFunc(v.Args, late)
	}
	written, ok := false, true
	Walk(body, func(s Stmt) {
		if l, isLet := s.(*Let); isLet && l.Value.Kind == Load && l.Value.Array == in {
			ok = ok && !written && own(l.Value.Access)
			read[l.Value] = true
		}
		ok = ok && !(written && slices.ContainsFunc(uses(s), late))
		if s, isStore := s.(*Store); isStore && s.Array == result {
			ok = ok && !written && !s.Add && own(s.Access)
			written = true
		}
	})
	return ok && written && !slices.ContainsFunc(folds, func(f Fold) bool { return late(f.Value) })
}
