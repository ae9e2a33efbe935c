package term_test

import (
	"math"
	"testing"

	"egad/term/ops"
)

// TestDenormals compares functions at denormals with what they are there.
func TestDenormals(t *testing.T) {
	for _, k := range []int{-1023, -1030, -1050, -1074} {
		x := math.Ldexp(1, k)
		want := float64(k) * math.Ln2 // log x
		for _, c := range []struct {
			name string
			got  float64
			want float64
		}{
			{"log x", ops.FloatUnary(ops.SymLog, 0)(x), want},
			{"lgamma x", ops.FloatUnary(ops.SymLgamma, 0)(x), -want},
			{"lgamma (-x)", ops.FloatUnary(ops.SymLgamma, 0)(-x), -want},
			{"x ^ 0.5", ops.FloatBinary(ops.SymPow)(x, 0.5), math.Sqrt(x)},
			{"atan2 x (2 * x)", ops.FloatBinary(ops.SymAtan2)(x, 2*x), math.Atan(0.5)},
			{"tanh x", ops.FloatUnary(ops.SymTanh, 0)(x), x},
			{"sin x", ops.FloatUnary(ops.SymSin, 0)(x), x},
			{"tan x", ops.FloatUnary(ops.SymTan, 0)(x), x},
			{"polygamma 0 x", ops.FloatUnary(ops.SymPolygamma, 0)(x), -1 / x},
		} {
			if math.Abs(c.got-c.want) > 1e-14*math.Abs(c.want) && c.got != c.want {
				t.Errorf("%s is %v at 2^%d, not %v", c.name, c.got, k, c.want)
			}
		}
	}
}
