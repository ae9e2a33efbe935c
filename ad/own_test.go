package ad

import (
	"math"
	"math/rand"
	"strings"
	"testing"

	"egad/diag"
	"egad/rules"
	"egad/term"
)

// ownPrograms have definitions whose derivatives of their own, between § and §, are those
// of their bodies.
const ownPrograms = `
def cube(x: R): R = x * x * x §with nabla \x -> 3 * x * x§
def logistic(x: R): R = 1 / (1 + exp (-x)) §with nabla \x -> logistic x * logistic (-x)§
def mixed(p: (R, I, R[2]), k: I, z: R): (R[2], I, R) = (p.2 * (p.0 * real p.1), k, z * p.0)
  §with nabla \p k z -> (
    lpair (ladd (lcompose (lscale (p.2 * real p.1)) (lcompose (lmap replicate 2 @R) (lproj 0 @(R, R[2])))) (lcompose (lscale (replicate 2 (p.0 * real p.1))) (lproj 1 @(R, R[2]))))
      (lcompose (lscale z) (lproj 0 @(R, R[2]))),
    (replicate 2 0, p.0))§
def times[m, n](a: R[m, n], x: R[n]): R[m] = build m (\i -> sum (a[i] * x))
  §with nabla \a x -> (lcompose (lmap sum @R[n, m]) (lcompose (lmap tr [1, 0] @R[m, n]) (lscale (replicate m x))), a)§
def masked[n](m: B[n], c: B, x: R[n]): R[n] = where m (if c then x * x else 0) 0
  §with nabla \m c x -> lcompose (lmask m) (lcompose (lcond c @R[n]) (lscale (2 * x)))§
def rows[n](x: R[n]): R[n] = build n (\i -> x[i] * x[0])
  §with nabla \x -> lbuild n (\i -> ladd (lcompose (lscale x[0]) (lmap gather [] @R[n] (\[] -> [i]))) (lcompose (lscale x[i]) (lmap gather [] @R[n] (\[] -> [0]))))§
def added[n](x: R[n]): R = sum (build n (\i -> x[i] * real i)) §with nabla \x -> lbuildt n (\i -> lscale (real i))§
def outer[m, n](x: R[m], y: R[n]): R[m, n] = build [m, n] (\i j -> x[i] * y[j])
  §with nabla \x y -> (build [m, n] (\i j -> build m (\k -> if k == i then y[j] else 0)), build [m, n] (\i j -> build n (\k -> if k == j then x[i] else 0)))§

def plain[n](x: R, a: R[n]): R = cube (logistic x) + x
def lifted[n](x: R, a: R[n]): R = sum (cube a * logistic (a * x))
def looped[n](x: R, a: R[n]): R = fold (\s y -> logistic (s * y) + cube s / 10) x a
def counted[n](x: R, a: R[n]): R = iterate (floor (real n)) (\s -> logistic (s * x) + sum (cube a)) x
def built[n](x: R, a: R[n]): R = sum (build n (\i -> sum (build n (\j -> if i < j then cube (a[i] * a[j]) else logistic x))))
def tuples[n](x: R, a: R[n]): R = let (u, k, v) = mixed ((x, 2, [x, sum a])) 3 (cube x) in sum u * v * real k
def matrix[n](x: R, a: R[n]): R = sum (times (outer a (a * x)) (rows a)) + added (masked (a > 0) (x > 0) a)
def batched[n](x: R, a: R[n]): R = sum (build n (\i -> sum (times (outer a a * x) (rows (a * a[i]))) + added (masked (a > a[i]) (x > 0) a)))
def inside[n](x: R, a: R[n]): R = sum (grad (\b -> added (rows b) * logistic x) a) + grad cube x
def nested[n](x: R, a: R[n]): R = fold (\s y -> iterate 2 (\t -> logistic (t * y)) s + sum (map cube a)) x a
`

// TestOwn: a derivative of its own that is that of the body gives the same value,
// gradient and Hessian times a direction, forwards and in reverse, as the body does.
func TestOwn(t *testing.T) {
	sig := term.NewSignature()
	lib, err := rules.Builtin(sig)
	if err != nil {
		t.Fatal(err)
	}
	sig.Deriver = Deriver(lib)
	load := func(text string) *term.Module {
		m, err := term.LoadModule(sig, &diag.Source{Name: "own.egad", Text: text})
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	text := ""
	for i, part := range strings.Split(ownPrograms, "§") {
		if i%2 == 0 {
			text += part
		}
	}
	own, body := load(strings.ReplaceAll(ownPrograms, "§", "")), load(text)
	for _, d := range own.Defs()[8:] {
		for _, n := range []int64{1, 3} {
			p, err := own.Instantiate(d, map[string]int64{"n": n})
			if err != nil {
				t.Fatal(err)
			}
			q, err := body.Instantiate(d, map[string]int64{"n": n})
			if err != nil {
				t.Fatal(err)
			}
			found := false
			p.Store.Walk(p.Root, func(u term.Term) { found = found || p.Store.Op(u).Sym == term.SymWithslope })
			if !found {
				t.Errorf("%s: there is no derivative of its own", d)
			}
			for _, mode := range []string{"grad", "jvp", "hvp"} {
				run := func(p *term.Program) *term.Value[float64] {
					d, err := Task{Mode: mode}.Derive(lib, p, Options{})
					if err != nil {
						t.Fatalf("%s, %s: %v", p.Name, mode, err)
					}
					return value(t, d.Program, randomInputs(t, rand.New(rand.NewSource(n)), d.Program))
				}
				if a, b := run(p), run(q); !nearly(a, b) {
					t.Errorf("%s at n = %d, %s: %v, and by the body %v", d, n, mode, a, b)
				}
			}
		}
	}
}

// nearly reports whether two values are equal but for rounding.
func nearly(a, b *term.Value[float64]) bool {
	for i := range a.Parts {
		if !nearly(a.Parts[i], b.Parts[i]) {
			return false
		}
	}
	for i := range a.R {
		if !(math.Abs(a.R[i]-b.R[i]) <= 1e-12*max(1, math.Abs(b.R[i]))) {
			return false
		}
	}
	return true
}
