package sparsity

import (
	"maps"
	"slices"

	"egad/internal/memo"
	"egad/internal/set"
	"egad/kernel"
	"egad/term/ops"
	"egad/term/types"
)

// signs finds where the sign of a 0 matters: in what is stored, and in what that depends on.
// Elsewhere 0 + x, with which sums begin that are written out, is x: where it is multiplied and
// added to what is not -0, say.
type signs struct {
	*Zeroes
	matter map[*kernel.Value]bool
	made   map[*kernel.Value]*kernel.Value
}

// Unsigned leaves out of the kernels additions of 0 that change no more than the sign of a 0
// that does not matter. All that is stored stays the same, bit for bit.
func Unsigned(p *kernel.Program) {
	z := NewZeroes(p)
	for _, k := range p.Kernels {
		k.Body = z.Unsigned(k.Body, make(map[*kernel.Value]bool))
	}
}

// Unsigned makes a body without such additions, after statements that compute what is there.
func (z *Zeroes) Unsigned(body []kernel.Stmt, there map[*kernel.Value]bool) []kernel.Stmt {
	x := &signs{Zeroes: z, matter: make(map[*kernel.Value]bool), made: make(map[*kernel.Value]*kernel.Value)}
	for v := range there { // it stays
		x.made[v] = v
	}
	x.uses(body)
	return kernel.DropUnused(kernel.MapValues(body, maps.Clone(there), x.value))
}

func (x *signs) mark(vs ...*kernel.Value) { set.Add(x.matter, vs...) }

// uses goes backwards through statements.
func (x *signs) uses(body []kernel.Stmt) {
	for _, s := range slices.Backward(body) {
		switch s := s.(type) {
		case *kernel.Store:
			if !s.Add || s.Array.Role != kernel.Temp || x.minus[s.Array] {
				x.mark(s.Value)
			}
		case *kernel.Loop:
			for _, f := range s.Folds {
				switch {
				case f.From == nil && f.Op != ops.SymSum:
					x.mark(f.Value)
				case f.From != nil && (f.Op != ops.SymSum || !x.plus(f.From)):
					x.mark(f.Value, f.From)
				case f.From != nil:
					x.mark(f.From)
				}
			}
			x.uses(s.Body)
		case *kernel.Let:
			if s.Value.Kind == kernel.Compute {
				x.operands(s.Value)
			}
		}
	}
}

// operands marks those of an operator of which the signs matter.
func (x *signs) operands(v *kernel.Value) {
	switch v.Op {
	case ops.SymLt, ops.SymLe, ops.SymEq, ops.SymAbs:
	case ops.SymMul:
		if x.matter[v] && v.Args[0] != v.Args[1] {
			x.mark(v.Args...)
		}
	case ops.SymNeg, ops.SymMin, ops.SymMax, ops.SymSqrt, ops.SymWhere:
		if x.matter[v] {
			x.mark(v.Args...)
		}
	case ops.SymDiv:
		if x.matter[v] {
			x.mark(v.Args[0])
		}
		x.mark(v.Args[1])
	case ops.SymSub: // -0 is -0 - 0
		if x.matter[v] {
			x.mark(v.Args[0])
			x.matter[v.Args[1]] = x.matter[v.Args[1]] || !x.plus(v.Args[0])
		}
	case ops.SymAdd:
		if x.matter[v] {
			x.mark(x.deciding(v.Args)...)
		}
	default:
		x.mark(v.Args...)
	}
}

// deciding are the operands of a sum that tell whether it is -0: one that is not, or both.
func (x *signs) deciding(args []*kernel.Value) []*kernel.Value {
	price := func(v *kernel.Value) int { // of not being -0
		switch {
		case !x.plus(v):
			return 2
		case v.Op == ops.SymAdd && !x.matter[v]:
			return 1
		}
		return 0
	}
	switch p, q := price(args[0]), price(args[1]); {
	case p == 2 && q == 2:
		return args
	case q < p:
		return args[1:]
	}
	return args[:1]
}

// without is the other operand where 0 is added, if that does nothing that matters, or nil.
func (x *signs) without(v *kernel.Value) *kernel.Value {
	switch {
	case v.Kind != kernel.Compute || v.Op != ops.SymAdd || v.Elem != types.R || x.matter[v]:
		return nil
	case v.Args[0].IsZero():
		return v.Args[1]
	case v.Args[1].IsZero():
		return v.Args[0]
	}
	return nil
}

// value is v without such additions.
func (x *signs) value(v *kernel.Value) *kernel.Value {
	return memo.Of(x.made, v, func() *kernel.Value {
		if other := x.without(v); other != nil {
			return x.value(other)
		}
		w := v.MapArgs(x.value)
		if w != v && !x.matter[v] {
			w.Plus = w.Kind == kernel.Compute && kernel.NeverMinus(w.Op, w.Args)
		}
		return w
	})
}
