package props

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"egad/diag"
	"egad/rules"
	"egad/rules/load"
	"egad/term"
	"egad/term/ops"
)

// ruleMutant is a rule of egad with one mistake.
type ruleMutant struct {
	rule, mistake string
	text          string // from the label on
}

func (m ruleMutant) String() string { return m.rule + ": " + m.mistake }

// load reads the rule, and from right to left if it says so; nil if that finds the
// mistake.
func (m ruleMutant) load(sig *term.Signature) []*rules.Rule { return rulesOf(sig, m.text) }

func rulesOf(sig *term.Signature, text string) []*rules.Rule {
	lib, err := load.Files(sig, &diag.Source{Name: "mutant.rules", Text: "ruleset mutants\n\nrule mutant " + text + "\n"})
	if err != nil {
		return nil
	}
	return lib.All()
}

// The parts of the text of a rule.
const (
	partLeft = iota
	partRight
	partConds
	partGuard
	partAssumed
	numParts
)

var partNames = [numParts]string{"left", "right", "if", "guard", "assuming"}

// ruleParts are the parts of the text of a rule with its label and its arrow.
type ruleParts struct {
	label, arrow string
	part         [numParts]string
}

func (p ruleParts) String() string {
	out := p.label + "\n  " + p.part[partLeft] + " " + p.arrow + " " + p.part[partRight]
	for _, k := range []int{partConds, partGuard, partAssumed} {
		if p.part[k] != "" {
			out += "\n  " + partNames[k] + " " + p.part[k]
		}
	}
	return out
}

var (
	ruleHead   = regexp.MustCompile(`^rule \w+ (exact|real)\s`)
	arrows     = regexp.MustCompile(`<?=>`)
	lineStarts = regexp.MustCompile(`\n\s*(if|guard|assuming|example) `)
	tokens     = regexp.MustCompile(`\?\w+|\d+\.\d+|@?\w[\w']*|<=|>=|==|!=|&&|\|\||::|\+\+|\.\.\.|->|[-+*/^<=\[\],()]`)
	isName     = regexp.MustCompile(`^[a-z][\w']*$`)
	isNumber   = regexp.MustCompile(`^\d+(\.\d+)?$`)
	chain      = regexp.MustCompile(`^(.+?) (<=?) (.+) (<=?) (.+)$`)
	choice     = regexp.MustCompile(`^if (.+?) then (.+) else (.+)$`)
	consed     = regexp.MustCompile(`(\w+) :: (\w+)`)
	appended   = regexp.MustCompile(`(\w+) \+\+ (\w+|\[\w+\])`)
	spaces     = regexp.MustCompile(`\s+`)
)

func partsOf(r *rules.Rule) ruleParts {
	text := r.Text()
	text = text[ruleHead.FindStringIndex(text)[1]:]
	arrow := arrows.FindStringIndex(text)
	p := ruleParts{label: r.Label.String(), arrow: text[arrow[0]:arrow[1]]}
	p.part[partLeft], text = text[:arrow[0]], text[arrow[1]:]
	end := len(text)
	for _, at := range slices.Backward(lineStarts.FindAllStringSubmatchIndex(text, -1)) {
		if k := slices.Index(partNames[:], text[at[2]:at[3]]); k >= 0 {
			p.part[k] = text[at[1]:end]
		}
		end = at[0]
	}
	p.part[partRight] = text[:end]
	for k := range p.part {
		p.part[k] = strings.TrimSpace(spaces.ReplaceAllString(p.part[k], " "))
	}
	return p
}

// mutator makes the mutants of a rule.
type mutator struct {
	rule      *rules.Rule
	sig       *term.Signature
	parts     ruleParts
	variables []string
	seen      map[string]bool // texts
	names     map[string]int  // mistakes, how often
	out       []ruleMutant
}

// mutants are the rules that differ from r in one place: its label, a condition,
// a name, an operator, a number, a type, the order of a list, a guard.
func mutants(sig *term.Signature, r *rules.Rule) []ruleMutant {
	m := &mutator{rule: r, sig: sig, parts: partsOf(r), names: make(map[string]int)}
	m.seen = map[string]bool{m.parts.String(): true}
	m.findVariables()
	if r.Label == rules.Real {
		q := m.parts
		q.label = "exact"
		m.add("exact for real", q)
	}
	m.conditions(partConds)
	m.conditions(partGuard)
	m.conditions(partAssumed)
	for k := range numParts {
		m.tokens(k)
		m.lists(k)
	}
	m.guards()
	m.swaps()
	return m.out
}

func (m *mutator) add(mistake string, q ruleParts) {
	text := q.String()
	if m.seen[text] {
		return
	}
	m.seen[text] = true
	if m.names[mistake]++; m.names[mistake] > 1 {
		mistake += fmt.Sprintf(" (%d)", m.names[mistake])
	}
	m.out = append(m.out, ruleMutant{m.rule.Name, mistake, text})
}

// put replaces a range of a part.
func (m *mutator) put(k, from, to int, by string) {
	text := m.parts.part[k]
	q := m.parts
	q.part[k] = text[:from] + by + text[to:]
	m.add(strings.TrimSpace(fmt.Sprintf("%s: %s[%s → %s]%s", partNames[k], text[max(0, from-10):from], text[from:to], by, text[to:min(len(text), to+8)])), q)
}

