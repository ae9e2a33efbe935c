package stages_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"egad"
	"egad/ad"
	"egad/internal/golden"
	"egad/stages"
	"egad/term"
)

// displays are the stages that Section 5 of the Coconut paper prints, in its order.
var displays = []string{
	"source", "anf", "nabla", "nabla-simplified",
	"forward-unoptimised", "forward-tree", "forward",
	"transpose", "transposed",
	"reverse-unoptimised", "reverse-tree", "reverse",
}

const displayed = `
-- The function f2 of the paper, whose derivative is printed there as 4 x^2 + 4 x^3.
def f2(x: R): R =
  let y = x * x in
  let z = x + y in
  y * z

def arrays[n](a: R[n], b: R[n]): R =
  let c = exp (a * b) in
  sum (build n (\i -> c[i] * a[n - 1 - i])) + dot(c, c)

def loop(x: R, a: R[3]): R = fold (\s y -> s * x + sin (s * y)) 1 a

def pair(x: R, k: I, p: (R, R[2])): (R[2], I, R) = (x * p.1, k, p.0 * sum p.1)
`

// TestDisplays looks at the twelve displays of some programs: their text, and that all
// forms of a derivative have one value, which is that of differences.
func TestDisplays(t *testing.T) {
	names := stages.Names()
	if !slices.IsSortedFunc(displays, func(a, b string) int { return slices.Index(names, a) - slices.Index(names, b) }) {
		t.Fatalf("the displays are not in the order of the stages, %v", names)
	}
	m, err := egad.Parse("displayed", displayed)
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	for _, name := range m.Defs() {
		p, err := m.Instantiate(name, map[string]int64{"n": 3})
		if err != nil {
			p, err = m.Instantiate(name, nil)
		}
		if err != nil {
			t.Fatal(err)
		}
		v := m.Stages(p, ad.Options{})
		var ss []*stages.Stage
		programs := make(map[string]*term.Program)
		for _, d := range displays {
			s, err := v.Stage(d)
			if err != nil {
				t.Fatal(err)
			}
			ss, programs[d] = append(ss, s), s.Program
		}
		text.WriteString(stages.Text(ss) + "\n")
		checkDisplays(t, m, p, programs)
	}
	golden.Check(t, "testdata/displays.golden", text.String())
}

// checkDisplays compares the forms of the derivatives, and these with differences.
func checkDisplays(t *testing.T, m *egad.Module, p *term.Program, programs map[string]*term.Program) {
	t.Helper()
	again, err := egad.Parse("displays", func() string {
		var b strings.Builder
		for _, d := range displays {
			b.WriteString(programs[d].Text(strings.ReplaceAll("of-"+d, "-", "_")))
		}
		return b.String()
	}())
	if err != nil {
		t.Fatal(err)
	}
	run := func(stage string, env egad.Env) []float64 {
		q, err := again.Instantiate(strings.ReplaceAll("of-"+stage, "-", "_"), nil)
		if err != nil {
			t.Fatal(err)
		}
		own := egad.Env{}
		for k := range inputs(t, q) {
			own[k] = env[k]
		}
		x, err := egad.Run(q, own)
		if err != nil {
			t.Fatal(err)
		}
		return floats(x)
	}
	env := inputs(t, programs["forward"])
	values := run("source", env)
	check := func(a, b []float64, tolerance float64) {
		t.Helper()
		if len(a) != len(b) {
			t.Fatalf("%s: %v and %v", p.Name, a, b)
		}
		for i := range a {
			if math.Abs(a[i]-b[i]) > tolerance*max(1, math.Abs(b[i])) {
				t.Errorf("%s: %v and %v", p.Name, a, b)
			}
		}
	}
	forward := run("forward", env)
	check(run("forward-tree", env), forward, 1e-15)
	check(run("forward-unoptimised", env), forward[len(values):], 1e-12)
	const h = 1.0 / 1024
	moved := func(by float64) []float64 {
		at := egad.Env{}
		for k, x := range env {
			if d, ok := env["d_"+k]; ok || strings.Contains(k, ".") {
				if base, part, tuple := strings.Cut(k, "."); tuple {
					d = env["d_"+base+"."+part]
				}
				y := *x
				if y.R = slices.Clone(x.R); d != nil {
					for i := range y.R {
						y.R[i] += by * d.R[i]
					}
				}
				x = &y
			}
			at[k] = x
		}
		return run("source", at)
	}
	up, down := moved(h), moved(-h)
	for i := range up {
		up[i] = (up[i] - down[i]) / (2 * h)
	}
	check(forward[len(values):], up, 1e-3)
	back := inputs(t, programs["reverse"])
	reverse := run("reverse", back)
	check(run("reverse-tree", back), reverse, 1e-15)
	check(run("reverse-unoptimised", back), reverse[len(values):], 1e-12)
	// A cotangent of a change is the change of a cotangent.
	var dot [2]float64
	cts, n := floatsOf(programs["reverse"], back, len(p.Inputs)), 0
	for i, d := range forward[len(values):] {
		dot[0] += d * cts[i]
	}
	changes := floatsOf(programs["forward"], env, len(p.Inputs))
	for _, c := range reverse[len(values):] {
		dot[1] += c * changes[n]
		n++
	}
	check(dot[:1], dot[1:], 1e-12)
}

// floatsOf are the reals in the inputs of a program from one on.
func floatsOf(p *term.Program, env egad.Env, from int) []float64 {
	var out []float64
	for _, in := range p.Inputs[from:] {
		for _, leaf := range in.Leaves() {
			out = append(out, env[leaf.Name].R[:]...)
		}
	}
	return out
}
