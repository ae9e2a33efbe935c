package props

import (
	"fmt"
	"strings"
	"testing"

	"egad/diag"
	"egad/internal/golden"
	"egad/rules/load"
	"egad/term"
)

// wrongOperators are declarations, and rules about them, with a mistake.
var wrongOperators = []struct{ mistake, text string }{
	{"a meaning of another type", `
operator running[k](a: R[k]): R[k] linear = sum (build k (\i -> a[i]))
`},
	{"a meaning that fits some ranks only", `
operator first[k, sh...](a: R[k, sh...]): R[sh...] linear = a[0, 0]
`},
	{"not linear", `
operator squares[k](w: R[k], a: R[k]): R[k] linear = build k (\i -> w[i] * a[i] * a[i])
`},
	{"no map for the last operand", `
operator weigh[k](w: R[k], a: R[k]): R linear = sum (w * a)
ruleset nabla
rule nabla_weigh exact
  nabla (weigh w a) => [lcompose (lmap sum @a) (lscale a)]
`},
	{"a map of another type", `
operator running[k](a: R[k]): R[k] linear = build k (\i -> sum (build k (\j -> if j <= i then a[j] else 0)))
ruleset nabla
rule nabla_running exact
  nabla (running a) => [lmap sum @a]
`},
	{"a wrong transpose", `
operator running[k](a: R[k]): R[k] linear = build k (\i -> sum (build k (\j -> if j <= i then a[j] else 0)))
ruleset linear_transpose
rule transpose_running exact
  ltranspose (lmap running @s) => lmap running @s
`},
	{"a wrong application", `
operator weigh[k](w: R[k], a: R[k]): R[k] linear = w * a
ruleset linear_apply
rule apply_weigh exact
  lapply (lmap weigh w @s) x => weigh w w
`},
	{"an index that is not guarded", `
operator late[k](a: R[k]): R[k] linear = build k (\i -> a[i - 1])
ruleset bot_index
rule index_late exact
  index (late a) [u] => index a [u - 1]
`},
	{"a loop along the wrong axis", `
operator running[k, sh...](a: R[k, sh...]): R[k, sh...] linear = build k (\i -> sum (build k (\j -> if j <= i then a[j] else 0)))
ruleset bot_build
rule build_running exact
  build n (\i -> running t) => running (build n (\i -> t))
`},
}

// TestWrongOperators checks that mistakes in declarations of operators are found.
func TestWrongOperators(t *testing.T) {
	var out strings.Builder
	for _, w := range wrongOperators {
		sig := term.NewSignature()
		base, err := load.Builtin(sig)
		if err != nil {
			t.Fatal(err)
		}
		lib, err := load.Over(base, sig, &diag.Source{Name: "wrong.rules", Text: strings.TrimPrefix(w.text, "\n")})
		found, ok := err.(diag.List)
		if err != nil && !ok {
			t.Fatal(err)
		}
		how := RuleChecks{Count: 100, Seed: 1}
		rep := CheckRules(sig, lib.All(), how)
		rep.CheckOperators(sig, base.With(lib), lib.Operators, how)
		if found = append(found, rep.Findings...); len(found) == 0 {
			t.Errorf("%s is not found", w.mistake)
			continue
		}
		fmt.Fprintf(&out, "-- %s\n%v\n\n", w.mistake, found.Err())
	}
	golden.Check(t, "testdata/operators.golden", out.String())
}
