package strength

import (
	"maps"
	"slices"

	"egad/internal/slice"
	"egad/kernel"
	"egad/term/ops"
	"egad/term/types"
)

// clamper has loops access rows that data says, as p[user[i], j] is one, without a check in each
// run: whether there is such a row is known before the loop. There the row is one that there is,
// of which what is loaded is not taken, and to which 0 is added.
type clamper struct {
	here map[*kernel.Value][]RowOf // by the index
	made map[*kernel.Value]*kernel.Value
	row  map[RowOf]*kernel.Value // a row that there is
	in   map[RowOf]*kernel.Value // whether that is the row
}

// RowOf is an index of an axis, and how many rows that has.
type RowOf struct {
	Index *kernel.Value
	N     int
}

// clamped is a kernel without these checks, or itself if there are none.
func clamped(k *kernel.Kernel) *kernel.Kernel {
	c := &clamper{here: make(map[*kernel.Value][]RowOf), made: make(map[*kernel.Value]*kernel.Value), row: make(map[RowOf]*kernel.Value), in: make(map[RowOf]*kernel.Value)}
	c.find(k.Body, make(map[*kernel.Value]bool), make(map[*kernel.Value]bool))
	if len(c.here) == 0 {
		return k
	}
	return k.With(c.body(k.Body))
}

// find notes the rows that are accessed where an index is known before the innermost loop:
// before are the values that are computed outside of it.
func (c *clamper) find(body []kernel.Stmt, before, here map[*kernel.Value]bool) {
	access := func(a kernel.Access) {
		if _, r, ok := checkedRow(a); ok && before[r.Index] && !slices.Contains(c.here[r.Index], r) {
			c.here[r.Index] = append(c.here[r.Index], r)
		}
	}
	for _, s := range body {
		switch s := s.(type) {
		case *kernel.Let:
			if s.Value.Kind == kernel.Load {
				access(s.Value.Access)
			}
			here[s.Value] = true
		case *kernel.Store:
			if s.Add {
				access(s.Access)
			}
		case *kernel.Loop:
			maps.Copy(before, here)
			c.find(s.Body, before, make(map[*kernel.Value]bool))
		}
	}
}

// checkedRow is the only index of an access that may be out of range, if it is computed, and the
// number of its axis.
func checkedRow(a kernel.Access) (axis int, r RowOf, ok bool) {
	if !a.Checked || a.Array.Elem == types.B {
		return 0, r, false
	}
	for i, x := range a.At {
		n := a.Array.Shape[i]
		if kernel.FitsAxis(x, n) {
			continue
		}
		if ok || n == 0 || x.Kind != kernel.Load && x.Kind != kernel.Compute {
			return 0, r, false
		}
		axis, r, ok = i, RowOf{x, n}, true
	}
	return axis, r, ok
}

// access is an access to a row that there is, and whether that is the one that is meant.
func (c *clamper) access(a kernel.Access) (kernel.Access, *kernel.Value) {
	i, r, ok := checkedRow(a)
	a.At = slice.Map(a.At, c.value)
	if !ok || c.row[r] == nil {
		return a, nil
	}
	a.At[i], a.Checked = c.row[r], false
	return a, c.in[r]
}

func (c *clamper) value(v *kernel.Value) *kernel.Value {
	return kernel.Substitute(c.made)(v)
}

// chosen is a value where something holds, and else 0.
func (c *clamper) chosen(v, in *kernel.Value) *kernel.Value {
	return &kernel.Value{Kind: kernel.Compute, Elem: v.Elem, Op: ops.SymWhere, Args: []*kernel.Value{in, v, kernel.NewBuilder(nil).Lit(ops.ScalarZero(v.Elem))}, Range: v.Range.Join(ops.Range{}), Plus: v.Plus}
}

func (c *clamper) body(body []kernel.Stmt) []kernel.Stmt {
	return kernel.Rewrite(body, c.value, func(s kernel.Stmt) (out []kernel.Stmt) {
		switch s := s.(type) {
		case *kernel.Let:
			v := s.Value
			if a, in := c.access(v.Access); v.Kind == kernel.Load && in != nil {
				there := *v
				there.Access = a
				w := c.chosen(&there, in)
				c.made[v] = w
				out = []kernel.Stmt{&kernel.Let{Value: &there}, &kernel.Let{Value: w}}
			} else {
				out = []kernel.Stmt{&kernel.Let{Value: c.value(v)}}
			}
			for _, r := range c.here[v] {
				out = c.known(r, out)
			}
			return out
		case *kernel.Store:
			copied := *s
			copied.Value = c.value(s.Value)
			if a, in := c.access(s.Access); in != nil && s.Add {
				copied.Value, copied.Access = c.chosen(copied.Value, in), a
				return []kernel.Stmt{&kernel.Let{Value: copied.Value}, &copied}
			}
			copied.At = slice.Map(s.At, c.value)
			return []kernel.Stmt{&copied}
		}
		return []kernel.Stmt{s}
	})
}

// known computes where an index is known what is needed of a row. Values are not interned, as
// those of a kernel may be of several builders.
func (c *clamper) known(r RowOf, out []kernel.Stmt) []kernel.Stmt {
	do := func(sym ops.Sym, elem types.Elem, to ops.Range, args ...*kernel.Value) *kernel.Value {
		v := &kernel.Value{Kind: kernel.Compute, Elem: elem, Op: sym, Args: args, Range: to}
		out = append(out, &kernel.Let{Value: v})
		return v
	}
	x, zero, last := c.value(r.Index), kernel.NewBuilder(nil).Int(0), kernel.NewBuilder(nil).Int(int64(r.N-1))
	most := ops.Range{Lo: max(x.Range.Lo, 0), Hi: max(x.Range.Hi, 0)}
	c.row[r] = do(ops.SymMin, types.I, ops.Range{Hi: int64(r.N - 1)}, do(ops.SymMax, types.I, most, x, zero), last)
	c.in[r] = do(ops.SymAnd, types.B, ops.AnyInt, do(ops.SymLe, types.B, ops.AnyInt, zero, x), do(ops.SymLe, types.B, ops.AnyInt, x, last))
	return out
}
