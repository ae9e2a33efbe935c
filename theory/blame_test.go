package theory

import (
	"fmt"
	"strings"
	"testing"

	"egad/diag"
)

// TestBlame: a contradiction is proved down to two constants, what their values
// rest on included, and everything on the way is named.
func TestBlame(t *testing.T) {
	const head = "language l\nsort E\nnumber E\nsymbol x y T F : E\nop + E E : E\nop h E : E\nop k E : E\nop not E : E\nop < E E : E\n" +
		"fold +\nfold < gives T F\n"
	const rules = "rule guilty (h ?x) => 3\nrule ok1 (k ?x) => (+ (h ?x) 1)\nrule ok2 (k ?x) => 2\n"
	for _, c := range []struct{ text, want string }{
		{rules + "test t\n  start (k x)", "2 4 of these rules one is unsound: ok2, ok1, guilty"},
		{rules + "test t\n  start (+ (h x) 1)\n  assume (+ (h x) 1) = 2",
			"2 4 of these rules one is unsound, or an assumption is wrong: guilty; assumed: (+ (h x) 1) = 2"},
		{rules + "test t\n  start (+ (+ (h x) 1) 1)\n  assume (+ (+ (h x) 1) 1) = 3",
			"3 5 of these rules one is unsound, or an assumption is wrong: guilty; assumed: (+ (+ (h x) 1) 1) = 3"},
		{rules + "test t\n  start (+ (+ (h x) 1) 1)\n  assume (+ (h x) 1) = 2",
			"2 4 of these rules one is unsound, or an assumption is wrong: guilty; assumed: (+ (h x) 1) = 2"},
		{"test t\n  start (< 2 1)\n  assume (< 2 1) = T", "T F this assumption is wrong: (< 2 1) = T"},
		{"test t\n  start x\n  assume x = 1\n  assume y = x\n  assume y = 2", "1 2 of these assumptions one is wrong: x = 1, y = x, y = 2"},
		{"rule bad (not ?x) => T\nrule nf (not F) => F\ntest t\n  start (not (< 2 1))", "T F of these rules one is unsound: bad, nf"},
		{"relation != E E\nrule r (+ ?a ?b) => ?a\nrule s (k ?a) => ?a\ntest t\n  start (+ x y)\n  start (k y)\n  assume (+ x y) = (k y)\n  assume (!= x y)",
			"!= holds of these rules one is unsound, or an assumption is wrong: r, s; assumed: (+ x y) = (k y), (!= x y)"},
		{"rule bad (h ?a) => T if distinct ?a y\nrule r (+ ?a ?b) => ?a\nrule s (+ ?a ?b) => ?b\ntest t\n  start (h x)\n  start (+ x y)",
			"x y of these rules one is unsound: r, s"},
		// The numbers of which a condition spoke are not told apart any more.
		{"rule lib2 (h ?x) => ?x if ?x is number\nrule r0 (h ?m) => x\ntest t\n  start (h 1)\n  start (h 2)", "1 2 of these rules one is unsound: lib2, r0"},
		{"op p E E : E\nrule lib2 (h ?x) => ?x if ?x is number\nrule r0 (h ?m) => x\nrule r1 (p x ?m) => ?m\ntest t\n  start (h (p 1 2))\n  start (h (h 1))",
			"1 2 of these rules one is unsound: lib2, r0"},
	} {
		th, err := Load(&diag.Source{Name: "l.rules", Text: head + c.text + "\n"})
		if err != nil {
			t.Fatalf("%s: %v", c.text, err)
		}
		p, err := th.Blame(th.Tests[0], Options{})
		if p == nil || err != nil {
			t.Errorf("%s: no proof: %v", c.text, err)
			continue
		}
		got := fmt.Sprint(p.Terms[0].Op.Name, " ", p.Terms[len(p.Steps)].Op.Name, " ", p.Blamed(th))
		if got != c.want {
			var b strings.Builder
			p.Write(&b, th)
			t.Errorf("%s: %s\n%s", c.text, got, b.String())
		}
	}
}
