package hand

import "math"

// rot holds the rotation of one camera and its derivatives: R v and dR/dr_j v are linear in v.
type rot struct {
	R [9]float64
	M [3][9]float64
}

func (o *rot) set(r []float64, grad bool) {
	r0, r1, r2 := r[0], r[1], r[2]
	t2 := r0*r0 + r1*r1 + r2*r2
	if t2 == 0 {
		o.R = [9]float64{1, -r2, r1, r2, 1, -r0, -r1, r0, 1}
		o.M = [3][9]float64{{0, 0, 0, 0, 0, -1, 0, 1, 0}, {0, 0, 1, 0, 0, 0, -1, 0, 0}, {0, -1, 0, 1, 0, 0, 0, 0, 0}}
		return
	}
	th := math.Sqrt(t2)
	s, c := math.Sincos(th)
	it := 1 / th
	n := [3]float64{r0 * it, r1 * it, r2 * it}
	K := [9]float64{0, -n[2], n[1], n[2], 0, -n[0], -n[1], n[0], 0}
	c1 := 1 - c
	for a := 0; a < 3; a++ {
		for b := 0; b < 3; b++ {
			o.R[3*a+b] = s*K[3*a+b] + c1*n[a]*n[b]
		}
		o.R[4*a] += c
	}
	if !grad {
		return
	}
	si, ci := s*it, c1*it
	for j := 0; j < 3; j++ {
		nj := n[j]
		m := &o.M[j]
		// d/dr_j of c I + s [n] + (1-c) n n', with dn = (e_j - n nj)/th
		for a := 0; a < 3; a++ {
			for b := 0; b < 3; b++ {
				m[3*a+b] = nj * ((c-si)*K[3*a+b] + (s-2*ci)*n[a]*n[b])
			}
		}
		for a := 0; a < 3; a++ {
			m[4*a] -= nj * s
			m[3*a+j] += ci * n[a]
			m[3*j+a] += ci * n[a]
		}
		a, b := (j+1)%3, (j+2)%3
		m[3*a+b] -= si // [e_j]x
		m[3*b+a] += si
	}
}

func mv(m *[9]float64, x, y, z float64) (float64, float64, float64) {
	return m[0]*x + m[1]*y + m[2]*z, m[3]*x + m[4]*y + m[5]*z, m[6]*x + m[7]*y + m[8]*z
}

// BundleRow is how many numbers of the Jacobian an observation has.
const BundleRow = 31

// Bundle has the errors of bundle adjustment, as in ADBench: two for each of the p
// observations, weighted, and 1 - w². Its value is their sum, and its gradient are the
// rows of the Jacobian that are not zeros, for each observation two of 15 numbers, by
// a camera (11), a point (3) and the weight, and the derivative of 1 - w².
//
// The rotation of each camera is made once.
func Bundle(cams, X, weights, ft []float64, obs []int64) Func {
	n, p := len(cams)/11, len(weights)
	err := make([]float64, 3*p)
	J := make([]float64, BundleRow*p)
	rots := make([]rot, n)
	run := func(grad bool) {
		for i := range rots {
			rots[i].set(cams[11*i:], grad)
		}
		for i := range p {
			cam := (*[11]float64)(cams[11*obs[2*i]:])
			x := (*[3]float64)(X[3*obs[2*i+1]:])
			R := &rots[obs[2*i]]
			v0, v1, v2 := x[0]-cam[3], x[1]-cam[4], x[2]-cam[5]
			c0, c1, c2 := mv(&R.R, v0, v1, v2)
			iz := 1 / c2
			px, py := c0*iz, c1*iz
			q := px*px + py*py
			f, k1, k2, w := cam[6], cam[9], cam[10], weights[i]
			lr := 1 + q*(k1+k2*q)
			ux, uy := lr*px, lr*py
			rx, ry := f*ux+cam[7]-ft[2*i], f*uy+cam[8]-ft[2*i+1]
			err[2*i], err[2*i+1] = w*rx, w*ry
			err[2*p+i] = 1 - w*w
			if !grad {
				continue
			}
			j := (*[BundleRow]float64)(J[BundleRow*i:])
			dl := 2 * (k1 + 2*k2*q)
			wf := w * f
			axx, axy, ayy := wf*(lr+dl*px*px), wf*dl*px*py, wf*(lr+dl*py*py)
			a0, a1 := axx*iz, axy*iz
			a2 := -(a0*px + a1*py)
			b0, b1 := axy*iz, ayy*iz
			b2 := -(b0*px + b1*py)
			for k := 0; k < 3; k++ {
				d0, d1, d2 := mv(&R.M[k], v0, v1, v2)
				j[k] = a0*d0 + a1*d1 + a2*d2
				j[15+k] = b0*d0 + b1*d1 + b2*d2
				g := a0*R.R[k] + a1*R.R[3+k] + a2*R.R[6+k]
				h := b0*R.R[k] + b1*R.R[3+k] + b2*R.R[6+k]
				j[3+k], j[11+k], j[18+k], j[26+k] = -g, g, -h, h
			}
			j[6], j[21] = w*ux, w*uy
			j[7], j[8], j[22], j[23] = w, 0, 0, w
			j[9], j[24] = wf*q*px, wf*q*py
			j[10], j[25] = wf*q*q*px, wf*q*q*py
			j[14], j[29] = rx, ry
			j[30] = -2 * w
		}
	}
	return Func{func() float64 { run(false); return vsum(err) }, func() (float64, []float64) { run(true); return vsum(err), J }}
}
