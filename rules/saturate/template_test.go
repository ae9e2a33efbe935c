package saturate_test

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"github.com/leanovate/gopter"

	"egad/diag"
	"egad/egraph"
	"egad/internal/defs"
	"egad/internal/programs"
	"egad/rules/load"
	"egad/rules/saturate"
	"egad/slot"
	"egad/term"
	"egad/term/types"
)

// TestTemplates compares right sides that the engine builds with those that are
// computed, as they are where applications are recorded: the graphs have the same
// size after each iteration.
func TestTemplates(t *testing.T) {
	sig := term.NewSignature()
	lib, err := load.Builtin(sig, &diag.Source{Name: "more.rules", Text: `
ruleset more
rule distribute real
  a * (b + c) <=> a * b + a * c
rule assoc real
  a + (b + c) => (a + b) + c
rule stack_apart exact
  [(neg ts)...] => neg [ts...]
rule pairs exact
  (x, ts...) => (x, ts...)
rule turned exact
  where (not m) u v => where m v u`})
	if err != nil {
		t.Fatal(err)
	}
	with := sets(t, lib, []string{"scalars", "masks", "choices", "more"})
	gen := programs.Gen(programs.Everything, types.NoElem)
	params := gopter.DefaultGenParameters()
	params.Rng = rand.New(rand.NewSource(5))
	unions := 0
	for range 350 {
		c, _ := gen(params).Retrieve()
		p := c.(programs.Case).Program(sig)
		run := func(computed bool) (*egraph.Report, error) {
			g := saturate.New(sig)
			if computed {
				if err := g.Compute(with...); err != nil {
					return nil, err
				}
			}
			if _, err := g.AddTerm(p.Store, p.Root, nil); err != nil {
				return nil, err
			}
			return g.Saturate(egraph.Limits{Iterations: 4, Nodes: 2000}, nil, with...)
		}
		fast, err := run(false)
		if err != nil {
			t.Fatal(err)
		}
		slow, err := run(true)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := sizes(fast), sizes(slow); got != want {
			t.Fatalf("%s, computed %s\n%s", got, want, p.Text("p"))
		}
		for _, r := range fast.Rules {
			unions += r.Unions
		}
	}
	if unions < 500 {
		t.Errorf("only %d unions", unions)
	}
}

// sizes are the sizes of a graph after each iteration. How many matches are new
// depends on which of two equal classes is kept.
func sizes(rep *egraph.Report) string {
	var out strings.Builder
	for _, it := range rep.Iterations {
		fmt.Fprint(&out, it.Nodes, " e-nodes in ", it.Classes, "; ")
	}
	return out.String() + string(rep.Stop)
}

// TestTemplateTypes: a right side that has no type is a mistake of its rule, also
// where the engine builds it.
func TestTemplateTypes(t *testing.T) {
	for _, cond := range []string{"", " if finite b"} {
		lib, p := defs.With(t, "ruleset r\nrule odd real\n  a + b => log (exp a) * b"+cond, "def f(x: R, i: I): R = (x + 1) - real (i + 2)")
		for _, directed := range []bool{false, true} {
			g := saturate.New(p.Store.Signature())
			root, err := g.AddTerm(p.Store, p.Root, nil)
			if err != nil {
				t.Fatal(err)
			}
			if directed {
				_, err = g.Direct([]slot.Ref{root}, egraph.Limits{}, lib.Sets...)
			} else {
				_, err = g.Saturate(egraph.Limits{Iterations: 3}, nil, lib.Sets...)
			}
			if err == nil || !strings.Contains(err.Error(), "rule odd: builds an ill-typed term: exp works on elements of type R, not I") {
				t.Errorf("directed %v, with%s: %v", directed, cond, err)
			}
		}
	}
}
