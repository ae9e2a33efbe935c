package schedule_test

import (
	"strings"
	"sync"
	"testing"

	"egad/extract"
	"egad/fusion"
	"egad/internal/defs"
	"egad/kernel"
	"egad/kernel/kerneltest"
	"egad/kernel/lower"
	"egad/kernel/machine"
	"egad/kernel/plan"
	"egad/kernel/schedule"
	"egad/term/eval"
)

// TestThreads: what goroutines share gives the same bits as one of them does, also when
// several runs go at the same time.
func TestThreads(t *testing.T) {
	for _, text := range []string{
		`def f(a: R[203, 70], b: R[70, 130]): R[203, 130] = matmul(a, b)`,
		`def f(a: R[203, 70], b: R[203, 70]): R[70, 70] = build 70 (\i -> build 70 (\j -> sum (build 203 (\k -> a[k, i] * b[k, j]))))`,
		`def f(a: R[100003]): R[100003] = exp (a * a)`,
		`def f(a: R[50001]): (R[50001], R) = let b = sin (tanh a) in (b, sum (b * a))`,
		`def f(a: R[300, 301]): R[301] = build 301 (\i -> sum (build 300 (\j -> exp (a[j, i]))))`,
		`def f(a: R[4000, 9], ix: I[4000]): R[4000] = build 4000 (\i -> maximum (exp a[ix[i]]))`,
		`def f(a: R[300000]): (R, R, I) = (sum (a * a), maximum (a + 1), argmax a)`,
		`def f(a: R[300001]): R = let m = maximum a in m + log (sum (exp (a - m)))`,
	} {
		p := kerneltest.Program(t, text)
		env := kerneltest.Values(t, p, 1)
		var want *eval.Value[float64]
		for _, threads := range []int{1, 2, 3, 16} {
			m, err := fusion.Prepare(nil, p, nil, &machine.Native{Threads: threads})
			if err != nil {
				t.Fatal(err)
			}
			var wait sync.WaitGroup
			for range 2 {
				wait.Go(func() {
					for range 2 { // memory that is used again must not show
						got, err := m.Run(env)
						if err != nil {
							t.Error(err)
						}
						if threads > 1 && !defs.Same(got, want) {
							t.Errorf("%s: on %d threads the value is another one", text, threads)
						}
					}
				})
				if threads == 1 {
					wait.Wait()
					if want, err = m.Run(env); err != nil {
						t.Fatal(err)
					}
				}
			}
			wait.Wait()
		}
	}
	for _, threads := range []int{-1, machine.MaxThreads + 1} {
		if _, err := (machine.Native{Threads: threads}).Compile(&kernel.Program{}); err == nil {
			t.Errorf("%d threads are accepted", threads)
		}
	}
}

// blocks are programs whose loops go in blocks of rows, and what is added up in these.
var blocks = []string{
	`def f(x: R[500, 41], w: R[41]): (R, R[41]) = let z = build 500 (\i -> sum (w * x[i])) in
		let e = sigmoid z in (sum (softplus z), build 41 (\j -> sum (build 500 (\i -> e[i] * x[i, j]))))`,
	`def f(x: R[503, 41], w: R[41], c: R): (R, R[41]) = let z = build 503 (\i -> sum (w * x[i])) in
		let e = sigmoid (c * z) in (sum (softplus z), build 41 (\j -> sum (build 503 (\i -> e[i] * x[i, j]))))`,
	`def f(x: R[497, 31], w: R[31, 17]): (R[497, 17], R[31, 17]) = let z = build 497 (\i -> build 17 (\k -> tanh (sum (build 31 (\j -> x[i, j] * w[j, k]))))) in
		(z * z, build 31 (\j -> build 17 (\k -> sum (build 497 (\i -> x[i, j] * z[i, k])))))`,
	`def f(x: R[300, 42], ix: I[300]): (R[9, 42], R[42]) = let s = build 300 (\i -> let m = maximum x[i] in exp (x[i] - m)) in
		let t = build 300 (\i -> s[i] / sum s[i]) in (scatter [9] t (\[i] -> [ix[i]]), sum (t * t))`,
	`def f(n: I[600, 39], w: I[39]): (I[39], I) = let z = build 600 (\i -> sum (w * n[i])) in
		(build 39 (\j -> sum (build 600 (\i -> z[i] * n[i, j]))), sum (z * z))`,
}

