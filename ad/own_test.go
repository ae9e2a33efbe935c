package ad

import (
	"math/rand"
	"strings"
	"testing"

	"egad/diag"
	"egad/internal/defs"
	"egad/internal/testflag"
	"egad/rules/load"
	"egad/term"
	"egad/term/eval"
	"egad/term/module"
	"egad/term/ops"
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
def squared[n](x: R[n], z: R): R[n] = x * x / z §with nabla \x z dx dz -> (2 * x * dx - build n (\i -> x[i] * x[i] / z * dz)) / z§
def parts(p: (R, I, R[2]), k: I, z: R): (R[2], I, R) = (p.2 * (p.0 * real p.1), k, z * p.0)
  §with nabla \p k z dp dz -> (real p.1 * (dp.1 * p.0 + dp.0 * p.2), if k < 9 then dz * p.0 + z * dp.0 else 0)§
def soft[n](m: B[n], x: R[n]): R = sum (where m (cumsum x) 0) + logsumexp x
  §with nabla \m x dx -> let s = softmax x in sum (where m (cumsum dx) 0) + dot(s, dx)§
def polynomial[n](x: R, c: R[n]): R = fold (\s k -> s * x + k) 0 c
  §with nabla \x c dx dc -> (fold (\(s, ds) (k, dk) -> (s * x + k, ds * x + s * dx + dk)) (0, 0) (c, dc)).1§
def counted_steps(x: R, k: I): (R, R) = iterate k (\(s, t) -> (s * x + t, t / 2 + x)) (x, 1.0)
  §with nabla \x k dx -> let (s, t, ds, dt) = iterate k (\(s, t, ds, dt) -> (s * x + t, t / 2 + x, ds * x + s * dx + dt, dt / 2 + dx)) (x, 1.0, dx, 0) in (ds, dt)§
def tables[m, n](x: R[n], a: R[m, n]): R[m, n] = scan (\s r -> fold (\t y -> t * y + r) s x) x a
  §with nabla \x a dx da -> (scan (\(s, ds) (r, dr) -> fold (\(t, dt) (y, dy) -> (t * y + r, dt * y + t * dy + dr)) (s, ds) (x, dx)) (x, dx) (a, da)).1§
def recurrent[n](a: R[n], b: R[n]): R[n] = linrec a b
  §with nabla \a b da db -> let s = linrec a b in linrec a (db + da * build n (\i -> index s [i - 1]))§
def systems[n](a: R[n, n], b: R[n]): R[n] = solve a b
  §with nabla \a b da db -> solve a (db - matvec da (solve a b))§
def triangles[n](a: R[n, n], b: R[n, 2]): R[n, 2] = trisolve a b + trisolvet a b
  §with nabla \a b da db -> let l = build [n, n] (\i j -> if j <= i then da[i, j] else 0) in
    trisolve a (db - matmul l (trisolve a b)) + trisolvet a (db - matmul (transpose l) (trisolvet a b))§
def solved[n](a: R[n, n], b: R[n]): R[n] = solve (a * a) b
  §with nabla \a b -> let m = lcompose (lmap solve (a * a) @R[n, 1]) (lmap reshape [n, 1] @R[n]) in
    (lcompose (lmap reshape [n] @R[n, 1]) (lcompose m (lcompose (lmap sum @R[n, n]) (lcompose (lmap tr [1, 0] @R[n, n]) (lscale (-2 * a * replicate n (solve (a * a) b)))))),
      lcompose (lmap reshape [n] @R[n, 1]) m)§
def turned[n](x: R[n]): R[n] = reverse (x * x) §with nabla \x -> ltranspose (lcompose (lscale (2 * x)) (lmap gather [n] @R[n] (\[i] -> [n - 1 - i])))§
def decay[n](x: R, b: R[n]): R[n + 1] = concat [0] (scan (\s y -> x * (s + y)) 0 b)
  §with nabla \x b -> let s = decay x b in let m = lstates n (\i -> lscale x) in (
    lcompose m (lpair (lzero @R @R) (lcompose (lscale ((s[:n] + b) / x)) (lmap replicate n @R))), lcompose m (lpair (lzero @R[n] @R) (lone @R[n])))§
def summed[n](x: R, b: R[n]): R = sum (decay x b)
  §with nabla \x b -> let m = lcompose (lmap sum @R[n + 1]) (lstates n (\i -> lscale x)) in (
    lcompose m (lpair (lzero @R @R) (lcompose (lscale (((decay x b)[:n] + b) / x)) (lmap replicate n @R))),
    ltranspose (lcompose (ltranspose (lpair (lzero @R[n] @R) (lone @R[n]))) (ltranspose m)))§
def applied[n](f: R -> R, k: I, x: R[n]): R[n] = map (\y -> f (y * real k)) x §with nabla \f k x dx -> zip (\y dy -> grad f (y * real k) * dy * real k) x dx§

def plain[n](x: R, a: R[n]): R = cube (logistic x) + x
def lifted[n](x: R, a: R[n]): R = sum (cube a * logistic (a * x))
def looped[n](x: R, a: R[n]): R = fold (\s y -> logistic (s * y) + cube s / 10) x a
def counted[n](x: R, a: R[n]): R = iterate (floor (real n)) (\s -> logistic (s * x) + sum (cube a)) x
def built[n](x: R, a: R[n]): R = sum (build n (\i -> sum (build n (\j -> if i < j then cube (a[i] * a[j]) else logistic x))))
def tuples[n](x: R, a: R[n]): R = let (u, k, v) = mixed ((x, 2, [x, sum a])) 3 (cube x) in sum u * v * real k
def matrix[n](x: R, a: R[n]): R = sum (times (outer a (a * x)) (rows a)) + added (masked (a > 0) (x > 0) a)
def batched[n](x: R, a: R[n]): R = sum (build n (\i -> sum (times (outer a a * x) (rows (a * a[i]))) + added (masked (a > a[i]) (x > 0) a)))
def inside[n](x: R, a: R[n]): R = sum (grad (\b -> added (rows b) * logistic x) a) + grad cube x
def changed[n](x: R, a: R[n]): R = sum (squared a (1 + x * x)) + let (u, k, v) = parts ((x, 2, [x, sum a])) 3 (cube x) in sum u * v * real k
def changes[n](x: R, a: R[n]): R = sum (build n (\i -> soft (a < a[i]) (squared a (1 + a[i] * a[i])))) + fold (\s y -> soft (a < y) (a * s) / 9) x a
def polynomials[n](x: R, a: R[n]): R = polynomial x a + sum (build n (\i -> polynomial a[i] (a * x)))
def steps[n](x: R, a: R[n]): R = let (s, t) = counted_steps (logistic x) 3 in s * t + sum (build n (\i -> (counted_steps (a[i] * x) i).0))
def tabled[n](x: R, a: R[n]): R = sum (flat (tables (a * x) (outer (sin a) a)))
def recurrences[n](x: R, a: R[n]): R = sum (recurrent (sin a) (a * x)) + sum (build n (\i -> sum (recurrent (a * a[i]) a)))
def equations[n](x: R, a: R[n]): R = let m = outer a a + 3 * eye n in sum (systems m (a * x)) + sum (flat (triangles (m * x + eye n) (transpose [a, a * x])))
def squares[n](x: R, a: R[n]): R = sum (solved (outer (sin a) a + 3 * eye n) (a * x))
def transposed[n](x: R, a: R[n]): R = dot(turned (a * x), a) + sum (build n (\i -> sum (turned (a * a[i]) * x)))
def decays[n](x: R, a: R[n]): R = sumsq (decay x (sin a)) + sum (build n (\i -> summed (x * a[i]) (a * a)))
def given[n](x: R, a: R[n]): R = sum (applied sin 2 (a * x)) + sum (build n (\i -> sum (applied (\y -> cube y * real i) 1 (a * a[i]))))
def nested[n](x: R, a: R[n]): R = fold (\s y -> iterate 2 (\t -> logistic (t * y)) s + sum (map cube a)) x a
`

// TestOwn: a derivative of its own that is that of the body gives the same value,
// gradient and Hessian times a direction, forwards and in reverse, as the body does.
func TestOwn(t *testing.T) {
	sig := term.NewSignature()
	lib, err := load.Builtin(sig)
	if err != nil {
		t.Fatal(err)
	}
	sig.Deriver = Deriver(lib)
	load := func(text string) *module.Module {
		m, err := module.Load(sig, &diag.Source{Name: "own.egad", Text: text})
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
	for _, d := range own.Defs()[22:] {
		for _, n := range []int64{3, 0, 1}[:testflag.Count(2, 3)] {
			p, err := own.Instantiate(d, map[string]int64{"n": n})
			if err != nil {
				t.Fatal(err)
			}
			q, err := body.Instantiate(d, map[string]int64{"n": n})
			if err != nil {
				t.Fatal(err)
			}
			found := false
			p.Store.Walk(p.Root, func(u term.Term) { found = found || p.Store.Op(u).Sym == ops.SymWithslope })
			if !found && n > 0 {
				t.Errorf("%s: there is no derivative of its own", d)
			}
			for _, mode := range []string{"grad", "jvp", "hvp"} {
				run := func(p *term.Program) *eval.Value[float64] {
					d, err := Task{Mode: mode}.Derive(lib, p, Options{})
					if err != nil {
						t.Fatalf("%s, %s: %v", p.Name, mode, err)
					}
					return value(t, d.Program, randomInputs(t, rand.New(rand.NewSource(n)), d.Program))
				}
				if a, b := run(p), run(q); !defs.Near(a, b, 1e-12) {
					t.Errorf("%s at n = %d, %s: %v, and by the body %v", d, n, mode, a, b)
				}
			}
		}
	}
}
