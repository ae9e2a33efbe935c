// Package concurrent_test uses one module, one program and one machine from several
// goroutines, with everything that the library exports for them. Every answer must
// be the one that a single goroutine gets, byte for byte, whatever was asked
// before; the race detector looks for the rest.
package concurrent_test

import (
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"

	"egad"
	"egad/ad"
	"egad/bot"
	"egad/data"
	"egad/diag"
	"egad/extract"
	"egad/fusion"
	"egad/internal/bulk"
	"egad/kernel"
	"egad/kernel/machine"
	"egad/linmap"
	"egad/props"
	"egad/rules/runner"
	"egad/rules/suite"
	"egad/stages"
	"egad/term"
	"egad/term/eval"
	"egad/term/types"
	"egad/viz"
)

// shared is what the goroutines have in common.
type shared struct {
	m       *egad.Module
	def     string
	sizes   map[string]int64
	p       *term.Program
	env     egad.Env
	derived *ad.Derived
	kernels *kernel.Program
	machine *machine.Machine
	native  *machine.Machine
	view    *stages.View
}

// programs are files with inputs: one with arrays, conditions and literals, one
// with tuples, and one with a declared operator.
var programs = []struct {
	files []string
	text  string
	sizes map[string]int64
	in    string
}{
	{text: `
def f[n](x: R[n], y: (R[n], R), k: I[n]): R =
  let z = build n (\i -> if x[i] < y.0[n - 1 - i] then x[k[i]] * y.1 else exp y.0[i]) in
  sum (z * replicate n 2 + x * real k) + maximum z * y.1
`, sizes: map[string]int64{"n": 3}, in: `{"x": [1, -2, 3], "y": [[0.5, -1, 2], 3], "k": [2, 0, 7]}`},
	{text: `
def dot(a: R[2], b: R[2]): R = sum (a * b)
`, in: `{"a": [1, 2], "b": [3, 4]}`},
	{files: []string{"../../examples/running/running.egad", "../../examples/running/running.rules"},
		sizes: map[string]int64{"m": 2, "n": 3},
		in:    `{"start": [1, 2], "steps": [[1, 2, 3], [4, 5, 6]], "seen": [[1, 1, 1], [2, 2, 2]], "weight": 2}`},
}

func setUp(t *testing.T, n int) *shared {
	t.Helper()
	c := programs[n]
	must := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	m, err := egad.Parse("p.egad", c.text)
	if c.files != nil {
		m, err = egad.Load(c.files...)
	}
	must(err)
	info, err := m.Lookup("")
	must(err)
	in, err := data.ReadJSON(&diag.Source{Name: "in", Text: c.in})
	must(err)
	sizes, env, err := data.Bind(info, in, c.sizes)
	must(err)
	s := &shared{m: m, def: info.Name, sizes: sizes, env: env}
	s.p, err = m.Instantiate(s.def, sizes)
	must(err)
	s.derived, err = m.Grad(s.p, ad.Options{})
	must(err)
	s.kernels, err = fusion.Lower(nil, s.derived.Program, nil)
	must(err)
	s.machine, err = machine.Compile(s.kernels, kernel.DefaultBlock)
	must(err)
	s.native, err = machine.CompileNative(s.kernels, false)
	must(err)
	s.view = m.Stages(s.p, ad.Options{})
	return s
}

func show(v *egad.Value, err error) (string, error) {
	if err != nil {
		return "", err
	}
	var b strings.Builder
	err = data.WriteJSONValue(&b, v)
	return b.String(), err
}

func showDerived(d *ad.Derived, err error) (string, error) {
	if err != nil {
		return "", err
	}
	out := d.Program.Text("d")
	for _, s := range d.Stages {
		out += s.Program.Text("s")
		if s.Report != nil {
			out += fmt.Sprint(s.Report.Matches(), s.Report.Nodes, s.Report.Cost)
		}
	}
	return out, nil
}

