package ast

import (
	"cmp"
	"fmt"
	"strings"

	"egad/diag"
	"egad/term/numeric"
)

// MaxExprDepth bounds how deep expressions and types nest in a text.
const MaxExprDepth = 10_000

// Parser reads expressions, types and definitions. The rule language uses it
// too, for what it shares with programs.
type Parser struct {
	Src    *diag.Source
	Errs   *diag.List
	lex    *lexer
	toks   []Token // a window: those that may be looked at again, and ahead
	at     int     // the next one among them
	nested int
	chains bool // chains of lets are not nested: who reads them goes through in a loop
	// Stop, if set, lists names that end an application: words of the rule
	// language. StopLine lists those that end any expression where they are the
	// first on their line.
	Stop, StopLine map[string]bool
	// Inner lists those of StopLine that are names like others on a line that begins
	// further to the right than the column Left.
	Inner map[string]bool
	Left  int
	// Margin is a column, from 0: a line that begins no further to the right ends an
	// application.
	Margin     int
	scrutinees int // cases of which "of" is still to come
}

// NewParser starts reading src; findings go to errs.
func NewParser(src *diag.Source, errs *diag.List) *Parser {
	return &Parser{Src: src, Errs: errs, lex: newLexer(src, errs)}
}

// syntaxError leaves the parser for the next point of recovery.
type syntaxError struct{}

// Fail reports a finding and gives up on what is being read; [Parser.Recover]
// catches it.
func (p *Parser) Fail(pos diag.Pos, format string, args ...any) {
	if t := p.Peek(); t.Kind != tokBad || t.Pos != pos { // which the lexer has reported
		p.Errs.Add(p.Src, pos, format, args...)
	}
	panic(syntaxError{})
}

// here is where to report that something else was expected than the next token:
// that token, or the end of the text before it if a definition breaks off.
func (p *Parser) here() diag.Pos {
	t := p.Peek()
	if p.at > 0 && (t.Kind == tokEOF || t.Kind == tokKeyword && t.Text == "def" || p.stops(t)) {
		return p.Done()
	}
	return t.Pos
}

// Recover runs f and reports whether it read its part without a syntax error.
func (p *Parser) Recover(f func()) (ok bool) {
	nested := p.nested
	defer func() {
		if r := recover(); r != nil {
			if _, is := r.(syntaxError); !is {
				panic(r)
			}
			p.nested = nested
			ok = false
		}
	}()
	f()
	return true
}

// Peek returns the next token.
func (p *Parser) Peek() Token { return p.Ahead(0) }

// Ahead returns the token n places after the next one.
func (p *Parser) Ahead(n int) Token { return *p.ahead(n) }

// ahead is [Parser.Ahead] of a token that is looked at before the next one is taken.
func (p *Parser) ahead(n int) *Token {
	if p.at+n < len(p.toks) {
		return &p.toks[p.at+n]
	}
	for p.at+n >= len(p.toks) && !p.lex.ended {
		p.toks = append(p.toks, p.lex.next())
	}
	return &p.toks[min(p.at+n, len(p.toks)-1)]
}

// window is how many tokens are held before those that were read are let go, and
// behind how many of these are kept.
const (
	window = 64
	behind = 2
)

// Next takes the next token.
func (p *Parser) Next() Token {
	t := p.Peek()
	if t.Kind != tokEOF {
		p.at++
	}
	if p.at >= window {
		p.toks = p.toks[:copy(p.toks, p.toks[p.at-behind:])]
		p.at = behind
	}
	return t
}

// Seek goes on at a place in the text.
func (p *Parser) Seek(at diag.Pos) {
	p.toks, p.lex.i, p.lex.line, p.lex.space = p.toks[:p.at], int(at), true, true
}

// SkipIndented goes on at the next line that begins with other than a space, or with the
// word. It returns the end of what it has passed over.
func (p *Parser) SkipIndented(word string) (end diag.Pos) {
	at, text := int(p.Peek().Pos), p.Src.Text
	for {
		n := strings.IndexByte(text[at:], '\n')
		if n < 0 {
			at = len(text)
			break
		}
		at += n + 1
		line := strings.TrimLeft(text[at:], " ")
		if at == len(text) || text[at] != ' ' && text[at] != '\n' || strings.HasPrefix(line, word+" ") {
			break
		}
	}
	end = diag.Pos(len(strings.TrimRight(text[:at], " \n")))
	p.Seek(diag.Pos(at))
	return end
}

