package schedule_test

import (
	"fmt"
	"math"
	"strings"
	"sync"
	"testing"

	"egad/internal/defs"
	"egad/kernel"
	"egad/kernel/cost"
	"egad/kernel/gemm"
	"egad/kernel/kerneltest"
	"egad/kernel/machine"
	"egad/kernel/schedule"
	"egad/term"
	"egad/term/eval"
)

// Of each definition the name tells how many products of matrices there are.
const contractions = `
def one_plain[n](a: R[n, n + 1], b: R[n + 1, n + 2], c: R[n]): R[n, n + 2] = matmul a b
def one_transposed[n](a: R[n + 1, n], b: R[n + 2, n + 1], c: R[n]): R[n + 2, n] = transpose (matmul (transpose a) (transpose b))
def one_scaled[n](a: R[n, n], b: R[n, n], c: R[n]): R[n, n] = build [n, n] (\[i, j] -> sum (build n (\p -> (a[i, p] + a[i, p]) * (neg b[j, p]))))
def one_computed[n](a: R[n, n], b: R[n, n], c: R[n]): R[n, n] = build [n, n] (\[i, j] -> sum (build n (\p -> (a[i, p] - c[i]) * exp b[p, j])))
def one_with_more[n](a: R[n, n], b: R[n, n], c: R[n]): (R[n, n], B[n, n]) =
  let t = build [n, n] (\[i, j] -> c[j] + sum (build n (\p -> a[i, p] * b[p, j]))) in
  (map relu t, build [n, n] (\[i, j] -> t[i, j] <= c[i]))
def one_batched[n](a: R[3, n, n], b: R[n, 3, n], c: R[n]): R[n, 3, n] = build [n, 3, n] (\[i, k, j] -> sum (build n (\p -> a[k, i, p] * b[p, k, j])))
def one_shared[n](a: R[3, n, n], b: R[n, n], c: R[n]): R[3, n, n] = build [3, n, n] (\[k, i, j] -> sum (build n (\p -> a[k, i, p] * sin b[p, j])))
def one_stretched[n](a: R[2 * n, 3 * n], b: R[n, n], c: R[n]): R[n, n] = build [n, n] (\[i, j] -> sum (build n (\p -> a[2 * i, 3 * p + 1] * b[p, j])))
def one_reversed[n](a: R[n, n], b: R[n, n], c: R[n]): R[n, n] = build [n, n] (\[i, j] -> sum (build n (\p -> a[n - 1 - i, p] * b[p, j])))
def one_beyond[n](a: R[n, n], b: R[n, n], c: R[n]): R[n, n] = build [n, n] (\[i, j] -> sum (build n (\p -> a[i, p] * b[p + 1, j])))
def one_repeated[n](a: R[n, n], b: R[n, n], c: R[n]): R[n, n] = iterate 5 (\x -> map (\r -> tanh (r + c)) (matmul x b)) a
def one_power[n](a: R[n, n], b: R[n, n], c: R[n]): R[n, n] = iterate 3 (\x -> matmul x (b / real n)) a
def two_at_once[n](a: R[n, n], b: R[n, n], c: R[n]): (R[n, n], R[n, n]) =
  let x = map (\r -> r + c) a in (matmul x b, map exp (matmul x (transpose b)))
def two_after_another[n](a: R[n, n], b: R[n, n], c: R[n]): R[n, n] = matmul a (matmul b a)
def one_deep[n](a: R[3, n + 2, n], b: R[4, 3, 3, n], c: R[n]): R[4, n] = build [4, n] (\[m, i] -> sum (build 3 (\k -> sum (build 3 (\u -> sum (build n (\p -> a[k, i + u, p] * b[m, k, u, p])))))))
def one_inside[n](a: R[n, n], b: R[n, n], c: R[n]): R = sum (build n (\i -> maximum (build n (\j -> square (c[j] + sum (build n (\p -> a[i, p] * b[p, j])))))))
def one_many_axes[n](a: R[2, n, 3], b: R[4, 3, n], c: R[n]): R[n, 4, 2, n] = build [n, 4, 2, n] (\[i, j, k, l] -> sum (build 3 (\p -> a[k, i, p] * b[j, p, l])))
def one_triangle[n](a: R[n, n], b: R[n, n], c: R[n]): R[n, n] = build [n, n] (\[i, j] -> sum (build n (\p -> if p <= i then a[i, p] * b[p, j] else 0)))
def one_other[n](a: R[n, n], b: R[n, n], c: R[n]): R[n, n] = build [n, n] (\[i, j] -> sum (build n (\p -> if j < p then 0 else a[i, p] * b[p, j])))
def one_data[n](a: R[n, n], b: R[n, n], c: R[n]): R[n, n] = build [n, n] (\[i, j] -> sum (build n (\p -> if p < i && a[i, p] < c[p] then a[i, p] * b[p, j] else 0)))
def one_between[n](a: R[n, n], b: R[n, n], c: R[n]): R[n, n] =
  build [n, n] (\[i, j] -> sum (build n (\p -> if p <= i then (if j <= p then a[i, p] * b[p, j] else 0) else 0)))
def one_lower[n](a: R[n, n], b: R[n, n], c: R[n]): R[n, n] = matmul (build [n, n] (\[i, p] -> if p <= i then a[i, p] else 0)) b
def one_half[n](a: R[n, n], b: R[n, n], c: R[n]): R[n, n] = build [n, n] (\[i, j] -> if j <= i then sum (build n (\p -> a[i, p] * b[p, j])) else 0)
def one_part[n](a: R[n, n], b: R[n, n], c: R[n]): R[n, n] = build [n, n] (\[i, j] -> sum (build n (\p -> if j <= i then a[i, p] * b[p, j] else 0)))
def one_band[n](a: R[n, n], b: R[n, n], c: R[n]): R[n, n] =
  build [n, n] (\[i, j] -> c[i] + sum (build n (\p -> if abs (i - j) <= 5 && c[j] < 1 && p <= i then a[i, p] * b[p, j] else 0)))
def two_parts[n](a: R[n, n], b: R[n, n], c: R[n]): R[n, n] =
  build [n, n] (\[i, j] -> sum (build n (\p -> if j <= i then a[i, p] * b[p, j] + a[i, p] * exp c[j] else 0)))
def two_terms[n](a: R[n, n], b: R[n, n], c: R[n]): R[n, n] =
  build [n, n] (\[i, j] -> sum (build n (\p -> if p <= i then a[i, p] * b[p, j] + a[i, p] * exp c[j] else 0)))
def no_corner[n](a: R[n, n], b: R[n, n], c: R[n]): R[n, n] = build [n, n] (\[i, j] -> sum (build n (\p -> if p <= i + j then a[i, p] * b[p, j] else 0)))
def no_both[n](a: R[n, n], b: R[n, n], c: R[n]): R[n, n] = build [n, n] (\[i, j] -> sum (build n (\p -> (a[i, p] + b[p, j]) * b[p, j])))
def no_largest[n](a: R[n, n], b: R[n, n], c: R[n]): R[n, n] = build [n, n] (\[i, j] -> maximum (build n (\p -> a[i, p] * b[p, j])))
def no_vector[n](a: R[n, n], b: R[n, n], c: R[n]): R[n] = matvec a c
`

