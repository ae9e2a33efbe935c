package fuse_test

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"egad/ad"
	"egad/extract"
	"egad/fusion"
	"egad/internal/programs"
	"egad/internal/testflag"
	"egad/kernel"
	"egad/kernel/fuse"
	"egad/kernel/kerneltest"
	"egad/kernel/lower"
	"egad/rules/load"
	"egad/term"
	"egad/term/eval"
	"egad/term/types"
)

// TestShared: random programs and their gradients, with loops shared wherever they may be.
func TestShared(t *testing.T) {
	sig := term.NewSignature()
	lib, err := load.Builtin(sig)
	if err != nil {
		t.Fatal(err)
	}
	programs.Hold(t, testflag.Seed, testflag.Count(40, 1000), programs.Gen(programs.Everything, types.NoElem), func(c programs.Case) error {
		p := c.Program(sig)
		return kerneltest.CheckShared(p, c.Values(false, false))
	})
	programs.Hold(t, testflag.Seed, testflag.Count(24, 600), programs.GenScalar(programs.Smooth), func(c programs.Case) error {
		p := c.Program(sig)
		d, err := ad.VJP(lib, p, ad.Options{})
		if err != nil {
			return nil
		}
		env := c.Values(false, false)
		for _, in := range d.Program.Inputs {
			if env[in.Name] == nil {
				v, err := eval.FloatArrays().New(in.Type)
				if err != nil {
					return err
				}
				for i := range v.R {
					v.R[i] = float64(i) - 0.5
				}
				env[in.Name] = v
			}
		}
		return kerneltest.CheckShared(d.Program, env)
	})
}

// TestCyclic: whether passes of random programs can be run together, by a search of all
// that kernels need.
func TestCyclic(t *testing.T) {
	sig := term.NewSignature()
	programs.Hold(t, testflag.Seed, testflag.Count(120, 3000), programs.Gen(programs.Everything, types.NoElem), func(c programs.Case) error {
		fused, err := fusion.Fuse(nil, c.Program(sig), nil, extract.How{})
		if err != nil {
			return err
		}
		k, err := lower.By(fused, kerneltest.Alone())
		if err != nil {
			return err
		}
		rng := rand.New(rand.NewSource(c.Seed))
		return fuse.CheckCycles(k, func(n int) []int {
			return rng.Perm(n)[:min(n, 1+rng.Intn(3))]
		})
	})
}

// TestManyStores: kernels that store to one array, or load from it, are joined in time
// near linear in their number.
func TestManyStores(t *testing.T) {
	const n = 3000
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf("x * %d", i+2)
	}
	p := kerneltest.Program(t, "def f(x: R): R["+fmt.Sprint(n)+"] = ["+strings.Join(list, ", ")+"]")
	k, err := fusion.Lower(nil, p, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := len(k.Kernels), (n+63)/64; got != want {
		t.Errorf("%d kernels instead of %d", got, want)
	}
}

