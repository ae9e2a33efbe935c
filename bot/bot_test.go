package bot_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"egad/bot"
	"egad/internal/bulk"
	"egad/internal/defs"
	"egad/internal/golden"
	"egad/term"
)

// idle are rules of the paper that are never applied: a let is a shared term
// here, and build_cond_where comes before build_cond.
var idle = []string{"build_let", "index_let", "build_cond"}

// TestBulk keeps bulk programs as golden text; every rule is applied to one of
// them. The two ways to a bulk program need not find the same one: normal forms
// are not unique.
func TestBulk(t *testing.T) {
	lib, m := defs.Load(t, "testdata/programs.egad")
	var out strings.Builder
	applied := make(map[string]bool)
	defs.Each(t, m, 4, func(name string, p *term.Program) {
		if bulk.Is(p.Store, p.Root, p.Names) == nil {
			t.Errorf("%s is bulk as it is", name)
		}
		byGraph, rep, err := bot.Transform(lib, p, 0)
		if err != nil {
			t.Fatal(err)
		}
		byTerms, stats, err := bulk.Normalise(lib, p)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range rep.Rules {
			applied[r.Name] = applied[r.Name] || r.Unions > 0 && stats.Applied[r.Name] > 0
		}
		for _, q := range []*term.Program{byGraph, byTerms} {
			if err := bulk.Is(q.Store, q.Root, q.Names); err != nil {
				t.Errorf("%v in\n%s", err, q.Text(name))
			}
		}
		graph, terms := byGraph.Text(name), byTerms.Text(name)
		fmt.Fprintf(&out, "-- by the e-graph\n%s\n", graph)
		if terms != graph {
			fmt.Fprintf(&out, "-- on terms\n%s\n", terms)
		}
	})
	for _, set := range lib.Schedule("bulk").Sets {
		if set == "masks" { // is for what the derivatives of loops have come to
			continue
		}
		for _, r := range lib.Set(set).Rules {
			if !applied[r.Name] && !slices.Contains(idle, r.Name) {
				t.Errorf("no program needs the rule %s in both ways", r.Name)
			}
		}
	}
	golden.Check(t, "testdata/bulk.golden", out.String())
}

// TestIsBulk states Theorem 5.1 case by case.
func TestIsBulk(t *testing.T) {
	const isBulk = ""
	for _, c := range []struct{ body, want string }{
		{"sum (exp a)", isBulk},
		{"a[k]", isBulk},
		{"m[k, 1]", isBulk},
		{"sum m[k]", isBulk},
		{"real (iota 3)[k]", isBulk},
		{"[1.5, 2.5][k]", isBulk},
		{"[a[0], 2.5][k]", isBulk},
		{"sum [a, a][k]", isBulk},
		{"(scatter [3] a (\\i -> [i]))[k]", isBulk},
		{"(scatter [3, 3] a (\\i -> [i, i]))[k, k]", isBulk},
		{"sum (gather [3] a (\\i -> [i + 1]))", isBulk},
		{"let b = exp a in b[k] + sum b", isBulk},
		{"sum (build 3 (\\i -> a[i]))", "a build is left"},
		{"(build 3 (\\i -> a[i]))[k]", "a build is left"},
		{"sum (gather [3] a (\\i -> [sum (build 2 (\\j -> j))]))", "a build is left"},
		{"if k < 1 then 1 else sum (build 3 (\\i -> a[i]))", "a build is left"},
		{"[a, a][k, k]", "an array literal with 2 indices is left"},
		{"(exp a)[k]", "an index of exp is left"},
		{"(a + a)[k]", "an index of add is left"},
		{"(sum m)[k]", "an index of sum is left"},
		{"(tr [1, 0] m)[k, 1]", "an index of tr is left"},
		{"(replicate 3 a[0])[k]", "an index of replicate is left"},
		{"(gather [3] a (\\i -> [i + 1]))[k]", "an index of gather is left"},
		{"(if k < 1 then a else a + a)[k]", "an index of cond is left"},
	} {
		_, p := defs.Last(t, "def f(a: R[3], m: R[3, 3], k: I): R = "+c.body)
		got := isBulk
		if err := bulk.Is(p.Store, p.Root, p.Names); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.body, got, c.want)
		}
	}
}
