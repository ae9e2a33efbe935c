package props

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"egad/diag"
	"egad/rules"
	"egad/term"
)

// ruleMutant is a rule of egad with one mistake.
type ruleMutant struct {
	rule, mistake string
	text          string // from the label on
}

func (m ruleMutant) String() string { return m.rule + ": " + m.mistake }

// ruleParts are the parts of the text of a rule: its label, its sides, and its
// conditions.
type ruleParts struct{ label, left, arrow, right, conds string }

func (p ruleParts) String() string {
	out := p.label + "\n  " + strings.TrimSpace(p.left) + " " + p.arrow + " " + strings.TrimSpace(p.right)
	if c := strings.TrimSpace(p.conds); c != "" {
		out += "\n  if " + c
	}
	return out
}

var (
	ruleHead = regexp.MustCompile(`^rule \w+ (exact|real)\s`)
	arrows   = regexp.MustCompile(`<?=>`)
	lastPart = regexp.MustCompile(`\n\s*example `)
	ifPart   = regexp.MustCompile(`\n\s*if `)
	tokens   = regexp.MustCompile(`\?\w+|@?\w[\w']*|<=|>=|==|&&|\|\||::|\+\+|\.\.\.|\\|->|[-+*/^<\[\],()]`)
	isName   = regexp.MustCompile(`^\w[\w']*$`)
	isNumber = regexp.MustCompile(`^\d+$`)
)

func partsOf(r *rules.Rule) ruleParts {
	text := r.Text()
	if at := lastPart.FindStringIndex(text); at != nil {
		text = text[:at[0]]
	}
	p := ruleParts{label: r.Label.String()}
	text = text[ruleHead.FindStringIndex(text)[1]:]
	if at := ifPart.FindStringIndex(text); at != nil {
		text, p.conds = text[:at[0]], text[at[1]:]
	}
	at := arrows.FindStringIndex(text)
	p.left, p.arrow, p.right = text[:at[0]], text[at[0]:at[1]], text[at[1]:]
	return p
}

// exchanges are operators and functions that are written for each other.
var exchanges = [][]string{
	{"+", "-", "*"}, {"/", "*"}, {"<", "<="}, {"&&", "||"}, {"min", "max"}, {"sum", "maximum", "minimum"}, {"take", "drop"}, {"permute", "unpermute"},
	{"sin", "cos", "tan"}, {"exp", "log"}, {"sqrt", "abs"}, {"true", "false"}, {"lproj", "linj"}, {"lpair", "ljoin"}, {"ladd", "lcompose"},
	{"lgather", "lscatter"}, {"lbuild", "lbuildt"}, {"lzero", "lone"}, {"zero", "self"}, {"invert", "lift"}, {"not", "neg"}, {"fold", "fold1"},
	{"zero-preserving", "elementwise"},
}

// mutants are the rules that differ from r in one place.
func mutants(r *rules.Rule) []ruleMutant {
	p := partsOf(r)
	var out []ruleMutant
	seen := map[string]bool{p.String(): true}
	add := func(mistake string, change func(q *ruleParts)) {
		q := p
		change(&q)
		if text := q.String(); !seen[text] {
			seen[text] = true
			out = append(out, ruleMutant{r.Name, mistake, text})
		}
	}
	if p.label == "real" {
		add("exact for real", func(q *ruleParts) { q.label = "exact" })
	}
	conds := splitConds(p.conds)
	for i, c := range conds {
		add("without "+c, func(q *ruleParts) { q.conds = strings.Join(slices.Delete(slices.Clone(conds), i, i+1), ", ") })
	}
	names := variablesOf(p)
	for _, where := range []string{"left", "right", "conds"} {
		of := func(q *ruleParts) *string {
			return map[string]*string{"left": &q.left, "right": &q.right, "conds": &q.conds}[where]
		}
		text := *of(&p)
		for _, at := range tokens.FindAllStringIndex(text, -1) {
			tok := text[at[0]:at[1]]
			put := func(by string) {
				before := strings.TrimSpace(text[max(0, at[0]-12):at[0]])
				add(fmt.Sprintf("%s for %s after %q on the %s", by, tok, lastOf(before), where), func(q *ruleParts) { *of(q) = text[:at[0]] + by + text[at[1]:] })
			}
			for _, set := range exchanges {
				if slices.Contains(set, tok) && (where != "left" || isName.MatchString(tok) && (tok == "true" || tok == "false" || tok == "min" || tok == "max")) {
					for _, by := range set {
						if by != tok {
							put(by)
						}
					}
				}
			}
			switch {
			case isNumber.MatchString(tok):
				var n int
				fmt.Sscan(tok, &n)
				put(fmt.Sprint(n + 1))
				if n > 0 {
					put(fmt.Sprint(n - 1))
				} else if where == "conds" {
					put("-1")
				}
			case where != "left" && slices.Contains(names, tok):
				for _, by := range names {
					if by != tok {
						put(by)
					}
				}
				if where == "conds" {
					put(tok + " + 1")
				}
			}
		}
		for _, list := range regexp.MustCompile(`\[(\w+), (\w+)\]`).FindAllStringSubmatchIndex(text, -1) {
			a, b := text[list[2]:list[3]], text[list[4]:list[5]]
			add(fmt.Sprintf("[%s, %s] for [%s, %s] on the %s", b, a, a, b, where), func(q *ruleParts) {
				*of(q) = text[:list[0]] + "[" + b + ", " + a + "]" + text[list[1]:]
			})
		}
	}
	return out
}

