package kernel

import (
	"egad/internal/memo"
	"egad/internal/slice"
	"egad/term"
)

// Copier makes the values of a kernel anew when no hole is undecided.
type Copier struct {
	b    *Builder
	Done map[*Value]*Value // what is made already, or stands for itself
	load func(a Access) *Value
}

// NewCopier makes values by a builder, and elements of arrays by a function.
func NewCopier(b *Builder, load func(a Access) *Value) *Copier {
	return &Copier{b: b, Done: make(map[*Value]*Value), load: load}
}

// Value is a value made anew.
func (c *Copier) Value(v *Value) *Value {
	return memo.Of(c.Done, v, func() *Value {
		switch v.Kind {
		case Hole:
			return c.Value(v.Is)
		case Lit:
			return c.b.Lit(v.Const)
		case Linear:
			return c.b.linear(v.Const.Int, v.Coef, slice.Map(v.Args, c.Value))
		case Load:
			return c.load(Access{Array: v.Array, At: slice.Map(v.At, c.Value)})
		}
		return c.b.Op(term.Op{Sym: v.Op, N: v.N}, v.Elem, slice.Map(v.Args, c.Value)...)
	})
}
