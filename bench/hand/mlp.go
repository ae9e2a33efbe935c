package hand

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// MLP is the mean cross-entropy of B examples x[B, I] with labels, of a network
// softmax (relu (x w1 + b1) w2 + b2), by w1[I, H], b1, w2[H, O] and b2.
func MLP(x []float64, lab []int64, w1, b1, w2, b2 []float64) Func {
	B, H, O := len(lab), len(b1), len(b2)
	I := len(x) / B
	mx, m1, m2 := general(B, I, x), general(I, H, w1), general(H, O, w2)
	h, z := general(B, H, make([]float64, B*H)), general(B, O, make([]float64, B*O))
	dh := general(B, H, make([]float64, B*H))
	out := make([]float64, I*H+H+H*O+O)
	gw1, gb1 := general(I, H, out[:I*H]), out[I*H:I*H+H]
	gw2, gb2 := general(H, O, out[I*H+H:I*H+H+H*O]), out[I*H+H+H*O:]
	run := func(grad bool) float64 {
		for i := 0; i < B; i++ {
			copy(h.Data[i*H:(i+1)*H], b1)
			copy(z.Data[i*O:(i+1)*O], b2)
		}
		blas64.Gemm(blas.NoTrans, blas.NoTrans, 1, mx, m1, 1, h)
		for i, v := range h.Data {
			h.Data[i] = max(v, 0)
		}
		blas64.Gemm(blas.NoTrans, blas.NoTrans, 1, h, m2, 1, z)
		s := 0.0
		for i := 0; i < B; i++ {
			r := z.Data[i*O : (i+1)*O]
			m := vmax(r)
			zl := r[lab[i]]
			e := 0.0
			for j, v := range r {
				r[j] = math.Exp(v - m)
				e += r[j]
			}
			s += m + math.Log(e) - zl
			if grad {
				f := 1 / (e * float64(B))
				for j := range r {
					r[j] *= f
				}
				r[lab[i]] -= 1 / float64(B)
			}
		}
		return s / float64(B)
	}
	return Func{func() float64 { return run(false) }, func() (float64, []float64) {
		v := run(true)
		clear(gb1)
		clear(gb2)
		blas64.Gemm(blas.Trans, blas.NoTrans, 1, h, z, 0, gw2)
		blas64.Gemm(blas.NoTrans, blas.Trans, 1, z, m2, 0, dh)
		for i := 0; i < B; i++ {
			hr, dr := h.Data[i*H:(i+1)*H], dh.Data[i*H:(i+1)*H]
			for j, v := range hr {
				if v <= 0 {
					dr[j] = 0
				}
				gb1[j] += dr[j]
			}
			for j, v := range z.Data[i*O : (i+1)*O] {
				gb2[j] += v
			}
		}
		blas64.Gemm(blas.Trans, blas.NoTrans, 1, mx, dh, 0, gw1)
		return v, out
	}}
}
