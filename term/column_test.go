package term

import (
	"math"
	"math/rand"
	"strings"
	"testing"
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
			env, twice := make(Env[*Value[float64]]), make(Env[*Value[float64]])
			for _, name := range []string{"a", "b"} {
				x := &Value[float64]{Elem: R, Shape: []int{9}, R: make([]float64, 9)}
				xx := &Value[float64]{Elem: R, Shape: []int{9, 2}, R: make([]float64, 18)}
				for i := range x.R {
					if x.R[i] = rng.NormFloat64(); rng.Intn(3) == 0 {
						x.R[i] = special[rng.Intn(len(special))]
					}
					xx.R[2*i], xx.R[2*i+1] = x.R[i], x.R[i]
				}
				env[name], twice[name] = x, xx
			}
			v, err := Interpret(q.Store, q.Root, FloatArrays(), twice)
			if err != nil {
				t.Fatal(err)
			}
			one := &Value[float64]{Elem: v.Elem, Shape: []int{9}}
			for i := range 9 {
				if v.Elem == R {
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
