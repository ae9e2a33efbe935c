package ad

import (
	"math"
	"math/rand"
	"testing"

	"egad/diag"
	"egad/kernel"
	"egad/rules"
	"egad/term"
)

const checkpointPrograms = `
def orbit[n](k: R[3], a: R[n]): R = let (x, y) = iterate n (\(x, y) -> (x + 0.01 * sin (k[0] * y), y - 0.01 * k[1] * x * y + k[2] / 100)) (k[2], 1) in x * y
def network[n](k: R[3], a: R[n]): R = sum (iterate n (\s -> tanh (build 3 (\i -> k[i] * s[i] + sum s / 10))) k)
def elements[n](k: R[3], a: R[n]): R = fold (\s x -> sin (s * k[0]) + x * k[1]) k[2] a
def nested[n](k: R[3], a: R[n]): R = fold (\s x -> fold (\t y -> sin (t * x) + y * s) s k) k[0] a
def inner[n](k: R[3], a: R[n]): R = iterate 3 (\s -> fold (\t y -> cos (t * s) + y * k[1]) s a) k[2]
def side[n](k: R[3], a: R[n]): R = sum (build 3 (\i -> iterate n (\s -> s - 0.01 * sin (s * k[i]) * k[0]) k[i]))
`

// TestCheckpoint: with checkpoints value, gradient and Hessian times a direction are the
// same, bit for bit, and what is kept grows by the root of the number of steps.
func TestCheckpoint(t *testing.T) {
	sig := term.NewSignature()
	lib, err := rules.Builtin(sig)
	if err != nil {
		t.Fatal(err)
	}
	m, err := term.LoadModule(sig, &diag.Source{Name: "checkpoint.egad", Text: checkpointPrograms})
	if err != nil {
		t.Fatal(err)
	}
	derive := func(p *term.Program, order, wrt int, checkpoint bool) (*kernel.Machine, *term.Program) {
		of := Grad
		if order == 2 {
			of = HVP
		}
		d, err := of(lib, p, Options{Wrt: []string{"k", "a"}[:wrt], Checkpoint: checkpoint})
		if err != nil {
			t.Fatalf("%s: %v", p.Name, err)
		}
		mach, err := kernel.Prepare(d.Program)
		if err != nil {
			t.Fatalf("%s: %v", p.Name, err)
		}
		return mach, d.Program
	}
	for _, d := range m.Defs() {
		for _, n := range []int64{17} { // three rounds of five steps, and one of two
			p, err := m.Instantiate(d, map[string]int64{"n": n})
			if err != nil {
				t.Fatal(err)
			}
			for order := 1; order <= 2; order++ {
				plain, q := derive(p, order, 2, false)
				rounds, _ := derive(p, order, 2, true)
				rng := rand.New(rand.NewSource(n))
				at := make(env)
				for _, in := range q.Inputs {
					v, err := term.FloatArrays().New(in.Type)
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
				if !identical(got, want) {
					t.Errorf("%s of %d steps, order %d: %v, and without checkpoints %v", d, n, order, got, want)
				}
			}
		}
	}
	// A state is two reals, or three, or three times one.
	for _, d := range []string{"orbit", "network", "side"} {
		for order := 1; order <= 2; order++ {
			var elements [2]int64
			for i, n := range []int64{1024, 4096} {
				p, err := m.Instantiate(d, map[string]int64{"n": n})
				if err != nil {
					t.Fatal(err)
				}
				mach, _ := derive(p, order, 1, true)
				elements[i] = mach.Memory() / 8
			}
			if elements[1] > int64(order)*24*64 || elements[1] > 2*elements[0]+64 {
				t.Errorf("%s, order %d: %d elements are kept for 1024 steps, and %d for 4096", d, order, elements[0], elements[1])
			}
		}
	}
}

// identical reports whether two values have the same bits.
func identical(a, b *term.Value[float64]) bool {
	for i := range a.Parts {
		if !identical(a.Parts[i], b.Parts[i]) {
			return false
		}
	}
	for i := range a.R {
		if math.Float64bits(a.R[i]) != math.Float64bits(b.R[i]) {
			return false
		}
	}
	return len(a.Parts) == len(b.Parts) && len(a.R) == len(b.R)
}
