package kernel_test

import (
	"strings"
	"sync"
	"testing"

	"egad/fusion"
	"egad/internal/defs"
	"egad/kernel"
	"egad/term"
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
		p := program(t, text)
		env := values(t, p, 1)
		var want *term.Value[float64]
		for _, threads := range []int{1, 2, 3, 16} {
			m, err := fusion.Prepare(nil, p, nil, &kernel.Native{Threads: threads})
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
	for _, threads := range []int{-1, kernel.MaxThreads + 1} {
		if _, err := (kernel.Native{Threads: threads}).Compile(&kernel.Program{}); err == nil {
			t.Errorf("%d threads are accepted", threads)
		}
	}
}

// TestTrap: where machine code ends in a trap, which is a defect, the error names the kernel.
func TestTrap(t *testing.T) {
	a := &kernel.Array{Name: "a", Elem: term.R, Shape: []int{100}, Role: kernel.Input}
	b := &kernel.Array{Name: "b", Elem: term.R, Shape: []int{100}, Role: kernel.Temp}
	i := &kernel.Value{Kind: kernel.Var, Elem: term.I, Range: term.Range{Hi: 99}}
	far := &kernel.Value{Kind: kernel.Linear, Elem: term.I, Const: term.ScalarI(1 << 25), Coef: []int64{1}, Args: []*kernel.Value{i}}
	x := &kernel.Value{Kind: kernel.Load, Elem: term.R, Access: kernel.Access{Array: a, At: []*kernel.Value{far}}} // and says that it is in range
	p := &kernel.Program{Arrays: []*kernel.Array{a, b}, Result: kernel.Result{Array: b}, Kernels: []*kernel.Kernel{{Body: []kernel.Stmt{
		&kernel.Loop{Name: "i", Var: i, N: 100, Body: []kernel.Stmt{
			&kernel.Let{Value: x}, &kernel.Store{Access: kernel.Access{Array: b, At: []*kernel.Value{i}}, Value: x}}}}}}}
	m, err := kernel.CompileNative(p, false)
	if err != nil {
		t.Fatal(err)
	}
	if !m.Native() {
		t.Skip("there is no compiler")
	}
	err = m.RunInto([]kernel.Elements{{R: make([]float64, 100)}}, []kernel.Elements{{R: make([]float64, 100)}})
	if err == nil || !strings.Contains(err.Error(), "internal error: machine code of the kernel of b: wasm error: out of bounds") {
		t.Errorf("got %v", err)
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
		k, err := fusion.Lower(nil, program(t, c.text), nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := k.Schedule(k.Kernels[0], false); got != c.want {
			t.Errorf("%s: %s", c.text, got)
		}
	}
}

// TestPartsFill: what a fold in parts writes, and all parts together fill, needs no zeros.
func TestPartsFill(t *testing.T) {
	for _, n := range []string{"300001", "299008"} { // of parts and a rest, and of parts alone
		p := program(t, `def f(a: R[`+n+`]): (R[`+n+`], R) = let b = sin (tanh a) in (b, sum (b * a))`)
		m, err := fusion.Prepare(nil, p, nil, new(kernel.Native))
		if err != nil {
			t.Fatal(err)
		}
		if m.Cleared() > 0 {
			t.Errorf("n = %s: %d arrays are cleared", n, m.Cleared())
		}
	}
}
