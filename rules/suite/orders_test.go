package suite

import (
	"fmt"
	"math/big"
	"strings"
	"testing"

	"egad/rules/runner"
)

// TestOrdersOfAttributes: numbers that are attributes are in an order exactly if they are as rationals, however
// near they are to each other.
func TestOrdersOfAttributes(t *testing.T) {
	numbers := []string{"0", "1%3", "-1%3", "1%3", "0.1", "0.1000000000000000000001", "2", "3", "9007199254740992", "9007199254740993", "1e25", "10000000000000000000000001", "-1e25", "1%10000000000000000000000001", "6148914691236517205%18446744073709551615"}
	var b strings.Builder
	b.WriteString(`language orders
sort E
op arg[n, m] : E
op less E : E
op most E : E
op both[c : number] E : E
op two[c : number] E : E
op not E : E
rule less both[c] (two[d] a) => less a if c < d
rule most both[c] (two[d] a) => most a if c <= d
rule not both[c] (two[d] a) => not a if c != d
test t
`)
	var claims []string
	for i, c := range numbers {
		for j, d := range numbers {
			term := fmt.Sprintf("both[%s] (two[%s] (arg[%d, %d]))", c, d, i, j)
			fmt.Fprintf(&b, " start %s\n", term)
			x, y := rational(t, c), rational(t, d)
			for k, holds := range []bool{x.Cmp(y) < 0, x.Cmp(y) <= 0, x.Cmp(y) != 0} {
				verb := "refute"
				if holds {
					verb = "prove"
				}
				claims = append(claims, fmt.Sprintf(" %s %s = %s (arg[%d, %d])\n", verb, term, []string{"less", "most", "not"}[k], i, j))
			}
		}
	}
	b.WriteString(strings.Join(claims, ""))
	f := loadText(t, b.String())
	if res := runTest(t, f, f.Tests[0], runner.Options{}); len(res.Failed) > 0 {
		t.Errorf("%d claims fail, first: %v", len(res.Failed), res.Failed[0])
	}
}

func rational(t *testing.T, text string) *big.Rat {
	t.Helper()
	r, ok := new(big.Rat).SetString(strings.Replace(text, "%", "/", 1))
	if !ok {
		t.Fatal(text)
	}
	return r
}

// TestOrdersOfLiterals: of rules for arrays an order of literals is one of the floats, too.
func TestOrdersOfLiterals(t *testing.T) {
	for _, c := range []struct {
		of, in string
		holds  bool
	}{
		{"c <= d", "sin (0.1 * exp (0.1 * x))", true},
		{"c < d", "sin (0.1 * exp (0.1 * x))", false},
		{"c < d", "sin (0.1 * exp (0.2 * x))", true},
		{"c < d", "sin (0.1 * exp (0.10000000000000000000001 * x))", false}, // as floats they are the same
		{"c <= d", "sin (0.1 * exp (0.10000000000000000000001 * x))", true},
		{"c <= d", "sin (0.10000000000000000000001 * exp (0.1 * x))", false},
		{"c <= 0.1", "sin (0.1 * exp (3 * x))", true},
		{"c < d", "sin (9007199254740992.0 * exp (9007199254740993.0 * x))", false},
		{"c < inf, 0 < d", "sin (0.1 * exp (1e-30 * x))", true},
	} {
		f := loadText(t, "ruleset r\nrule to_cos real\n  sin (lit c * exp (lit d * a)) => cos a\n  if "+c.of+"\ntest t\n  var x : R\n  start "+c.in+"\n  refute "+c.in+" = cos x\n")
		if res := runTest(t, f, f.Tests[0], runner.Options{}); c.holds != (len(res.Failed) > 0) {
			t.Errorf("%s of %s: %v", c.of, c.in, res.Failed)
		}
	}
}
