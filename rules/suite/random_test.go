package suite

import (
	"fmt"
	"math/rand"
	"os"
	"strconv"
	"strings"
	"testing"

	"egad/egraph"
	"egad/internal/follow"
	"egad/rules/runner"
)

// randomLanguage writes small languages with conditions, binders, assumptions and
// folding. Nothing says that they are sound.
type randomLanguage struct {
	*rand.Rand
	names int
}

func (r *randomLanguage) name(prefix string) string {
	r.names++
	return fmt.Sprint(prefix, r.names)
}

func (r *randomLanguage) pick(list ...string) string { return list[r.Intn(len(list))] }

// app writes an operator over children that child makes, given the variables in
// scope.
func (r *randomLanguage) app(binder string, vars []string, child func(vars []string) string) string {
	op := r.pick("f", "g", "g", "h", "lam", "let", "all")
	under := append(append([]string(nil), vars...), binder)
	switch op {
	case "f":
		return "(f " + child(vars) + ")"
	case "g", "h":
		return "(" + op + " " + child(vars) + " " + child(vars) + ")"
	case "let":
		return "(let " + binder + " = " + child(vars) + " in " + child(under) + ")"
	}
	return "(" + op + " (\\" + binder + " -> " + child(under) + "))"
}

func (r *randomLanguage) term(depth int, vars []string) string {
	if depth == 0 || r.Intn(5) == 0 {
		return r.pick(append([]string{"a", "b", "c", "0", "1", "2"}, append(vars, vars...)...)...)
	}
	return r.app(r.name("v"), vars, func(in []string) string { return r.term(depth-1, in) })
}

// left writes a left side and notes what its metavariables may mention.
func (r *randomLanguage) left(depth int, vars []string, metas map[string][]string, order *[]string) string {
	if depth == 0 || r.Intn(4) == 0 {
		switch {
		case len(vars) > 0 && r.Intn(5) < 2:
			return r.pick(vars...)
		case r.Intn(6) == 0:
			return r.pick("a", "b", "0", "1")
		}
		if ok := visible(metas, *order, vars); len(ok) > 0 && r.Intn(2) == 0 {
			return r.pick(ok...)
		}
		m := r.name("m")
		metas[m] = append([]string(nil), vars...)
		*order = append(*order, m)
		return m
	}
	return r.app(r.name("x"), vars, func(in []string) string { return r.left(depth-1, in, metas, order) })
}

func (r *randomLanguage) right(depth int, vars []string, metas map[string][]string, order []string) string {
	if depth == 0 || r.Intn(3) == 0 {
		return r.pick(append(append([]string{"a", "b"}, vars...), visible(metas, order, vars)...)...)
	}
	return r.app(r.name("y"), vars, func(in []string) string { return r.right(depth-1, in, metas, order) })
}

// visible lists the metavariables that mention nothing but vars.
func visible(metas map[string][]string, order, vars []string) (out []string) {
	for _, m := range order {
		if len(common2(metas[m], vars)) == len(metas[m]) {
			out = append(out, m)
		}
	}
	return out
}

func common2(a, b []string) (out []string) {
	for _, x := range a {
		for _, y := range b {
			if x == y {
				out = append(out, x)
			}
		}
	}
	return out
}

var randomRules = []string{
	"g x y => g y x", "all (\\x -> all (\\y -> B)) => all (\\y -> all (\\x -> B))", "lam (\\x -> g k x) => k if x not in k",
	"let x = e in x => e", "let x = e in B => B if x not in B", "let x = e in g A B => g (let x = e in A) (let x = e in B)",
	"let x = e in lam (\\y -> B) => lam (\\y -> let x = e in B)", "h (lam (\\x -> B)) e => let x = e in B", "all (\\x -> B) => B if x not in B",
	"g (g x y) z => g x (g y z)", "f (f x) => x", "h x x => x", "f (g x y) => g (f x) (f y)",
	"g x y => h x y if x is symbol", "f x => x if x is number", "f x => lam (\\x -> x) if x is variable",
	"h x e => let x = e in e if x is variable", "h x e => e if R x", "h x y => f y if g x y = g y x",
	"h x y => a if h x y = h y x", "f m => m", "f m => a", "g x y => x if distinct x y",
	"g x y => f y if x != y", "h x y => y if x is variable, x not in y",
	"g x x => a", "h (g x x) (g x x) => b", "h x (g x x) => f x", "g (g x x) (h x y) => g x y",
	"g (lam (\\x -> A)) (lam (\\x -> B)) => lam (\\x -> g A B)", "g (all (\\x -> B)) (lam (\\x -> B)) => all (\\x -> f B)", "h (lam (\\x -> A)) (lam (\\x -> B)) => B if x not in B", "lam (\\x -> g A B) <=> g (lam (\\x -> A)) (lam (\\x -> B))",
	"f x => g x y if S x y", "g x y => z if S x z, S z y", "h x y => z if y = f z", "lam (\\x -> f t) => lam (\\x -> u) if S t u",
	"lam (\\x -> h t k) => u if S t u, x not in u", "lam (\\x -> g x t) => lam (\\x -> u) if S x u", "h x y => y if S x z, z is symbol", "g x y => z if f z = g y x", "f x => y if g x y = h y z",
	"lam (\\x -> h x (g x x)) => c", "h x (g y y) => g x y if x is variable", "h x (g y y) => h x y if y not in x, y is variable",
}

