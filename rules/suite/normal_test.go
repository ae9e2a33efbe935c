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
