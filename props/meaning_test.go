package props

import (
	"slices"
	"strings"
	"testing"

	"egad/diag"
	"egad/internal/testflag"
	"egad/rules/load"
	"egad/term"
)

// meant is a language whose operators have lists and attributes, with meanings.
const meant = `language lists
sort E means R
sort N means I
number E
symbol zero : E means 0.0
symbol third : E means 1 / 3
op add E... : E means \es -> sum es
op neg E : E means \a -> -a
op big E E... : E means \a es -> max a (maximum es)
op dot E E... : E means \a es -> a * sum es
op shift[n] E : E means \n a -> a + real n
op lin[c : number] E : E means \c a -> c * a
op lit[c : number] : E means \c -> c
op weigh[ns...] E : E means \ns a -> a + real (sum ns)
op tr[p : permutation] E : E means \p a -> a + real (sum (p * p))
op pick[n] E... : E means \n es -> es[n]
op poly[p : permutation, k] E : E means \p k a -> a * real (k + (if p[0] == 0 then 1 else 2))
op both[n, ms..., k, c : number] E E... : E means \n ms k c a es -> real (n - k + sum ms) + c * a + sum es
`

// TestMeanings tests rules about operators with lists and attributes by what these mean:
// beside each that is true some that are not.
func TestMeanings(t *testing.T) {
	for _, x := range []struct {
		right string
		wrong []string
	}{
		{"add as... (add bs...) cs... => add as... bs... cs...", []string{"add as... (add bs...) cs... => add as... bs... bs...", "add as... (add bs...) cs... => add as... cs...", "add as... (dot b bs...) cs... => add as... b bs... cs..."}},
		{"add as... zero bs... => add as... bs...", []string{"add as... third bs... => add as... bs...", "add as... 1 bs... => add as... bs..."}},
		{"add third third third => 1", []string{"add third third => 1"}},
		{"add (neg ts)... => neg (add ts...)", []string{"add (neg ts)... => add ts...", "big a (neg ts)... => neg (big a ts...)"}},
		{"add ts... => add (add zero ts)...", []string{"add ts... => add (add 1 ts)..."}},
		{"dot a bs... => add (dot a bs)...", []string{"big a bs... => add (dot a bs)...", "dot a bs... => add a bs..."}},
		{"big a bs... c ds... => big c bs... a ds...", []string{"dot a bs... c ds... => dot c bs... a ds..."}},
		{"add a b => add b a", []string{"pick[0] a b => pick[0] b a"}},
		{"pick[n] as... => pick[n + 1] zero as...", []string{"pick[n] as... => pick[n] zero as...", "pick[n] as... => pick[n + 1] as..."}},
		{"pick[n] as... b cs... => b if n = len as", []string{"pick[n] as... b cs... => b if n = len cs"}},
		{"add (shift[n] ts)... => shift[n * len ts] (add ts...)", []string{"add (shift[n] ts)... => shift[n] (add ts...)"}},
		{"shift[m] (shift[n] a) => shift[m + n] a", []string{"shift[m] (shift[n] a) => shift[m * n] a", "shift[m] (shift[n] a) => shift[m] a", "shift[m] (shift[n] a) => shift[m + n + 1] a"}},
		{"shift[n] (neg a) => shift[n - 2] (neg (add a (lit[-2])))", []string{"shift[n] (neg a) => neg (shift[n - 2] a)"}},
		{"shift[n] a => a if n = 0", []string{"shift[n] a => a if n < 2", "shift[n] a => a if n != 3"}},
		{"shift[n] a => a if n < 1", []string{"shift[n] a => a if n <= 1"}},
		{"shift[n] a => add n a", []string{"shift[n] a => dot n a"}},
		{"lin[c] (lin[d] a) => lin[c * d] a", []string{"lin[c] (lin[d] a) => lin[c + d] a", "lin[c] (lin[d] a) => lin[c] a"}},
		{"lin[c] a => a if c = 1", []string{"lin[c] a => a if c = -1", "lin[c] a => a if 0 < c"}},
		{"lin[c] (lit[d]) => lit[c * d]", []string{"lin[c] (lit[d]) => lit[c / d]"}},
		{"add (lit[c]) (lit[d]) => lit[c + d]", []string{"add (lit[c]) (lit[d]) => lit[c - d]"}},
		{"weigh[n, ns...] a => weigh[ns...] (shift[n] a)", []string{"weigh[n, ns...] a => weigh[ns...] a", "weigh[n, ns...] a => weigh[n, n, ns...] a"}},
		{"weigh[ns...] a => shift[product ns] a if len ns = 1", []string{"weigh[ns...] a => shift[product ns] a if len ns = 2"}},
		{"weigh[] a => a", []string{"weigh[1] a => a"}},
		{"tr[p] a => a if p = []", []string{"tr[p] a => a if len p = 2"}},
		{"tr[p] a => tr[invert p] a", []string{"tr[p] (tr[q] a) => tr[compose p q] a", "tr[p] a => tr[lift p] a"}},
		{"poly[[1, 0], k] a => poly[[0, 1], k + 1] a", []string{"poly[[1, 0], k] a => poly[[0, 1], k] a"}},
		{"both[n, ms..., k, c] a es... => add (both[0, ms..., 0, c] a) (lit[1]) es... if n = k + 1", []string{"both[n, ms..., k, c] a es... => add (both[0, ms..., 0, c] a) (lit[1]) es... if k = n + 1", "both[n, ms..., k, c] a es... => both[k, ms..., n, c] a es..."}},
	} {
		for i, text := range append([]string{x.right}, x.wrong...) {
			l, err := load.Language(&diag.Source{Name: "l", Text: meant + "rule r " + text})
			if err != nil {
				t.Errorf("%s: %v", text, err)
				continue
			}
			m := l.Meaning
			rep := CheckRules(m.Signature, m.Rules, RuleChecks{Count: 200, Seed: testflag.Seed})
			if len(m.Rules) == 0 {
				t.Errorf("%s: not tested: %v", text, m.Without)
				continue
			}
			if got, want := rep.Checked[0].Verdict, map[bool]Verdict{true: Holds, false: Wrong}[i == 0]; got != want {
				t.Errorf("%s: %s, not %s: %v", text, got, want, rep.Findings)
			}
		}
	}
}

