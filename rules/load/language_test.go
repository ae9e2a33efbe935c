package load

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"egad/diag"
	"egad/rules/files"
)

const header = `language l
sort E
sort F
number E
symbol x y : E
symbol p : F
op + E E : E
op lam [v : E] v.E : E
op let [v : E] E v.E : E
op f E : F
relation != E E
`

// mistakes are texts after the header with the messages they have, in the order
// of the text.
var mistakes = []struct{ text, want string }{
	{"rule r add1 + b => position + b", "position is the place in a spread list (…)... of the right side"},
	{"rule r position + b => b", "position is the place in a spread list (…)... of the right side"},
	{"rule r f (nosuch a) + b => a + b + nosuch b", "there is no symbol or operator nosuch|there is no symbol or operator nosuch"},
	{"rule r add1 + b => ad1 + b", "ad1 is no symbol and does not occur on the left (did you mean add1?)"},
	{"op < E E : G\nop g G G : E\nfold < gives x y\nfold g as +", "there is no sort G|there is no sort G|there is no sort G"},
	{"sort T\nsymbol yes : T\nop < E E : T\nfold < gives yes yes", "the comparison gives yes if it holds, and another symbol if it does not"},
	{"sort T means B\nsymbol t : T means true\nop < E E : T\nfold < gives yes x", "yes is not a symbol of the sort T|x is not a symbol of the sort T"},
	{"fact r for a + b, b + a then a + b", "expected \"then\" after the pattern, found \",\""},
	{"rule r a + b => a + c", "c is no symbol and does not occur on the left"},
	{"rule r a + 0 => a\nrule r a + 1 => a", "the rule r is there already (l, line 12)"},
	{"rule r a + (z a) => a\nrule s f a a => a", "there is no symbol or operator z|f has 1 operand, not 2"},
	{"rule r exact a + 0 => a", "rules of a language have a label only if its operators have a meaning: their numbers are exact"},
	{"fact r real for a + b then a != b", "rules of a language have a label only if its operators have a meaning: their numbers are exact"},
	{"rule r a + b => a guard a = b", "guards are for rules for arrays"},
	{"rule r a + b => a assuming a = b", "assumptions of rules are for arrays; a test may assume something"},
	{"rule r a + 0 => a example x + 0 => x", "examples are for rules for arrays; a language has tests"},
	{"rule r plus a b => a", "there is no symbol or operator plus"},
	{"rule r a + p => a", "this has the sort F, expected E"},
	{"rule r f a => a", "this has the sort E, expected F"},
	{"rule r lam (\\v -> b) => b", "b may mention v, which is not bound here; add the condition: v not in b"},
	{"rule r lam (\\v -> b) => v", "the variable v is not in scope here"},
	{"rule r let v = e in lam (\\v -> b) => e", "v is bound inside of what binds it; use different names"},
	{"rule r lam (\\v -> x) <=> lam (\\w -> lam (\\w -> x))", "read from right to left, w is bound inside of what binds it; use different names"},
	{"rule r (lam (\\v -> a)) + lam (\\v -> b) => a", "a may mention v, which is not bound here; add the condition: v not in a"},
	{"op pick [v : F] v.E : E\nrule r (lam (\\v -> a)) + pick (\\v -> b) => x", "v has the sort E, expected F"},
	{"op both [v : E] [w : E] v.w.E v.w.E : E\nrule r lam (\\v -> both (\\v w -> a) (\\v w -> b)) => x", "v is bound inside of what binds it; use different names"},
	{"op both [v : E] [w : E] v.w.E v.w.E : E\nrule r both (\\v [w] -> a) (\\v w -> b) => x", "expected the name of a variable"},
	{"op scale[c : number] E : E\nrule r scale[c] (scale[d] a) <=> scale[c * d] a", "read from right to left, arithmetic on numbers is for right sides and conditions: give the number a name, and say in a condition what it is"},
	{"op scale[c : number] E : E\nrule r scale[-c] a => a", "arithmetic on numbers is for right sides and conditions: give the number a name, and say in a condition what it is"},
	{"rule r lam (\\[v] -> b) => b", "expected the name of a variable"},
	{"rule r lam (\\v w -> b) => b", "lam binds 1 variable here: write \\v -> …"},
	{"rule r lam b => b", "lam binds 1 variable here: write \\v -> …"},
	{"rule r lam (\\v -> b) => b[v := p]", "this has the sort F, expected E"},
	{"rule r lam (\\v -> b) => b[w := 1]", "b may mention v, which is not bound here; add the condition: v not in b|w is not a variable bound on the left side"},
	{"rule r lam (\\v -> b) => b[b := 1]", "b is not a variable bound on the left side"},
	{"rule r lam (\\v -> b) => b + b[v := 1]", "b may mention v, which is not bound here; add the condition: v not in b"},
	{"rule r lam (\\v -> b) => (b + 1)[v := 1]", "variables are replaced in a metavariable, as in t[x := u]"},
	{"rule r lam (\\v -> b) => lam (\\w -> w[v := b])", "variables are replaced in a metavariable, as in t[x := u]"},
	{"rule r b[v := 1] => b", "this form is for right sides only"},
	{"rule r lam (\\v -> b) => 1 if b[v := 1] = 1", "a substitution is for right sides of rules"},
	{"ruleset m lazy opaque lazy\nruleset n opaque opaque\nrule r f a => p", "lazy is there twice|opaque is there twice"},
	{"test t\n  var z x : E\n  var f : E\n  start z", "x is declared already: a variable has another name|f is declared already: a variable has another name"},
	{"backoff r matches 0 ban 2", "expected a number from 1 on"},
	{"backoff r matches 1 ban 0", "expected a number from 1 on"},
	{"test t\n  start ?g x", "a test has no operator variables: they are for rules"},
	{"test t\n  start x[x := 1]", "a substitution is for right sides of rules"},
	{"rule r f (\\v -> a) => p", "a function stands where an operator binds variables only"},
	{"rule r f a => lam (\\a -> a) if a is variable", "this has the sort E, expected F"},
	{"rule r lam (\\v -> v b) => p", "v is a variable, and is not applied"},
	{"rule r f 1 => f 1 if a is number", "a is no symbol, and nothing binds it: the left side does, or after if a fact, but of !=, or an equation of terms"},
	{"rule r add1 + b => sum if suma != 1", "sum is no symbol and does not occur on the left|suma is no symbol, and nothing binds it: the left side does, or after if a fact, but of !=, or an equation of terms"},
	{"relation R E E\nrule r f a => f b if R a c, b = d", "b is no symbol, and nothing binds it: the left side does, or after if a fact, but of !=, or an equation of terms|d is no symbol, and nothing binds it: the left side does, or after if a fact, but of !=, or an equation of terms"},
	{"relation R E E\nrule r f a => f c if R a b, S b c", "there is no symbol or operator S"},
	{"relation R E E\nrule r f a => f b if R a (lam (\\v -> b))", "a condition with a function or a list binds no metavariable, and nothing else binds b"},
	{"relation R E E\nop l[n] E... : E\nrule r f a => f b if R a (l[2] b...)", "a condition with a function or a list binds no metavariable, and nothing else binds b|b is no symbol, and nothing binds it: the left side does, or after if a fact, but of !=, or an equation of terms"},
	{"relation R E E\nrule r lam (\\v -> b) => c if R b c", "c may mention v, which is not bound here; add the condition: v not in c"},
	{"relation R E E\nrule r f a => f b if R a b, b = p", "the condition compares E and F"},
	{"rule r f a => p if a is nombre", "a term is a number, a symbol or a variable, not nombre (did you mean number?)"},
	{"rule r f a => p if a + a", "this has the sort E, expected fact"},
	{"rule r f a => p if p not in a", "expected a variable"},
	{"rule r a => a", "the sort of a is not clear"},
	{"rule r f a => p if a : F", "this has the sort F, expected E"},
	{"rule r a => p if a : G", "there is no sort G"},
	{"rule r a => p if a : E", "this has the sort F, expected E"},
	{"rule r f a => p if f a : F", "expected a metavariable"},
	{"rule r f a\np", "expected \"=>\" between the sides of a rule, found the name p"},
	{"rule r (f a => p\nrule s f a => p", "expected \")\" to close the parenthesis, found \"=>\""},
	{"rule r () => p", "this form is for arrays: a term is a name, a number, or an operator with its operands"},
	{"rule r a[0] => p", "there is no symbol or operator a"},
	{"rule r -a => p", "there is no symbol or operator neg"},
	{"rule r (f a) a => p", "an operator is a name, and stands before its operands"},
	{"rul r f a => p", "expected a declaration (did you mean rule?)"},
	{"sort E", "the sort E is declared twice"},
	{"symbol z : G", "there is no sort G"},
	{"number G", "there is no sort G"},
	{"op g G : E\nop h E : G\nop k [v : G] v.E : E\nrule r g x => k (\\v -> h x)\ntest t\n  var a : G\n  start g x", "there is no sort G|there is no sort G|there is no sort G|there is no sort G"},
	{"op x E : E", "x is declared twice"},
	{"op * E : E", "* has the operands that it has in: a * b"},
	{"symbol / : E", "/ has the operands that it has in: a / b"},
	{"op if E E : E", "if has the operands that it has in: if a then b else c"},
	{"op g [v : E] E : E", "g binds v in no operand: write the sort of an operand as v.E"},
	{"op g [v : E] [w : E] v.E : E", "an operand is in the scope of all variables of g or of none"},
	{"op g [v : E] w.E : E", "w is not the variable number 1 that g binds"},
	{"fold + as plus", "there is no operation plus on numbers; the operations are [* + - / < <= == ^ neg]"},
	{"fold f", "there is no operation f on numbers; the operations are [* + - / < <= == ^ neg]"},
	{"fold + as <", "say what the comparison gives: fold + gives true false"},
	{"op - E E : E commutative\nfold -", "- is commutative, and the operation - on numbers is not"},
	{"op g E E : E commutative\nfold g as /\nfold g as ^\nfold g as *", "g is commutative, and the operation / on numbers is not|g is commutative, and the operation ^ on numbers is not"},
	{"op < E E : F commutative\nop <= E E : F commutative\nop == E E : F commutative\nsymbol q : F\nfold < <= == gives p q", "< is commutative, and the operation < on numbers is not|<= is commutative, and the operation <= on numbers is not"},
	{"fold f\nprune", "there is no operation f on numbers; the operations are [* + - / < <= == ^ neg]"},
	{"backoff q matches 3 ban 2", "there is no rule or rule set q in this file"},
	{"test t\n  start x\n  prove x = p", "this has the sort F, expected E"},
	{"rule r lam (\\v -> a + b) => a + (b + (a + a))", "a may mention v, which is not bound here; add the condition: v not in a|b may mention v, which is not bound here; add the condition: v not in b"},
	{"rule r ?a + f ?b => f ?b + ?a", "?a is an operator, and lacks its operands: a metavariable for a term is called a|?b is an operator, and lacks its operands: a metavariable for a term is called b"},
	{"op h E :\nrule r h a => a", "expected a sort, found the name rule|there is no symbol or operator h"},
	{"test t\n  start x\n  run\n  limit\n  by\n  expect\nsymbol q :\nrule r f a => a, a", "expected the name of a rule or of a rule set, or a step in parentheses, found the name limit|expected iterations, nodes, matches, work or bytes, found the name by|expected the name of a cost grammar, found the name expect|expected nodes, classes, matches, iterations, saturated, goal, limit or end, found the name symbol|expected a type, found the name rule|expected a condition (after if) or the next declaration, found \",\""},
	{"test t\n  prove x = y", "the test t starts with no term, and assumes nothing"},
	{"test t\n  start a", "there is no symbol or operator a"},
	{"test t\n  start x\n  limit nodes 3 nodes 4\n  limit nodes 3", "there is a limit on nodes already|there is a limit on nodes already"},
	{"ruleset u\nschedule s\n  limits work 3, matches 7\n  run u\nschedule s\n  limits iterations 4, nodes 9", "the sets of s are run until no rule applies, with limits on matches and nodes alone|the sets of s are run until no rule applies, with limits on matches and nodes alone"},
	{"schedule s\n  limits work 3, work 4", "there is a limit on work already"},
	{"test t\n  start x\n  limit nods 3", "there is no limit on nods (did you mean nodes?)"},
	{"test t\n  start x\n  stat y", "expected a statement of the test or a declaration (did you mean start?)"},
	{"test t\n  start x\n  run (sature r)", "a step is a rule, a rule set, or one of repeat, run, saturate, seq, until (did you mean saturate?)"},
	{"test t\n  start x\n  run q", "there is no rule or rule set q"},
	{"language m", "a file has one language"},
	{"test t\n  var a : E\n  start a\n  assume a + x != 0\n  assume lam (\\b -> b) = lam (\\b -> a)", "what is assumed of a variable would hold for all of them: take a symbol|what is assumed of a variable would hold for all of them: take a symbol"},
	{"sort\nsymbol q : E", "expected the name of a sort"},
	{"rule r a + 0 => a\nruleset s\nrule q a + 1 => a\n  use r", "use belongs under ruleset and its name, before the rules of the set"},
	{"symbol q : E\nuse r", "use belongs under ruleset and its name, before the rules of the set"},
	{"test t\n  strat x\n  prove x = = y\n  limit node 3\n  start x +\n  expect nodse 3\n  naive 3\n  start a\nsort G",
		"expected a statement of the test or a declaration (did you mean start?)|expected an expression, found \"=\"|there is no limit on node (did you mean nodes?)|expected an expression, found the name expect|nodse is not a figure of a run (did you mean nodes?)|expected the end of the line"},
	{"schedule s\n  satrate q\n  limits node 3\n  steps (rum)\n  finite\nsort E",
		"expected run, saturate, steps, limits, backoff, finite or extract|expected iterations, nodes, matches or work (did you mean nodes?)|a step is a rule, a rule set, or one of repeat, run, saturate, seq, until (did you mean run?)|the sort E is declared twice"},
	{"rule r a + 0 =>\nrule s a + 0 => a if distinct a\nsort G", "expected an expression, found the name rule|distinct compares two terms"},
	{"test t\n  start x\n  prove\n  start y", "expected an expression, found the name start"},
	{"op q E\nsort G", "expected \":\" and a sort after the operands, found the name sort"},
	{"rule r a + 1%0 => a", "the ratio 1%0 has the denominator 0"},
	{"rule r a + " + strings.Repeat("9", 5000) + " => a", "a literal has at most 200 characters"},
	{"test t\n  start x\n  run (repeat 0 all)", "expected a number from 1 to 1073741824"},
	{"op g E : E c\nrule r f a => f (g a) if ?o : c", "?o is in no term of the rule"},
	{"schedule s\n  limits iterations 3 nodes 4", "expected a comma before the next limit"},
	{"relation R[n, c : number, m...] E\nrule r f a => p if R[1] a", "R has 2 attributes or more, not 1: write R[n, c, m...]"},
	{"op add E... E : E", "a list of operands is the last of them"},
	{"op g E... : E commutative", "a commutative operator has two operands of one sort"},
	{"op g E^n : E", "a list of operands is as long as it may be: write E..."},
	{"op g R[n] : E\nop h (E -o E) : E", "expected a sort|expected a sort"},
	{"op * E... : E", "* has the operands that it has in: a * b"},
	{"op w[ns...] E : E\nrule r w[ms..., 0, ns...] a => w[ms..., ns...] a", "how long the list ms is follows from nothing: attributes have one list of any length"},
	{"relation R[ns...] E\nop w[ns...] E : E\nrule t w[ms..., ns...] a => w[ms...] a if R[ns...] a", "how long the list ms is follows from nothing: attributes have one list of any length"},
	{"op w[ns...] E : E\nop v[ns...] E : E\nrule r w[ms..., 0, ns...] (v[ns...] a) => w[ms...] a\nrule u w[0, ns..., 1] a => w[ns...] a", ""},
	{"op g[n, ns..., ms...] E : E", "among attributes there is one list, one number with a sign or a fraction, and one permutation at most"},
	{"op g[n : size] E : E", "an attribute is a number or a permutation, not size"},
	{"op g[n] E : E\nrule r g a => a", "g has 1 attribute, not 0: write g[n]"},
	{"op g[n, ns...] E : E\nrule r g[] a => a", "g has 1 attribute or more, not 0: write g[n, ns...]"},
	{"op g[n] E : E\nrule r g[1, 2] a => a", "g has 1 attribute, not 2: write g[n]"},
	{"op g[n] E : E\nrule r g[n] a => g[m] a", "m is no symbol and does not occur on the left"},
	{"op g[n] E : E\nrule r g[n] n => x", "n is a natural number elsewhere and a term here"},
	{"op g[c : number] E : E\nop h[ns...] E : E\nrule r g[c] x => h[c] x\nrule s h[ns...] x => g[ns] x", "c is a rational number elsewhere and a natural number here|ns is a list of natural numbers elsewhere and a rational number here"},
	{"op g[n] E : E\nrule r g[ns...] a => a", "an attribute of g is a number here, and no list: write g[n]"},
	{"relation D[n] E\nrule r f a => f b if D[n + 1] b, D[m] a", "a condition with a computed attribute binds no metavariable, and nothing else binds n: name the attribute, and say in a condition of its own what it is, as m = n + 1"},
	{"relation D[n] E\nrule r f a => f a if D[n] a, n = m", "m is no symbol, and nothing binds it: the left side does, or after if a fact, but of !=, or an equation of terms"},
	{"relation D[n] E\nrule r f a => f a if D[x] a", "x is declared as a symbol or an operator: a metavariable for an attribute needs another name"},
	{"op g[n] E : E\nrule r g[n + 1] a => a", "arithmetic on sizes is for right sides and conditions: give the size a name, and say in a condition what it is"},
	{"op g[p : permutation] E : E\nrule r g[[1, 1]] a => a", "[1 1] is not a permutation"},
	{"op g[n] E : E\ntest t\n  start g[-1] x\n  start g[a] x\n  start g[1099511627777] x\n  start g[2.5] x", "expected a natural number|expected a natural number|expected a number from 0 to 1099511627776|expected a natural number"},
	{"test t\n  start x\n  limit nodes 99999999999999999999", "expected a number from 0 to 9223372036854775807"},
	{"test t\n  start x\n  limit nodes many", "expected a natural number"},
	{"op g E E... : E\nrule r g as... => x", "g has a term here, and no list"},
	{"op g E E... : E\nrule r g => x", "g has 1 operand or more, not 0"},
	{"op g E... : E\nrule r g as... => as...", "this form is for arrays: a term is a name, a number, or an operator with its operands"},
	{"op g E... : E\nrule r g as... => as + x", "as is a list of terms elsewhere and a term here"},
	{"op g E... : E\nrule r g as... p => x", "this has the sort F, expected E"},
	{"op g E... : E\nop h F... : F\nrule r g as... => h as...", "this has the sort E, expected F"},
	{"op g E... : E\ntest t\n  start g as...", "there is no symbol or operator as"},
	{"number F\nrule r lam (\\v -> b) => b[v := 1]\nop g F : F\nop h [u : F] u.E : E\nrule s h (\\u -> b) => b[u := 2]", ""},
	{"sort T means B\nnumber T", "the values of the sort T are truth values, and no numbers"},
	{"sort W means I\nnumber W\nop plus W W : W\nop / W W : W\nop real E : W\nfold plus as +\nfold plus as ^\nfold /\nfold real as neg", "^ gives fractions, and the values of the sort W are integers: without the fold, numbers are computed by what plus means|/ gives fractions, and the values of the sort W are integers: without the fold, numbers are computed by what / means|neg gives fractions, and the values of the sort W are integers: without the fold, numbers are computed by what real means"},
	{"sort W means I\nnumber W\nop q W : W\nrule r q 0.5 => 1", "the values of the sort W are integers of 64 bits, and 0.5 is none"},
	{"sort W means I\nnumber W\nop q W : W\nop neg W : W\nrule r q 2.0 => -1\nrule s q 0 => 9223372036854775808", "the values of the sort W are integers of 64 bits, and 9223372036854775808 is none"},
	{"sort W means I\nnumber W\nop q W : W\ntest t\n  start q (1%3)\n  start q 5\n  prove q 3 = 0.5", "the values of the sort W are integers of 64 bits, and 1%3 is none|the values of the sort W are integers of 64 bits, and 0.5 is none"},
	{"sort W means I\nnumber W\nop q W : W\nop g[c : number] W : W\nrule r g[c] a => q c", "the values of the sort W are integers, and an attribute may be a fraction"},
	{"sort T means B\nsymbol t : T means 3", "the result of t is declared as B; its body: expected elements of type B, found number"},
	{"sort T means B\nsymbol t : T means 1 < 2\nsort N means I\nsymbol n : N means 2.5\nsymbol m : N means 3", "the result of n is declared as I; its body: expected elements of type I, found R (write floor … or round …)"},
	{"sort R means R\nsymbol r q : R means true\nsymbol s : R means pi / 2", "the result of r is declared as R; its body: expected elements of type R, found B (write where … 1 0)|the result of q is declared as R; its body: expected elements of type R, found B (write where … 1 0)"},
	{"sort R means R\nsymbol r : R means \\a -> a", "the result of r is declared as R; its body: expected a scalar R, found a function"},
	{"sort R means R\nsymbol r : R means [1, 2]", "the result of r is declared as R; its body: expected a scalar R, found the array number[2] of rank 1"},
	{"sort R means R\nsymbol r : R means nope", "unknown name nope"},
	{"sort R means R\nsymbol r : R means let a = 1 in sum (build 3 (\\i -> a * real i))\nop g R : R means \\a -> a\nrule q g r => r", ""},
	{"op w" + strings.Repeat(" E", 25_000) + " : E\nrule r w" + strings.Repeat(" x", 25_000) + " => x", "w: an operator has 0 to 20000 operands, not 25000"},
}

