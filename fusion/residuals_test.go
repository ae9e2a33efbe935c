package fusion_test

import (
	"math/rand"
	"strings"
	"testing"

	"egad/ad"
	"egad/diag"
	"egad/extract"
	"egad/fusion"
	"egad/internal/defs"
	"egad/kernel"
	"egad/term"
)

const recurrent = `
def rnn[n, d](u: R[d, d], x: R[n, d]): R = sumsq (fold (\h r -> tanh (matvec u h + r)) (replicate d 0.0) x)
def gated[n, d](u: R[d, d], x: R[n, d]): R =
  let step = \(h, c) r -> (let f = sigmoid (u[0] * r + h) in let c2 = f * c + sigmoid (h * u[0]) * tanh (matvec u h) in (sigmoid r * tanh c2, c2)) in
  sumsq (fold step (replicate d 0.0, replicate d 1.0) x).0
def layers[n, d](u: R[d, d], x: R[n, d]): R =
  sumsq (fold (\h r -> fold (\g v -> tanh (exp (g * 0.1) * v)) (h + r) u) (replicate d 0.0) x)
def energy[n, d](u: R[d, d], x: R[n, d]): R = sum (fold (\s r -> log (1 + exp (s * r)) * s) u[0] x)
def chain[n, d](u: R[d, d], x: R[n, d]): R = fold (\s r -> sin (s * r[0]) + r[1]) u[0, 0] x
`

// functions are how many the way back computes, and how many if nothing is kept.
var functions = map[string][2]int{
	"rnn":    {0, 0}, // it is the state
	"gated":  {0, 8},
	"layers": {0, 1},
	"energy": {0, 2},
	"chain":  {1, 1}, // which the loop before does not compute
}

// TestResiduals: a gradient's loop on the way back computes no function that the loop before
// has computed, but reads it, if that fits; values stay what they are.
func TestResiduals(t *testing.T) {
	lib, m := defs.Read(t, recurrent)
	nothing, err := kernel.ReadWeights(&diag.Source{Name: "w", Text: "keep 0"})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range m.Defs() {
		for _, n := range []int64{4, 1} {
			p, err := m.Instantiate(name, map[string]int64{"n": n + 3, "d": n + 4})
			if err != nil {
				t.Fatal(err)
			}
			d, err := ad.Grad(lib, p, ad.Options{})
			if err != nil {
				t.Fatal(err)
			}
			env := defs.Inputs(t, p, rand.New(rand.NewSource(n)).NormFloat64, nil)
			if err := check(lib, d.Program, env); err != nil {
				t.Error(err)
			}
			with, without := functionsBack(t, d.Program, nil), functionsBack(t, d.Program, nothing)
			if want := functions[name]; with != want[0] || without != want[1] {
				t.Errorf("%s: the way back computes %d functions, and %d if nothing is kept", name, with, without)
			}
		}
	}
}

// TestResidualBytes: what does not fit is computed again.
func TestResidualBytes(t *testing.T) {
	lib, m := defs.Read(t, recurrent)
	p, err := m.Instantiate("gated", map[string]int64{"n": 7, "d": 8})
	if err != nil {
		t.Fatal(err)
	}
	d, err := ad.Grad(lib, p, ad.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		bytes string
		kept  int // of arrays of 8 in 8 rows
	}{{"0", 0}, {"511", 0}, {"512", 1}, {"1100", 2}, {"1000000", 8}} {
		w, err := kernel.ReadWeights(&diag.Source{Name: "w", Text: "keep " + c.bytes})
		if err != nil {
			t.Fatal(err)
		}
		q, err := d.Program.WithResiduals(w.Residuals())
		if err != nil {
			t.Fatal(err)
		}
		if got := arraysOfStates(q) - arraysOfStates(d.Program); got != c.kept {
			t.Errorf("with %s bytes %d arrays are kept", c.bytes, got)
		}
	}
}

// arraysOfStates is how many arrays the states of loops are made of.
func arraysOfStates(p *term.Program) (n int) {
	p.Store.Walk(p.Root, func(u term.Term) {
		if op := p.Store.Op(u); op.Sym == term.SymStates {
			n += max(1, len(op.Type.Parts))
		}
	})
	return n
}

// functionsBack is how many functions are written in the last loop of a fused program.
func functionsBack(t *testing.T, p *term.Program, w *kernel.Weights) int {
	q, err := fusion.Fuse(nil, p, w, extract.How{})
	if err != nil {
		t.Fatal(err)
	}
	text, n := q.Text("f"), 0
	text = text[strings.LastIndex(text, " = states "):]
	for _, f := range []string{"tanh", "sigmoid", "exp", "sin", "cos", "log"} {
		n += strings.Count(text, f+" ")
	}
	return n
}
