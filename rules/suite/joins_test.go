package suite

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"egad/egraph"
	"egad/internal/testflag"
	"egad/rules/runner"
)

// ofJoins are tests of a language in which conditions bind metavariables.
var ofJoins = []struct{ about, text string }{
	{"two facts that share a variable", "rule r f x => g x z if S x y, S y z\ntest t\n start f a\n assume S a b\n assume S b c\n prove f a = g a c\n refute f a = g a b\n refute f a = g b c"},
	{"whichever of two facts is the newer one", "fact p for f x then S x c\nfact q for h x x then S x a\nrule r g x x => z if S x y, S y z\ntest t\n start g a a\n start g b b\n start f b\n start h c c\n assume S a b\n assume S b c\n prove g a a = c\n prove g b b = a"},
	{"a fact of what is equal", "rule r f x => g x z if S x y, S y z\ntest t\n start f a\n assume S a b\n assume S c d\n assume b = c\n prove f a = g a d"},
	{"a fact that is there twice", "rule r f x => y if S x y, S y x\ntest t\n start f a\n start f c\n assume S a b\n assume S b a\n assume S c d\n prove f a = b\n refute f c = d"},
	{"an equation that takes a term apart", "rule r f x => g y z if x = h y z\ntest t\n start f a\n assume a = h b c\n prove f a = g b c\n refute f a = g c b"},
	{"an equation of terms that are nowhere on the left", "rule r f x => g y z if h x y = h z x\ntest t\n start f a\n start h a b\n assume h a b = h c a\n prove f a = g b c"},
	{"an equation that names a term", "rule r f x => g y y if y = h x b\ntest t\n start f a\n start f b\n start h a b\n prove f a = g (h a b) (h a b)\n refute f b = b"},
	{"an equation between names, before what binds one of them", "rule r f x => z if y = z, S x y\ntest t\n start f a\n assume S a b\n prove f a = b"},
	{"what binds something comes last", "rule r f x => z if S y z, S x y\ntest t\n start f a\n assume S a b\n assume S b c\n prove f a = c"},
	{"numbers and symbols in a fact", "rule r f x => y if S 7 y, S y a\ntest t\n start f d\n assume S 7 b\n assume S b a\n prove f d = b"},
	{"a fact for which something follows", "fact r for S x y then S y x, R y\ntest t\n start a\n assume S a b\n prove S b a\n prove R a\n prove R b"},
	{"a term of a relation that is no fact", "demand d for f x then R x\nfact r for R x then R (h x x)\ntest t\n start f a\n start f b\n start h a a\n start h b b\n assume R b\n prove R (h b b)\n refute R (h a a)"},
	{"other conditions on what is bound", "rule r f x => y if S x y, y is symbol, distinct x y\ntest t\n start f a\n start f b\n assume S a 1\n assume S a a\n assume S b c\n prove f b = c\n refute f a = a\n refute f a = 1"},
	{"what is told apart", "rule r f x => y if S x y, y != x\ntest t\n start f 1\n assume S 1 1\n assume S 1 2\n prove f 1 = 2"},
	{"both ways", "rule r f x <=> g x y if S x y\ntest t\n start f a\n start g b c\n assume S a c\n assume S b c\n prove f a = g a c\n prove g b c = f b"},
	{"a class alone", "rule r x => g x y if S x y\ntest t\n start a\n assume S a b\n limit iterations 3\n prove a = g a b"},
	{"operators of a class", "op k E : E c\nrule r ?o x => y if S x y, ?o : c\ntest t\n start k a\n assume S a b\n prove k a = b"},
	{"an operator that commutes", "op + E E : E commutative\nrule r f x => z if S x (y + z), R y\ntest t\n start f a\n assume S a (b + c)\n assume R c\n prove f a = b"},
	{"what stands under a binder", "fact s for h x x then S x (g x x)\nrule r lam (\\x -> f t) => lam (\\x -> u) if S t u\ntest t\n var z : E\n start lam (\\x -> f (g x 1))\n start lam (\\x -> f (g x z))\n start h (g z 1) (g z 1)\n prove lam (\\x -> f (g x 1)) = lam (\\x -> g (g x 1) (g x 1))\n refute lam (\\x -> f (g x z)) = lam (\\x -> g (g x z) (g x z))"},
	{"a fact that holds of all variables", "fact s for f x then S x (h x x)\nrule r lam (\\x -> f t) => lam (\\x -> u) if S t u\ntest t\n var z : E\n start lam (\\x -> f (g x z))\n prove lam (\\x -> f (g x z)) = lam (\\y -> h (g y z) (g y z))\n refute lam (\\x -> f (g x z)) = lam (\\y -> h (g z y) (g z y))"},
	{"the variable that a binder binds", "fact s for f x then S x (h x x)\nrule r lam (\\x -> g x t) => lam (\\x -> u) if S x u\ntest t\n var z : E\n start lam (\\y -> g y 3)\n start f z\n prove lam (\\y -> g y 3) = lam (\\y -> h y y)"},
	{"what does not mention a variable", "fact s for f x then S x (h x x)\nrule r g e (lam (\\x -> f t)) => u if S t u, x not in u\ntest t\n var z : E\n start g a (lam (\\y -> f z))\n start g b (lam (\\y -> f y))\n prove g a (lam (\\y -> f z)) = h z z\n refute g b (lam (\\y -> f y)) = h b b"},
	{"a term with variables that is nowhere on the left", "rule r lam (\\x -> f t) => lam (\\x -> q) if h q q = h t t\ntest t\n var z y : E\n start lam (\\x -> f (g x z))\n assume h a a = h b b\n start h (g z y) (g z y)\n prove lam (\\x -> f (g x z)) = lam (\\x -> g x z)"},
	{"a substitution of what is bound", "rule r f (lam (\\x -> t)) => t[x := y] if R y\ntest t\n start f (lam (\\x -> h x x))\n assume R b\n prove f (lam (\\x -> h x x)) = h b b"},
	{"a schedule", "ruleset s\nrule r f x => y if S x y\nschedule c\n run s\ntest t\n start h (f a) c\n assume S a b\n run c\n prove h (f a) c = h b c"},
	{"a fact with an attribute", "relation D[n] E E\nfact r for D[n] x y then D[n + 1] x z if S y z\ntest t\n start a\n assume S b c\n assume S c d\n assume D[1] a b\n prove D[3] a d\n refute D[2] a d"},
	{"attributes of facts", "relation D[n, m] E\nfact s for g x y then D[n, m] (g x y) if D[n, k] x, D[k, m] y\ntest t\n start g (g a b) c\n start g a c\n assume D[2, 3] a\n assume D[3, 4] b\n assume D[4, 2] c\n prove D[2, 2] (g (g a b) c)\n refute D[2, 2] (g a c)\n refute D[2, 4] (g (g a b) c)"},
	{"lists and permutations of facts", "relation D[ns...] E\nop tr[p : permutation] E : E\nop sh[ns...] E : E\nfact s for tr[p] x then D[(permute p ns)...] (tr[p] x) if D[ns...] x\nfact d for f x then D[ns...] (f x) if D[n, ns...] x\nrule r sh[ns...] x => x if D[ns...] x\ntest t\n start sh[5, 3] (f (tr[[2, 1, 0]] a))\n start sh[3, 5] (f (tr[[2, 1, 0]] a))\n assume D[3, 5, 7] a\n prove sh[5, 3] (f (tr[[2, 1, 0]] a)) = f (tr[[2, 1, 0]] a)\n refute sh[3, 5] (f (tr[[2, 1, 0]] a)) = f (tr[[2, 1, 0]] a)"},
	{"rational numbers of facts, and as terms", "relation L[c : number] E\nop sc[c : number] E : E\nrule r g x y => h p (sc[p + q] x) if L[p] x, L[q] y\ntest t\n start g a b\n assume L[1/2] a\n assume L[-2] b\n prove g a b = h 0.5 (sc[-3/2] a)"},
	{"attributes in an equation that takes a term apart", "op sh[n] E : E\nrule r f x => g n (sh[n + 1] y) if x = sh[n] y\ntest t\n start f a\n assume a = sh[2] b\n prove f a = g 2 (sh[3] b)"},
	{"attributes that are compared, before what binds them", "relation D[n] E\nop + E E : E\nrule r g x y => x if m = n + 1, n < 5, D[n] x, D[m] y\ntest t\n start g a b\n start g b a\n start g c d\n assume D[3] a\n assume D[4] b\n assume D[5] c\n assume D[6] d\n prove g a b = a\n refute g b a = b\n refute g c d = c"},
	{"computed attributes of a fact, before what binds what is in them", "relation D[n, ns...] E\nrule r g x y => x if D[n + 1, (take 1 ns)...] x, D[n, ns...] y\ntest t\n start g a b\n start g b a\n assume D[3, 7] a\n assume D[2, 7, 5] b\n prove g a b = a\n refute g b a = b"},
	{"facts that differ in attributes alone", "relation D[n] E\nop sh[n] E : E\nrule r f x => sh[n] x if D[n] x\ntest t\n start f a\n assume D[1] a\n assume D[2] a\n prove f a = sh[1] a\n prove sh[1] a = sh[2] a\n refute f a = sh[3] a"},
	{"an attribute of two facts", "relation D[n] E\nrule r f x => y if D[n] y, S y z, D[n] x\ntest t\n start f a\n assume D[2] a\n assume D[2] b\n assume S b d\n assume D[1] c\n assume S c d\n prove f a = b\n refute f a = c"},
	{"attributes under a binder", "relation D[n] E\nop sh[n] E : E\nfact s for h x x then D[4] (g x x)\nrule r lam (\\x -> f t) => lam (\\x -> sh[n] t) if D[n] t\ntest t\n var z : E\n start lam (\\x -> f (g x x))\n start h z z\n prove lam (\\x -> f (g x x)) = lam (\\x -> sh[4] (g x x))"},
	{"attributes in a schedule", "relation D[n] E\nop sh[n] E : E\nruleset s\nrule r f x => sh[n] x if D[n] x\nschedule c\n run s\ntest t\n start h (f a) c\n assume D[3] a\n run c\n prove h (f a) c = h (sh[3] a) c"},
	{"a fact with attributes for which something follows", "relation D[n] E\nop sh[n] E : E\nfact d for D[n] x then R (sh[n] x) if D[n] y, S x y\ntest t\n start a\n assume D[1] a\n assume D[1] b\n assume D[2] c\n assume S a b\n assume S c a\n prove R (sh[1] a)\n refute R (sh[2] c)"},
	{"facts of attributes alone", "relation D[n, m]\nrelation P[n, m]\nfact e for D[n, m] then P[n, m]\nfact t for P[n, m] then P[n, k] if D[m, k]\nop sh[n] E : E\nrule r sh[n] x => x if P[1, n]\ntest t\n start sh[3] a\n start sh[4] b\n assume D[1, 2]\n assume D[2, 3]\n assume D[5, 4]\n prove P[1, 3]\n prove sh[3] a = a\n refute sh[4] b = b\n refute P[3, 1]"},
	{"facts without operands, and no term to start with", "relation W\nrelation D[n]\nfact w for D[3] then W\nfact d for D[n] then D[n + 1] if n < 4, W\ntest t\n assume D[3]\n prove W\n prove D[4]\n refute D[5]\ntest u\n assume D[2]\n refute W\n refute D[3]"},
	{"a rule with lists", "op l E... : E\nrule r l as... x => l as... y if S x y\ntest t\n start l a b\n assume S b c\n assume S c d\n prove l a b = l a d\n refute l a b = l b d"},
	{"constants that rules do not look into", "fold h as +\nprune\nrule r f x => y if S (g x x) y\ntest t\n start f a\n assume S (g a a) b\n assume g a a = 3\n prove f a = b"},
}