// actions are what a goroutine does with what is shared, by name. Where a machine
// or a program is made, its answers are shown.
var actions = map[string]func(s *shared) (string, error){
	"Instantiate": func(s *shared) (string, error) {
		p, err := s.m.Instantiate(s.def, s.sizes)
		if err != nil {
			return "", err
		}
		anf := &term.Printer{Store: p.Store, Names: p.Names, Index: p.Index, ANF: true}
		return p.Text(p.Name) + anf.Def(p.Name, p.Inputs, p.Root), nil
	},
	"Lookup": func(s *shared) (string, error) {
		i, err := s.m.Lookup("")
		return fmt.Sprint(i.Name, i.Sizes, i.Params, i.Result, s.m.Defs()), err
	},
	"Grad": func(s *shared) (string, error) { return showDerived(s.m.Grad(s.p, ad.Options{})) },
	"Direct": func(s *shared) (string, error) {
		return showDerived(s.m.Grad(s.p, ad.Options{Direct: true, Exact: true}))
	},
	"VJP":     func(s *shared) (string, error) { return showDerived(s.m.VJP(s.p, ad.Options{})) },
	"JVP":     func(s *shared) (string, error) { return showDerived(s.m.JVP(s.p, ad.Options{})) },
	"HVP":     func(s *shared) (string, error) { return showDerived(s.m.HVP(s.p, ad.Options{})) },
	"Hessian": func(s *shared) (string, error) { return showDerived(s.m.Hessian(s.p, ad.Options{})) },
	"JacobianBlocks": func(s *shared) (string, error) {
		return showDerived(s.m.JacobianBlocks(s.p, ad.Options{}))
	},
	"HessianDiagonal": func(s *shared) (string, error) {
		return showDerived(s.m.HessianDiagonal(s.p, ad.Options{}))
	},
	"CheckIndices": func(s *shared) (string, error) { return fmt.Sprint(egad.CheckIndices(s.p, s.env)), nil },
	"Jacobian":     func(s *shared) (string, error) { return showDerived(s.m.Jacobian(s.p, ad.Options{}, ad.Forward)) },
	"again":        func(s *shared) (string, error) { return showDerived(s.m.JVP(s.derived.Program, ad.Options{})) },
	"derived":      func(s *shared) (string, error) { return showDerived(s.derived, nil) },
	"Stages":       func(s *shared) (string, error) { return showStages(s.m.Stages(s.p, ad.Options{})) },
	"View":         func(s *shared) (string, error) { return showStages(s.view) },
	"Stage": func(s *shared) (string, error) {
		x, err := s.view.Stage("transposed")
		if err != nil {
			return "", err
		}
		g, err := x.Run.After()
		if err != nil {
			return "", err
		}
		dot, err := viz.EGraph(g, viz.Options{MaxNodes: 10_000})
		return dot + x.Text(), err
	},
	"Run":      func(s *shared) (string, error) { return show(egad.Run(s.p, s.env)) },
	"Evaluate": func(s *shared) (string, error) { return show(egad.Evaluate(s.p, s.env)) },
	"Run gradient": func(s *shared) (string, error) {
		return show(egad.Run(s.derived.Program, s.env))
	},
	"Evaluate gradient": func(s *shared) (string, error) {
		return show(egad.Evaluate(s.derived.Program, s.env))
	},
	"Machine.Run": func(s *shared) (string, error) { return show(s.machine.Run(s.env)) },
	"Compile": func(s *shared) (string, error) {
		m, err := machine.Compile(s.kernels, 7)
		if err != nil {
			return "", err
		}
		return show(m.Run(s.env))
	},
	"CompileNative": func(s *shared) (string, error) {
		m, err := machine.CompileNative(s.kernels, false)
		if err != nil {
			return "", err
		}
		return show(m.Run(s.env))
	},
	"Machine.Run, native": func(s *shared) (string, error) { return show(s.native.Run(s.env)) },
	"Lower": func(s *shared) (string, error) {
		k, err := fusion.Lower(nil, s.p, nil)
		if err != nil {
			return "", err
		}
		return fmt.Sprint(k.String(), s.kernels.String(), s.kernels.Counts()), nil
	},
	"Transform": func(s *shared) (string, error) {
		p, _, err := bot.Transform(s.m.Rules(), s.p, 0)
		if err != nil {
			return "", err
		}
		j, err := ad.Linearise(s.m.Rules(), p, nil)
		if err != nil {
			return "", err
		}
		q := j.Prog.Clone()
		x, _, err := linmap.Simplify(extract.Through, s.m.Rules(), q.Store, j.Forward, q.Names, false, 0)
		if err != nil {
			return "", err
		}
		q.Root, q.Names = x.Root, x.Names
		return p.Text("bulk") + q.Text("maps"), nil
	},
	"Normalise": func(s *shared) (string, error) {
		p, _, err := bulk.Normalise(s.m.Rules(), s.p)
		if err != nil {
			return "", err
		}
		q, _, err := extract.Way(extract.Through).Program(s.m.Rules(), "simplify", p, extract.How{Exact: true})
		if err != nil {
			return "", err
		}
		return q.Text("q"), nil
	},
	"look": func(s *shared) (string, error) {
		dot, err := viz.Term(s.p, viz.Options{MaxNodes: 10_000})
		return fmt.Sprint(dot, eval.CountOps(s.p.Store, s.p.Root), s.p.Store.Inputs(s.p.Root)), err
	},
	"Parse": func(*shared) (string, error) {
		m, err := egad.Parse("p", "def f(x: R): R = x * x")
		return fmt.Sprint(m.Defs()), err
	},
}