// Done returns the end of the token before the next one.
func (p *Parser) Done() diag.Pos {
	if p.at == 0 {
		return 0
	}
	t := p.toks[p.at-1]
	return t.Pos + diag.Pos(len(t.Text))
}

// Is reports whether the next token is the given keyword, name or punctuation.
func (p *Parser) Is(text string) bool {
	t := p.ahead(0)
	return t.Text == text && t.Kind != tokEOF && t.Kind != tokString
}

// AtEnd reports whether the text is used up.
func (p *Parser) AtEnd() bool { return p.ahead(0).Kind == tokEOF }

// Accept takes the next token if it is text.
func (p *Parser) Accept(text string) bool {
	if p.Is(text) {
		p.Next()
		return true
	}
	return false
}

// Expect takes the next token, which must be text.
func (p *Parser) Expect(text, context string) {
	if !p.Is(text) {
		hint := p.instead()
		switch {
		case context == "after the condition" || context == "after the first branch":
			hint = "; one writes if … then … else …"
		case text == ")" && p.Is("=") && p.at > 2 && p.toks[p.at-3].Text == "for":
			hint = InPlaceOf("for")
		case text == ")" && p.Is("="):
			hint = "; arguments have no names: along 1 f a works along axis 1"
		case text == "|" && p.Is("->"):
			hint = "; one writes … | inr y -> …"
		case context == afterLet && p.at > 0 && p.toks[p.at-1].Kind == tokIdent && (p.Peek().Kind == tokIdent || p.Is("(")):
			hint = fmt.Sprintf("; a function is let %s = \\x -> …", p.toks[p.at-1].Text)
		case text == ":" && p.Is("->"):
			hint = "; the type of a result stands after a colon"
		}
		p.Fail(p.here(), "expected %q %s, found %s%s", text, context, p.Peek().Describe(), hint)
	}
	p.Next()
}

// ExpectName takes the next token, which must be an identifier, and no word with which
// something else begins.
func (p *Parser) ExpectName(what string) Token {
	if t := p.Peek(); t.Kind != tokIdent || p.stops(t) {
		p.Fail(p.here(), "expected %s, found %s%s", what, p.Peek().Describe(), p.keyword())
	}
	return p.Next()
}

// keyword says that the next token, where a name was expected, is a keyword, or is "".
func (p *Parser) keyword() string {
	t := p.Peek()
	if t.Kind != tokKeyword || t.Text == "def" { // with which the next definition begins
		return ""
	}
	return fmt.Sprintf("; %s is a keyword and cannot be a name", t.Text)
}

// Doc returns the doc comment in front of the token at pos.
func (p *Parser) Doc(pos diag.Pos) string { return p.lex.docs[pos] }

// Describe says what the token is, for messages: the name x, or the end of the file.
func (t Token) Describe() string {
	switch t.Kind {
	case tokEOF:
		return "the end of the file"
	case tokIdent:
		return "the name " + t.Text
	case tokNumber:
		return "the number " + t.Text
	case tokString:
		return "the text " + t.Text
	}
	return fmt.Sprintf("%q", t.Text)
}

// enter counts nesting; the text is refused before the stack grows too large.
func (p *Parser) enter(pos diag.Pos) {
	if p.nested++; p.nested > MaxExprDepth {
		p.tooDeep(pos)
	}
}

func (p *Parser) leave() { p.nested-- }

// Deeper runs f, which reads something nested.
func (p *Parser) Deeper(pos diag.Pos, f func()) {
	p.enter(pos)
	defer p.leave()
	f()
}

// End passes over the rest of the text.
func (p *Parser) End() {
	p.lex.stop()
	p.toks = append(p.toks[:p.at], p.lex.next())
}

func (p *Parser) tooDeep(pos diag.Pos) {
	p.End() // nothing after this can be read with sense
	p.Fail(pos, "nested more than %d deep (chains of operators count as nesting)", MaxExprDepth)
}