const joinsHeader = "language l\nsort E\nnumber E\nsymbol a b c d : E\nop f E : E\nop g E E : E\nop h E E : E\nop lam [x : E] x.E : E\nrelation R E\nrelation S E E\nrelation != E E\n"

// TestConditionsBind: what conditions bind is found, whatever is not is not, and each proof is
// accepted.
func TestConditionsBind(t *testing.T) {
	for _, c := range ofJoins {
		f := loadText(t, joinsHeader+c.text+"\n")
		for _, naive := range []bool{false, true} {
			x := *f.Tests[0]
			x.Naive = naive
			res := runTest(t, f, &x, runner.Options{Proofs: true})
			if err := res.Failed.Err(); err != nil {
				t.Errorf("%s: %v", c.about, err)
			}
			if _, err := res.Proofs(); err != nil {
				t.Errorf("%s: %v", c.about, err)
			}
		}
	}
}

// relations are relations between numbers, and a function, of which some may be equal.
type relations struct {
	equal []int // by number the least one that it equals
	has   map[string]map[[2]int]bool
	up    map[int]int
}

func (r *relations) add(name string, x, y int) (news bool) {
	if r.has[name] == nil {
		r.has[name] = make(map[[2]int]bool)
	}
	news = !r.holds(name, x, y)
	r.has[name][[2]int{r.equal[x], r.equal[y]}] = true
	return news
}

