package fusion_test

import (
	"errors"
	"fmt"
	"math/rand"
	"path/filepath"
	"slices"
	"testing"

	"egad/ad"
	"egad/bot"
	"egad/diag"
	"egad/extract"
	"egad/fusion"
	"egad/internal/bulk"
	"egad/internal/defs"
	"egad/internal/programs"
	"egad/internal/testflag"
	"egad/kernel/lower"
	"egad/rules"
	"egad/rules/load"
	"egad/slot"
	"egad/term"
	"egad/term/eval"
	"egad/term/module"
	"egad/term/ops"
	"egad/term/types"
)

// check fuses a program. The fused one has its value, bit for bit, as a program and as
// text; its kernels do no more than the evaluator, and nothing but
// scalars is computed.
func check(lib *rules.Library, p *term.Program, env eval.Env[*eval.Value[float64]]) error {
	q, err := fusion.Fuse(lib, p, nil, extract.How{})
	if err != nil {
		return err
	}
	text := q.Text("fused")
	bad := func(what string) error {
		return errors.New(what + "\n" + p.Text("source") + text)
	}
	want, err := eval.Interpret(p.Store, p.Root, eval.FloatArrays(), env)
	if err != nil {
		return err
	}
	got, err := eval.Interpret(q.Store, q.Root, eval.FloatArrays(), env)
	if err != nil || !defs.Same(want, got) {
		return bad("the value is another")
	}
	m, err := module.Load(p.Store.Signature(), &diag.Source{Name: "fused.egad", Text: text})
	if err != nil {
		return bad(err.Error())
	}
	again, err := m.Instantiate("fused", nil)
	if err != nil {
		return bad(err.Error())
	}
	if got, err = eval.Interpret(again.Store, again.Root, eval.FloatArrays(), env); err != nil || !defs.Same(want, got) {
		return bad("the value of the text is another")
	}
	is, err := lower.Lower(q, nil)
	if err != nil {
		return bad(err.Error())
	}
	a, b := eval.CountOps(p.Store, p.Root), is.Counts()
	most := a.Float
	p.Store.Walk(p.Root, func(t term.Term) {
		switch p.Store.Op(t).Sym {
		case ops.SymSolve, ops.SymSolvet, ops.SymLogdet: // what statements do for small ones is counted one by one
			most = a.Float * 5 / 4
		}
	})
	if b.Float > most {
		return bad(fmt.Sprintf("the kernels do more: %+v, and %+v\n%s", a, b, is))
	}
	arrays := ""
	inLoop := make(map[uint32]bool)
	q.Store.Walk(q.Root, func(t term.Term) {
		if q.Store.Op(t).Sym == ops.SymStates {
			q.Store.Walk(t, func(u term.Term) { inLoop[u.ID] = true })
		}
	})
	q.Store.Walk(q.Root, func(t term.Term) {
		o := q.Store.Signature().Operator(q.Store.Op(t).Sym)
		scatters := slices.ContainsFunc(q.Store.Kids(t), func(k slot.Kid) bool { return q.Store.Op(term.Term{ID: k.ID}).Sym == ops.SymScatter })
		if typ := q.Store.Type(t); o.Elementwise && len(typ.Shape) > 0 && !inLoop[t.ID] && !scatters {
			arrays = o.Name
		}
	})
	if arrays != "" {
		return bad(arrays + " is computed of arrays")
	}
	return nil
}

// TestExamples fuses the examples, and their gradients.
func TestExamples(t *testing.T) {
	files, err := filepath.Glob("../examples/*/*.egad")
	if err != nil || len(files) < 20 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	fused := 0
	for _, file := range files {
		if filepath.Base(file) == "running.egad" { // which needs rules of its own
			continue
		}
		t.Run(filepath.Base(file), func(t *testing.T) {
			lib, m := defs.Load(t, file)
			rng := rand.New(rand.NewSource(1))
			each := func(name string, p *term.Program) {
				env := defs.Inputs(t, p, rng.NormFloat64, func() int64 { return rng.Int63n(3) })
				if bulk.Is(p.Store, p.Root, p.Names) == nil {
					fused++
					if err := check(lib, p, env); err != nil {
						t.Errorf("%s: %v", name, err)
					}
				}
				if !p.Store.Type(p.Root).IsScalar(types.R) {
					return
				}
				if d, err := ad.Grad(lib, p, ad.Options{}); err == nil {
					fused++
					if err := check(lib, d.Program, env); err != nil {
						t.Errorf("the gradient of %s: %v", name, err)
					}
				}
			}
			for _, name := range m.Defs() {
				info, err := m.Lookup(name)
				if err != nil {
					t.Fatal(err)
				}
				sizes := make(map[string]int64)
				for i, s := range info.Sizes {
					sizes[s] = 3 + int64(i)
				}
				if name == "gmm" {
					sizes = map[string]int64{"K": 3, "D": 2, "N": 4, "L": 3}
				}
				// Some are not for these sizes, or are parts of others.
				if p, err := m.Instantiate(name, sizes); err == nil {
					each(name, p)
				}
			}
		})
	}
	if fused < 40 {
		t.Errorf("%d programs were fused", fused)
	}
}