// IsWord reports whether a text is one name.
func IsWord(s string) bool {
	p := NewParser(&diag.Source{Text: s}, new(diag.List))
	return p.Peek().Kind == tokIdent && p.Peek().Text == s && p.Ahead(1).Kind == tokEOF
}

func (p *Parser) base(pos diag.Pos, kids ...Expr) Base {
	d := 0
	for _, k := range kids {
		if k != nil {
			d = max(d, k.depth()+1)
		}
	}
	if d > MaxExprDepth {
		p.tooDeep(pos)
	}
	return Base{pos, int32(d)}
}

// infix operators by binding strength; see docs/language.md.
var infix = map[string]struct {
	left, right int // the operand on that side must bind at least this tightly
}{
	"||": {1, 2}, "&&": {3, 4},
	"==": {6, 7}, "!=": {6, 7}, "<": {6, 7}, "<=": {6, 7}, ">": {6, 7}, ">=": {6, 7},
	"::": {8, 7}, "++": {8, 7},
	"+": {9, 10}, "-": {9, 10},
	"*": {11, 12}, "/": {11, 12}, "div": {11, 12}, "mod": {11, 12},
	"^": {15, 14},
}

// PrefixMinus is how tightly the operand of a minus sign before it binds at least, as
// [InfixStrength] says it of others.
const PrefixMinus = 13

// InfixStrength says how tightly the operands on the left and on the right of an
// infix operator bind at least; ok is false if it is none.
func InfixStrength(op string) (left, right int, ok bool) {
	b, ok := infix[op]
	if b.left == comparison { // a < b < c is (a < b) && (b < c)
		return b.right, b.right, ok
	}
	return b.left, b.right, ok
}

// IsOperatorName reports whether a token may name an operator of a declared
// language, beside names: an infix operator, or a keyword that begins an expression.
func IsOperatorName(t Token) bool {
	_, _, ok := InfixStrength(t.Text)
	switch t.Text {
	case "true", "false", "if", "let":
		ok = true
	}
	return ok && t.Kind != tokString
}

// Expr reads an expression.
func (p *Parser) Expr() Expr { return p.binary(0) }

// binary reads operands joined by operators that bind at least as tightly as min.
func (p *Parser) binary(min int) Expr {
	start := p.Peek()
	p.enter(start.Pos)
	defer p.leave()
	left := p.prefix()
	for {
		t := p.Peek()
		bind, ok := infix[t.Text]
		if !ok || t.Kind == tokString || bind.left < min {
			return left
		}
		p.Next()
		right := p.binary(bind.right)
		left = &Binary{Base: p.base(left.At(), left, right), Op: t.Text, OpAt: t.Pos, L: left, R: right}
		if bind.left == comparison && p.comparisonFollows() {
			left = p.chain(left.(*Binary))
		}
	}
}

// comparison is the strength of comparisons.
const comparison = 6

func (p *Parser) comparisonFollows() bool {
	return p.Peek().Kind == tokPunct && infix[p.Peek().Text].left == comparison
}

// chain reads the rest of a <= b < c as (a <= b) && (b < c).
func (p *Parser) chain(first *Binary) Expr {
	out, last := Expr(first), first.R
	for p.comparisonFollows() {
		t := p.Next()
		next := p.binary(comparison + 1)
		link := &Binary{Base: p.base(last.At(), last, next), Op: t.Text, OpAt: t.Pos, L: last, R: next}
		out = &Binary{Base: p.base(first.pos, out, link), Op: "&&", OpAt: t.Pos, L: out, R: link, chained: true}
		last = next
	}
	return out
}

