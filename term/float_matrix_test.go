package term_test

import (
	"math"
	"math/rand"
	"slices"
	"testing"

	"egad/internal/slice"
	"egad/term/eval"
	"egad/term/ops"
	"egad/term/types"

	"gonum.org/v1/gonum/blas"
	lapack "gonum.org/v1/gonum/lapack/gonum"
)

// system is a matrix of n rows with a right side of m columns, as LAPACK takes them.
type system struct {
	a, b    []float64
	n, w, m int
	at      []int
	y       []float64
}

// About as many rows have small matrices, elements long rows, and columns few, where the ways part.
const small, long, few = 64, 12, 8

// byLAPACK are the operators on matrices of float64 as LAPACK has them.
var byLAPACK = map[ops.Sym]func(x system) ([]float64, bool){
	ops.SymCholesky: func(x system) ([]float64, bool) {
		for i := range x.n {
			clear(x.a[i*x.n+i+1 : i*x.n+x.n])
		}
		return x.a, lapack.Implementation{}.Dpotrf(blas.Lower, x.n, x.a, x.n)
	},
	ops.SymTrisolve: func(x system) ([]float64, bool) {
		return x.b, lapack.Implementation{}.Dtrtrs(blas.Lower, blas.NoTrans, blas.NonUnit, x.n, x.m, x.a, x.n, x.b, x.m)
	},
	ops.SymTrisolvet: func(x system) ([]float64, bool) {
		return x.b, lapack.Implementation{}.Dtrtrs(blas.Lower, blas.Trans, blas.NonUnit, x.n, x.m, x.a, x.n, x.b, x.m)
	},
	ops.SymSolve: func(x system) ([]float64, bool) {
		ok := lapack.Implementation{}.Dgetrf(x.n, x.n, x.a, x.n, x.at)
		if ok {
			lapack.Implementation{}.Dgetrs(blas.NoTrans, x.n, x.m, x.a, x.n, x.at, x.b, x.m)
		}
		return x.b, ok
	},
	ops.SymSolvet: func(x system) ([]float64, bool) {
		ok := lapack.Implementation{}.Dgetrf(x.n, x.n, x.a, x.n, x.at)
		if ok {
			lapack.Implementation{}.Dgetrs(blas.Trans, x.n, x.m, x.a, x.n, x.at, x.b, x.m)
		}
		return x.b, ok
	},
	ops.SymLogdet: func(x system) ([]float64, bool) {

		if !(lapack.Implementation{}).Dgetrf(x.n, x.n, x.a, x.n, x.at) {
			return []float64{math.Inf(-1)}, true
		}
		sum, sign := 0.0, 1.0
		for i, j := range x.at {
			u := x.a[i*x.n+i]
			if u < 0 != (i != j) {
				sign = -sign
			}
			sum += math.Log(math.Abs(u))
		}
		return []float64{sum}, sign > 0
	},
}

// Small matrices are taken apart without LAPACK, to the same results, with NaN and infinities in
// the same places.
func TestSmallMatrices(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	hostile := []float64{0, 0, 1, -1, 2, math.NaN(), math.Inf(1), math.Inf(-1)}
	for trial := range 3000 {
		n, m := 1+rng.Intn(6), 1+rng.Intn(3)
		if trial%100 == 0 {
			n, m = small-10+rng.Intn(12), 1+rng.Intn(2*long)
		}
		odds, sparse := 3, trial%20 == 1
		if sparse { // and large
			n, m = 48+rng.Intn(3*(small-48)), 1+rng.Intn(2)
			odds = n * n
		}
		rest := []int{1, 3}[trial/2%2]
		most := 5 + rng.Intn(2)
		number := func() float64 {
			if trial%2 > 0 && rng.Intn(odds) == 0 {
				return hostile[rng.Intn(most)]
			}
			if sparse && rng.Intn(8) > 0 {
				return 0
			}
			return rng.NormFloat64()
		}
		a := &eval.Value[float64]{Elem: types.R, Shape: []int{n, n, rest}, R: make([]float64, n*n*rest)}
		b := &eval.Value[float64]{Elem: types.R, Shape: []int{n, m, rest}, R: make([]float64, n*m*rest)}
		for i := range a.R {
			a.R[i] = number()
		}
		most += 2 // infinities
		odds = min(odds, 3*n)
		for i := range b.R {
			b.R[i] = number()
		}
		for i := range n {
			for k := range rest {
				if sparse || rng.Intn(2) > 0 {
					a.R[(i*n+i)*rest+k] += float64(n)
				}
			}
		}
		for sym, want := range byLAPACK {
			operands, cols := []*eval.Value[float64]{a, b}, m
			if ops.Builtin(sym).Arity == 1 {
				operands, cols = operands[:1], n
			}
			result := &eval.Value[float64]{Elem: types.R, Shape: []int{n, cols, rest}}
			if sym == ops.SymLogdet {
				result.Shape = []int{rest}
			}
			result.R = make([]float64, slice.Product(result.Shape))
			if err := eval.NewFilling(ops.Op{Sym: sym}, result, operands).Run(); err != nil {
				t.Fatal(err)
			}
			for k := range rest {
				x := system{a: make([]float64, n*n), b: make([]float64, n*m), n: n, w: n, m: m, at: make([]int, n), y: make([]float64, 1)}
				slice.Strided(x.a, a.R, k, rest)
				slice.Strided(x.b, b.R, k, rest)
				out, ok := want(x)
				for i := k; i < len(result.R); i += rest {
					w := math.NaN()
					if ok {
						w = out[i/rest]
					}
					if got := result.R[i]; got != w && !(math.Abs(got-w) <= 1e-6*(1+math.Abs(w))) && (got == got || w == w) {
						t.Fatalf("%s of %d x %d and %d columns: element %d is %v, by LAPACK %v\n%v\n%v\n%v\n%v",
							ops.Builtin(sym).Name, n, n, m, i/rest, got, w, a.R, b.R, result.R, out)
					}
				}
			}
		}
	}
}