// TestRandom fuses random programs.
func TestRandom(t *testing.T) {
	sig := term.NewSignature()
	lib, err := load.Builtin(sig)
	if err != nil {
		t.Fatal(err)
	}
	programs.Hold(t, testflag.Seed, testflag.Count(120, 3000), programs.Gen(programs.Everything, types.NoElem), func(c programs.Case) error {
		p, _, err := bot.Transform(lib, c.Program(sig), 0)
		if err != nil {
			return err
		}
		return check(lib, p, c.Values(false, false))
	})
}

// TestMatMul: the product of matrices, however it is written, has one gradient program: two
// products, and the one of the value, which is not computed again.
func TestMatMul(t *testing.T) {
	lib, m := defs.Read(t, `
def triple(x: R[5, 6], y: R[6, 7]): R = sumsq (flat (build 5 (\i -> build 7 (\j -> sum (build 6 (\l -> x[i, l] * y[l, j]))))))
def rows(x: R[5, 6], y: R[6, 7]): R = sumsq (flat (build 5 (\i -> matvec(tr [1, 0] y, x[i]))))
def bulk(x: R[5, 6], y: R[6, 7]): R = sumsq (flat (sum (tr [1, 2, 0] (replicate 7 (tr [1, 0] x)) * tr [1, 0, 2] (replicate 5 y))))
def prelude(x: R[5, 6], y: R[6, 7]): R = sumsq (flat (matmul(x, y)))
def other(x: R[5, 6], y: R[6, 7]): R = let z = matmul(x, y) in sumsq (flat (build [5, 7] (\[i, j] -> y[0, j] + z[i, j])))
`)
	var first string
	for i, name := range m.Defs() {
		p, err := m.Instantiate(name, nil)
		if err != nil {
			t.Fatal(err)
		}
		d, err := ad.Grad(lib, p, ad.Options{})
		if err != nil {
			t.Fatal(err)
		}
		q, err := fusion.Fuse(lib, d.Program, nil, extract.How{})
		if err != nil {
			t.Fatal(err)
		}
		q.Index = nil // names of index variables
		text := q.Text("f")
		switch k, err := lower.Lower(q, nil); {
		case err != nil:
			t.Error(err)
		case i == 0:
			first = text
			if n := k.Counts().Float; n != 3*2*5*6*7+3*5*7 {
				t.Errorf("%d operations:\n%s", n, k)
			}
		case (text == first) == (name == "other"):
			t.Errorf("%s:\n%s, and %s:\n%s", m.Defs()[0], first, name, text)
		}
	}
}

// TestAsWritten runs programs that are no bulk programs: what is added up in a build is read
// from slices, reshaped and transposed arrays; what is always out of range is not
// computed; of rows in a row only elements are read, and one of them only is if it is known which.
func TestAsWritten(t *testing.T) {
	lib, m := defs.Read(t, `
def columns[n](a: R[2][3][n]): R[2, n] = build [2, n] (\k i -> sum (a[i][:, k]))
def products[n](a: R[n, 4, n]): R[n, n] = build [n, n] (\i j -> prod (a[i, :, j]) * maximum (a[j, 1:, i]))
def pooled[n](a: R[2 * n, 2 * n]): R[n, n] = build [n, n] (\i j -> maximum (flat a[2 * i:2 * i + 2, 2 * j:2 * j + 2]))
def turned[n](a: R[n, 3]): R[n] = build n (\i -> sum (map sum (transpose (build [2, 3] (\j k -> a[i, k] * real j)))))
def rows[n](a: R[n, 3]): R[n] = build n (\i -> sum (sum (replicate 2 (a[i] * a[n - 1 - i]))))
def sorted[n](a: R[n, n]): R[n] = build n (\i -> sum (sort a[:, i]) + (cumsum (reverse a[i]))[0])
def looped[n](a: R[n, 2]): R = fold (\s r -> s + sum (reshape [2] (transpose [r, r])[:1])) 0 a
def outside[n](a: R[n]): R[n] = build n (\i -> index (cumprod (a[n - 1:])) [i + 1] + index (sort a) [i - n])
def first[n](a: R[2, n], k: I): R[2, n] = [a, iterate 2 (\s -> reshape [2, n] (transpose (s * s))) a][0] + a
def never[n](a: R[2, n], k: I): R[n, 2, n] = build n (\i -> [a, iterate 2 (\s -> reshape [2, n] (transpose (s * s))) a][i - i])
def beyond[n](a: R[n, n]): R[n] = let t = a * where (a == 0) 0.5 1 in sum t + gather [n] t (\[i] -> [0, i - (i + 2)])
def row[n](a: R[2, n, n], k: I): R[n * n] = flat (gather [n, n] (exp a[k]) (\[i, j] -> [[replicate n k, iota n][1, j], j]))
`)
	for _, n := range []int64{1, 2, 3} {
		defs.Each(t, m, n, func(name string, p *term.Program) {
			env := defs.Inputs(t, p, rand.New(rand.NewSource(n)).NormFloat64, func() int64 { return 1 })
			if err := check(lib, p, env); err != nil {
				t.Errorf("%s at n = %d: %v", name, n, err)
			}
		})
	}
}