func (r *relations) holds(name string, x, y int) bool {
	return r.has[name][[2]int{r.equal[x], r.equal[y]}]
}

// equate says that the function has a value.
func (r *relations) equate(x, y int) (news bool) {
	if old, has := r.up[r.equal[x]]; has {
		return r.unite(old, y)
	}
	r.up[r.equal[x]] = y
	return true
}

// unite says that two numbers are equal.
func (r *relations) unite(x, y int) bool {
	low, high := min(r.equal[x], r.equal[y]), max(r.equal[x], r.equal[y])
	if low == high {
		return false
	}
	for i, e := range r.equal {
		if e == high {
			r.equal[i] = low
		}
	}
	old := r.has
	r.has = make(map[string]map[[2]int]bool)
	for name, pairs := range old {
		for p := range pairs {
			r.add(name, p[0], p[1])
		}
	}
	if y, has := r.up[high]; has {
		delete(r.up, high)
		r.equate(low, y)
	}
	return true
}

// TestAllPairs: rules of facts and of terms that facts make equal say what trying all pairs, over
// and over again, says. All that is found has a proof.
func TestAllPairs(t *testing.T) {
	const text = "language l\nsort V\nsymbol lone %s : V\nop up V : V\nrelation edge V V\nrelation path V V\nrelation side V V\nrelation peak V V\n" +
		"fact step for edge x y then path x y\n" +
		"fact steps for path x y then path x z if path y z\n" +
		"fact sides for edge x y then side y z if edge x z\n" +
		"fact across for side x y then side z w if edge x z, edge y w\n" +
		"fact over for path x y then peak x z if edge y z, edge z x, side z w\n" +
		"rule loop up x => y if path x y, path y x\n"
	proofs := 0
	for seed := range testflag.Count(60, 1000) {
		r := rand.New(rand.NewSource(int64(seed)))
		n := 3 + r.Intn(5)
		rel := &relations{has: make(map[string]map[[2]int]bool), up: make(map[int]int)}
		var names []string
		for i := range n {
			names, rel.equal = append(names, fmt.Sprint("v", i)), append(rel.equal, i)
		}
		var b strings.Builder
		fmt.Fprintf(&b, text, strings.Join(names, " "))
		b.WriteString("test t\n limit nodes 0\n")
		for _, v := range names {
			fmt.Fprintf(&b, " start up %s\n", v)
		}
		if r.Intn(2) == 0 {
			x, y := r.Intn(n), r.Intn(n)
			rel.unite(x, y)
			fmt.Fprintf(&b, " assume %s = %s\n", names[x], names[y])
		}
		for range r.Intn(2 * n) {
			x, y := r.Intn(n), r.Intn(n)
			rel.add("edge", x, y)
			fmt.Fprintf(&b, " assume edge %s %s\n", names[x], names[y])
		}
		for changed := true; changed; {
			changed = false
			add := func(name string, x, y int) { changed = rel.add(name, x, y) || changed }
			for i := range n * n * n * n {
				x, y, z, w := i%n, i/n%n, i/n/n%n, i/n/n/n
				edge := func(x, y int) bool { return rel.holds("edge", x, y) }
				path := func(x, y int) bool { return rel.holds("path", x, y) }
				side := func(x, y int) bool { return rel.holds("side", x, y) }
				if edge(x, y) {
					add("path", x, y)
				}
				if path(x, y) && path(y, z) {
					add("path", x, z)
				}
				if edge(x, y) && edge(x, z) {
					add("side", y, z)
				}
				if side(x, y) && edge(x, z) && edge(y, w) {
					add("side", z, w)
				}
				if path(x, y) && edge(y, z) && edge(z, x) && side(z, w) {
					add("peak", x, z)
				}
				if path(x, y) && path(y, x) {
					changed = rel.equate(x, y) || changed
				}
			}
		}
		for _, name := range []string{"path", "side", "peak"} {
			for x := range n {
				for y := range n {
					verb := "refute"
					if rel.holds(name, x, y) {
						verb = "prove"
					}
					fmt.Fprintf(&b, " %s %s %s %s\n", verb, name, names[x], names[y])
				}
			}
		}
		proofs += checkProved(t, seed, b.String())
	}
	t.Logf("%d proofs", proofs)
}