// TestColumns: a column has the same bits by itself as among others, by LAPACK.
func TestColumns(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	hostile := []float64{0, math.Copysign(0, -1), 1, -1, math.NaN(), math.Inf(1), math.Inf(-1), 1e300}
	for trial := range 60 {
		n, m := small+1+rng.Intn(60), 1+rng.Intn(few)
		a, b := make([]float64, n*n), make([]float64, n*m)
		for _, x := range [][]float64{a, b} {
			for i := range x {
				if x[i] = rng.NormFloat64(); trial%3 == 0 && rng.Intn(40) == 0 {
					x[i] = hostile[rng.Intn(len(hostile))]
				}
			}
		}
		for i := range n {
			a[i*n+i] = 3 + rng.Float64()
		}
		for _, sym := range []ops.Sym{ops.SymTrisolve, ops.SymTrisolvet, ops.SymSolve, ops.SymSolvet} {
			got := make([]float64, n*m)
			is := func(m int, x []float64) *eval.Value[float64] {
				return &eval.Value[float64]{Elem: types.R, Shape: []int{n, m}, R: x}
			}
			if err := eval.NewFilling(ops.Op{Sym: sym}, is(m, got), []*eval.Value[float64]{is(n, a), is(m, b)}).Run(); err != nil {
				t.Fatal(err)
			}
			want, ok := byLAPACK[sym](system{slices.Clone(a), slices.Clone(b), n, n, m, make([]int, n), make([]float64, n*m)})
			for i, w := range want {
				if !ok {
					w = math.NaN()
				}
				if math.Float64bits(got[i]) != math.Float64bits(w) && !(math.IsNaN(got[i]) && math.IsNaN(w)) {
					t.Fatalf("%v of %d x %d, %d columns: element %d is %v, want %v", sym, n, n, m, i, got[i], w)
				}
			}
		}
	}
}

// TestFactors: what is computed of the factors of a matrix has the bits of what is computed of the matrix.
func TestFactors(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	hostile := []float64{0, 0, 1, -1, 2, math.NaN(), math.Inf(1), math.Inf(-1)}
	for trial := range 600 {
		n, m := 1+rng.Intn(6), 1+rng.Intn(3)
		if trial%20 == 0 {
			n, m = small-10+rng.Intn(80), 1+rng.Intn(2*few)
		}
		rest := []int{1, 3}[trial/2%2]
		array := func(shape ...int) *eval.Value[float64] {
			v := &eval.Value[float64]{Elem: types.R, Shape: shape, R: make([]float64, slice.Product(shape))}
			for i := range v.R {
				if v.R[i] = rng.NormFloat64(); trial%3 == 0 && rng.Intn(n*n) == 0 {
					v.R[i] = hostile[rng.Intn(len(hostile))]
				}
			}
			return v
		}
		apply := func(sym ops.Sym, shape []int, operands ...*eval.Value[float64]) *eval.Value[float64] {
			out := &eval.Value[float64]{Elem: types.R, Shape: shape, R: make([]float64, slice.Product(shape))}
			if err := eval.NewFilling(ops.Op{Sym: sym}, out, operands).Run(); err != nil {
				t.Fatal(err)
			}
			return out
		}
		a, b := array(n, n, rest), array(n, m, rest)
		if trial%7 == 0 { // equal rows
			copy(a.R[(n-1)*n*rest:], a.R[:n*rest])
		}
		factors := apply(ops.SymLu, []int{n, n + 1, rest}, a)
		for _, of := range []struct {
			whole, factored ops.Sym
			right           []*eval.Value[float64]
			shape           []int
		}{
			{ops.SymSolve, ops.SymLusolve, []*eval.Value[float64]{b}, b.Shape},
			{ops.SymSolvet, ops.SymLusolvet, []*eval.Value[float64]{b}, b.Shape},
			{ops.SymLogdet, ops.SymLulogdet, nil, []int{rest}},
		} {
			want := apply(of.whole, of.shape, append([]*eval.Value[float64]{a}, of.right...)...)
			got := apply(of.factored, of.shape, append([]*eval.Value[float64]{factors}, of.right...)...)
			for i, w := range want.R {
				if g := got.R[i]; math.Float64bits(g) != math.Float64bits(w) && (g == g || w == w) {
					t.Fatalf("%s of %d x %d and %d columns: element %d is %v, and %s has %v\n%v\n%v",
						ops.Builtin(of.factored).Name, n, n, m, i, g, ops.Builtin(of.whole).Name, w, a.R, factors.R)
				}
			}
		}
	}
}
