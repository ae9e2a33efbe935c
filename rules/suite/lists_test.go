package suite

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"egad/rules/runner"
)

// ofLists are tests of a language whose operators have lists of operands, and attributes,
// with the messages of what fails.
var ofLists = []struct{ name, text, want string }{
	{"lists in other lists", "rule r add as... (add bs...) cs... => add as... bs... cs...\ntest t\n start add x (add y (add) z) (add x)\n prove add x (add y (add) z) (add x) = add x y z x\n refute add x y = add y x", ""},
	{"a list of one", "rule r add a => a\ntest t\n start add (add x)\n prove add (add x) = x\n refute add x y = x", ""},
	{"none", "rule r add => zero\ntest t\n start add\n start add x\n prove add = zero\n refute add x = zero", ""},
	{"what stands anywhere", "rule r add as... zero bs... => add as... bs...\ntest t\n start add x zero y zero\n prove add x zero y zero = add x y", ""},
	{"a list twice", "rule r pair (add as...) (add as...) => add as...\ntest t\n start pair (add x y) (add x y)\n start pair (add x y) (add x z)\n start pair (add x) (add x y)\n prove pair (add x y) (add x y) = add x y\n refute pair (add x y) (add x z) = add x y\n refute pair (add x) (add x y) = add x", ""},
	{"each of a list", "rule r add (neg ts)... => neg (add ts...)\ntest t\n start add (neg x) (neg y)\n start add (neg x) y\n start add\n prove add (neg x) (neg y) = neg (add x y)\n refute add (neg x) y = neg (add x y)\n refute add = neg (add)", ""},
	{"another of each of a list", "rule r add (neg ts)... => add (shift[1] ts)... \ntest t\n start add (neg x) (neg y)\n start add (neg x) y\n start add\n prove add (neg x) (neg y) = add (shift[1] x) (shift[1] y)\n refute add (neg x) y = add (shift[1] x) y", ""},
	{"another of each of two lists", "rule r add (pair as bs)... => pair (add (neg as)...) (add (pair bs as)...)\ntest t\n start add (pair x y) (pair z x)\n prove add (pair x y) (pair z x) = pair (add (neg x) (neg z)) (add (pair y x) (pair x z))", ""},
	{"one of all, and another of each", "rule r add (pair a ts)... => pair a (add (neg ts)...)\ntest t\n start add (pair x y) (pair x z)\n start add (pair x y) (pair y z)\n prove add (pair x y) (pair x z) = pair x (add (neg y) (neg z))\n refute add (pair x y) (pair y z) = pair x (add (neg y) (neg z))", ""},
	{"a symbol in each", "rule r add (pair x ts)... => add (pair ts x)...\ntest t\n start add (pair x y) (pair x z)\n start add (pair y y)\n prove add (pair x y) (pair x z) = add (pair y x) (pair z x)\n refute add (pair y y) = add (pair y x)", ""},
	{"another of each of so many", "rule r pair (neg ts)... => add (shift[2] ts)...\ntest t\n start pair (neg x) (neg y)\n prove pair (neg x) (neg y) = add (shift[2] x) (shift[2] y)", ""},
	{"each of a list replaced", "rule r pair (sum[k] (\\v -> b)) (add (neg ts)...) => add b[v := ts]...\ntest t\n start pair (sum[1] (\\v -> pair v z)) (add (neg x) (neg y))\n prove pair (sum[1] (\\v -> pair v z)) (add (neg x) (neg y)) = add (pair x z) (pair y z)", ""},
	{"two lists in step", "rule r pair (add as...) (add bs...) => add (pair as bs)...\ntest t\n start pair (add x y) (add z x)\n start pair (add x) (add y z)\n prove pair (add x y) (add z x) = add (pair x z) (pair y x)\n refute pair (add x) (add y z) = add (pair x y)", ""},
	{"places", "rule r neg (add ts...) => add (shift[position] ts)... (shift[len ts] zero)\ntest t\n start neg (add x y)\n prove neg (add x y) = add (shift[0] x) (shift[1] y) (shift[2] zero)", ""},
	{"places as terms", "fold +\nrule r neg (add ts...) => add (pair (pair position ts) (position + 1))...\ntest t\n start neg (add x y)\n prove neg (add x y) = add (pair (pair 0 x) 1) (pair (pair 1 y) 2)", ""},
	{"operands before a list", "rule r call f a as... => call (call f a) as...\nrule s call f => f\ntest t\n start call x y z\n prove call x y z = call (call x y) z", ""},
	{"lists under a binder", "rule r seq (\\v -> ts)... => add ts... if v not in ts\ntest t\n start seq (\\v -> x) (\\w -> y)\n start seq (\\v -> x) (\\w -> w)\n prove seq (\\v -> x) (\\w -> y) = add x y\n refute seq (\\v -> x) (\\w -> w) = add x x\n extract seq (\\v -> x) (\\w -> w) => seq (\\v -> x) (\\v -> v)", ""},
	{"terms with lists in conditions", "relation R E\nrule r add as... (neg a) bs... => a if R (add as... bs...), add as... = add bs...\ntest t\n start add x (neg y) x\n start add x (neg y) z\n start add x z\n start add x x\n start add z\n start add x\n assume R (add x x)\n assume R (add x z)\n prove add x (neg y) x = y\n refute add x (neg y) z = y", ""},
	{"facts of lists", "relation P E\nfact r for add as... then P (add as... zero) if P (add as...)\ntest t\n start add x\n assume P (add x)\n limit iterations 3\n prove P (add x zero zero)\n refute P (add y)", ""},
	{"demands of lists", "demand r for add a as... then add as...\ntest t\n start add x y z\n expect saturated nodes 7", ""},
	{"operator variables", "op f E E : E c\nop g E E E : E c\nop h E... : E c\nrule r ?o as... => add as... if ?o : c\ntest t\n start f x y\n start g x y z\n start h\n prove f x y = add x y\n prove g x y z = add x y z\n prove h = add", ""},
	{"spreads of operator variables", "op f E E : E c\nop g E : E c\nop h E... : E c\nrule r ?o (neg as)... => neg (?o as...) if ?o : c\ntest t\n start f (neg x) (neg y)\n start g (neg x)\n start h (neg x) (neg y)\n start f (neg x) y\n prove f (neg x) (neg y) = neg (f x y)\n prove g (neg x) = neg (g x)\n prove h (neg x) (neg y) = neg (h x y)\n refute f (neg x) y = neg (f x y)", ""},
	{"numbers", "rule r shift[m] (shift[n] a) => shift[m + n] a\nrule z shift[0] a => a\ntest t\n start shift[1] (shift[2] x)\n start shift[0] y\n prove shift[1] (shift[2] x) = shift[3] x\n prove shift[0] y = y\n refute shift[1] y = y", ""},
	{"a number that has no value", "rule r shift[n] a => shift[n - 2] a\ntest t\n start shift[5] x\n prove shift[5] x = shift[1] x\n refute shift[1] x = shift[0] x", ""},
	{"numbers that grow", "rule r shift[n] a => shift[n * 1000000] a\nrule s shift[n] a => zero if 3 < n * n * n * n * n * n\ntest t\n start shift[1000] x\n limit iterations 40\n expect limit nodes 5", ""},
	{"products that grow", "rule r block[ns...] a => block[product ns * product ns, ns...] a\ntest t\n start block[100, 3] x\n limit iterations 40\n expect limit nodes 4", ""},
	{"a difference of large numbers", "rule r block[m, n] a => shift[m * m * m - n * n * n] a\ntest t\n start block[1000000000, 1] x\n expect limit nodes 2", ""},
	{"a permutation that is too long", "rule r shift[n] a => tr[rotate n] a\ntest t\n start shift[1000000000] x\n start shift[2] y\n prove shift[2] y = tr[[1, 2, 0]] y\n refute shift[1000000000] x = x", ""},
	{"lists that grow", "rule r block[ns...] a => block[ns..., ns...] a\ntest t\n start block[2, 3] x\n limit iterations 60\n expect limit nodes 15", ""},
	{"operands that grow", "rule r add as... => add as... as...\ntest t\n start add x y\n limit iterations 60\n expect limit nodes 16", ""},
	{"the same number twice", "rule r pair (shift[n] a) (shift[n] b) => shift[n] (pair a b)\ntest t\n start pair (shift[1] x) (shift[1] y)\n start pair (shift[1] x) (shift[2] y)\n prove pair (shift[1] x) (shift[1] y) = shift[1] (pair x y)\n refute pair (shift[1] x) (shift[2] y) = shift[1] (pair x y)", ""},
	{"comparisons", "rule r shift[n] (shift[m] a) => a if n < m, m != 3, 2 * n = m\ntest t\n start shift[1] (shift[2] x)\n start shift[2] (shift[2] y)\n start shift[3] (shift[6] z)\n prove shift[1] (shift[2] x) = x\n prove shift[3] (shift[6] z) = z\n refute shift[2] (shift[2] y) = y", ""},
	{"permutations", "rule r tr[p] (tr[q] a) => tr[compose p q] a\nrule z tr[p] a => a if p = []\nrule i pair (tr[p] a) (tr[q] b) => zero if q = invert p\ntest t\n start tr[[1, 0, 2]] (tr[[1, 0]] x)\n start tr[[1, 2, 0]] (tr[[1, 2, 0]] y)\n start pair (tr[[1, 2, 0]] x) (tr[[2, 0, 1]] y)\n prove tr[[1, 0]] (tr[[1, 0]] x) = x\n prove tr[[1, 2, 0]] (tr[[1, 2, 0]] y) = tr[[2, 0, 1]] y\n prove pair (tr[[1, 2, 0]] x) (tr[[2, 0, 1]] y) = zero", ""},
	{"rational numbers", "rule r scale[c] (scale[d] a) => scale[c * d] a\nrule o scale[1] a => a\nrule m scale[-1] a => neg a\nrule h scale[c] a => a + a if c = 2\ntest t\n start scale[1/2] (scale[2] x)\n start scale[-0.5] (scale[2] y)\n start scale[2] z\n prove scale[1%2] (scale[2] x) = x\n prove scale[-1/2] (scale[2] y) = neg y\n prove scale[2] z = z + z\n refute scale[2] z = z", ""},
	{"lists of numbers", "rule r block[n, ns...] a => block[ns...] (shift[n] a)\nrule e block[] a => a\nrule p pair (block[ns...] a) b => shift[product ns] (block[(take 1 ns)...] b) if len ns = 2\ntest t\n start block[2, 3] x\n start pair (block[2, 3] x) y\n prove block[2, 3] x = shift[3] (shift[2] x)\n prove pair (block[2, 3] x) y = shift[6] (block[2] y)", ""},
	{"attributes as terms", "rule r shift[n] a => n + a\nrule s scale[c] a => pair c a\ntest t\n start shift[3] x\n start scale[-1/2] x\n prove shift[3] x = 3 + x\n prove scale[-1/2] x = pair (-0.5) x", ""},
	{"an operator with attributes alone", "op unit[n] : E\nrule r shift[n] unit[m] => unit[n + m]\ntest t\n start shift[2] unit[3]\n prove shift[2] unit[3] = unit[5]", ""},
	{"attributes and binders", "rule r sum[k] (\\v -> b) => shift[k] b if v not in b\nrule s sum[k] (\\v -> a + b) => (sum[k] (\\v -> a)) + (sum[k] (\\w -> let_ w (\\v -> b)))\nop let_ [v : E] E v.E : E\nrule b let_ w (\\v -> b) => b if v not in b\ntest t\n start sum[3] (\\v -> y)\n start sum[2] (\\v -> v + y)\n prove sum[3] (\\v -> y) = shift[3] y\n prove sum[2] (\\v -> v + y) = sum[2] (\\v -> v) + shift[2] y", ""},
	{"attributes in conditions", "relation R E\nrule r shift[n] a => a if R (shift[n + 1] a)\ntest t\n start shift[1] x\n start shift[2] x\n assume R (shift[2] x)\n prove shift[1] x = x\n refute shift[2] x = x", ""},
	{"both orders with attributes", "op mix[n, ns..., c : number] E E : E commutative\nrule r mix[n, c] zero a => a\nrule s mix[n, k, ns..., c] a (neg b) => mix[k, ns..., c] b a\ntest t\n start mix[1, 2] x zero\n start mix[1, 0, 2] (neg x) y\n start mix[1, 2] x y\n prove mix[1, 2] x zero = x\n prove mix[1, 0, 2] (neg x) y = mix[0, 2] y x\n prove mix[1, 2] x y = mix[1, 2] y x\n refute mix[1, 2] x y = mix[2, 2] x y", ""},
	{"an attribute of a member", "op f[n] E : E c\nop g[n] E : E c\nrule r ?o[n] (?o[m] a) => ?o[n + m] a if ?o : c\ntest t\n start f[1] (f[2] x)\n start g[1] (f[2] x)\n prove f[1] (f[2] x) = f[3] x\n refute g[1] (f[2] x) = f[3] x", ""},
}

