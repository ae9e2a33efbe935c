package kernel

import (
	"slices"

	"egad/internal/slice"
	"egad/term/ops"
	"egad/term/types"
)

// CheckedFirst is a loop whose runs check first whether all indices that data say are in range, as they mostly
// are: then nothing else is checked.
type CheckedFirst struct {
	First []Stmt   // what the indices need
	Rows  []RowOf  // the indices, each with how many rows there are
	Is    []*Value // the indices where they are in range
	All   *Loop    // what is done then, after that
	Other *Loop    // and else
	// checks is how many checks of accesses are spared.
	checks int
}

// Bounds on such a loop: accesses that have to be checked, and statements, which are written twice.
const (
	leastChecked = 2
	maxTwice     = 80
)

// checkedFirst takes a loop apart so, or is nil.
func (l *Loop) checkedFirst() *CheckedFirst {
	if !l.Innermost() || !l.Order.Whole() && l.Order != InOrder || len(l.Folds) > 0 || len(l.Body) > maxTwice {
		return nil
	}
	in := &CheckedFirst{}
	stored, checked := Stores(l.Body), 0
	known := func(x *Value) bool {
		for v := range needed(x) {
			if v.Kind == Load && stored[v.Array] {
				return false
			}
		}
		return x.Kind == Load || x.Kind == Compute
	}
	Accesses(l.Body, func(a Access) {
		if !a.Checked {
			return
		}
		checked++
		for i, x := range a.At {
			if n := a.Array.Shape[i]; !FitsAxis(x, n) && known(x) {
				at := slices.IndexFunc(in.Rows, func(r RowOf) bool { return r.Index == x })
				if at < 0 {
					in.Rows = append(in.Rows, RowOf{x, n})
				} else {
					in.Rows[at].N = min(in.Rows[at].N, n)
				}
			}
		}
	})
	if len(in.Rows) == 0 || checked < leastChecked {
		return nil
	}
	need := needed(slice.Map(in.Rows, func(r RowOf) *Value { return r.Index })...)
	there, made := make(map[*Value]bool), make(map[*Value]*Value)
	for _, r := range in.Rows {
		x := *r.Index
		x.Range = x.Range.Meet(ops.Range{Hi: int64(r.N - 1)})
		in.Is = append(in.Is, &x)
		made[r.Index] = &x
	}
	var rest []Stmt
	for _, s := range l.Body {
		if let, ok := s.(*Let); ok && need[let.Value] {
			in.First, there[let.Value] = append(in.First, s), true
		} else {
			rest = append(rest, s)
		}
	}
	in.checks = checked
	in.Other = &Loop{Body: rest, Carries: l.Carries}
	c := &checks{made: made, rows: in.Rows, there: there, mine: make(map[*Value]bool)}
	for _, s := range l.Body {
		if let, ok := s.(*Let); ok {
			c.mine[let.Value] = true
		}
	}
	in.All = &Loop{Body: c.body(rest), Carries: l.carries(c.value)}
	return in
}

// checks takes checks out that hold.
type checks struct {
	made  map[*Value]*Value
	rows  []RowOf
	there map[*Value]bool
	mine  map[*Value]bool // what the loop computes
}

// holds reports whether a truth value is one where all indices are in range.
func (c *checks) holds(v *Value) bool {
	if v.Kind != Compute || len(v.Args) != 2 {
		return false
	}
	x, y := v.Args[0], v.Args[1]
	in := func(x *Value, holds func(n int) bool) bool {
		return slices.ContainsFunc(c.rows, func(r RowOf) bool { return r.Index == x && holds(r.N) })
	}
	switch v.Op {
	case ops.SymAnd:
		return c.holds(x) && c.holds(y)
	case ops.SymLe:
		return x.Kind == Lit && x.Elem == types.I && x.Const.Int <= 0 && in(y, func(int) bool { return true })
	case ops.SymLt:
		return y.Kind == Lit && y.Elem == types.I && in(x, func(n int) bool { return int64(n) <= y.Const.Int })
	}
	return false
}

func (c *checks) access(a Access) Access {
	if a.Array != nil {
		a.At = slice.Map(a.At, c.value)
		a.Checked = a.Checked && !Fits(a)
	}
	return a
}

func (c *checks) value(v *Value) *Value {
	if w, ok := c.made[v]; ok {
		return w
	}
	if c.there[v] || (v.Kind == Compute || v.Kind == Load) && !c.mine[v] {
		return v
	}
	w := v
	if v.Kind == Compute && v.Op == ops.SymWhere && c.holds(v.Args[0]) {
		w = c.value(v.Args[1])
	} else if w = v.remade(c.value); v.Kind == Load {
		copied := *w
		copied.Access = c.access(v.Access)
		w = &copied
	}
	c.made[v] = w
	return w
}

func (c *checks) body(body []Stmt) []Stmt {
	var out []Stmt
	for _, s := range body {
		switch s := s.(type) {
		case *Let:
			if v := c.value(s.Value); (v.Kind == Compute || v.Kind == Load) && !c.there[v] {
				c.there[v] = true
				out = append(out, &Let{v})
			}
		case *Store:
			t := *s
			t.Access, t.Value = c.access(s.Access), c.value(s.Value)
			out = append(out, &t)
		}
	}
	return out
}
