package kernel

import (
	"slices"

	"egad/term/ops"
	"egad/term/types"
)

// rowwise is a nest in which a loop over the elements of a reshaped array, of whose index it
// takes the quotient and the remainder by the length of a row, is two loops: over rows, and over
// the elements of one; and so for the rows of rows. A loop stays if that takes no more time, or
// if it is to be exact and adds up reals, which are added up by rows then.
func (w *Weights) rowwise(nest *Loop, exact bool) *Loop {
	time, serial := 0.0, 0
	for tried := make(map[*Value]bool); ; {
		l := nest.flat(tried, exact)
		if l == nil {
			return nest
		}
		if len(tried) == 0 {
			time = w.best([]Stmt{nest}, exact)
		}
		tried[l.Var] = true
		for apart := nest; l != nil; l = apart.flat(tried, exact) {
			serial-- // another one than those of all values
			apart = apart.with(l, l.byRows(l.rows(exact), serial))
			if t := w.best([]Stmt{apart}, exact); t < time {
				nest, time = apart, t
			}
		}
	}
}

// flat is the first loop of a nest that two loops may do the same as, but for those tried.
func (l *Loop) flat(tried map[*Value]bool, exact bool) *Loop {
	for l := range allOf[*Loop]([]Stmt{l}) {
		if !tried[l.Var] && l.rows(exact) > 0 {
			return l
		}
	}
	return nil
}

// with is a nest with another loop in the place of one.
func (l *Loop) with(old, by *Loop) *Loop {
	if l == old {
		return by
	}
	out := *l
	out.Body = slices.Clone(l.Body)
	for i, s := range out.Body {
		if inner, ok := s.(*Loop); ok {
			out.Body[i] = inner.with(old, by)
		}
	}
	return &out
}

// rows is by which divisor a loop takes its index apart, if there is one of the number of its
// runs and two loops may do the same, or 0. One that adds in order has to add to other elements for
// each row.
func (l *Loop) rows(exact bool) int {
	if l.Order != Parallel && l.Order != Folding && (l.Order != InOrder || exact) || slices.ContainsFunc(l.Folds, func(f Fold) bool {
		return f.Positional() || exact && f.Value.Elem == types.R && (f.Op == ops.SymSum || f.Op == ops.SymProd)
	}) {
		return 0
	}
	length := 0
	for s := range allOf[*Let](l.Body) {
		if _, x, d, ok := s.Value.division(); ok && x == l.Var && d > 1 && d < int64(l.N) && int64(l.N)%d == 0 {
			length = max(length, int(d))
		}
	}
	for s := range allOf[*Store](l.Body) {
		if s.Add && l.Order == InOrder && !slices.ContainsFunc(s.At, func(v *Value) bool {
			sym, x, d, _ := v.division()
			return sym == ops.SymIdiv && x == l.Var && d == int64(length)
		}) {
			return 0
		}
	}
	return length
}

// byRows is a loop as a loop over rows of so many elements, and one over these, whose index has
// a serial number.
func (l *Loop) byRows(length, serial int) *Loop {
	row, place := *l.Var, *l.Var
	row.Range.Hi, place.Range.Hi = int64(l.N/length-1), int64(length-1)
	place.Serial = serial
	r := l.replacer(linearOf(0, []int64{int64(length), 1}, []*Value{&row, &place}))
	for s := range allOf[*Let](l.Body) {
		if sym, x, d, _ := s.Value.division(); x == l.Var && d == int64(length) {
			r.done[s.Value] = map[ops.Sym]*Value{ops.SymIdiv: &row, ops.SymMod: &place}[sym]
		}
	}
	inner := r.loop(l)
	inner.Var, inner.N = &place, length
	outer := &Loop{Name: l.Name, Var: &row, N: l.N / length, Order: l.Order}
	if len(l.Folds) > 0 {
		outer.Order, inner.Order = Folding, Folding
	} else if l.Order == InOrder {
		outer.Order = Parallel
	}
	varies := NewVariance([]Stmt{inner}, inner)
	inner.Body = slices.DeleteFunc(inner.Body, func(s Stmt) bool {
		let, ok := s.(*Let)
		once := ok && !varies.Varies(let.Value)
		if once {
			outer.Body = append(outer.Body, let)
		}
		return once
	})
	outer.Body = append(outer.Body, inner)
	for i, f := range l.Folds {
		of := &inner.Folds[i]
		outer.Folds = append(outer.Folds, Fold{Op: f.Op, Value: of.Result, Result: f.Result, From: f.From})
		of.From = nil
	}
	return outer
}
