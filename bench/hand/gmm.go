package hand

import "math"

// GMM is the Gaussian mixture model of ADBench, with its sign of the prior, by
// alpha[K], mu[K, D] and icf[K, D + D(D-1)/2], of which a row is the logarithms of a
// diagonal, then the columns of a strictly lower triangle. There are N points x[N, D].
//
// Components are outside, and four points in registers; the gradient goes by the
// weighted second moments S = sum r x xᵀ of each component.
func GMM(table bool, alpha, mu, icf, x []float64, gamma float64, m int) Func {
	k := len(alpha)
	d := len(mu) / k
	g := &gmm{table: table, D: d, K: k, N: len(x) / d, S: len(icf) / k, alpha: alpha, mu: mu, icf: icf, x: x, gamma: gamma, m: m}
	g.NP = (g.N + 7) &^ 7
	g.xt = make([]float64, d*g.NP)
	g.q, g.sq = make([]float64, k*d), make([]float64, k)
	g.main = make([]float64, k*g.NP)
	g.mx, g.sum = make([]float64, g.NP), make([]float64, g.NP)
	g.out = make([]float64, k+k*d+k*g.S)
	g.ga, g.gm, g.gi = g.out[:k], g.out[k:k+k*d], g.out[k+k*d:]
	g.row, g.xc = make([]float64, g.S), make([][4]float64, d)
	g.xcT, g.wx, g.s = make([]float64, d*blk), make([]float64, d*blk), make([]float64, d*d)
	g.m1, g.acc = make([]float64, d), make([]float64, d)
	return Func{g.value, g.grad}
}

func logGammaD(a float64, p int) float64 {
	o := 0.25 * float64(p*(p-1)) * math.Log(math.Pi)
	for j := 1; j <= p; j++ {
		l, _ := math.Lgamma(a + 0.5*float64(1-j))
		o += l
	}
	return o
}

// gmm is inputs and memory.
type gmm struct {
	table             bool
	D, K, N, S        int
	alpha, mu, icf, x []float64
	gamma             float64
	m                 int
	xt                []float64 // D x NP, transposed points, NP = N rounded up to 8
	NP                int
	q                 []float64 // K x D exp(diagonal)
	sq                []float64
	main              []float64 // K x NP
	ga, gm, gi, out   []float64
	mx, sum           []float64
	row               []float64    // one component's Q, rows packed (strict lower part)
	xc                [][4]float64 // 4 centred points
	xcT, wx           []float64    // D x blk centred / weighted
	s                 []float64    // D x D
	m1, acc           []float64    // D
}

const blk = 256

func (g *gmm) prep() {
	for k := 0; k < g.K; k++ {
		g.sq[k] = 0
		for d := 0; d < g.D; d++ {
			v := g.icf[k*g.S+d]
			g.sq[k] += v
			g.q[k*g.D+d] = math.Exp(v)
		}
	}
}

// tail adds everything but the data term; with grad it also adds the gradients of those terms.
func (g *gmm) tail(s float64, grad bool) float64 {
	D, K, S := g.D, g.K, g.S
	m := vmax(g.alpha)
	t := 0.0
	for _, v := range g.alpha {
		t += math.Exp(v - m)
	}
	n := D + g.m + 1
	c := float64(n*D)*(math.Log(g.gamma)-0.5*math.Log(2)) - logGammaD(0.5*float64(n), D)
	pr, g2, fm := 0.0, g.gamma*g.gamma, float64(g.m)
	for k := 0; k < K; k++ {
		f := 0.0
		for _, v := range g.q[k*D : (k+1)*D] {
			f += v * v
		}
		for _, v := range g.icf[k*S+D : (k+1)*S] {
			f += v * v
		}
		pr += 0.5*g2*f - fm*g.sq[k]
		if grad {
			g.ga[k] -= float64(g.N) * math.Exp(g.alpha[k]-m) / t
			gi, ic := g.gi[k*S:(k+1)*S], g.icf[k*S:(k+1)*S]
			for d := 0; d < D; d++ {
				v := g.q[k*D+d]
				gi[d] += g2*v*v - fm
			}
			for j := D; j < S; j++ {
				gi[j] += g2 * ic[j]
			}
		}
	}
	return -0.5*float64(g.N*D)*math.Log(2*math.Pi) + s - float64(g.N)*(m+math.Log(t)) + pr - float64(K)*c
}

func (g *gmm) transpose() {
	for d := 0; d < g.D; d++ {
		r := g.xt[d*g.NP : (d+1)*g.NP]
		for i := 0; i < g.N; i++ {
			r[i] = g.x[i*g.D+d]
		}
	}
}

func (g *gmm) rows(k int, row []float64) {
	D := g.D
	l := g.icf[k*g.S+D : (k+1)*g.S]
	p := 0
	for a := 0; a < D; a++ {
		for b := a + 1; b < D; b++ {
			row[b*(b-1)/2+a] = l[p]
			p++
		}
	}
}

// mains computes main[k][i] for the points lo..hi (multiples of 4). Four points at a time:
// with eight the Go compiler spills accumulators in the inner loop.
func (g *gmm) mains(lo, hi int) {
	D := g.D
	for k := 0; k < g.K; k++ {
		g.rows(k, g.row)
		q, mu := g.q[k*D:(k+1)*D], g.mu[k*D:(k+1)*D]
		base := g.alpha[k] + g.sq[k]
		xc := g.xc[:D]
		for i := lo; i < hi; i += 4 {
			for d := range xc {
				x := (*[4]float64)(g.xt[d*g.NP+i:])
				o, m := &xc[d], mu[d]
				o[0], o[1], o[2], o[3] = x[0]-m, x[1]-m, x[2]-m, x[3]-m
			}
			var s0, s1, s2, s3 float64
			p := 0
			for b := range xc {
				x, qb := &xc[b], q[b]
				a0, a1, a2, a3 := qb*x[0], qb*x[1], qb*x[2], qb*x[3]
				r := g.row[p : p+b]
				p += b
				xs := xc[:len(r)]
				for a, l := range r {
					x := &xs[a]
					a0 += l * x[0]
					a1 += l * x[1]
					a2 += l * x[2]
					a3 += l * x[3]
				}
				s0 += a0 * a0
				s1 += a1 * a1
				s2 += a2 * a2
				s3 += a3 * a3
			}
			o := (*[4]float64)(g.main[k*g.NP+i:])
			o[0], o[1], o[2], o[3] = base-0.5*s0, base-0.5*s1, base-0.5*s2, base-0.5*s3
		}
	}
}