var randomFacts = []string{
	"for f x then R x", "for g x y then R (g x y) if R x, R y", "for h x y then x != y",
	"for f x then R (lam (\\x -> x)) if x is variable",
	"for f x then S x (h x x)", "for S x y then S x z if S y z", "for g x y then S x y", "for S x y then R y, S y z if R x, f z = y", "for h x y then S z x if z = g y w",
}

func (r *randomLanguage) text() string {
	var b strings.Builder
	b.WriteString("language z\nsort E\nnumber E\nsymbol a b c : E\nop f E : E\nop g E E : E\nop h E E : E\n" +
		"op lam [x : E] x.E : E\nop all [x : E] x.E : E\nop let [x : E] E x.E : E\nrelation R E\nrelation S E E\nrelation != E E\n")
	if r.Intn(5) < 2 {
		b.WriteString("fold g as +\n")
		if r.Intn(2) == 0 {
			b.WriteString("prune\n")
		}
	}
	for i := range 1 + r.Intn(4) {
		fmt.Fprintf(&b, "rule lib%d %s\n", i, r.pick(randomRules...))
	}
	for i := range r.Intn(4) {
		metas, order := make(map[string][]string), []string(nil)
		l := r.left(1+r.Intn(3), nil, metas, &order)
		if l[0] == '(' {
			fmt.Fprintf(&b, "rule r%d %s => %s\n", i, l, r.right(r.Intn(3), nil, metas, order))
		}
	}
	for i := range r.Intn(3) {
		fmt.Fprintf(&b, "fact f%d %s\n", i, r.pick(randomFacts...))
	}
	vars := []string{"p", "q"}[:2*r.Intn(2)]
	b.WriteString("test t\n")
	if len(vars) > 0 {
		b.WriteString("  var p q : E\n")
	}
	goals := []string{"a", "b", "c", "0", "1"}
	for range 4 {
		t := r.term(2+r.Intn(3), vars)
		goals = append(goals, t)
		b.WriteString("  start " + t + "\n")
	}
	if r.Intn(5) < 2 {
		fmt.Fprintf(&b, "  assume %s = %s\n", r.term(2, nil), r.term(1, nil))
	}
	if r.Intn(3) == 0 {
		fmt.Fprintf(&b, "  assume R %s\n", r.term(1, nil))
	}
	for range r.Intn(4) {
		fmt.Fprintf(&b, "  assume S %s %s\n", r.term(1, nil), r.term(1, nil))
	}
	for range 5 {
		goals = append(goals, r.term(1, vars))
	}
	for i, s := range goals {
		for _, t := range goals[:i] {
			fmt.Fprintf(&b, "  prove %s = %s\n", s, t)
		}
	}
	b.WriteString("  limit nodes 200 iterations 5\n  refute lam (\\x -> f (f (f (f (f x))))) = lam (\\x -> f (f (f (f (f (f x))))))\n")
	return b.String()
}

// TestRandomProofs: whatever small languages reach has a proof that the checker
// accepts, and whatever contradiction they reach is explained. EGAD_RANDOM says how
// many languages, and from which seed on: 5000 or 1@321.
func TestRandomProofs(t *testing.T) {
	runs, first := 150, int64(1)
	if s := os.Getenv("EGAD_RANDOM"); s != "" {
		n, seed, _ := strings.Cut(s, "@")
		runs, _ = strconv.Atoi(n)
		if x, err := strconv.ParseInt(seed, 10, 64); err == nil {
			first = x
		}
	}
	proofs, contradictions := 0, 0
	for seed := first; seed < first+int64(runs); seed++ {
		text := (&randomLanguage{Rand: rand.New(rand.NewSource(seed))}).text()
		f := loadText(t, text)
		res := runTest(t, f, f.Tests[0], runner.Options{Proofs: true})
		all, err := res.Proofs()
		if err != nil {
			t.Errorf("seed %d: %v\n%s", seed, err, text)
			continue
		}
		proofs += len(all)
		for _, p := range all {
			if err := follow.Chain(p.Store, p.Chain); err != nil {
				t.Errorf("seed %d: %v\n%s\n%s", seed, err, text, p)
			}
		}
		if res.Report.Stop != egraph.Contradiction {
			continue
		}
		contradictions++
		b, err := f.Blame(f.Tests[0], runner.Options{})
		if b == nil || err != nil {
			t.Errorf("seed %d: %v\n%s", seed, err, text)
			continue
		}
		switch from, to := ends(f, b.Proof); {
		case to == "holds":
			if x, y, ok := strings.Cut(from, " != "); !ok || x != y {
				t.Errorf("seed %d: %s is no contradiction\n%s", seed, from, text)
			}
		case from == to || !atom(from) || !atom(to):
			t.Errorf("seed %d: %s = %s is no contradiction\n%s", seed, from, to, text)
		}
	}
	t.Logf("%d languages, %d proofs, %d contradictions", runs, proofs, contradictions)
}

// atom reports whether a text is a symbol or a number of a random language.
func atom(s string) bool {
	_, err := strconv.Atoi(s)
	return err == nil || s == "a" || s == "b" || s == "c"
}
