package kernel

import (
	"egad/internal/memo"
	"egad/internal/slice"
	"egad/term/ops"
)

// Copier makes the values of a kernel anew when no hole is undecided.
type Copier struct {
	Builder *Builder
	Done    map[*Value]*Value // what is made already, or stands for itself
	Load    func(a Access) *Value
}

// NewCopier makes values by a builder, and elements of arrays by a function.
func NewCopier(b *Builder, load func(a Access) *Value) *Copier {
	return &Copier{Builder: b, Done: make(map[*Value]*Value), Load: load}
}

// Value is a value made anew.
func (c *Copier) Value(v *Value) *Value {
	return memo.Of(c.Done, v, func() *Value {
		switch v.Kind {
		case Hole:
			return c.Value(v.Is)
		case Load:
			return c.Load(Access{Array: v.Array, At: slice.Map(v.At, c.Value)})
		}
		return c.Builder.Computed(v, c.Value)
	})
}

// Computed makes a literal, a sum or an operation, of what a function makes of its operands.
func (b *Builder) Computed(v *Value, of func(*Value) *Value) *Value {
	switch v.Kind {
	case Lit:
		return b.Lit(v.Const)
	case Linear:
		return b.Linear(v.Const.Int, v.Coef, slice.Map(v.Args, of))
	}
	return b.Op(ops.Op{Sym: v.Op, N: v.N}, v.Elem, slice.Map(v.Args, of)...)
}

// There finds what has been made of a value, or makes it of what has been made of its operands if no statement
// computes it.
func (b *Builder) There(v *Value, made map[*Value]*Value) *Value {
	if v.Kind == Lit || v.Kind == Linear {
		return b.Computed(v, func(v *Value) *Value { return b.There(v, made) })
	}
	w := made[v]
	if w == nil {
		panic("kernel: a value is used before it is computed")
	}
	return w
}
