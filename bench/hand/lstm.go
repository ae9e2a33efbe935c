package hand

import "math"

// LSTM is the diagonal long short-term memory of ADBench with L layers of width B, on
// C steps seq[C, B], by mp[2 L, 4 B] and extra[3, B]; state[2 L, B] is that before.
func LSTM(table bool, L, C, B int, mp, extra, state, seq []float64) Func {
	iw, ow, ob := extra[:B], extra[B:2*B], extra[2*B:]
	// per step and layer: gates f,i,o,g (4B), tanh(c) (B); states h,c before the step (2B)
	gates := make([]float64, C*L*5*B)
	st := make([]float64, (C+1)*L*2*B)
	y := make([]float64, C*B)
	xin := make([]float64, B)
	arg, ey := make([]float64, 4*B), make([]float64, B)
	// forward; when keep is false everything is written to the slots of step 0 and 1
	fwd := func(keep bool) float64 {
		copy(st, state)
		total := 0.0
		for t := 0; t < C-1; t++ {
			ti, to := t, t+1
			if !keep {
				ti, to = t&1, (t+1)&1
			}
			x := xin
			for j, v := range seq[t*B : (t+1)*B] {
				x[j] = v * iw[j]
			}
			for l := 0; l < L; l++ {
				P := mp[l*8*B : (l+1)*8*B]
				wf, wi, wo, wc := P[:B], P[B:2*B], P[2*B:3*B], P[3*B:4*B]
				bf, bi, bo, bc := P[4*B:5*B], P[5*B:6*B], P[6*B:7*B], P[7*B:8*B]
				so, sn := st[(ti*L+l)*2*B:][:2*B], st[(to*L+l)*2*B:][:2*B]
				G := gates[(ti*L+l)*5*B:][:5*B]
				h, c, hn, cn := so[:B], so[B:], sn[:B], sn[B:]
				f, i, o, g, tc := G[:B], G[B:2*B], G[2*B:3*B], G[3*B:4*B], G[4*B:]
				if table {
					a := arg
					for j := 0; j < B; j++ {
						a[j] = x[j]*wf[j] + bf[j]
						a[B+j] = h[j]*wi[j] + bi[j]
						a[2*B+j] = x[j]*wo[j] + bo[j]
						a[3*B+j] = 2 * (h[j]*wc[j] + bc[j])
					}
					exp(table, a, a, -1, 0)
					for j := range a {
						G[j] = 1 / (1 + a[j])
					}
					for j := range g {
						g[j] = 2*g[j] - 1
						cn[j] = c[j]*f[j] + i[j]*g[j]
					}
					exp(table, tc, cn, -2, 0)
					for j := range tc {
						tc[j] = 2/(1+tc[j]) - 1
						hn[j] = o[j] * tc[j]
					}
				} else {
					for j := 0; j < B; j++ {
						fj := 1 / (1 + math.Exp(-(x[j]*wf[j] + bf[j])))
						ij := 1 / (1 + math.Exp(-(h[j]*wi[j] + bi[j])))
						oj := 1 / (1 + math.Exp(-(x[j]*wo[j] + bo[j])))
						gj := math.Tanh(h[j]*wc[j] + bc[j])
						cj := c[j]*fj + ij*gj
						tj := math.Tanh(cj)
						f[j], i[j], o[j], g[j], tc[j] = fj, ij, oj, gj, tj
						cn[j] = cj
						hn[j] = oj * tj
					}
				}
				x = hn
			}
			yt := y[t*B : (t+1)*B]
			for j, v := range x {
				yt[j] = v*ow[j] + ob[j]
			}
			exp(table, ey, yt, 1, 0)
			s := 2.0
			for _, v := range ey {
				s += v
			}
			lse := math.Log(s)
			is := 1 / s
			gold := seq[(t+1)*B : (t+2)*B]
			sg := 0.0
			for j, v := range gold {
				total += v * (yt[j] - lse)
				sg += v
			}
			if keep {
				for j, v := range gold {
					yt[j] = v - sg*is*ey[j]
				}
			}
		}
		return -total / float64((C-1)*B)
	}
	out := make([]float64, len(mp)+3*B)
	gm, giw, gow, gob := out[:len(mp)], out[len(mp):len(mp)+B], out[len(mp)+B:len(mp)+2*B], out[len(mp)+2*B:]
	dh, dc := make([]float64, L*B), make([]float64, L*B)
	dx := make([]float64, B)
	grad := func() (float64, []float64) {
		v := fwd(true)
		clear(out)
		clear(dh)
		clear(dc)
		k := -1 / float64((C-1)*B)
		for t := C - 2; t >= 0; t-- {
			yt := y[t*B : (t+1)*B]
			ht := st[((t+1)*L+L-1)*2*B:][:B]
			clear(dx)
			for j, v := range yt {
				d := k * v
				gow[j] += d * ht[j]
				gob[j] += d
				dx[j] = d * ow[j]
			}
			for l := L - 1; l >= 0; l-- {
				P, Q := mp[l*8*B:(l+1)*8*B], gm[l*8*B:(l+1)*8*B]
				wf, wi, wo, wc := P[:B], P[B:2*B], P[2*B:3*B], P[3*B:4*B]
				gwf, gwi, gwo, gwc := Q[:B], Q[B:2*B], Q[2*B:3*B], Q[3*B:4*B]
				gbf, gbi, gbo, gbc := Q[4*B:5*B], Q[5*B:6*B], Q[6*B:7*B], Q[7*B:8*B]
				so := st[(t*L+l)*2*B:][:2*B]
				G := gates[(t*L+l)*5*B:][:5*B]
				h, c := so[:B], so[B:]
				f, i, o, g, tc := G[:B], G[B:2*B], G[2*B:3*B], G[3*B:4*B], G[4*B:]
				dhl, dcl := dh[l*B:(l+1)*B], dc[l*B:(l+1)*B]
				var x []float64
				if l > 0 {
					x = st[((t+1)*L+l-1)*2*B:][:B]
				} else {
					x = xin
					for j, v := range seq[t*B : (t+1)*B] {
						x[j] = v * iw[j]
					}
				}
				for j := 0; j < B; j++ {
					d := dhl[j] + dx[j]
					oj, tj, fj, ij, gj := o[j], tc[j], f[j], i[j], g[j]
					e := dcl[j] + d*oj*(1-tj*tj)
					zo := d * tj * oj * (1 - oj)
					zf := e * c[j] * fj * (1 - fj)
					zi := e * gj * ij * (1 - ij)
					zg := e * ij * (1 - gj*gj)
					dcl[j] = e * fj
					gwf[j] += zf * x[j]
					gbf[j] += zf
					gwo[j] += zo * x[j]
					gbo[j] += zo
					gwi[j] += zi * h[j]
					gbi[j] += zi
					gwc[j] += zg * h[j]
					gbc[j] += zg
					dhl[j] = zi*wi[j] + zg*wc[j]
					dx[j] = zf*wf[j] + zo*wo[j]
				}
			}
			for j, v := range seq[t*B : (t+1)*B] {
				giw[j] += dx[j] * v
			}
		}
		return v, out
	}
	return Func{func() float64 { return fwd(false) }, grad}
}