// TestBlockParts: blocks of rows in parts that goroutines share, with the value of the evaluator and
// the same bits on any number of goroutines.
func TestBlockParts(t *testing.T) {
	for _, text := range blocks {
		p := kerneltest.Program(t, text)
		env := kerneltest.Values(t, p, 1)
		want, err := eval.InterpretStaged(p.Store, p.Root, eval.FloatArrays(), env)
		if err != nil {
			t.Fatal(err)
		}
		fused, err := fusion.Fuse(nil, p, nil, extract.How{})
		if err != nil {
			t.Fatal(err)
		}
		k, err := lower.By(fused, kerneltest.InBlocks(16))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(k.String(), "blocks b <") {
			t.Errorf("%s: there are no blocks\n%s", text, k)
		}
		kerneltest.Share(k)
		if err := kerneltest.CheckThreads(k, env, want); err != nil {
			t.Errorf("%s: %v\n%s", text, err, k)
		}
		if PartsOfBlocks(k) == 0 {
			t.Errorf("%s: the blocks are not shared\n%s", text, k)
		}
	}
}

// TestSchedule: what is chosen for products, whatever is transposed.
func TestSchedule(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`def f(a: R[64, 64], b: R[64, 64]): R[64, 64] = matmul(a, b)`,
			"i by 4 in lock step; j by vectors, 2 at once; p one by one; a panel of a; a panel of b"},
		{`def f(a: R[64, 64], b: R[64, 64]): R[64, 64] = matmul(a, tr [1, 0] b)`,
			"i by 4 in lock step; j by vectors, 2 at once; p one by one; a panel of a; a panel of b"},
		{`def f(a: R[64, 50]): R[50, 64] = build 50 (\j -> build 64 (\i -> exp a[i, j]))`,
			"i by 4 in lock step; j by vectors, 2 at once"},
		{`def f(a: R[10000]): R = sum (a * a)`, "i by vectors, 4 at once"},
	} {
		k, err := fusion.Lower(nil, kerneltest.Program(t, c.text), nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := schedule.Describe(k, k.Kernels[0], false); got != c.want {
			t.Errorf("%s: %s", c.text, got)
		}
	}
}

// TestPartsFill: what a fold in parts writes, and all parts together fill, needs no zeros.
func TestPartsFill(t *testing.T) {
	for _, n := range []string{"300001", "299008"} { // of parts and a rest, and of parts alone
		p := kerneltest.Program(t, `def f(a: R[`+n+`]): (R[`+n+`], R) = let b = sin (tanh a) in (b, sum (b * a))`)
		k, err := fusion.Lower(nil, p, nil)
		if err != nil {
			t.Fatal(err)
		}
		if n := Cleared(k); n > 0 {
			t.Errorf("%d arrays are cleared\n%s", n, k)
		}
	}
}

// Cleared is how many arrays machine code of a program fills with zeros before kernels.
func Cleared(p *kernel.Program) int {
	n := 0
	for _, z := range plan.New(kerneltest.InCode(p, false)).Zeroed {
		n += len(z)
	}
	return n
}

// PartsOfBlocks is of how many parts the loops of blocks of a program are in machine code.
func PartsOfBlocks(p *kernel.Program) int {
	n := 0
	for _, k := range kerneltest.InCode(p, false).Kernels {
		kernel.Walk(k.Body, func(s kernel.Stmt) {
			if l, ok := s.(*kernel.Loop); ok && l.Order == kernel.Parts {
				n += l.N
			}
		})
	}
	return n
}
