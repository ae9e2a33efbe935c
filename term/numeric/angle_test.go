package numeric

import (
	"math"
	"testing"
)

// TestFarAngles: sines of angles far from 0 (the numbers are those of mpmath, by 2,000 bits) are right within a few
// units, and so are those of the float64 that is nearest to a multiple of a half of π.
func TestFarAngles(t *testing.T) {
	for _, c := range []struct{ x, sin, cos float64 }{
		{9.553900476696162e+102, -0.0019176435571418254, 0.9999981613199035},
		{7.698554904122593e+22, -0.9999993831719028, -0.0011107005959894675},
		{9.223372036854776e+18, 0.9999303766734422, 0.011800076512800236},
		{4.77e+102, 0.8577656952981644, 0.5140408660502166},
		{6900000000.0, 0.8636770737153083, -0.5040455458969574},
		{5.319372648326541e+255, 1.0, -4.687165924254628e-19},
		{536870912.0, 0.3265676630185633, -0.9451738260608966},
		{1e+300, -0.8178819121159085, -0.5753861119575491},
		{1.7976931348623157e+308, 0.004961954789184062, -0.9999876894265599},
		{500000000.5, -0.709436060829397, -0.7047698032654833},
		{8.5e+16, -0.2508504504671061, -0.9680258527025246},
		{2.6596863241632707e+255, -0.7071067811865476, -0.7071067811865476},
	} {
		for _, sign := range []float64{1, -1} {
			x, sin := sign*c.x, sign*c.sin
			for _, y := range []struct {
				name      string
				got, want float64
			}{{"sin", Sin(x), sin}, {"cos", Cos(x), c.cos}, {"tan", Tan(x), sin / c.cos}} {
				if unit := math.Nextafter(math.Abs(y.want), math.Inf(1)) - math.Abs(y.want); math.Abs(y.got-y.want) > 3*unit {
					t.Errorf("%s %v is %v, not %v", y.name, x, y.got, y.want)
				}
			}
		}
	}
}

// TestSmallAngles: what is too small for the quotient, or for the approximation, of package math.
func TestSmallAngles(t *testing.T) {
	for _, c := range []struct{ got, want float64 }{
		{Atan2(-5e-324, -2), -math.Pi}, {Atan2(5e-324, -2), math.Pi}, {Atan2(math.Copysign(0, -1), -2), -math.Pi},
		{Atan2(0, -2), math.Pi}, {Atan2(-5e-324, 2), math.Copysign(0, -1)}, {Atan2(-1, 0), -math.Pi / 2},
		{Tan(-9.800379956650021e-08), -9.800379956650053e-08}, {Tan(math.Copysign(0, -1)), math.Copysign(0, -1)},
	} {
		if math.Float64bits(c.got) != math.Float64bits(c.want) {
			t.Errorf("%v, not %v", c.got, c.want)
		}
	}
	if x := Atan2(math.NaN(), 1); !math.IsNaN(x) {
		t.Error(x)
	}
	if x := Atan2(1, math.NaN()); !math.IsNaN(x) {
		t.Error(x)
	}
}