// prefix reads the forms that start with a keyword, and applications.
func (p *Parser) prefix() Expr {
	t := p.Peek()
	switch t.Text {
	case "-":
		if t.Kind == tokPunct {
			p.Next()
			// A minus directly before a number is part of the literal.
			if n := p.Peek(); n.Kind == tokNumber && !n.Space && !p.powerFollows() {
				e := p.postfix()
				if num, ok := e.(*Number); ok && num.Num.Sign() != 0 { // -0.0 is no rational
					num.pos, num.Num = t.Pos, num.Num.Neg()
					return num
				}
				return &Unary{p.base(t.Pos, e), e}
			}
			x := p.binary(PrefixMinus)
			return &Unary{p.base(t.Pos, x), x}
		}
	case "\\":
		return p.lambda()
	case "let":
		return p.let()
	case "if":
		p.Next()
		c := p.Expr()
		p.Expect("then", "after the condition")
		a := p.Expr()
		p.Expect("else", "after the first branch")
		b := p.Expr()
		return &If{p.base(t.Pos, c, a, b), c, a, b}
	case "case":
		if p.caseFollows() {
			return p.sides()
		}
	case "rec":
		if p.Ahead(1).Kind == tokIdent && p.Ahead(2).Text == "(" && p.Ahead(4).Text == ":" {
			return p.rec()
		}
	}
	return p.application()
}

// powerFollows reports whether ^ follows the number that is next: -2^2 is -(2^2).
func (p *Parser) powerFollows() bool { return p.Ahead(1).Text == "^" }

func (p *Parser) lambda() Expr {
	t := p.Next()
	var ps []Pattern
	for !p.Is("->") {
		ps = append(ps, p.Pattern())
	}
	if len(ps) == 0 {
		p.Fail(p.here(), "expected a variable after \\")
	}
	p.Next()
	p.distinct(ps)
	body := p.Expr()
	return &Lambda{p.base(t.Pos, body), ps, body}
}

// caseFollows reports whether the name case, which is next, begins an expression: case … of
// inl, or inr. It is a name like others elsewhere.
func (p *Parser) caseFollows() bool {
	deep := 0
	for n := 1; ; n++ {
		switch t := p.Ahead(n); t.Text {
		case "(", "[":
			deep++
		case ")", "]":
			deep--
		case "of":
			if side := p.Ahead(n + 1).Text; deep == 0 && (side == "inl" || side == "inr") {
				return true
			}
		case "def", "":
			return false
		}
		if t := p.Ahead(n); deep < 0 || t.Kind == tokEOF {
			return false
		}
	}
}

// sides reads case e of inl p -> a | inr q -> b, the sides in either order.
func (p *Parser) sides() Expr {
	start := p.Next()
	p.scrutinees++
	x := p.Expr()
	p.scrutinees--
	p.Expect("of", "after what case looks at")
	e := &Case{X: x}
	side := func() string {
		if !p.Is("inl") && !p.Is("inr") {
			p.Fail(p.here(), "expected inl or inr, found %s", p.Peek().Describe())
		}
		name := p.Next()
		pat := p.Pattern()
		p.distinct([]Pattern{pat})
		p.Expect("->", "after the variable of a side")
		body := p.Expr()
		if name.Text == "inl" {
			e.Left, e.OnLeft = pat, body
		} else {
			e.Right, e.OnRight = pat, body
		}
		return name.Text
	}
	first := side()
	p.Expect("|", "between the sides of a case")
	at := p.Peek().Pos
	if side() == first {
		p.Fail(at, "the sides of a case are inl and inr, each once")
	}
	e.Base = p.base(start.Pos, x, e.OnLeft, e.OnRight)
	return e
}

// rec reads rec f(x: A): B = e.
func (p *Parser) rec() Expr {
	start := p.Next()
	name := p.Next()
	param := p.Pattern()
	p.Expect(":", "and the type of the result")
	result := p.Type()
	p.Expect("=", "before the body of the function")
	body := p.Expr()
	return &Rec{p.base(start.Pos, body), name.Text, param, result, body}
}

// afterLet is where what let binds a name to is expected.
const afterLet = "after the name that let binds"

// let reads a chain of lets without recursion on the right.
func (p *Parser) let() Expr {
	type bound struct {
		pos diag.Pos
		pat Pattern
		e   Expr
	}
	var chain []bound
	for p.Is("let") {
		t := p.Next()
		pat := p.Pattern()
		p.distinct([]Pattern{pat})
		p.Expect("=", afterLet)
		e := p.Expr()
		p.Expect("in", "after what let binds")
		chain = append(chain, bound{t.Pos, pat, e})
	}
	body := p.Expr()
	for i := len(chain) - 1; i >= 0; i-- {
		b := chain[i]
		base := p.base(b.pos, b.e)
		if p.chains {
			base.deep = max(base.deep, int32(body.depth()))
		} else {
			base = p.base(b.pos, b.e, body)
		}
		body = &Let{base, b.pat, b.e, body}
	}
	return body
}

