package egad_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"egad"
	"egad/ad"
	"egad/data"
	"egad/term"
	"egad/term/eval"
	"egad/term/types"
)

// running loads the example of a declared operator, without the rules whose names
// match.
func running(t *testing.T, without string) (*egad.Module, *term.Program, egad.Env) {
	t.Helper()
	text, err := os.ReadFile("examples/running/running.rules")
	if err != nil {
		t.Fatal(err)
	}
	kept := string(text)
	if without != "" {
		re := regexp.MustCompile(`(?m)^rule (` + without + `) [^\n]*(\n .*)*\n`)
		if kept = re.ReplaceAllString(kept, ""); kept == string(text) {
			t.Fatalf("no rule is called %s", without)
		}
	}
	path := filepath.Join(t.TempDir(), "running.rules")
	if err := os.WriteFile(path, []byte(kept), 0o666); err != nil {
		t.Fatal(err)
	}
	m, err := egad.Load("examples/running/running.egad", path)
	if err != nil {
		t.Fatal(err)
	}
	src, err := data.ReadText("examples/running/data/walks.json")
	if err != nil {
		t.Fatal(err)
	}
	in, err := data.ReadJSON(src)
	if err != nil {
		t.Fatal(err)
	}
	info, err := m.Lookup("")
	if err != nil {
		t.Fatal(err)
	}
	sizes, env, err := data.Bind(info, in, nil)
	if err != nil {
		t.Fatal(err)
	}
	p, err := m.Instantiate(info.Name, sizes)
	if err != nil {
		t.Fatal(err)
	}
	return m, p, env
}

// TestDeclaredOperator takes an operator of a rule file through to gradients that
// agree with differences: kept where there are rules for it, by its meaning where
// there are not.
func TestDeclaredOperator(t *testing.T) {
	for _, c := range []struct {
		without string // names of rules
		kept    bool
	}{
		{"", true},
		{"running_zero", true},
		{"index_running", true},
		{"build_running", false},
		{"nabla_running", true}, // there is one for all linear operators
		{"apply_running", true},
		{"transpose_running", false},
	} {
		t.Run(c.without, func(t *testing.T) {
			m, p, env := running(t, c.without)
			g, err := m.Grad(p, ad.Options{})
			if err != nil {
				t.Fatal(err)
			}
			text := g.Program.Text("grad")
			if kept := strings.Contains(text, "running"); kept != c.kept {
				t.Errorf("the operator is kept: %v, want %v\n%s", kept, c.kept, text)
			}
			v := run(t, g.Program, env)
			for i, in := range g.Wrt {
				for k := range env[in.Name].R {
					if want := slope(t, p, env, in.Name, k); !closeTo(v.Parts[1+i].R[k], want) {
						t.Errorf("by %s, element %d: %v, by differences %v", in.Name, k, v.Parts[1+i].R[k], want)
					}
				}
			}
		})
	}
}

// TestDeclaredOperatorTwice differentiates a gradient with a declared operator.
func TestDeclaredOperatorTwice(t *testing.T) {
	m, p, env := running(t, "")
	opt := ad.Options{Wrt: []string{"steps"}}
	g, err := m.Grad(p, opt)
	if err != nil {
		t.Fatal(err)
	}
	h, err := m.Hessian(p, opt)
	if err != nil {
		t.Fatal(err)
	}
	v := run(t, h.Program, env)
	hessian := v.Parts[len(v.Parts)-1]
	n := len(env["steps"].R)
	if len(hessian.R) != n*n {
		t.Fatalf("the Hessian has %d elements for %d inputs", len(hessian.R), n)
	}
	for j := range n {
		for i := range n {
			moved := func(step float64) float64 {
				defer func(x float64) { env["steps"].R[j] = x }(env["steps"].R[j])
				env["steps"].R[j] += step
				return run(t, g.Program, env).Parts[1].R[i]
			}
			want := (moved(1e-5) - moved(-1e-5)) / 2e-5
			if got := hessian.R[i*n+j]; !closeTo(got, want) {
				t.Errorf("element (%d, %d) is %v, by differences %v", i, j, got, want)
			}
		}
	}
}

