package timing

import (
	"testing"
	"time"

	"egad/diag"
	"egad/fusion"
	"egad/kernel"
	"egad/kernel/machine"
	"egad/term"
	"egad/term/eval"
	"egad/term/module"
	"egad/term/types"
)

// TestDivide: the time of a loop is divided among its kernels by what was measured of them, at
// most all of it; by estimates where measuring takes longer than the loop; and that of a loop in
// it likewise. A kernel that is part of another has none.
func TestDivide(t *testing.T) {
	loopOf := func(ks ...*kernel.Kernel) *kernel.Kernel {
		return &kernel.Kernel{Steps: &kernel.Steps{Step: &kernel.Program{Kernels: ks}}}
	}
	a, b, c, part := &kernel.Kernel{}, &kernel.Kernel{}, &kernel.Kernel{}, &kernel.Kernel{}
	inner := loopOf(b, c)
	outer := loopOf(a, part, inner)
	o := overhead{own: 100, around: 200}
	for _, test := range []struct {
		name                    string
		outer                   time.Duration
		wantA, wantInner, wantB time.Duration
		sharedA, sharedB        bool
	}{
		{name: "measured", outer: 100000, wantA: 49000, wantInner: 41000, wantB: 28000 * 41000 / 42000},
		{name: "at most all", outer: 45000, wantA: 24500, wantInner: 20500, wantB: 28000 * 20500 / 42000},
		{name: "shorter inside", outer: 15000, wantA: 8166, wantInner: 6833, wantB: 1366, sharedB: true},
		{name: "shorter", outer: 9000, wantA: 6000, wantInner: 3000, wantB: 600, sharedA: true, sharedB: true},
	} {
		p := profile{
			outer: {Times: Times{test.outer}, Runs: 1},
			a:     {Times: Times{50000}, Runs: 10, Estimated: 40},
			inner: {Times: Times{50000}, Runs: 10, Estimated: 20},
			b:     {Times: Times{30000}, Runs: 20, Estimated: 2},
			c:     {Times: Times{16000}, Runs: 20, Estimated: 8},
		}
		p.divide(outer, o)
		for _, k := range []struct {
			what   string
			of     *kernel.Kernel
			want   time.Duration
			shared bool
		}{{"a", a, test.wantA, test.sharedA}, {"inner", inner, test.wantInner, test.sharedA}, {"b", b, test.wantB, test.sharedB}} {
			if got := p[k.of]; got.Median() != k.want || got.Shared != k.shared {
				t.Errorf("%s: %s takes %v, shared %v, wanted %v, %v", test.name, k.what, got.Median(), got.Shared, k.want, k.shared)
			}
		}
		if p[part] != nil {
			t.Errorf("%s: a part has times", test.name)
		}
	}
}

// TestProfile: a loop of short steps takes its time, and its kernels that time together.
func TestProfile(t *testing.T) {
	const text = `def f(x: R[40]): R[40] =
  let y = iterate 3000 (\(a, b) -> (build 40 (\i -> a[i] * 0.5 + sum b / 40), build 40 (\i -> a[39 - i]))) (x, x) in y.0 + y.1`
	mod, err := module.Load(term.NewSignature(), &diag.Source{Name: "short.egad", Text: text})
	if err != nil {
		t.Fatal(err)
	}
	p, err := mod.Instantiate("", nil)
	if err != nil {
		t.Fatal(err)
	}
	k, err := fusion.Lower(nil, p, nil)
	if err != nil {
		t.Fatal(err)
	}
	env := eval.Env[*eval.Value[float64]]{"x": {Elem: types.R, Shape: []int{40}, R: make([]float64, 40)}}
	for _, native := range []*machine.Native{nil, {}, {Exact: true}} {
		prog, err := Compile(k, nil, p.Inputs, env, native, 1e6)
		if err != nil {
			t.Fatal(err)
		}
		times, err := Alternate(Limits{Least: 11}, nil, prog.Run)
		if err != nil {
			t.Fatal(err)
		}
		got, err := prog.Profile(native, 11)
		if err != nil {
			t.Fatal(err)
		}
		all := time.Duration(0)
		for _, k := range k.Kernels {
			of := got[k]
			if of == nil {
				continue
			}
			all += of.Median()
			if k.Steps == nil {
				continue
			}
			within := time.Duration(0)
			for _, k := range k.Steps.Step.Kernels {
				if m := got[k]; m != nil {
					within += m.Median()
				}
			}
			if within <= 0 || within > of.Median() {
				t.Errorf("native %v: the kernels of a loop of %v take %v", native, of.Median(), within)
			}
		}
		if whole := times[0].Median(); all < whole/3 || all > 3*whole {
			t.Errorf("native %v: the kernels of a program of %v take %v", native, whole, all)
		}
	}
}
