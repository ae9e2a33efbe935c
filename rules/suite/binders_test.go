package suite

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"egad/internal/follow"
	"egad/internal/testflag"
	"egad/rules/runner"
)

// checkProved runs the first test of a random language, which must hold, with proofs that are followed
// step by step, and counts these.
func checkProved(t *testing.T, seed int, text string) int {
	t.Helper()
	f := loadText(t, text)
	res := runTest(t, f, f.Tests[0], runner.Options{Proofs: true})
	if err := res.Failed.Err(); err != nil {
		t.Fatalf("seed %d: %v\n%s", seed, err, text)
	}
	all, err := res.Proofs()
	if err != nil {
		t.Fatalf("seed %d: %v\n%s", seed, err, text)
	}
	for _, p := range all {
		if err := follow.Chain(p.Store, p.Chain); err != nil {
			t.Errorf("seed %d: %v\n%s", seed, err, p)
		}
	}
	return len(all)
}

// body is a random term in which the variable of a function is written as its placeholder.
func body(r *rand.Rand, depth int) string {
	if depth == 0 || r.Intn(4) == 0 {
		return []string{"@", "@", "p", "q", "a"}[r.Intn(5)]
	}
	switch r.Intn(4) {
	case 0:
		return "(f " + body(r, depth-1) + ")"
	case 1:
		return "(lam (\\w -> g w " + body(r, depth-1) + "))"
	}
	return "(g " + body(r, depth-1) + " " + body(r, depth-1) + ")"
}

// TestOneNameTwice: where a left side binds one name in two places, a metavariable below one of them
// is a function of it, and one below both the same function. What the rules make of two functions
// is what is written when the names in their text are replaced.
func TestOneNameTwice(t *testing.T) {
	const text = "language l\nsort E\nsymbol a b : E\nop f E : E\nop g E E : E\nop lam [x : E] x.E : E\nop both [x : E] [y : E] x.y.E x.y.E : E\n" +
		"op add E E : E\nop same E E : E\nop drop E E : E\nop swap E E : E\n" +
		"rule add  add (lam (\\x -> s)) (lam (\\x -> t)) => lam (\\x -> g s t)\n" +
		"rule same same (lam (\\x -> t)) (lam (\\x -> t)) => f (lam (\\x -> t))\n" +
		"rule drop drop (lam (\\x -> s)) (lam (\\x -> t)) => t if x not in t\n" +
		"rule swap swap (both (\\x y -> s) (\\y x -> t)) (lam (\\x -> u)) => both (\\x y -> u) (\\x y -> g s t)\n"
	same, dropped := 0, 0
	for seed := range testflag.Count(400, 10000) {
		r := rand.New(rand.NewSource(int64(seed)))
		s, u, v := body(r, 2), body(r, 1+r.Intn(2)), body(r, 2)
		if r.Intn(3) == 0 {
			u = s
		}
		in := func(t, v string) string { return strings.ReplaceAll(t, "@", v) }
		fun := func(t, v string) string { return "(lam (\\" + v + " -> " + in(t, v) + "))" }
		var b strings.Builder
		b.WriteString(text + "test t\n var p q : E\n")
		claim := func(verb, from, to string) { fmt.Fprintf(&b, " start %s\n %s %s = %s\n", from, verb, from, to) }
		claim("prove", fmt.Sprintf("add %s %s", fun(s, "x"), fun(u, "y")), fun("(g "+s+" "+u+")", "z"))
		verb := "refute"
		if s == u {
			verb = "prove"
			same++
		}
		claim(verb, fmt.Sprintf("same %s %s", fun(s, "x"), fun(u, "y")), "f "+fun(s, "z"))
		if verb = "prove"; strings.Contains(u, "@") {
			verb = "refute"
			dropped++
		}
		claim(verb, fmt.Sprintf("drop %s %s", fun(s, "x"), fun(u, "y")), in(u, "a"))
		two := fmt.Sprintf("(both (\\x y -> g x %s) (\\x y -> g %s x))", in(s, "y"), in(u, "y"))
		claim("prove", fmt.Sprintf("swap %s %s", two, fun(v, "z")), fmt.Sprintf("both (\\x y -> %s) (\\x y -> g (g x %s) (g %s x))", in(v, "x"), in(s, "y"), in(u, "y")))
		checkProved(t, seed, b.String())
	}
	if same < 50 || dropped < 50 {
		t.Errorf("%d pairs are the same, and %d functions depend on their variable", same, dropped)
	}
}