// TestDeclaredPrograms differentiates uses of the operator in loops, under
// indices and conditions, and of axes that it does not look at. The operator is
// kept in all of them.
func TestDeclaredPrograms(t *testing.T) {
	defs := []string{
		`def f[n](a: R[n, n]): R = sum (build n (\i -> (running a[i])[n - 1 - i]))`,
		`def f[n](a: R[n, n]): R = sum2(running a * running (tr [1, 0] a))`,
		`def f[n](a: R[n, n]): R = sum2(build n (\i -> running (running (build n (\j -> a[i, j] * a[j, i])))))`,
		`def f[n](a: R[n, n]): R = sum (build n (\i -> (running a)[i, i + 1] * a[0, i]))`,
		`def f[n](a: R[n, n]): R = sumsq(build n (\i -> if i < 2 then sum (running a[i]) else a[i, 0]))`,
		`def f[n](a: R[n, n]): R = let c = running a in sum (build n (\i -> c[i, i] * c[n - 1 - i, 0]))`,
		`def f[n](a: R[n, n]): R = sum (maximum (running a)) + sum (running (sum a))`,
		`def f[n](a: R[n, n]): R = sum (sum (sum (build n (\i -> running (replicate 2 a[i]) * running (replicate 2 a[0])))))`,
	}
	dir := t.TempDir()
	for i, def := range defs {
		path := filepath.Join(dir, fmt.Sprintf("f%d.egad", i))
		if err := os.WriteFile(path, []byte(def+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		m, err := egad.Load(path, "examples/running/running.rules")
		if err != nil {
			t.Fatal(err)
		}
		p, err := m.Instantiate("f", map[string]int64{"n": 3})
		if err != nil {
			t.Fatal(err)
		}
		env := egad.Env{"a": {Elem: types.R, Shape: []int{3, 3}, R: []float64{1.5, -0.25, 2, 0.5, 3, -1, 0.75, -2, 1.25}}}
		g, err := m.Grad(p, ad.Options{})
		if err != nil {
			t.Errorf("%s: %v", def, err)
			continue
		}
		if text := g.Program.Text("grad"); !strings.Contains(text, "running") {
			t.Errorf("%s: the operator is not kept in\n%s", def, text)
		}
		got := run(t, g.Program, env).Parts[1].R
		for k := range got {
			if want := slope(t, p, env, "a", k); !closeTo(got[k], want) {
				t.Errorf("%s: element %d of the gradient is %v, by differences %v", def, k, got[k], want)
			}
		}
	}
}

func run(t *testing.T, p *term.Program, env egad.Env) *egad.Value {
	t.Helper()
	v, err := egad.Run(p, env)
	if err != nil {
		t.Fatal(err)
	}
	w, err := eval.Interpret(p.Store, p.Root, eval.FloatArrays(), env)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(v, w) {
		t.Errorf("kernels give %v, the evaluator %v", v, w)
	}
	return v
}

// slope is the difference quotient of a real scalar program by element k of an
// input.
func slope(t *testing.T, p *term.Program, env egad.Env, name string, k int) float64 {
	at := func(step float64) float64 {
		defer func(x float64) { env[name].R[k] = x }(env[name].R[k])
		env[name].R[k] += step
		return run(t, p, env).R[0]
	}
	return (at(1e-5) - at(-1e-5)) / 2e-5
}

func closeTo(a, b float64) bool { return math.Abs(a-b) <= 1e-6*(1+math.Abs(a)+math.Abs(b)) }

// TestOperatorsOfRules: an operator that no rule differentiates and that rules bring in, in the
// bulk-operation transform or in simplification, is not there before differentiation, but may be after.
func TestOperatorsOfRules(t *testing.T) {
	for _, c := range []struct{ rules, want string }{
		{"ruleset arrays\nrule weighted real\n  sum (w * x) => wsum w x\n  if w : R[k]\n", "(wsum w x, w, x)"},
		{"ruleset bot_build\nrule weighted real\n  sum (w * x) => wsum w x\n  if w : R[k]\n", "(sum (w * x), w, x)"},
	} {
		m, err := egad.LoadTexts(
			&egad.Source{Name: "f.egad", Text: "def f(x: R[5], w: R[5]): R = sum (w * x)"},
			&egad.Source{Name: "f.rules", Text: "operator wsum[n](w: R[n], x: R[n]): R = sum (w * x)\n" + c.rules},
		)
		if err != nil {
			t.Fatal(err)
		}
		p, err := m.Instantiate("f", nil)
		if err != nil {
			t.Fatal(err)
		}
		g, err := m.Grad(p, ad.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := g.Program.Text("grad"); !strings.HasSuffix(got, " = "+c.want+"\n") {
			t.Errorf("%s: %s", c.rules, got)
		}
	}
}