// softmax turns main into exp(main-max) and sums log-sum-exp over the points lo..hi.
func (g *gmm) softmax(lo, hi int, grad bool) float64 {
	NP := g.NP
	mx, sum := g.mx[lo:hi], g.sum[lo:hi]
	copy(mx, g.main[lo:hi])
	for k := 1; k < g.K; k++ {
		for i, v := range g.main[k*NP+lo : k*NP+hi] {
			if v > mx[i] {
				mx[i] = v
			}
		}
	}
	clear(sum)
	for k := 0; k < g.K; k++ {
		m := g.main[k*NP+lo : k*NP+hi]
		for i, v := range mx {
			m[i] -= v
		}
		exp(g.table, m, m, 1, 0)
		for i, v := range m {
			sum[i] += v
		}
	}
	s := 0.0
	n := min(hi, g.N) - lo
	for i, v := range sum[:max(n, 0)] {
		s += mx[i] + math.Log(v)
		sum[i] = 1 / v
	}
	if !grad {
		return s
	}
	for i := max(n, 0); i < len(sum); i++ {
		sum[i] = 0
	}
	for k := 0; k < g.K; k++ {
		m := g.main[k*NP+lo : k*NP+hi]
		for i, v := range sum {
			m[i] *= v
		}
	}
	return s
}

func (g *gmm) value() float64 {
	g.prep()
	g.transpose()
	g.mains(0, g.NP)
	return g.tail(g.softmax(0, g.NP, false), false)
}

func (g *gmm) grad() (float64, []float64) {
	g.prep()
	g.transpose()
	clear(g.out)
	g.mains(0, g.NP)
	s := g.softmax(0, g.NP, true)
	for k := range g.K {
		g.moments(k)
	}
	return g.tail(s, true), g.out
}

func (g *gmm) moments(k int) {
	D, NP := g.D, g.NP
	S := g.s
	clear(S)
	m1 := g.m1
	clear(m1)
	W := 0.0
	for i0 := 0; i0 < NP; i0 += blk {
		n := min(blk, NP-i0)
		r := g.main[k*NP+i0 : k*NP+i0+n]
		W += vsum(r)
		for d := 0; d < D; d++ {
			x, m := g.xt[d*NP+i0:][:n], g.mu[k*D+d]
			xc, wx := g.xcT[d*blk:][:n], g.wx[d*blk:][:n]
			var s0, s1 float64
			for i := 0; i+1 < len(x) && i+1 < len(r) && i+1 < len(xc) && i+1 < len(wx); i += 2 {
				t, u := x[i]-m, x[i+1]-m
				xc[i], xc[i+1] = t, u
				t *= r[i]
				u *= r[i+1]
				wx[i], wx[i+1] = t, u
				s0 += t
				s1 += u
			}
			m1[d] += s0 + s1
		}
		for b := 0; b < D; b += 2 {
			b1 := min(b+1, D-1)
			y0, y1 := g.wx[b*blk:][:n], g.wx[b1*blk:][:n]
			for a := 0; a <= b1; a += 2 {
				a1 := min(a+1, D-1)
				x0, x1 := g.xcT[a*blk:][:n], g.xcT[a1*blk:][:n]
				y1 := y1[:len(y0)]
				x0, x1 = x0[:len(y0)], x1[:len(y0)]
				var c00, c01, c10, c11 float64
				for i, u := range y0 {
					v, p, q := y1[i], x0[i], x1[i]
					c00 += u * p
					c10 += v * p
					c01 += u * q
					c11 += v * q
				}
				S[b*D+a] += c00
				if a1 != a {
					S[b*D+a1] += c01
				}
				if b1 != b {
					S[b1*D+a] += c10
					if a1 != a {
						S[b1*D+a1] += c11
					}
				}
			}
		}
	}
	for b := 0; b < D; b++ { // symmetrise from the lower part
		for a := 0; a < b; a++ {
			S[a*D+b] = S[b*D+a]
		}
	}
	// G = Q S (lower part), y = Q m1, gmu = Q' y
	row := g.row
	g.rows(k, row)
	q := g.q[k*D : (k+1)*D]
	gi, gm := g.gi[k*g.S:(k+1)*g.S], g.gm[k*D:(k+1)*D]
	g.ga[k] = W
	acc := g.acc
	p := 0
	for b := 0; b < D; b++ {
		l := row[p : p+b]
		p += b
		y := q[b] * m1[b]
		for a := 0; a <= b; a++ {
			acc[a] = q[b] * S[b*D+a]
		}
		for c, lv := range l {
			y += lv * m1[c]
			sr := S[c*D : c*D+b+1]
			ac := acc[:len(sr)]
			for a, v := range sr {
				ac[a] += lv * v
			}
		}
		gm[b] += q[b] * y
		for a, lv := range l {
			gm[a] += lv * y
			gi[D+a*(2*D-a-1)/2+b-a-1] = -acc[a]
		}
		gi[b] = W - q[b]*acc[b]
	}
}
