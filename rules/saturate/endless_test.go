package saturate_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"egad/diag"
	"egad/egraph"
	"egad/internal/normalise"
	"egad/rules"
	"egad/rules/load"
	"egad/rules/match"
	"egad/rules/saturate"
	"egad/slot"
	"egad/term"
	"egad/term/module"
)

// directed loads a rule set that a text of rules begins, beside the rules of
// egad, and a program; the graph holds the program.
func directed(t *testing.T, ruleText, program string) (*saturate.Graph, func(within time.Duration) error) {
	t.Helper()
	sig := term.NewSignature()
	lib, err := load.Builtin(sig, &diag.Source{Name: "loop.rules", Text: ruleText})
	if err != nil {
		t.Fatal(err)
	}
	m, err := module.Load(sig, &diag.Source{Name: "loop.egad", Text: program})
	if err != nil {
		t.Fatal(err)
	}
	info, err := m.Lookup("")
	if err != nil {
		t.Fatal(err)
	}
	p, err := m.Instantiate(info.Name, nil)
	if err != nil {
		t.Fatal(err)
	}
	g := saturate.New(sig)
	root, err := g.AddTerm(p.Store, p.Root, p.Names)
	if err != nil {
		t.Fatal(err)
	}
	set := lib.Set(strings.Fields(ruleText)[1])
	return g, func(within time.Duration) error {
		_, err := g.Direct([]slot.Ref{root}, egraph.Limits{Time: within}, set)
		if _, _, e := normalise.Term(match.Terms{Store: p.Store, Names: p.Names}, p.Root, set); e == nil && err != nil && within == 0 {
			t.Errorf("on the e-graph: %v\non terms: %v", err, e)
		}
		return err
	}
}

// loops are rules that a directed run could apply for ever.
var loops = []struct {
	rules, program string
	rule           string   // applied most
	terms          []string // the first of those shown
}{
	{"ruleset a\nrule r exact\n index t [u] => index t [u + 1 - 1]", "def f(a: R[5], k: I): R = a[k]",
		"r", []string{"a[k]", "= a[k + 1 - 1]"}},
	{"ruleset a\nrule r exact\n index t [u] => index t [u + 1 - 1]", "def f(a: R[5]): R[5] = build 5 (\\j -> exp a[j])",
		"r", []string{"a[i1]", "= a[i1 + 1 - 1]"}},
	// Depth.
	{"ruleset a\nrule r exact\n cos x => cos (neg x)", "def f(x: R): R = 1 + cos x", "r", []string{"cos x", "= cos (-x)"}},
	{"ruleset a\nrule r exact\n t[i, j] => (tr [1, 0] t)[j, i]", "def f(a: R[3, 3]): R = a[0, 1]", "r",
		[]string{"a[0, 1]", "= (tr [1, 0] a)[1, 0]"}},
	// New classes, and ever more of them.
	{"ruleset a\nrule r real\n sin x => 2 * sin (x / 2)", "def f(x: R): R = sin x", "r", []string{"sin x", "= 2.0 * sin (x / 2.0)"}},
	{"ruleset a\nrule r real\n exp x => exp (sin x) * exp (cos x)", "def f(x: R): R = exp x", "r",
		[]string{"exp x", "= exp (sin x) * exp (cos x)"}},
	// A pair of rules.
	{"ruleset a\nrule up real\n sin x => cos (x - 2)\nrule down real\n cos x => sin (x + 3)", "def f(x: R): R = sin x", "up",
		[]string{"sin x", "= cos (x - 2.0)", "= sin (x - 2.0 + 3.0)"}},
	// Growing constants.
	{"ruleset a\nrule r real\n log (x * lit c) => log (x * lit c * 2)\nrule c real\n ?op (?op x (lit a)) (lit b) => ?op x (lit (fold ?op a b)) if ?op : elementwise/2",
		"def f(x: R): R = log (x * 3)", "r", []string{"log (x * 3.0)", "= log (x * 3.0 * 2.0)"}},
	// Linear maps.
	{"ruleset a\nrule r exact\n lapply (lcompose f g) x => lapply (lcompose f (lcompose g (lone @x))) x",
		"def f(x: R): R = lapply (lcompose (lscale x) (lscale x)) x", "r", []string{"let t1 = lscale x in lapply (lcompose t1 t1) x"}},
	// The sets of egad, whose own rules come first.
	{"ruleset bot_index\nrule r exact\n index t [u] => index t [u + 1 - 1]", "def f(a: R[5], k: I): R = exp (exp a)[k]", "r", []string{"a[k]"}},
	{"ruleset bot_build\nrule r exact\n index t [u] => index t [u + 1 - 1]", "def f(a: R[5]): R[5] = build 5 (\\j -> a[4 - j])", "", nil},
}

// TestLoops: rules that could be applied for ever end with an error that names the
// rule and shows what it makes, soon. A pair of which each undoes what the other
// did ends by itself, as a row is rewritten once.
func TestLoops(t *testing.T) {
	for _, c := range loops {
		g, run := directed(t, c.rules, c.program)
		err := run(0)
		if c.rule == "" && err == nil {
			continue
		}
		var endless *rules.Endless
		if !errors.As(err, &endless) || endless.Rule.Name != c.rule || endless.Applied*3 < endless.Total {
			t.Errorf("%s\n%s: %v", c.rules, c.program, err)
			continue
		}
		if !strings.HasPrefix(err.Error(), "loop.rules:") || !strings.Contains(err.Error(), "\n  "+strings.Join(c.terms, "\n  ")) {
			t.Errorf("%s\n%s: the message is\n%v", c.rules, c.program, err)
		}
		if len(err.Error()) > 2000 || g.Size() > 40_000 {
			t.Errorf("%s\n%s: %d e-nodes, and a message of %d bytes", c.rules, c.program, g.Size(), len(err.Error()))
		}
	}
	_, run := directed(t, "ruleset a\nrule r exact\n a - b => neg (b - a)\nrule s exact\n neg (b - a) => a - b", "def f(x: R, y: R): R = x - y")
	if err := run(0); err != nil {
		t.Error(err)
	}
}

// TestTimeOver: a directed run ends when its time is over.
func TestTimeOver(t *testing.T) {
	_, run := directed(t, loops[0].rules, loops[0].program)
	err := run(1)
	var endless *rules.Endless
	if !errors.As(err, &endless) || endless.Time != 1 || !strings.Contains(err.Error(), "within 1ns") {
		t.Error(err)
	}
}

// TestOwnClass: an e-node that is made of its own class, as q of y = q of x where that is
// q of q of x, is not gone round in for ever.
func TestOwnClass(t *testing.T) {
	_, run := directed(t, "ruleset a\nuse compose_right, cond_after_cond, compose_one, one_compose, and_same, transpose_compose, transpose_cond, transpose_one",
		`def f(a: R, y: R): R =
  let p = not (a < 0.0) && not (0.0 < a) in
  let q = lcond p @R in
  lapply (ltranspose (lcompose (lcompose (lcompose (lcompose (lcompose (lcompose (lone @R) q) q) q) q) q) (lcond (not p) @R))) y`)
	if err := run(0); err != nil {
		t.Error(err)
	}
}
