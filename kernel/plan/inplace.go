package plan

import (
	"iter"
	"slices"

	"egad/kernel"
)

// inherited is one of some arrays, which are needed no more after k, whose place another one
// may take that k makes of it element by element, or nil.
func inherited(k *kernel.Kernel, of []*kernel.Array, made *kernel.Array) *kernel.Array {
	for _, a := range of {
		if a.Elem == made.Elem && slices.Equal(a.Shape, made.Shape) && ElementByElement(k, a, made) {
			return a
		}
	}
	return nil
}

// InPlace says of each state whether it is the last only that is kept, and the result of a step
// lies where the state before does. Cleared are the arrays that are cleared before each kernel
// of the step.
func InPlace(s *kernel.Steps, cleared [][]*kernel.Array) []bool {
	there := make([]bool, len(s.States))
	placed := make(map[*kernel.Array]bool)
	for k, a := range s.Step.Result.Arrays() {
		there[k] = !placed[a] && !s.All[k] && a.Role == kernel.Temp && !s.Step.OfSteps(a) && MayLieIn(s.Step, s.State(k), a, cleared)
		placed[a] = placed[a] || there[k] || s.All[k]
	}
	return there
}

// LastOnly finds the inputs of a step that are parts of the state of which the last only is kept,
// each with what it computes as the next one.
func LastOnly(s *kernel.Steps) iter.Seq2[*kernel.Array, *kernel.Array] {
	return func(yield func(in, result *kernel.Array) bool) {
		for n, result := range s.Step.Result.Arrays() {
			if in := s.State(n); in != nil && !s.All[n] && result.Role == kernel.Temp && !yield(in, result) {
				return
			}
		}
	}
}

// Overlaid finds the results of a step that lie where the states before do, its inputs.
func Overlaid(s *kernel.Steps) map[*kernel.Array]*kernel.Array {
	if s == nil {
		return nil
	}
	over := make(map[*kernel.Array]*kernel.Array)
	for k, there := range InPlace(s, New(s.Step).Zeroed) {
		if there {
			over[s.Step.Result.Arrays()[k]] = s.State(k)
		}
	}
	return over
}

// MayLieIn reports whether the result of a step may lie where the part of the state before
// lies that is its input in: kernels read an element of that for the last time before they
// write the same one of the result. Cleared are the arrays that are cleared before each.
func MayLieIn(p *kernel.Program, in, result *kernel.Array, cleared [][]*kernel.Array) bool {
	switch {
	case in == nil:
		return true
	case slices.Contains(p.Result.Arrays(), in): // which is kept then
		return false
	}
	written := false
	for i, k := range p.Kernels {
		reads, writes := slices.Contains(k.Reads(), in), slices.Contains(k.Writes(), result)
		if reads && (written || writes && (slices.Contains(cleared[i], result) || !ElementByElement(k, in, result))) {
			return false
		}
		written = written || writes
	}
	return true
}

// ElementByElement reports whether k reads elements of one array only to make the same ones
// of another of them, each before that, or before it makes any, and writes none to the first. What comes after
// the first is read no more does not matter.
func ElementByElement(k *kernel.Kernel, in, result *kernel.Array) bool {
	var body []kernel.Stmt  // where both are
	var at []*kernel.Value  // the variables of the loops around
	var folds []kernel.Fold // of the innermost of these
	places := 0
	var find func(stmts []kernel.Stmt, vars []*kernel.Value, of []kernel.Fold)
	find = func(stmts []kernel.Stmt, vars []*kernel.Value, of []kernel.Fold) {
		here := false
		for _, s := range stmts {
			switch s := s.(type) {
			case *kernel.Let:
				here = here || s.Value.Kind == kernel.Load && s.Value.Array == in
			case *kernel.Store:
				here = here || s.Array == result
			case *kernel.Loop:
				find(s.Body, append(vars[:len(vars):len(vars)], s.Var), s.Folds)
			}
		}
		if here {
			places++
			body, at, folds = stmts, vars, of
		}
	}
	all, n := k.Body, len(k.Body)-1
	for n > 0 && kernel.Stores(all[:n])[result] && !slices.Contains((&kernel.Kernel{Body: all[n:]}).Reads(), in) {
		all, n = all[:n], n-1 // it is read no more
	}
	if n >= 0 && !kernel.Stores(all[:n])[result] && kernel.Stores(all)[result] {
		find(all[n:], nil, nil)
	} else {
		find(all, nil, nil)
	}
	if places != 1 || k.Calls() || slices.Contains(k.Writes(), in) {
		return false
	}
	var first []*kernel.Value // the indices
	own := func(a kernel.Access) bool {
		if first == nil {
			first = a.At
		}
		return !a.Checked && len(a.At) == len(at) && slices.Equal(a.At, first) && !slices.ContainsFunc(at, func(v *kernel.Value) bool { return !slices.Contains(a.At, v) })
	}
	read, used := make(map[*kernel.Value]bool), make(map[*kernel.Value]int)
	kernel.Walk(body, func(s kernel.Stmt) {
		for _, v := range kernel.Uses(s) {
			used[v]++
		}
	})
	for _, f := range folds {
		used[f.Value]++
	}
	// late reports whether v may be computed where it is used, of what was read.
	var late func(v *kernel.Value) bool
	late = func(v *kernel.Value) bool {
		return read[v] || (v.Kind == kernel.Linear || v.Kind == kernel.Compute && used[v] <= 1) && slices.ContainsFunc(v.Args, late)
	}
	written, ok := false, true
	kernel.Walk(body, func(s kernel.Stmt) {
		if l, isLet := s.(*kernel.Let); isLet && l.Value.Kind == kernel.Load && l.Value.Array == in {
			ok = ok && !written && own(l.Value.Access)
			read[l.Value] = true
		}
		ok = ok && !(written && slices.ContainsFunc(kernel.Uses(s), late))
		if s, isStore := s.(*kernel.Store); isStore && s.Array == result {
			ok = ok && !written && !s.Add && own(s.Access)
			written = true
		}
	})
	return ok && written && !slices.ContainsFunc(folds, func(f kernel.Fold) bool { return late(f.Value) })
}