// Without the header, whose != has to know which numbers differ.
func TestNothingToPrune(t *testing.T) {
	_, err := Language(&diag.Source{Name: "l", Text: "language l\nsort E\nsymbol x : E\nprune\n"})
	if err == nil || !strings.Contains(err.Error(), "l:4:1: nothing is folded: there is nothing to prune") {
		t.Error(err)
	}
	// What is computed by meanings alone is folded too.
	if _, err := Language(&diag.Source{Name: "l", Text: "language l\nsort E means R\nnumber E\nprune\nop + E E : E means \\a b -> a + b\n"}); err != nil {
		t.Error(err)
	}
}

// The language of programs is read by package ops.
func TestLanguageOfPrograms(t *testing.T) {
	_, err := Language(files.Source("operators"))
	if err == nil || !strings.HasPrefix(err.Error(), "operators.rules:3:10: arrays is the language of programs") || strings.Count(err.Error(), "operators.rules") > 1 {
		t.Error(err)
	}
}

func TestMistakes(t *testing.T) {
	for _, c := range mistakes {
		_, err := Language(&diag.Source{Name: "l", Text: header + c.text + "\n"})
		var list diag.List
		errors.As(err, &list)
		var got []string
		for _, e := range list {
			got = append(got, e.Msg)
		}
		if strings.Join(got, "|") != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.text, strings.Join(got, "|"), c.want)
		}
	}
}

