package schedule

import (
	"slices"

	"egad/internal/slice"
	"egad/kernel"
	"egad/kernel/strength"
	"egad/term/ops"
)

// CheckedFirst is a loop whose runs check first whether all indices that data say are in range, as they mostly
// are: then nothing else is checked.
type CheckedFirst struct {
	First []kernel.Stmt    // what the indices need
	Rows  []strength.RowOf // the indices, each with how many rows there are
	Is    []*kernel.Value  // the indices where they are in range
	All   *kernel.Loop     // what is done then, after that
	Other *kernel.Loop     // and else
	// checks is how many checks of accesses are spared.
	checks int
}

// Bounds on such a loop: accesses that have to be checked, and statements, which are written twice.
const (
	leastChecked = 2
	maxTwice     = 80
)

// checkedFirst takes a loop apart so, or is nil. One that adds up checks first where data say which elements there are,
// or together with other runs: else what is not there may be out of range, and nobody foretells where.
func checkedFirst(l *kernel.Loop, together bool) *CheckedFirst {
	folds := l.Order == kernel.Folding && (together || l.Sure())
	if together && !folds || !l.Innermost() || !l.Order.Whole() && l.Order != kernel.InOrder && !folds || len(l.Body) > maxTwice {
		return nil
	}
	in := &CheckedFirst{}
	stored, checked := kernel.Stores(l.Body), 0
	known := func(x *kernel.Value) bool {
		for v := range kernel.Needed(x) {
			if v.Kind == kernel.Load && stored[v.Array] {
				return false
			}
		}
		return x.Kind == kernel.Load || x.Kind == kernel.Compute
	}
	kernel.Accesses(l.Body, func(a kernel.Access) {
		if !a.Checked {
			return
		}
		checked++
		for i, x := range a.At {
			if n := a.Array.Shape[i]; !kernel.FitsAxis(x, n) && known(x) {
				at := slices.IndexFunc(in.Rows, func(r strength.RowOf) bool { return r.Index == x })
				if at < 0 {
					in.Rows = append(in.Rows, strength.RowOf{Index: x, N: n})
				} else {
					in.Rows[at].N = min(in.Rows[at].N, n)
				}
			}
		}
	})
	if len(in.Rows) == 0 || checked < leastChecked && !folds {
		return nil
	}
	need := kernel.Needed(slice.Map(in.Rows, func(r strength.RowOf) *kernel.Value { return r.Index })...)
	there, made := make(map[*kernel.Value]bool), make(map[*kernel.Value]*kernel.Value)
	for _, r := range in.Rows {
		x := *r.Index
		x.Range = x.Range.Meet(ops.Range{Hi: int64(r.N - 1)})
		in.Is = append(in.Is, &x)
		made[r.Index] = &x
	}
	var rest []kernel.Stmt
	for _, s := range l.Body {
		if let, ok := s.(*kernel.Let); ok && need[let.Value] {
			in.First, there[let.Value] = append(in.First, s), true
		} else {
			rest = append(rest, s)
		}
	}
	in.checks = checked
	in.Other = &kernel.Loop{Body: rest, Carries: l.Carries, Folds: l.Folds}
	c := &checks{made: made, rows: in.Rows, there: there, mine: make(map[*kernel.Value]bool)}
	for _, let := range kernel.Among[*kernel.Let](l.Body) {
		c.mine[let.Value] = true
	}
	in.All = &kernel.Loop{Body: kernel.MapValues(rest, there, c.value), Carries: l.MapCarries(c.value), Folds: l.MapFolds(c.value)}
	return in
}

// alike reports whether all that is done in lock step has the same indices.
func (c *CheckedFirst) alike(apart *kernel.Variance) bool {
	return !slices.ContainsFunc(c.Rows, func(r strength.RowOf) bool { return apart.Varies(r.Index) })
}

// Index reports whether a value is one of the indices.
func (c *CheckedFirst) Index(v *kernel.Value) bool {
	return slices.ContainsFunc(c.Rows, func(r strength.RowOf) bool { return r.Index == v })
}

// checks takes checks out that hold.
type checks struct {
	made  map[*kernel.Value]*kernel.Value
	rows  []strength.RowOf
	there map[*kernel.Value]bool
	mine  map[*kernel.Value]bool // what the loop computes
}

// below is how many rows there are where a value is the index.
func (c *checks) below(x *kernel.Value) (n int, ok bool) {
	i := slices.IndexFunc(c.rows, func(r strength.RowOf) bool { return r.Index == x })
	if i < 0 {
		return 0, false
	}
	return c.rows[i].N, true
}

func (c *checks) value(v *kernel.Value) *kernel.Value {
	if w, ok := c.made[v]; ok {
		return w
	}
	if c.there[v] || (v.Kind == kernel.Compute || v.Kind == kernel.Load) && !c.mine[v] {
		return v
	}
	if v.Kind == kernel.Compute && v.Op == ops.SymWhere && v.Args[0].HoldsFor(c.below) {
		c.made[v] = c.value(v.Args[1])
	} else {
		c.made[v] = v.MapArgs(c.value)
	}
	return c.made[v]
}
