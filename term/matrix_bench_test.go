package term_test

import (
	"fmt"
	"math/rand"
	"testing"

	"egad/internal/slice"
	"egad/term/eval"
	"egad/term/ops"
	"egad/term/types"
)

// BenchmarkMatrices solves systems of many sizes, some of which lie next to each other and some
// of which take turns element by element.
func BenchmarkMatrices(b *testing.B) {
	for _, sym := range []ops.Sym{ops.SymSolve, ops.SymSolvet, ops.SymCholesky, ops.SymTrisolve, ops.SymTrisolvet, ops.SymLogdet, ops.SymLu, ops.SymLusolve, ops.SymLusolvet, ops.SymLulogdet} {
		for _, n := range []int{1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 100, 200} {
			for _, shape := range [][]int{{n, 1, 40}, {n, 1}, {n, 8}} {
				rest := shape[2:]
				left := randomArray(append([]int{n, n}, rest...))
				for i := range n { // positive definite
					for k := range slice.Product(rest) {
						left.R[(i*n+i)*slice.Product(rest)+k] += float64(n)
					}
				}
				operands, result := []*eval.Value[float64]{left, randomArray(shape)}, randomArray(shape)
				factors := randomArray(append([]int{n, n + 1}, rest...))
				switch sym {
				case ops.SymLusolve, ops.SymLusolvet, ops.SymLulogdet:
					if err := eval.NewFilling(ops.Op{Sym: ops.SymLu}, factors, operands[:1]).Run(); err != nil {
						b.Fatal(err)
					}
					operands[0] = factors
				}
				switch sym {
				case ops.SymCholesky:
					operands, result = operands[:1], randomArray(left.Shape)
				case ops.SymLogdet, ops.SymLulogdet:
					operands, result = operands[:1], randomArray(rest)
				case ops.SymLu:
					operands, result = operands[:1], factors
				}
				f := eval.NewFilling(ops.Op{Sym: sym}, result, operands)
				b.Run(fmt.Sprintf("%s %v", ops.Builtin(sym).Name, shape), func(b *testing.B) {
					b.ReportAllocs()
					for range b.N {
						if err := f.Run(); err != nil {
							b.Fatal(err)
						}
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*slice.Product(rest)), "ns/matrix")
				})
			}
		}
	}
}

func randomArray(shape []int) *eval.Value[float64] {
	v := &eval.Value[float64]{Elem: types.R, Shape: shape, R: make([]float64, slice.Product(shape))}
	for i := range v.R {
		v.R[i] = rand.NormFloat64()
	}
	return v
}
