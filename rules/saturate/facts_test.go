package saturate_test

import (
	"fmt"
	"math"
	"math/rand"
	"slices"
	"testing"

	"egad/diag"
	"egad/rules"
	"egad/rules/load"
	"egad/rules/match"
	"egad/rules/saturate"
	"egad/term"
	"egad/term/eval"
	"egad/term/module"
	"egad/term/types"
)

// facts are conditions on a, with terms for a of which they are proved and not.
var facts = []struct {
	cond          string
	proved, other []string
}{
	{"0 <= a", []string{"exp x", "x * x", "abs x", "x ^ 2", "sum (v * v)", "sqrt x", "sigmoid x", "max x 0", "3", "real (floor (abs x))", "exp x * (y * y) * exp z",
		"maximum (exp v)", "if x < y then exp x else y * y", "(exp v)[n]", "sum (build 3 (\\i -> v[i] * v[i]))", "norm v", "x * x / (1 + y * y)"},
		[]string{"x", "x * y", "sin x", "maximum v", "x * x - y * y", "lgamma x", "-3", "exp x / y", "x ^ y"}},
	{"0 < a", []string{"2", "1 + x * x", "exp (sin x)", "1 / (1 + exp x) + 1e-9", "sum (v * v) + 1e-6", "sigmoid (tanh x)", "(1.5 + sigmoid v)[2]"},
		[]string{"exp x", "sigmoid x", "x * x", "abs x", "exp (sin x - 600) * exp (sin x - 600)", "(1 + exp v)[n]", "0"}},
	{"a != 0", []string{"2", "-1 - x * x", "cos x + 2", "exp (sin x)", "1 / (2 + sin x)", "[1, -1][n mod 2]", "pi"},
		[]string{"x", "sin x", "exp x", "1 / (1 + exp x)", "abs x", "[1, -1][n]"}},
	{"finite a", []string{"sin 3", "2.5", "real n", "tanh (real n)", "sum (build 5 (\\i -> cos (real i)))", "1 / (2 + sin (real n))", "sigmoid (real n * 1000)", "exp (sin (real n))", "if x < y then 1 else 2"},
		[]string{"x", "sin x", "exp (real n)", "1 / sin (real n)", "log (real n)", "sqrt (real n)", "tanh x"}},
	{"-1 <= a <= 1", []string{"sin x", "cos x * sin y", "tanh x", "sigmoid x - 1", "0.5", "(sin v)[n]", "minimum (cos v)"}, []string{"x", "2", "2 * sin x", "tan x"}},
	{"a + 1 != 0", []string{"exp x", "x * x", "1"}, []string{"x", "-1", "cos x"}},
	{"finite (a * a)", []string{"1e70", "1 / (2 + sin (real n))"}, []string{"x", "exp x"}},
}

// factRule reads a rule about exp a with a condition, which matches a program
// exp (…).
func factRule(t *testing.T, cond string) *rules.Rule {
	t.Helper()
	lib, err := load.Files(term.NewSignature(), &diag.Source{Name: "fact.rules", Text: "ruleset s\nrule r exact\n  exp a => exp a\n  if " + cond + "\n"})
	if err != nil {
		t.Fatal(err)
	}
	return lib.Rule("r")
}

func factTerm(t *testing.T, of string) (*term.Program, match.Terms) {
	t.Helper()
	m, err := module.Load(term.NewSignature(), &diag.Source{Name: "fact.egad", Text: "def f(x: R, y: R, z: R, n: I, v: R[3]): R = exp (" + of + ")"})
	if err != nil {
		t.Fatal(of, err)
	}
	p, err := m.Instantiate("f", nil)
	if err != nil {
		t.Fatal(of, err)
	}
	return p, match.Terms{Store: p.Store}
}

// Facts about reals are proved from ranges, and what is proved holds at random
// values, also at those that are not finite.
func TestFacts(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	wild := []float64{0, math.Copysign(0, -1), 1, -1, 2, -0.5, 1e-320, 1e-200, 1e200, math.MaxFloat64, math.Inf(1), math.Inf(-1), math.NaN(), 800, -800}
	for _, f := range facts {
		rule := factRule(t, f.cond)
		for _, of := range slices.Concat(f.proved, f.other) {
			p, space := factTerm(t, of)
			proved := false
			if err := saturate.NewMatcher(space).Matches(rule, p.Root, false, func(*match.Application) bool { proved = true; return false }); err != nil {
				t.Fatal(err)
			}
			if proved != slices.Contains(f.proved, of) {
				t.Errorf("%s for %s: proved is %v", f.cond, of, proved)
			}
			free := factRule(t, "0 * 0 <= 1")
			var m *match.Match
			if err := saturate.NewMatcher(space).Matches(free, p.Root, false, func(a *match.Application) bool { m = a.Match; return false }); err != nil || m == nil {
				t.Fatal(err)
			}
			m.Rule = rule
			for range 30 {
				env := make(eval.Env[*eval.Value[float64]])
				for _, in := range p.Inputs {
					v, err := eval.FloatArrays().New(in.Type)
					if err != nil {
						t.Fatal(err)
					}
					v.Elem = in.Type.Elem
					for i := range v.R {
						v.R[i] = wild[r.Intn(len(wild))]
					}
					for i := range v.N {
						v.N[i] = []int64{0, 1, 2, 3, -1, math.MaxInt64, math.MinInt64}[r.Intn(7)]
					}
					env[in.Name] = v
				}
				holds, err := m.HoldsAt(space, env)
				if err != nil {
					t.Fatal(err)
				}
				if proved && !holds {
					t.Errorf("%s is proved for %s, and does not hold at %v", f.cond, of, env["x"].R)
				}
			}
		}
	}
}

