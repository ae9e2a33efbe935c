package saturate

import (
	"slices"
	"strings"
	"testing"
	"time"

	"egad/diag"
	"egad/egraph"
	"egad/rules"
	"egad/rules/load"
	"egad/rules/proof"
	"egad/term"
	"egad/term/module"
)

// TestBlame plants an unsound rule in a copy of each built-in rule set but nabla,
// whose rules give derivatives and no equal terms, and those about systems of equations and segments, of which no
// number is known before it is computed. Programs of literals then equal
// two numbers; the run stops, and the proof that it is blamed on has the rule in it.
func TestBlame(t *testing.T) {
	planted := map[string]bool{"nabla": true, "systems": true, "unfactored": true, "segments": true} // sets
	for _, c := range []struct{ rule, old, new, program string }{
		{"sub_self", "a - a => zero", "a - a => a", "def f(): R = 3.0 - 3.0"},
		{"cond_not", "if not b then u else v => if b then v else u", "if not b then u else v => if b then u else v",
			"def f(): R = if not (1 == 1) then 2.0 else 3.0"},
		{"index_op", "?op (index t ix) (index ts ix)...\n  if ?op : elementwise\n", "?op (index ts ix)... (index t ix)\n  if ?op : elementwise\n", "def f(): R = ([6.0, 6.0] / [2.0, 2.0])[0]"},
		{"apply_add", "total [lapply m x, lapply n x]", "total [lapply m x, lapply m x]", "def f(): R = lapply (ladd (lscale 2.0) (lscale 3.0)) 1.0"},
		{"transpose_scale", "  ltranspose (lscale a) => lscale a", "  ltranspose (lscale a) => lscale (a + a)",
			"def f(): R = lapply (ltranspose (ltranspose (lscale 2.0))) 1.0"},
		{"ladd_commutes", "ladd m n => ladd n m", "ladd m n => ladd m m", "def f(): R = lapply (ladd (lscale 2.0) (lscale 3.0)) 1.0"},
		{"scale_scale", "rule scale_scale real\n  lcompose (lscale a) (lscale b) => lscale (a * b)", "rule scale_scale real\n  lcompose (lscale a) (lscale b) => lscale (a * a)", "def f(): R = lapply (lcompose (lscale 2.0) (lscale 3.0)) 1.0"},
		{"build_op", "?op (build k (\\i -> ts))...\n", "?op (build k (\\i -> nth 0 ts))...\n", "def f(): R = (build 2 (\\i -> 6.0 / 2.0))[0]"},
		{"sum_build_add", "sum (build k (\\i -> u)) + sum (build k (\\i -> v))", "sum (build k (\\i -> u)) + sum (build k (\\i -> u))",
			"def f(): R = sum (build 2 (\\i -> 1.0 + 2.0))"},
		{"build_index_any", "gather [k] (build k (\\i -> t)) (\\[i] -> i :: ix)", "gather [k] (build k (\\i -> t)) (\\[i] -> 0 :: ix)",
			"def f(): R = (build 2 (\\i -> (replicate 3 (if i == 0 then 5.0 else 7.0))[0]))[1]"},
		{"where_where", "where m (where m u v) w => where m u w", "where m (where m u v) w => where m v w",
			"def f(): R = where (1 == 1) (where (1 == 1) 4.0 5.0) 6.0"},
		{"cond_after_scale", "lcompose (lcond b @s) (lcompose (lscale a) f)", "lcompose (lcond b @s) f",
			"def f(): R = lapply (lcompose (lscale 2.0) (lcompose (lcond (1 == 1) @R) (lone @R))) 3.0"},
		{"apply_finite", "a * lapply f x\n", "a + lapply f x\n", "def f(): R = lapply (lcompose (lscale 2.0) (lscale 4.0)) 3.0"},
		{"reached_one", "lreached (lone @R[sh...]) => true", "lreached (lone @R[sh...]) => false",
			"def f(): R = lapply (lcompose (lscale 2.0) (lone @R)) 3.0"},
		{"reached_sum", "lreached (lcompose (lmap sum @R[sh...]) f) => zero < sum (where (lreached f) (fill 1 @I[sh...]) zero)", "lreached (lcompose (lmap sum @R[sh...]) f) => false",
			"def f(): R = lapply (lcompose (lscale 2.0) (lcompose (lmap sum @R[2]) (lmap replicate 2 @R))) 3.0"},
		{"and_true", "a && true => a", "a && true => not a", "def f(): R = if 1 == 1 && 1 == 1 then 2.0 else 3.0"},
		{"digits_mod", "(a * lit c + b) mod lit c => b\n", "(a * lit c + b) mod lit c => a\n", "def f(): I = (2 * 3 + 1) mod 3"},
		{"proj_tuple", "proj n (xs...,) => nth n xs", "proj n (xs...,) => nth 0 xs", "def f(): R = lapply (lcompose (lproj 1 @(R, R)) (lpair (lscale 2.0) (lscale 3.0))) 1.0"},
		{"add_sub_distance", "=> a + (lit b - lit c)\n", "=> a + (lit b + lit c)\n", "def f(): I = floor 2.5 + 5 - 1"},
		{"cond_op", "if m then ?op as... a cs... else v\n", "if m then ?op as... b cs... else v\n",
			"def f(): R = if 1 == 1 then (if 1 == 1 then 2.0 else 3.0) * 5.0 else 7.0"},
		{"cond_after_sum", "if m then a + b else zero\n", "if m then a + a else zero\n", "def f(): R = (if 1 == 1 then 2.0 else 0.0) + (if 1 == 1 then 3.0 else 0.0)"},
		{"asked_index", "build k (\\i -> if i == e then t[i := e] else u)\n  if i not in e, e is not literal\n  example (a: R[3], b: R[3], v: I) build 3 (\\i -> if i == v then", "build k (\\i -> if i == e then u else u)\n  if i not in e, e is not literal\n  example (a: R[3], b: R[3], v: I) build 3 (\\i -> if i == v then",
			"def f(): R = (build 3 (\\i -> if i == floor 1.5 then 2.0 else 3.0))[1]"},
		{"abs_at_most", "u <= v && neg v <= u\n", "u <= v && neg v <= v\n", "def f(): R = if abs (floor 2.5 - 7) <= floor 3.5 then 2.0 else 3.0"},
		{"op2_rows", "gather [k] (?op t s) (\\[i] -> [u])\n  if ?op : elementwise", "gather [k] (?op s t) (\\[i] -> [u])\n  if ?op : elementwise",
			"def f(): R = (gather [9] [6.0, 6.0] (\\[i] -> [i mod 2]) / gather [9] [2.0, 2.0] (\\[i] -> [i mod 2]))[0]"},
		{"sum_chosen", "=> if b then sum (build k (\\i -> t)) else zero\n", "=> if b then zero else sum (build k (\\i -> t))\n",
			"def f(): R = sum (build 3 (\\i -> if 1 == 1 then 2.0 else 0.0))"},
		{"sum_turned_sub", "sum (tr p a) - sum b", "sum b - sum (tr p a)",
			"def f(): R = (sum (tr [1, 0] (build 3 (\\i -> build 2 (\\j -> 2.0 + 3.0))) - build 2 (\\i -> build 3 (\\j -> 1.0 + 2.0))))[0]"},
		{"times_times_sum_chosen", "=> sum (where c (replicate k a * (replicate k b * t)) zero)\n", "=> sum (where c (replicate k b * t) zero)\n",
			"def f(): R = let c = replicate 2 (1 == 1) in where (0 < sum (where c (replicate 2 1) (replicate 2 0))) (7.0 * (1.0 * sum (where c (build 2 (\\i -> 1.0 + 2.0)) (replicate 2 0.0)))) 0.0"},
	} {
		sig := term.NewSignature()
		var srcs []*diag.Source
		found := 0
		for _, s := range load.Sources() {
			found += strings.Count(s.Text, c.old)
			srcs = append(srcs, &diag.Source{Name: s.Name, Text: strings.Replace(s.Text, c.old, c.new, 1)})
		}
		if found != 1 {
			t.Fatalf("%s: the text is there %d times", c.rule, found)
		}
		lib, err := load.Files(sig, srcs...)
		if err != nil {
			t.Fatal(err)
		}
		m, err := module.Load(sig, &diag.Source{Name: "test.egad", Text: c.program})
		if err != nil {
			t.Fatal(err)
		}
		p, err := m.Instantiate("f", nil)
		if err != nil {
			t.Fatal(err)
		}
		g := New(sig)
		s := p.Store.Clone()
		s.AsWritten = true
		g.Record(s)
		if _, err := g.AddTerm(p.Store, p.Root, nil); err != nil {
			t.Fatal(err)
		}
		rep, contradiction := g.Saturate(egraph.Limits{Iterations: 12, Nodes: 5000}, nil, lib.Sets...)
		if rep.Stop != egraph.Contradiction {
			t.Errorf("%s: %v", c.rule, rep)
			continue
		}
		known, err := g.Recorded(time.Time{})
		if err != nil {
			t.Fatal(err)
		}
		clash, err := Known{Equations: known}.Clash(s)
		if err != nil {
			t.Errorf("%s: %v", c.rule, err)
			continue
		}
		if err := clash.Check(proof.Options{}); err != nil {
			t.Errorf("%s: %v", c.rule, err)
		}
		names := clash.Rules()
		if !slices.Contains(names, c.rule) {
			t.Errorf("%s is not to blame: %v", c.rule, names)
		}
		t.Logf("%s: %v; %v", c.rule, contradiction, names)
		for _, s := range lib.Sets {
			planted[s.Name] = planted[s.Name] || slices.ContainsFunc(s.Rules, func(r *rules.Rule) bool { return r.Name == c.rule })
		}
	}
	lib, err := load.Builtin(term.NewSignature())
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range lib.Sets {
		if !planted[s.Name] {
			t.Errorf("no rule was planted in the set %s", s.Name)
		}
	}
}
