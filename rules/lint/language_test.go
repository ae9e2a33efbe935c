package lint

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"egad/diag"
	"egad/rules/load"
)

// TestLanguageWarnings warns of rules of a language that say nothing, say what another one
// says, or are never applied, and of no others.
func TestLanguageWarnings(t *testing.T) {
	const header = `language l
sort E
sort F
number E F
symbol x y : E
symbol p : F
op + E E : E commutative elementwise
op - E E : E elementwise
op lam [v : E] v.E : E
op let [v : E] E v.E : E
op s[c : number] E : E
op k[m, ns...] E : E
op f E : F
relation != E E
relation R E
`
	same := func(name string) string { return "both sides of the rule " + name + " are the same" }
	another := func(name, as, line string) string {
		return "the rule " + name + " is " + as + " (l, line " + line + ") under another name"
	}
	never := func(name string) string { return "this never holds, so that the rule " + name + " is never applied" }
	for _, c := range []struct{ text, want string }{
		{"rule r a + x => a + x", same("r")},
		{"ruleset m\nrule r a => a + x if a : E\nrule q a - x <=> a - y\nschedule s\n  run m", "the set m is run until no rule applies, and r always does: its left side is any term|the set m is run until no rule applies, and one that goes both ways always does: write => for <=>"},
		{"ruleset m\nrule r a => a + x if a : E\nschedule s\n  saturate m", ""},
		{"rule r a + x => x + a", same("r")}, // it is commutative
		{"rule r a - x => x - a", ""},
		{"rule r lam (\\v -> b - v) => lam (\\v -> b - v)", same("r")},
		{"rule r ?o a b => ?o a b if ?o : elementwise", same("r[+]")},
		{"rule r ?o a b => ?o b a if ?o : elementwise", ""}, // of - it says something
		{"rule r a + 0 => a\nrule q b + 0 => b", another("q", "r", "16")},
		{"rule r a + 0 => a\nrule q 0 + b => b", another("q", "r", "16")},
		{"rule r a - 0 => a\nrule q 0 - b => b", ""},
		{"rule r a + 0 => a\nrule q a + 1 => a", ""},
		{"rule r a - b <=> b - a", another("r-rev", "r", "16")},
		{"rule r let v = e in v => e\nrule q let w = c in w => c", another("q", "r", "16")},
		{"rule r let v = e in b => b if v not in b\nrule q let w = c in d => d if w not in d", another("q", "r", "16")},
		{"rule r let v = e in b => lam (\\v -> b)\nrule q let w = c in d => lam (\\w -> d) if w not in d", ""}, // one says less
		{"rule r s[c] a => a if c < 1\nrule q s[d] b => b if d < 1", another("q", "r", "16")},
		{"rule r s[1] a => a\nrule q s[2] a => a", ""},
		{"rule r s[c] a => s[c + 1] a\nrule q s[c] a => s[c + 2] a", ""},
		{"rule r k[1, ns...] a => a\nrule q k[1, ms...] b => b", another("q", "r", "16")},
		{"rule r a - c => 1 if a is variable, a not in c\nrule q b - d => 1 if b is variable, b not in d", another("q", "r", "16")},
		{"rule r a - c => 1 if a is variable, a not in c\nrule q b - d => 1 if b is variable", ""},
		{"rule r a - a => 0 if a != 0\nrule q b - b => 0 if b != 0", another("q", "r", "16")},
		{"rule r a - a => 0 if a != 0\nrule q b - b => 0", ""},
		{"rule r a => 1 if a : E\nrule q a => 1 if a : F", ""},
		{"rule r a => 1 if a : E, R a\nrule q b => 1 if b : E, R b", another("q", "r", "16")},
		{"fact r for a + b then R a\nfact q for c + d then R c", another("q", "r", "16")},
		{"fact r for a + b then R a\nrule q a + b => a", ""},
		{"ruleset one\nrule r a - 0 => a\nruleset two opaque\nrule q b - 0 => b", ""},
		{"rule r ?o a b => ?o b a if ?o : elementwise\nrule comm a - b => b - a", another("comm", "r[-]", "16")},
		{"rule one f a => f a\nrule r ?o (?o a b) c => ?o a (?o b c) if ?o : elementwise", same("one")},
		{"rule r k[m] a => a if m = 2, m != 2", never("r")},
		{"rule r a - b => a if distinct a a", never("r")},
		{"rule r a - b => a if a = x, distinct a x", never("r")},
		{"rule r a - b => a if distinct a x, x = b, a = b", never("r")},
		{"rule r a - b => a if a = x, distinct a y", ""},
		{"rule r a - b => a if a = x, distinct a b", ""},
		{"rule r a - b => a if a = 1, distinct 1 a", never("r")},
		{"rule r a - b => a if a = 1, a = 2", never("r")},
		{"rule r a - b => a if a = b, b = 1, a = 2", never("r")},
		{"rule r a - b => a if b = 1, a = 2, distinct a b", ""},
		{"rule r a - b => a if a = b, b != a", never("r")},
		{"rule r a - b => a if a != a", never("r")},
		{"rule r k[m] a => a if m = 1, m = 2", never("r")},
		{"rule r k[m] a => a if m < 1", ""}, // it may be 0
		{"rule r k[0] a => a", ""},
	} {
		l, err := load.Language(&diag.Source{Name: "l", Text: header + c.text + "\n"})
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		var got []string
		for _, w := range Language(l) {
			got = append(got, strings.TrimPrefix(w.Msg, "warning: "))
		}
		if s := strings.Join(got, "|"); s != c.want {
			t.Errorf("%s\nwarnings: %s\nwant      %s", c.text, s, c.want)
		}
	}
}

// TestManyRules: rules are compared with those only that may be the same.
func TestManyRules(t *testing.T) {
	const n = 10_000
	var text strings.Builder
	text.WriteString("language l\nsort E\nnumber E\nop f E E : E\n")
	for i := range n {
		fmt.Fprintf(&text, "rule r%d f a %d => f %d a\n", i, i, i+1)
	}
	text.WriteString("rule again f b 5000 => f 5001 b\n")
	l, err := load.Language(&diag.Source{Name: "l", Text: text.String()})
	if err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	got := Language(l)
	if len(got) != 1 || !strings.Contains(got[0].Msg, "again is r5000") {
		t.Error(got)
	}
	if d := time.Since(start); d > 5*time.Second {
		t.Errorf("%d rules take %v", n, d)
	}
}
