package ad

import (
	"fmt"
	"math"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"egad/fusion"
	"egad/internal/defs"
	"egad/rules"
	"egad/term"
	"egad/term/eval"
	"egad/term/ops"
	"egad/term/types"
)

const loopPrograms = `
def total(a: R[4], w: R[2], b: I[4]): R = fold (\s x -> s * 0.5 + x * x * w[0]) w[1] a
def powers(a: R[4], w: R[2], b: I[4]): R = iterate 3 (\y -> y * y * w[0] + a[1]) a[0]
def rows(a: R[4], w: R[2], b: I[4]): R = sum (fold (\s x -> sin (s * x) + w) w a)
def pair(a: R[4], w: R[2], b: I[4]): R = let (p, q) = fold (\(p, q) x -> (q * x, p + sin q)) (w[0], w[1]) a in p * q
def mixed(a: R[4], w: R[2], b: I[4]): R = let (s, k, v) = fold (\(s, k, v) (x, c) -> (s * x + real k, k + c, v * s)) (1, 2, w) (a, b) in s + real k * sum v
def prefix(a: R[4], w: R[2], b: I[4]): R = let p = scan (\s x -> s * w[0] + x) 1 a in sum (p * p)
def outputs(a: R[4], w: R[2], b: I[4]): R = let (s, y) = mapAccum (\s x -> (s * x + w[1], s * sin x)) 1 a in s * sum (y * y)
def unused(a: R[4], w: R[2], b: I[4]): R = let (p, q) = iterate 3 (\(p, q) -> (p * a[0], 1.0)) (1, w[0]) in p + q + w[1]
def constant(a: R[4], w: R[2], b: I[4]): R = fold (\s x -> 2.0) (exp w[0]) a + w[1]
def twice(a: R[4], w: R[2], b: I[4]): R = let (p, q) = fold (\(p, q) x -> (p * q, q + x)) (w[0], w[0]) a in p + q
def chained(a: R[4], w: R[2], b: I[4]): R = let p = scan (\s x -> s * x) w[0] a in fold (\s x -> cos s + x) w[1] p
def nested(a: R[4], w: R[2], b: I[4]): R = fold (\s x -> s + fold (\t y -> t * x + y * s * 0.3) x w) 0.5 a
def batched(a: R[4], w: R[2], b: I[4]): R = sum (build 2 (\i -> fold (\s x -> s * x + w[i]) w[1 - i] a))
def batches(a: R[4], w: R[2], b: I[4]): R = sum (build 2 (\i -> let (s, k) = fold (\(s, k) (x, c) -> (s * x + w[i] * real k, k + c)) (w[1 - i], i) (a, b) in s * s + real k))
def inside(a: R[4], w: R[2], b: I[4]): R = fold (\s x -> s + sum (build 2 (\i -> iterate 2 (\y -> sin (y * s) + w[i]) x))) 0.5 a
def deep(a: R[4], w: R[2], b: I[4]): R = sum (iterate 2 (\v -> scan (\s x -> s * 0.4 + sin x * w[0]) w[1] (v + a)) a)
`

// TestLoopGradients compares gradients of loops, in reverse and forwards, and the
// Hessian times a direction, with differences.
func TestLoopGradients(t *testing.T) {
	lib, m := defs.Read(t, loopPrograms)
	for _, d := range m.Defs() {
		t.Run(d, func(t *testing.T) {
			p, err := m.Instantiate(d, nil)
			if err != nil {
				t.Fatal(err)
			}
			rng := rand.New(rand.NewSource(1))
			real := func(n int) *eval.Value[float64] {
				v := &eval.Value[float64]{Elem: types.R, Shape: []int{n}}
				for range n {
					v.R = append(v.R, rng.NormFloat64())
				}
				return v
			}
			at := env{"a": real(4), "w": real(2), "b": {Elem: types.I, Shape: []int{4}, N: []int64{1, 0, 2, 1}}}
			by := env{"a": real(4), "w": real(2)}
			moved := func(h float64) env {
				out := env{"b": at["b"]}
				for _, x := range []string{"a", "w"} {
					v := at[x].Copy()
					for i := range v.R {
						v.R[i] += h * by[x].R[i]
					}
					out[x] = v
				}
				return out
			}
			const h = 1e-5
			slope := (value(t, p, moved(h)).R[0] - value(t, p, moved(-h)).R[0]) / (2 * h)
			along := func(v *eval.Value[float64], from int) float64 {
				sum := 0.0
				for k, x := range []string{"a", "w"} {
					for i, g := range v.Parts[from+k].R {
						sum += g * by[x].R[i]
					}
				}
				return sum
			}
			near := func(what string, got, want float64) {
				t.Helper()
				if math.Abs(got-want) > 1e-6*max(1, math.Abs(got), math.Abs(want)) {
					t.Errorf("%s: %v, and by differences %v", what, got, want)
				}
			}
			g, err := Grad(lib, p, Options{})
			if err != nil {
				t.Fatal(err)
			}
			near("reverse", along(value(t, g.Program, at), 1), slope)
			parsesBack(t, g.Program, "grad")
			f, err := JVP(lib, p, Options{})
			if err != nil {
				t.Fatal(err)
			}
			near("forward", value(t, f.Program, with(at, env{"d_a": by["a"], "d_w": by["w"]})).Parts[1].R[0], slope)
			second, err := HVP(lib, p, Options{})
			if err != nil {
				t.Fatal(err)
			}
			slope = (along(value(t, g.Program, moved(h)), 1) - along(value(t, g.Program, moved(-h)), 1)) / (2 * h)
			near("second order", along(value(t, second.Program, with(at, env{"d_a": by["a"], "d_w": by["w"]})), 3), slope)
		})
	}
}

