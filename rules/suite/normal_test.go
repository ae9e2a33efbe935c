package suite

import (
	"fmt"
	"strings"
	"testing"

	"egad/rules/runner"
)

// A directed run brings terms to normal form whatever their size: what a substitution goes into has been
// rewritten as far as rules go.
func TestLargeNormalForm(t *testing.T) {
	const lang = "language l\nsort E\nnumber E\nsymbol s z : E\nop + E E : E\nop lam [x : E] x.E : E\nop app E E : E\nfold +\nruleset r\n" +
		"rule beta app (lam (\\x -> b)) e => b[x := e]\nrule s app s b => b + 1\nrule z z => 0\nschedule normal\n run r\n limits matches 100000\n"
	church := func(n int) string {
		return "(lam (\\f -> lam (\\x -> " + strings.Repeat("app f (", n) + "x" + strings.Repeat(")", n) + ")))"
	}
	for _, n := range []int{3, 8, 12} {
		power := fmt.Sprintf("app (app (app %s %s) s) z", church(n), church(2))
		f := loadText(t, fmt.Sprintf("%stest t\n start %s\n run normal\n prove %[2]s = %d\n", lang, power, 1<<n))
		res := runTest(t, f, f.Tests[0], runner.Options{Proofs: true})
		if err := res.Failed.Err(); err != nil {
			t.Errorf("2 to the %d: %v", n, err)
		} else if _, err := res.Proofs(); err != nil {
			t.Errorf("2 to the %d: %v", n, err)
		}
	}
}

// Where the least term of a class into which a rule substitutes becomes smaller, the rule finds what
// follows of it, too: G G y, which is y G, with i for y is i G, and not G G i alone.
func TestSubstitutionInSmallerTerm(t *testing.T) {
	const lang = "language l\nsort E\nop lam [x : E] x.E : E\nop app E E : E\nrule beta app (lam (\\x -> b)) e => b[x := e]\n"
	const g, i = "(lam (\\v -> lam (\\y -> app y v)))", "(lam (\\v -> v))"
	start := fmt.Sprintf("app (app (lam (\\v -> lam (\\y -> app (app v v) y))) %s) %s", g, i)
	f := loadText(t, fmt.Sprintf("%stest t\n start %s\n prove %[2]s = lam (\\v -> lam (\\y -> app y v))\n", lang, start))
	res := runTest(t, f, f.Tests[0], runner.Options{Proofs: true})
	if err := res.Failed.Err(); err != nil {
		t.Error(err)
	} else if _, err := res.Proofs(); err != nil {
		t.Error(err)
	}
}

// After a directed run a term is extracted that no rule rewrites, whatever it costs; if others have
// run since, any that costs little.
func TestExtractNormalForm(t *testing.T) {
	const lang = "language l\nsort E\nsymbol x y z : E\nop + E E : E commutative\nop * E E : E\nop neg E : E\nop shift[n] E : E\nruleset r\nrule less shift[n] a => shift[n - 2] a\nrule dist neg (a + b) => neg a + neg b\n" +
		"rule assoc a * b * c => a * (b * c)\nrule neg neg (neg a) => a\nruleset s\nrule comm a * b => b * a\nschedule normal\n run r\n"
	for _, c := range []struct{ text, want string }{
		{"start neg (x + y)\n run normal\n extract neg (x + y) => neg y + neg x", ""},
		{"start neg (x + y)\n run normal\n extract neg (x + y) => neg (x + y)", "t: extracted neg x + neg y, expected neg (x + y)"},
		{"start x * y * z\n run normal\n extract x * y * z => x * (y * z)", ""},
		{"start x * y * z\n run normal\n extract x * y * z => x * y * z", "t: extracted x * (y * z), expected x * y * z"},
		{"start neg (x + neg y)\n run normal s\n extract neg (x + neg y) => neg x + y", ""},
		{"start neg (x + neg y)\n run normal normal\n extract neg (x + neg y) => neg x + y", ""},
		{"start neg (x + y)\n run normal normal\n extract neg (x + y) => neg y + neg x", ""},
		{"start x * y * z\n run r normal\n extract x * y * z => x * (y * z)", ""},
		{"start neg (neg (x + y)) * y * z\n run normal r normal\n extract neg (neg (x + y)) * y * z => (x + y) * (y * z)", ""},
		{"start shift[5] x\n run normal normal\n extract shift[5] x => shift[1] x", ""},
		{"start shift[1] x\n assume shift[1] x = x + y\n run normal\n extract shift[1] x => shift[1] x", ""}, // no rule has a value there
		{"start neg (x + y)\n run s normal\n extract neg (x + y) => neg y + neg x", ""},
		{"start neg (x + y)\n run normal s\n extract neg (x + y) => neg (x + y)", ""},
	} {
		f := loadText(t, lang+"test t\n "+c.text+"\n")
		if got := messages(runTest(t, f, f.Tests[0], runner.Options{}).Failed); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.text, got, c.want)
		}
	}
}
