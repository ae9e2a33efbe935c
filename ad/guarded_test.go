package ad

import (
	"math"
	"testing"

	"egad/fusion"
	"egad/internal/defs"
	"egad/rules"
	"egad/term"
	"egad/term/eval"
	"egad/term/types"
)

// function is a function of x at a point, with its derivatives there.
type function struct {
	body string // of x: R[n]
	x    []float64
	grad []float64
	hess []float64 // nil if it is not told
}

// guarded are functions of x at points where what is behind a guard, or before
// one, is not finite. Their derivatives are those of what is in front.
var guarded = []function{
	{`if x[0] == 0 then 0 else 1 / x[0]`, []float64{0}, []float64{0}, []float64{0}},
	{`if x[0] == 0 then 0 else 1 / x[0]`, []float64{2}, []float64{-0.25}, []float64{0.25}},
	{`if x[0] > 0 then sqrt x[0] else x[0]`, []float64{0}, []float64{1}, []float64{0}},
	{`if x[0] > 0 then log x[0] else 3 * x[0]`, []float64{-1}, []float64{3}, []float64{0}},
	{`if x[0] > 0 then x[0] ^ 0.5 else x[0] * x[0]`, []float64{0}, []float64{0}, []float64{2}},
	{`if x[0] > 0 then x[0] ^ -1.5 else x[0]`, []float64{0}, []float64{1}, []float64{0}},
	// The guard is before what is singular.
	{`sqrt (if x[0] < 0 then 0 else x[0])`, []float64{-1}, []float64{0}, []float64{0}},
	{`log (max 0 x[0])`, []float64{-1}, []float64{0}, []float64{0}},
	{`1 / relu x[0]`, []float64{-1}, []float64{0}, []float64{0}},
	{`sqrt (relu x[0])`, []float64{-2}, []float64{0}, []float64{0}},
	{`max 1 (log x[0])`, []float64{0}, []float64{0}, []float64{0}},
	{`min 1 (1 / x[0])`, []float64{0}, []float64{0}, []float64{0}},
	// What is a constant by agreement.
	{`x[0] * stopgrad x[0]`, []float64{3}, []float64{3}, []float64{0}},
	{`sum (square (x - stopgrad (x + 1)))`, []float64{3, 4}, []float64{-2, -2}, []float64{2, 0, 0, 2}},
	{`let (s, k) = stopgrad ((x[0] * x[1], floor x[1])) in s * x[1] * real k`, []float64{3, 2.5}, []float64{0, 15}, []float64{0, 0, 0, 0}},
	{`sum (build n (\i -> stopgrad (sum (x * x)) * x[i]))`, []float64{1, 2}, []float64{5, 5}, []float64{0, 0, 0, 0}},
	{`stopgrad (log x[0]) + x[0]`, []float64{0}, []float64{1}, []float64{0}},
	{`let k = searchsorted [0, 1, 2] x[0] in x[0] * real k`, []float64{1.5}, []float64{2}, []float64{0}},
	// In arrays, sums and copies.
	{`sum (where (x == 0) 0 (1 / x))`, []float64{0, 2, 0}, []float64{0, -0.25, 0}, []float64{0, 0, 0, 0, 0.25, 0, 0, 0, 0}},
	{`sum (build n (\i -> if x[i] == 0 then 1 else sin x[i] / x[i]))`, []float64{0, math.Pi}, []float64{0, -1 / math.Pi}, nil},
	{`let s = sum x in if s == 0 then 0 else 1 / s`, []float64{1, -1}, []float64{0, 0}, []float64{0, 0, 0, 0}},
	{`sum (where (replicate n (sum x == 0)) 0 (x / replicate n (sum x)))`, []float64{1, -1}, []float64{0, 0}, []float64{0, 0, 0, 0}},
	{`let r = norm x in if r == 0 then 0 else r`, []float64{0, 0}, []float64{0, 0}, []float64{0, 0, 0, 0}},
	{`let r = norm x in if r == 0 then 0 else r`, []float64{3, 4}, []float64{0.6, 0.8}, nil},
	{`sum (build n (\i -> sum (build n (\j -> if i < j then -1 / sqrt (square (x[i] - x[j])) else 0))))`,
		[]float64{0, 1, 3}, []float64{-1 - 1.0/9, 1 - 0.25, 0.25 + 1.0/9}, nil},
	{`sum (build n (\i -> sum (build n (\j -> if i == j then 0 else x[i] / (x[i] - x[j])))))`, []float64{1, 2}, []float64{0, 0}, nil},
	{`sum (reshape [n] (tr [1, 0] (replicate 1 (where (x > 0) (log x) x))))`, []float64{0, 2}, []float64{1, 0.5}, []float64{0, 0, 0, -0.25}},
	// By indices: what is not read, and what is read out of range.
	{`let y = build n (\i -> 1 / x[i]) in y[1]`, []float64{0, 2, 0}, []float64{0, -0.25, 0}, []float64{0, 0, 0, 0, 0.25, 0, 0, 0, 0}},
	{`let y = log x in let z = y * y in z[0] + z[2]`, []float64{1, 0, 1}, []float64{0, 0, 0}, []float64{2, 0, 0, 0, 0, 0, 0, 0, 2}},
	{`let y = sqrt x in sum (gather [2] (y * y) (\[i] -> [2 * i]))`, []float64{4, 0, 9}, []float64{1, 0, 1}, nil},
	{`sum (build n (\i -> if 0 < i then log x[i - 1] else 0))`, []float64{2, 4, 0}, []float64{0.5, 0.25, 0}, nil},
	{`sum (build n (\i -> let y = x[i + 1] in if i < n - 1 then 1 / y else y))`, []float64{0, 1, 2}, []float64{0, -1, -0.25}, nil},
	{`maximum (log x)`, []float64{0, 2, 1}, []float64{0, 0.5, 0}, nil},
	{`minimum (1 / x)`, []float64{0, 2}, []float64{0, -0.25}, nil},
	{`sum (scatter [2] (1 / x) (\[i] -> [if x[i] == 0 then 5 else 0]))`, []float64{0, 2}, []float64{0, -0.25}, nil},
	// Guards in guards, several conditions, several uses.
	{`if x[0] > 0 then (if x[1] > 0 then log x[0] / sqrt x[1] else 1 / x[1]) else x[1]`, []float64{0, 0}, []float64{0, 1}, nil},
	{`if x[0] > 0 && x[1] > 0 then log x[0] * log x[1] else x[0]`, []float64{1, 0}, []float64{1, 0}, []float64{0, 0, 0, 0}},
	{`if x[0] == 0 || x[1] == 0 then x[1] else x[1] / x[0] + x[0] / x[1]`, []float64{0, 1}, []float64{0, 1}, []float64{0, 0, 0, 0}},
	{`let y = 1 / x[0] in (if x[0] == 0 then 0 else y) + (if x[0] < 1 then x[0] else y * y)`, []float64{0}, []float64{1}, []float64{0}},
	{`let t = sumsq x in let a = sqrt t in
	  (if t == 0 then 1 else sin a / a) * x[0] + (if t == 0 then 0.5 else (1 - cos a) / t) * x[1]`, []float64{0, 0}, []float64{1, 0.5}, nil},
	{`sum (build n (\i -> if i mod 2 == 0 then (if x[i] == 0 then x[i] else exp (1 / x[i])) else sqrt (x[i] - x[i - 1])))`,
		[]float64{0, 4}, []float64{0.75, 0.25}, nil},
	// Ties and kinks.
	{`max x[0] x[1] + 10 * min x[1] x[0]`, []float64{2, 2}, []float64{5.5, 5.5}, nil},
	{`max x[0] x[0]`, []float64{2}, []float64{1}, nil},
	{`max 0 x[0] + max x[0] 0`, []float64{0}, []float64{1}, nil},
	{`maximum x + 10 * minimum x`, []float64{1, 1, 1}, []float64{11, 0, 0}, nil},
	{`maximum (reverse x)`, []float64{1, 1, 1}, []float64{0, 0, 1}, nil},
	{`maximum (maximum (replicate 2 x))`, []float64{1, 1}, []float64{1, 0}, nil},
	{`relu x[0] + 10 * abs x[0] + 100 * relu (-x[0])`, []float64{0}, []float64{0}, []float64{0}},
	{`sqrt (abs x[0])`, []float64{0}, []float64{0}, []float64{0}},
	// Infinities.
	{`softplus x[0]`, []float64{math.Inf(-1)}, []float64{0}, []float64{0}},
	{`softplus x[0]`, []float64{math.Inf(1)}, []float64{1}, []float64{0}},
	{`softplus x[0]`, []float64{0}, []float64{0.5}, []float64{0.25}},
	{`softplus x[0]`, []float64{-1000}, []float64{0}, []float64{0}},
	{`softplus x[0]`, []float64{1000}, []float64{1}, []float64{0}},
	{`logsumexp x`, []float64{0, math.Inf(-1), 0}, []float64{0.5, 0, 0.5}, []float64{0.25, 0, -0.25, 0, 0, 0, -0.25, 0, 0.25}},
	{`logsumexp x`, []float64{1e300, 1e300}, []float64{0.5, 0.5}, nil},
	{`logsumexp x`, []float64{math.Inf(1), 1, 2}, []float64{1, 0, 0}, nil},
	{`logsumexp x`, []float64{math.Inf(-1), math.Inf(-1)}, []float64{0.5, 0.5}, nil},
	{`logsumexp x`, []float64{math.Inf(-1), math.Inf(1)}, []float64{0, 1}, nil},
	{`logsumexp x`, []float64{0, 0, -1000}, []float64{0.5, 0.5, 0}, nil},
	{`dot(softmax x, build n (\i -> real i))`, []float64{0, math.Inf(-1), 0}, []float64{-0.5, 0, 0.5}, nil},
	{`dot(softmax x, build n (\i -> real i))`, []float64{0, math.Inf(1)}, []float64{0, 0}, []float64{0, 0, 0, 0}},
}

