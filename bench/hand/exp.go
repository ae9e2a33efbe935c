package hand

import "math"

// A table exponential in plain Go: x = (128 k + j) ln2/128 + r, exp(x) = 2^k T[j] e^r.
// About 1 ulp; results below 2^-1022 flush towards the smallest normal.
var expT [128]uint64

func init() {
	for j := range expT {
		expT[j] = math.Float64bits(math.Exp2(float64(j)/128)) - uint64(j)<<45
	}
}

const (
	expInv   = 128 * math.Log2E
	expHi    = 6.93147180369123816490e-01 / 128
	expLo    = 1.90821492927058770002e-10 / 128
	expShift = 0x1.8p52
)

// exp sets dst[i] = exp(a*src[i] - shift), by that of Go or by the table.
func exp(table bool, dst, src []float64, a, shift float64) {
	if !table {
		dst = dst[:len(src)]
		for i, x := range src {
			dst[i] = math.Exp(a*x - shift)
		}
		return
	}
	dst = dst[:len(src)]
	for i, x := range src {
		x = a*x - shift
		x = max(x, -708)
		x = min(x, 709)
		kd := x*expInv + expShift
		ki := math.Float64bits(kd)
		kd -= expShift
		r := x - kd*expHi - kd*expLo
		r2 := r * r
		p := r + r2*(0.5+r*(1.0/6)) + r2*r2*(1.0/24+r*(1.0/120))
		s := math.Float64frombits(expT[ki&127] + ki<<45)
		dst[i] = s + s*p
	}
}

// vsum adds up with four accumulators.
func vsum(x []float64) float64 {
	var a, b, c, d float64
	for len(x) >= 4 {
		a += x[0]
		b += x[1]
		c += x[2]
		d += x[3]
		x = x[4:]
	}
	for _, v := range x {
		a += v
	}
	return (a + b) + (c + d)
}

func vmax(x []float64) float64 {
	a, b, c, d := math.Inf(-1), math.Inf(-1), math.Inf(-1), math.Inf(-1)
	for len(x) >= 4 {
		if x[0] > a {
			a = x[0]
		}
		if x[1] > b {
			b = x[1]
		}
		if x[2] > c {
			c = x[2]
		}
		if x[3] > d {
			d = x[3]
		}
		x = x[4:]
	}
	for _, v := range x {
		if v > a {
			a = v
		}
	}
	return max(max(a, b), max(c, d))
}