// TestLaws compares what declarations say of operators with what these mean.
func TestLaws(t *testing.T) {
	const head = `language laws
sort R means R
sort I means I
sort B means B
sort S
number R I S
symbol a : R
symbol yes : B means true
symbol no : B means false
symbol one zero : R
`
	for _, x := range []struct {
		text string
		want []Verdict // of the laws, in order
	}{
		{"op + R R : R commutative means \\a b -> a + b\nfold +", []Verdict{Holds, Holds}},
		{"op - R R : R commutative means \\a b -> a - b", []Verdict{Wrong}},
		{"op m R R : R commutative means max", []Verdict{Holds}},
		{"op * R R : R means \\a b -> a + b\nfold *", []Verdict{Wrong}},
		{"op add[k] I I : I commutative means \\k a b -> (a + b) mod k", []Verdict{Holds}},
		{"op sub[k] I I : I commutative means \\k a b -> (a - b) mod k", []Verdict{Wrong}},
		{"op mix[a, a', ks..., c : number, p : permutation] R R : R commutative means \\k n ks c p x y -> c * (x + y) + real (k + n + sum ks + sum p)", []Verdict{Holds}},
		{"op lin[ks..., c : number] R R : R commutative means \\ks c x y -> c * x + y", []Verdict{Wrong}},
		{"op * I I : I commutative means \\a b -> a * b\nfold *", []Verdict{Holds, Holds}},
		{"op + I I : I commutative means \\a b -> a + 2 * b\nfold +", []Verdict{Wrong, Wrong}},
		{"op / I I : R means \\a b -> real a / real b\nfold /", []Verdict{Holds}},
		{"op / I R : R means \\a b -> real a / b\nfold /", []Verdict{Holds}},
		{"op ^ R I : R means \\a b -> a ^ real b\nfold ^", []Verdict{Holds}},
		{"op neg R : R means \\a -> a\nop minus I : I means \\a -> -a\nfold neg\nfold minus as neg", []Verdict{Wrong, Holds}},
		{"op < R R : B means \\a b -> a < b\nop <= I R : B means \\a b -> real a <= b\nfold < <= gives yes no", []Verdict{Holds, Holds}},
		{"op < R R : B means \\a b -> a < b\nfold < gives no yes", []Verdict{Wrong}},
		{"op < R R : B means \\a b -> a >= b\nfold < gives no yes", []Verdict{Holds}},
		{"op == I I : B commutative means \\a b -> a == b\nfold == gives yes no", []Verdict{Holds, Holds}},
		{"op == I I : B commutative means \\a b -> a < b\nfold == gives yes no", []Verdict{Wrong, Wrong}},
		{"op == R R : R means \\a b -> if a == b then 1 else 0\nfold == gives one zero", []Verdict{Wrong}}, // which may be any
		{"relation != R R means \\a b -> a != b", []Verdict{Holds}},
		{"relation != R R means \\a b -> a < b", []Verdict{Wrong}},
		// Of sorts without constants != is taken to be symmetric, and for nothing to be != to itself.
		{"relation != B B means \\a b -> a != b", []Verdict{Holds}},
		{"relation != B B means \\a b -> a && not b", []Verdict{Wrong}},
		{"relation != B B means \\a b -> true", []Verdict{Wrong}},
		{"relation != B B means \\a b -> false", []Verdict{Holds}},
		{"sort Q means R\nrelation != Q Q means \\a b -> abs (a - b) > 1", []Verdict{Holds}},
		{"op < R R : B means \\a b -> a < b\nfold < gives yes no\nrelation != B B means \\a b -> false", []Verdict{Wrong, Holds}},
		{"op + S S : S commutative\nfold +\nop f R : R means \\a -> a", nil},
	} {
		l, err := load.Language(&diag.Source{Name: "l", Text: head + x.text + "\n"})
		if err != nil {
			t.Errorf("%s: %v", x.text, err)
			continue
		}
		m := l.Meaning
		rep := CheckRules(m.Signature, m.Laws, RuleChecks{Count: 200, Seed: testflag.Seed})
		var got []Verdict
		for _, c := range rep.Checked {
			got = append(got, c.Verdict)
		}
		if !slices.Equal(got, x.want) {
			t.Errorf("%s: %s, not %s: %v", x.text, got, x.want, rep.Findings)
		}
	}
}

