package ad

import (
	"math/rand"
	"slices"
	"testing"

	"egad/diag"
	"egad/fusion"
	"egad/internal/defs"
	"egad/internal/testflag"
	"egad/kernel/machine"
	"egad/rules/load"
	"egad/term"
	"egad/term/eval"
	"egad/term/module"
)

const checkpointPrograms = `
def orbit[n](k: R[3], a: R[n]): R = let (x, y) = iterate n (\(x, y) -> (x + 0.01 * sin (k[0] * y), y - 0.01 * k[1] * x * y + k[2] / 100)) (k[2], 1) in x * y
def network[n](k: R[3], a: R[n]): R = sum (iterate n (\s -> tanh (build 3 (\i -> k[i] * s[i] + sum s / 10))) k)
def elements[n](k: R[3], a: R[n]): R = fold (\s x -> sin (s * k[0]) + x * k[1]) k[2] a
def nested[n](k: R[3], a: R[n]): R = fold (\s x -> fold (\t y -> sin (t * x) + y * s) s k) k[0] a
def inner[n](k: R[3], a: R[n]): R = iterate 3 (\s -> fold (\t y -> cos (t * s) + y * k[1]) s a) k[2]
def side[n](k: R[3], a: R[n]): R = sum (build 3 (\i -> iterate n (\s -> s - 0.01 * sin (s * k[i]) * k[0]) k[i]))
def prefix[n](k: R[3], a: R[n]): R = let p = scan (\s x -> sin (s * k[0]) + x * k[1]) k[2] a in sum (p * p)
def pairs[n](k: R[3], a: R[n]): R = let (p, q) = scan (\(p, q) x -> (sin (p * k[0]) + x * q, cos (p * q))) (k[1], k[2]) a in sum p
def outputs[n](k: R[3], a: R[n]): R = let (s, y) = mapAccum (\s x -> (tanh (build 3 (\i -> s[i] * k[i] + x)), sum s * x)) k a in sum (y * y) * s[0]
def rows[n](k: R[3], a: R[n]): R = sum (mapAccum (\(s, m) x -> ((s * x + k[0], not m), if m then build 2 (\i -> s * k[i]) else [x, s])) (k[1], true) a).1[1]
def scans[n](k: R[3], a: R[n]): R = fold (\s x -> s * x + sum (scan (\t y -> sin (t + y) * s) x a)) k[0] k
def chained[n](k: R[3], a: R[n]): R = fold (\s x -> cos s + x) k[0] (scan (\s x -> s * x + k[1]) k[2] a)
def single[n](k: R[3], a: R[n]): R = (scan (\s x -> sin (s * k[0]) + x) k[2] a)[n - 2]
def moved[n](k: R[3], a: R[n]): R = sum (iterate n (\u -> build n (\i -> u[i] + k[1] * (a[i] * cos u[i]))) a)
def wide[n](k: R[3], a: R[n]): R = sum (mapAccum (\s x -> (sin (s + build 30 (\i -> k[i mod 3])), s[0])) (build 30 (\i -> k[1])) a).1
`

// allStates are those of these programs that use the states after all steps.
var allStates = []string{"prefix", "pairs", "outputs", "rows", "scans", "chained", "single", "wide"}

// reordered are those in which what a step adds up is added in another order with checkpoints,
// unless programs are exact.
var reordered = []string{"moved"}

// TestCheckpoint: with checkpoints value, gradient and Hessian times a direction are the
// same, bit for bit unless sums are added in another order, and what is kept of states that
// nobody uses grows by the root of the number of steps.
func TestCheckpoint(t *testing.T) {
	sig := term.NewSignature()
	lib, err := load.Builtin(sig)
	if err != nil {
		t.Fatal(err)
	}
	m, err := module.Load(sig, &diag.Source{Name: "checkpoint.egad", Text: checkpointPrograms})
	if err != nil {
		t.Fatal(err)
	}
	derive := func(p *term.Program, order int, opt Options) (*machine.Machine, *term.Program) {
		of := Grad
		if order == 2 {
			of = HVP
		}
		d, err := of(lib, p, opt)
		if err != nil {
			t.Fatalf("%s: %v", p.Name, err)
		}
		mach, err := fusion.Prepare(nil, d.Program, nil, nil)
		if err != nil {
			t.Fatalf("%s: %v", p.Name, err)
		}
		return mach, d.Program
	}
	for i, d := range m.Defs() {
		orders := testflag.Count(1+(i+1)%2, 2)
		for _, n := range []int64{17} { // three rounds of five steps, and one of two
			p, err := m.Instantiate(d, map[string]int64{"n": n})
			if err != nil {
				t.Fatal(err)
			}
			for k := range orders + 1 { // exact, and then by order
				order, opt := max(k, 1), Options{Wrt: []string{"k", "a"}, Exact: k == 0}
				plain, q := derive(p, order, opt)
				opt.Checkpoint = true
				rounds, _ := derive(p, order, opt)
				rng := rand.New(rand.NewSource(n))
				at := make(env)
				for _, in := range q.Inputs {
					v, err := eval.FloatArrays().New(in.Type)
					if err != nil {
						t.Fatal(err)
					}
					for i := range v.R {
						v.R[i] = rng.NormFloat64() / 2
					}
					at[in.Name] = v
				}
				want, err := plain.Run(at)
				if err != nil {
					t.Fatal(err)
				}
				got, err := rounds.Run(at)
				if err != nil {
					t.Fatal(err)
				}
				// What is added at second order is added in another order where all states
				// are used.
				loose := order == 2 && slices.Contains(allStates, d) || !opt.Exact && slices.Contains(reordered, d)
				if !defs.Same(got, want) && !(loose && defs.Near(got, want, 1e-13)) {
					t.Errorf("%s of %d steps, order %d, exact %t: %v, and without checkpoints %v", d, n, order, opt.Exact, got, want)
				}
			}
		}
	}
	// A state is two reals, or three, or three times one; or 30, and one output for each step.
	for _, x := range []struct {
		def             string
		elements, after int64
	}{{"orbit", 24, 0}, {"network", 24, 0}, {"side", 24, 0}, {"wide", 300, 8}} {
		for order := 1; order <= 2; order++ {
			var elements [2]int64
			for i, n := range []int64{1024, 4096} {
				p, err := m.Instantiate(x.def, map[string]int64{"n": n})
				if err != nil {
					t.Fatal(err)
				}
				mach, _ := derive(p, order, Options{Wrt: []string{"k"}, Checkpoint: true})
				elements[i] = mach.Memory() / 8
			}
			if elements[1] > int64(order)*(x.elements*64+x.after*4096) || x.after == 0 && elements[1] > 2*elements[0]+64 {
				t.Errorf("%s, order %d: %d elements are kept for 1024 steps, and %d for 4096", x.def, order, elements[0], elements[1])
			}
		}
	}
}
