package ast

import (
	"iter"
	"maps"
	"strings"
	"unicode"
	"unicode/utf8"

	"egad/diag"
)

// Token kinds. Punctuation and keywords are their own text.
type tokKind uint8

const (
	tokEOF tokKind = iota
	tokIdent
	tokNumber
	tokString
	tokPunct
	tokKeyword
	tokBad
)

// Token is a piece of program or rule text.
type Token struct {
	Kind  tokKind
	Text  string
	Pos   diag.Pos
	Space bool // white space before it
	Line  bool // it is the first on its line
}

// IsKeyword reports whether programs cannot call anything so.
func IsKeyword(name string) bool { return keywords[name] }

// Keywords goes through the keywords, in no order.
func Keywords() iter.Seq[string] { return maps.Keys(keywords) }

var keywords = map[string]bool{
	"def": true, "let": true, "in": true, "if": true, "then": true, "else": true,
	"true": true, "false": true, "div": true, "mod": true,
}

// punctuation, longest first.
var punctuation = []string{
	"...", "<=>", "->", "=>", "<=", ">=", "==", "!=", "&&", "||", "::", "++", ":=",
	"(", ")", "[", "]", "{", "}", ",", ":", "=", "\\", "+", "-", "*", "/", "^", "|", "<", ">", ".", "@", "?", ";", "_",
}

// signs is the punctuation that begins with a byte, longest first.
var signs = func() (out [utf8.RuneSelf][]string) {
	for _, p := range punctuation {
		out[p[0]] = append(out[p[0]], p)
	}
	return out
}()

// byteOrderMark is what some editors write in front of a text.
const byteOrderMark = "\ufeff"

// MaxTokens bounds a text, and so the memory for what it says.
const MaxTokens = 5_000_000

// lexer splits a text into tokens, one at a time. Doc comments ("-- |" and the
// comment lines directly after) are kept aside, by the offset of the token that
// follows.
type lexer struct {
	src         *diag.Source
	errs        *diag.List
	docs        map[diag.Pos]string
	doc         []string
	i           int // where the text goes on
	tokens      int // so far
	space, line bool
	last        string // the token before
	ended       bool
}

func newLexer(src *diag.Source, errs *diag.List) *lexer {
	l := &lexer{src: src, errs: errs, docs: make(map[diag.Pos]string), space: true, line: true}
	if strings.HasPrefix(src.Text, byteOrderMark) {
		l.i = len(byteOrderMark)
	}
	return l
}

// stop passes over the rest of the text.
func (l *lexer) stop() { l.i, l.doc = len(l.src.Text), nil }

// emit makes a token of the next n bytes.
func (l *lexer) emit(k tokKind, n int) Token {
	t := Token{k, l.src.Text[l.i : l.i+n], diag.Pos(l.i), l.space, l.line}
	if len(l.doc) > 0 {
		l.docs[t.Pos] = strings.Join(l.doc, "\n")
		l.doc = nil
	}
	l.i += n
	l.tokens++
	l.space, l.line, l.last = false, false, t.Text
	return t
}

// next is the next token, at the end of the text again and again the last.
func (l *lexer) next() Token {
	for l.i < len(l.src.Text) {
		rest := l.src.Text[l.i:]
		r, w := rune(rest[0]), 1
		if r >= utf8.RuneSelf {
			r, w = utf8.DecodeRuneInString(rest)
		}
		switch {
		case r == '\n':
			l.i, l.space, l.line = l.i+1, true, true
		case unicode.IsSpace(r):
			l.i, l.space = l.i+w, true
		case strings.HasPrefix(rest, "--"):
			n := strings.IndexByte(rest, '\n')
			if n < 0 {
				n = len(rest)
			}
			c := rest[2:n]
			if d, ok := strings.CutPrefix(c, " |"); ok {
				l.doc = []string{strings.TrimSpace(d)}
			} else if len(l.doc) > 0 {
				l.doc = append(l.doc, strings.TrimSpace(c))
			}
			l.i, l.space = l.i+n, true
		case l.tokens >= diag.Words(MaxTokens):
			l.errs.Add(l.src, diag.Pos(l.i), "the file has more than %d words, numbers and symbols", diag.Words(MaxTokens))
			t := l.emit(tokBad, w)
			l.stop()
			return t
		default:
			return l.token(rest, r, w)
		}
	}
	l.ended = true
	return Token{Kind: tokEOF, Pos: diag.Pos(len(l.src.Text)), Space: true, Line: true}
}

// token reads the token at the start of rest, whose first character is r of w bytes.
func (l *lexer) token(rest string, r rune, w int) Token {
	switch {
	case r == '"':
		n := strings.IndexAny(rest[1:], "\"\n")
		if n < 0 || rest[1+n] == '\n' {
			l.errs.Add(l.src, diag.Pos(l.i), "a string ends on its line with a \"")
			return l.emit(tokBad, max(1, n+1))
		}
		return l.emit(tokString, n+2)
	case r >= '0' && r <= '9':
		return l.emit(tokNumber, numberLen(rest, !l.space && l.last == "."))
	case unicode.IsLetter(r) || r == '_' && identLen(rest) > 1:
		n := identLen(rest)
		if keywords[rest[:n]] {
			return l.emit(tokKeyword, n)
		}
		return l.emit(tokIdent, n)
	}
	if r < utf8.RuneSelf {
		for _, p := range signs[r] {
			if strings.HasPrefix(rest, p) {
				return l.emit(tokPunct, len(p))
			}
		}
	}
	hint := ""
	if say, ok := foreignSigns[string(r)]; ok {
		hint = "; " + say
	}
	l.errs.Add(l.src, diag.Pos(l.i), "unexpected character %q%s", r, hint)
	return l.emit(tokBad, w)
}

// identLen is the length of the identifier at the start of s: letters, digits,
// '_' and primes.
func identLen(s string) int {
	for i, r := range s {
		if !unicode.IsLetter(r) && r != '_' && (i == 0 || !unicode.IsDigit(r) && r != '\'') {
			return i
		}
	}
	return len(s)
}

// numberLen is the length of the number at the start of s: 12, 1.5, 2e-3, 1%3.
// A component of a tuple, as in p.0.1, is digits only.
func numberLen(s string, component bool) int {
	digits := func(i int) int {
		for i < len(s) && s[i] >= '0' && s[i] <= '9' {
			i++
		}
		return i
	}
	n := digits(0)
	if component {
		return n
	}
	if n+1 < len(s) && s[n] == '%' && digits(n+1) > n+1 {
		return digits(n + 1)
	}
	if n+1 < len(s) && s[n] == '.' && digits(n+1) > n+1 {
		n = digits(n + 1)
	}
	if n < len(s) && (s[n] == 'e' || s[n] == 'E') {
		m := n + 1
		if m < len(s) && (s[m] == '+' || s[m] == '-') {
			m++
		}
		if d := digits(m); d > m {
			n = d
		}
	}
	return n
}
