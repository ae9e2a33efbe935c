package suites

import (
	"math"
	"math/cmplx"
)

// attend is the attention of queries; those of a causal one see the keys up to their place.
func attend(q, k, v []vec, causal bool) []vec {
	var out []vec
	for i := range q {
		seen := len(k)
		if causal {
			seen = i + 1
		}
		fit := scale(complex(1/math.Sqrt(float64(len(q[0]))), 0), matvec(k[:seen], q[i]))
		out = append(out, matvec(transposed(v[:seen]), softmax(fit)))
	}
	return out
}

func normal(x vec) vec {
	n := complex(float64(len(x)), 0)
	mean, dev := sum(x)/n, make(vec, len(x))
	for i := range x {
		dev[i] = x[i] - mean
	}
	return scale(1/cmplx.Sqrt(inner(dev, dev)/n+1e-5), dev)
}

func transformer(x inputs) vec {
	embed, text := x["embed"].rows(), x["text"].n
	var rows []vec
	for i, t := range text {
		rows = append(rows, add(embed[t], x["place"].rows()[i]))
	}
	for l := range x["wq"].shape[0] {
		of := func(name string) input { return x[name].split()[l] }
		heads := make([]vec, len(rows))
		low := each(normal, rows)
		for h := range of("wq").shape[0] {
			by := func(name string) []vec { return matmul(low, transposed(of(name).split()[h].rows())) }
			for i, r := range attend(by("wq"), by("wk"), by("wv"), true) {
				heads[i] = append(heads[i], r...)
			}
		}
		for i := range rows {
			rows[i] = add(rows[i], matvec(of("wo").rows(), heads[i]))
			a := matvec(of("w1").rows(), normal(rows[i]))
			for j, z := range a {
				a[j] = z / 2 * (1 + erf(z/math.Sqrt2))
			}
			rows[i] = add(rows[i], matvec(of("w2").rows(), a))
		}
	}
	s := complex128(0)
	for i := range text[1:] {
		logits := matvec(embed, normal(rows[i]))
		s += logsumexp(logits) - logits[text[i+1]]
	}
	return scalar(s / complex(float64(len(text)-1), 0))
}

// layer is a convolution, a bias and relu, and the largest of two by two.
func layer(x []input, f, b input) []input {
	s := f.shape[2]
	h, w := x[0].shape[0]-s+1, x[0].shape[1]-s+1
	var out []input
	for o, filter := range f.split() {
		m := make([]vec, h)
		for i := range h {
			for j := range w {
				z := b.r[o]
				for c, k := range filter.split() {
					for a, r := range k.rows() {
						z += inner(r, x[c].rows()[i+a][j:j+s])
					}
				}
				if real(z) < 0 {
					z = 0
				}
				m[i] = append(m[i], z)
			}
		}
		p := input{shape: []int{h / 2, w / 2}}
		for i := range h / 2 {
			for j := range w / 2 {
				best := m[2*i][2*j]
				for _, z := range (vec{m[2*i][2*j+1], m[2*i+1][2*j], m[2*i+1][2*j+1]}) {
					if real(z) > real(best) {
						best = z
					}
				}
				p.r = append(p.r, best)
			}
		}
		out = append(out, p)
	}
	return out
}

func convNet(x inputs) vec {
	s := complex128(0)
	for i, image := range x["images"].split() {
		maps := layer(layer([]input{image}, x["f"], x["fb"]), x["g"], x["gb"])
		var all vec
		for _, m := range maps {
			all = append(all, m.r...)
		}
		z := matvec(x["out"].rows(), all)
		s += logsumexp(z) - z[x["labels"].n[i]]
	}
	return scalar(s / complex(float64(x["images"].shape[0]), 0))
}

// tanhs are tanh and its first two derivatives.
func tanhs(z complex128) (t, d, d2 complex128) {
	t = cmplx.Tanh(z)
	d = 1 - t*t
	return t, d, -2 * t * d
}

func oscillator(x inputs) vec {
	u := func(at complex128) (u, d, d2 complex128) {
		for i, a := range x["a"].r {
			t0, t1, t2 := tanhs(a*at + x["b"].r[i])
			c := x["c"].r[i]
			u, d, d2 = u+c*t0, d+c*a*t1, d2+c*a*a*t2
		}
		return u, d, d2
	}
	s := complex128(0)
	for _, at := range x["places"].r {
		u, _, d2 := u(at)
		s += (d2 + u) * (d2 + u)
	}
	u0, d0, _ := u(0)
	return scalar(s/complex(float64(len(x["places"].r)), 0) + u0*u0 + (d0-1)*(d0-1))
}

func burn(x inputs) vec {
	s, n := complex128(0), complex(float64(x["places"].shape[0]), 0)
	for _, p := range x["places"].rows() {
		ut, uxx, u0 := complex128(0), complex128(0), complex128(0)
		for i, w := range x["w"].rows() {
			c := x["c"].r[i]
			_, d, d2 := tanhs(w[0]*p[0] + w[1]*p[1] + x["b"].r[i])
			ut, uxx = ut+c*w[1]*d, uxx+c*w[0]*w[0]*d2
			u0 += c * cmplx.Tanh(w[0]*p[0]+x["b"].r[i])
		}
		e, f := ut-x["k"].r[0]*uxx, u0-cmplx.Sin(math.Pi*p[0])
		s += (e*e + f*f) / n
	}
	return scalar(s)
}
