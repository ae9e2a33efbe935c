package kernel_test

import (
	"fmt"
	"math"
	"math/rand"
	"testing"

	"egad/fusion"
	"egad/kernel/kerneltest"
	"egad/kernel/machine"
	"egad/term/eval"
)

// positions are searches along rows and columns, in one matrix and in numbers that are computed.
var positions = []string{
	`def f(a: R[%[1]d, %[2]d]): (I[%[1]d], I[%[1]d]) = (build %[1]d (\i -> argmin a[i]), build %[1]d (\i -> argmax a[i]))`,
	`def f(a: R[%[1]d, %[2]d]): (I[%[2]d], I[%[2]d]) = (argmin a, argmax a)`,
	`def f(a: R[%[1]d, %[2]d]): (I[%[2]d], R[%[2]d]) = (argmin (a * a), minimum (a * a))`,
	`def f(a: R[%[1]d, %[2]d], b: R[%[2]d]): (I[%[1]d], R) = (build %[1]d (\i -> argmax (build %[2]d (\j -> a[i, j] - b[j]))), maximum b)`,
	`def f(a: R[%[1]d, 2], b: R[%[2]d, 2]): I[%[1]d] = build %[1]d (\i -> argmin (build %[2]d (\j -> sumsq (a[i] - b[j]))))`,
	`def f(a: R[%[1]d, %[2]d], b: R[%[2]d]): (I, I) = (argmin b, argmin (flat a))`,
}

// TestPositions looks for the best of numbers that come in any order, twice, with signs of 0, with
// infinities and NaN.
func TestPositions(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	orders := []func(i int) float64{
		func(int) float64 { return rng.NormFloat64() },
		func(i int) float64 { return float64(i) },
		func(i int) float64 { return float64(-i / 3) },
		func(int) float64 { return math.Copysign(float64(rng.Intn(2)), float64(rng.Intn(2)-1)) },
		func(i int) float64 { return []float64{math.Inf(1), math.Inf(-1), math.Copysign(0, -1), 0}[rng.Intn(4)] },
		func(int) float64 { return math.Inf(1) },
		func(i int) float64 {
			if rng.Intn(150) == 0 {
				return math.NaN()
			}
			return rng.NormFloat64() - float64(i%400)
		},
	}
	for _, text := range positions {
		for _, size := range [][2]int{{1, 1}, {3, 7}, {17, 40}, {300, 5}, {9, 301}, {150, 133}} {
			p := kerneltest.Program(t, sized(text, size))
			k, err := fusion.Lower(nil, p, nil)
			if err != nil {
				t.Fatal(err)
			}
			env := kerneltest.Values(t, p, 1)
			for n, order := range orders {
				for _, v := range env {
					for i := range v.R {
						v.R[i] = order(i)
					}
				}
				want, err := eval.InterpretStaged(p.Store, p.Root, eval.FloatArrays(), env)
				if err != nil {
					t.Fatal(err)
				}
				kerneltest.InAllWays(t, fmt.Sprint(text, size, " order ", n), k, env, want)
			}
		}
	}
}

// sized is a program of a size.
func sized(text string, size [2]int) string {
	return fmt.Sprintf(text, size[0], size[1])
}

// BenchmarkPositions searches numbers at random, and numbers each of which is better.
func BenchmarkPositions(b *testing.B) {
	for number, text := range positions {
		for _, size := range [][2]int{{500, 500}, {500, 10}, {10, 500}, {500, 40}, {40, 500}} {
			p := kerneltest.Program(b, sized(text, size))
			k, err := fusion.Lower(nil, p, nil)
			if err != nil {
				b.Fatal(err)
			}
			m, err := machine.CompileNative(k, false)
			if err != nil {
				b.Fatal(err)
			}
			for _, order := range []string{"random", "falling"} {
				env := kerneltest.Values(b, p, 1)
				if order == "falling" {
					for _, v := range env {
						for i := range v.R {
							v.R[i] = float64(-i)
						}
					}
				}
				b.Run(fmt.Sprint(number, size, order), func(b *testing.B) {
					for b.Loop() {
						if _, err := m.Run(env); err != nil {
							b.Fatal(err)
						}
					}
				})
			}
		}
	}
}
