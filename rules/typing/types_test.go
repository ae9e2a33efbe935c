package typing_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"egad/diag"
	"egad/internal/golden"
	"egad/internal/testflag"
	"egad/rules/load"
	"egad/rules/typing"
	"egad/term"
)

// TestTypes keeps the most general types of the rules of egad in a golden file, and
// compares them with the obvious way: the types of both sides at instances. All are
// decided for all shapes.
func TestTypes(t *testing.T) {
	sig := term.NewSignature()
	lib, err := load.Builtin(sig)
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	for _, r := range lib.All() {
		rep := typing.Check(sig, r)
		if rep.Err != nil || rep.Undecided != "" {
			t.Errorf("%s: %v %s", r.Name, rep.Err, rep.Undecided)
		}
		fmt.Fprintf(&text, "%s\n  %s\n", r.Name, strings.Join(rep.Types, "\n  "))
		ins := rep.Instances()
		if len(ins) == 0 {
			t.Errorf("%s has no instance", r.Name)
		}
		for i := 0; i < len(ins); i += 1 + len(ins)/20 {
			if msg := ins[i].Check(sig); msg != "" {
				t.Errorf("%s: %s", r.Name, msg)
			}
		}
	}
	golden.Check(t, "testdata/types.golden", text.String())
}

// typed are rules with what is found out about their types: the types themselves, "!"
// and a message, or "?" and why they are not decided.
var typed = []struct{ rule, want string }{
	// Lists that are split, joined, and compared.
	{"index (index t us) vs => index t (us ++ vs)", "t : E[s1..., s2..., s3...], us... : I, vs... : I, both sides : E[s3...], len s1 = len us, len s2 = len vs, E is R, I or B"},
	{"index (gather ks t (\\is -> ix)) jx => gather [] t (\\[] -> ix) if len jx = len ks, is not in ix", "t : E[s1..., s2...], ix... : I, jx... : I, both sides : E[s2...], len s1 = len ix, E is R, I or B"},
	{"index (gather ks t (\\is -> ix)) jx => index t ix if is not in ix", "!the left side has type"},
	{"gather ks t (\\is -> is) => t if ks = take (len ks) (shape t)", "ks"},
	{"a + index t ix => index t ix + a", "a : E[s1...], t : E[s2..., s1...], ix... : I, both sides : E[s1...], len s2 = len ix, E is R or I"},
	{"reshape (k :: ks) t => reshape (ks ++ [k]) t", "!the left side has type"},
	{"reshape (k :: ks) (reshape (n :: ks) t) => reshape (k :: ks) t", "t : E[s1...], both sides : E[k, ks...], product s1 = product [n, ks...], product [n, ks...] = product [k, ks...], E is R, I or B"},
	{"sum (sum t) => sum (sum (tr [1, 0] t))", "t : E[s1, s2, s3...], both sides : E[s3...], E is R or I"},
	{"sum (tr [1, 0] t) => sum t", "!the left side has type"},
	{"sum (tr [1, 0] (replicate k t)) => sum (replicate k t) if [k] = take 1 (shape t)", "t : E[k, s1...], both sides : E[k, s1...], E is R or I"},
	{"index [(replicate k ts + tr p us)...] [j] => tr p (nth 0 ts) + tr p (nth 0 us)", "!builds an ill-typed term"},
	// Permutations.
	{"tr p (tr q t) => t if q = invert p", "q = (invert p), t : E[s1..., s2...], both sides : E[s1..., s2...], len s1 = len q, E is R, I or B"},
	{"tr p (tr p t) => t if p = invert p", "t : E[s1..., s2...], both sides : E[s1..., s2...], len s1 = len p, E is R, I or B"},
	{"tr p (tr p t) => t", "!the left side has type"},
	{"tr p (tr q t) => tr q (tr p t)", "!the left side has type"},
	{"tr p (tr q (tr r t)) => tr (compose p (compose q r)) t", "both sides"},
	{"tr q (replicate k (tr p t)) => replicate k t if q = lift (invert p)", "both sides : E[k, s1..., s2...]"},
	{"tr q (replicate k (index t ix)) => index (tr (lift q) (replicate k t)) ix if q = rotate (len ix)", "!"},
	{"tr [1, 2, 0] (tr [1, 2, 0] (tr [1, 2, 0] t)) => t", "t : E[s1, s2, s3, s4...], both sides : E[s1, s2, s3, s4...], E is R, I or B"},
	{"softmax (tr p t) => softmax t if t : R[k]", "p = [], t : R[k], both sides : R[k]"},
	{"tr p t => t if t : R[k]", "p = [], t : R[s1..., s2...], both sides : R[s1..., s2...]"},
	{"tr p (tr q t) => tr q (tr p t) if t : R[k]", "both sides : R[s1..., s2...]"},
	{"a + tr p a => tr p a + a", "a : E[s1..., s2...], both sides : E[s1..., s2...], len s1 = len p, s1 = (permute p s1), E is R or I"},
	{"tr p (a + tr p a) => a + tr p a", "both sides : E[(permute p s1)..., s2...], len s1 = len p, s1 = (permute p s1), E is R or I"},
	{"tr p (a + tr q a) => a + tr q a", "!the left side has type"},
	{"tr p (a + tr p a) => tr p a + tr p (tr p a)", "both sides : E[(permute p s1)..., s2...], len s1 = len p, s1 = (permute p s1)"},
	{"a + tr p a => a + tr (invert p) a", "s1 = (permute p s1)"},
	{"a + b + tr p b => tr p a + tr p (tr p b)", "s1 = (permute p s1)"},
	{"a + tr p (tr p a) => a + tr p a", "!builds an ill-typed term"},
	{"a + tr p (tr p a) + tr p (tr p (tr p a)) => tr p a + a", "both sides"},
	{"a + tr p a + tr q a => tr p (tr q a) + tr q (tr p a)", "both sides"},
	{"tr p (tr q t) => tr q (tr p t) if compose p q = compose q p", "both sides"},
	{"tr p (tr q (tr p t)) => tr p (tr q (tr p (tr p (tr p t)))) if p = invert p", "both sides"},
	{"tr p (tr p (tr p (tr p t))) => t if compose p p = invert (compose p p)", "both sides : E[(permute (compose p (compose p (compose p p))) s1)..., s2...]"},
	{"tr p (tr p (tr p t)) => t if compose p p = invert (compose p p)", "!the left side has type"},
	{"tr p (tr q (tr p t)) => t if compose p q = invert p", "q = (compose (invert p) (invert p)), t : E[s1..., s2...], both sides : E[s1..., s2...], len s1 = len p"},
	{"tr p (tr q (tr p t)) => tr q t if compose p q = invert p", "!the left side has type"},
	{"tr p (tr q t) => gather (permute (compose p q) (shape t)) t (\\is -> is)", "both sides : E[(permute (compose p q) [s1..., s2...])...], len s1 = len q"},
	{"tr p (tr q t) => gather (permute (compose q p) (shape t)) t (\\is -> is)", "!the left side has type"},
	{"index (tr p (tr q t)) ix => index (tr q t) (unpermute p ix)", "both sides : E[(drop (len s3 + len p) [(permute q s1)..., s2...])...], len s1 = len q"},
	{"lcompose (lmap tr p @s) (lmap tr q @R[sh...]) => lmap tr (compose p q) @R[sh...]", "s = R[(permute q s1)..., s2...], sh = [s1..., s2...], both sides : R[s1..., s2...] -o R[(permute (compose p q) [s1..., s2...])...]"},
	{"lcompose (lmap tr p @s) (lmap tr q @R[sh...]) => lmap tr (compose q p) @R[sh...]", "!the left side has type"},
	{"tr p a + tr q b => tr p (a + tr (compose (invert p) q) b)", "a : E[(permute (compose (invert p) q) [s1..., s2...])...], b : E[s1..., s2...], both sides : E[(permute q s1)..., s2...]"},
	{"tr p a + tr q b => tr p (a + tr (compose q (invert p)) b)", "!builds an ill-typed term"},
	{"tr p a + tr p (tr p b) => tr p (a + tr p b)", "a : E[s1..., s2...], b : E[(permute (invert p) s1)..., s2...], both sides : E[(permute p s1)..., s2...], len s1 = len p, E is R or I"},
	{"tr p a + tr q (tr p b) => tr q (tr p b) + tr p a", "a : E[s1..., s2..., s3...], b : E[s4..., s5..., s3...], both sides : E[(permute p [s1..., s2...])..., s3...], len s1 = len q, len s4 = len q, (permute (compose q p) [s4..., s5...]) = (permute p [s1..., s2...]), E is R or I"},
	{"tr p (tr q a) * tr p (tr q (tr p (tr q b))) => tr p (tr q (a * tr p (tr q b)))", "both sides : E[(permute (compose p q) [s1..., s2...])..., s3...]"},
	{"?op (tr p a) (tr p b) => tr p (?op a b) if ?op : commutative/2", "?op is +, *, min or max, a : E[s1..., s2...], b : E[s1..., s2...], both sides : E[(permute p s1)..., s2...], len s1 = len p, E is R or I"},
	// Lists of operands of different types.
	{"ltranspose (lpair m ms...) => ljoin (ltranspose m) (ltranspose ms)...", "m : s1 -o s2, ms... : s1 -o s3[i], both sides : (s2, s3[i]...) -o s1"},
	{"lcompose (lproj 1 @s) (lpair m ms...) => nth 0 ms", "s = (s1, s2[i]...), m : s3 -o s1, ms... : s3 -o s2[i], both sides : s3 -o s2[0]"},
	{"lcompose (lproj 1 @s) (lpair m ms...) => nth 1 ms", "!the left side has type"},
	{"lcompose (ljoin (lone @a) ms...) (lpair n ns...) => lcompose (ljoin (lone @a) ms...) (lpair n ns...)", "ms... : s1[i] -o a, n : s2 -o a, ns... : s2 -o s1[i], both sides : s2 -o a"},
	{"lcompose (ljoin ms... m) (lpair n ns...) => lcompose (ljoin ms... m) (lpair n ns...)",
		"ms... : (s1 -o s2, (s3[i] -o s2)...), m : s4 -o s2, n : s5 -o s1, ns... : ((s5 -o s3[i])..., s5 -o s4), both sides : s5 -o s2\nms... : (), m : s1 -o s2, n : s3 -o s1, ns... : (), both sides : s3 -o s2"},
	{"lcompose (ljoin ms... m) (lpair n ns...) => lcompose (ljoin ms... m) (lpair ns... n)", "!"},
	{"lapply (ljoin ms...) (x, xs...) => lapply (nth 0 ms) x + total [(lapply xs xs)...]", "!"},
	{"lapply (ljoin ms...) (x, xs...) => lapply (nth 0 ms) x", "ms... : (x -o s1, (xs[i] -o s1)...), x : x, xs... : xs[i], both sides : s1"},
	{"lapply (ljoin ms...) (x, xs...) => lapply (nth 1 ms) (nth 0 xs)", "!no element 1 in a list of 1"},
	{"lapply (lpair ms...) x => ((lapply ms x)...,)", "ms... : x -o s1[i], x : x, both sides : (s1[i]...,)"},
	{"lapply (ljoin m ms...) (xs...,) => lapply (ljoin m ms...) (xs...,)", "m : s1 -o s2, ms... : s3[i] -o s2, xs... : (s1, s3[i]...), both sides : s2"},
	{"lapply (ljoin m ms...) (xs...,) => lapply (ljoin ms... m) (xs...,)", "!"},
	{"proj 2 (a, b, as...,) => nth 0 as", "a : a, b : b, as... : as[i], both sides : as[0]"},
	{"proj n (as...,) => nth n as", "as... : as[i], both sides : as[n]"},
	{"proj n (as...,) => nth (n + 1) as", "!"},
	{"proj 0 (a, b) => b", "!the left side has type"},
	{"lapply (ljoin ms...) (xs...,) => total [(lapply ms xs)...]", "ms... : xs[i] -o s1, xs... : xs[i], both sides : s1"},
	{"lapply (lpair ms...) x => total [(lapply ms x)...]", "!"},
	{"[ts...] => [(build 1 (\\i -> ts))...]", "!the left side has type"},
	{"?op as... (abs a) bs... => ?op as... a bs... if ?op : commutative/2", "?op is +, *, min or max, as... : (), a : E[s1...], bs... : (E[s1...],), both sides : E[s1...], E is R or I"},
	// Lists of arrays of different shapes.
	{"proj n ((neg ts)...,) => neg (nth n ts)", "ts... : E(i)[s1[i]...], both sides : E(n)[s1[n]...], E(i) is R or I"},
	{"proj n ((neg ts)...,) => neg (nth 0 ts)", "!the left side has type"},
	{"proj n ((neg ts)...,) => neg (nth n ts) if nth n ts : R[sh...]", "ts... : E(i)[s1[i]...], both sides : R[sh...], E(i) is R or I"},
	{"proj n ((neg ts)...,) => neg (nth n ts) if nth 1 ts : R[k, sh...], nth n ts : I[k, k]", "both sides : I[k, k]"},
	{"proj 1 (a, (sum ts)...,) => sum (nth 0 ts)", "a : a, ts... : E(i)[s1[i], s2[i]...], both sides : E(0)[s2[0]...], E(i) is R or I"},
	{"proj n ((sum ts)...,) => nth n ts", "!the left side has type"},
	{"proj n ((sum (sum ts))...,) => sum (sum (tr [1, 0] (nth n ts)))", "ts... : E(i)[s1[i], s2[i], s3[i]...], both sides : E(n)[s3[n]...]"},
	{"proj n ((a + sum ts)...,) => a + sum (nth n ts)", "a : E[s1...], ts... : E[s2[i], s1...], both sides : E[s1...], E is R or I"},
	{"proj n ((sum ts + us)...,) => sum (nth n ts) + nth n us", "ts... : E(i)[s1[i], s2[i]...], us... : E(i)[s2[i]...], both sides : E(n)[s2[n]...]"},
	{"proj n ((where m ts us)...,) => where m (nth n us) (nth n ts)", "m : B[s1...], ts... : E(i)[s1...], us... : E(i)[s1...], both sides : E(n)[s1...]"},
	{"proj n ((tr p (tr q ts))...,) => tr (compose p q) (nth n ts)", "both sides : E(n)[(permute (compose p q) [s1[n]..., s2[n]...])...], len s1[i] = len q"},
	{"proj n ((tr p (tr q ts))...,) => tr p (nth n ts)", "!the left side has type"},
	{"proj n ((ts + tr p ts)...,) => tr p (nth n ts) + nth n ts", "s1[i] = (permute p s1[i])"},
	{"proj n ((reshape sh (reshape r ts))...,) => reshape sh (nth n ts)", "ts... : E(i)[s1[i]...], both sides : E(n)[sh...], product s1[i] = product r"},
	{"((floor ts)...,) => (ts...,)", "!the left side has type"},
	{"((neg (neg ts))...,) => (ts...,)", "ts... : E(i)[s1[i]...], both sides : (E(i)[s1[i]...]...,)"},
	{"[(replicate k ts)...] => tr [1, 0] (replicate k [ts...])", "ts... : E[s1...], both sides : E[len ts, k, s1...]"},
	{"lapply (ljoin m ms...) ((tr p xs)...,) => lapply m (tr p (nth 0 xs))",
		"m : R[(permute p s1)..., s2...] -o s3, ms... : R[(permute p s4[i])..., s5[i]...] -o s3, xs... : (R[s1..., s2...], R[s4[i]..., s5[i]...]...)"},
	{"lapply (ljoin m ms...) ((sum xs)...,) => lapply m (sum (nth 1 xs))", "!"},
	{"lapply (ljoin ms... m) ((reshape sh xs)...,) => lapply m (reshape sh (nth (len ms) xs))", "xs... : (R[s2[i]...]..., R[s3...]), both sides : s1, product s2[i] = product sh, product s3 = product sh"},
	{"lapply (lpair (lscale as)... (lscale b)) x => (as..., b * x)", "as... : R[s1...], b : R[s1...], x : R[s1...], both sides : (R[s1...]..., R[s1...])"},
	{"proj n ((proj k ts)...,) => proj k (nth n ts)", "?a list of tuples of different lengths"},
	// Sizes in conditions are numbers of the type of what stands beside them.
	{"neg t => neg (neg (neg t)) if product (take 1 (shape t)) / 2 < 3", "t : E[s1, s2...], both sides : E[s1, s2...]"},
	{"neg t => neg (neg (neg t)) if product (take 1 (shape t)) div 2 < 3", "t : E[s1, s2...], both sides : E[s1, s2...]"},
	{"neg t => neg (neg (neg t)) if t + product (take 1 (shape t)) < 3", "t : E[s1, s2...], both sides : E[s1, s2...]"},
	{"neg t => neg (neg (neg t)) if not (product (take 1 (shape t)) + 2) < 3", "!asks for an ill-typed term"},
	// One operand is no list.
	{"index [t, ts...] (0 :: vs) => index ts... vs", "!builds an ill-typed term: operand 1 is missing"},
	// What stands for a variable has its type.
	{"build k (\\i -> let v = t in u) => build k (\\i -> let x = t in u[v := x])", "t : E[s1...], u : F[s2...], both sides : F[k, s2...]"},
	{"build k (\\i -> let v = t in u) => build k (\\i -> let x = i in u[v := x])", "!I cannot stand for v"},
	// A type is not part of itself.
	{"lcompose (linj k @s) (linj k @s) => lone @s", "!no shapes give the left side a type"},
	{"lcompose (lproj k @s) (lcompose (lproj k @s) m) => m", "!no shapes give the left side a type"},
	// There is no such component.
	{"proj 3 (a, b) => a", "!no shapes give the left side a type: there is no component 3 in (a, b)"},
	{"lcompose (lproj 5 @(R, R)) m => m", "!no shapes give the left side a type: there is no component 5 in (R, R)"},
	{"lcompose (lproj k @s) (linj k @s) => lone @t if self : t -o u", "both sides"},
	// Element types.
	{"floor a => a", "!the left side has type"},
	{"?op a b => ?op b a if ?op : zero-preserving/2", "?op is +, -, *, min or max, a : E[s1...], b : E[s1...], both sides : E[s1...], E is R or I"},
	{"?op a a => a if ?op : elementwise/2", "!the left side has type"},
	{"where m a b => a * m", "!"},
	{"real a + lit c => lit c + real a", "a : I[s1...], both sides : R[s1...]"},
	{"sum a => zero if sin a : R[]", "!no shapes give the left side a type"},
	// What conditions and functions of attributes compute has types, too.
	{"neg t => neg (t + zero) if t < product (take 1 (shape 1))", "!the type of a literal cannot be told from its context"},
	{"neg t => neg (t + zero) if t < product (take 1 (shape t))", "t : E[s1, s2...], both sides : E[s1, s2...]"},
	{"?op (lit a) => lit (fold1 ?op 1) if ?op : elementwise/1", "!the left side has type I and the right side R"},
	{"?op (lit a) (lit b) => lit (fold ?op a 1) if ?op : elementwise/2", "?op is div or mod, both sides : I[s1...]"},
	{"?op (lit a) (lit b) => lit (fold ?op 1 2) if ?op : elementwise/2", "!the left side has type I and the right side R"},
	{"?op (lit a) => lit (fold1 ?op (a + 1)) if ?op : elementwise/1", "?op is floor or round, both sides : I[s1...]"},
	{"not (a + a) => a", "!no shapes give the left side a type: not works on elements of type B"},
}

