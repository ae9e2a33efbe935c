package suite

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"egad/diag"
	keep "egad/egraph/proof"
	"egad/rules/proof"
	"egad/rules/runner"
)

// TestBlame: a contradiction is proved down to two constants, what their values
// rest on included, and everything on the way is named.
func TestBlame(t *testing.T) {
	const head = "language l\nsort E\nnumber E\nsymbol x y T F : E\nop + E E : E\nop h E : E\nop k E : E\nop not E : E\nop < E E : E\n" +
		"fold +\nfold < gives T F\n"
	const meant = "sort V means B\nsymbol t yes : V means true\nsymbol f : V means false\nsort N means R\nnumber N\nsymbol z : N\nsymbol one uno : N means 1\nsymbol two : N means 2\n" +
		"op plus N N : N\nop w N : V\nfold plus as +\n"
	const rules = "rule guilty h m => 3\nrule ok1 k m => h m + 1\nrule ok2 k m => 2\n"
	for _, c := range []struct{ text, want string }{
		{rules + "test t\n  start k x", "2 4 of these rules one is unsound: ok2, ok1, guilty"},
		{rules + "test t\n  start h x + 1\n  assume h x + 1 = 2",
			"2 4 of these rules one is unsound, or an assumption is wrong: guilty; assumed: h x + 1 = 2"},
		{rules + "test t\n  start h x + 1 + 1\n  assume h x + 1 + 1 = 3",
			"3 5 of these rules one is unsound, or an assumption is wrong: guilty; assumed: h x + 1 + 1 = 3"},
		{rules + "test t\n  start h x + 1 + 1\n  assume h x + 1 = 2",
			"2 4 of these rules one is unsound, or an assumption is wrong: guilty; assumed: h x + 1 = 2"},
		{"test t\n  start 2 < 1\n  assume 2 < 1 = T", "T F this assumption is wrong: 2 < 1 = T"},
		{"test t\n  start x\n  assume x = 1\n  assume y = x\n  assume y = 2", "1 2 of these assumptions one is wrong: x = 1, y = x, y = 2"},
		{"rule bad not m => T\nrule nf not F => F\ntest t\n  start not (2 < 1)", "T F of these rules one is unsound: bad, nf"},
		{"relation != E E\nrule r A + B => A\nrule s k A => A\ntest t\n  start x + y\n  start k y\n  assume x + y = k y\n  assume x != y",
			"x != x holds of these rules one is unsound, or an assumption is wrong: r, s; assumed: x + y = k y, x != y"},
		{"rule bad h A => T if distinct A y\nrule r A + B => A\nrule s A + B => B\ntest t\n  start h x\n  start x + y",
			"x y of these rules one is unsound: r, s"},
		// The numbers of which a condition spoke are not told apart any more.
		{"rule lib2 h m => m if m is number\nrule r0 h m => x\ntest t\n  start h 1\n  start h 2", "1 2 of these rules one is unsound: lib2, r0"},
		{"op p E E : E\nrule lib2 h m => m if m is number\nrule r0 h m => x\nrule r1 p x m => m\ntest t\n  start h (p 1 2)\n  start h (h 1)",
			"1 2 of these rules one is unsound: lib2, r0, r1"},
		// So are symbols that mean different things, and numbers that such symbols are not.
		{meant + "rule bad w m => f\ntest t\n  start w one\n  assume w one = t", "t f of these rules one is unsound, or an assumption is wrong: bad; assumed: w one = t"},
		{meant + "test t\n  start one\n  assume one = two", "one two this assumption is wrong: one = two"},
		{meant + "test t\n  start one\n  assume one = 2", "2 one this assumption is wrong: one = 2"},
		{meant + "test t\n  start plus one 1\n  assume one = 1\n  assume plus one 1 = 3", "2 3 of these assumptions one is wrong: one = 1, plus one 1 = 3"},
		// What a comparison gives hides no value, where that means nothing itself.
		{meant + "op less N N : V\nsymbol Y Z : V\nfold less as < gives Y Z\ntest t\n  start less 1 2\n  assume less 1 2 = t\n  assume less 1 2 = f",
			"t f of these assumptions one is wrong: less 1 2 = t, less 1 2 = f"},
		{meant + "rule r z => 3\ntest t\n  start z\n  assume z = one", "3 one of these rules one is unsound, or an assumption is wrong: r; assumed: z = one"},
	} {
		f := loadText(t, head+c.text+"\n")
		b, err := f.Blame(f.Tests[0], runner.Options{})
		if b == nil || err != nil {
			t.Errorf("%s: no proof: %v", c.text, err)
			continue
		}
		from, to := ends(f, b.Proof)
		if got := from + " " + to + " " + b.Text; got != c.want {
			t.Errorf("%s: %s\n%s", c.text, got, written(t, b.Proof))
		}
	}
}

