package saturate_test

import (
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/prop"

	"egad/ad"
	"egad/egraph"
	"egad/internal/defs"
	"egad/internal/programs"
	"egad/rules"
	"egad/rules/load"
	"egad/rules/saturate"
	"egad/term"
	"egad/term/types"
)

// run saturates a program, finding all matches in every iteration or only those that
// may be new.
func run(p *term.Program, sets []*rules.Set, naive bool) (*saturate.Graph, *egraph.Report, error) {
	g := saturate.New(p.Store.Signature())
	if _, err := g.AddTerm(p.Store, p.Root, p.Names); err != nil {
		return nil, nil, err
	}
	g.TakeFinite()
	rep, err := g.Saturate(egraph.Limits{Iterations: 6, Nodes: 1500, Naive: naive}, nil, sets...)
	return g, rep, err
}

// compare runs a program both ways: there are as many e-nodes and e-classes after
// each iteration, and once nothing is new, all matches together say nothing new.
// It reports whether some iteration had fewer matches.
func compare(p *term.Program, sets []*rules.Set) (fewer bool, err error) {
	_, slow, err := run(p, sets, true)
	if err != nil {
		return false, nil // nothing to compare
	}
	g, fast, err := run(p, sets, false)
	if err != nil {
		return false, err
	}
	n := len(fast.Iterations)
	if fast.Stop == egraph.NodeLimit {
		n-- // it ended in the middle of an iteration
	}
	if fast.Stop != slow.Stop || len(fast.Iterations) != len(slow.Iterations) {
		return false, fmt.Errorf("%s, and naively %s", fast, slow)
	}
	for i, x := range fast.Iterations[:n] {
		y := slow.Iterations[i]
		if x.Nodes != y.Nodes || x.Classes != y.Classes || x.Matches > y.Matches {
			return false, fmt.Errorf("after %d iterations %v, and naively %v", i+1, x, y)
		}
		fewer = fewer || x.Matches < y.Matches
	}
	if fast.Stop == egraph.Saturated {
		rep, err := g.Saturate(egraph.Limits{Naive: true, Iterations: 1}, nil, sets...)
		if err != nil || rep.Nodes != fast.Nodes || rep.Classes != fast.Classes {
			return false, fmt.Errorf("%s, and then %s (%v)", fast, rep, err)
		}
	}
	return fewer, nil
}

func sets(t *testing.T, lib *rules.Library, names []string) (out []*rules.Set) {
	t.Helper()
	for _, n := range names {
		out = append(out, lib.Set(n))
	}
	if slices.Contains(out, nil) {
		t.Fatal("there are no such rule sets")
	}
	return out
}

// Semi-naive saturation misses nothing: of programs, of their gradients, and of the
// linear maps between.
func TestSemiNaive(t *testing.T) {
	sig := term.NewSignature()
	lib, err := load.Builtin(sig)
	if err != nil {
		t.Fatal(err)
	}
	simplifying, laws := sets(t, lib, lib.Schedule("simplify").Sets), sets(t, lib, lib.Schedule("laws").Sets)
	fewer, compared := 0, 0
	var last error
	check := func(c programs.Case) bool {
		p := c.Program(sig)
		todo := []*term.Program{p}
		d, _ := ad.Grad(lib, p, ad.Options{Direct: c.Seed%2 == 0})
		if d != nil {
			for _, s := range d.Stages {
				if s.Program != nil && (s.Name == "nabla" || s.Name == "applied") {
					todo = append(todo, s.Program)
				}
			}
		}
		for i, q := range todo {
			with := simplifying
			if i > 0 && q.Store.Type(q.Root).Kind == types.KLin {
				with = laws
			}
			less, err := compare(q, with)
			if err != nil {
				last = fmt.Errorf("%w\n%s", err, q.Text("p"))
				return false
			}
			compared++
			if less {
				fewer++
			}
		}
		return true
	}
	params := gopter.DefaultTestParameters()
	params.MinSuccessfulTests, params.Workers, params.MaxShrinkCount = 150, 1, 300
	params.Rng = rand.New(rand.NewSource(1))
	if r := prop.ForAll(check, programs.GenScalar(programs.Smooth)).Check(params); r.Status != gopter.TestPassed {
		t.Fatal(r.Status, last)
	}
	t.Logf("%d runs, in %d fewer matches", compared, fewer)
	if 3*fewer < compared {
		t.Errorf("in %d of %d runs only there are fewer matches", fewer, compared)
	}
}

// A match of which nothing but a fact changes is looked at again: what a tangent
// is makes known, two operators above, that the argument of exp is large.
func TestFactsChange(t *testing.T) {
	for _, c := range []struct {
		cond, why string
		between   int // operators
	}{
		{"2 < y", "bounds of a metavariable", 1},
		{"2 < 2 * y - y", "bounds of an operator applied to it", 1},
		{"finite y, y != 0", "two facts", 1},
		{"2 < y", "a long way", 41},
	} {
		lib, p := defs.With(t, `
ruleset test
rule known real
  tan x => 3
rule large real
  exp y => zero + exp y
  if `+c.cond, "def f(x: R): R = exp ("+strings.Repeat("neg (", c.between)+"tan x"+strings.Repeat(")", c.between)+" + 7)")
		g, rep, err := run(p, lib.Sets, false)
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(rep.Rules, func(r egraph.RuleReport) bool { return r.Name == "large" })
		if i < 0 || rep.Rules[i].Unions != 1 {
			t.Errorf("%s: %s", c.why, rep)
		}
		if _, err := compare(p, lib.Sets); err != nil || g.Err() != nil {
			t.Errorf("%s: %v, %v", c.why, err, g.Err())
		}
	}
}
