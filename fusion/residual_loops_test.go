package fusion_test

import (
	"fmt"
	"math/rand"
	"testing"

	"egad/ad"
	"egad/diag"
	"egad/extract"
	"egad/fusion"
	"egad/internal/defs"
	"egad/kernel/cost"
	"egad/rules"
	"egad/term"
	"egad/term/module"
	"egad/term/ops"
)

const nested = `
def warp[n, m](x: R[n], y: R[m]): R =
  let row = \prev x -> concat [1e30] (scan (\left (diag, up, c) -> c + min left (min diag up)) 1e30 (prev[:m], prev[1:], square (x - y))) in
  last (fold row (concat [0] (replicate m 1e30)) x)
def smooth[n, m](x: R[n], y: R[m]): R =
  let row = \prev x -> scan (\left (up, y) -> (x - y) ^ 2 - y * logsumexp [left * y, up / y]) (x * prev[0]) (prev, y) in
  sum (fold row y x)
def sections[n, m](x: R[n], y: R[m]): R =
  let sample = \z x -> mapAccum (\v (c, z) -> (let o = c * v + z in (o, v * c ^ 2 - c * o))) x (y, z) in
  sumsq (mapAccum (\z x -> (let (o, z2) = sample z x in (z2, o))) (replicate m 0.0) x).1
def layers[n, m](x: R[n], y: R[m]): R =
  sumsq (fold (\h r -> fold (\g v -> tanh (exp (g * 0.1) * v)) (h + r) y) y x)
def both[n, m](x: R[n], y: R[m]): R =
  fold (\h r -> (let (a, b) = fold (\(a, b) y -> (sin (a * b) + y, a + b * y)) (h, r) y in a * b)) 1 x
def states[n, m](x: R[n], y: R[m]): R =
  sum (fold (\h r -> fold (\g v -> build 2 (\i -> cos (g[i] * v) * g[1 - i])) (h + r) y) [1, 2] x)
def moving[n, m](x: R[n], y: R[m]): R =
  sumsq (fold (\h r -> fold (\g v -> g * v + r * g * g) (h + r) y) (replicate 50 1.0 * x[0]) x)
def counted[n, m](x: R[n], y: R[m]): R =
  fold (\h (i, r) -> iterate (i + 2) (\g -> g * r + sum y * g * g) (h + r)) 1 (iota n, x)
`

// loopsBack are how many there are, and how many if nothing is kept.
var loopsBack = map[string][2]int{
	"warp":     {4, 5},
	"smooth":   {4, 5},
	"sections": {4, 5}, // on the way back only one of the two arrays of the states is needed
	"layers":   {4, 5}, // the loop on the way back reads exponentials too
	"both":     {4, 5},
	"states":   {4, 5},
	"moving":   {5, 5}, // elements of a state do not wait for each other
	"counted":  {9, 9}, // in rounds
}

// TestLoopsKept: a gradient's loop on the way back runs no loop again whose steps take longer than
// to store and load a state, if all states fit; values stay what they are.
func TestLoopsKept(t *testing.T) {
	lib, m := defs.Read(t, nested)
	for _, name := range m.Defs() {
		for _, size := range []map[string]int64{{"n": 4, "m": 5}, {"n": 3, "m": 7}, {"n": 9, "m": 3}} {
			d := gradient(t, lib, m, name, size, ad.Options{})
			rng := rand.New(rand.NewSource(size["m"]))
			if err := check(lib, d, defs.Inputs(t, d, rng.NormFloat64, nil)); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			if got := [2]int{loopsIn(fused(t, lib, d, nil)), loopsIn(fused(t, lib, d, keeping(t, 0)))}; got != loopsBack[name] {
				t.Errorf("%s at %v: %d loops, and %d if nothing is kept", name, size, got[0], got[1])
			}
		}
	}
}

// TestLoopBytes: loops of which not all states fit are run again.
func TestLoopBytes(t *testing.T) {
	lib, m := defs.Read(t, nested)
	for _, c := range []struct {
		name  string
		bytes int // 5 rows of 7 states
	}{{"warp", 5 * 7 * 8}, {"both", 3 * 5 * 7 * 8}} {
		d := gradient(t, lib, m, c.name, map[string]int64{"n": 4, "m": 6}, ad.Options{})
		with, less, nothing := fused(t, lib, d, keeping(t, c.bytes)), fused(t, lib, d, keeping(t, c.bytes-1)), fused(t, lib, d, keeping(t, 0))
		if loopsIn(less) != loopsIn(nothing) {
			t.Errorf("%s keeps the states of a loop that do not fit\n%s", c.name, less.Text("f"))
		}
		if loopsIn(with) != loopsIn(nothing)-1 {
			t.Errorf("%s runs a loop again\n%s", c.name, with.Text("f"))
		}
	}
}

// TestRounds: rounds of steps are run again.
func TestRounds(t *testing.T) {
	lib, m := defs.Read(t, `def power[n](x: R[n]): R = fold (\s r -> s * r + s * s * s) 1 x`)
	for _, n := range []int64{16, 20} {
		d := gradient(t, lib, m, "power", map[string]int64{"n": n}, ad.Options{Checkpoint: true})
		if with, without := loopsIn(fused(t, lib, d, nil)), loopsIn(fused(t, lib, d, keeping(t, 0))); with != without {
			t.Errorf("%d loops, and %d if nothing is kept", with, without)
		}
	}
}

func gradient(t *testing.T, lib *rules.Library, m *module.Module, name string, size map[string]int64, opt ad.Options) *term.Program {
	p, err := m.Instantiate(name, size)
	if err != nil {
		t.Fatal(err)
	}
	d, err := ad.Grad(lib, p, opt)
	if err != nil {
		t.Fatal(err)
	}
	return d.Program
}

// keeping are weights with which so many bytes are kept.
func keeping(t *testing.T, bytes int) *cost.Weights {
	w, err := cost.Read(&diag.Source{Name: "w", Text: fmt.Sprint("keep ", bytes)})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func fused(t *testing.T, lib *rules.Library, p *term.Program, w *cost.Weights) *term.Program {
	q, err := fusion.Fuse(lib, p, w, extract.How{})
	if err != nil {
		t.Fatal(err)
	}
	return q
}

// loopsIn is how many loops there are in a program.
func loopsIn(p *term.Program) (n int) {
	p.Store.Walk(p.Root, func(u term.Term) {
		if p.Store.Op(u).Sym == ops.SymStates {
			n++
		}
	})
	return n
}