// findVariables finds the names that may be any: those for which a fresh one may
// be written.
func (m *mutator) findVariables() {
	text := m.parts.String()
	tried := map[string]bool{"true": true, "false": true, "zero": true}
	for _, tok := range tokens.FindAllString(text, -1) {
		if !isName.MatchString(tok) || tried[tok] {
			continue
		}
		tried[tok] = true
		renamed := tokens.ReplaceAllStringFunc(text, func(t string) string {
			switch t {
			case tok:
				return "fresh"
			case "@" + tok:
				return "@fresh"
			}
			return t
		})
		if m.rule.Label.String() != tok && rulesOf(m.sig, renamed) != nil {
			m.variables = append(m.variables, tok)
		}
	}
}

// conditions drops each condition, and each half of one that has two signs.
func (m *mutator) conditions(k int) {
	conds := split(m.parts.part[k])
	for i, c := range conds {
		replace := func(mistake string, by ...string) {
			q := m.parts
			q.part[k] = strings.Join(slices.Replace(slices.Clone(conds), i, i+1, by...), ", ")
			m.add(mistake, q)
		}
		replace("without " + c)
		if x := chain.FindStringSubmatch(c); x != nil {
			replace("without "+x[1]+" "+x[2], x[3]+" "+x[4]+" "+x[5])
			replace("without "+x[4]+" "+x[5], x[1]+" "+x[2]+" "+x[3])
		}
	}
}

// split splits a list at the commas that are in no brackets.
func split(s string) []string {
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

// tokens exchanges tokens of a part.
func (m *mutator) tokens(k int) {
	text := m.parts.part[k]
	for _, at := range tokens.FindAllStringIndex(text, -1) {
		tok := text[at[0]:at[1]]
		put := func(by string) { m.put(k, at[0], at[1], by) }
		for _, by := range exchanges(m.sig, tok, k) {
			put(by)
		}
		sigil := tok[:len(tok)-len(strings.TrimPrefix(tok, "@"))]
		if name := tok[len(sigil):]; slices.Contains(m.variables, name) {
			for _, by := range m.variables {
				if by != name {
					put(sigil + by)
				}
			}
			if k >= partConds {
				put(tok + " + 1")
				put(tok + " - 1")
			}
		}
		if _, form, ok := m.sig.Form(tok); ok && len(form) == 1 && form[0] == ops.FormValue { // without an operator
			m.put(k, at[0], min(at[1]+1, len(text)), "")
		}
	}
}

// lists changes the order of lists.
func (m *mutator) lists(k int) {
	text := m.parts.part[k]
	for _, at := range bracketed(text) {
		items := split(text[at[0]:at[1]])
		for i := range len(items) - 1 {
			swapped := slices.Clone(items)
			swapped[i], swapped[i+1] = swapped[i+1], swapped[i]
			m.put(k, at[0], at[1], strings.Join(swapped, ", "))
		}
	}
	for _, x := range consed.FindAllStringSubmatchIndex(text, -1) {
		m.put(k, x[0], x[1], text[x[4]:x[5]]+" ++ ["+text[x[2]:x[3]]+"]")
	}
	for _, x := range appended.FindAllStringSubmatchIndex(text, -1) {
		m.put(k, x[0], x[1], text[x[4]:x[5]]+" ++ "+text[x[2]:x[3]])
	}
}

// bracketed finds what is between square brackets.
func bracketed(text string) [][2]int {
	var open []int
	var out [][2]int
	for i, c := range text {
		switch c {
		case '[':
			open = append(open, i+1)
		case ']':
			out = append(out, [2]int{open[len(open)-1], i})
			open = open[:len(open)-1]
		}
	}
	return out
}

// guards drops choices of right sides, and each operand of && and ||.
func (m *mutator) guards() {
	for k := range partAssumed {
		text := m.parts.part[k]
		if x := choice.FindStringSubmatchIndex(text); x != nil && k == partRight {
			m.put(k, 0, len(text), text[x[4]:x[5]])
			m.put(k, 0, len(text), text[x[6]:x[7]])
		}
		for _, at := range tokens.FindAllStringIndex(text, -1) {
			if tok := text[at[0]:at[1]]; tok == "&&" || tok == "||" {
				from, to := operands(text, at[0], at[1])
				m.put(k, from, to, text[from:at[0]-1])
				m.put(k, from, to, text[at[1]+1:to])
			}
		}
	}
}

// operands are the bounds of the operands of a logical operator at [at, end).
func operands(text string, at, end int) (from, to int) {
	depth := 0
	for from = at; from > 0; from-- {
		c := text[from-1]
		if c == ')' || c == ']' {
			depth++
		}
		if c == '(' || c == '[' {
			depth--
		}
		if depth < 0 || depth == 0 && (c == ',' || strings.HasSuffix(text[:from], "if ") || strings.HasSuffix(text[:from], "|| ")) {
			break
		}
	}
	depth = 0
	for to = end; to < len(text); to++ {
		c := text[to]
		if c == '(' || c == '[' {
			depth++
		}
		if c == ')' || c == ']' {
			depth--
		}
		if depth < 0 || depth == 0 && (c == ',' || strings.HasPrefix(text[to:], " then") || strings.HasPrefix(text[to:], " ||")) {
			break
		}
	}
	return from, to
}

// swaps exchanges two names everywhere on the right side.
func (m *mutator) swaps() {
	for i, a := range m.variables {
		for _, b := range m.variables[:i] {
			q := m.parts
			q.part[partRight] = tokens.ReplaceAllStringFunc(q.part[partRight], func(t string) string {
				switch t {
				case a:
					return b
				case b:
					return a
				case "@" + a:
					return "@" + b
				case "@" + b:
					return "@" + a
				}
				return t
			})
			m.add(fmt.Sprintf("right: %s and %s exchanged", b, a), q)
		}
	}
}