// A test by itself is all there may be; it is not one of the language's.
func TestParseTest(t *testing.T) {
	l, err := Language(&diag.Source{Name: "l", Text: header})
	if err != nil {
		t.Fatal(err)
	}
	before := len(l.Tests)
	for _, c := range []struct{ text, want string }{
		{"", "q:1:1: expected test"},
		{"start x", "q:1:1: expected test"},
		{"test t", "q:1:6: the test t starts with no term, and assumes nothing"},
		{"test t\nstart x\nprove x = nothing", "q:3:11: there is no symbol or operator nothing"},
		{"test t\nstart x\ntest u\nstart x", "q:3:1: expected the end of the test"},
		{"test t\nstart x\nsort S", "q:3:1: expected the end of the test"},
		{"test t\nstart x\nprove x = x", ""},
	} {
		x, err := Test(l, &diag.Source{Name: "q", Text: c.text})
		switch {
		case c.want != "" && (err == nil || !strings.HasPrefix(err.Error(), c.want)):
			t.Errorf("%q: %v, expected %s", c.text, err, c.want)
		case c.want == "" && err != nil:
			t.Errorf("%q: %v", c.text, err)
		case c.want == "" && (len(x.Starts) != 1 || len(x.Prove) != 1 || !x.Prove[0].A.Equal(x.Prove[0].B)):
			t.Errorf("%q: %d starts, %d claims", c.text, len(x.Starts), len(x.Prove))
		}
	}
	if len(l.Tests) != before {
		t.Errorf("%d tests more", len(l.Tests)-before)
	}
}

