package egad_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"
	"testing"
	"time"

	"egad"
)

// long are programs that take minutes, each in another part of the machinery: loops of
// the program, of kernels, with functions of the host, long ones, and operators on whole
// arrays.
var long = map[string]string{
	"steps":   `def f(x: R): R = iterate 100000000 (\s -> s * 1.0000001 + sin s) x`,
	"nested":  `def f(x: R): R = sum (build 2000000 (\i -> sum (build 2000000 (\j -> sin (x + real (i * j))))))`,
	"rows":    `def f(x: R): R = sum (sum (build 3000 (\i -> build 3000 (\j -> sum (build 300000 (\k -> x * real (i * j - k)))))))`,
	"sorting": `def f(x: R): R = iterate 100000000 (\s -> (sort (build 1000 (\j -> sin (s * real j))))[10]) x`,
	"one":     `def f(x: R): R = iterate 1000 (\s -> (sort (build 3000000 (\j -> sin (s * real j))))[10]) x`,
	"systems": `def f(x: R): R = iterate 1000 (\s -> logdet (build 1200 (\i -> build 1200 (\j -> if i == j then 1e6 else sin (s * real (i + j)))))) x`,
}

// waysToRun are how calls may be run.
var waysToRun = []struct {
	name string
	opts []egad.Option
}{
	{"blocks", nil},
	{"native", []egad.Option{egad.Native()}},
	{"threads", []egad.Option{egad.Native(), egad.Threads(2)}},
	{"exact", []egad.Option{egad.Native(), egad.Exact()}},
}

// TestContextEndsCalls: a call ends when its context is done, with its error; places have
// what they had, calls of others go on, and the function can be called again.
func TestContextEndsCalls(t *testing.T) {
	for name, text := range long {
		for _, w := range waysToRun {
			t.Run(name+"/"+w.name, func(t *testing.T) {
				t.Parallel()
				f := compiled(t, text, "", append(w.opts, egad.Wrt("x"))...)
				quick := compiled(t, `def g[n](x: R[n]): R = sum (x * x)`, "", w.opts...)
				in := egad.In{"x": 0.5}
				ctx, cancel := context.WithCancel(t.Context())
				var others sync.WaitGroup
				others.Go(func() {
					for ctx.Err() == nil {
						if v, g, err := quick.Grad(egad.In{"x": []float64{1, 2, 3}}); err != nil || v != 14 || g.Get("x").R[2] != 6 {
							t.Errorf("another call: %v, %v", v, err)
						}
					}
				})
				time.AfterFunc(100*time.Millisecond, cancel)
				value := []float64{42}
				begin := time.Now()
				err := f.WithContext(ctx).ValueInto(&value[0], in)
				if !errors.Is(err, context.Canceled) || value[0] != 42 {
					t.Errorf("%v, and the value is %v", err, value[0])
				}
				t.Log(time.Since(begin))
				others.Wait()
				if v, err := quick.WithContext(ctx).Value(egad.In{"x": []float64{1}}); !errors.Is(err, context.Canceled) {
					t.Errorf("a context that is done: %v, %v", v, err)
				}
				if v, err := quick.Value(egad.In{"x": []float64{2}}); err != nil || v.R[0] != 4 {
					t.Errorf("afterwards: %v, %v", v, err)
				}
			})
		}
	}
}

// TestContextAgain: a function whose call was ended gives the right values afterwards, with
// the same inputs.
func TestContextAgain(t *testing.T) {
	const text = `def f(x: R, n: I): R = iterate n (\s -> s + 1e-70 * sum (build 20000 (\i -> sin (s * real i)))) x`
	for _, w := range waysToRun {
		f := compiled(t, text, "", w.opts...)
		for range 3 {
			ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
			g := 7.0
			v, err := f.WithContext(ctx).GradInto(egad.Into{"x": &g}, egad.In{"x": 0.5, "n": 262144})
			if !errors.Is(err, context.DeadlineExceeded) || v != 0 || g != 7 {
				t.Errorf("%s: %v, %v, %v", w.name, v, g, err)
			}
			cancel()
			v, err = f.GradInto(egad.Into{"x": &g}, egad.In{"x": 0.5, "n": 3})
			if err != nil || math.Abs(v-0.5) > 1e-9 || math.Abs(g-1) > 1e-9 {
				t.Errorf("%s: %v, %v, %v", w.name, v, g, err)
			}
		}
	}
}

// TestContextEndsDerivation: a call does not wait for a derivation that takes long, which
// ends; it begins again for those who wait.
func TestContextEndsDerivation(t *testing.T) {
	var b strings.Builder
	b.WriteString("def f[n](x: R[n]): R =\n  let a0 = x in\n")
	const layers = 150
	for i := range layers {
		fmt.Fprintf(&b, "  let a%d = build n (\\i -> sin (a%d[i] * a%d[n - 1 - i]) + sum a%d * x[i]) in\n", i+1, i, i, i)
	}
	fmt.Fprintf(&b, "  sum a%d\n", layers)
	for _, w := range waysToRun[:2] {
		f := compiled(t, b.String(), "", w.opts...)
		in := egad.In{"x": []float64{0.1, 0.2, 0.3}}
		for _, wait := range []time.Duration{time.Millisecond, 20 * time.Millisecond, 100 * time.Millisecond} {
			ctx, cancel := context.WithTimeout(t.Context(), wait)
			begin := time.Now()
			_, _, _, err := f.WithContext(ctx).Hessian(in)
			if !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%s: %v", w.name, err)
			}
			t.Log(w.name, wait, time.Since(begin))
			cancel()
		}
		v, g, err := f.WithContext(t.Context()).Grad(in)
		if err != nil || math.IsNaN(v) || len(g.Get("x").R) != 3 {
			t.Errorf("%s: %v, %v", w.name, v, err)
		}
	}
}

// TestContextOfTheRest: functions of structs and vectors have contexts, and none is as good
// as one that is never done.
func TestContextOfTheRest(t *testing.T) {
	f := compiled(t, `def f[n](x: R[n]): R = sum (x * x)`, "")
	done, cancel := context.WithCancel(t.Context())
	cancel()
	type params struct{ X []float64 }
	g, err := egad.For[params](f)
	if err != nil {
		t.Fatal(err)
	}
	p := params{[]float64{1, 2}}
	if _, _, err := g.WithContext(done).Grad(p, nil); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	var none context.Context
	if v, _, err := g.WithContext(none).Grad(p, nil); v != 5 || err != nil {
		t.Error(v, err)
	}
	vec, err := f.WithContext(done).Vector(egad.In{"x": p.X})
	if err != nil {
		t.Fatal(err)
	}
	grad := make([]float64, 2)
	if v := vec.ValueGrad(p.X, grad); !math.IsNaN(v) || !math.IsNaN(grad[0]) || !errors.Is(vec.Err(), context.Canceled) {
		t.Error(v, grad, vec.Err())
	}
	var nobody *egad.Func
	if _, err := nobody.WithContext(done).Value(nil); err == nil {
		t.Error("a function that is nil was called")
	}
	if _, err := new(egad.Func).WithContext(done).Value(nil); err == nil {
		t.Error("a function that was not compiled was called")
	}
}