// TestJoinedVariables: what is joined under binders is what a left side finds that has both parts
// below one operator. There the facts are terms of one class, so that they hold of all variables.
func TestJoinedVariables(t *testing.T) {
	const head = "language l\nsort E\nsymbol a b holds : E\nop f E : E\nop g E E : E\nop m E : E\nop k E : E\nop lam [x : E] x.E : E\n"
	forms := []struct{ joined, below string }{
		{head + "relation s E E\nfact mark for m t then s t (f t)\n" +
			"rule one k t => u if s t u\nrule inner lam (\\x -> k (g x t)) => lam (\\x -> g u x) if s t u, x not in t\n" +
			"rule two lam (\\x -> k t) => lam (\\x -> g v v) if s t u, s u v\nrule out g t (lam (\\x -> k u)) => u if s t u, x not in u\n", "k @"},
		{head + "op s E E : E\nop w E E : E\ndemand mark for m t then s t (f t)\nrule hold s t u => holds\n" +
			"rule one w (k t) (s t u) => u\nrule inner lam (\\x -> w (k (g x t)) (s t u)) => lam (\\x -> g u x) if x not in t\n" +
			"rule two lam (\\x -> w (k t) (w (s t u) (s u v))) => lam (\\x -> g v v)\nrule out g (w t (s t u)) (lam (\\x -> w (k u) holds)) => u if x not in u\n", "w (k @) holds"},
	}
	some := 0
	for seed := range testflag.Count(100, 5000) {
		r := rand.New(rand.NewSource(int64(seed)))
		var marked, asked []string
		for range 3 {
			marked, asked = append(marked, body(r, 2)), append(asked, body(r, 2))
		}
		if r.Intn(2) == 0 {
			asked[0] = marked[0]
		}
		var holds [2]string
		for i, form := range forms {
			two, out := form.below, "g @ "
			if i > 0 {
				two, out = "w (k @) (w holds holds)", "g (w @ holds) "
			}
			in := func(t, v string) string { return strings.ReplaceAll(t, "@", v) }
			var b strings.Builder
			b.WriteString(form.joined + "test t\n var p q : E\n limit iterations 5\n refute a = b\n")
			for _, x := range marked {
				fmt.Fprintf(&b, " start m %s\n start m (f %s)\n", in(x, "p"), in(x, "p"))
			}
			claim := func(from, to string) { fmt.Fprintf(&b, " start %s\n prove %s = %s\n", from, from, to) }
			for _, x := range asked {
				for _, v := range []string{"p", "q"} {
					claim(in(form.below, in(x, v)), "f "+in(x, v))
				}
				claim("lam (\\x -> "+in(form.below, in(x, "x"))+")", "lam (\\x -> f "+in(x, "x")+")")
				claim("lam (\\x -> "+in(form.below, "(g x "+in(x, "q")+")")+")", "lam (\\x -> g (f "+in(x, "q")+") x)")
				claim("lam (\\x -> "+in(two, in(x, "x"))+")", "lam (\\x -> g (f (f "+in(x, "x")+")) (f (f "+in(x, "x")+")))")
				claim(in(out, in(x, "p"))+"(lam (\\y -> "+in(form.below, "(f "+in(x, "p")+")")+"))", "f "+in(x, "p"))
			}
			f := loadText(t, b.String())
			res := runTest(t, f, f.Tests[0], runner.Options{})
			a := &attempt{Result: res, store: f.Tests[0].Program.Store}
			for _, e := range f.Tests[0].Prove {
				holds[i] += map[bool]string{true: "1", false: "0"}[a.holds(e)]
			}
		}
		if holds[0] != holds[1] {
			t.Errorf("seed %d: marked %v, asked %v: %s joined, %s below one operator", seed, marked, asked, holds[0], holds[1])
		}
		some += strings.Count(holds[0], "1")
	}
	t.Logf("%d claims hold", some)
	if some < 300 {
		t.Errorf("only %d claims hold", some)
	}
}

