package ad

import (
	"math/rand/v2"
	"slices"
	"testing"

	"egad/fusion"
	"egad/internal/defs"
	"egad/kernel/machine"
	"egad/term"
	"egad/term/eval"
	"egad/term/ops"
)

// TestSegments: sums over parts of arrays that begin and end where data say are sums over the elements, with the
// same gradients wherever the parts are; not where an array for each part and element would be kept.
func TestSegments(t *testing.T) {
	for _, c := range []struct {
		what, text string
		none       bool
	}{
		{"rows of a sparse matrix", `
def f(p: I[7], c: I[40], a: R[40], x: R[9]): R =
  sumsq (build 6 (\i -> sum (build 12 (\j -> let e = p[i] + j in if e < p[i + 1] then a[e] * x[c[e]] else 0))))`, false},
		{"the other factor first", `
def f(p: I[7], q: I[7], c: I[40], a: R[40], x: R[9, 2]): R =
  sumsq (build 6 (\i -> sum (build 12 (\j -> if j + p[i] < p[i + 1] then x[c[p[i] + j], 1] * a[p[i] + j] else 0))))`, false},
		{"a function of each part", `
def f(p: I[7], a: R[40], x: R[9]): R =
  sumsq (build 6 (\i -> sum (build 12 (\j -> let e = p[i] + j in if e < p[i + 1] then a[e] * exp (a[e] * x[i]) else 0))))`, true},
	} {
		t.Run(c.what, func(t *testing.T) {
			lib, p := defs.Last(t, c.text)
			g, err := Grad(lib, p, Options{})
			if err != nil {
				t.Fatal(err)
			}
			exact, err := Grad(lib, p, Options{Exact: true})
			if err != nil {
				t.Fatal(err)
			}
			for of, want := range map[*Derived]bool{g: !c.none, exact: false} {
				if got := slices.ContainsFunc(of.Stages, func(s Stage) bool {
					q := s.Program
					return s.Name == "segments" && q.Store.Contains(q.Root, func(t term.Term) bool {
						op := q.Store.Op(t)
						return op.Sym == ops.SymBuild && op.Sizes[0].IsConst(40)
					})
				}); got != want {
					t.Errorf("parts are taken for all elements: %v, want %v", got, want)
				}
			}
			r := rand.New(rand.NewPCG(1, 2))
			for round := range 6 {
				env := defs.Inputs(t, p, r.NormFloat64, func() int64 { return r.Int64N(12) - 2 })
				at := env["p"].N
				for i := range at {
					at[i] = int64(6 * i)
					if round > 1 {
						at[i] = r.Int64N(60) - 10
					}
				}
				if round > 3 {
					at[0], at[2], at[4], at[5] = -1<<63, 1<<63-4, 1<<63-1, -1<<63+3
				}
				want, err := eval.InterpretStaged(exact.Program.Store, exact.Program.Root, eval.FloatArrays(), env)
				if err != nil {
					t.Fatal(err)
				}
				for _, native := range []*machine.Native{nil, {}, {Exact: true}} {
					m, err := fusion.Prepare(nil, g.Program, nil, native)
					if err != nil {
						t.Fatal(err)
					}
					got, err := m.Run(env)
					if err != nil {
						t.Fatal(err)
					}
					if !defs.Near(want, got, 1e-12) {
						t.Errorf("from %v: %v, want %v", at, got, want)
					}
				}
			}
		})
	}
}
