package kernel

import (
	"egad/internal/memo"
	"egad/internal/slice"
	"egad/term"
)

// copier makes the values of a kernel anew when no hole is undecided.
type copier struct {
	b    *builder
	done map[*Value]*Value // what is made already, or stands for itself
	load func(a Access) *Value
}

// newCopier makes values by a builder, and elements of arrays by a function.
func newCopier(b *builder, load func(a Access) *Value) *copier {
	return &copier{b: b, done: make(map[*Value]*Value), load: load}
}

// value is a value made anew.
func (c *copier) value(v *Value) *Value {
	return memo.Of(c.done, v, func() *Value {
		switch v.Kind {
		case hole:
			return c.value(v.is)
		case Lit:
			return c.b.lit(v.Const)
		case Linear:
			return c.b.linear(v.Const.Int, v.Coef, slice.Map(v.Args, c.value))
		case Load:
			return c.load(Access{Array: v.Array, At: slice.Map(v.At, c.value)})
		}
		return c.b.op(term.Op{Sym: v.Op, N: v.N}, v.Elem, slice.Map(v.Args, c.value)...)
	})
}
