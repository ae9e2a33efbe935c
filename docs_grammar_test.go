package egad_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"egad/diag"
	"egad/rules/files"
	"egad/rules/load"
	"egad/rules/syntax"
	"egad/term/module"
)

// The grammar in docs/language.md derives every program at hand, and the grammar
// in docs/rules.md, which builds on it, every rule file; that in docs/operators.md, the operators.
func TestGrammar(t *testing.T) {
	lang, ruleLang := readPage(t, "docs/language.md"), readPage(t, "docs/rules.md")
	g := make(grammar)
	programs := map[string]string{"the prelude": module.Prelude().Text}
	ruleFiles := make(map[string]string)
	others := append(readPage(t, "README.md").blocks(t), readPage(t, "docs/operators.md").blocks(t)...)
	for _, b := range append(lang.blocks(t), append(ruleLang.blocks(t), others...)...) {
		switch {
		case b.kind == "ebnf":
			if err := g.add(b.text()); err != nil {
				t.Fatalf("%s: %v", b.at(b.from), err)
			}
		case b.kind == "egad":
			programs[b.at(b.from)] = b.text()
		case b.kind == "rules" && (strings.Contains(b.text(), "ruleset ") || strings.Contains(b.text(), "operator ")):
			ruleFiles[b.at(b.from)] = b.text()
		case b.kind == "rules":
			ruleFiles[b.at(b.from)] = "ruleset page " + b.text()
		}
	}
	examples, err := filepath.Glob("examples/*/*.egad")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range examples {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		programs[f] = string(text)
	}
	examples, err = filepath.Glob("examples/*/*.rules")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range examples {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if syntax.IsLanguage(&diag.Source{Name: f, Text: string(text)}) {
			continue // its grammar is another one
		}
		ruleFiles[f] = string(text)
	}
	for _, src := range load.Sources() {
		ruleFiles[src.Name] = src.Text
	}
	if err := g.complete(); err != nil {
		t.Fatal(err)
	}
	// Definitions and rules are short, so that one at a time is faster.
	derive := func(files map[string]string, start string, first ...string) {
		for name, text := range files {
			for _, part := range split(tokens(text), first) {
				if !g.derives(start, part) {
					t.Errorf("%s: the grammar does not derive: %s", name, texts(part))
				}
			}
		}
	}
	derive(programs, "Program", "def")
	derive(ruleFiles, "RuleFile", "rule", "ruleset", "operator")
	derive(map[string]string{"operators.rules": files.Source("operators").Text}, "BuiltIn", "sort", "op")
	for _, text := range []string{"def f: R", "def f: R = 1 +", "def f(x R): R = x", "def f: R = (1", "def f: R -> = 1", "f: R = 1", "def f: R = let x 1 in x"} {
		if g.derives("Program", tokens(text)) {
			t.Errorf("the grammar derives %s", text)
		}
	}
}

// The grammar in docs/languages.md derives every language at hand.
func TestLanguageGrammar(t *testing.T) {
	g := make(grammar)
	files := make(map[string]string)
	for _, b := range readPage(t, "docs/languages.md").blocks(t) {
		switch {
		case b.kind == "ebnf":
			if err := g.add(b.text()); err != nil {
				t.Fatalf("%s: %v", b.at(b.from), err)
			}
		case b.kind == "language":
			files[b.at(b.from)] = b.text()
		}
	}
	if err := g.complete(); err != nil {
		t.Fatal(err)
	}
	paths, err := filepath.Glob("examples/rewriting/*.rules")
	if err != nil || len(paths) == 0 {
		t.Fatal("no examples", err)
	}
	for _, f := range paths {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		files[f] = string(text)
	}
	for name, text := range files {
		if toks := languageTokens(text); !g.derives("Language", toks) {
			t.Errorf("%s: the grammar does not derive it", name)
		}
	}
	for _, text := range []string{"sort E", "language", "language l op f E", "language l rule r (f) (g)", "language l rule r (f => (g)", "language l test t limit nodes",
		"language l fact f for x if y", "language l symbol x : 3", "language l test t run (repeat x y)"} {
		if g.derives("Language", languageTokens(text)) {
			t.Errorf("the grammar derives %s", text)
		}
	}
}

var (
	languageToken  = regexp.MustCompile(`--[^\n]*|:=|[()\[\]:,\\]|-?[0-9][0-9./]*|\w[\w.]*(-rev)?|[^\s\w()\[\]:,\\]+`)
	notInfix       = []string{"=", "=>", "<=>", "->", "\\", "(", ")", "[", "]", ":", ":=", ","}
	languageNumber = regexp.MustCompile(`^-?[0-9]+(\.[0-9]+|/[0-9]+)?$`)
)

func languageTokens(text string) []textToken {
	var out []textToken
	for _, w := range languageToken.FindAllString(text, -1) {
		tok := textToken{text: w}
		switch {
		case strings.HasPrefix(w, "--"):
			continue
		case languageNumber.MatchString(w):
			tok.kind = "number"
		case strings.ContainsAny(w[:1], "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"):
			tok.kind = "name"
		case !slices.Contains(notInfix, w):
			tok.kind = "infix"
		}
		out = append(out, tok)
	}
	return out
}

// token is a word of a text: its kind is the text itself, or name, number or
// digits.
type textToken struct {
	kind, text string
	line       bool // it is the first on its line
}

var (
	tokenText = regexp.MustCompile(`--[^\n]*|\d+%\d+|\d+(\.\d+)?([eE][-+]?\d+)?|[\p{L}_][\p{L}\p{Nd}_']*|\.\.\.|<=>|->|=>|<=|>=|==|!=|&&|\|\||::|\+\+|:=|[^\s]`)
	reserved  = []string{"def", "let", "in", "if", "then", "else", "true", "false", "div", "mod", "_"}
)

