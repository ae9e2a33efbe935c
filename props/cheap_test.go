package props

import (
	"errors"
	"fmt"
	"math/rand"
	"path/filepath"
	"slices"
	"testing"

	"egad/ad"
	"egad/diag"
	"egad/fun"
	"egad/internal/defs"
	"egad/internal/growth"
	"egad/internal/programs"
	"egad/internal/testflag"
	"egad/rules"
	"egad/rules/load"
	"egad/term"
	"egad/term/eval"
	"egad/term/module"
	"egad/term/types"
)

// TestCheapGradients prints how much of the bound random programs use.
func TestCheapGradients(t *testing.T) {
	for _, p := range []struct {
		name string
		programs.Palette
	}{{"smooth", programs.Smooth}, {"everything", programs.Everything}} {
		t.Run(p.name, func(t *testing.T) {
			var r Ratios
			forPrograms(t, testflag.Count(120, 10_000), programs.GenScalar(p.Palette), CheckCheap(&r))
			t.Log(&r)
		})
	}
}

// TestCheapExamples is the cheap gradient property of every definition of the
// examples that results in a real scalar, at the first small sizes that fit, and
// of the families of package growth.
func TestCheapExamples(t *testing.T) {
	files, err := filepath.Glob("../examples/*/*.egad")
	if err != nil || len(files) == 0 {
		t.Fatalf("there are no examples (%v)", err)
	}
	more, err := filepath.Glob("../examples/*.egad")
	if err != nil {
		t.Fatal(err)
	}
	var r Ratios
	for _, f := range append(append(files, more...), "../ad/testdata/programs.egad") {
		src, err := diag.ReadSource(f)
		if err != nil {
			t.Fatal(err)
		}
		var operators []*diag.Source
		beside, err := filepath.Glob(filepath.Join(filepath.Dir(f), "*.rules"))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range beside {
			src, err := diag.ReadSource(f)
			if err != nil {
				t.Fatal(err)
			}
			operators = append(operators, src)
		}
		cheapFile(t, &r, src, operators...)
	}
	for _, f := range growth.Families {
		cheapFile(t, &r, &diag.Source{Name: f.Name, Text: f.Text(f.Size / 10)})
	}
	t.Log(&r)
}

func cheapFile(t *testing.T, r *Ratios, src *diag.Source, ruleFiles ...*diag.Source) {
	t.Helper()
	sig := term.NewSignature()
	lib, err := load.Builtin(sig, ruleFiles...)
	if err != nil {
		t.Fatal(err)
	}
	sig.Deriver = ad.Deriver(lib)
	sig.Functional = fun.Functional
	m, err := module.Load(sig, src)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range m.Defs() {
		info, err := m.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		real := func(in term.Input) bool { return in.Type.Differentiable() }
		if info.Alone() != nil || !info.Result.IsScalar(types.R) || !slices.ContainsFunc(info.Params, real) {
			continue
		}
		if name == "best" && !testflag.Long {
			continue // Newton's method on 400 steps takes half a minute
		}
		p := atSmallSizes(t, m, info)
		if p == nil {
			continue
		}
		cost, w, err := Cheap(lib, p, randomInputs(t, p))
		if err != nil {
			t.Errorf("%s, %s: %v", src.Name, name, err)
			continue
		}
		r.Add(cost, w.Bound())
		t.Logf("%-22s %-14s %6d operations, W %5d, E %5d, A %5d: %.3f of the bound", filepath.Base(src.Name), name, cost, w.Float, w.Elements,
			w.Uses, float64(cost)/float64(max(w.Bound(), 1)))
	}
}

// atSmallSizes instantiates a definition at the first sizes that its conditions
// allow. It gives nil of a functional one of which there is no array program.
func atSmallSizes(t *testing.T, m *module.Module, info module.DefInfo) *term.Program {
	t.Helper()
	const from, to = 3, 12
	sizes := make(map[string]int64)
	for _, s := range info.Sizes {
		sizes[s] = from
	}
	var lastErr error
	for {
		p, err := m.Instantiate(info.Name, sizes)
		if err == nil {
			return p
		}
		lastErr = err
		if errors.As(err, new(*module.NotLoweredError)) {
			return nil
		}
		k := 0
		for ; k < len(info.Sizes); k++ {
			s := info.Sizes[k]
			if sizes[s]++; sizes[s] <= to {
				break
			}
			sizes[s] = from
		}
		if k == len(info.Sizes) {
			t.Fatalf("%s has no small sizes: %v", info.Name, lastErr)
		}
	}
}

