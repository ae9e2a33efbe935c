package stages_test

import (
	"math"
	"strings"
	"testing"

	"egad"
	"egad/ad"
	"egad/internal/defs"
	"egad/internal/golden"
	"egad/linmap"
	"egad/stages"
	"egad/term"
	"egad/term/eval"
	"egad/term/ops"
	"egad/term/types"
)

const sizeN = 4

// each calls f for every program of testdata/programs.egad.
func each(t *testing.T, f func(t *testing.T, m *egad.Module, p *term.Program)) {
	m, err := egad.Load("testdata/programs.egad")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range m.Defs() {
		p, err := m.Instantiate(name, map[string]int64{"n": sizeN})
		if err != nil {
			p, err = m.Instantiate(name, nil)
		}
		if err != nil {
			t.Fatal(err)
		}
		t.Run(name, func(t *testing.T) { f(t, m, p) })
	}
}

// TestGolden compares the text of all stages.
func TestGolden(t *testing.T) {
	var out strings.Builder
	each(t, func(t *testing.T, m *egad.Module, p *term.Program) {
		ss, err := m.Stages(p, ad.Options{}).All()
		if err != nil {
			t.Fatal(err)
		}
		if len(ss) < len(stages.Names())-7 { // summed, congruent, segments, vectorised, gathered, crossed and termwise are not for all
			t.Errorf("%d stages, of %d", len(ss), len(stages.Names()))
		}
		out.WriteString(stages.Text(ss) + "\n")
	})
	golden.Check(t, "testdata/stages.golden", out.String())
}

// The text of all stages is a program file. What it defines is what was shown.
func TestReadsBack(t *testing.T) {
	each(t, func(t *testing.T, m *egad.Module, p *term.Program) {
		ss, err := m.Stages(p, ad.Options{}).All()
		if err != nil {
			t.Fatal(err)
		}
		_, again := defs.Read(t, stages.Text(ss)) // in which maps are not yet applied
		for _, s := range ss {
			if s.Kernels != nil {
				continue // a comment
			}
			q, err := again.Instantiate(s.Def, nil)
			if err != nil {
				t.Fatal(err)
			}
			if s.ANF || s.Tree {
				// Its names are more than those of the source.
				if a, b := bare(q), bare(s.Program); a != b {
					t.Errorf("%s reads back as\n%s, not\n%s", s.Name, a, b)
				}
				continue
			}
			if a, b := q.Text(s.Def), s.Program.Text(s.Def); a != b {
				t.Errorf("%s reads back as\n%s, not\n%s", s.Name, a, b)
			}
		}
	})
}

// bare is the text of a program without the names of its lets and indices.
func bare(p *term.Program) string {
	q := *p
	q.Names, q.Index = nil, nil
	return q.Text("f")
}

// The stages that are programs of the inputs alone have the value of the source.
func TestValues(t *testing.T) {
	each(t, func(t *testing.T, m *egad.Module, p *term.Program) {
		v := m.Stages(p, ad.Options{})
		env := inputs(t, p)
		value := func(name string) []float64 {
			s, err := v.Stage(name)
			if err != nil {
				t.Fatal(err)
			}
			x, err := egad.Run(s.Program, env)
			if err != nil {
				t.Fatal(err)
			}
			return floats(x)
		}
		want := value("source")
		names := []string{"anf", "bulk", "simplified"}
		if p.Store.Type(p.Root).IsScalar(types.R) {
			names = append(names, "applied", "gradient")
		}
		for _, name := range names {
			got := value(name)[:len(want)] // the value comes before the gradient
			for i := range want {
				if math.Abs(got[i]-want[i]) > 1e-12*max(1, math.Abs(want[i])) {
					t.Errorf("%s: %v, and the source %v", name, got, want)
				}
			}
		}
	})
}

// inputs gives the inputs of a program some values.
func inputs(t *testing.T, p *term.Program) egad.Env {
	t.Helper()
	env := egad.Env{}
	for _, in := range p.Inputs {
		for _, leaf := range in.Leaves() {
			shape, n, err := types.ShapeOf(leaf.Type, 100)
			if err != nil {
				t.Fatal(err)
			}
			x := &egad.Value{Elem: leaf.Type.Elem, Shape: shape}
			for i := range n {
				x.R, x.N = append(x.R, 0.5+float64(i)/4), append(x.N, int64(i))
			}
			env[leaf.Name] = x
		}
	}
	return env
}

