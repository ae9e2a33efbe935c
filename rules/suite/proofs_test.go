package suite

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"egad/internal/follow"
	"egad/rules/runner"
)

// TestProofs runs the tests of the examples with proofs. What is proved has a
// proof, which is checked and a chain of steps, and figures are the same as without.
func TestProofs(t *testing.T) {
	files, err := filepath.Glob("../../examples/rewriting/*.rules")
	if err != nil || len(files) == 0 {
		t.Fatal("no examples", err)
	}
	proofs, steps := 0, 0
	for _, name := range files {
		f := loadFile(t, name)
		for _, x := range f.Tests {
			res := runTest(t, f, x, runner.Options{Proofs: true})
			if err := res.Failed.Err(); err != nil {
				t.Errorf("%s", err)
				continue
			}
			all, err := res.Proofs()
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
			if len(all) != len(x.Prove) {
				t.Errorf("%s, %s: %d proofs of %d", name, x.Name.Text, len(all), len(x.Prove))
			}
			for _, p := range all {
				proofs++
				steps += len(p.Chain.Steps)
				if err := follow.Chain(p.Store, p.Chain); err != nil {
					t.Errorf("%s, %s, %s: %v", name, x.Name.Text, p.Text, err)
				}
			}
		}
	}
	t.Logf("%d proofs of %d steps", proofs, steps)
}

// TestProofsOfConditions: a condition held when its rule matched, and is proved
// by what was known then, whatever has become equal since.
func TestProofsOfConditions(t *testing.T) {
	const head = "language z\nsort E\nnumber E\nsymbol a b c : E\nop f E : E\nop g E E : E\nop h E E : E\n" +
		"op lam [x : E] x.E : E\nop all [x : E] x.E : E\nop let [x : E] E x.E : E\nrelation R E\n"
	for _, c := range []struct{ about, text string }{
		{"a condition that is an equation of the same two terms", `
rule lib0 h x y => a if h x y = h y x
rule lib1 h x x => x
rule r0 g m0 m0 => all (\y1 -> y1)
test t
  start lam (\v2 -> h (g (h v2 v2) v2) 1)
  prove all (\v3 -> a) = all (\v4 -> v4)
`},
		{"an equation whose term is written otherwise by now", `
rule lib1 h x x => x
rule lib2 h x y => a if h x y = h y x
rule r1 all (\x1 -> m0) => let y2 = lam (\x1 -> b) in h y2 y2
rule r2 f b => h b b
test t
  start g (all (\v3 -> g c 0)) (let v4 = f b in v4)
  prove f a = a
`},
		{"a number that is known of a symbol", `
rule lib0 f x => x if x is number
rule lib1 g x y => x if x is symbol
rule lib2 h x y => x
rule lib3 h x y => y
test t
  start f a
  start g 1 c
  start h a 1
  prove f a = 1
  prove g 1 c = a
`},
		{"a symbol among symbols that became equal", `
rule lib1 g x y => h x y if x is symbol
rule lib2 g x y => g y x
rule r0 h m0 (g m1 m2) => a
rule r2 h m0 m1 => m1
test t
  start g (h (lam (\v1 -> b)) (g (g 0 1) (h 1 c))) (let v2 = g (h 2 0) c in h (g v2 a) 1)
  prove h 0 0 = g a a
`},
		{"a symbol with an assumption", `
rule lib0 g x y => h x y if x is symbol
rule r0 h m0 m0 => f a
rule r1 g m0 m1 => m1
test t
  start g (all (\v1 -> a)) c
  assume g (g b a) (g a b) = a
  prove f a = b
`},
		{"a variable on which nothing depends by now", `
rule lib0 f x => lam (\x -> x) if x is variable
rule r0 f m0 => m0
test t
  var p q : E
  start g (h (all (\v1 -> p)) (let v2 = f p in let v3 = p in v2)) (all (\v4 -> c))
  prove f q = lam (\v5 -> p)
`},
		{"a bound variable of that kind", `
rule lib1 f x => lam (\x -> x) if x is variable
rule r1 f m0 => m0
test t
  var p q : E
  start g (g 2 0) (f q)
  prove lam (\v1 -> lam (\v2 -> v1)) = lam (\v3 -> v3)
`},
		{"what a variable is bound in equals an older term", `
rule lib0 f x => lam (\x -> x) if x is variable
test t
  var p q : E
  start g (let v1 = 0 in p) (f q)
  assume c = lam (\v2 -> v2)
  prove c = f q
`},
		{"an index that is lost before the match is applied", `
rule r1 f m0 => a
rule r2 f m0 => m0
rule lib1 f x => lam (\x -> x) if x is variable
test t
  var p q : E
  start f q
  prove f q = lam (\x -> a)
`},
		{"the same change in two children, under a binder", `
rule lib0 f m => m
rule lib1 let x = e in B => B if x not in B
rule lib2 f x => lam (\x -> x) if x is variable
rule lib3 h (lam (\x -> B)) e => let x = e in B
test t
  var p q : E
  start h p (f q)
  start b
  start all (\v3 -> all (\v4 -> v4))
  start f 0
  assume g (let v7 = b in c) (let v8 = 1 in v8) = lam (\v9 -> 2)
  limit nodes 200 iterations 5
  refute 1 = 2
  prove lam (\v12 -> v12) = h p (f q)
`},
		{"a fact that binds a variable of the left side", `
fact ff for f x then R (lam (\x -> x)) if x is variable
test t
  var p q : E
  start f q
  prove R (lam (\x -> x))
`},
	} {
		f := loadText(t, head+c.text)
		res := runTest(t, f, f.Tests[0], runner.Options{Proofs: true})
		if err := res.Failed.Err(); err != nil {
			t.Errorf("%s: %v", c.about, err)
		}
		proofs, err := res.Proofs()
		if err != nil || len(proofs) == 0 {
			t.Errorf("%s: %d proofs: %v", c.about, len(proofs), err)
		}
		for _, p := range proofs {
			if err := follow.Chain(p.Store, p.Chain); err != nil {
				t.Errorf("%s: %v\n%s", c.about, err, p)
			}
		}
	}
}