// randomInputs are reals from 0.5 to 1.5 and small integers.
func randomInputs(t *testing.T, p *term.Program) eval.Env[*eval.Value[float64]] {
	t.Helper()
	rng := rand.New(rand.NewSource(1))
	return defs.Inputs(t, p, func() float64 { return 0.5 + rng.Float64() }, func() int64 { return int64(rng.Intn(2)) })
}

// Work is what a bulk program does, as its parts make derivatives cost.
type Work struct {
	Float    int64 // W: operations on reals; pow, atan2 and lgamma count 3, a sum or a scatter of n counts n
	Elements int64 // E: elements of the intermediate arrays of reals, without scalars
	Uses     int64 // A: over all uses of arrays of reals as operands, their elements; a scalar has one
}

// Bound is what the value and the gradient together may cost: 4 W + E + A.
func (w Work) Bound() int64 { return 4*w.Float + w.Elements + w.Uses }

// WorkOf counts the work of a bulk program.
func WorkOf(p *term.Program, env eval.Env[*eval.Value[float64]]) (Work, error) {
	_, c, err := count(p, env)
	w := Work{Float: c.Float, Elements: c.Elements}
	p.Store.Walk(p.Root, func(t term.Term) {
		for _, k := range p.Store.Kids(t) {
			if typ := p.Store.Type(term.Term{ID: k.ID}); typ.Kind == types.KArray && typ.Elem == types.R {
				if n, ok := typ.Elements().Const(); ok {
					w.Uses += n
				}
			}
		}
	})
	return w, err
}

// Cheap is the cost of the value and the gradient of p, as operations on reals,
// and the work of its bulk program. It is for programs that result in a real
// scalar.
func Cheap(lib *rules.Library, p *term.Program, env eval.Env[*eval.Value[float64]]) (int64, Work, error) {
	grad, err := derive(lib, p, ad.Grad)
	if err != nil {
		return 0, Work{}, err
	}
	w, err := WorkOf(stage(grad, "bulk"), env)
	if err != nil {
		return 0, Work{}, err
	}
	_, c, err := count(grad.Program, env)
	if err == nil && c.Float > w.Bound() {
		err = fmt.Errorf("%d operations for value and gradient, more than 4 * %d + %d + %d = %d\n%s\n%s", c.Float,
			w.Float, w.Elements, w.Uses, w.Bound(), stage(grad, "bulk").Text("bulk"), grad.Program.Text("grad"))
	}
	return c.Float, w, err
}

// Ratios collects how much of a bound is used.
type Ratios struct {
	Worst, Sum float64
	N          int
}

// Add adds a case with cost c under bound b; one with a bound of 0 does not
// count.
func (r *Ratios) Add(c, b int64) {
	if b > 0 {
		x := float64(c) / float64(b)
		r.Worst, r.Sum, r.N = max(r.Worst, x), r.Sum+x, r.N+1
	}
}

func (r *Ratios) String() string {
	return fmt.Sprintf("worst %.3f, mean %.3f of the bound in %d cases", r.Worst, r.Sum/float64(max(r.N, 1)), r.N)
}

// CheckCheap is the cheap gradient property: the value and the gradient take at
// most 4 W + E + A operations on reals, by the work of the bulk program. The
// ratios that are found are added to r.
func CheckCheap(r *Ratios) func(*rules.Library, *term.Signature, programs.Case) error {
	return func(lib *rules.Library, sig *term.Signature, c programs.Case) error {
		cost, w, err := Cheap(lib, c.Program(sig), c.Values(false, true))
		if err == nil {
			r.Add(cost, w.Bound())
		}
		return err
	}
}
