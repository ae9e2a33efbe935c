package theory

import (
	"slices"
	"strconv"
	"strings"

	"egad/diag"
)

// maxDepth bounds the nesting of parentheses.
const maxDepth = 10_000

// parser reads a file by recursive descent. After an error it goes on at the
// next declaration.
type parser struct {
	src    *diag.Source
	errs   *diag.List
	lex    *lexer
	tokens []*token // a window: the last one, and those ahead
	at     int      // the next one among them
	file   *file
	set    string // the rule set that is open
	inTest bool   // in a test
}

// failed stops the reading of a declaration; the finding is in the list.
type failed struct{}

// declarations are the words that begin one, and statements those that begin a
// line of a test.
var (
	declarations = map[string]func(*parser){}
	statements   = map[string]func(*parser, *testDecl){}
)

func init() {
	declarations["language"] = (*parser).second
	declarations["sort"] = func(p *parser) { p.file.sorts = append(p.file.sorts, p.words("the name of a sort")...) }
	declarations["number"] = func(p *parser) { p.file.numbers = append(p.file.numbers, p.words("a sort")...) }
	declarations["symbol"] = func(p *parser) { p.file.symbols = append(p.file.symbols, p.symbol()) }
	declarations["op"] = (*parser).operator
	declarations["relation"] = (*parser).relation
	declarations["fold"] = (*parser).fold
	declarations["prune"] = func(p *parser) { p.file.prune = append(p.file.prune, p.last().pos) }
	declarations["ruleset"] = func(p *parser) { p.set = p.word("the name of a rule set").text }
	declarations["rule"] = (*parser).rule
	declarations["fact"] = func(p *parser) { p.forThen(ruleFact) }
	declarations["demand"] = func(p *parser) { p.forThen(ruleDemand) }
	declarations["backoff"] = func(p *parser) { p.file.backoffs = append(p.file.backoffs, p.backoff()) }
	declarations["test"] = (*parser).test

	statements["var"] = func(p *parser, t *testDecl) { t.vars = append(t.vars, p.symbol()) }
	statements["start"] = func(p *parser, t *testDecl) { t.starts = append(t.starts, p.term()) }
	statements["assume"] = func(p *parser, t *testDecl) { t.assume = append(t.assume, p.claim("=")) }
	statements["prove"] = func(p *parser, t *testDecl) { t.prove = append(t.prove, p.claim("=")) }
	statements["refute"] = func(p *parser, t *testDecl) { t.refute = append(t.refute, p.claim("=")) }
	statements["extract"] = func(p *parser, t *testDecl) {
		c := p.claim("is")
		if c.b == nil {
			p.fail("expected is")
		}
		t.extract = append(t.extract, c)
	}
	statements["naive"] = func(p *parser, t *testDecl) { t.naive = true }
	statements["limit"] = (*parser).limit
	statements["run"] = func(p *parser, t *testDecl) {
		t.schedule = append(t.schedule, p.term())
		for !p.peek().line {
			t.schedule = append(t.schedule, p.term())
		}
	}
	statements["backoff"] = func(p *parser, t *testDecl) {
		if p.accept("none") {
			t.noBackoff = true
			return
		}
		t.backoffs = append(t.backoffs, p.backoff())
	}
	statements["expect"] = (*parser).expect
}

// parse reads the declarations of a file.
func parse(src *diag.Source, errs *diag.List) *file {
	p := &parser{src: src, errs: errs, lex: newLexer(src.Text), file: &file{}}
	p.try(func() {
		if t := p.peek(); t.text != "language" {
			p.fail("a file of a language begins with language and its name")
		}
		p.next()
		p.file.name = p.word("the name of the language")
		p.endOfLine()
	})
	for p.peek().text != "" && !errs.Full() {
		p.try(func() {
			t := p.peek()
			f, ok := declarations[t.text]
			if !ok {
				p.fail("expected a declaration%s", diag.DidYouMean(t.text, keys(declarations)))
			}
			p.next()
			f(p)
			p.endOfLine()
		})
	}
	p.tooLong()
	return p.file
}

