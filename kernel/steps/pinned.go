package steps

import (
	"slices"

	"egad/internal/slice"
	"egad/kernel"
	"egad/term/ops"
	"egad/term/types"
)

// pinned writes the one run of a loop that need be done, if conditions tell which one it is, and reports whether
// it has: where there is no such run, nothing is stored, and what is summed is 0.
func (j *joiner) pinned(l *kernel.Loop) bool {
	at := j.pin(l)
	if at == nil {
		return false
	}
	there := kernel.FitsAxis(at, l.N)
	if !there && !tells(l) {
		return false
	}
	inner := slices.ContainsFunc(l.Body, func(s kernel.Stmt) bool { _, ok := s.(*kernel.Loop); return ok })
	if j.made[l.Var] = at; inner && !there {
		if slices.ContainsFunc(j.scopes[max(at.Level, 1)-1:], func(s scope) bool { return !s.Order.Whole() }) {
			return false
		}
		j.row(l, at)
	} else {
		j.stmts(l.Body)
	}
	for _, f := range l.Folds {
		v := j.value(f.Value)
		if !there && !along(v, at, l.N) {
			v = j.b.Guarded(j.b.InRange([]*kernel.Value{at}, []int{l.N}), v)
		}
		for _, o := range l.Only {
			if o.Strict && !j.exact {
				v = j.b.Guarded(kernel.Conditions{j.b.Op(ops.Op{Sym: ops.SymLt}, types.B, j.value(o.Less), j.b.Int(0))}, v)
			}
		}
		if f.From != nil {
			v = j.b.Op(ops.Op{Sym: ops.SymAdd}, v.Elem, j.value(f.From), v)
		} else if j.exact {
			v = j.b.Op(ops.Op{Sym: ops.SymAdd}, v.Elem, j.b.Lit(ops.ScalarZero(v.Elem)), v)
		}
		j.made[f.Result] = v
	}
	return true
}

// along reports whether a value is an element at an index of an axis of so many, which is 0 out of range.
func along(v, at *kernel.Value, n int) bool {
	i := slices.Index(v.At, at)
	return v.Kind == kernel.Load && i >= 0 && v.Array.Shape[i] == n
}

// pin is the number of the one run of a loop that need be done, or nil.
func (j *joiner) pin(l *kernel.Loop) *kernel.Value {
	if len(l.Carries) > 0 || l.Order.Whole() || slices.ContainsFunc(l.Folds, func(f kernel.Fold) bool { return f.Op != ops.SymSum }) {
		return nil
	}
	var least, most []*kernel.Value
	for _, o := range l.Only {
		sign, of := kernel.FormOf(o.Less).Without(l.Var)
		if j.exact && o.Finite || slices.ContainsFunc(of.Args, func(v *kernel.Value) bool { return !j.knows(v) }) {
			continue
		}
		rest := j.b.Linear(of.Const, of.Coef, slice.Map(of.Args, j.value))
		switch sign {
		case 1: // the index is less than -rest
			most = append(most, j.b.Linear(-1, []int64{-1}, []*kernel.Value{rest}))
		case -1:
			least = append(least, j.b.Linear(1, []int64{1}, []*kernel.Value{rest}))
		}
	}
	for _, v := range least {
		if slices.Contains(most, v) {
			return v
		}
	}
	return nil
}

// tells reports whether a run of a loop with another number than its runs have would store nothing: its index is
// that of an axis of as many elements, and stores in loops in it are alone there.
func tells(l *kernel.Loop) bool {
	loops, ok := 0, true
	for _, s := range l.Body {
		if _, is := s.(*kernel.Loop); is {
			loops++
		}
	}
	kernel.Walk(l.Body, func(s kernel.Stmt) {
		switch s := s.(type) {
		case *kernel.Store:
			i := slices.Index(s.At, l.Var)
			ok = ok && i >= 0 && s.Array.Shape[i] == l.N
		case *kernel.Loop:
			ok = ok && len(s.Folds)+len(s.Carries) == 0 && !s.Order.Whole()
		case *kernel.Call:
			ok = false
		}
	})
	for _, s := range l.Body {
		_, store := s.(*kernel.Store)
		ok = ok && !(store && loops > 0)
	}
	return ok && (loops == 0 || len(l.Folds) == 0)
}

// row writes a run of a loop whose loops store to a row that there may not be: none of their runs is
// done then, and the row in their place is one that there is.
func (j *joiner) row(l *kernel.Loop, at *kernel.Value) {
	limit := func(op ops.Sym, v *kernel.Value, n int64) *kernel.Value {
		return j.b.Op(ops.Op{Sym: op}, types.I, v, j.b.Int(n))
	}
	row := limit(ops.SymMin, limit(ops.SymMax, at, 0), int64(l.N-1))
	there := j.b.Both(j.b.InRange([]*kernel.Value{at}, []int{l.N}))
	j.holds[j.b.Op(ops.Op{Sym: ops.SymEq}, types.B, row, at)] = true
	for _, s := range l.Body {
		j.made[l.Var] = at
		if in, ok := s.(*kernel.Loop); !ok || !j.pinned(in) {
			j.made[l.Var] = row
			j.stmt(s, there)
		}
	}
}
