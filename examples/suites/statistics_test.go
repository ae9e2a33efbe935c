package suites

import (
	"math"
	"math/cmplx"
)

func nearest(p vec, centers []vec) int {
	best := 0
	for i, c := range centers {
		if real(apart(p, c)) < real(apart(p, centers[best])) {
			best = i
		}
	}
	return best
}

func phi(z complex128) complex128 { return (1 + erf(z/math.Sqrt2)) / 2 }

func density(z complex128) complex128 { return cmplx.Exp(-z*z/2) / complex(math.Sqrt(2*math.Pi), 0) }

func blackScholes(s, k, r, v, t complex128) (price, delta, vega, gamma complex128) {
	root := cmplx.Sqrt(t)
	d1 := (cmplx.Log(s/k) + (r+v*v/2)*t) / (v * root)
	d2 := d1 - v*root
	return s*phi(d1) - k*cmplx.Exp(-r*t)*phi(d2), phi(d1), s * density(d1) * root, density(d1) / (s * v * root)
}

func cox(x inputs) vec {
	risk, s := matvec(x["x"].rows(), x["beta"].r), complex128(0)
	for i, d := range x["died"].n {
		if d == 0 {
			continue
		}
		var others vec
		for j := range risk {
			if real(x["time"].r[j]) >= real(x["time"].r[i]) {
				others = append(others, risk[j])
			}
		}
		s += risk[i] - logsumexp(others)
	}
	return scalar(s)
}

func spline(x inputs) vec {
	s, k := complex128(0), x["knots"].r
	for j, at := range x["x"].r {
		i := 0
		for i+2 < len(k) && real(k[i+1]) <= real(at) {
			i++
		}
		// The cubic through the values with the slopes, by divided differences.
		h := k[i+1] - k[i]
		m0, m1 := x["slope"].r[i], x["slope"].r[i+1]
		y0, y1 := x["y"].r[i], x["y"].r[i+1]
		d := (y1 - y0) / h
		c2, c3 := (3*d-2*m0-m1)/h, (m0+m1-2*d)/(h*h)
		u := at - k[i]
		e := y0 + u*(m0+u*(c2+u*c3)) - x["seen"].r[j]
		s += e * e
	}
	return scalar(s / complex(float64(len(x["x"].r)), 0))
}

// hmm adds the probabilities of all ways through the states.
func hmm(x inputs) vec {
	begin, trans, emit := softmax(x["begin"].r), each(softmax, x["trans"].rows()), each(softmax, x["emit"].rows())
	seen, total := x["seen"].n, complex128(0)
	var walk func(i, s int, p complex128)
	walk = func(i, s int, p complex128) {
		p *= emit[s][seen[i]]
		if i+1 == len(seen) {
			total += p
			return
		}
		for k := range begin {
			walk(i+1, k, p*trans[s][k])
		}
	}
	for s := range begin {
		walk(0, s, begin[s])
	}
	return scalar(cmplx.Log(total))
}

// kalman is the likelihood of positions by their common distribution: they are Gaussian.
func kalman(x inputs) vec {
	n, dt := len(x["z"].r), x["dt"].r[0]
	q, r := cmplx.Exp(x["q"].r[0]), cmplx.Exp(x["r"].r[0])
	f := []vec{{1, dt}, {0, 1}}
	noise := []vec{{q * dt * dt * dt / 3, q * dt * dt / 2}, {q * dt * dt / 2, q * dt}}
	p := []vec{{10, 0}, {0, 10}}
	a := make([]vec, n)
	for i := range a {
		a[i] = make(vec, n+1)
		a[i][n] = x["z"].r[i]
	}
	for i := range n {
		p = matmul(matmul(f, p), transposed(f))
		for k := range p {
			p[k] = add(p[k], noise[k])
		}
		c := p
		for j := i; j < n; j++ {
			a[i][j], a[j][i] = c[0][0], c[0][0]
			c = matmul(f, c)
		}
		a[i][i] += r
	}
	return scalar(gaussian(a))
}

var processSizes = map[string]int64{"n": 6, "d": 2}

var processIn = inputs{"x": made(1, 6, 2), "y": made(2, 6), "scale": one(0.1), "width": one(-0.2), "noise": one(-2)}

// process is the likelihood of a Gaussian process by elimination.
func process(x inputs) vec {
	n := len(x["y"].r)
	a := make([]vec, n)
	for i, p := range x["x"].rows() {
		for j, q := range x["x"].rows() {
			z := cmplx.Exp(x["scale"].r[0] - apart(p, q)/(2*cmplx.Exp(2*x["width"].r[0])))
			if i == j {
				z += cmplx.Exp(x["noise"].r[0])
			}
			a[i] = append(a[i], z)
		}
		a[i] = append(a[i], x["y"].r[i])
	}
	return scalar(gaussian(a))
}

// sinkhorn scales the rows and columns of a matrix in turn.
func sinkhorn(x inputs) vec {
	a, b, eps := x["a"].r, x["b"].r, x["eps"].r[0]
	cost := make([]vec, len(a))
	k := make([]vec, len(a))
	for i, p := range x["x"].rows() {
		for _, q := range x["y"].rows() {
			cost[i] = append(cost[i], apart(p, q))
			k[i] = append(k[i], cmplx.Exp(-apart(p, q)/eps))
		}
	}
	u, v := make(vec, len(a)), make(vec, len(b))
	for j := range v {
		v[j] = 1
	}
	for range 20 {
		for i, z := range matvec(k, v) {
			u[i] = a[i] / z
		}
		for j, z := range matvec(transposed(k), u) {
			v[j] = b[j] / z
		}
	}
	s := complex128(0)
	for i := range a {
		for j := range b {
			s += u[i] * k[i][j] * v[j] * cost[i][j]
		}
	}
	return scalar(s)
}

// gaussian is the log-density of a Gaussian at a point: a holds the covariance, and the point as
// one more column.
func gaussian(a []vec) complex128 {
	n := len(a)
	s := complex(-float64(n)/2*math.Log(2*math.Pi), 0)
	for k := range a {
		s -= cmplx.Log(a[k][k])/2 + a[k][n]*a[k][n]/a[k][k]/2
		for i := k + 1; i < n; i++ {
			a[i] = add(a[i], scale(-a[i][k]/a[k][k], a[k]))
		}
	}
	return s
}
