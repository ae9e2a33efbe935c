package saturate

import (
	"testing"

	"egad/diag"
	"egad/egraph"
	"egad/rules/load"
	"egad/rules/match"
	"egad/rules/typing"
	"egad/term"
	"egad/term/module"
)

// written are rules with what is not plain to match: sizes as integers, several
// binders of one name, literals that are compared, constants. With each come
// programs that become equal by it, and some that do not.
var written = []struct{ rule, params, from, to, not string }{
	// Sizes as integers.
	{"gather [n] (gather [n] t (\\[j] -> [n - 1 - j])) (\\[i] -> [n - 1 - i]) => t if [n] = take 1 (shape t)",
		"a: R[5]", "gather [5] (gather [5] a (\\[j] -> [5 - 1 - j])) (\\[i] -> [5 - 1 - i])", "a",
		"gather [5] (gather [5] a (\\[j] -> [5 - 2 - j])) (\\[i] -> [5 - 1 - i])"},
	{"gather [n] (gather [n] t (\\[j] -> [n - 1 - j])) (\\[i] -> [n - 1 - i]) => t if [n] = take 1 (shape t)",
		"a: R[5]", "gather [5] (gather [5] a (\\[i] -> [4 - i])) (\\[i] -> [5 - 1 - i])", "a",
		"gather [5] (gather [5] a (\\[i] -> [3 - i])) (\\[i] -> [4 - i])"},
	{"i + (n - j) * n => j + i if t : R[n]", "", "", "", ""}, // t is nowhere: an error
	{"u * n + sum (replicate n a) => u * n + a * n if 0 < n", "k: I, i: I", "k * 4 + sum (replicate 4 i)", "k * 4 + i * 4", "k * 3 + sum (replicate 4 i)"},
	{"t[k - 1] => maximum t if t : R[k]", "a: R[3]", "a[3 - 1]", "maximum a", "a[1]"},
	{"t[k - 1] => maximum t if t : R[k]", "a: R[3]", "a[2]", "maximum a", "a[0]"},
	{"fill k @R[sh...] * sum (replicate k t) => sum (replicate k t)", "x: R", "3.0 * sum (replicate 3 x)", "sum (replicate 3 x)", "2.0 * sum (replicate 3 x)"},
	{"(reshape ks t)[u - product ks] => t[u] if ks = shape t, len ks = 1", "a: R[6], i: I", "(reshape [6] a)[i - 6]", "a[i]", "(reshape [6] a)[i - 5]"},
	{"build n (\\i -> t) * (n - n) => zero", "", "", "", ""}, // not of one shape
	// Several binders of one name.
	{"scatter ns a (\\is -> ix) + scatter ns b (\\is -> ix) => scatter ns (a + b) (\\is -> ix) if shape a = shape b",
		"a: R[3], b: R[3], f: I[3]", "scatter [4] a (\\[i] -> [f[i]]) + scatter [4] b (\\[j] -> [f[j]])", "scatter [4] (a + b) (\\[i] -> [f[i]])",
		"scatter [4] a (\\[i] -> [f[i]]) + scatter [4] b (\\[j] -> [f[j] + 1])"},
	{"gather ks a (\\is -> ix) * gather ks b (\\is -> ix) => gather ks (a * b) (\\is -> ix) if shape a = shape b",
		"a: R[3, 2], b: R[3, 2], f: I[4]", "gather [4] a (\\[i] -> [f[i]]) * gather [4] b (\\[i] -> [f[i]])", "gather [4] (a * b) (\\[i] -> [f[i]])",
		"gather [4] a (\\[i] -> [f[i]]) * gather [4] b (\\[i] -> [i])"},
	{"build k (\\i -> t) + build k (\\i -> u) => build k (\\i -> t + u)", "a: R[3], b: R[3]",
		"build 3 (\\i -> a[i]) + build 3 (\\j -> b[2 - j])", "build 3 (\\i -> a[i] + b[2 - i])", "build 3 (\\i -> a[i]) - build 3 (\\j -> b[2 - j])"},
	{"build k (\\i -> t) && build k (\\i -> t) => build k (\\i -> t)", "a: B[3]", "build 3 (\\i -> a[i]) && build 3 (\\j -> a[j])", "build 3 (\\j -> a[j])",
		"build 3 (\\i -> a[i]) && build 3 (\\j -> a[2 - j])"},
	{"build k (\\i -> build n (\\j -> t)) + build n (\\j -> build k (\\i -> t)) => build k (\\i -> build n (\\j -> t + t))", "a: R[3, 3]",
		"build 3 (\\i -> build 3 (\\j -> a[i, j])) + build 3 (\\i -> build 3 (\\j -> a[j, i]))", "build 3 (\\i -> build 3 (\\j -> a[i, j] + a[i, j]))",
		"build 3 (\\i -> build 3 (\\j -> a[i, j])) + build 3 (\\i -> build 3 (\\j -> a[i, j]))"},
	{"gather ks (gather ks t (\\[i] -> [u])) (\\[i] -> [u]) => gather ks t (\\[i] -> [u]) if ks = take 1 (shape t)", "a: R[3], f: I[3]",
		"gather [3] (gather [3] a (\\[i] -> [f[i]])) (\\[i] -> [f[i]])", "gather [3] a (\\[i] -> [f[i]])",
		"gather [3] (gather [3] a (\\[i] -> [f[i]])) (\\[i] -> [2 - f[i]])"},
	// A spread on the left side.
	{"[(neg ts)...] => neg [ts...]", "x: R, y: R", "[-x, -y]", "-[x, y]", "[-x, y]"},
	{"([(ts * us)...], [ts...]) => ([ts...] * [us...], [ts...])", "x: R, y: R", "([x * y, y * y, y * x], [x, y, y])", "([x, y, y] * [y, y, x], [x, y, y])",
		"([x * y, y * y, y - x], [x, y, y])"},
	{"[(a + sin ts)...] => replicate n a + sin [ts...] if self : R[n]", "x: R, y: R", "[x + sin x, x + sin y]", "replicate 2 x + sin [x, y]", "[x + sin x, y + sin y]"},
	{"([ts...], [(exp ts)...]) => ([ts...], exp [ts...])", "x: R, y: R", "([x, y], [exp x, exp y])", "([x, y], exp [x, y])", "([x, y], [exp y, exp x])"},
	{"([(exp ts)...], [ts...]) => (exp [ts...], [ts...])", "x: R, y: R", "([exp x, exp y], [x, y])", "(exp [x, y], [x, y])", "([exp x, exp y], [y, x])"},
	{"[(a * ts)...] => a * [ts...]", "", "", "", ""},  // a is no array
	{"[(take 1 ts)...] => [ts...]", "", "", "", ""},   // no attributes
	{"[(neg (neg t))...] => [t]", "", "", "", ""},     // no list to run over
	{"[(neg [ts...])...] => [ts...]", "", "", "", ""}, // a list in a list
	// Literals.
	{"a ^ lit c => a * a * a if c = 3", "x: R", "x ^ 3.0", "x * x * x", "x ^ 2.0"},
	{"a ^ 3 => a * a * a", "x: R", "x ^ 3.0", "x * x * x", "x ^ 2.0"},
	{"a ^ lit c => a * a ^ lit (c - 1) if 1 < c, c <= 9", "x: R", "x ^ 1.5", "x * x ^ 0.5", "x ^ 9.5"},
	{"a ^ lit c => a ^ fill (2 * c / 2) @a * a / a if c != 0, c = 5 / 2", "x: R", "x ^ 2.5", "x ^ 2.5 * x / x", "x ^ 3.5"},
	{"sum (lit c * replicate k a) => a * fill c @a * fill k @a if c = k", "x: R", "sum (replicate 4 4.0 * replicate 4 x)", "x * 4.0 * 4.0", "sum (replicate 4 3.0 * replicate 4 x)"},
	{"replicate k (real (lit c)) => fill c @self", "", "replicate 3 (real 7)", "replicate 3 7.0", ""},
	{"a * lit c - a => a * lit (c - 1) if c < 0", "i: I", "i * -3 - i", "i * -4", "i * 3 - i"},
	// Constants.
	{"sin (a + 2 * pi) => sin a", "x: R", "sin (x + 2 * pi)", "sin x", "sin (x + 2 * 3.1415)"},
	{"a + lit c => a - lit (0 - c) if c = -pi", "x: R", "x + -3.14159265358979323846", "x - pi", "x + 3.1415"},
	{"min a inf => a", "x: R", "min x inf", "x", "min x (-inf)"},
	{"max a (-inf) => a", "x: R", "max x (-inf)", "x", "max x inf"},
}

