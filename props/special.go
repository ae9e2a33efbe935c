package props

import (
	"math/big"
	rng "math/rand/v2"
	"slices"

	"egad/rules"
	"egad/term"
)

// special are numbers at which something may happen, as a rule speaks of them: its own, those
// one more or less, and sums, products and quotients.
type special struct {
	reals  [3][]float64
	wholes [3][]int64
}

// mostSpecial bounds the numbers of a rule of which others are made.
const mostSpecial = 8

// specialOf are the special numbers of a rule. Small whole numbers are drawn anyway: of a rule
// that has no others there are none.
func specialOf(sig *term.Signature, r *rules.Rule) (out special) {
	var own, parts, all []*big.Rat
	has := func(xs []*big.Rat, x *big.Rat) bool {
		return slices.ContainsFunc(xs, func(y *big.Rat) bool { return x.Cmp(y) == 0 })
	}
	for _, n := range r.Numbers(sig) {
		x := n.Rat()
		if x == nil || len(parts) == mostSpecial || has(parts, x) {
			continue
		}
		parts = append(parts, x)
		if small := x.IsInt() && -3 <= n.Float64() && n.Float64() <= 3; !small {
			own = append(own, x)
		}
	}
	add := func(kind int, x *big.Rat) {
		if has(all, x) {
			return
		}
		all = append(all, x)
		v, _ := x.Float64()
		out.reals[kind] = append(out.reals[kind], v)
		if x.IsInt() && x.Num().IsInt64() {
			out.wholes[kind] = append(out.wholes[kind], x.Num().Int64())
		}
	}
	one := big.NewRat(1, 1)
	for _, x := range own {
		add(0, x)
	}
	for _, x := range own {
		add(1, new(big.Rat).Add(x, one))
		add(1, new(big.Rat).Sub(x, one))
	}
	for _, x := range own {
		for _, y := range parts {
			add(2, new(big.Rat).Add(x, y))
			add(2, new(big.Rat).Mul(x, y))
			if y.Sign() != 0 {
				add(2, new(big.Rat).Quo(x, y))
			}
		}
	}
	return out
}

// chosen is sometimes one of the numbers; false otherwise, and always if there are none.
func chosen[T any](from *rng.Rand, of [3][]T) (x T, ok bool) {
	if len(of[0])+len(of[1])+len(of[2]) == 0 || from.IntN(2) == 0 {
		return x, false
	}
	xs := of[[]int{0, 0, 0, 1, 1, 2, 2, 2}[from.IntN(8)]]
	if len(xs) == 0 {
		return x, false
	}
	return xs[from.IntN(len(xs))], true
}
