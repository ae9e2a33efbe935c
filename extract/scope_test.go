package extract_test

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"
	"time"

	"egad/diag"
	"egad/extract"
	"egad/rules/runner"
	"egad/rules/suite"
)

// dropping is a language whose rules drop variables, with costs for its operators.
const dropping = `language dropping
sort E
symbol z : E
op f E E : E
op g E E : E
op c E : E
op lam [x : E] x.E : E
rule first  f z a => c (c z)
rule second g a b => c a
rule both   f (g a b) c2 => g a c2
grammar costs
start S
S -> symbol | variable : 1
S -> f S S : %d
S -> g S S : %d
S -> c S : %d
S -> lam S : 1
`

// randomDropped is a random term with some variables. No two parts of it bind any.
func randomDropped(r *rand.Rand, depth int, scope []string) string {
	if depth > 1 && r.Intn(3) == 0 {
		x := fmt.Sprint("x", depth)
		return fmt.Sprintf("lam (\\%s -> %s)", x, randomDropped(r, depth-1, append(scope[:len(scope):len(scope)], x)))
	}
	var body func(depth int) string
	body = func(depth int) string {
		switch k := r.Intn(5); {
		case depth == 0 || k == 0:
			if len(scope) > 0 && r.Intn(3) > 0 {
				return scope[r.Intn(len(scope))]
			}
			return "z"
		case k == 1:
			return "c (" + body(depth-1) + ")"
		default:
			return fmt.Sprintf("%s (%s) (%s)", "fg"[k%2:k%2+1], body(depth-1), body(depth-1))
		}
	}
	if r.Intn(2) == 0 && depth > 1 {
		return "c (" + randomDropped(r, depth-1, scope) + ")"
	}
	return body(depth)
}

// costOf is what the different parts of a printed term cost, and the term as a tree.
func costOf(text string, costs map[string]int) (dag, tree int) {
	tokens := strings.Fields(strings.NewReplacer("(", " ( ", ")", " ) ", "\\", " \\ ").Replace(text))
	met := make(map[string]bool)
	var term func() string
	atom := func() string {
		t := tokens[0]
		tokens = tokens[1:]
		if t == "(" {
			t = term()
			tokens = tokens[1:]
		}
		return t
	}
	count := func(op, text string) string {
		cost, named := costs[op]
		if !named {
			cost = 1
		}
		if tree += cost; !met[text] {
			met[text] = true
			dag += cost
		}
		return text
	}
	leaf := func() string {
		if tokens[0] == "(" {
			return atom()
		}
		return count("", atom())
	}
	term = func() string {
		switch op := tokens[0]; op {
		case "f", "g", "c", "lam":
			tokens = tokens[1:]
			if op == "lam" {
				x := tokens[2] // after ( \
				tokens = tokens[4:]
				body := term()
				tokens = tokens[1:]
				return count(op, "lam "+x+" ("+body+")")
			}
			out := op + " (" + leaf() + ")"
			if op != "c" {
				out += " (" + leaf() + ")"
			}
			return count(op, out)
		}
		return leaf()
	}
	term()
	return dag, tree
}

// What is taken of a class that does not depend on all variables of its terms can be read where the first
// term can, is equal to it, and costs what is said, by each method.
func TestTakenInScope(t *testing.T) {
	seed := time.Now().UnixNano()
	r := rand.New(rand.NewSource(seed))
	dropped, kept := 0, 0
	for range 150 {
		costs := map[string]int{"f": 1 + r.Intn(4), "g": 1 + r.Intn(4), "c": 1 + r.Intn(9)}
		f, err := suite.Load(&diag.Source{Name: "d.rules", Text: fmt.Sprintf(dropping, costs["f"], costs["g"], costs["c"])})
		if err != nil {
			t.Fatal(err)
		}
		start := randomDropped(r, 4, []string{"u", "v"}[:r.Intn(3)])
		run := func(text string) *suite.Result {
			t.Helper()
			x, err := f.ParseTest(&diag.Source{Name: "t", Text: "test t\n  var u v : E\n  start " + start + "\n  limit iterations 4\n" + text})
			if err != nil {
				t.Fatalf("seed %d: %s\n%s: %v", seed, start, text, err)
			}
			res, err := f.Run(x, runner.Options{})
			if err == nil {
				err = res.Failed.Err()
			}
			if err != nil {
				t.Fatalf("seed %d: %s\n%s: %v", seed, start, text, err)
			}
			return res
		}
		for _, m := range extract.Methods() {
			if err := f.TakeBy("costs", extract.Choosing{Method: m}); err != nil {
				t.Fatal(err)
			}
			res := run("")
			x, err := res.Take(res.Roots[0])
			if err != nil {
				t.Fatalf("seed %d: %s: %v", seed, start, err)
			}
			dag, tree := costOf(x.Text, costs)
			if said := fmt.Sprintf("cost %d as a DAG, %d as a tree", dag, tree); !strings.HasPrefix(x.Cost, said) {
				t.Fatalf("seed %d: %v, %s: of %s is taken %s: %s; want %s", seed, costs, m, start, x.Text, x.Cost, said)
			}
			run("  prove " + start + " = " + x.Text + "\n")
			if args := res.Graph.FindRef(res.Roots[0]).Args; len(args) < len(res.Roots[0].Args) {
				if dropped++; strings.ContainsAny(x.Text, "uv") {
					kept++
				}
			}
		}
	}
	t.Logf("%d classes that depend on fewer variables than the first term, %d terms with variables", dropped, kept)
	if dropped == 0 || kept == 0 {
		t.Errorf("seed %d: %d classes depend on fewer variables than the first term, %d terms have variables", seed, dropped, kept)
	}
}