// TestWritten applies each rule to its programs on terms, in a directed run, and in
// a saturation.
func TestWritten(t *testing.T) {
	for _, c := range written {
		text := "ruleset w\nrule w real\n " + c.rule
		params := ""
		if c.params != "" {
			params = "(" + c.params + ") "
		}
		if c.from != "" {
			text += "\n example " + params + c.from + " => " + c.to
		}
		if c.not != "" {
			text += "\n example " + params + c.not + " => " + c.to
		}
		sig := term.NewSignature()
		lib, err := load.Files(sig, &diag.Source{Name: "w.rules", Text: text})
		if c.from == "" {
			if err == nil {
				if rep := typing.Check(sig, lib.Rule("w")); rep.Err != nil {
					continue
				}

				t.Errorf("%s: no error", c.rule)
			}
			continue
		}
		if err != nil {
			t.Error(err)
			continue
		}
		w := lib.Rule("w")
		if rep := typing.Check(sig, w); rep.Err != nil {
			t.Error(rep.Err)
			continue
		}
		for k, ex := range w.Examples {
			ex = ex.Read()
			p, ts, err := module.Elaborate(sig, w.Src, ex.Inputs, true, ex.Lhs, ex.Rhs)
			if err != nil {
				t.Error(err)
				continue
			}
			space := match.Terms{Store: p.Store}
			onTerms := false
			if err := NewMatcher(space).Matches(w, ts[0], false, func(a *match.Application) bool {
				out, ok, err := a.Match.Build(space)
				if err != nil {
					t.Error(err)
				}
				onTerms = ok && out.Equal(ts[1])
				return !onTerms
			}); err != nil {
				t.Error(err)
			}
			for _, how := range []string{"terms", "directed run", "saturation"} {
				g := New(sig)
				var rs [2]egraph.Ref
				for i := range ts {
					if rs[i], err = g.AddTerm(p.Store, ts[i], nil); err != nil {
						t.Fatal(err)
					}
				}
				got := onTerms
				switch how {
				case "directed run":
					_, err = g.Direct(rs[:1], egraph.Limits{}, lib.Set("w"))
				case "saturation":
					_, err = g.Saturate(egraph.Limits{Iterations: 4, Nodes: 2000}, nil, lib.Set("w"))
				}
				if err != nil {
					t.Error(err)
				}
				if how != "terms" {
					got = g.Same(rs[0], rs[1])
				}
				if want := k == 0; got != want {
					t.Errorf("%s\n on %s: by a %s it applies: %v", text, []string{c.from, c.not}[k], how, got)
				}
			}
		}
	}
}