// TestLoopLength: what is derived of a loop does not depend on its length, and value and
// gradient take a small multiple of the operations of the value. Arrays of a few elements may be literals.
func TestLoopLength(t *testing.T) {
	lib, m := defs.Read(t, `
def network[n](xs: R[n, 8], w: R[8, 8], z: R[8]): R = sum (fold (\s x -> tanh (matvec w s + x)) z xs)
def spring[n](xs: R[n], k: R): R = let (p, v) = fold (\(p, v) x -> (p + 0.01 * v, v - 0.01 * (k * p + x * sin v))) (1, 0) xs in p * v
`)
	for _, d := range m.Defs() {
		nodes := make(map[int64]int)
		for _, n := range []int64{20, 4000} {
			p, err := m.Instantiate(d, map[string]int64{"n": n})
			if err != nil {
				t.Fatal(err)
			}
			g, err := Grad(lib, p, Options{})
			if err != nil {
				t.Fatal(err)
			}
			nodes[n] = graphSizes(g)
			value, err := fusion.Lower(nil, p, nil)
			if err != nil {
				t.Fatal(err)
			}
			both, err := fusion.Lower(nil, g.Program, nil)
			if err != nil {
				t.Fatal(err)
			}
			if v, b := value.Counts().Float, both.Counts().Float; b > 5*v {
				t.Errorf("%s: %d operations for the value of %d steps, and %d with the gradient", d, v, n, b)
			}
			if k := len(both.Kernels); k > 60 {
				t.Errorf("%s: %d kernels", d, k)
			}
		}
		if nodes[20] != nodes[4000] {
			t.Errorf("%s: %d e-nodes for 20 steps, and %d for 4000", d, nodes[20], nodes[4000])
		}
	}
}

// TestLoopSecondOrder: the change of a gradient of a loop, and the cotangents of one, take
// a small multiple of the operations of the gradient, and what is derived of them does
// not depend on the length.
func TestLoopSecondOrder(t *testing.T) {
	lib, m := defs.Read(t, loopPrograms+`
def network[n](a: R[n, 8], w: R[8, 8], z: R[8]): R = sum (fold (\s x -> tanh (matvec w s + x)) z a)
def spring[n](a: R[n], w: R): R = let (p, v) = fold (\(p, v) x -> (p + 0.01 * v, v - 0.01 * (w * p + x * sin v))) (1, 0) a in p * v
`)
	for _, d := range m.Defs() {
		info, err := m.Lookup(d)
		if err != nil {
			t.Fatal(err)
		}
		nodes := make(map[int64]int)
		for _, n := range []int64{4, 4000}[:1+len(info.Sizes)] {
			sizes := make(map[string]int64)
			for _, s := range info.Sizes {
				sizes[s] = n
			}
			p, err := m.Instantiate(d, sizes)
			if err != nil {
				t.Fatal(err)
			}
			operations := func(p *term.Program) int64 {
				k, err := fusion.Lower(nil, p, nil)
				if err != nil {
					t.Fatal(err)
				}
				return k.Counts().Float
			}
			g, err := Grad(lib, p, Options{})
			if err != nil {
				t.Fatal(err)
			}
			change, err := HVP(lib, p, Options{})
			if err != nil {
				t.Fatal(err)
			}
			back, err := VJP(lib, g.Program, Options{})
			if err != nil {
				t.Fatal(err)
			}
			v, o, h, b := operations(p), operations(g.Program), operations(change.Program), operations(back.Program)
			t.Logf("%-8s %4d: %6d operations; with the gradient %.2f times as many, with its change %.2f, with its cotangents %.2f", d, n, v,
				float64(o)/float64(v), float64(h)/float64(v), float64(b)/float64(v))
			if 10*h > 33*o || 2*b > 9*o {
				t.Errorf("%s of %d steps: %d operations for the gradient, %d with its change, %d with its cotangents", d, n, o, h, b)
			}
			nodes[n] = graphSizes(change) + graphSizes(back)
		}
		// A few e-nodes differ, as a literal that is 4 may be another one's too.
		if len(info.Sizes) > 0 && 100*max(nodes[4]-nodes[4000], nodes[4000]-nodes[4]) > nodes[4] {
			t.Errorf("%s: %d e-nodes for 4 steps, and %d for 4000", d, nodes[4], nodes[4000])
		}
	}
}

