package module

import (
	"maps"

	"egad/term/size"
)

// equations are those between sizes, as axes of length 0: what is on the left less what is on
// the right, and the other way round.
func (d *checkedDef) equations() (out []size.Axis) {
	for _, c := range d.where {
		if c.op == "==" {
			out = append(out, size.Axis{Declared: c.l.Sub(c.r), Is: size.Const(0)}, size.Axis{Declared: c.r.Sub(c.l), Is: size.Const(0)})
		}
	}
	return out
}

// Tell adds to sizes of a definition those that its equations tell.
func (d DefInfo) Tell(sizes map[string]int64) map[string]int64 { return tellMore(d.Equations, sizes) }

// tellMore adds to sizes those that equations tell.
func tellMore(equations []size.Axis, sizes map[string]int64) map[string]int64 {
	if len(equations) == 0 {
		return sizes
	}
	out, is := maps.Clone(sizes), make(map[string]size.Size)
	if out == nil {
		out = make(map[string]int64)
	}
	for name, n := range sizes {
		is[name] = size.Const(n)
	}
	for name := range size.Tell(equations, is) {
		out[name], _ = is[name].Const()
	}
	return out
}
