package ops

import (
	"egad/term/numeric"
	"egad/term/types"
)

// Inputs, index variables, literals and [0, …, n-1].

func init() {
	describe(SymNone, Operator{})
	describe(SymVar, Operator{
		Name: "var", Hidden: true,
	})
	describe(SymIvar, Operator{
		Name: "ivar", Hidden: true, Variable: true,
		bounds: below,
	})
	describe(SymLocal, Operator{
		Name: "local", Hidden: true, Variable: true,
	})
	describe(SymConst, Operator{
		Name: "const", Hidden: true,
		Fill: func(c Cells) {
			k := c.Op().Const
			for i := range c.Len(Result) {
				s := k.Fill
				if k.Data != nil {
					s = k.Data[i]
				}
				c.SetLiteral(i, s)
			}
		},
		bounds: func(b Bounding) Bounds {
			k := b.Op.Const
			if k.Data == nil {
				return boundsOfScalar(k.Fill)
			}
			out := boundsOfScalar(k.Data[0])
			for _, s := range k.Data[1:] {
				out = out.join(boundsOfScalar(s))
			}
			return out
		},
	})
	describe(SymIota, Operator{
		Name: "iota",
		Fill: func(c Cells) {
			for i := range c.Len(Result) {
				c.SetInt(i, int64(i))
			}
		},
		bounds: below,
	})
}

// below bounds an index variable, or all of its values.
func below(b Bounding) Bounds {
	if n, ok := b.Op.Sizes[0].Const(); ok && n > 0 {
		return Bounds{Range{0, n - 1}, numeric.AnyReal}
	}
	return Unbounded
}

func boundsOfScalar(s Scalar) Bounds {
	if s.Elem == types.R {
		return Bounds{AnyInt, s.Num.Interval()}
	}
	return Bounds{Range{s.Int, s.Int}, numeric.AnyReal}
}
