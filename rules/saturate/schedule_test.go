package saturate_test

import (
	"fmt"
	"strings"
	"testing"

	"egad/internal/defs"
	"egad/slot"

	"egad/egraph"
	"egad/extract"
	"egad/rules/saturate"
	"egad/term"
)

// TestSteps runs schedules on the sine of x, of which rules make other functions one
// after the other, and says how far they came.
func TestSteps(t *testing.T) {
	for _, c := range []struct{ schedule, want string }{
		{"saturate a, b, c", "log sin cos tan: saturated after 4 iterations"},
		{"saturate a, b\n limits iterations 1", "sin cos: iteration limit after 1 iterations"},
		{"steps a b", "sin cos tan: end of the schedule after 2 iterations"},
		{"steps b a", "sin cos: end of the schedule after 2 iterations"},
		{"steps (run a b c)", "sin cos: end of the schedule after 1 iterations"},
		{"steps (run a b c 2)", "sin cos tan: end of the schedule after 2 iterations"},
		{"saturate a\n steps (run all b 9)", "sin cos tan: saturated after 4 iterations"},
		{"saturate a\n steps (saturate all)\n saturate b", "sin cos tan: saturated after 4 iterations"},
		{"steps (repeat 2 c b a)", "sin cos tan: end of the schedule after 6 iterations"},
		{"steps (seq a (seq b)) c", "log sin cos tan: end of the schedule after 3 iterations"},
		{"steps (saturate c b a)", "log sin cos tan: saturated after 12 iterations"},
		{"steps (saturate c b a)\n limits iterations 5", "sin cos tan: iteration limit after 5 iterations"},
		{"steps on_cos (saturate a on_cos)", "sin cos tan: saturated after 5 iterations"},
		{"saturate a\nschedule s\n steps b\nschedule s\n saturate c", "log sin cos tan: end of the schedule after 5 iterations"},
	} {
		lib, p := defs.With(t, `
ruleset a
rule on_sin real
  sin x => cos x
ruleset b
rule on_cos real
  cos x => tan x
ruleset c
rule on_tan real
  tan x => log x
schedule s
 `+c.schedule, "def f(x: R): R = sin x")
		g := saturate.New(p.Store.Signature())
		root, err := g.AddTerm(p.Store, p.Root, nil)
		if err != nil {
			t.Fatal(err)
		}
		rep, err := extract.On(g, []slot.Ref{root}, lib, "s", extract.How{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		var is []string
		g.Nodes(root, func(v term.View) bool {
			is = append(is, p.Store.Signature().Operator(v.Op.Sym).Name)
			return true
		})
		if got := fmt.Sprintf("%s: %s after %d iterations", strings.Join(is, " "), rep.Stop, len(rep.Iterations)); got != c.want {
			t.Errorf("%s: %s, want %s", c.schedule, got, c.want)
		}
	}
}

// TestBackoff: a rule that matches too often rests for some iterations, and is not
// taken for one that has nothing more to do.
func TestBackoff(t *testing.T) {
	for _, c := range []struct {
		schedule, want string
	}{
		{"saturate a, b", "many 6 matches, 0 bans; few 3, 0"},
		{"saturate a, b\n backoff matches 3 ban 2", "many 5 matches, 1 bans; few 3, 0"},
		{"saturate a, b\n backoff a matches 3 ban 2", "many 5 matches, 1 bans; few 3, 0"},
		{"saturate a, b\n backoff b matches 3 ban 2", "many 6 matches, 0 bans; few 3, 0"},
		{"saturate a, b\n backoff matches 1 ban 1\n backoff many matches 9 ban 1", "many 6 matches, 0 bans; few 3, 1"},
		{"saturate a, b\n backoff many matches 1 ban 3", "many 5 matches, 3 bans; few 3, 0"},
	} {
		lib, p := defs.With(t, `
ruleset a
rule many real
  sin x => cos x
ruleset b
rule few real
  exp x => x
schedule s
 `+c.schedule, "def f(x: R): R = sin (sin (sin (sin (sin (exp (exp x))))))")
		g := saturate.New(p.Store.Signature())
		root, err := g.AddTerm(p.Store, p.Root, nil)
		if err != nil {
			t.Fatal(err)
		}
		rep, err := extract.On(g, []slot.Ref{root}, lib, "s", extract.How{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		by := make(map[string]egraph.RuleReport)
		for _, r := range rep.Rules {
			by[r.Name] = r
		}
		got := fmt.Sprintf("many %d matches, %d bans; few %d, %d", by["many"].Matches, by["many"].Bans, by["few"].Matches, by["few"].Bans)
		if got != c.want || rep.Stop != egraph.Saturated {
			t.Errorf("%s: %s (%s), want %s", c.schedule, got, rep.Stop, c.want)
		}
	}
}
