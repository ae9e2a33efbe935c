package hand

import "math"

// KMeans is the sum of the squared distances of points p[n, 8] to the nearest of k
// centers c[k, 8], by the centers.
func KMeans(k int, p, c []float64) Func {
	const d = 8
	n := len(p) / d
	sum, count, out := make([]float64, k*d), make([]float64, k), make([]float64, k*d)
	run := func(grad bool) float64 {
		clear(sum)
		clear(count)
		s := 0.0
		for i := range n {
			a := (*[8]float64)(p[i*8:])
			best, at := math.Inf(1), 0
			for j := 0; j < k; j++ {
				b := (*[8]float64)(c[j*8:])
				t0, t1, t2, t3 := a[0]-b[0], a[1]-b[1], a[2]-b[2], a[3]-b[3]
				t4, t5, t6, t7 := a[4]-b[4], a[5]-b[5], a[6]-b[6], a[7]-b[7]
				v := ((t0*t0 + t1*t1) + (t2*t2 + t3*t3)) + ((t4*t4 + t5*t5) + (t6*t6 + t7*t7))
				if v < best {
					best, at = v, j
				}
			}
			s += best
			if grad {
				count[at]++
				o := (*[8]float64)(sum[at*8:])
				for l := range o {
					o[l] += a[l]
				}
			}
		}
		return s
	}
	return Func{func() float64 { return run(false) }, func() (float64, []float64) {
		v := run(true)
		for i := range out {
			out[i] = 2 * (count[i/d]*c[i] - sum[i])
		}
		return v, out
	}}
}