// TestSame: symbols that mean one thing may be equal, and so may those without a meaning.
func TestSame(t *testing.T) {
	f := loadText(t, `language l
sort V means B
symbol t yes : V means true
symbol f : V means false
symbol p q : V
sort N means R
number N
symbol z : N
symbol one uno : N means 1
op plus N N : N
fold plus as +
test same
  start plus one 2
  assume yes = t
  assume p = q
  assume p = f
  assume one = uno
  assume uno = 1
  assume plus z 2 = plus one 2
  prove plus one 2 = 3
`)
	if res := runTest(t, f, f.Tests[0], runner.Options{}); messages(res.Failed) != "" || res.Faulty() {
		t.Error(messages(res.Failed))
	}
}

// TestFaults: what a run shows to be wrong beside contradictions is proved too, and
// by as few rules as can be.
func TestFaults(t *testing.T) {
	const head = "language l\nsort E\nsort B\nsymbol x y z : E\nsymbol T F : B\nop f E : E\nop g E E : E\nop p E : B\n"
	for _, c := range []struct{ text, failed, want string }{
		{"rule a f m => m\nrule b g m n => m\nrule c g m n => f n\ntest t\n  start g x y\n  start g y z",
			"t: collapse: all symbols of the sort E are equal: x = y = z", "x = y of these rules one is unsound: b, c, a"},
		{"rule a p (f m) => T\nrule b f m => m\nrule c p m => F\ntest t\n  start p (f x)",
			"t: collapse: all symbols of the sort B are equal: T = F", "T = F of these rules one is unsound: a, c"},
		// One of the symbols is not there, or the test says that they are equal.
		{"rule b g m n => m\nrule c g m n => n\ntest t\n  start g x y", "", ""},
		{"test t\n  start x\n  start z\n  assume x = y\n  assume y = z", "", ""},
		{"rule a x => y\nrule b f y => f z\nrule c f m => m\ntest t\n  start f x", "", ""},
		// The short way is by rules that another way does without.
		{"rule a f m => g m m\nrule b g m m => m\nrule c f m => f (f m)\nrule d f (f m) => m\ntest t\n  start f x\n  refute f x = x",
			"t: proved, and should not be: f x = x", "f x = x what was to be refuted follows from these rules: c, d"},
		{"rule a f m => m\ntest t\n  start f x\n  assume y = f x\n  refute g y y = g x x",
			"t: proved, and should not be: g y y = g x x", "g y y = g x x what was to be refuted follows from these rules: a; assumed: y = f x"},
	} {
		f := loadText(t, head+c.text+"\n")
		res := runTest(t, f, f.Tests[0], runner.Options{})
		if got := messages(res.Failed); got != c.failed || res.Faulty() != (c.want != "") {
			t.Errorf("%s: %s, faulty: %v", c.text, got, res.Faulty())
		}
		b, err := f.Blame(f.Tests[0], runner.Options{})
		if err != nil || (b == nil) != (c.want == "") {
			t.Errorf("%s: %v, %v", c.text, b, err)
			continue
		}
		if b != nil {
			from, to := ends(f, b.Proof)
			if got := fmt.Sprint(from, " = ", to, " ", b.Text); got != c.want {
				t.Errorf("%s: %s", c.text, got)
			}
		}
	}
}

// TestBlameInTime: when there is no time to leave rules out, or for a proof, what is
// known is said.
func TestBlameInTime(t *testing.T) {
	f := loadText(t, `language l
sort E
number E
op + E E : E
fold +
rule comm A + B => B + A
rule bad A + B => A
test t
  start 1 + 2
`)
	if _, err := f.Blame(f.Tests[0], runner.Options{Time: 1}); err != keep.ErrTime {
		t.Error(err)
	}
}

// TestProofsInTime: what there is no time to prove is said where it stands in the test.
func TestProofsInTime(t *testing.T) {
	f := loadText(t, `language l
sort E
symbol x y : E
op + E E : E
rule comm A + B => B + A
test t
  start x + y
  prove x + y = y + x
`)
	res := runTest(t, f, f.Tests[0], runner.Options{Proofs: true})
	if ps, err := res.Proofs(); err != nil || len(ps) != 1 {
		t.Errorf("%d proofs, %v", len(ps), err)
	}
	res.time = 1
	_, err := res.Proofs()
	if list, ok := err.(diag.List); !ok || len(list) != 1 || messages(list) != "t: no proof of x + y = y + x: "+keep.ErrTime.Error() || list[0].Pos != f.Tests[0].Prove[0].Pos {
		t.Errorf("%v", err)
	}
}

