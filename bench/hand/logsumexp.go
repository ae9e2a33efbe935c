package hand

import "math"

const chunk = 1024

// LogSumExp is the logarithm of the sum of exponentials; its gradient is softmax.
func LogSumExp(table bool, x []float64) Func {
	n := len(x)
	g, buf := make([]float64, n), make([]float64, chunk)
	value := func() float64 {
		m, s := vmax(x), 0.0
		for lo := 0; lo < n; lo += chunk {
			e := buf[:min(chunk, n-lo)]
			exp(table, e, x[lo:lo+len(e)], 1, m)
			s += vsum(e)
		}
		return m + math.Log(s)
	}
	grad := func() (float64, []float64) {
		m, s := vmax(x), 0.0
		for lo := 0; lo < n; lo += chunk {
			e := g[lo:min(lo+chunk, n)]
			exp(table, e, x[lo:lo+len(e)], 1, m)
			s += vsum(e)
		}
		is := 1 / s
		for i := range g {
			g[i] *= is
		}
		return m + math.Log(s), g
	}
	return Func{value, grad}
}