// TestLoopsOut: loops for the elements of an array, each with states of its own, are one loop
// of which the states are arrays, unless some make more steps.
func TestLoopsOut(t *testing.T) {
	lib, m := defs.Read(t, `
def horner[n](c: R[5], x: R[n]): R[n] = build n (\i -> fold (\s a -> s * x[i] + a) 0.0 c)
def paths[n](c: R[n, 4], x: R[n]): R = sum (map (\e -> max 0.0 (fold (\s w -> s * exp (0.1 * w)) x[0] e - 1.0)) c)
def pairs[n](c: R[n, 3], x: R[n]): R[n] = build n (\i -> let (a, b) = fold (\(a, b) w -> (b, a + w * x[i])) (x[i], 1.0) c[i] in a - b)
def counted[n](c: R[n, 3], x: R[n]): R[n] = build n (\i -> iterate (i mod 3) (\s -> s * x[i] + c[i, 0]) 1.0)
def scanned[n](c: R[n, 3], x: R[n]): R[n, 3] = build n (\i -> scan (\s w -> s + w * x[i]) x[i] c[i])
def vectors[n](c: R[n, 3], x: R[n]): R[n, 3] = map (\e -> iterate 4 (\s -> s * e + x[0]) e) c
def within[n](c: R[n, 3], x: R[n]): R = fold (\s w -> fold (\r v -> r * w + v) s x) x[0] x
def chased[n](c: R[n, 3], x: R[n]): R[n] = build n (\i -> x[iterate 4 (\k -> (k + floor (sum (exp c[i]) * x[k])) mod n) i])
def clipped[n](c: R[n, 3], x: R[n]): R[n] = build n (\i -> (min (gather [n + 1] x (\[j] -> [i])) 2.0)[(iterate 2 (\(k, s) -> (k + i, min s 0.0)) (0, real i)).0])
def nested[n](c: R[n, 3], x: R[n]): R[n] = build n (\i -> fold (\s w -> fold (\r v -> r * w + v) s c[i]) x[i] c[i])
`)
	for _, n := range []int64{1, 2, 7} {
		defs.Each(t, m, n, func(name string, p *term.Program) {
			env := defs.Inputs(t, p, rand.New(rand.NewSource(n)).NormFloat64, nil)
			if err := check(lib, p, env); err != nil {
				t.Errorf("%s at n = %d: %v", name, n, err)
			}
			q, err := fusion.Fuse(lib, p, nil, extract.How{})
			if err != nil {
				t.Fatal(err)
			}
			loops := 0
			q.Store.Walk(q.Root, func(x term.Term) {
				if q.Store.Op(x).Sym == ops.SymStates && len(x.Args) > 0 {
					loops++
				}
			})
			// A loop in the steps of another is left there.
			if want := map[string]int{"counted": 2, "nested": 1, "within": 1}[name]; loops != want && n > 1 {
				t.Errorf("%s: %d loops inside others", name, loops)
			}
		})
	}
}

// TestNeverInRange: a loop and what is scattered after it, of which an element is read at an index
// that is never in range. Rules do not see that, as it is of an array in another shape.
func TestNeverInRange(t *testing.T) {
	lib, p := defs.Last(t, `def f(b: R[4, 3]): R[3] =
  let p = iterate 3 (\s -> sin s + gather [4, 3] s (\[i, j] -> [i - 1, j])) b in
  let q = reshape [4, 3] (scatter [2, 3, 2] (sum p) (\[i] -> [(i + 1) mod 2, min 2 (i + 2), (i - 2) mod 2])) in
  gather [3] q (\[i] -> [max 0 (i - 1), i + 3])`)
	b := &eval.Value[float64]{Elem: types.R, Shape: []int{4, 3}, R: make([]float64, 12)}
	if err := check(lib, p, eval.Env[*eval.Value[float64]]{"b": b}); err != nil {
		t.Error(err)
	}
}

// TestKept: what is computed for fewer elements than are read of it is kept, also where a mask that
// is always true leaves nothing to compute, or it stands beside rows of what is in memory.
func TestKept(t *testing.T) {
	lib, m := defs.Read(t, `
def always(x: R[2, 4], y: R[3, 4]): B[3, 4] = gather [3] (where (tr [1, 0] (replicate [4, 2] true)) x (x * x)) (\[i] -> [i]) < y
def mask(x: R[2, 4], y: R[3, 4], m: B[2, 4]): B[3, 4] = gather [3] (where m x (x * x)) (\[i] -> [i]) < y
def beside(x: R[2, 4], y: R[3, 4], m: B[2, 4]): R[3] = build 3 (\i -> prod (where m[0] (log1p x[0]) (sort y[i])))
`)
	for _, name := range m.Defs() {
		p, err := m.Instantiate(name, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := check(lib, p, defs.Inputs(t, p, rand.New(rand.NewSource(1)).NormFloat64, func() int64 { return 1 })); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
