package steps_test

import (
	"slices"
	"testing"

	"egad/diag"
	"egad/fusion"
	"egad/internal/defs"
	"egad/kernel"
	"egad/kernel/inplace"
	"egad/kernel/kerneltest"
	"egad/kernel/machine"
	"egad/term"
	"egad/term/module"
)

// TestProfile: each kernel is measured as often as it runs, those of loops in each step,
// whatever runs them, and results are the same.
func TestProfile(t *testing.T) {
	const m, n, runs = 5, 3, 4
	mod, err := module.Load(term.NewSignature(), &diag.Source{Name: "loops.egad", Text: loops})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range mod.Defs() {
		p, err := mod.Instantiate(d, map[string]int64{"m": m, "n": n})
		if err != nil {
			t.Fatal(err)
		}
		env := kerneltest.Values(t, p, n)
		k, err := fusion.Lower(nil, p, nil)
		if err != nil {
			t.Fatal(err)
		}
		want, err := fusion.Run(p, env)
		if err != nil {
			t.Fatal(err)
		}
		for _, native := range []*machine.Native{nil, {}, {Exact: true}} {
			mach, profile, err := machine.CompileProfiled(k, native, true)
			if err != nil {
				t.Fatal(err)
			}
			for range runs {
				got, err := mach.Run(env)
				if err != nil {
					t.Fatal(err)
				}
				if !defs.Same(got, want) && !(native != nil && kerneltest.Near(got, want)) {
					t.Errorf("%s: %v, wanted %v", d, got, want)
				}
			}
			var check func(p *kernel.Program, of *kernel.Steps, times int)
			check = func(p *kernel.Program, of *kernel.Steps, runs int) {
				for _, k := range p.Kernels {
					times := runs
					if native != nil && !native.Exact && of != nil && !ByItself(of, k) {
						times = 0
					}
					if got := profile.Runs[k]; got != times {
						t.Errorf("%s, native %v: %d runs, wanted %d, of\n%s", d, native, got, times, k)
					}
					if profile.Times[k] <= 0 && times > 0 {
						t.Errorf("%s, native %v: no time for\n%s", d, native, k)
					}
					if s := k.Steps; s != nil && s.Count == nil {
						each := s.N
						for _, n := range s.Outer {
							each *= n
						}
						check(s.Step, s, times*each)
					}
				}
			}
			check(k, nil, runs)
		}
	}
}

// ByItself reports whether machine code that is not exact runs a kernel of a step by itself.
func ByItself(s *kernel.Steps, k *kernel.Kernel) bool {
	return slices.ContainsFunc(inplace.UpdatedStep(s).Kernels, func(x *kernel.Kernel) bool { return x == k || x.Of == k })
}
