package fusion_test

import (
	"math"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"egad/ad"
	"egad/diag"
	"egad/extract"
	"egad/fusion"
	"egad/internal/defs"
	"egad/kernel"
	"egad/kernel/cost"
	"egad/kernel/plan"
	"egad/loops"
	"egad/term"
	"egad/term/ops"
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
	"chain":  {0, 1}, // the loop before computes it beside its twin
}

// TestResiduals: a gradient's loop on the way back computes no function that the loop before
// has computed, but reads it, if that fits; values stay what they are.
func TestResiduals(t *testing.T) {
	lib, m := defs.Read(t, recurrent)
	nothing, err := cost.Read(&diag.Source{Name: "w", Text: "keep 0"})
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
		w, err := cost.Read(&diag.Source{Name: "w", Text: "keep " + c.bytes})
		if err != nil {
			t.Fatal(err)
		}
		q, err := loops.WithResiduals(d.Program, w.Residuals())
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
		if op := p.Store.Op(u); op.Sym == ops.SymStates {
			n += max(1, len(op.Type.Parts))
		}
	})
	return n
}

// functionsBack is how many functions are written in the last loop of a fused program.
func functionsBack(t *testing.T, p *term.Program, w *cost.Weights) int {
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

// TestManyStates: of a million states of a million numbers, of which a step changes one or two,
// there is one in memory.
func TestManyStates(t *testing.T) {
	lib, m := defs.Read(t, changing)
	for _, name := range []string{"put", "pairs", "renewal"} {
		k, err := fusion.Lower(lib, gradient(t, lib, m, name, map[string]int64{"n": 1e6, "p": 1e6}, ad.Options{}), nil)
		if err != nil {
			t.Fatal(err)
		}
		if n := plan.Memory(k); n > 200e6 {
			t.Errorf("%s takes %d bytes\n%s", name, n, k)
		}
	}
}

const changing = `
def put[p, n](r: R[p], w: I[n], x: R[n]): R = sumsq (fold (\r (w, x) -> build p (\j -> if j == w then r[j] * x else r[j])) r (w, x))
def pairs[p, n](r: R[p], w: I[n], x: R[n]): R =
  (fold (\(r, l) (i, w, x) -> let e = sigmoid (r[w] - r[mod2 (i + w)]) * x in
    (r + scatter [p] [e, -e] (\[k] -> [if k == 0 then w else i]), l + log e ^ 2)) (r, 0) (iota n, w, x)).1
def series[p, n](r: R[p], w: I[n], x: R[n]): R =
  sumsq (fold (\y (i, x) -> build p (\j -> if j == i then tanh (y[i - 1] * x + y[i - 3]) else y[j])) r (iota n, x))
def rows[p, n](r: R[p, 3], w: I[n], x: R[n]): R =
  sumsq (flat (fold (\r (i, w, x) -> r + scatter [p] [x * r[w], dot r[i] r[w] * r[i]] (\[k] -> [if k == 0 then i else w])) r (iota n, w, x)))
def both[p, n](r: R[p], w: I[n], x: R[n]): R = sumsq (fold (\r (w, x) -> r * x + scatter [p] r[w] (\[] -> [w])) r (w, x))
def twice[p, n](r: R[p], w: I[n], x: R[n]): R =
  let s = scan (\r (w, x) -> r + scatter [p] (r[w] * x) (\[] -> [w])) r (w, x) in sumsq (flat s)
def solve[p, n](r: R[p], w: I[n], x: R[n]): R =
  sumsq (fold (\y (i, x) -> build p (\j -> if j == i then x - sin (sum (build p (\k -> if k < i then y[k] * r[i - k] else 0))) else y[j])) r (iota n, x))
def renewal[p, n](r: R[p], w: I[n], x: R[n]): R =
  (fold (\(y, t) (w, x) -> (y + scatter [p] [x, exp y[w]] (\[k] -> [if k == 0 then 2 else w]), t + dot y (y * y))) (r, 0) (w, x)).1
def columns[p, n](r: R[p, p], w: I[n], x: R[n]): R =
  let l = fold (\l (w, x) -> build [p, p] (\[i, j] -> if j == w && i >= w then x * l[i, 0] - sum (build p (\k -> l[i, k] * l[j, k])) else l[i, j])) r (w, x) in
  sumsq (flat l)
def decay[p, n](r: R[p], w: I[n], x: R[n]): R = (fold (\(y, t) (w, x) -> (build p (\j -> if j == w then x else y[j] * 0.9), t + sumsq (tanh y))) (r, 0) (w, x)).1
def forward[p, n](r: R[p], w: I[n], x: R[n]): R =
  let s = scan (\y (i, x) -> build p (\j -> if j == i then x * y[j] else y[j])) r (iota n, x) in
  fold (\t (i, x) -> t * x + sumsq (tanh s[i])) 0.0 (iota n, x)
def diagonals[p, n](r: R[p, p], w: I[n], x: R[n]): R =
  sumsq (flat (fold (\s (w, x) -> build [p, p] (\[i, j] -> if j == i + w then tanh (s[i, j] * x) + s[i + 1, j] else s[i, j])) r (w, x)))
def across[p, n](r: R[p, p], w: I[n], x: R[n]): R =
  sumsq (flat (fold (\s (w, x) -> build [p, p] (\[i, j] -> if i + j == w && 0 < j then s[i, j] * sin s[i - 1, j] else if i == j - 1 && j < w then x * s[i, j] else s[i, j])) r (w, x)))
def blocks[p, n](r: R[p, 2, p], w: I[n], x: R[n]): R =
  sumsq (flat (flat (fold (\s (w, x) -> build [p, 2, p] (\[i, k, j] -> if i == j + w then x * s[i, k, j] * s[i, 1 - k, j] else s[i, k, j])) r (w, x))))
def corner[p, n](r: R[p, p], w: I[n], x: R[n]): R =
  sumsq (flat (fold (\s (w, x) -> build [p, p] (\[i, j] -> if j == i + 1 && i == w then exp (x * s[i, j]) else if i == j && j == i + w then x * s[j, i] else s[i, j])) r (w, x)))
def sent[p, n](r: R[p, p], w: I[n], x: R[n]): R =
  sumsq (flat (fold (\s (w, x) -> s + scatter [p, p] (build p (\k -> x * s[k, k + w] * s[0, k])) (\[k] -> [k, k + w])) r (w, x)))
def spread[p, n](r: R[p, p], w: I[n], x: R[n]): R =
  sumsq (flat (fold (\s (w, x) -> let t = scatter [p, p] (build p (\k -> x * s[k, k + w] * s[0, k])) (\[k] -> [k, k + w]) in s + build [p, p] (\[i, j] -> t[j, j])) r (w, x)))
def eliminated[p, n](r: R[p, p], w: I[n], x: R[n]): R =
  (fold (\(a, t) (w, x) -> (let c = build p (\i -> if i >= w then a[i, w] / (1 + square a[w, w]) else 0) in (a - outer (c, c), t + c[w] * x))) (r, 0) (iota n, x)).1
def middle[p, n](r: R[p, 2, p], w: I[n], x: R[n]): R =
  sumsq (flat (flat (fold (\s (w, x) -> s + build [p, 2, p] (\[i, k, j] -> x * tanh s[i, 1, j + w] * s[j, 0, w]) / 9) r (w, x))))
def mod2(i: I): I = i mod 2
`

// TestRows: of states of which a step reads or changes a few elements, these are kept for the
// way back, and not all states, unless something else needs them; values stay what they are.
func TestRows(t *testing.T) {
	lib, m := defs.Read(t, changing)
	for name, all := range map[string]bool{"put": false, "pairs": false, "series": false, "rows": false, "both": true, "twice": true,
		"solve": false, "renewal": false, "columns": false, "decay": true, "forward": true,
		"diagonals": false, "across": false, "blocks": false, "corner": false, "sent": false, "spread": true, "eliminated": false, "middle": false} {
		for _, size := range []map[string]int64{{"n": 6, "p": 31}, {"n": 5, "p": 2}} {
			p, err := m.Instantiate(name, size)
			if err != nil {
				t.Fatal(err)
			}
			d, err := ad.Grad(lib, p, ad.Options{})
			if err != nil {
				t.Fatal(err)
			}
			rng := rand.New(rand.NewSource(size["p"]))
			if err := check(lib, d.Program, defs.Inputs(t, p, rng.NormFloat64, func() int64 { return rng.Int63n(size["p"]+2) - 1 })); err != nil {
				t.Error(err)
			}
			k, err := fusion.Lower(lib, d.Program, nil)
			if err != nil {
				t.Fatal(err)
			}
			kept := slices.ContainsFunc(k.Arrays, func(a *kernel.Array) bool {
				return a.Role == kernel.Temp && a.Len() >= int(size["n"])*k.Arrays[0].Len()
			})
			if size["p"] > 30 && kept != all {
				t.Errorf("%s: all states are kept: %v\n%s", name, kept, k)
			}
		}
	}
}

// TestFirstState: a step adds 0 to -0, which the way back does not undo, but reads the first
// state.
func TestFirstState(t *testing.T) {
	lib, m := defs.Read(t, `
def added[p, n](r: R[p], w: I[n], x: R[n]): R = (fold (\(r, t) (w, x) -> (r + scatter [p] x (\[] -> [w]), t + sum (x / r))) (r, 0) (w, x)).1
def taken[p, n](r: R[p], w: I[n], x: R[n]): R = (fold (\(r, t) (w, x) -> (r + (-(scatter [p] x (\[] -> [w]))), t + sum (x / r))) (r, 0) (w, x)).1
def put[p, n](r: R[p], w: I[n], x: R[n]): R =
  (fold (\(r, t) (w, x) -> (build p (\j -> if j == w then -0.0 else r[j] + (if j == w + 1 then x else 0)), t + sum (x / r))) (r, 0) (w, x)).1
`)
	for _, name := range m.Defs() {
		p, err := m.Instantiate(name, map[string]int64{"n": 3, "p": 40})
		if err != nil {
			t.Fatal(err)
		}
		d, err := ad.Grad(lib, p, ad.Options{Exact: true})
		if err != nil {
			t.Fatal(err)
		}
		k := int64(0)
		env := defs.Inputs(t, p, func() float64 { return math.Copysign(0, -1) }, func() int64 { k += 5; return k })
		copy(env["x"].R, []float64{1, 2, 3})
		if err := check(lib, d.Program, env); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestSumOfOne: a sum in which one summand is chosen, -0, is 0.
func TestSumOfOne(t *testing.T) {
	lib, m := defs.Read(t, `
def read(a: R[3], v: I): R = 1 / sum (build 3 (\i -> if i == v then a[i] else 0))
def made(a: R[3], v: I): R = 1 / sum (build 3 (\i -> if i == v mod 3 then a[i] * 2 else 0))
def both(a: R[3], v: I): R = 1 / sum (build 3 (\i -> if i == v mod 3 && a[i] < 1 then a[i] * 2 else 0))
`)
	for _, name := range m.Defs() {
		d := gradient(t, lib, m, name, nil, ad.Options{Exact: true})
		if err := check(lib, d, defs.Inputs(t, d, func() float64 { return math.Copysign(0, -1) }, func() int64 { return 1 })); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestThreeConditions: what is asked of one index after another is not asked again.
func TestThreeConditions(t *testing.T) {
	lib, m := defs.Read(t, `
def literal(r: R[4], w: I, v: I): R = sumsq (flat (flat (build [4, 3, 2] (\[i, j, h] -> if i == 0 && j == i && h == w then exp r[i] else 0))))
def told(r: R[4], w: I, v: I): R = sumsq (flat (flat (build [4, 3, 2] (\[i, j, h] -> if h == w && (i == v && j == 2 * i) then exp r[i] else r[h]))))
`)
	for _, name := range m.Defs() {
		d := gradient(t, lib, m, name, nil, ad.Options{})
		if err := check(lib, d, defs.Inputs(t, d, rand.New(rand.NewSource(1)).NormFloat64, func() int64 { return 1 })); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestLoopsInside: second derivatives with loops in the steps of others, which keep nothing for
// these, or for the elements of an array.
func TestLoopsInside(t *testing.T) {
	lib, m := defs.Read(t, `
def scanned[n](a: R[2], m: R[2, 1], w: I[n], x: R[n]): R =
  sum (build 3 (\o -> let a = a * real o in let w = w + o in let y = scan (\s (w, x) -> sin (s * a[w])) (m * 0.5) (w, x) in sum (build n (\t -> y[t, w[t], 0] * x[t]))))
def repeated[n](a: R[3], z: R[2], w: I[n], x: R[n]): R =
  sumsq (fold (\s (i, w, x) -> iterate (w mod 4) (\t -> t + scatter [3] [dot (x * s) t * sum z, s[w]] (\[k] -> [if k == 0 then w else i])) s) a (iota n, w, x))
`)
	for name, n := range map[string]int64{"scanned": 40, "repeated": 5} {
		p, err := m.Instantiate(name, map[string]int64{"n": n})
		if err != nil {
			t.Fatal(err)
		}
		d, err := ad.HVP(lib, p, ad.Options{Exact: true, Checkpoint: true})
		if err != nil {
			t.Fatal(err)
		}
		if name == "repeated" { // which takes long to evaluate
			continue
		}
		rng := rand.New(rand.NewSource(1))
		if err := check(lib, d.Program, defs.Inputs(t, d.Program, rng.NormFloat64, func() int64 { return rng.Int63n(2) })); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestResidualSystems: the way back solves only what is new there, a system with the transpose of
// a matrix: the step of the loop before, be it in another loop, has solved the others.
func TestResidualSystems(t *testing.T) {
	lib, m := defs.Read(t, `
def once[d](s: size, u: R[d, d], x: R[d]): R = sumsq (iterate s (\y -> y - solve (u + diag (y * y)) (matvec u y - x)) x)
def again[n, d](s: size, u: R[d, d], x: R[n, d]): R =
  sumsq (fold (\y r -> iterate s (\z -> z - solve (u + diag (z * z)) (z - y - r)) y) (replicate d 0.1) x)
`)
	for name, sizes := range map[string]map[string]int64{"once": {"d": 3, "s": 4}, "again": {"n": 5, "d": 24, "s": 4}} {
		p, err := m.Instantiate(name, sizes)
		if err != nil {
			t.Fatal(err)
		}
		d, err := ad.Grad(lib, p, ad.Options{})
		if err != nil {
			t.Fatal(err)
		}
		env := defs.Inputs(t, p, rand.New(rand.NewSource(1)).NormFloat64, nil)
		if err := check(lib, d.Program, env); err != nil {
			t.Error(err)
		}
		q, err := fusion.Fuse(nil, d.Program, nil, extract.How{})
		if err != nil {
			t.Fatal(err)
		}
		if text := q.Text("f"); strings.Count(text, "solve ")+strings.Count(text, "solvet ") != 2 {
			t.Errorf("%s: not two systems are solved:\n%s", name, text)
		}
	}
}