// TestRareValues: a rule may be wrong only at numbers that it speaks of, or that what its
// operators mean does, or that are made of these.
func TestRareValues(t *testing.T) {
	const head = `language rare
sort I means I
sort R means R
sort B means B
number I R
op * I I : I means \a b -> a * b
op / R R : R means \a b -> a / b
op == I I : B means \a b -> a == b
op < R R : B means \a b -> a < b
op if B R R : R means \c a b -> if c then a else b
op sel B I I : I means \c a b -> if c then a else b
op mod I I : I means \a b -> a mod b
op ev[n] I : I means \n a -> if n == 17 then a + 1 else a
op evs[ns...] I : I means \ns a -> if sum ns == 40 then a + 1 else a
op lit[c : number] R : R means \c a -> if c == 12.5 then a + 1 else a
op lst I... : I means sum
op at I : I means \a -> if a == 1234 then 1 else 0
op far R : R means \a -> if a > 1000000 then 1 else 0
`
	for _, text := range []string{
		"sel (a == 77) 1 0 => 0", "ev[n] a => a", "evs[ns...] a => a", "lit[c] a => a",
		"(if a < 77.125 then 1 else 0) => (if a < 77.25 then 1 else 0)",
		"sel (a mod 1000 == 7) 1 0 => 0", "sel (lst as... == 12) 1 0 => 0", "sel (a * b == 35) 1 0 => 0",
		"at a => 0", "at (a * 2) => 0", "sel (ev[n] a == 500) (ev[n] a) 0 => 0", "(if a / 12 < 40 then 1 else 0) => (if a < 481 then 1 else 0)", "far a => 0",
		"sel (a == b) (a * b) 5 => sel (a == b) (a * b) (sel (a == 91) 6 5)",
	} {
		l, err := load.Language(&diag.Source{Name: "l", Text: head + "rule r " + text + "\n"})
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if rep := CheckRules(l.Meaning.Signature, l.Meaning.Rules, RuleChecks{Count: 200, Seed: testflag.Seed}); rep.Wrong != 1 {
			t.Errorf("%s: %s", text, rep.Checked[0].Verdict)
		}
	}
	for _, text := range []string{
		"rule r exact where (a == 1234.5) (a + 1) a => a if a : R[]", "rule r exact b * where (1031 < k) 1 0 => b * 0 if k : I[], b : I[]",
		"rule r exact where (sum a == 77) 1 0 => 0 if a : R[n]",
	} {
		sig := term.NewSignature()
		lib, err := load.Files(sig, &diag.Source{Name: "r", Text: "ruleset s\n" + text + "\n"})
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if rep := CheckRules(sig, lib.All(), RuleChecks{Count: 200, Seed: testflag.Seed}); rep.Wrong != 1 {
			t.Errorf("%s: %s", text, rep.Checked[0].Verdict)
		}
	}
}

// What a counterexample says of operators with attributes and lists is written as the language writes it.
func TestMeantText(t *testing.T) {
	for rule, want := range map[string][2]string{
		"add x (weigh[3, 2, 4] y) (tr[[1, 0, 2]] x) (weigh[7] y) => both[1, 2, 2, 5, 2] x (tr[[]] y)": {"left   add x (weigh[3, 2, 4] y) (tr[[1, 0, 2]] x) (weigh[7] y)", "right  both[1, 2, 2, 5, 2] x (tr[[]] y)"},
		"add x 1 y => add y 2":           {"left   add x 1 y", "right  add y 2"},
		"dot x y y => dot x (weigh[] y)": {"left   dot x y y", "right  dot x (weigh[] y)"},
	} {
		l, err := load.Language(&diag.Source{Name: "l", Text: meant + "rule r " + rule})
		if err != nil {
			t.Fatal(err)
		}
		rep := CheckRules(l.Meaning.Signature, l.Meaning.Rules, RuleChecks{Count: 200, Seed: testflag.Seed})
		if len(rep.Findings) != 1 {
			t.Fatalf("%s: %v", rule, rep.Findings)
		}
		for _, side := range want {
			if !strings.Contains(rep.Findings[0].Error(), side+"\n") {
				t.Errorf("%s: %v\nhas no %s", rule, rep.Findings[0], side)
			}
		}
	}
}
