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
	"egad/kernel"
	"egad/rules"
	"egad/slot"
	"egad/term"
)

// more reports whether a is more than b, and more than by a little. (In loops there may be
// a step of one number more.)
func more(a, b int64) bool { return 100*a > 103*b }

// check fuses a program. The fused one has its value, bit for bit, as a program and as
// text; its kernels do no more and keep no more, and nothing but scalars is computed. (Not of all programs: of what may be out of range and is no
// number, no rule says the elements.)
func check(lib *rules.Library, p *term.Program, env term.Env[*term.Value[float64]], scalars bool) error {
	q, err := fusion.Fuse(lib, p, extract.How{})
	if err != nil {
		return err
	}
	text := q.Text("fused")
	bad := func(what string) error {
		return errors.New(what + "\n" + p.Text("source") + text)
	}
	want, err := term.Interpret(p.Store, p.Root, term.FloatArrays(), env)
	if err != nil {
		return err
	}
	got, err := term.Interpret(q.Store, q.Root, term.FloatArrays(), env)
	if err != nil || !defs.Same(want, got) {
		return bad("the value is another")
	}
	m, err := term.LoadModule(p.Store.Signature(), &diag.Source{Name: "fused.egad", Text: text})
	if err != nil {
		return bad(err.Error())
	}
	again, err := m.Instantiate("fused", nil)
	if err != nil {
		return bad(err.Error())
	}
	if got, err = term.Interpret(again.Store, again.Root, term.FloatArrays(), env); err != nil || !defs.Same(want, got) {
		return bad("the value of the text is another")
	}
	was, err := kernel.Lower(p)
	if err != nil {
		return err
	}
	is, err := kernel.Lower(q)
	if err != nil {
		return bad(err.Error())
	}
	if a, b := was.Counts(), is.Counts(); more(b.Float, a.Float) || scalars && more(b.Elements, a.Elements) {
		return bad(fmt.Sprintf("the kernels do more: %+v, and %+v\n%s\n%s", a, b, was, is))
	}
	arrays := ""
	inLoop := make(map[uint32]bool)
	q.Store.Walk(q.Root, func(t term.Term) {
		if q.Store.Op(t).Sym == term.SymStates {
			q.Store.Walk(t, func(u term.Term) { inLoop[u.ID] = true })
		}
	})
	q.Store.Walk(q.Root, func(t term.Term) {
		o := q.Store.Signature().Operator(q.Store.Op(t).Sym)
		scatters := slices.ContainsFunc(q.Store.Kids(t), func(k slot.Kid) bool { return q.Store.Op(term.Term{ID: k.ID}).Sym == term.SymScatter })
		if typ := q.Store.Type(t); o.Elementwise && len(typ.Shape) > 0 && !inLoop[t.ID] && !scatters {
			arrays = o.Name
		}
	})
	if scalars && arrays != "" {
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
					if err := check(lib, p, env, true); err != nil {
						t.Errorf("%s: %v", name, err)
					}
				}
				if !p.Store.Type(p.Root).IsScalar(term.R) {
					return
				}
				if d, err := ad.Grad(lib, p, ad.Options{}); err == nil {
					fused++
					if err := check(lib, d.Program, env, true); err != nil {
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
	lib, err := rules.Builtin(sig)
	if err != nil {
		t.Fatal(err)
	}
	programs.Hold(t, 1, 300, programs.Gen(programs.Everything, term.NoElem), func(c programs.Case) error {
		p, _, err := bot.Transform(lib, c.Program(sig), 0)
		if err != nil {
			return err
		}
		return check(lib, p, c.Values(false, false), false)
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
		q, err := fusion.Fuse(lib, d.Program, extract.How{})
		if err != nil {
			t.Fatal(err)
		}
		q.Index = nil // names of index variables
		text := q.Text("f")
		switch k, err := kernel.Lower(q); {
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
