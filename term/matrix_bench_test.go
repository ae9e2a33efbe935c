package term

import (
	"fmt"
	"math/rand"
	"testing"

	"egad/internal/slice"
)

// BenchmarkMatrices solves systems of many sizes, some of which lie next to each other and some
// of which take turns element by element.
func BenchmarkMatrices(b *testing.B) {
	for _, sym := range []Sym{SymSolve, SymSolvet, SymCholesky, SymTrisolve, SymTrisolvet, SymLogdet, SymLu, SymLusolve, SymLusolvet, SymLulogdet} {
		for _, n := range []int{1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 100, 200} {
			for _, shape := range [][]int{{n, 1, 40}, {n, 1}, {n, 8}} {
				rest := shape[2:]
				left := randomArray(append([]int{n, n}, rest...))
				for i := range n { // positive definite
					for k := range slice.Product(rest) {
						left.R[(i*n+i)*slice.Product(rest)+k] += float64(n)
					}
				}
				operands, result := []*Value[float64]{left, randomArray(shape)}, randomArray(shape)
				factors := randomArray(append([]int{n, n + 1}, rest...))
				switch sym {
				case SymLusolve, SymLusolvet, SymLulogdet:
					if err := NewFilling(Op{Sym: SymLu}, factors, operands[:1]).Run(); err != nil {
						b.Fatal(err)
					}
					operands[0] = factors
				}
				switch sym {
				case SymCholesky:
					operands, result = operands[:1], randomArray(left.Shape)
				case SymLogdet, SymLulogdet:
					operands, result = operands[:1], randomArray(rest)
				case SymLu:
					operands, result = operands[:1], factors
				}
				f := NewFilling(Op{Sym: sym}, result, operands)
				b.Run(fmt.Sprintf("%s %v", Builtin(sym).Name, shape), func(b *testing.B) {
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

func randomArray(shape []int) *Value[float64] {
	v := &Value[float64]{Elem: R, Shape: shape, R: make([]float64, slice.Product(shape))}
	for i := range v.R {
		v.R[i] = rand.NormFloat64()
	}
	return v
}