// TestContracted: products of matrices are found and computed as such, whatever they are of and whatever is done with
// them, and make what the evaluator makes, also beside NaN and infinities.
func TestContracted(t *testing.T) {
	if !gemm.Available() {
		t.Skip("the processor has no instructions for products of matrices")
	}
	want := map[string]int{"one": 1, "two": 2, "no": 0}
	kerneltest.EachLowered(t, contractions, []map[string]int64{{"n": 1}, {"n": 3}, {"n": 30}, {"n": 101}}, func(p *term.Program, k *kernel.Program, size map[string]int64) {
		kind, _, _ := strings.Cut(p.Name, "_")
		if got := schedule.Products(kerneltest.Free(k)); size["n"] == 30 && got != want[kind] {
			t.Errorf("%s: %d products\n%s", p.Name, got, schedule.Contracted(kerneltest.Free(k)))
		}
		env := kerneltest.Values(t, p, size["n"])
		ways := []kerneltest.Way{kerneltest.Products}
		kerneltest.CompareAt(t, p, k, env, ways)
		wild := []float64{math.NaN(), math.Inf(-1)}
		if size["n"] == 101 { // several blocks: what becomes of one such value in a tile has been seen
			wild = wild[:1]
		}
		for _, in := range []string{"b", "a"} {
			for _, x := range wild {
				env[in].R[len(env[in].R)/2] = x
				kerneltest.CompareAt(t, p, k, env, ways)
			}
		}
	})
}