// Facts that share attributes are joined in work that grows as their number does, whatever the attribute, and wherever it stands.
func TestJoinedAttributes(t *testing.T) {
	const lang = "language l\nsort E\nsymbol it : E\nrelation edge[m, n] E\nrelation path[m, n] E\nrelation along[m, ns...] E\nrelation cost[c : number, n] E\n" +
		"relation known E E\nop item[n] : E\nop scaled[n] E : E\nop turned[n] E : E\nop pair E E : E\n"
	for _, c := range []struct{ facts, rule string }{
		{"edge[%d, %d]", "fact f for edge[a, b] x then path[a, c] x if edge[b, c] x"},
		{"edge[%d, %d]", "fact f for edge[b, c] x then path[a, c] x if edge[a, b] x"},
		{"along[%d, %d, 7]", "fact f for along[a, b, d] x then path[a, c] x if along[b, c, d] x"},
		{"along[%d, %d]", "fact f for along[a, ns...] x then path[a, a] x if along[a, ns...] x, along[m, ns...] x"},
		{"cost[%d, %d]", "fact f for cost[c, m] x then edge[m, n] x if cost[c, n] x"},
		{"pair (item[%[1]d]) (item[%[2]d]) = scaled[0] (item[%[1]d])\n assume known (item[%[1]d])", "fact f for known y z then path[0, 0] y if scaled[0] x = pair y w"},
		{"scaled[0] (item[%[1]d]) = turned[%[1]d] it\n assume cost[0, %[2]d]", "fact f for cost[0, n] z then path[n, n] z if scaled[0] x = turned[n] y"},
		{"cost[1, 2] (item[0])\n assume pair it (item[%[1]d]) = turned[%[2]d]", "fact f for pair x w then path[0, 0] v if pair x v = z, cost[c, n] w"},
	} {
		for _, n := range []int{100, 4000} {
			var b strings.Builder
			b.WriteString(lang + c.rule + "\ntest t\n limit nodes 100000\n start it\n")
			for i := range n {
				fmt.Fprintf(&b, " assume "+c.facts+" it\n", i, i+1)
			}
			f := loadText(t, b.String())
			rep := runTest(t, f, f.Tests[0], runner.Options{}).Report
			if rep.Stop != egraph.Saturated || rep.Matches() < n-1 || rep.Matches() > n || rep.Work > 100*n {
				t.Errorf("%s, %d facts: %v, work %d", c.rule, n, rep, rep.Work)
			}
		}
	}
}

// A fact for which something follows is known where it is found, and is not looked for again.
func TestKnownFacts(t *testing.T) {
	const lang = "language l\nsort E\nsymbol it : E\nrelation edge[m, n]\nrelation path[m, n, k]\nrelation along[m, ns...]\n"
	for _, rule := range []string{
		"fact f for path[a, b, c] then edge[c, d] if edge[c, d]",
		"fact f for path[7, b, c] then edge[c, d] if edge[c, d]",
		"fact f for along[a, ns...] then edge[a, d] if edge[a, d]",
	} {
		const n = 100
		var b strings.Builder
		b.WriteString(lang + rule + "\ntest t\n start it\n")
		for i := range n {
			fmt.Fprintf(&b, " assume edge[%d, %[1]d]\n assume path[7, %[1]d, %[1]d]\n assume along[%[1]d, 3, 4]\n", i)
		}
		f := loadText(t, b.String())
		rep := runTest(t, f, f.Tests[0], runner.Options{}).Report
		if rep.Stop != egraph.Saturated || rep.Matches() < n || rep.Work > 5*n {
			t.Errorf("%s: %v, work %d", rule, rep, rep.Work)
		}
	}
}