// parseTest reads a test that stands by itself. There is one unless there are
// findings.
func parseTest(src *diag.Source, errs *diag.List) *testDecl {
	p := &parser{src: src, errs: errs, lex: newLexer(src.Text), file: &file{}}
	p.try(func() {
		p.expectText("test")
		p.test()
		if p.peek().text != "" {
			p.failAt(p.peek().pos, "expected the end of the test")
		}
	})
	if len(p.file.tests) == 0 {
		return nil
	}
	return &p.file.tests[0]
}

// IsLanguage reports whether a rule file declares a language of its own.
func IsLanguage(src *diag.Source) bool { return newLexer(src.Text).next().text == "language" }

func keys[V any](m map[string]V) []string {
	var out []string
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

// try runs f; after a failure it moves on to the next declaration.
func (p *parser) try(f func()) {
	defer func() {
		switch r := recover(); r.(type) {
		case nil:
		case failed:
			for t := p.peek(); t.text != "" && (!t.line || declarations[t.text] == nil); t = p.peek() {
				p.next()
			}
		default:
			panic(r)
		}
	}()
	f()
}

// fail reports a mistake at the next token, or after the last one if the next
// one begins something else.
func (p *parser) fail(format string, args ...any) {
	pos := p.peek().pos
	if p.at > 0 && (p.begins() || p.peek().text == "") {
		last := p.last()
		pos = last.pos + diag.Pos(len(last.text))
	}
	p.failAt(pos, format, args...)
}

func (p *parser) failAt(pos diag.Pos, format string, args ...any) {
	if !p.tooLong() {
		p.errs.Add(p.src, pos, format, args...)
	}
	if t := p.peek(); t.line && t.pos == pos && declarations[t.text] == nil && t.text != "" {
		p.next()
	}
	panic(failed{})
}

// tooLong reports that the text was cut, if it was.
func (p *parser) tooLong() bool {
	if p.lex.over() {
		p.errs.Add(p.src, diag.Pos(p.lex.i), "the file has more than %d words and brackets", diag.Words(maxTokens))
	}
	return p.lex.over()
}

func (p *parser) endOfLine() {
	if !p.peek().line {
		p.fail("expected the end of the line")
	}
}

// begins reports whether the next token begins a declaration, or a statement of
// the test that is being read.
func (p *parser) begins() bool {
	t := p.peek()
	return t.line && (declarations[t.text] != nil || p.inTest && statements[t.text] != nil)
}

// ahead is the token n places after the next one.
func (p *parser) ahead(n int) *token {
	for p.at+n >= len(p.tokens) {
		p.tokens = append(p.tokens, p.lex.next())
	}
	return p.tokens[p.at+n]
}

func (p *parser) peek() *token { return p.ahead(0) }

// last is the token before the next one.
func (p *parser) last() *token { return p.tokens[p.at-1] }

// window is how many tokens are held before those that were read are let go.
const window = 64

func (p *parser) next() *token {
	t := p.peek()
	if t.text != "" {
		p.at++
	}
	if p.at >= window {
		p.tokens = p.tokens[:copy(p.tokens, p.tokens[p.at-1:])]
		p.at = 1
	}
	return t
}

func (p *parser) accept(text string) bool {
	if p.peek().text == text {
		p.next()
		return true
	}
	return false
}

func (p *parser) expectText(text string) {
	if !p.accept(text) {
		p.fail("expected %s", text)
	}
}

// isName reports whether a text may be the name of something.
func isName(text string) bool {
	if text == "" || strings.Contains(delimiters, text) || text[0] == '?' {
		return false
	}
	_, number := number(text)
	return !number
}

func (p *parser) word(what string) word {
	t := p.peek()
	if !isName(t.text) || p.begins() {
		p.fail("expected %s", what)
	}
	doc := t.doc
	if p.at > 0 && doc == "" {
		doc = p.last().doc // of the word that begins the declaration
	}
	p.next()
	return word{t.pos, t.text, doc}
}

// words reads the names on the rest of the line; there is at least one.
func (p *parser) words(what string) []word {
	out := []word{p.word(what)}
	for !p.peek().line && isName(p.peek().text) {
		out = append(out, p.word(what))
	}
	return out
}

func (p *parser) integer() int {
	t := p.peek()
	n, err := strconv.Atoi(t.text)
	if err != nil || n < 0 {
		p.fail("expected a natural number")
	}
	p.next()
	return n
}

// second is for a file that declares two languages.
func (p *parser) second() { p.fail("a file has one language") }

func (p *parser) symbol() symbolDecl {
	names := p.words("a name")
	p.expectText(":")
	return symbolDecl{names, p.word("a sort")}
}

func (p *parser) operands() []operandDecl {
	var out []operandDecl
	for !p.peek().line && p.peek().text != ":" {
		if p.accept("[") {
			b := p.word("the name of a variable")
			p.expectText(":")
			out = append(out, operandDecl{binder: &b, sort: p.word("a sort")})
			p.expectText("]")
			continue
		}
		w := p.word("a sort")
		parts := strings.Split(w.text, ".")
		if slices.Contains(parts, "") {
			p.failAt(w.pos, "expected a sort, after v. if it is in the scope of v")
		}
		o := operandDecl{}
		at := w.pos
		for _, x := range parts[:len(parts)-1] {
			o.under = append(o.under, word{pos: at, text: x})
			at += diag.Pos(len(x) + 1)
		}
		o.sort = word{pos: at, text: parts[len(parts)-1]}
		out = append(out, o)
	}
	return out
}

func (p *parser) operator() {
	o := operatorDecl{name: p.word("the name of an operator")}
	o.operands = p.operands()
	p.expectText(":")
	s := p.word("a sort")
	o.sort = &s
	p.file.operators = append(p.file.operators, o)
}

func (p *parser) relation() {
	o := operatorDecl{name: p.word("the name of a relation")}
	o.operands = p.operands()
	p.file.operators = append(p.file.operators, o)
}

func (p *parser) fold() {
	f := foldDecl{}
	for !p.peek().line && p.peek().text != "as" && p.peek().text != "gives" {
		f.ops = append(f.ops, p.word("the name of an operator"))
	}
	if len(f.ops) == 0 {
		p.fail("expected the name of an operator")
	}
	if p.accept("as") {
		w := p.word("the name of an operation")
		f.as = &w
	}
	if p.accept("gives") {
		f.truth = []word{p.word("what it gives if it holds"), p.word("what it gives if it does not hold")}
	}
	p.file.folds = append(p.file.folds, f)
}

func (p *parser) rule() {
	r := ruleDecl{name: p.word("the name of the rule"), set: p.set, lhs: p.term()}
	switch {
	case p.accept("=>"):
	case p.accept("<=>"):
		r.kind = ruleBoth
	default:
		p.fail("expected => or <=>")
	}
	r.rhs = []*sexp{p.term()}
	r.conds = p.conditions()
	p.file.rules = append(p.file.rules, r)
}

// forThen reads a fact or a demand.
func (p *parser) forThen(kind ruleKind) {
	r := ruleDecl{kind: kind, name: p.word("a name"), set: p.set}
	p.expectText("for")
	r.lhs = p.term()
	p.expectText("then")
	r.rhs = []*sexp{p.term()}
	for p.accept(",") {
		r.rhs = append(r.rhs, p.term())
	}
	r.conds = p.conditions()
	p.file.rules = append(p.file.rules, r)
}

func (p *parser) conditions() []condDecl {
	if !p.accept("if") {
		return nil
	}
	var out []condDecl
	for {
		out = append(out, p.condition())
		if !p.accept(",") {
			return out
		}
	}
}

func (p *parser) condition() condDecl {
	c := condDecl{pos: p.peek().pos}
	if p.accept("distinct") {
		c.kind, c.a, c.b = condDistinct, p.term(), p.term()
		return c
	}
	c.a = p.term()
	switch {
	case p.accept("is"):
		c.kind, c.word = condIs, p.word("number, symbol or variable")
	case p.accept("not"):
		p.expectText("in")
		c.kind, c.b = condNotIn, p.term()
	case p.accept("="):
		c.kind, c.b = condEqual, p.term()
	default:
		c.kind = condFact
	}
	return c
}

func (p *parser) backoff() backoffDecl {
	b := backoffDecl{}
	for isName(p.peek().text) && p.peek().text != "matches" {
		b.names = append(b.names, p.word("the name of a rule"))
	}
	p.expectText("matches")
	b.matches = p.integer()
	p.expectText("ban")
	b.ban = p.integer()
	return b
}

// term reads an atom or a list.
func (p *parser) term() *sexp { return p.sexp(0) }

func (p *parser) sexp(depth int) *sexp {
	t := p.peek()
	switch {
	case t.text == "", depth == 0 && p.begins():
		p.fail("expected a term")
	case depth > maxDepth:
		p.fail("terms are nested more than %d deep", maxDepth)
	case t.text == "(":
		p.next()
		s := &sexp{pos: t.pos}
		for !p.accept(")") {
			if p.peek().text == "" || p.peek().line && declarations[p.peek().text] != nil && p.ahead(1).text != ")" {
				p.failAt(t.pos, "this parenthesis is not closed")
			}
			s.list = append(s.list, p.sexp(depth+1))
		}
		if len(s.list) == 0 {
			p.failAt(t.pos, "there is nothing in these parentheses")
		}
		return s
	case strings.Contains(delimiters, t.text):
		p.fail("expected a term")
	}
	p.next()
	return &sexp{pos: t.pos, atom: t.text}
}

func (p *parser) claim(relation string) claim {
	c := claim{pos: p.peek().pos, a: p.term()}
	if p.accept(relation) {
		c.b = p.term()
	}
	return c
}

func (p *parser) test() {
	t := testDecl{name: p.word("the name of the test")}
	p.inTest = true
	defer func() { p.inTest = false }()
	for p.peek().text != "" && !p.errs.Full() {
		w := p.peek()
		f, ok := statements[w.text]
		if !ok || !w.line || declarations[w.text] != nil && w.text != "backoff" {
			if w.line && declarations[w.text] != nil {
				break
			}
			p.fail("expected a statement of the test or a declaration%s", diag.DidYouMean(w.text, append(keys(statements), keys(declarations)...)))
		}
		p.next()
		f(p, &t)
	}
	p.file.tests = append(p.file.tests, t)
}

// limitNames are the limits of a test.
var limitNames = []string{"iterations", "nodes", "matches", "work", "bytes"}

func (p *parser) limit(t *testDecl) {
	for first := true; first || !p.peek().line; first = false {
		w := p.word("iterations, nodes, matches, work or bytes")
		if !slices.Contains(limitNames, w.text) {
			p.failAt(w.pos, "there is no limit on %s%s", w.text, diag.DidYouMean(w.text, limitNames))
		}
		t.limits = append(t.limits, limitDecl{w, p.integer()})
	}
}

// expect reads golden figures: [after N] {nodes N | classes N | matches N |
// iterations N | REASON}. The reasons are saturated, goal, limit, and end (of the
// schedule).
func (p *parser) expect(t *testDecl) {
	after := -1
	if p.accept("after") {
		after = p.integer()
	}
	for first := true; first || !p.peek().line; first = false {
		e := expectDecl{pos: p.peek().pos, after: after}
		w := p.word("nodes, classes, matches, iterations, saturated, goal, limit or end")
		switch w.text {
		case "nodes", "classes", "matches":
			e.what, e.n = w.text, p.integer()
		case "iterations":
			e.what, e.n = w.text, p.integer()
		case "saturated", "goal", "limit", "end":
			e.what, e.text = "stop", w.text
		default:
			p.failAt(w.pos, "%s is not a figure of a run%s", w.text, diag.DidYouMean(w.text, []string{"nodes", "classes", "matches", "iterations", "saturated", "goal", "limit", "end"}))
		}
		t.expect = append(t.expect, e)
	}
}