// The maps of a stage are, as matrices, those of the stage nabla, or their
// transposes. Put side by side they are the map of the stage forward-nabla.
func TestMatrices(t *testing.T) {
	each(t, func(t *testing.T, m *egad.Module, p *term.Program) {
		v := m.Stages(p, ad.Options{})
		env := inputs(t, p)
		matrices := func(name string) []*linmap.Matrix[float64] {
			s, err := v.Stage(name)
			if err != nil {
				t.Fatal(err)
			}
			store, maps := s.Program.Store, []term.Term{s.Program.Root}
			if store.Op(s.Program.Root).Sym == ops.SymTuple {
				maps = store.Open(s.Program.Root).Kids
			}
			var out []*linmap.Matrix[float64]
			for _, x := range maps {
				a, err := eval.Interpret(store, x, linmap.Algebra[float64]{Arrays: eval.FloatArrays()}, env)
				if err != nil {
					t.Fatal(err)
				}
				out = append(out, a.Map.(*linmap.Matrix[float64]))
			}
			return out
		}
		nabla := matrices("nabla")
		simple, transposed, whole := matrices("nabla-simplified"), matrices("transposed"), matrices("forward-nabla")[0]
		cols := 0
		for k, a := range nabla {
			if simple[k].Rows != a.Rows || transposed[k].Rows != a.Cols || whole.Rows != a.Rows {
				t.Fatalf("map %d: %d rows, %d simplified, %d columns, %d rows transposed", k, a.Rows, simple[k].Rows, a.Cols, transposed[k].Rows)
			}
			for r := range a.Rows {
				for c := range a.Cols {
					want := a.At[r*a.Cols+c]
					for name, got := range map[string]float64{
						"nabla-simplified": simple[k].At[r*a.Cols+c],
						"transposed":       transposed[k].At[c*a.Rows+r],
						"forward-nabla":    whole.At[r*whole.Cols+cols+c],
					} {
						if math.Abs(got-want) > 1e-12*max(1, math.Abs(want)) {
							t.Errorf("%s, map %d, at %d, %d: %v, and %v in nabla", name, k, r, c, got, want)
						}
					}
				}
			}
			cols += a.Cols
		}
		if whole.Cols != cols {
			t.Errorf("the maps have %d columns, and forwards %d", cols, whole.Cols)
		}
	})
}

func floats(v *egad.Value) []float64 {
	out := append([]float64(nil), v.R...)
	for _, p := range v.Parts {
		out = append(out, floats(p)...)
	}
	return out
}

// What a stage did before it failed is shown: here there is no derivative of
// exp, and no transposition of a sum.
func TestFailures(t *testing.T) {
	const text = "def f(a: R[3]): R = sum (exp a)"
	for _, c := range []struct {
		drop, want string
		shown      string // the last stage with a program
		failed     string // the stage after it, if it has an e-graph
	}{
		{"nabla_exp", "there is no derivative rule for exp", "simplified", ""},
		{"transpose_sum", "no term of the grammar linear is in the class of the result", "transpose", "transposed"},
		{"apply_replicate", "no term of the grammar applied is in the class of the result", "reverse-unoptimised", "reverse-tree"},
	} {
		m, err := egad.Parse("f", text)
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for _, set := range m.Rules().Sets {
			for i, r := range set.Rules {
				if r.Name == c.drop {
					set.Rules = append(set.Rules[:i:i], set.Rules[i+1:]...)
					found = true
					break
				}
			}
		}
		if !found {
			t.Fatalf("there is no rule %s", c.drop)
		}
		p, err := m.Instantiate("f", nil)
		if err != nil {
			t.Fatal(err)
		}
		ss, err := m.Stages(p, ad.Options{}).All()
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("without %s: %v, want %q", c.drop, err, c.want)
			continue
		}
		last := ss[len(ss)-1]
		if c.failed != "" {
			if last.Name != c.failed || last.Program != nil || last.Run == nil {
				t.Errorf("without %s: the last stage is %s", c.drop, last.Text())
			}
			if snap, err := last.Run.After(); snap == nil || err == nil {
				t.Errorf("without %s: %v", c.drop, err)
			}
			last = ss[len(ss)-2]
		}
		if last.Name != c.shown || last.Program == nil {
			t.Errorf("without %s: the last program is that of %s", c.drop, last.Name)
		}
	}
}

// A run can be made again, and is the same.
func TestRunsRepeat(t *testing.T) {
	each(t, func(t *testing.T, m *egad.Module, p *term.Program) {
		ss, err := m.Stages(p, ad.Options{}).All()
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range ss {
			if s.Run == nil {
				continue
			}
			before, err := s.Run.Before()
			if err != nil {
				t.Fatal(err)
			}
			if before.Graph.Size() != s.Run.Start.Nodes {
				t.Errorf("%s began with %d e-nodes, and again with %d", s.Name, s.Run.Start.Nodes, before.Graph.Size())
			}
			after, err := s.Run.After()
			if err != nil {
				t.Fatal(err)
			}
			if after.Graph.Size() != s.Run.Nodes || after.Result.Cost != s.Run.Cost || !after.Result.Root.Equal(s.Program.Root) {
				t.Errorf("%s: again %d e-nodes and cost %v, and before %d and %v", s.Name, after.Graph.Size(), after.Result.Cost, s.Run.Nodes, s.Run.Cost)
			}
		}
	})
}

// A program without elements has no maps, and yet a gradient.
func TestNoElements(t *testing.T) {
	m, err := egad.Parse("f", "def f[n](a: R[n]): R = sum (a * a)")
	if err != nil {
		t.Fatal(err)
	}
	p, err := m.Instantiate("f", map[string]int64{"n": 0})
	if err != nil {
		t.Fatal(err)
	}
	v := m.Stages(p, ad.Options{})
	ss, err := v.All()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, s := range ss {
		names = append(names, s.Name)
	}
	if got := strings.Join(names, " "); got != "source anf bulk simplified forward-tree forward reverse-tree reverse applied gradient fused kernels" {
		t.Errorf("the stages are %s", got)
	}
	if err := readsBack(ss); err != nil {
		t.Error(err)
	}
	if _, err := v.Stage("transposed"); err == nil || !strings.Contains(err.Error(), "nothing that varies has elements") {
		t.Errorf("%v", err)
	}
}

func TestUnknownStage(t *testing.T) {
	lib, p := defs.Last(t, "def f(x: R): R = x")
	if _, err := stages.New(lib, p, ad.Options{}).Stage("gradeint"); err == nil || !strings.Contains(err.Error(), "did you mean gradient?") {
		t.Errorf("%v", err)
	}
}