func showStages(v *stages.View) (string, error) {
	ss, err := v.All()
	return stages.Text(ss), err
}

func TestConcurrent(t *testing.T) {
	for n := range programs {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			want := make(map[string]string)
			alone := setUp(t, n)
			for name, act := range actions {
				text, err := act(alone)
				if err != nil || text == "" {
					t.Fatalf("%s: %q, %v", name, text, err)
				}
				want[name] = text
			}
			s := setUp(t, n)
			var wg sync.WaitGroup
			for range 2 { // two of each at once
				for name, act := range actions {
					wg.Add(1)
					go func() {
						defer wg.Done()
						runtime.Gosched()
						got, err := act(s)
						if err != nil {
							t.Errorf("%s: %v", name, err)
						} else if got != want[name] {
							t.Errorf("%s gives\n%s\nwant\n%s", name, got, want[name])
						}
					}()
				}
			}
			wg.Wait()
		})
	}
}

// TestMachine runs one machine with different inputs at once.
func TestMachine(t *testing.T) {
	s := setUp(t, 1)
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			x := float64(g)
			env := egad.Env{
				"a": {Elem: types.R, Shape: []int{2}, R: []float64{x, x + 1}},
				"b": {Elem: types.R, Shape: []int{2}, R: []float64{2, x}},
			}
			for range 200 {
				v, err := s.machine.Run(env)
				if err != nil || v.Parts[0].R[0] != 2*x+x*(x+1) || v.Parts[1].R[1] != x || v.Parts[2].R[0] != x {
					t.Errorf("%v: %v", x, err)
					return
				}
				v.Parts[1].R[0], v.Parts[2].R[0] = -1, -1
			}
		}()
	}
	wg.Wait()
}

// TestLanguage runs the tests of one declared language at once, and checks rules
// and programs of one signature.
func TestLanguage(t *testing.T) {
	src, err := diag.ReadSource("../../examples/rewriting/prop.rules")
	if err != nil {
		t.Fatal(err)
	}
	f, err := suite.Load(src)
	if err != nil {
		t.Fatal(err)
	}
	s := setUp(t, 1)
	rs := s.m.Rules().Set("scalars").Rules[:10]
	acts := []func() string{
		func() string {
			out := ""
			for _, x := range f.Tests {
				res, err := f.Run(x, runner.Options{Iterations: 4, Nodes: 2000, Proofs: true})
				if err != nil {
					return err.Error()
				}
				ps, err := res.Proofs()
				out += fmt.Sprint(res.Report.Stop, res.Report.Nodes, len(res.Failed), len(ps), err)
			}
			return out
		},
		func() string {
			rep := props.CheckRules(s.p.Store.Signature(), rs, props.RuleChecks{Count: 3, Seed: 1})
			return fmt.Sprint(rep.Tested, rep.Wrong, rep.Skipped)
		},
		func() string { // the examples alone, which take no time: often at the same moment
			out := ""
			for range 20 {
				for _, r := range rs {
					out += fmt.Sprint(props.CheckExamples(s.p.Store.Signature(), r))
				}
			}
			return out
		},
	}
	for i, act := range acts {
		want := act()
		var wg sync.WaitGroup
		for range 4 {
			wg.Add(1)
			go func() {
				defer wg.Done()
				if got := act(); got != want {
					t.Errorf("%d: %s, want %s", i, got, want)
				}
			}()
		}
		wg.Wait()
	}
}
