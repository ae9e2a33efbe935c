package kernel

import (
	"math/big"
	"slices"

	"egad/term"
)

// powers computes powers by some numbers as products, quotients and roots, within two units in
// the last place: x³ is x * x * x.
type powers struct {
	made map[*Value]*Value
	done []Stmt // what is computed before the value that is made
}

// powered is a kernel without these powers, or itself if there are none. It is for code that is
// not exact.
func (k *Kernel) powered() *Kernel {
	some := false
	walk(k.Body, func(s Stmt) {
		if l, ok := s.(*Let); ok {
			_, is := l.Value.power()
			some = some || is
		}
	})
	if !some {
		return k
	}
	out := *k
	out.Body = (&powers{made: make(map[*Value]*Value)}).body(k.Body)
	return &out
}

// power is twice the number to whose power a value is, if that is one of those.
func (v *Value) power() (twice int, ok bool) {
	if v.Kind != Compute || v.Op != term.SymPow || v.Args[1].Kind != Lit {
		return 0, false
	}
	x := 2 * v.Args[1].Const.Num.Float64()
	for _, twice := range []int{-4, -3, -2, -1, 1, 3, 4, 5, 6, 8} {
		if x == float64(twice) {
			return twice, true
		}
	}
	return 0, false
}

func (p *powers) body(body []Stmt) []Stmt {
	var out []Stmt
	for _, s := range body {
		switch s := s.(type) {
		case *Let:
			v := p.value(s.Value)
			out = append(append(out, p.done...), &Let{v})
			p.done = nil
		case *Store:
			copied := *s
			copied.At, copied.Value = mapped(s.At, p.value), p.value(s.Value)
			out = append(out, &copied)
		case *Loop:
			copied := *s
			copied.Body, copied.Folds = p.body(s.Body), slices.Clone(s.Folds)
			for i, f := range s.Folds {
				if copied.Folds[i].Value = p.value(f.Value); f.From != nil {
					copied.Folds[i].From = p.value(f.From)
				}
			}
			out = append(out, &copied)
		default:
			out = append(out, s)
		}
	}
	return out
}

// value is a value without powers. What a power is made of is done before it.
func (p *powers) value(v *Value) *Value {
	w, ok := p.made[v]
	if !ok {
		w = v.remade(p.value)
		if twice, ok := w.power(); ok {
			w = p.power(w.Args[0], twice)
			w.plus = v.plus
		}
		p.made[v] = w
	}
	return w
}

// power is x to the power of half a number, which is not done yet.
func (p *powers) power(x *Value, twice int) *Value {
	op := func(sym term.Sym, args ...*Value) *Value {
		return &Value{Kind: Compute, Elem: term.R, Op: sym, Args: args, Range: term.AnyInt}
	}
	do := func(v *Value) *Value {
		p.done = append(p.done, &Let{v})
		return v
	}
	if twice%2 != 0 { // -0 and -Inf have the powers of 0 and Inf, and other negative numbers none
		same := op(term.SymEq, do(op(term.SymAdd, x, x)), x)
		same.Elem = term.B
		x = do(op(term.SymWhere, do(same), do(op(term.SymAbs, x)), x))
	}
	lit := func(x float64) *Value {
		return newBuilder(nil).lit(term.ScalarR(term.NumOf(new(big.Rat).SetFloat64(x))))
	}
	inverse := func(x *Value) *Value { return op(term.SymDiv, lit(1), x) }
	root := func() *Value { return do(op(term.SymSqrt, x)) }
	switch twice {
	case -4:
		x = do(inverse(x))
	case -3: // of a number that is scaled, as its cube may be too small or too large
		less := func(x, y *Value) *Value {
			v := op(term.SymLt, x, y)
			v.Elem = term.B
			return do(v)
		}
		small, large := less(x, lit(0x1p-600)), less(lit(0x1p600), x)
		scale := func(to float64) *Value {
			return do(op(term.SymWhere, small, lit(to), do(op(term.SymWhere, large, lit(1/to), lit(1)))))
		}
		back := scale(0x1p600)
		x = do(op(term.SymMul, x, scale(0x1p400)))
		return op(term.SymMul, do(inverse(do(op(term.SymMul, x, root())))), back)
	case -2:
		return inverse(x)
	case -1:
		return inverse(root())
	case 1:
		return op(term.SymSqrt, x)
	case 3:
		return op(term.SymMul, x, root())
	}
	square := op(term.SymMul, x, x)
	switch twice {
	case 5:
		return op(term.SymMul, do(square), root())
	case 6:
		return op(term.SymMul, do(square), x)
	case 8:
		return op(term.SymMul, do(square), square)
	}
	return square
}

// costOfPower is how many instructions take about as long as one of these powers.
const costOfPower = 5
