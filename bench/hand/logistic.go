package hand

import "math"

// Logistic is the mean of softplus z - y z for z = X w, by w.
func Logistic(table bool, x, y, w []float64) Func {
	n, d := len(y), len(w)
	z, e := make([]float64, chunk), make([]float64, chunk)
	g, out := make([]float64, d), make([]float64, d)
	run := func(grad bool) float64 {
		s := 0.0
		clear(g)
		for lo := 0; lo < n; lo += chunk {
			m := min(chunk, n-lo)
			z, e := z[:m], e[:m]
			for i := range z {
				r := x[(lo+i)*d:][:d]
				w := w[:len(r)]
				var a0, a1, a2, a3 float64
				j := 0
				for ; j+3 < len(r); j += 4 {
					a0 += r[j] * w[j]
					a1 += r[j+1] * w[j+1]
					a2 += r[j+2] * w[j+2]
					a3 += r[j+3] * w[j+3]
				}
				for ; j < len(r); j++ {
					a0 += r[j] * w[j]
				}
				v := (a0 + a1) + (a2 + a3)
				z[i] = v
				e[i] = math.Abs(v)
			}
			exp(table, e, e, -1, 0)
			yy := y[lo : lo+m]
			if !table {
				for i, p := range e {
					s += max(z[i], 0) + math.Log1p(p) - yy[i]*z[i]
				}
			} else { // sum of logs = log of product; at most 512 factors in (1,2]
				for i := 0; i < m; i += 512 {
					p0, p1 := 1.0, 1.0
					k := min(i+512, m)
					for j := i; j < k; j++ {
						s += max(z[j], 0) - yy[j]*z[j]
						if j&1 == 0 {
							p0 *= 1 + e[j]
						} else {
							p1 *= 1 + e[j]
						}
					}
					s += math.Log(p0 * p1)
				}
			}
			if grad {
				for i, p := range e {
					q := 1 / (1 + p)
					if z[i] < 0 {
						q *= p
					}
					q -= yy[i]
					r := x[(lo+i)*d:][:d]
					g := g[:len(r)]
					j := 0
					for ; j+3 < len(r); j += 4 {
						g[j] += q * r[j]
						g[j+1] += q * r[j+1]
						g[j+2] += q * r[j+2]
						g[j+3] += q * r[j+3]
					}
					for ; j < len(r); j++ {
						g[j] += q * r[j]
					}
				}
			}
		}
		return s / float64(n)
	}
	return Func{func() float64 { return run(false) }, func() (float64, []float64) {
		v := run(true)
		for j := range out {
			out[j] = g[j] / float64(n)
		}
		return v, out
	}}
}
