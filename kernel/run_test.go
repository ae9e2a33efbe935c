package kernel_test

import (
	"errors"
	"strings"
	"testing"

	"egad/fusion"
	"egad/kernel"
	"egad/kernel/kerneltest"
	"egad/kernel/machine"
	"egad/term/eval"
	"egad/term/types"
)

// TestRun runs programs whose loops are longer than a block, and compares with
// the evaluator. The lane loop is a different one from program to program.
func TestRun(t *testing.T) {
	for _, text := range []string{
		`def f(a: R[1000], b: R[1000]): R = sum (a * b)`,
		`def f(a: R[700, 3]): R[3] = sum (exp a)`,
		`def f(a: R[3, 700]): R[3] = build 3 (\i -> sum a[i])`,
		`def f(a: R[20, 300], b: R[300, 30]): R[20, 30] = matmul(a, b)`,
		`def f(a: R[600], w: R[5]): R[600] = build 600 (\i -> sum (build 5 (\k -> w[k] * a[i + k - 2])))`,
		`def f(a: R[600]): R[600] = build 600 (\i -> a[599 - i] + a[3 * i - 7] * a[300 - 2 * i])`,
		`def f(a: R[600], ix: I[600]): R[40] = scatter [40] a (\[i] -> [ix[i]])`,
		`def f(a: R[300, 7], ix: I[300]): R[40, 7] = scatter [40] a (\[i] -> [ix[i]])`,
		`def f(a: R[4, 300]): R[700] = scatter [700] a (\[i, j] -> [i + 2 * j])`,
		`def f(a: R[4, 300]): R[5] = scatter [5] a (\[i, j] -> [i])`,
		`def f(a: R[40], ix: I[1000]): R[1000] = let s = exp a in build 1000 (\i -> s[ix[i]])`,
		`def f(a: R[40, 9], ix: I[300], jx: I[300]): R[300] = build 300 (\i -> a[ix[i], jx[i]])`,
		`def f(a: R[700]): I = argmax a`,
		`def f(a: R[700, 5]): I[5] = argmax a`,
		`def f(a: R[5, 700]): I[700] = argmax a`,
		`def f(a: R[5, 700]): (R[700], R[700]) = (maximum a, minimum a)`,
		`def f(a: R[50, 60]): R[60, 50] = tr [1, 0] a`,
		`def f(a: R[50, 60]): R[20, 150] = reshape [20, 150] (tr [1, 0] (a + 1.0))`,
		`def f(a: I[500], b: I[500]): (I[500], I[500], I) = (a div b, a mod b, sum (a * b))`,
		`def f(a: I[500], b: I[500]): (I[500], I[500], I) = (min a b, max (2 * a - 1) (min 3 b), max a[0] (min a[1] b[2]))`,
		`def f(a: R[500]): (I[500], I[500], R[500]) = (floor (1e3 * a), round a, real (floor a))`,
		`def f(a: R[500], b: B[500]): R[500] = where b (a + 1.0) (2.0 * a)`,
		`def f(a: R[500], b: B): (R[500], R) = if b then (a + 1.0, sum a) else (exp a, a[3])`,
		`def f(a: R[500], n: I): R[500] = build 500 (\i -> if i < n then a[i] else a[i - n])`,
		`def f(a: R[300], x: R): R[3, 300] = [a, a * a, replicate 300 (sin x)]`,
		`def f(a: R[500], x: R): R[500] = (x - a) / (a - x) + (x + a) * (a * x) - x / a`,
		`def f(a: R[500]): R[500] = max a (min 0.5 (abs a)) ^ (neg a) + atan2 a (lgamma a)`,
		`def f(a: R[20, 20]): R[20] = build 20 (\i -> let r = build 20 (\j -> exp (a[i, j] * a[j, i])) in sum (r * r))`,
		`def f(n: I): R = [1.5, 2.5, 3.5][n] + real n`,
		`def f(): I[3] = iota 3`,
		`def f(a: I[300], b: I[300]): I[300] = ` + strings.Repeat(`let a = build 300 (\i -> a[i] - 3 * b[299 - i] + a[i] div 3 + i) in `, 40) + `a`,
		`def f(a: I[300], b: I[300], n: I): I[300] = ` + strings.Repeat(`let a = build 300 (\i -> 2 * a[i] - n) in let n = n + b[n mod 7] in `, 40) + `a`,
		`def f(p: I[300]): I[300] = let q = build 300 (\i -> p[p[i]]) in let r = build 300 (\i -> q[q[i]]) in build 300 (\i -> r[r[i]])`,
		`def f(p: I[300], a: R[300]): R[300] = let q = build 300 (\i -> p[p[i] + 1]) in build 300 (\i -> a[q[i]] + a[q[q[i]]] + a[q[299 - i]])`,
		`def f(p: I[300]): I[300] = let q = scatter [300] p (\[i] -> [p[p[i]]]) in build 300 (\i -> if q[i] < p[q[i]] then q[q[i]] else 7)`,
		`def f(a: R[300]): R[300] = ` + strings.Repeat(`let a = build 300 (\i -> a[i - 1]) in `, 40) + `a`,
		`def f(a: R[300], p: I[300]): R[300] = ` + strings.Repeat(`let a = build 300 (\i -> a[p[i]] + a[p[i] - 1]) in `, 7) + `a`,
		`def f(c: R[5, 3], d: R[4, 70], e: B[3, 2], k: I[7, 2, 2], p: I[301]): R[300] = build 300 (\i -> let j = p[i] in
			c[j, 0] * c[j, 2] + d[j, 1] * d[j, 69] + c[2, j] + (if e[j, 1] then 1.0 else 2.0) + real (k[j, 1, 0] + k[j, 0, 1]) + c[j, p[i + 1]])`,
		`def f(c: R[6, 3], d: R[6], p: I[300]): R[300] = build 300 (\i -> let j = min 4 (max (-1) p[i]) in c[j + 1, 0] * d[j + 1] + c[j + 1, 2] * c[4 - j, 1] + c[j, 0] * c[j, 2] + c[j, 1])`,
		`def f(c: R[5, 3], p: I[301]): R[300] = build 300 (\i -> let j = p[i] mod 9 - 2 in c[j, 0] * c[j, 2] + exp c[j, 1] * sum (build 3 (\k -> c[j, k] * c[j + 1, k])))`,
		`def f(a: R[300], b: R[300]): (R[300], R) = let c = build 300 (\i -> let u = real (floor (2 * a[i])) in let v = real (floor (2 * b[i])) in
			if u == v then ` + strings.Repeat(`a[i] * (b[i] - u * `, 9) + `v` + strings.Repeat(`)`, 9) + ` else a[i] / (u - v)) in (c, sum (build 300 (\i -> c[i] * a[i])))`,
		`def f(a: R[3000]): R = ` + strings.Repeat(`let a = build 3000 (\i -> sin (a[2 * i] * a[2 * i + 1])) in `, 9) + `a[0]`,
	} {
		p := kerneltest.Program(t, text)
		env := kerneltest.Values(t, p, 1)
		want, err := eval.InterpretStaged(p.Store, p.Root, eval.FloatArrays(), env)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		k, err := fusion.Lower(nil, p, nil)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if err := kerneltest.CheckShared(p, env); err != nil {
			t.Errorf("%s: %v", text, err)
		}
		kerneltest.InAllWays(t, text, k, env, want)
	}
}