// TestNestsOfSums: sums of sums, of what a convolution multiplies and of its derivatives, are one
// nest of loops each, whatever sizes are equal.
func TestNestsOfSums(t *testing.T) {
	for def, want := range map[string]int{
		"def f(w: R[4, 3, 3, 3], x: R[3, 12, 12]): R[4, 12, 12] = build [4, 12, 12] (\\o i j -> sum (build 3 (\\p -> sum (build 3 (\\a -> sum (build 3 (\\b -> w[o, p, a, b] * x[p, (i + a) mod 12, (j + b) mod 12])))))))":                                      1,
		"def f(g: R[4, 12, 12], x: R[3, 12, 12]): R[4, 3, 3, 3] = build [4, 3, 3, 3] (\\o p a b -> sum (build 12 (\\j -> sum (build 12 (\\i -> g[o, i, j] * x[p, (i + a) mod 12, (j + b) mod 12])))))":                                                           1,
		"def f(g: R[4, 12, 12, 4], x: R[4, 12, 12]): (R[12, 12, 4, 4], R[12, 4, 4]) = let a = build [12, 12, 4, 4] (\\i j k l -> sum (build 4 (\\s -> g[s, i, j, k] * x[l, i, s]))) in (a, build [12, 4, 4] (\\i k l -> sum (build 12 (\\j -> a[i, j, k, l]))))": 1,
	} {
		k, err := fusion.Lower(nil, kerneltest.Program(t, def), nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(k.Kernels) != want {
			t.Errorf("%d kernels, not %d\n%s", len(k.Kernels), want, k)
		}
	}
}

// TestBothAxes: of an array of pairs that is added up along both axes there are the rows of one
// block, few if they are large, and its elements are computed once each.
func TestBothAxes(t *testing.T) {
	for _, c := range []struct{ n, d, rows int }{{600, 4, 24}, {3000, 10, 4}, {1000, 100, 20}} {
		n, d := c.n, c.d
		p := kerneltest.Program(t, strings.NewReplacer("N", fmt.Sprint(n), "D", fmt.Sprint(d)).Replace(`def f(x: R[N, D], a: R[N]): (R, R[N, D], R[N]) =
  let u = tr [1, 0] (replicate N x) - replicate N x in
  let e = exp (-1.0 * sum (tr [2, 0, 1] (u * u))) in
  let w = u * tr [1, 2, 0] (replicate D (tr [1, 0] (replicate N a) * (replicate N a) * e)) in
  let b = sum (tr [1, 0] (replicate N a * e)) in
  (sum (a * b), sum (tr [1, 0] w) - sum w, b + sum (tr [1, 0] (replicate N a) * e))`))
		k, err := fusion.Lower(nil, p, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range k.Arrays {
			if a.Len() > c.rows*n*d {
				t.Errorf("%s has %d elements, more than %d rows\n%s", a.Name, a.Len(), c.rows, k)
			}
		}
		if got, want := k.Counts().Float, eval.CountOps(p.Store, p.Root).Float; got > want {
			t.Errorf("%d operations, and the program has %d", got, want)
		}
	}
}

// TestProductsApart: what products of large matrices are made of is not computed in blocks of rows, where the host
// multiplies many small ones; where little is multiplied it is.
func TestProductsApart(t *testing.T) {
	const text = `
def squares[b, n, k](x: R[b, n, k], y: R[b, k, n]): R = sum (flat (square (build b (\i -> matmul x[i] y[i]))))`
	kerneltest.EachGradient(t, text, []map[string]int64{{"b": 1, "n": 512, "k": 32}, {"b": 16, "n": 128, "k": 32}, {"b": 1, "n": 512, "k": 2}}, func(_ *term.Program, k *kernel.Program, size map[string]int64) {
		if got, want := strings.Contains(k.String(), "blocks "), size["k"] == 2; got != want {
			t.Errorf("%v: in blocks: %v\n%s", size, got, k)
		}
	})
}

// TestDeepFirst: what is made of elements shares the loops of a sum of sums of them, which is found
// before it.
func TestDeepFirst(t *testing.T) {
	const text = `
def loss[n, m](y: R[n, m, m], t: R[n, m, m]): (R, R[n, m, m], R[n, m, m]) = let d = y * y - t in
	(sum (build n (\i -> sum (build m (\j -> sum (square d[i, j]))))), d * y, neg d)`
	kerneltest.EachLowered(t, text, []map[string]int64{{"n": 2, "m": 3}, {"n": 30, "m": 40}}, func(p *term.Program, k *kernel.Program, size map[string]int64) {
		kerneltest.CompareWays(t, p, k, 1, append(kerneltest.Ways[:len(kerneltest.Ways):len(kerneltest.Ways)], kerneltest.TwoThreads))
		if loads := strings.Count(k.String(), "y["); size["n"] == 30 && loads != 1 {
			t.Errorf("elements are made in %d places\n%s", loads, k)
		}
	})
}
