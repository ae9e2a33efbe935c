package numeric

import "math"

// Polygamma returns the derivative of order n+1 of log gamma: digamma for n = 0. At
// the poles, which are 0 and the negative whole numbers, it is an infinity where
// both sides agree, or where the sign of 0 tells the side, and else NaN.
func Polygamma(n int, x float64) float64 {
	even := n%2 == 0
	switch {
	case math.IsNaN(x) || math.IsInf(x, -1):
		return math.NaN()
	case math.IsInf(x, 1):
		if n == 0 {
			return x
		}
		return 0
	case x <= 0 && x == math.Floor(x):
		switch {
		case !even:
			return math.Inf(1)
		case x == 0:
			return math.Copysign(math.Inf(1), -x)
		}
		return math.NaN()
	case x > 0:
		return polygammaPositive(n, x)
	}
	// Reflection, with the distances of x from the whole numbers around it. Both
	// are taken from x, for the small one must be exact; what cancels goes first.
	below := polygammaPositive(n, x-math.Floor(x))
	above := polygammaPositive(n, math.Ceil(x)-x)
	if even {
		return below - above + polygammaPositive(n, 1-x)
	}
	return below + above - polygammaPositive(n, 1-x)
}

// bernoulli holds B(2k) / (2k)! for k = 1, 2, ….
var bernoulli = func() []float64 {
	b := []float64{1. / 6, -1. / 30, 1. / 42, -1. / 30, 5. / 66, -691. / 2730, 7. / 6, -3617. / 510, 43867. / 798, -174611. / 330}
	fact := 1.0
	for i := range b {
		k := float64(2 * (i + 1))
		fact *= k * (k - 1)
		b[i] /= fact
	}
	return b
}()

// polygammaPositive is Polygamma for x > 0: the asymptotic series beyond n + 10,
// and the recurrence from there down to x, the least terms first.
func polygammaPositive(n int, x float64) float64 {
	steps := 0
	if from := float64(n + 10); x < from {
		steps = int(math.Ceil(from - x))
	}
	// All of it up to the sign (-1)^(n+1).
	sum := polygammaSeries(n, x+float64(steps))
	for k := steps - 1; k >= 0; k-- {
		y := x + float64(k)
		sum += factorialOver(n, y) / y
	}
	if n%2 == 0 {
		return -sum
	}
	return sum
}

// polygammaSeries is (-1)^(n+1) polygamma n y for large y, by
//
//	(n-1)!/y^n + n!/(2 y^(n+1)) + sum over k of B(2k)/(2k)! (n+2k-1)!/y^(n+2k)
//
// with -log y in place of the first term for n = 0.
func polygammaSeries(n int, y float64) float64 {
	lead := -math.Log(y)
	half := 1 / y // n!/y^(n+1)
	if n > 0 {
		lead = factorialOver(n-1, y) / y
		half = lead * float64(n) / y
	}
	sum, p := 0.0, half*float64(n+1)/y // p is (n+2k-1)!/y^(n+2k)
	for i, b := range bernoulli {
		sum += b * p
		p *= float64(n+2*i+2) / y * (float64(n+2*i+3) / y)
	}
	return lead + (half/2 + sum)
}

// factorialOver is n! / y^n.
func factorialOver(n int, y float64) float64 {
	p := 1.0
	for j := n; j >= 1; j-- {
		p *= float64(j) / y
	}
	return p
}