func TestRunErrors(t *testing.T) {
	p := kerneltest.Program(t, `def f(a: R[3]): R = sum a`)
	_, err := fusion.Run(p, nil)
	if err == nil || err.Error() != "no value for input a: R[3]" {
		t.Errorf("got %v", err)
	}
	_, err = fusion.Run(p, eval.Env[*eval.Value[float64]]{"a": {Elem: types.R, Shape: []int{2}, R: []float64{1, 2}}})
	if err == nil || err.Error() != "input a: R[3], and its value is R[2]" {
		t.Errorf("got %v", err)
	}
}

// TestTooLarge: of what is computed row by row there are the rows of a block; of what
// is not there is all, for which there may be too little memory.
func TestTooLarge(t *testing.T) {
	p := kerneltest.Program(t, `def f(a: R[11000]): R = sum (build 11000 (\i -> sum (exp (a * a[i]))))`)
	m, err := fusion.Prepare(nil, p, nil, nil)
	if err != nil || m.Memory() > 10e6 {
		t.Fatalf("%d bytes are planned, %v", m.Memory(), err)
	}
	p = kerneltest.Program(t, `def f(a: R[11000]): R = let r = build 11000 (\i -> build 11000 (\j -> exp (a[i] * a[j]))) in sum (sum (r * tr [1, 0] r))`)
	m, err = fusion.Prepare(nil, p, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	const bytes, allowed = 8 * 11000 * 11000, 0.9e9
	if n := m.Memory(); n < bytes {
		t.Errorf("%d bytes are planned", n)
	}
	var large *machine.MemoryError
	if err := m.Allow(allowed); !errors.As(err, &large) {
		t.Errorf("got %v", err)
	}
	_, err = m.Run(kerneltest.Values(t, p, 1))
	if !errors.As(err, &large) || large.Allowed != allowed || large.Bytes != m.Memory() || len(large.Largest) == 0 {
		t.Errorf("got %v", err)
	}
	if err == nil || !strings.Contains(err.Error(), ": R[11000, 11000] (968 MB), ") {
		t.Errorf("got %v", err)
	}
	if err := m.Allow(bytes + 1e6); err != nil {
		t.Error(err)
	}
	huge := kerneltest.Program(t, `def f(a: R[100000000]): R = sum (build 100000000 (\i -> sum (build 100000000 (\j -> sum (sort (build 1000 (\k -> a[i] * a[j] * a[k])))))))`)
	if _, err := fusion.Lower(nil, huge, nil); err == nil || !strings.Contains(err.Error(), "keep an array of 1e+") {
		t.Errorf("got %v", err)
	}
}

// BenchmarkRun reports the time of kernels and of the evaluator.
func BenchmarkRun(b *testing.B) {
	for _, c := range []struct{ name, text string }{
		{"elementwise", `def f(a: R[1000000], x: R, y: R): R = sum ((a * x + y) * (x - y) + a)`},
		{"logsumexp", `def f(a: R[1000000]): R = let m = maximum a in m + log (sum (exp (a - m)))`},
		{"matmul", `def f(a: R[128, 128], b: R[128, 128]): R[128, 128] = matmul(a, b)`},
		{"gather", `def f(a: R[1000], ix: I[100000]): R = sum (build 100000 (\i -> a[ix[i]]))`},
		{"scatter", `def f(a: R[100000], ix: I[100000]): R[1000] = scatter [1000] a (\[i] -> [ix[i]])`},
	} {
		p := kerneltest.Program(b, c.text)
		env := kerneltest.Values(b, p, 1)
		k, err := fusion.Lower(nil, p, nil)
		if err != nil {
			b.Fatal(err)
		}
		m, err := machine.Compile(k, kernel.DefaultBlock)
		if err != nil {
			b.Fatal(err)
		}
		ops := float64(k.Counts().Float + k.Counts().Int)
		b.Run(c.name+"/kernels", func(b *testing.B) {
			for b.Loop() {
				if _, err := m.Run(env); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(ops/1e3*float64(b.N)/float64(b.Elapsed().Microseconds()), "Gop/s")
		})
		n, err := machine.CompileNative(k, false)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(c.name+"/native", func(b *testing.B) {
			for b.Loop() {
				if _, err := n.Run(env); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(ops/1e3*float64(b.N)/float64(b.Elapsed().Microseconds()), "Gop/s")
		})
		b.Run(c.name+"/evaluator", func(b *testing.B) {
			for b.Loop() {
				if _, err := eval.Interpret(p.Store, p.Root, eval.FloatArrays(), env); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// TestCopiesTooLarge: machine code has copies of inputs, which are named where there is too
// little memory for them.
func TestCopiesTooLarge(t *testing.T) {
	p := kerneltest.Program(t, `def f(a: R[20000, 10]): R[10] = fold (\s x -> tanh (s + x)) (replicate 10 0.0) a`)
	m, err := fusion.Prepare(nil, p, nil, new(machine.Native))
	if err != nil {
		t.Fatal(err)
	}
	if !m.Native() {
		t.Skip("there is no compiler")
	}
	if err := m.Allow(1 << 20); err == nil || !strings.Contains(err.Error(), "the largest: a: R[20000, 10] (1.6 MB, a copy of the input)") {
		t.Errorf("got %v", err)
	}
}