// ends are the two terms of a proof.
func ends(f *File, p *Proof) (from, to string) {
	e := &p.Equations[p.Last()]
	both := f.Language.Text(p.Store, f.Tests[0].Free, e.From, e.To())
	return both[0], both[1]
}

// written is what is written of proofs.
func written(t *testing.T, proofs ...*Proof) string {
	t.Helper()
	var b strings.Builder
	for _, p := range proofs {
		w, err := p.Write()
		if err != nil {
			t.Fatal(err)
		}
		if err := json.NewEncoder(&b).Encode(w); err != nil {
			t.Fatal(err)
		}
	}
	return b.String()
}

// TestGaps: where conditions of a proof are not proved, the rest of it is shown, and what is
// missing is said.
func TestGaps(t *testing.T) {
	f := loadText(t, `language l
sort E
symbol x y : E
op f E : E
op g E : E
relation R E
relation S E
rule a f m => m if R m, S m
rule b g m => f m
fact r for g m then R m
fact s for g m then S m
test t
  start g x
  refute g x = x
`)
	a := f.newAttempt(f.Tests[0], true)
	if _, err := a.run(runner.Options{}, nil); err != nil {
		t.Fatal(err)
	}
	e := f.Tests[0].Refute[0]
	k, err := a.known(time.Time{}, e)
	if err != nil {
		t.Fatal(err)
	}
	if p, err := a.prove(k, e); err != nil || len(p.Gaps) > 0 {
		t.Fatal(p, err)
	}
	for i := range k.Equations {
		k.Equations[i].Evidence = nil
	}
	const why = "step 2, a: it is not proved that R m"
	p, err := a.prove(k, e)
	if err == nil || err.Error() != why {
		t.Fatalf("%v, expected %s", err, why)
	}
	for _, want := range []string{"by b, at the root", "by a, at the root", "-- a gap, by a: it is not proved that R m\n", "-- a gap, by a: it is not proved that S m\n"} {
		if !strings.Contains(p.String(), want) {
			t.Errorf("%q is not in\n%s", want, p)
		}
	}
	if err := p.Check(proof.Options{Assumed: k.Assumed, Language: k.Language}); err == nil || err.Error() != why {
		t.Errorf("it is accepted: %v", err)
	}
}

// TestAssumedTogether has assumptions about arrays that leave nothing, and some that look like it.
func TestAssumedTogether(t *testing.T) {
	for _, c := range []struct{ assume, want string }{
		{"x < 3.0|4.0 < x", "of these assumptions one is wrong: x < 3.0, 4.0 < x"},
		{"0.0 < x|x < 0.0", "of these assumptions one is wrong: 0.0 < x, x < 0.0"},
		{"x <= 3.0|3.0 <= x", ""},
		{"1.0 < 0.0", "this assumption is wrong: 1.0 < 0.0"},
		{"x = 1.0|x < 0.0", "of these assumptions one is wrong: x = 1.0, x < 0.0"},
		{"not (x < 3.0)|not (3.0 <= x)", ""}, // it is NaN
		{"x < 3.0|not (x < 3.0)", "of these assumptions one is wrong: x < 3.0, not (x < 3.0)"},
		{"i < 0|0 < i", "of these assumptions one is wrong: i < 0, 0 < i"},
		{"b|not b", "of these assumptions one is wrong: b, not b"},
		{"b && x < 1.0|not b", "of these assumptions one is wrong: b && x < 1.0, not b"},
		{"b|not (b && b)", ""},
		{"v|not v", "of these assumptions one is wrong: v, not v"},
	} {
		text := "ruleset mine\nrule twice exact neg (neg a) => a\ntest t\n  var x : R\n  var i : I\n  var b : B\n  var v : B[2]\n  start neg (neg x)\n"
		for _, a := range strings.Split(c.assume, "|") {
			text += "  assume " + a + "\n"
		}
		f := loadText(t, text)
		res := runTest(t, f, f.Tests[0], runner.Options{})
		if (res.Failed.Err() == nil) != (c.want == "") {
			t.Errorf("%s: %v", c.assume, res.Failed)
		}
		b, err := f.Blame(f.Tests[0], runner.Options{})
		switch {
		case err != nil:
			t.Errorf("%s: %v", c.assume, err)
		case b == nil && c.want != "" || b != nil && b.Text != c.want:
			t.Errorf("%s: %v", c.assume, b)
		}
	}
}
