package load

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"egad/diag"
	"egad/term"
)

// wrongGrammars are grammars with the messages they have, and where.
var wrongGrammars = []struct{ kind, text, want string }{
	{"arrays", "grammar g\nA -> var : 1", `2:1: expected "start" after the name of the grammar`},
	{"arrays", "grammar g\nstart A\nA -> varr : 1", "3:6: unknown operator varr (did you mean var?)"},
	{"arrays", "grammar g\nstart A\nA -> elementwize A... : 1", "3:6: unknown operator elementwize (did you mean elementwise?)"},
	{"arrays", "grammar g\nstart Sum\nSum -> var\nSum -> exp Sun", "4:12: the nonterminal Sun derives nothing (did you mean Sum?)"},
	{"arrays", "grammar g\nstart Sum\nSum -> var | Prodct\nProduct -> var", "3:14: unknown operator Prodct (did you mean Product?)"},
	{"arrays", "grammar g\nstart A\nA -> var : k", "3:12: a cost is in n and m, not k"},
	{"arrays", "grammar g\nstart A\nA -> var : -1", "3:12: a cost is not negative"},
	{"arrays", "grammar g\nstart A\nA -> var : 2 * n + -1", "3:20: a cost is not negative"},
	{"arrays", "grammar g\nstart A\nA -> var : inf", "3:12: a cost is in n and m, not inf"},
	{"arrays", "grammar g\nstart A\nA -> var : 1e400", "3:12: 1e400 is not a number from 0 to 1e+100"},
	{"arrays", "grammar g\nstart A\nA -> var : 1e101 * m", "3:12: 1e101 is not a number from 0 to 1e+100"},
	{"arrays", "grammar g\nstart A\nA -> var : 1e100 + 1e100", "3:20: a cost is at most 1e+100"},
	{"arrays", "grammar g\nstart A\nA -> exp A A | var", "3:6: exp has 1 operand, not 2"},
	{"arrays", "grammar g\nstart A\nA -> exp A A A... | var", "3:6: exp has 1 operand, not 3"},
	{"arrays", "grammar g\nstart A\nA -> exp A", "2:7: the nonterminal A derives no term that ends"},
	{"arrays", "grammar g\nstart A\nA -> named B\nB -> A", "2:7: A derives itself at no cost"},
	{"arrays", "grammar g\nstart A\nA -> B : 1\nB -> A | var", ""},
	{"arrays", "grammar g\nstart A\nA -> B : m\nB -> var", "3:10: m is of the first operand, and B is no operator"},
	{"arrays", "grammar g\nstart A\nA -> var\nB -> var", "4:1: A does not lead to the nonterminal B"},
	{"arrays", "grammar g\nstart exp\nexp -> var", "2:7: exp is an operator: a nonterminal needs another name"},
	{"arrays", "grammar g\nstart A\nA -> var var2 : 1 B", "3:19: expected |, a cost after :, or the end of the line"},
	{"arrays", "grammar g\nstart A\nA var", `3:3: expected "->" after a nonterminal`},
	{"arrays", "grammar g\nstart A\nA -> var\ngrammar g\nstart A\nA -> var", "4:9: the grammar g is there already (g, line 1)"},
	{"arrays", "grammar nolinear\nstart A\nA -> var", "1:9: the grammar nolinear is there already (grammars.rules, line "},
	{"arrays", manyNonterminals(64), ""},
	{"arrays", manyNonterminals(65), "67:1: a grammar has at most 64 nonterminals"},
	{"arrays", "schedule simplify\n extract nolinaer", "2:10: there is no grammar nolinaer (did you mean nolinear?)"},
	{"arrays", "grammar g\nstart A\nA -> var | other A... : 0.5 * n + m + 3", ""},
	{"arrays", "grammar g\nstart A\nA -> var\n | zero-preserving A...\n : 2\nruleset r", ""},
	{"language", "grammar g\nstart A\nA -> + A A | sumbol : 1", "3:14: unknown operator sumbol (did you mean symbol?)"},
	{"language", "grammar g\nstart A\nA -> + A | x", "3:6: + has 2 operands, not 1"},
	{"language", "grammar g\nstart A\nA -> x : n", "3:10: x has no natural number n as an attribute, of which a cost can be a multiple"},
	{"language", "op g[k, c : number] E : E\ngrammar g\nstart A\nA -> g A : 2 * k + c\nA -> x", "4:20: g[k, c] has no natural number c as an attribute, of which a cost can be a multiple"},
	{"language", "op g[k] E : E\ngrammar g\nstart A\nA -> g A | x : k", "4:16: x has no natural number k as an attribute, of which a cost can be a multiple"},
	{"language", "op g[k] E : E\ngrammar g\nstart A\nA -> other A... : k", "4:19: what a term costs is a number, or multiples of attributes of an operator, and other is none"},
	{"language", "op g[k, n] E : E\ngrammar g\nstart A\nA -> g A : 2 * k + n + 1 + k\nA -> x : 1", ""},
	{"language", "grammar g\nstart A\nA -> named B\nB -> x", "3:12: terms of a language have no names: write A -> B"},
	{"language", "grammar g\nstart A\nA -> sum A | x", "3:6: unknown operator sum"},
	{"language", "grammar g\nstart x\nx -> + x x", "2:7: x is an operator"},
	{"language", "grammar g\nstart A\nA -> number | variable | symbol | let A A | lam A | other A... : 2.5\nschedule s\n run r\n extract g\nruleset r", ""},
	{"language", "ruleset r\nrule i a + 0 => a\nschedule s\n run r\n extract h", "5:10: there is no grammar h"},
	{"language", "op g E : E fast-one\ngrammar g\nstart A\nA -> fast-one A | fast-on A | x", "4:19: unknown operator fast-on (did you mean fast-one?)"},
}

// manyNonterminals is a grammar of n nonterminals.
func manyNonterminals(n int) string {
	text := "grammar g\nstart N0"
	for i := range n - 1 {
		text += fmt.Sprintf("\nN%d -> N%d", i, i+1)
	}
	return text + fmt.Sprintf("\nN%d -> var", n-1)
}

// TestGrammars keeps the messages of what is wrong with cost grammars, with their places.
func TestGrammars(t *testing.T) {
	for _, x := range wrongGrammars {
		var err error
		before := 0
		if x.kind == "arrays" {
			_, err = Builtin(term.NewSignature(), &diag.Source{Name: "g", Text: x.text})
		} else {
			before = strings.Count(header, "\n")
			_, err = Language(&diag.Source{Name: "g", Text: header + x.text})
		}
		got := ""
		var list diag.List
		if errors.As(err, &list) {
			line, col := list[0].Src.LineCol(list[0].Pos)
			got = fmt.Sprintf("%d:%d: %s", line-before, col, list[0].Msg)
		}
		if (x.want == "") != (err == nil) || !strings.HasPrefix(got, x.want) {
			t.Errorf("%s, %q: %q, want %q", x.kind, x.text, got, x.want)
		}
	}
}