// Pattern reads what a lambda or a let binds.
func (p *Parser) Pattern() Pattern {
	t := p.Peek()
	p.enter(t.Pos)
	defer p.leave()
	list := func(end string, kind PatternKind) Pattern {
		p.Next()
		return Pattern{Pos: t.Pos, Kind: kind, Subs: sequence(p, end, "after the variables", p.Pattern)}
	}
	switch {
	case t.Kind == tokIdent:
		p.Next()
		return Pattern{Pos: t.Pos, Name: t.Text}
	case t.Text == "_" && t.Kind == tokPunct:
		p.Next()
		return Pattern{Pos: t.Pos, Kind: PatWild}
	case p.Is("["):
		return list("]", PatList)
	case p.Is("(") && p.Ahead(2).Text == "::":
		p.Next()
		pat := Pattern{Pos: t.Pos, Kind: PatCons}
		for {
			n := p.ExpectName("a variable")
			if !p.Accept("::") {
				pat.Name = n.Text
				break
			}
			pat.Subs = append(pat.Subs, Pattern{Pos: n.Pos, Name: n.Text})
		}
		p.Expect(")", "after the variables")
		return pat
	case p.Is("(") && p.Ahead(1).Kind == tokIdent && p.Ahead(2).Text == ":":
		p.Next()
		pat := Pattern{Pos: t.Pos, Name: p.Next().Text}
		p.Next()
		typ := p.Type()
		pat.Type = &typ
		p.Expect(")", "after the type of the variable")
		return pat
	case p.Is("("):
		return list(")", PatTuple)
	}
	p.Fail(p.here(), "expected a variable, found %s%s", t.Describe(), cmp.Or(p.keyword(), p.instead()))
	return Pattern{}
}

// distinct refuses patterns that bind a name twice.
func (p *Parser) distinct(ps []Pattern) {
	seen := make(map[string]bool)
	var visit func(ps []Pattern)
	visit = func(ps []Pattern) {
		for _, q := range ps {
			if q.Name != "" && seen[q.Name] {
				p.Errs.Add(p.Src, q.Pos, "%s is bound twice here", q.Name)
			}
			seen[q.Name] = true
			visit(q.Subs)
		}
	}
	visit(ps)
}

// Column returns how many bytes there are before a token on its line.
func (p *Parser) Column(t Token) int {
	return len(p.Src.Text[:t.Pos]) - 1 - strings.LastIndexByte(p.Src.Text[:t.Pos], '\n')
}

// stops reports whether a token ends any expression.
func (p *Parser) stops(t Token) bool { return p.StopLine[t.Text] && p.Begins(t) }

// Begins reports whether a token that may begin something does: it is the first on its
// line, and not a name there.
func (p *Parser) Begins(t Token) bool {
	return t.Line && !(p.Inner[t.Text] && p.Column(t) > p.Left)
}

// startsAtom reports whether the next token can be an argument of a function.
func (p *Parser) startsAtom() bool {
	t := p.Peek()
	if p.stops(t) || p.ownFollows() {
		return false
	}
	switch t.Kind {
	case tokIdent, tokNumber:
		return !p.Stop[t.Text] && (p.scrutinees == 0 || t.Text != "of")
	case tokKeyword:
		return t.Text == "true" || t.Text == "false"
	case tokPunct:
		return t.Text == "(" || t.Text == "\\" || t.Text == "[" && t.Space || t.Text == "?" || t.Text == "@"
	}
	return false
}

// application reads f a b. With one tuple for an argument, f (a, b) is f a b; to
// pass a tuple one writes f ((a, b)).
func (p *Parser) application() Expr {
	fn := p.postfix()
	var args []Expr
	for p.startsAtom() {
		// A definition that follows without `def` is a common slip.
		if t := p.Peek(); t.Line && p.Column(t) <= p.Margin {
			break
		}
		if p.Is("\\") {
			args = append(args, p.lambda())
			break
		}
		if next := p.Ahead(1); p.Is("?") && (!p.Peek().Space || next.Space || next.Kind != tokIdent) {
			p.Fail(p.Peek().Pos, "a condition chooses by if … then … else …")
		}
		args = append(args, p.postfix())
	}
	if len(args) == 0 {
		return fn
	}
	if tup, ok := args[0].(*TupleLit); ok && len(args) == 1 && len(tup.Elems) != 1 && !tup.grouped {
		args = tup.Elems
	}
	b := p.base(fn.At(), args...) // there may be millions of them
	b.deep = max(b.deep, p.base(fn.At(), fn).deep)
	return &Call{b, fn, args}
}