const listHeader = `language l
sort E
number E
symbol x y z zero : E
op + E E : E commutative
op add E... : E
op pair E E : E
op neg E : E
op call E E... : E
op seq [v : E] v.E... : E
op shift[n] E : E
op scale[c : number] E : E
op tr[p : permutation] E : E
op block[ns...] E : E
op sum[k] [v : E] v.E : E
`

func TestLists(t *testing.T) {
	for _, c := range ofLists {
		t.Run(c.name, func(t *testing.T) {
			f := loadText(t, listHeader+c.text+"\n")
			for _, naive := range []bool{false, true} {
				x := f.Tests[0]
				x.Naive = naive
				res := runTest(t, f, x, runner.Options{Proofs: true})
				if got := messages(res.Failed); got != c.want {
					t.Errorf("naive %v: %s", naive, got)
				}
				if _, err := res.Proofs(); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

// TestWords: a word that is read from its front, as a list attribute of which one element after the
// other is taken, takes memory in proportion to its length: its ends are parts of it.
func TestWords(t *testing.T) {
	const text = `language words
sort S
symbol even odd : S
op read[ns...] S : S

ruleset letters
rule zero  read[0, ns...] s => read[ns...] s
rule one   read[1, ns...] even => read[ns...] odd
rule other read[1, ns...] odd => read[ns...] even
rule end   read[] s => s

schedule all_letters
  run letters
  limits matches 10000

test word
  start read[%[1]s] even
  run all_letters
  limit nodes 0
  prove read[%[1]s] even = odd
`
	taken := func(ones int) uint64 {
		f := loadText(t, fmt.Sprintf(text, strings.Repeat("1, 0, ", ones-1)+"1"))
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		res := runTest(t, f, f.Tests[0], runner.Options{})
		runtime.ReadMemStats(&after)
		if err := res.Failed.Err(); err != nil {
			t.Error(err)
		}
		return after.TotalAlloc - before.TotalAlloc
	}
	if some, more := taken(501), taken(2001); more > 6*some {
		t.Errorf("words of 1001 and 4001 letters take %d and %d bytes", some, more)
	}
}
