package props

import (
	"math/rand"
	"path/filepath"
	"slices"
	"testing"

	"egad/diag"
	"egad/growth"
	"egad/rules"
	"egad/term"
)

// TestCheapGradients prints how much of the bound random programs use.
func TestCheapGradients(t *testing.T) {
	for _, p := range []struct {
		name string
		Palette
	}{{"smooth", Smooth}, {"everything", Everything}} {
		t.Run(p.name, func(t *testing.T) {
			var r Ratios
			forPrograms(t, size(300, 10_000), GenScalar(p.Palette), CheckCheap(&r))
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
	lib, err := rules.Builtin(sig, ruleFiles...)
	if err != nil {
		t.Fatal(err)
	}
	m, err := term.LoadModule(sig, src)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range m.Defs() {
		info, err := m.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		real := func(in term.Input) bool { return in.Type.Differentiable() }
		if !info.Result.IsScalar(term.R) || !slices.ContainsFunc(info.Params, real) {
			continue
		}
		p := atSmallSizes(t, m, info)
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
// allow.
func atSmallSizes(t *testing.T, m *term.Module, info term.DefInfo) *term.Program {
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
func randomInputs(t *testing.T, p *term.Program) term.Env[*term.Value[float64]] {
	t.Helper()
	rng := rand.New(rand.NewSource(1))
	env := make(term.Env[*term.Value[float64]])
	for _, in := range p.Inputs {
		for _, leaf := range in.Leaves() {
			v, err := term.FloatArrays().New(leaf.Type)
			if err != nil {
				t.Fatal(err)
			}
			for i := range v.R {
				v.R[i] = 0.5 + rng.Float64()
			}
			for i := range v.N {
				v.N[i] = int64(rng.Intn(2))
			}
			env[leaf.Name] = v
		}
	}
	return env
}
