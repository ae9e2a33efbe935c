package extract_test

import (
	"fmt"
	"math"
	"math/rand"
	"testing"

	"egad/diag"
	"egad/extract"
	"egad/internal/testflag"
	"egad/rules/load"
	"egad/term"
	"egad/term/eval"
	"egad/term/module"
	"egad/term/types"
)

// Simplified programs do not overflow where the source does not, nor divide by
// what has become 0, at the ends of the floats.
func TestExtremeValues(t *testing.T) {
	lib, err := load.Builtin(term.NewSignature())
	if err != nil {
		t.Fatal(err)
	}
	programs := []string{
		"x / y / z", "x / y / y", "x * y + x * z", "x * y - x * z", "x * y + x * y", "x / y / 2 / 3", "sum (x * a)", "sum (a / y)", "sum (a * 0.001)",
		"sum (a / 4)", "sum (a * b) * y", "mean a", "x * (1 / y)", "x * y * 3 + 5 * (x * y)", "sum (build 3 (\\i -> x * a[i]))", "x * tanh y + x * sin z", "variance a",
		"x / exp y / exp y", "x / (1 + exp y) / (1 + exp z)", "x * sigmoid y + x", "dot(a, b) / y", "sum (a * (y * b))",
	}
	r := rand.New(rand.NewSource(1))
	n := testflag.Count(60, 3000)
	for range n {
		programs = append(programs, expression(r, 4))
	}
	finite := 0
	for _, body := range programs {
		m, err := module.Load(term.NewSignature(), &diag.Source{Name: "p.egad", Text: "def f(x: R, y: R, z: R, a: R[3], b: R[3]): R = " + body})
		if err != nil {
			t.Fatal(err)
		}
		p, err := m.Instantiate("f", nil)
		if err != nil {
			t.Fatal(err)
		}
		q, _, err := extract.Way(extract.Through).Program(lib, "simplify", p, extract.How{})
		if err != nil {
			t.Fatal(err)
		}
		for range 150 {
			env := make(eval.Env[*eval.Value[float64]])
			for _, in := range p.Inputs {
				v, err := eval.FloatArrays().New(in.Type)
				if err != nil {
					t.Fatal(err)
				}
				v.Elem = types.R
				for i := range v.R {
					v.R[i] = extremes[r.Intn(len(extremes))]
				}
				env[in.Name] = v
			}
			want, err := eval.Interpret(p.Store, p.Root, eval.FloatArrays(), env)
			if err != nil {
				t.Fatal(err)
			}
			got, err := eval.Interpret(q.Store, q.Root, eval.FloatArrays(), env)
			if err != nil {
				t.Fatal(err)
			}
			if finiteAll(want.R) {
				finite++
				if !finiteAll(got.R) && finiteOnTheWay(p, env) {
					at := ""
					for _, in := range p.Inputs {
						at += fmt.Sprintf(" %s = %g", in.Name, env[in.Name].R)
					}
					t.Errorf("%s is %g, but %g after simplification to\n%s\nat%s", body, want.R[0], got.R[0], q.Text("f"), at)
					break
				}
			}
		}
	}
	if finite < 20*len(programs) {
		t.Errorf("only %d results were finite", finite)
	}
}

func finiteAll(xs []float64) bool {
	for _, x := range xs {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return false
		}
	}
	return true
}

// finiteOnTheWay reports whether all that is computed outside of loops is finite.
func finiteOnTheWay(p *term.Program, env eval.Env[*eval.Value[float64]]) bool {
	ok := true
	p.Store.Walk(p.Root, func(u term.Term) {
		if ok && len(u.Args) == 0 && p.Store.Type(u).Kind == types.KArray {
			v, err := eval.Interpret(p.Store, u, eval.FloatArrays(), env)
			ok = err == nil && finiteAll(v.R)
		}
	})
	return ok
}

var extremes = []float64{0, 1, -1, 2, 0.1, 1e300, -1e300, 1e200, 1e-200, 1e-300, -1e-300, 1.7e308, -1.7e308, 9e307, 3e-308, 50, 300, -300}

// expression is a random expression over scalars x, y, z and vectors a, b.
func expression(r *rand.Rand, depth int) string {
	if depth == 0 || r.Intn(6) == 0 {
		return []string{"x", "y", "z", "x", "y", "2", "0.25", "3"}[r.Intn(8)]
	}
	e := func() string { return expression(r, depth-1) }
	switch r.Intn(12) {
	case 0, 1, 2:
		return "(" + e() + " * " + e() + ")"
	case 3, 4:
		return "(" + e() + " / " + e() + ")"
	case 5, 6:
		return "(" + e() + " + " + e() + ")"
	case 7:
		return "(" + e() + " - " + e() + ")"
	case 8:
		return []string{"exp", "log", "sin", "tanh", "sigmoid", "sqrt", "abs", "neg"}[r.Intn(8)] + " " + "(" + e() + ")"
	case 9:
		s := e()
		return "(" + s + " * " + e() + " + " + s + " * " + e() + ")"
	case 10:
		return "(sum (" + vector(r, 2) + "))"
	}
	return "(let s = " + e() + " in " + "s * s / " + e() + ")"
}

func vector(r *rand.Rand, depth int) string {
	if depth == 0 {
		return []string{"a", "b"}[r.Intn(2)]
	}
	v := vector(r, depth-1)
	switch r.Intn(6) {
	case 0:
		return "(" + v + " * " + []string{"x", "y", "0.5", "4"}[r.Intn(4)] + ")"
	case 1:
		return "(" + v + " / " + []string{"x", "y", "3"}[r.Intn(3)] + ")"
	case 2:
		return "(" + v + " + " + vector(r, depth-1) + ")"
	case 3:
		return "(" + v + " * " + vector(r, depth-1) + ")"
	case 4:
		return "(-" + v + ")"
	}
	return "(tanh " + v + ")"
}