// TestContractedMasks: a sum with a mask that leaves out what is 0 anyway is a product, and where that is NaN the sum
// itself is computed.
func TestContractedMasks(t *testing.T) {
	if !gemm.Available() {
		t.Skip("the processor has no instructions for products of matrices")
	}
	kerneltest.EachGradient(t, `
def layers[n](x: R[n, n + 3], w: R[n + 3, n], v: R[n, 5]): R = sum (flat (matmul (map relu (matmul x w)) v))
`, []map[string]int64{{"n": 4}, {"n": 70}}, func(p *term.Program, k *kernel.Program, size map[string]int64) {
		if got := schedule.Products(kerneltest.Free(k)); size["n"] > 4 && got < 3 {
			t.Errorf("%s: %d products\n%s", p.Name, got, schedule.Contracted(kerneltest.Free(k)))
		}
		env := kerneltest.Values(t, p, size["n"])
		ways := []kerneltest.Way{kerneltest.Products}
		kerneltest.CompareAt(t, p, k, env, ways)
		for _, x := range []float64{math.NaN(), math.Inf(-1), math.Inf(1)} {
			env["x"].R[len(env["x"].R)/2] = x
			kerneltest.CompareAt(t, p, k, env, ways)
		}
	})
}

// TestContractedThreads: the bits of products do not depend on how many goroutines there are.
func TestContractedThreads(t *testing.T) {
	sizes := []map[string]int64{{"n": 301}}
	kerneltest.EachLowered(t, contractions, sizes, func(p *term.Program, k *kernel.Program, _ map[string]int64) {
		env := kerneltest.Values(t, p, 5)
		var first *eval.Value[float64]
		for _, threads := range []int{1, 2, 3} {
			m, err := machine.Native{Threads: threads}.Compile(k)
			if err != nil {
				t.Fatal(err)
			}
			got, err := m.Run(env)
			if err != nil {
				t.Fatal(err)
			}
			if first == nil {
				first = got
			} else if !defs.Same(first, got) {
				t.Errorf("%s by %d threads has other bits", p.Name, threads)
			}
		}
	})
}

// TestContractedMemory: products allocate nothing after the first run, and what they have before is in the memory of
// the machine.
func TestContractedMemory(t *testing.T) {
	if !gemm.Available() {
		t.Skip("the processor has no instructions for products of matrices")
	}
	kerneltest.EachLowered(t, `
def blocks[n](a: R[n, n], b: R[n, n], c: R[n]): R[n, n] = build [n, n] (\[i, j] -> sum (build n (\p -> (a[i, p] - c[i]) * exp b[p, j])))
`, []map[string]int64{{"n": 200}}, func(p *term.Program, k *kernel.Program, _ map[string]int64) {
		if n := schedule.Products(k); n == 0 {
			t.Fatalf("no products: %s", k)
		}
		m, err := machine.CompileNative(k, false)
		if err != nil {
			t.Fatal(err)
		}
		exact, err := machine.CompileNative(k, true)
		if err != nil {
			t.Fatal(err)
		}
		if m.Memory() <= exact.Memory() {
			t.Errorf("%d bytes, and %d without products", m.Memory(), exact.Memory())
		}
		s, err := m.Session()
		if err != nil {
			t.Fatal(err)
		}
		if n := testing.AllocsPerRun(3, func() { err = s.Run(t.Context()) }); err != nil || n != 0 {
			t.Errorf("%v allocations, %v", n, err)
		}
	})
}

// TestContractedAgain: what is kept of a factor as it is packed, for the next matrix of a batch, is not read by the next run.
func TestContractedAgain(t *testing.T) {
	for _, threads := range []int{1, 2} {
		ways := []kerneltest.Way{{Name: fmt.Sprint(threads, " threads"), Compile: func(k *kernel.Program) (*machine.Machine, error) {
			free := kerneltest.Free(k)
			free.Weights.Of[cost.Parts] = 0
			return machine.Native{Threads: threads}.Compile(free)
		}, Same: kerneltest.Near}}
		kerneltest.EachLowered(t, `
def batch[n](a: R[3, n, n], b: R[n, n]): R[3, n, n] = build [3, n, n] (\[k, i, j] -> sum (build n (\p -> a[k, i, p] * b[p, j])))
def parts[n](a: R[2, 6 * n], b: R[6 * n, 3]): R[2, 3] = matmul a b
def outer[n](a: R[2], b: R[n]): R[2] = build 2 (\i -> sum (build n (\j -> sum (build 24 (\p -> a[i] * b[j])))))
`, []map[string]int64{{"n": 3}, {"n": 20}}, func(p *term.Program, k *kernel.Program, _ map[string]int64) {
			compare := kerneltest.Comparison(t, p, k, ways)
			for seed := range int64(3) {
				compare(kerneltest.Values(t, p, seed))
			}
		})
	}
}

