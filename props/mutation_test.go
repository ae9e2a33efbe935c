package props

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"egad/diag"
	"egad/internal/golden"
	"egad/rules"
	"egad/rules/load"
	"egad/term"
)

// mutations are mistakes in the rules of egad: a text that occurs once in a file
// is replaced.
var mutations = []struct {
	mistake   string
	file      string
	rule      string
	old, new  string
	golden    bool
	loadError bool // reading the file finds it
}{
	{mistake: "swapped axes", file: "arrays.rules", rule: "gather_tr",
		old: `gather ks t (\is -> unpermute p ix)`, new: `gather ks t (\is -> permute p ix)`},
	{mistake: "a lost condition", file: "arrays.rules", rule: "gather_gather", golden: true,
		old: "if len ix = len js, ix inside js", new: "if len ix = len js"},
	{mistake: "an off-by-one permutation", file: "bot.rules", rule: "index_reduction", golden: true,
		old: "=> ?op (index (tr (rotate (len ix)) t) ix)", new: "=> ?op (index (tr (rotate (len ix - 1)) t) ix)"},
	{mistake: "a capture", file: "arrays.rules", rule: "gather_const", loadError: true,
		old: "replicate k (index t ix)\n  if i not in ix\n", new: "replicate k (index t ix)\n"},
	{mistake: "a wrong transpose", file: "linear.rules", rule: "transpose_mask", golden: true,
		old: "  ltranspose (lmask m) => lmask m", new: "  ltranspose (lmask m) => lmask (not m)"},
	{mistake: "a sign", file: "scalars.rules", rule: "neg_sub",
		old: "  neg (a - b) => b - a", new: "  neg (a - b) => a - b"},
	{mistake: "a missing guard", file: "bot.rules", rule: "index_op", golden: true,
		old: "elementwise\n  guard ix inside t\n", new: "elementwise\n"},
	{mistake: "a wrong derivative", file: "nabla.rules", rule: "nabla_tanh", golden: true,
		old: "  nabla (tanh a) => [lscale (1 - self * self)]", new: "  nabla (tanh a) => [lscale (1 - a * a)]"},
	{mistake: "local maps in the wrong order", file: "nabla.rules", rule: "nabla_mul",
		old: "  nabla (a * b) => [lscale b, lscale a]", new: "  nabla (a * b) => [lscale a, lscale b]"},
	{mistake: "a wrong case out of range", file: "bot.rules", rule: "index_replicate", golden: true,
		old: "index t vs\n  guard 0 <= u < k", new: "index t vs\n  guard 0 <= u <= k"},
}

// TestMutations plants mistakes in the rules of egad, of which TestBuiltinRules
// finds none wrong. Each is found.
func TestMutations(t *testing.T) {
	var kept strings.Builder
	for _, m := range mutations {
		t.Run(m.rule, func(t *testing.T) {
			src := mutant(t, m.file, m.old, m.new)
			from := strings.Index(src.Text, "\nrule "+m.rule+" ")
			to := from + 1 + strings.Index(src.Text[from+1:]+"\nrule ", "\nrule ")
			if from < 0 || !strings.Contains(src.Text[from:to], m.new) {
				t.Fatalf("the text is not in the rule %s", m.rule)
			}
			found := checkRule(t, src, m.rule)
			if len(found) == 0 {
				t.Fatal("the mistake is not found")
			}
			for _, f := range found {
				if int(f.Pos) < from || int(f.Pos) >= to {
					t.Errorf("a finding elsewhere: %v", f)
				}
				if m.loadError != !strings.Contains(f.Error(), m.rule) {
					t.Errorf("the finding is\n%v", f)
				}
			}
			if m.golden {
				fmt.Fprintf(&kept, "-- %s\n%v\n\n", m.mistake, found.Err())
			}
		})
	}
	// Rules may move in their files.
	moving := regexp.MustCompile(`(?m)^(\w+\.rules):\d+:`)
	golden.Check(t, "testdata/mutations.golden", moving.ReplaceAllString(kept.String(), "$1:…:"))
}

// mutant is a rule file of egad with a text that occurs once replaced.
func mutant(t *testing.T, file, from, to string) *diag.Source {
	t.Helper()
	for _, s := range load.Sources() {
		if s.Name != file {
			continue
		}
		if n := strings.Count(s.Text, from); n != 1 {
			t.Fatalf("%q occurs %d times in %s", from, n, file)
		}
		return &diag.Source{Name: file, Text: strings.Replace(s.Text, from, to, 1)}
	}
	t.Fatalf("there is no file %s", file)
	return nil
}

// checkRule reads a file in place of the built-in file of its name and checks one
// of its rules.
func checkRule(t *testing.T, src *diag.Source, name string) diag.List {
	t.Helper()
	sig := term.NewSignature()
	base, err := load.Builtin(sig)
	if err != nil {
		t.Fatal(err)
	}
	lib, err := load.Over(base, sig, src)
	found, ok := err.(diag.List)
	if err != nil && !ok {
		t.Fatal(err)
	}
	if r := lib.Rule(name); r != nil {
		found = append(found, CheckRules(sig, []*rules.Rule{r}, RuleChecks{Count: 120, Seed: 1}).Findings...)
	}
	return found
}