// proofsOf runs the only test of a text, and gives its n proofs.
func proofsOf(t *testing.T, text string, n int) (*File, []*Proof) {
	t.Helper()
	f := loadText(t, text)
	proofs, err := runTest(t, f, f.Tests[0], runner.Options{Proofs: true}).Proofs()
	if err != nil || len(proofs) != n {
		t.Fatal(len(proofs), err)
	}
	return f, proofs
}

// TestConditionNames: conditions call variables what the steps call them.
func TestConditionNames(t *testing.T) {
	_, proofs := proofsOf(t, `language l
sort E
symbol y : E
op lam [x : E] x.E : E
op app E E : E
op sub E E E : E
rule same sub a e b => b if a is variable, a not in b
test t
  var p : E
  start lam (\x -> sub x y (lam (\z -> app p z)))
  start sub p y y
  prove lam (\x -> sub x y (lam (\z -> app p z))) = lam (\v -> lam (\v -> app p v))
  prove sub p y y = y
`, 2)
	for i, want := range []string{`"conditions":["v1 is variable","v1 not in lam (\\v2 -\u003e app p v2)"]`, `"conditions":["p is variable","p not in y"]`} {
		if got := written(t, proofs[i]); !strings.Contains(got, want) {
			t.Errorf("%s, expected %s", got, want)
		}
	}
}

// TestSharedProofs: what conditions have in common is proved, verified and printed
// once. Each of these facts rests on the two before, and there are 2^n ways down.
func TestSharedProofs(t *testing.T) {
	const n = 60
	number := "zero"
	for range n {
		number = "(s " + number + ")"
	}
	_, proofs := proofsOf(t, `language l
sort E
symbol zero : E
op s E : E
relation P E
fact step for s (s a) then P (s (s a)) if P a, P (s a)
test t
  start `+number+`
  assume P zero
  assume P (s zero)
  limit iterations 0
  prove (P `+number+`)
`, 1)
	if k := strings.Count(written(t, proofs...), `"reason":"step"`); k != n-1 {
		t.Errorf("%d steps are shown, want %d", k, n-1)
	}
}

// TestLargeTerms: steps that are made again, or in which operands change places, do not print large
// terms again.
func TestLargeTerms(t *testing.T) {
	large := "c"
	for range 9 {
		large = "(g " + large + " " + large + ")"
	}
	_, proofs := proofsOf(t, `language l
sort E
symbol a b c : E
op f E : E
op h E : E
op k E : E
op g E E : E commutative
rule r f w => h w
rule s h w => k w
test t
  start g (f `+large+`) (h (f `+large+`))
  prove g (f `+large+`) (h (f `+large+`)) = g (h (k `+large+`)) (k `+large+`)
`, 1)
	text := proofs[0].String()
	for _, want := range []string{". by steps 1 to 2 again, at 2.1 as at 1\n", ". operands change places, at the root\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("there is no %q in\n%s", want, text)
		}
	}
}