// TestContractedPays: small products, and those of which little is added up or few columns fill tiles, are left to
// WebAssembly, which takes less time for them.
func TestContractedPays(t *testing.T) {
	for _, size := range []struct{ n, k, m, want int64 }{
		{16, 16, 16, 0}, {24, 24, 24, 1}, {32, 32, 32, 1}, {5000, 8, 8, 0}, {5000, 8, 24, 1}, {8, 5000, 8, 0}, {12, 3000, 12, 0}, {200, 3, 200, 1},
	} {
		kerneltest.EachLowered(t, "def mm[n, k, m](a: R[n, k], b: R[k, m]): R[n, m] = matmul a b\n", []map[string]int64{{"n": size.n, "k": size.k, "m": size.m}}, func(_ *term.Program, k *kernel.Program, _ map[string]int64) {
			if got := schedule.Products(k); int64(got) != size.want {
				t.Errorf("%d × %d × %d: %d products", size.n, size.k, size.m, got)
			}
		})
	}
}

// TestContractedBatch: products of the matrices of a batch pay where one product does.
func TestContractedBatch(t *testing.T) {
	for _, size := range []struct{ n, k, m, want int64 }{{16, 16, 16, 0}, {128, 32, 128, 1}, {128, 128, 128, 1}, {32, 32, 128, 1}} {
		kerneltest.EachLowered(t, "def mm[n, k, m](a: R[16, n, k], b: R[16, k, m]): R[16, n, m] = build 16 (\\i -> matmul a[i] b[i])\n",
			[]map[string]int64{{"n": size.n, "k": size.k, "m": size.m}}, func(_ *term.Program, k *kernel.Program, _ map[string]int64) {
				if got := schedule.Products(k); int64(got) != size.want {
					t.Errorf("16 of %d × %d × %d: %d products", size.n, size.k, size.m, got)
				}
			})
	}
}

// TestContractedTogether: several goroutines run one machine at the same time.
func TestContractedTogether(t *testing.T) {
	kerneltest.EachLowered(t, `
def batch[n](a: R[3, n, n], b: R[n, n]): R[3, n, n] = build [3, n, n] (\[k, i, j] -> sum (build n (\p -> a[k, i, p] * b[p, j])))
`, []map[string]int64{{"n": 40}}, func(p *term.Program, k *kernel.Program, _ map[string]int64) {
		m, err := kerneltest.Products.Compile(k)
		if err != nil {
			t.Fatal(err)
		}
		var all sync.WaitGroup
		for seed := range int64(4) {
			env := kerneltest.Values(t, p, seed)
			want, err := m.Run(env)
			if err != nil {
				t.Fatal(err)
			}
			all.Go(func() {
				for range 20 {
					if got, err := m.Run(env); err != nil || !defs.Same(want, got) {
						t.Errorf("run %d: %v, or another value", seed, err)
					}
				}
			})
		}
		all.Wait()
	})
}

// TestContractedRoom: products of a kernel make no more new arrays than a quarter of what a program has, but 16 MB in
// any case.
func TestContractedRoom(t *testing.T) {
	bytes := func(p *kernel.Program) (n int64) {
		for _, a := range p.Arrays {
			n += 8 * int64(a.Len())
		}
		return n
	}
	many := 0
	kerneltest.EachLowered(t, `
def layer[n](a: R[n, 40], b: R[40, n]): R[n, n] = build [n, n] (\[i, j] -> tanh (b[0, j] + sum (build 40 (\p -> a[i, p] * b[p, j]))))
`, []map[string]int64{{"n": 1000}, {"n": 2000}}, func(p *term.Program, k *kernel.Program, size map[string]int64) {
		c := schedule.Contracted(kerneltest.Free(k))
		more := bytes(c) - bytes(k)
		if more > max(1<<24, bytes(k)/4) {
			t.Errorf("%v: %d bytes more than %d", size, more, bytes(k))
		}
		if more > 0 {
			many++
		}
	})
	if many != 1 {
		t.Errorf("%d of the two have an array for the product: expected the smaller one alone", many)
	}
}

// TestCostOfNothing: a kernel in which nothing is left to do takes no time.
func TestCostOfNothing(t *testing.T) {
	if got := schedule.CostContracted(&kernel.Program{}, &kernel.Kernel{}); got != 0 {
		t.Errorf("a kernel without statements takes %v ns", got)
	}
}
