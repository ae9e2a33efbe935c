package term_test

import (
	"math"
	"math/rand"
	"sort"
	"strings"
	"testing"

	"egad/term/eval"
	"egad/term/types"
)

// TestOneColumn: of one column of float64 running operators, sorting and searching, which have a short way
// then, make what they make of each of two columns.
func TestOneColumn(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	special := []float64{0, math.Copysign(0, -1), 1, -1, 0.1, 1e300, math.Inf(1), math.Inf(-1), math.NaN()}
	for _, op := range []string{"cumsum(a)", "cumsum(argsort(a) * 1234567890123456789)", "cumprod(a)", "linrec(a, b)", "sort(a)", "argsort(a)", "searchsorted(a, b)", "searchsorted(sort(a), b)"} {
		elem := "R"
		if strings.HasPrefix(op, "argsort") || strings.HasPrefix(op, "searchsorted") || strings.Contains(op, "(argsort") {
			elem = "I"
		}
		p := instance(t, "def f[n](a: R[n], b: R[n]): "+elem+"[n] = "+op, map[string]int64{"n": 9})
		q := instance(t, "def f[n](a: R[n, 2], b: R[n, 2]): "+elem+"[n, 2] = "+op, map[string]int64{"n": 9})
		for range 300 {
			env, twice := make(eval.Env[*eval.Value[float64]]), make(eval.Env[*eval.Value[float64]])
			for _, name := range []string{"a", "b"} {
				x := &eval.Value[float64]{Elem: types.R, Shape: []int{9}, R: make([]float64, 9)}
				xx := &eval.Value[float64]{Elem: types.R, Shape: []int{9, 2}, R: make([]float64, 18)}
				for i := range x.R {
					if x.R[i] = rng.NormFloat64(); rng.Intn(3) == 0 {
						x.R[i] = special[rng.Intn(len(special))]
					}
					xx.R[2*i], xx.R[2*i+1] = x.R[i], x.R[i]
				}
				env[name], twice[name] = x, xx
			}
			v, err := eval.Interpret(q.Store, q.Root, eval.FloatArrays(), twice)
			if err != nil {
				t.Fatal(err)
			}
			one := &eval.Value[float64]{Elem: v.Elem, Shape: []int{9}}
			for i := range 9 {
				if v.Elem == types.R {
					one.R = append(one.R, v.R[2*i])
				} else {
					one.N = append(one.N, v.N[2*i])
				}
			}
			if got, want := run(t, p, env), showFloats(one); got != want {
				t.Fatalf("%s of %v, %v is %s, and %s of two columns", op, env["a"].R, env["b"].R, got, want)
			}
		}
	}
}

// TestOrder: argsort is what a stable sort of places makes of each column, and sort what lies there.
func TestOrder(t *testing.T) {
	rng := rand.New(rand.NewSource(2))
	special := []float64{0, math.Copysign(0, -1), 1, 1, math.Inf(1), math.Inf(-1), math.NaN()}
	for range 300 {
		n, m := rng.Intn(40), 1+rng.Intn(3)
		size := map[string]int64{"n": int64(n), "m": int64(m)}
		x := &eval.Value[float64]{Elem: types.R, Shape: []int{n, m}, R: make([]float64, n*m)}
		for i := range x.R {
			if x.R[i] = rng.NormFloat64(); rng.Intn(2) == 0 {
				x.R[i] = special[rng.Intn(len(special))]
			}
		}
		order := &eval.Value[float64]{Elem: types.I, Shape: x.Shape, N: make([]int64, n*m)}
		sorted := &eval.Value[float64]{Elem: types.R, Shape: x.Shape, R: make([]float64, n*m)}
		for k := range m {
			at := make([]int, n)
			for i := range at {
				at[i] = i
			}
			sort.SliceStable(at, func(i, j int) bool {
				a, b := x.R[at[i]*m+k], x.R[at[j]*m+k]
				return a < b || b != b && a == a
			})
			for i, from := range at {
				order.N[i*m+k], sorted.R[i*m+k] = int64(from), x.R[from*m+k]
			}
		}
		env := eval.Env[*eval.Value[float64]]{"a": x}
		if got := run(t, instance(t, "def f[n, m](a: R[n, m]): I[n, m] = argsort a", size), env); got != showFloats(order) {
			t.Fatalf("argsort %s is %s, expected %s", showFloats(x), got, showFloats(order))
		}
		if got := run(t, instance(t, "def f[n, m](a: R[n, m]): R[n, m] = sort a", size), env); got != showFloats(sorted) {
			t.Fatalf("sort %s is %s, expected %s", showFloats(x), got, showFloats(sorted))
		}
	}
}