func lastOf(s string) string {
	f := strings.Fields(s)
	if len(f) == 0 {
		return ""
	}
	return f[len(f)-1]
}

// splitConds splits conditions at the commas that are in no brackets.
func splitConds(s string) []string {
	var out []string
	depth, from := 0, 0
	for i, c := range s + "," {
		switch c {
		case '(', '[':
			depth++
		case ')', ']':
			depth--
		case ',':
			if depth == 0 {
				if t := strings.TrimSpace(s[from:min(i, len(s))]); t != "" {
					out = append(out, t)
				}
				from = i + 1
			}
		}
	}
	return out
}

// variablesOf lists the names in a rule that are no functions.
func variablesOf(p ruleParts) []string {
	sig := term.NewSignature()
	words := strings.Fields("index gather scatter build sum maximum minimum argmax iota replicate tr reshape where if then else in not take drop permute unpermute " +
		"len shape product compose invert lift rotate fold fold1 lit fill zero self true false nth total inject inside spread ravel unravel position none nabla let " +
		"elementwise preserving commutative R I B min max neg abs lapply ltranspose proj div mod real floor round polygamma sigmoid finite assuming")
	var out []string
	for _, tok := range tokens.FindAllString(p.left+" "+p.conds, -1) {
		isOp := slices.ContainsFunc(sig.All(), func(o *term.Operator) bool { return o.Name == tok })
		if isName.MatchString(tok) && !isNumber.MatchString(tok) && !isOp && !slices.Contains(words, tok) && !slices.Contains(out, tok) {
			out = append(out, tok)
		}
	}
	return out
}

// survives reports whether a mutant is read, and not found to be wrong.
func (m ruleMutant) survives(n int) (bool, string) {
	sig := term.NewSignature()
	lib, err := rules.Load(sig, &diag.Source{Name: "mutant.rules", Text: "ruleset mutants\n\nrule mutant " + m.text + "\n"})
	if err != nil {
		return false, ""
	}
	c := CheckRules(sig, lib.All(), RuleChecks{Count: n, Seed: *seed}).Checked[0]
	return c.Verdict != Wrong, fmt.Sprintf("%s, %d tested, skipped: %s", c.Verdict, c.Tested, c.Why())
}

// reasons say why mutants that survive are true.
var reasons = []struct{ mutants, why string }{
	{`: exact for real$`, "the sides are the same floats, or the same matrices"},
	{`: zero-preserving for elementwise `, "fewer operators"},
	{`: self for zero `, "the left side is 0 there, or has no slope"},
	{`: (1|-1|2) for [01] after .* on the conds$`, "less is asked for that cannot be, or more"},
	{`: < for <= .* on the conds$`, "more is asked for"},
	{`: \w+ for \w+ after "(<=|<|0)" on the conds$`, "never true, or always where the rest is"},
	{`^(div_div|common_factor|common_factor_sub|sum_divided|sum_scaled|sum_lit_factor|sum_build_add|mul_scatter): `, "what is asked for spares an overflow only"},
	{`: (without len ix = len js|.* after "(len|js,)" on the conds)$`, "where the lengths differ the right side has no value"},
	{`^(index_maximum|index_minimum|scatter_sum): t \+ 1 for t `, "t + 1 has the type of t"},
	{`^sub_sub_integer: `, "both operands have one type"},
	{`: \w+ for s\w* after "(:|R\[)" on the conds$|^join_projections: `, "another name for a part of a type that is not used"},
	{`^(index_op2|index_op2_guarded|build_cond_where): . for . `, "the operands have one shape"},
	{`^nabla_abs: `, "at 0 every slope from -1 to 1 will do"},
	{`^transpose_tr: `, "the permutation takes as many axes as it has"},
}

// TestMutants makes every mistake of a kind in the rules of egad. Those that are
// not found in 1,000 instances are true, for a reason that is listed. Without
// -long it tries a few.
func TestMutants(t *testing.T) {
	sig := term.NewSignature()
	lib, err := rules.Builtin(sig)
	if err != nil {
		t.Fatal(err)
	}
	every, count := 97, 300
	if *long {
		every, count = 1, 1000
	}
	all, tried, alive := 0, 0, 0
	for _, r := range lib.All() {
		if r.Reversed { // the same text
			continue
		}
		for _, m := range mutants(r) {
			if all++; all%every != 0 {
				continue
			}
			tried++
			survives, what := m.survives(count)
			if !survives {
				continue
			}
			alive++
			why := ""
			for _, x := range reasons {
				if why == "" && regexp.MustCompile(x.mutants).MatchString(m.String()) {
					why = x.why
				}
			}
			if t.Logf("%v: %s", m, why); why == "" {
				t.Errorf("%v is not found: %s\n%s", m, what, m.text)
			}
		}
	}
	t.Logf("%d mutants, %d tried, %d survive", all, tried, alive)
}
