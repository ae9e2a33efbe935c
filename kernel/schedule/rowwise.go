package schedule

import (
	"slices"

	"egad/kernel"
	"egad/kernel/cost"
	"egad/term/ops"
)

// rowwise is a nest in which a loop over the elements of a reshaped array, of whose index it
// takes the quotient and the remainder by the length of a row, is two loops: over rows, and over
// the elements of one; and so for the rows of rows. A loop stays if that takes no more time, or
// if it is to be exact and adds up reals, which are added up by rows then.
func rowwise(w *cost.Weights, nest *kernel.Loop, exact bool) *kernel.Loop {
	time, serial := 0.0, 0
	for tried := make(map[*kernel.Value]bool); ; {
		l := flat(nest, tried, exact)
		if l == nil {
			return nest
		}
		if len(tried) == 0 {
			time = Time(w, []kernel.Stmt{nest}, exact)
		}
		tried[l.Var] = true
		for apart := nest; l != nil; l = flat(apart, tried, exact) {
			serial-- // another one than those of all values
			apart = with(apart, l, byRows(l, rows(l, exact), serial))
			if t := Time(w, []kernel.Stmt{apart}, exact); t < time {
				nest, time = apart, t
			}
		}
	}
}

// flat is the first loop of a nest that two loops may do the same as, but for those tried.
func flat(l *kernel.Loop, tried map[*kernel.Value]bool, exact bool) *kernel.Loop {
	for l := range kernel.All[*kernel.Loop]([]kernel.Stmt{l}) {
		if !tried[l.Var] && rows(l, exact) > 0 {
			return l
		}
	}
	return nil
}

// with is a nest with another loop in the place of one.
func with(l, old, by *kernel.Loop) *kernel.Loop {
	if l == old {
		return by
	}
	out := l.With(slices.Clone(l.Body))
	for i, inner := range kernel.Among[*kernel.Loop](out.Body) {
		out.Body[i] = with(inner, old, by)
	}
	return out
}

// rows is by which divisor a loop takes its index apart, if there is one of the number of its
// runs and two loops may do the same, or 0. One that adds in order has to add to other elements for
// each row.
func rows(l *kernel.Loop, exact bool) int {
	if l.Order != kernel.Parallel && l.Order != kernel.Folding && (l.Order != kernel.InOrder || exact) || slices.ContainsFunc(l.Folds, func(f kernel.Fold) bool {
		return f.Positional() || exact && f.Rounds()
	}) {
		return 0
	}
	length := 0
	for s := range kernel.All[*kernel.Let](l.Body) {
		if _, x, d, ok := s.Value.Division(); ok && x == l.Var && d > 1 && d < int64(l.N) && int64(l.N)%d == 0 {
			length = max(length, int(d))
		}
	}
	for s := range kernel.All[*kernel.Store](l.Body) {
		if s.Add && l.Order == kernel.InOrder && !slices.ContainsFunc(s.At, func(v *kernel.Value) bool {
			sym, x, d, _ := v.Division()
			return sym == ops.SymIdiv && x == l.Var && d == int64(length)
		}) {
			return 0
		}
	}
	return length
}

// byRows is a loop as a loop over rows of so many elements, and one over these, whose index has
// a serial number.
func byRows(l *kernel.Loop, length, serial int) *kernel.Loop {
	row, place := *l.Var, *l.Var
	row.Range.Hi, place.Range.Hi = int64(l.N/length-1), int64(length-1)
	place.Serial = serial
	r := NewReplacer(l, kernel.LinearOf(0, []int64{int64(length), 1}, []*kernel.Value{&row, &place}))
	for s := range kernel.All[*kernel.Let](l.Body) {
		if sym, x, d, _ := s.Value.Division(); x == l.Var && d == int64(length) {
			r.done[s.Value] = map[ops.Sym]*kernel.Value{ops.SymIdiv: &row, ops.SymMod: &place}[sym]
		}
	}
	inner := r.Loop(l)
	inner.Var, inner.N = &place, length
	outer := &kernel.Loop{Name: l.Name, Var: &row, N: l.N / length, Order: l.Order}
	if len(l.Folds) > 0 {
		outer.Order, inner.Order = kernel.Folding, kernel.Folding
	} else if l.Order == kernel.InOrder {
		outer.Order = kernel.Parallel
	}
	varies := kernel.NewVariance([]kernel.Stmt{inner}, inner)
	inner.Body = slices.DeleteFunc(inner.Body, func(s kernel.Stmt) bool {
		let, ok := s.(*kernel.Let)
		once := ok && !varies.Varies(let.Value)
		if once {
			outer.Body = append(outer.Body, let)
		}
		return once
	})
	outer.Body = append(outer.Body, inner)
	for i, f := range l.Folds {
		of := &inner.Folds[i]
		outer.Folds = append(outer.Folds, kernel.Fold{Op: f.Joint(), Value: of.Result, Result: f.Result, From: f.From})
		of.From = nil
	}
	return outer
}
