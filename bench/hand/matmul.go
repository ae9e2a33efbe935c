package hand

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

func general(r, c int, d []float64) blas64.General {
	return blas64.General{Rows: r, Cols: c, Stride: c, Data: d}
}

// MatMul is the sum of the squares of the product of two matrices n by n, by gonum.
func MatMul(n int, a, b []float64) Func {
	ma, mb, c := general(n, n, a), general(n, n, b), general(n, n, make([]float64, n*n))
	out := make([]float64, 2*n*n)
	ga, gb := general(n, n, out[:n*n]), general(n, n, out[n*n:])
	value := func() float64 {
		blas64.Gemm(blas.NoTrans, blas.NoTrans, 1, ma, mb, 0, c)
		s := blas64.Nrm2(blas64.Vector{N: n * n, Inc: 1, Data: c.Data})
		return s * s
	}
	grad := func() (float64, []float64) {
		v := value()
		blas64.Gemm(blas.NoTrans, blas.Trans, 2, c, mb, 0, ga)
		blas64.Gemm(blas.Trans, blas.NoTrans, 2, ma, c, 0, gb)
		return v, out
	}
	return Func{value, grad}
}