func tokens(text string) []textToken {
	var out []textToken
	for _, m := range tokenText.FindAllStringIndex(text, -1) {
		tok := textToken{text: text[m[0]:m[1]], line: strings.TrimSpace(text[strings.LastIndexByte(text[:m[0]], '\n')+1:m[0]]) == ""}
		switch c := tok.text[0]; {
		case strings.HasPrefix(tok.text, "--"):
			continue
		case '0' <= c && c <= '9':
			tok.kind = "number"
		case slices.Contains(reserved, tok.text):
		case c == '_' || c >= 0x80 || 'a' <= c|0x20 && c|0x20 <= 'z':
			tok.kind = "name"
		}
		out = append(out, tok)
	}
	return out
}

// split cuts tokens before the words in first where they start a line.
func split(toks []textToken, first []string) [][]textToken {
	var out [][]textToken
	for i, t := range toks {
		if len(out) == 0 || t.line && i > 0 && slices.Contains(first, t.text) {
			out = append(out, nil)
		}
		out[len(out)-1] = append(out[len(out)-1], t)
	}
	return out
}

func texts(toks []textToken) string {
	var out []string
	for _, t := range toks {
		out = append(out, t.text)
	}
	return strings.Join(out, " ")
}

// grammar maps a nonterminal to its alternatives, each a list of symbols: a
// nonterminal, a terminal in quotes, or name, number or digits.
type grammar map[string][][]string

var (
	ebnfComment = regexp.MustCompile(`\s-- .*`)
	ebnfToken   = regexp.MustCompile(`"[^"]*"|\w+|[^\s]`)
)

// add reads productions. Groups, options and repetitions become nonterminals.
func (g grammar) add(text string) error {
	toks := ebnfToken.FindAllString(ebnfComment.ReplaceAllString(text, ""), -1)
	at, count := 0, 0
	name := ""
	var expr func(end string) ([][]string, error)
	expr = func(end string) ([][]string, error) {
		out := [][]string{nil}
		for ; at < len(toks) && toks[at] != end; at++ {
			tok := toks[at]
			last := &out[len(out)-1]
			closing, opens := map[string]string{"(": ")", "[": "]", "{": "}"}[tok]
			switch {
			case tok == "|":
				out = append(out, nil)
			case opens:
				at++
				alts, err := expr(closing)
				if err != nil {
					return nil, err
				}
				count++
				sub := fmt.Sprintf("%s#%d", name, count)
				if tok == "{" {
					for i := range alts {
						alts[i] = append([]string{sub}, alts[i]...)
					}
				}
				if tok != "(" {
					alts = append(alts, nil)
				}
				g[sub] = alts
				*last = append(*last, sub)
			default:
				*last = append(*last, tok)
			}
		}
		if at == len(toks) {
			return nil, fmt.Errorf("%s: %s is missing", name, end)
		}
		return out, nil
	}
	for at < len(toks) {
		name = toks[at]
		if at+1 >= len(toks) || toks[at+1] != "=" {
			return fmt.Errorf("expected = after %s", name)
		}
		at, count = at+2, 0
		alts, err := expr(".")
		if err != nil {
			return err
		}
		at++
		g[name] = append(g[name], alts...)
	}
	return nil
}

// complete reports symbols that nothing derives.
func (g grammar) complete() error {
	for n, alts := range g {
		for _, alt := range alts {
			for _, s := range alt {
				if _, ok := g[s]; !ok && s[0] != '"' && s != "name" && s != "number" && s != "digits" && s != "infix" {
					return fmt.Errorf("%s: nothing derives %s", n, s)
				}
			}
		}
	}
	return nil
}

// item is an alternative of a nonterminal, read up to dot from token number from.
type item struct {
	nt             string
	alt, dot, from int
}

// derives decides by Earley's algorithm whether start derives the tokens.
func (g grammar) derives(start string, toks []textToken) bool {
	sets := make([][]item, len(toks)+1)
	has := make([]map[item]bool, len(toks)+1)
	for i := range has {
		has[i] = make(map[item]bool)
	}
	add := func(i int, x item) {
		if !has[i][x] {
			has[i][x] = true
			sets[i] = append(sets[i], x)
		}
	}
	for k := range g[start] {
		add(0, item{start, k, 0, 0})
	}
	done := make([]map[string]bool, len(sets)) // what is derived from nothing at a place
	for i := range sets {
		done[i] = make(map[string]bool)
		for n := 0; n < len(sets[i]); n++ {
			x := sets[i][n]
			alt := g[x.nt][x.alt]
			if x.dot == len(alt) {
				if x.from == i {
					done[i][x.nt] = true
				}
				for _, y := range sets[x.from] {
					if ya := g[y.nt][y.alt]; y.dot < len(ya) && ya[y.dot] == x.nt {
						add(i, item{y.nt, y.alt, y.dot + 1, y.from})
					}
				}
				continue
			}
			next := alt[x.dot]
			if _, ok := g[next]; ok {
				for k := range g[next] {
					add(i, item{next, k, 0, i})
				}
				if done[i][next] {
					add(i, item{x.nt, x.alt, x.dot + 1, x.from})
				}
			} else if i < len(toks) && (next == toks[i].kind || next == `"`+toks[i].text+`"` || next == "digits" && toks[i].kind == "number") {
				add(i+1, item{x.nt, x.alt, x.dot + 1, x.from})
			}
		}
	}
	for k, alt := range g[start] {
		if has[len(toks)][item{start, k, len(alt), 0}] {
			return true
		}
	}
	return false
}
