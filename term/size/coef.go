package size

import (
	"math/big"
	"strconv"
)

// Coefficients are nearly always small whole numbers. Arithmetic on those needs no rational
// numbers, and those nearest to 0 are made once: nothing changes a coefficient.

// smallCoef bounds the whole numbers whose sums and products are taken as integers.
const smallCoef = 1 << 31

var coefs = func() (out [64]*big.Rat) {
	for i := range out {
		out[i] = big.NewRat(int64(i)-int64(len(out)/2), 1)
	}
	return out
}()

// coefOf is a whole number as a coefficient.
func coefOf(n int64) *big.Rat {
	if i := n + int64(len(coefs)/2); 0 <= i && i < int64(len(coefs)) {
		return coefs[i]
	}
	return new(big.Rat).SetInt64(n)
}

// small is a coefficient as an integer, if it is a small whole number.
func small(c *big.Rat) (n int64, ok bool) {
	if !c.IsInt() || !c.Num().IsInt64() {
		return 0, false
	}
	n = c.Num().Int64()
	return n, -smallCoef < n && n < smallCoef
}

func addCoefs(a, b *big.Rat) *big.Rat {
	x, ok := small(a)
	y, also := small(b)
	if ok && also {
		return coefOf(x + y)
	}
	return new(big.Rat).Add(a, b)
}

func mulCoefs(a, b *big.Rat) *big.Rat {
	x, ok := small(a)
	y, also := small(b)
	if ok && also {
		return coefOf(x * y)
	}
	return new(big.Rat).Mul(a, b)
}

// appendCoef appends a coefficient as text.
func appendCoef(to []byte, c *big.Rat) []byte {
	if n, ok := small(c); ok {
		return strconv.AppendInt(to, n, 10)
	}
	return append(to, c.RatString()...)
}