// Conditions decided by values, under binders too.
func TestHoldsAt(t *testing.T) {
	for _, c := range []struct {
		rule, of string
		x        float64
		want     bool
	}{
		{"exp a => exp a if 0 < a", "x", 1, true},
		{"exp a => exp a if 0 < a", "x", 0, false},
		{"exp a => exp a if 0 < a", "x", math.NaN(), true},
		{"exp a => exp a if a != 0", "x", math.Copysign(0, -1), false},
		{"exp a => exp a if finite a", "x", math.Inf(1), false},
		{"exp a => exp a if finite a", "x", math.NaN(), false},
		{"exp (a + b) => exp a if a < b", "x + 2", 1, true},
		{"exp (a + b) => exp a if a < b", "x + 2", 2, false},
		{"exp (a + b) => exp a if a <= b", "x + 2", 2, true},
		{"exp (a + b) => exp a if finite (a * b)", "x + 2", 1e308, false},
		{"exp (a + b) => exp a if 0.5 < b", "x + 2", 1, true},
		{"exp (sum (build k (\\i -> t))) => exp 1 if 0 <= t", "sum (build 3 (\\i -> real i * x))", 1, true},
		{"exp (sum (build k (\\i -> t))) => exp 1 if 0 < t", "sum (build 3 (\\i -> real i * x))", 1, false},
		{"exp (sum (build k (\\i -> t))) => exp 1 if k < 4", "sum (build 3 (\\i -> real i * x))", 1, true},
		{"exp (index t [u]) => exp 1 if 0 <= u < 3", "[x, x, x][floor x]", 2, true},
		{"exp (index t [u]) => exp 1 if [u] inside t", "[x, x, x][floor x]", 3, false},
		{"exp a => exp 1 assuming 0 <= a", "x", -1, false},
		{"exp a => exp 1 assuming 0 <= a", "x", 1, true},
	} {
		lib, err := load.Files(term.NewSignature(), &diag.Source{Name: "holds.rules", Text: "ruleset s\nrule r real\n  " + c.rule + "\n"})
		if err != nil {
			t.Fatal(err)
		}
		p, space := factTerm(t, c.of)
		rule := *lib.Rule("r")
		conds := rule.Conds
		rule.Conds = nil
		var m *match.Match
		if err := saturate.NewMatcher(space).Matches(&rule, p.Root, false, func(a *match.Application) bool { m = a.Match; return false }); err != nil || m == nil {
			t.Fatal(c.rule, err)
		}
		rule.Conds = conds
		got, err := m.HoldsAt(space, eval.Env[*eval.Value[float64]]{"x": {Elem: types.R, R: []float64{c.x}, Shape: []int{}}})
		if err != nil || got != c.want {
			t.Errorf("%s for %s at %g: %v, %v", c.rule, c.of, c.x, got, err)
		}
	}
}

// Assumptions that are not proved are listed.
func TestUnproved(t *testing.T) {
	lib, err := load.Files(term.NewSignature(), &diag.Source{Name: "assuming.rules", Text: "ruleset s\nrule r real\n  exp a => exp a\n  assuming finite a, 0 <= a * 1 <= 9\n"})
	if err != nil {
		t.Fatal(err)
	}
	for of, want := range map[string]string{"x": "[finite a 0 <= a * 1 <= 9]", "2": "[]", "sin (real n)": "[0 <= a * 1 <= 9]", "exp x": "[finite a 0 <= a * 1 <= 9]"} {
		p, space := factTerm(t, of)
		err := saturate.NewMatcher(space).Matches(lib.Rule("r"), p.Root, false, func(a *match.Application) bool {
			got, err := a.Match.Unproved(space)
			if fmt.Sprint(got) != want || err != nil {
				t.Errorf("%s: %v, %v", of, got, err)
			}
			return false
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