// TestLiteralArrays: a claim about a literal array holds of what equals one by what its operands
// equal: what is extracted is printed as a literal, and can be proved.
func TestLiteralArrays(t *testing.T) {
	f := loadText(t, strings.ReplaceAll(`ruleset mine
rule pick real
  ?op (lit a) (lit b) => lit (fold ?op a b)
  if ?op : elementwise/2
rule constb exact
  build k (\i -> t) => replicate k t
  if i not in t
test t
  var A : R[2, 3]
  var a : R[3]
  start replicate 3 (max 1.0 2.0)
  start replicate 2 (replicate 3 (max 1.0 2.0))
  start [max 1.0 2.0, 1.0]
  start [[1.0, max 1.0 2.0], [3.0, 4.0]]
  start replicate 2 2.0
  start replicate 2 (max 1.0 2.0)
  start a * max (sum A) (build 3 (\i -> 0.5))
  prove replicate 3 (max 1.0 2.0) = replicate 3 2.0
  prove replicate 2 (replicate 3 (max 1.0 2.0)) = replicate [2, 3] 2.0
  prove [max 1.0 2.0, 1.0] = [2.0, 1.0]
  prove [[1.0, 2.0], [3.0, 4.0]] = [[1.0, max 1.0 2.0], [3.0, 4.0]]
  prove replicate 2 (max 1.0 2.0) = replicate 2 2.0
  prove a * max (sum A) (build 3 (\i -> 0.5)) = a * max (sum A) 0.5
  refute replicate 3 1.0 = replicate 3 2.0
test axes
  var x : R
  start max 1.0 2.0 * x
  start replicate ones (max 1.0 2.0)
  prove replicate ones 2.0 = replicate ones (max 1.0 2.0)
  refute replicate ones 3.0 = replicate ones (max 1.0 2.0)
`, "ones", "[1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]"))
	res := runTest(t, f, f.Tests[0], runner.Options{Proofs: true})
	if got := messages(res.Failed); got != "" {
		t.Error(got)
	}
	if ps, err := res.Proofs(); err != nil || len(ps) != 6 {
		t.Errorf("%d proofs: %v", len(ps), err)
	}
	res = runTest(t, f, f.Tests[1], runner.Options{Proofs: true}) // of which forms are many
	if ps, err := res.Proofs(); err != nil || len(ps) != 1 || messages(res.Failed) != "" {
		t.Errorf("%d proofs: %v %s", len(ps), err, messages(res.Failed))
	}
}

// TestDeep: the text of a proof about a deep term is as long as its steps are many, and what it
// calls large terms is not what anything else is called.
func TestDeep(t *testing.T) {
	const text = `language deep
sort N
symbol z u1 : N
op s N : N
op add N N : N
rule zero add u1 y => y
rule suc  add (s x) y => s (add x y)
test t
  var v : N
  start add (%[1]su1%[2]s) (s (%[1]sv%[2]s))
  limit iterations 0 nodes 0
  prove add (%[1]su1%[2]s) (s (%[1]sv%[2]s)) = %[1]ss (%[1]sv%[2]s)%[2]s
`
	size := func(n int) int {
		f := loadText(t, fmt.Sprintf(text, strings.Repeat("s (", n), strings.Repeat(")", n)))
		ps, err := runTest(t, f, f.Tests[0], runner.Options{Proofs: true}).Proofs()
		if err != nil {
			t.Fatal(err)
		}
		out := ps[0].String()
		for _, want := range []string{"by suc, at the root", fmt.Sprintf("by zero, at 1×%d\n", n), ". add u1 (s ", "       u2 = s (s "} {
			if !strings.Contains(out, want) {
				t.Errorf("no %q in a proof of %d bytes", want, len(out))
			}
		}
		return len(out)
	}
	if some, more := size(100), size(300); more > 4*some {
		t.Errorf("proofs about terms of depth 100 and 300 have %d and %d bytes", some, more)
	}
}

// TestManyClaims: what was recorded is gone through once for all that a test proves.
func TestManyClaims(t *testing.T) {
	made := func(n int) float64 {
		var b strings.Builder
		b.WriteString("language l\nsort E\nop x[n] : E\nop f E : E\nop g E : E\nrule r f a => g a\ntest t\n")
		for i := range n {
			fmt.Fprintf(&b, " start f (f x[%d])\n prove f (f x[%[1]d]) = g (g x[%[1]d])\n", i)
		}
		f := loadText(t, b.String())
		res := runTest(t, f, f.Tests[0], runner.Options{Proofs: true})
		return testing.AllocsPerRun(1, func() {
			if ps, err := res.Proofs(); err != nil || len(ps) != n {
				t.Fatalf("%d proofs of %d: %v", len(ps), n, err)
			}
		})
	}
	if few, many := made(200), made(800); many > 6*few {
		t.Errorf("proofs of 200 claims allocate %v times, of 800 %v times", few, many)
	}
}

// TestManyInputs: a test of arrays takes time in proportion to what it has of inputs and terms.
func TestManyInputs(t *testing.T) {
	made := func(n int) float64 {
		var b, starts strings.Builder
		b.WriteString("ruleset r\nrule double real\n  a + a => 2 * a\ntest t\n")
		for i := range n {
			fmt.Fprintf(&b, "  var x%d : R\n", i)
			fmt.Fprintf(&starts, "  start x%d + x%[1]d\n  prove x%[1]d + x%[1]d = 2 * x%[1]d\n", i)
		}
		text := b.String() + starts.String()
		return testing.AllocsPerRun(1, func() {
			f := loadText(t, text)
			if res := runTest(t, f, f.Tests[0], runner.Options{}); len(res.Failed) > 0 || res.Faulty() {
				t.Fatal(res.Failed)
			}
		})
	}
	none := made(1)
	if few, many := made(100)-none, made(400)-none; many > 6*few {
		t.Errorf("a test with 100 inputs allocates %v times, with 400 %v times", few, many)
	}
}