// postfix reads an atom and what follows it without a space: a[i], p.0, t[i := u].
func (p *Parser) postfix() Expr {
	e := p.atom()
	for {
		t := p.Peek()
		switch {
		case p.Is("[") && !t.Space:
			e = p.index(e)
		case p.Is(".") && !t.Space && p.Ahead(1).Kind == tokNumber && !p.Ahead(1).Space:
			p.Next()
			n := p.Next()
			var k int
			if _, err := fmt.Sscanf(n.Text, "%d", &k); err != nil || len(n.Text) > 4 {
				p.Fail(n.Pos, "a component is numbered from 0, not %s", n.Text)
			}
			e = &Component{p.base(e.At(), e), e, k}
		case p.Is("..."):
			p.Next()
			e = &Spread{p.base(e.At(), e), e}
		default:
			return e
		}
	}
}

func (p *Parser) index(e Expr) Expr {
	p.Next()
	if p.Peek().Kind == tokIdent && p.Ahead(1).Text == ":=" {
		s := &SubstExpr{X: e}
		for {
			n := p.ExpectName("a variable")
			p.Expect(":=", "after the variable")
			s.Vars = append(s.Vars, Ident{p.base(n.Pos), n.Text})
			s.By = append(s.By, p.Expr())
			if !p.Accept(",") {
				break
			}
		}
		p.Expect("]", "after the substitution")
		s.Base = p.base(e.At(), append([]Expr{e}, s.By...)...)
		return s
	}
	ix := sequence(p, "]", "after the indices", p.slice)
	return &IndexExpr{p.base(e.At(), append([]Expr{e}, ix...)...), e, ix}
}

// slice reads an index, or a slice lo:hi.
func (p *Parser) slice() Expr {
	t := p.Peek()
	var lo, hi Expr
	if p.Is("::") {
		p.Fail(t.Pos, "a slice has no step; write gather [n] a (\\[i] -> [2 * i])")
	}
	if !p.Is(":") {
		if lo = p.Expr(); !p.Is(":") {
			return lo
		}
	}
	p.Next()
	if !p.Is(",") && !p.Is("]") {
		hi = p.Expr()
	}
	if p.Is(":") {
		p.Fail(p.Peek().Pos, "a slice has no step; write gather [n] a (\\[i] -> [2 * i])")
	}
	return &Slice{p.base(t.Pos, lo, hi), lo, hi}
}

// sequence reads what one reads, separated by commas, up to end.
func sequence[T any](p *Parser, end, context string, one func() T) []T {
	var out []T
	for !p.Is(end) {
		out = append(out, one())
		if !p.Accept(",") {
			break
		}
	}
	p.Expect(end, context)
	return out
}

// isOperation reports whether a token in parentheses is an operator as a function.
func isOperation(t Token) bool {
	_, ok := infix[t.Text]
	return ok && t.Kind != tokString && t.Text != "::" && t.Text != "++"
}