// Of very many mistakes, those that nobody reads take no time.
func TestManyMistakes(t *testing.T) {
	var b strings.Builder
	b.WriteString("language l\nsort E\nop f E : E\nsymbol")
	for i := range 4000 {
		fmt.Fprintf(&b, " symbol%d", i)
	}
	b.WriteString(" : E\ntest t\n start symbol0\n")
	for i := range 60_000 {
		fmt.Fprintf(&b, " assume g symbol%d = symbol0\n", i%4000)
	}
	begun := time.Now()
	if _, err := Language(&diag.Source{Name: "l", Text: b.String()}); err == nil {
		t.Error("there is no g, and no error")
	}
	if took := time.Since(begun); took > 15*time.Second {
		t.Errorf("it took %v", took)
	}
}

// A number that is missing is missing at the end of its line.
func TestMissingNumber(t *testing.T) {
	for text, at := range map[string]string{
		"language l\nsort E\nbackoff matches\nop f E : E":                                   "3:16:",
		"language l\nsort E\nsymbol x : E\ntest t\n  start x\n  limit nodes\n  prove x = x": "6:14:",
		"language l\nsort E\nbackoff matches 3 ban x":                                       "3:23:",
		"language l\nsort E\nbackoff matches 3 ban":                                         "3:22:",
	} {
		_, err := Language(&diag.Source{Name: "l", Text: text})
		if err == nil || !strings.HasPrefix(err.Error(), "l:"+at+" expected a natural number") {
			t.Errorf("%q: %v, expected at %s", text, err, at)
		}
	}
}