// TestTyped types rules, and compares with their instances.
func TestTyped(t *testing.T) {
	for _, c := range typed {
		sig := term.NewSignature()
		lib, err := load.Files(sig, &diag.Source{Name: "typed.rules", Text: "ruleset typed\nrule r real\n  " + c.rule + "\n"})
		if err != nil {
			t.Errorf("%s: %v", c.rule, err)
			continue
		}
		rep := typing.Check(sig, lib.Rule("r"))
		got := strings.Join(rep.Types, "\n")
		switch {
		case rep.Err != nil:
			got = "!" + rep.Err.Msg[len("rule r: "):]
		case rep.Undecided != "":
			got = "?" + rep.Undecided
		}
		if !strings.Contains(got, c.want) {
			t.Errorf("%s: %s, want %s", c.rule, got, c.want)
		}
		if rep.Err == nil {
			ins := rep.Instances()
			for i := 0; i < len(ins); i += 1 + len(ins)/1000 {
				if msg := ins[i].Check(sig); msg != "" {
					t.Errorf("%s: %s", c.rule, msg)
					break
				}
			}
		}
	}
}

// TestTypedMutants exchanges words in the rules of egad: where the types of what comes
// out are decided for all shapes, they are right at instances, and where both sides
// differ an instance shows it.
func TestTypedMutants(t *testing.T) {
	sig := term.NewSignature()
	lib, err := load.Builtin(sig)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 1))
	words := regexp.MustCompile(`[A-Za-z_]\w*(\.\.\.)?|[0-9]+|.|\n`)
	isWord := regexp.MustCompile(`^[A-Za-z0-9_]`)
	each, decided, wrong := 1, 0, 0
	if testflag.Long {
		each = 60
	}
	for _, r := range lib.All() {
		text, _, _ := strings.Cut(r.Text(), "\n  example")
		ws := words.FindAllString(text, -1)
		var at []int
		for i, w := range ws {
			if isWord.MatchString(w) && i > 4 { // not rule, its name, and its label
				at = append(at, i)
			}
		}
		for range each {
			other := slices.Clone(ws)
			for range 1 + rng.IntN(2) {
				other[at[rng.IntN(len(at))]] = ws[at[rng.IntN(len(at))]]
			}
			sig := term.NewSignature()
			lib, err := load.Files(sig, &diag.Source{Name: "mutant.rules", Text: "ruleset mutants\n" + strings.Join(other, "") + "\n"})
			if err != nil || len(lib.All()) == 0 {
				continue
			}
			m := lib.All()[0]
			rep := typing.Check(sig, m)
			if rep.Err != nil {
				wrong++
				continue
			}
			if rep.Undecided != "" {
				t.Logf("%s\n%s", m.Text(), rep.Undecided)
				continue
			}
			decided++
			ins := rep.Instances()
			for i := 0; i < len(ins); i += 1 + len(ins)/40 {
				if msg := ins[i].Check(sig); msg != "" {
					t.Errorf("%s\n%s\n%s", m.Text(), strings.Join(rep.Types, "\n"), msg)
					break
				}
			}
		}
	}
	t.Logf("%d decided, %d wrong", decided, wrong)
	if decided < 20 || wrong < 5 {
		t.Errorf("only %d are decided, and %d wrong", decided, wrong)
	}
}