func (p *Parser) atom() Expr {
	t := p.Peek()
	if p.stops(t) {
		p.Fail(p.here(), "expected an expression, found %s", t.Describe())
	}
	switch t.Kind {
	case tokIdent:
		p.Next()
		return &Ident{p.base(t.Pos), t.Text}
	case tokNumber:
		p.Next()
		n, err := numeric.Parse(t.Text)
		if err != nil {
			p.Fail(t.Pos, "%v", err)
		}
		return &Number{Base: p.base(t.Pos), Num: n, Real: strings.ContainsAny(t.Text, ".eE%")}
	case tokKeyword:
		if t.Text == "true" || t.Text == "false" {
			p.Next()
			return &Bool{p.base(t.Pos), t.Text == "true"}
		}
	case tokPunct:
		switch t.Text {
		case "(":
			p.Next()
			if op := p.Peek(); p.Ahead(1).Text == ")" && isOperation(op) {
				p.Next()
				p.Next()
				return &Operation{p.base(t.Pos), op.Text}
			}
			p.enter(t.Pos)
			defer p.leave()
			es := sequence(p, ")", "to close the parenthesis", p.Expr)
			if len(es) == 1 && p.toks[p.at-2].Text != "," {
				if tup, ok := es[0].(*TupleLit); ok {
					tup.grouped = true
				}
				return es[0]
			}
			return &TupleLit{Base: p.base(t.Pos, es...), Elems: es}
		case "[":
			p.Next()
			p.enter(t.Pos)
			defer p.leave()
			es := sequence(p, "]", "to close the bracket", p.Expr)
			return &ListLit{p.base(t.Pos, es...), es}
		case "?":
			p.Next()
			n := p.ExpectName("the name of an operator variable")
			return &OpVar{p.base(t.Pos), n.Text}
		case "@":
			p.Next()
			return &TypeArg{p.base(t.Pos), p.typeAtom("a type")}
		}
	}
	p.Fail(p.here(), "expected an expression, found %s%s", t.Describe(), p.instead())
	return nil
}

// Type reads a type.
func (p *Parser) Type() TypeExpr { return p.typeOr("a type") }

// typeOr reads a type; what is expected if there is none.
func (p *Parser) typeOr(what string) TypeExpr {
	t := p.Peek()
	p.enter(t.Pos)
	defer p.leave()
	parts := []TypeExpr{p.typeSum(what)}
	kind := TyName
	for {
		arrow := TyFun
		if p.Is("-") && p.Ahead(1).Text == "o" && !p.Ahead(1).Space {
			p.Next()
			arrow = TyLin
		} else if !p.Is("->") {
			break
		}
		p.Next()
		if kind != TyName && (kind != arrow || kind == TyLin) {
			p.Fail(p.Peek().Pos, "put parentheses around one of the arrows")
		}
		kind = arrow
		parts = append(parts, p.typeSum("a type"))
	}
	if kind == TyName {
		return parts[0]
	}
	return p.typeOf(t.Pos, kind, len(parts)-1, parts...)
}

// typeOf is a type of parts, which nests so much deeper than these.
func (p *Parser) typeOf(at diag.Pos, kind TypeExprKind, more int, parts ...TypeExpr) TypeExpr {
	out := TypeExpr{Pos: at, Kind: kind, Parts: parts}
	for _, part := range parts {
		out.deep = max(out.deep, part.deep)
	}
	if out.deep += more; out.deep > MaxExprDepth {
		p.tooDeep(at)
	}
	return out
}

// typeSum reads A + B + C, which is (A + B) + C.
func (p *Parser) typeSum(what string) TypeExpr {
	out := p.typeAtom(what)
	for p.Is("+") {
		p.Next()
		out = p.typeOf(out.Pos, TySum, 1, out, p.typeAtom("a type"))
	}
	return out
}

// typeAtom reads a type without arrows outside parentheses.
func (p *Parser) typeAtom(what string) TypeExpr {
	t := p.Peek()
	if p.Accept("(") {
		parts := sequence(p, ")", "to close the type", p.Type)
		if len(parts) == 1 && p.toks[p.at-2].Text != "," {
			return p.arrays(parts[0])
		}
		return p.arrays(p.typeOf(t.Pos, TyTuple, 1, parts...))
	}
	n := p.ExpectName(what)
	return p.arrays(TypeExpr{Pos: t.Pos, Name: n.Text})
}

// size reads the size of an axis; nil is any, which is written as _.
func (p *Parser) size() Expr {
	if p.Accept("_") {
		return nil
	}
	return p.Expr()
}

// arrays reads the sizes after a type: R[3][n] is n arrays of 3, which is R[n, 3].
func (p *Parser) arrays(of TypeExpr) TypeExpr {
	for p.Is("[") && !p.Peek().Space {
		p.Next()
		of.Sizes = append(sequence(p, "]", "after the sizes", p.size), of.Sizes...)
	}
	return of
}