// graphSizes is how many e-nodes all stages had.
func graphSizes(d *Derived) int {
	n := 0
	for _, s := range d.Stages {
		if s.Report != nil {
			n += s.Report.Nodes
		}
	}
	return n
}

// TestLoopTakes: of an array that a loop takes from outside in copies, or along other axes too, the
// gradient adds up one cotangent, which is no larger.
func TestLoopTakes(t *testing.T) {
	lib, m := defs.Read(t, `
def products(z: R[5, 3, 3], f: R[3, 3]): R = sumsq (flat (fold (\p z -> tanh (matmul f (matmul p (transpose f)) + z)) (replicate [3, 3] 0.0) z))
def vectors(z: R[5, 3], f: R[3, 3]): R = sumsq (fold (\x z -> tanh (vecmat (matvec f x) f + z)) (replicate 3 0.0) z)
def turned(z: R[5, 3], f: R[3, 3]): R = sumsq (fold (\x z -> tanh (vecmat x f + z)) (replicate 3 0.0) z)
def copies(z: R[5, 4, 3], f: R[3]): R = sumsq (flat (fold (\x z -> tanh (x * reshape [4, 3] (replicate 4 f) + z)) (replicate [4, 3] 0.0) z))
`)
	for d, want := range map[string]int{"products": 9 + 9 + 9 + 9, "vectors": 3 + 3 + 3 + 9, "turned": 3 + 3 + 3 + 9, "copies": 12 + 12 + 12 + 3} {
		p, err := m.Instantiate(d, nil)
		if err != nil {
			t.Fatal(err)
		}
		g, err := Grad(lib, p, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := carried(g.Program); got != want {
			t.Errorf("%s: %d elements go from step to step, want %d: %s", d, got, want, g.Program.Text(d))
		}
	}
}

// carried is how many elements the states of all loops of a program have.
func carried(p *term.Program) (elements int) {
	s := p.Store
	s.Walk(p.Root, func(x term.Term) {
		if s.Op(x).Sym != ops.SymStates {
			return
		}
		first := s.Type(s.Open(x).Kids[0])
		for _, part := range append(first.Parts[:len(first.Parts):len(first.Parts)], first) {
			if _, n, err := types.ShapeOf(part, math.MaxInt); err == nil && part.Kind != types.KTuple {
				elements += n
			}
		}
	})
	return elements
}

// TestLoopInLoopReads: what a loop in a loop reads at indices of both is read in the outer one too: its
// cotangent goes there from each step, and is no state. The gradients are those of the direct path.
func TestLoopInLoopReads(t *testing.T) {
	for _, c := range []struct {
		shape []int
		reads string // of a in the inner of two loops
		row   int    // elements of which the outer one has a cotangent in each step
	}{
		{[]int{50, 3}, `a[i, k]`, 3}, {[]int{25, 3}, `a[i div 2, k]`, 3}, {[]int{52}, `a[i + k]`, 3}, {[]int{50, 3}, `a[i, 2 - k] * a[i, k]`, 6},
		{[]int{50, 2}, `index a [i, k - 1]`, 3}, {[]int{3, 50}, `sum (build 2 (\l -> index a [k + l, i]))`, 6}, {[]int{3}, `a[k]`, 3},
	} {
		text := fmt.Sprintf(`def f(a: R%s): R = fold (\s i -> fold (\x k -> tanh (x + %s)) s (iota 3)) 0.0 (iota 50)`, strings.Join(strings.Fields(fmt.Sprint(c.shape)), ", "), c.reads)
		lib, p := defs.Last(t, text)
		a := &eval.Value[float64]{Elem: types.R, Shape: c.shape, R: make([]float64, 1)}
		for _, n := range c.shape {
			a.R = make([]float64, len(a.R)*n)
		}
		for i := range a.R {
			a.R[i] = math.Sin(float64(i * i))
		}
		all := bothWays(t, lib, p, eval.Env[*eval.Value[float64]]{"a": a})
		for i, x := range all[0].Parts[1].R {
			if y := all[1].Parts[1].R[i]; math.Abs(x-y) > 1e-12*math.Max(1, math.Abs(y)) {
				t.Errorf("%s: %v, and %v by the direct path", text, all[0], all[1])
				break
			}
		}
		g, err := Grad(lib, p, Options{})
		if err != nil {
			t.Fatal(err)
		}
		// Both loops have their state there and back, and what is read is given out by each step.
		if got := carried(g.Program); got > 5+2*c.row {
			t.Errorf("%s: %d elements go from step to step: %s", text, got, g.Program.Text("f"))
		}
	}
}

// TestLoopReads: what a loop reads of an array that it also takes turned counts: the gradients are
// those of the direct path.
func TestLoopReads(t *testing.T) {
	for _, text := range []string{
		`def f(f: R[3, 3]): R = sum (fold (\x i -> x + f[i] + index (transpose f) [i]) [1.0, 2.0, 3.0] [0, 1, 2])`,
		`def f(f: R[3, 3]): R = sum (fold (\x y -> matvec f x + matvec (transpose f) y) [1.0, 2.0, 3.0] (transpose f))`,
		`def f(f: R[3, 3]): R = sum (fold (\x i -> matvec f x + index (transpose f) [i]) [1.0, 2.0, 3.0] [0, 1, 2])`,
		`def f(f: R[3, 3]): R = sum (build 3 (\i -> sum (iterate 3 (\s -> if f[i, i] > 2 then matvec f s else s) f[i])))`,
	} {
		lib, p := defs.Last(t, text)
		env := eval.Env[*eval.Value[float64]]{"f": {Elem: types.R, Shape: []int{3, 3}, R: []float64{1, 2, 3, 3, 5, 2, 7, 4, 2}}}
		all := bothWays(t, lib, p, env)
		for i, part := range all[0].Parts {
			if !slices.Equal(part.R, all[1].Parts[i].R) {
				t.Errorf("%s: %v, and %v by the direct path", text, all[0], all[1])
			}
		}
	}
}

// bothWays are the value and the gradient of a program, by way of bulk operations and by the direct path.
func bothWays(t *testing.T, lib *rules.Library, p *term.Program, env eval.Env[*eval.Value[float64]]) (all []*eval.Value[float64]) {
	t.Helper()
	for _, direct := range []bool{false, true} {
		g, err := Grad(lib, p, Options{Direct: direct})
		if err != nil {
			t.Fatal(err)
		}
		v, err := eval.Interpret(g.Program.Store, g.Program.Root, eval.FloatArrays(), env)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, v)
	}
	return all
}

// TestLoopInLoopTakes: what all steps read of an array in another loop are no cotangents of their own if these
// have many more elements than the array, or nobody knows how many steps there are.
func TestLoopInLoopTakes(t *testing.T) {
	for text, want := range map[string]int{
		`def f(a: R[100]): R = fold (\s i -> fold (\t k -> tanh (t + a[i + k])) s (iota 50)) 0.0 (iota 50)`:                              100,
		`def f(a: R[101], k: I): R = (iterate k (\(s, i) -> (fold (\t j -> tanh (t + a[j + i mod 2])) s (iota 100), i + 1)) (0.0, 0)).0`: 101,
	} {
		lib, p := defs.Last(t, text)
		g, err := Grad(lib, p, Options{Wrt: []string{"a"}})
		if err != nil {
			t.Fatal(err)
		}
		if got := carried(g.Program); got < want {
			t.Errorf("%s: only %d elements go from step to step: %s", text, got, g.Program.Text("f"))
		}
	}
}
