package fusion_test

import (
	"fmt"
	"math"
	"math/rand"
	"testing"

	"egad/ad"
	"egad/fusion"
	"egad/internal/defs"
	"egad/kernel/estimate"
	"egad/kernel/machine"
	"egad/term"
	"egad/term/eval"
)

// TestReordered: values are computed in another order where that saves much, and in that of the program
// where it does not, or where the result is no number in the other.
func TestReordered(t *testing.T) {
	lib, m := defs.Read(t, `
def spread[c, d, n](y: R[d, n, n], k: R[d, c, 4, 4]): R[c, 2 * n, 2 * n] =
  build c (\m -> scatter [2 * n, 2 * n] (build [d, n, n, 4, 4] (\o i j p q -> y[o, i, j] * k[o, m, p, q])) (\[o, i, j, p, q] -> [2 * i + p - 1, 2 * j + q - 1]))
def usual[c, d, n](y: R[d, n, n], k: R[d, c, 4, 4]): R = sum (flat (exp (y * 0.5))) + sum (flat k)
def decided[c, d, n](y: R[d, n, n], k: R[d, c, 4, 4]): R = scatter [] k[0, 0, if 3 == 3 then 1 else 0] (\[i] -> [])
def few[c, d, n](y: R[d, n, n], k: R[d, c, 4, 4]): R = sumsq (k[0, 0, 0])
`)
	for name, want := range map[string]bool{"spread": true, "usual": false, "few": false, "decided": false} {
		p, err := m.Instantiate(name, map[string]int64{"c": 3, "d": 12, "n": 24})
		if err != nil {
			t.Fatal(err)
		}
		value := ad.Value(lib, p, ad.Options{})
		if _, err := value.ReorderedProgram(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		k, otherwise, _, err := fusion.Either(lib, p, value, nil)
		if err != nil || (otherwise != nil) != want {
			t.Fatalf("%s: another order is %v, %v\n%s", name, otherwise != nil, err, k)
		}
		if want && estimate.Program(k) >= estimate.Program(otherwise) {
			t.Errorf("%s: about %v, and %v as it is written", name, estimate.Program(k), estimate.Program(otherwise))
		}
		mach, err := fusion.PrepareEither(lib, p, value, nil, new(machine.Native))
		if err != nil {
			t.Fatal(err)
		}
		env := defs.Inputs(t, p, rand.New(rand.NewSource(1)).NormFloat64, nil)
		for _, x := range []float64{0, math.Inf(1), math.NaN(), 1e308} {
			env["y"].R[7], env["y"].R[24*24+7] = x, -x
			agree(t, fmt.Sprintf("%s, with %v", name, x), p, mach, env)
		}
	}
}

// agree compares what a machine computes with the evaluator.
func agree(t *testing.T, what string, p *term.Program, mach *machine.Machine, env eval.Env[*eval.Value[float64]]) {
	t.Helper()
	want, err := eval.InterpretStaged(p.Store, p.Root, eval.FloatArrays(), env)
	if err != nil {
		t.Fatal(err)
	}
	got, err := mach.Run(env)
	if err != nil {
		t.Fatal(err)
	}
	if !defs.Near(want, got, 1e-12) {
		t.Fatalf("%s: %v, and by machine code %v", what, want, got)
	}
}

// TestTermwise: gradients of sums of what data choose are made term by term, where that saves a pass, also where
// there are no terms and a factor is infinite, and where products in another order would be; sums that no data
// limit are not.
func TestTermwise(t *testing.T) {
	lib, m := defs.Read(t, `
def rows[n, m, z](val: R[z], x: R[n], ptr: I[m + 1], col: I[z]): R =
  sumsq (build m (\i -> sum (build z (\e -> if ptr[i] <= e && e < ptr[i + 1] then val[e] * x[col[e]] else 0))))
def steps[n, m, z](val: R[z], x: R[n], ptr: I[m + 1], col: I[z]): R =
  sumsq (build m (\i -> (iterate (ptr[i + 1] - ptr[i]) (\(s, e) -> (s + val[e] * x[col[e]], e + 1)) (0, ptr[i])).0))
def factors[n, m, z](val: R[z], x: R[n], ptr: I[m + 1], col: I[z]): R =
  sumsq (build m (\i -> sum (build z (\e -> if ptr[i] <= e && e < ptr[i + 1] then exp val[e] * x[col[e]] * x[e mod n] else 0))))
def scaled[n, m, z](val: R[z], x: R[n], ptr: I[m + 1], col: I[z]): R =
  sum (build m (\i -> x[i] * sum (build z (\e -> if ptr[i] <= e && e < ptr[i + 1] then val[e] * x[col[e]] * x[e mod n] else 0))))
def dense[n, m, z](val: R[z], x: R[n], ptr: I[m + 1], col: I[z]): R =
  sumsq (build m (\i -> sum (build z (\e -> if val[e] < x[i] then val[e] * x[col[e]] else 0))))
def all[n, m, z](val: R[z], x: R[n], ptr: I[m + 1], col: I[z]): R = sumsq (build z (\e -> val[e] * x[col[e]]))
`)
	for name, want := range map[string]bool{"rows": true, "steps": true, "factors": false, "scaled": false, "dense": false, "all": false} {
		p, err := m.Instantiate(name, map[string]int64{"n": 100, "m": 100, "z": 800})
		if err != nil {
			t.Fatal(err)
		}
		d, err := ad.Grad(lib, p, ad.Options{Wrt: []string{"val", "x"}})
		if err != nil {
			t.Fatal(err)
		}
		of, err := d.TermwiseProgram()
		if err != nil {
			t.Fatal(err)
		}
		k, _, from, err := fusion.Either(lib, d.Program, d, nil)
		if err != nil || (of != nil && from == of) != want {
			t.Fatalf("%s: term by term is %v, %v\n%s", name, of != nil && from == of, err, k)
		}
		mach, err := fusion.PrepareEither(lib, d.Program, d, nil, new(machine.Native))
		if err != nil {
			t.Fatal(err)
		}
		if (of != nil) != (name != "all") {
			t.Errorf("%s: a program term by term is there: %v", name, of != nil)
		}
		termwise := mach
		if of != nil {
			if termwise, err = fusion.Prepare(lib, of, nil, new(machine.Native)); err != nil {
				t.Fatal(err)
			}
		}
		rng := rand.New(rand.NewSource(1))
		for _, inf := range []float64{0, math.Inf(1), math.NaN()} {
			env := defs.Inputs(t, d.Program, rng.NormFloat64, func() int64 { return rng.Int63n(103) })
			ptr := env["ptr"].N
			for i := range ptr { // of each row there are some, and some are in none
				ptr[i] = int64(7*i + rng.Intn(3))
			}
			env["val"].R[790], env["x"].R[rng.Intn(100)] = inf, inf
			if inf == 0 { // products that overflow, or are 0, in another order
				for e := range env["val"].R {
					env["val"].R[e] *= 1e-200
				}
				for i := range env["x"].R {
					env["x"].R[i] *= [2]float64{1e200, 1e-250}[i%2]
				}
			}
			what := fmt.Sprintf("%s, with %v", name, inf)
			agree(t, what, d.Program, mach, env)
			if of != nil {
				agree(t, what+", term by term", d.Program, termwise, env)
			}
		}
	}
}
