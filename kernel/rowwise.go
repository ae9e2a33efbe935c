package kernel

import (
	"slices"

	"egad/term"
)

// rowwise is a loop over the elements of a reshaped array, of whose index it takes the quotient
// and the remainder by the length of a row, as two loops: over rows, and over the elements of
// one. It is the loop itself if that takes no more time, or if it is to be exact and adds up
// reals, which are added up by rows then.
func (w *Weights) rowwise(l *Loop, exact bool) *Loop {
	length := l.rows()
	if length == 0 || l.Order != Parallel && l.Order != Folding || slices.ContainsFunc(l.Folds, func(f Fold) bool {
		return positional(f.Op) || exact && f.Value.Elem == term.R && (f.Op == term.SymSum || f.Op == term.SymProd)
	}) {
		return l
	}
	outer := l.byRows(length)
	if w.best([]Stmt{outer}, exact) >= w.best([]Stmt{l}, exact) {
		return l
	}
	return w.rowwise(outer, exact)
}

// rows is by which divisor a loop takes its index apart, if there is one of the number of its
// runs, or 0.
func (l *Loop) rows() int {
	length := 0
	walk(l.Body, func(s Stmt) {
		if s, ok := s.(*Let); ok {
			if _, x, d, ok := s.Value.division(); ok && x == l.Var && d > 1 && d < int64(l.N) && int64(l.N)%d == 0 {
				length = max(length, int(d))
			}
		}
	})
	return length
}

// byRows is a loop as a loop over rows of so many elements, and one over these.
func (l *Loop) byRows(length int) *Loop {
	row, place := *l.Var, *l.Var
	row.Range.Hi, place.Range.Hi = int64(l.N/length-1), int64(length-1)
	place.serial = -place.serial // of two values in the place of one
	r := l.replacer(linearOf(0, []int64{int64(length), 1}, []*Value{&row, &place}))
	walk(l.Body, func(s Stmt) {
		if s, ok := s.(*Let); ok {
			if sym, x, d, _ := s.Value.division(); x == l.Var && d == int64(length) {
				r.done[s.Value] = map[term.Sym]*Value{term.SymIdiv: &row, term.SymMod: &place}[sym]
			}
		}
	})
	inner := r.loop(l)
	inner.Var, inner.N = &place, length
	outer := &Loop{Name: l.Name, Var: &row, N: l.N / length, Order: l.Order}
	varies := newVariance([]Stmt{inner}, inner)
	inner.Body = slices.DeleteFunc(inner.Body, func(s Stmt) bool {
		let, ok := s.(*Let)
		once := ok && !varies.varies(let.Value)
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