// TestGuarded has these derivatives in every mode.
func TestGuarded(t *testing.T) {
	for _, c := range guarded {
		lib, p := defs.Last(t, "def g[n](x: R[n]): R = "+c.body+"\ndef f(x: R["+string(rune('0'+len(c.x)))+"]): R = g x")
		at := env{"x": {Elem: types.R, Shape: []int{len(c.x)}, R: c.x}}
		check := func(how string, got, want []float64) {
			t.Helper()
			for k, w := range want {
				if !(math.Abs(got[k]-w) <= 1e-12*(1+math.Abs(w))) {
					t.Errorf("%s at %v, %s: %v, want %v", c.body, c.x, how, got, want)
					return
				}
			}
		}
		// of is the derivative in part of what a program results in, by kernels and by
		// the evaluator.
		of := func(how string, d *Derived, err error, at env, part int, want []float64) {
			t.Helper()
			if err != nil {
				t.Fatal(err)
			}
			v, err := fusion.Run(d.Program, at)
			if err != nil {
				t.Fatal(err)
			}
			check(how, v.Parts[part].R, want)
			if v, err = eval.Interpret(d.Program.Store, d.Program.Root, eval.FloatArrays(), at); err != nil {
				t.Fatal(err)
			}
			check(how+", evaluated", v.Parts[part].R, want)
		}
		dir := make([]float64, len(c.x))
		slope, turn := 0.0, make([]float64, len(c.x))
		for k := range dir {
			dir[k] = 1 + float64(k)/2
			slope += dir[k] * c.grad[k]
		}
		for i := range turn {
			for k, d := range dir {
				if c.hess != nil {
					turn[i] += c.hess[i*len(dir)+k] * d
				}
			}
		}
		along := with(at, env{"d_x": {Elem: types.R, Shape: []int{len(c.x)}, R: dir}})
		for _, opt := range []struct {
			name string
			Options
		}{{"", Options{}}, {"exact, ", Options{Exact: true}}, {"direct, ", Options{Direct: true}}} {
			derived := func(how func(*rules.Library, *term.Program, Options) (*Derived, error)) (*Derived, error) {
				return how(lib, p, opt.Options)
			}
			d, err := derived(Grad)
			of(opt.name+"gradient", d, err, at, 1, c.grad)
			d, err = derived(JVP)
			of(opt.name+"forward", d, err, along, 1, []float64{slope})
			for _, mode := range []Mode{Forward, Reverse} {
				if opt.Exact {
					break
				}
				d, err = DenseJacobian(lib, p, opt.Options, mode)
				of(opt.name+"Jacobian, "+mode.String(), d, err, at, 1, c.grad)
			}
			if c.hess == nil || opt.Exact {
				continue
			}
			d, err = derived(Hessian)
			of(opt.name+"Hessian", d, err, at, 2, c.hess)
			d, err = derived(HVP)
			of(opt.name+"Hessian-vector product", d, err, along, 2, turn)
		}
	}
}
