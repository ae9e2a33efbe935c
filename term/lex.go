package term

import (
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

var keywords = map[string]bool{
	"def": true, "let": true, "in": true, "if": true, "then": true, "else": true,
	"true": true, "false": true, "div": true, "mod": true,
}

// punctuation, longest first.
var punctuation = []string{
	"...", "<=>", "->", "=>", "<=", ">=", "==", "!=", "&&", "||", "::", "++", ":=",
	"(", ")", "[", "]", "{", "}", ",", ":", "=", "\\", "+", "-", "*", "/", "^", "|", "<", ">", ".", "@", "?", ";", "_",
}

// byteOrderMark is what some editors write in front of a text.
const byteOrderMark = "\ufeff"

// MaxTokens bounds a text, and so the memory for what it says.
const MaxTokens = 5_000_000

// lex splits a text into tokens. Doc comments ("-- |" and the comment lines
// directly after) are kept aside, by the offset of the token that follows.
func lex(src *diag.Source, errs *diag.List) ([]Token, map[diag.Pos]string) {
	text := src.Text
	var out []Token
	docs := make(map[diag.Pos]string)
	var doc []string
	i, space, line := 0, true, true
	if strings.HasPrefix(text, byteOrderMark) {
		i = len(byteOrderMark)
	}
	emit := func(k tokKind, n int) {
		t := Token{k, text[i : i+n], diag.Pos(i), space, line}
		if len(doc) > 0 {
			docs[t.Pos] = strings.Join(doc, "\n")
			doc = nil
		}
		out = append(out, t)
		i += n
		space, line = false, false
	}
	for i < len(text) {
		if len(out) >= MaxTokens {
			errs.Add(src, diag.Pos(i), "the file has more than %d words, numbers and symbols", MaxTokens)
			out = nil // a part of it means nothing
			break
		}
		rest := text[i:]
		r, w := utf8.DecodeRuneInString(rest)
		switch {
		case r == '\n':
			i, space, line = i+1, true, true
		case unicode.IsSpace(r):
			i, space = i+w, true
		case strings.HasPrefix(rest, "--"):
			n := strings.IndexByte(rest, '\n')
			if n < 0 {
				n = len(rest)
			}
			c := rest[2:n]
			if d, ok := strings.CutPrefix(c, " |"); ok {
				doc = []string{strings.TrimSpace(d)}
			} else if len(doc) > 0 {
				doc = append(doc, strings.TrimSpace(c))
			}
			i, space = i+n, true
		case r == '"':
			n := strings.IndexAny(rest[1:], "\"\n")
			if n < 0 || rest[1+n] == '\n' {
				errs.Add(src, diag.Pos(i), "a string ends on its line with a \"")
				emit(tokBad, len(rest[:max(1, n+1)]))
				continue
			}
			emit(tokString, n+2)
		case r >= '0' && r <= '9':
			emit(tokNumber, numberLen(rest, len(out) > 0 && !space && out[len(out)-1].Text == "."))
		case unicode.IsLetter(r) || r == '_' && identLen(rest) > 1:
			n := identLen(rest)
			if keywords[rest[:n]] {
				emit(tokKeyword, n)
			} else {
				emit(tokIdent, n)
			}
		default:
			matched := false
			for _, p := range punctuation {
				if strings.HasPrefix(rest, p) {
					emit(tokPunct, len(p))
					matched = true
					break
				}
			}
			if !matched {
				errs.Add(src, diag.Pos(i), "unexpected character %q", r)
				emit(tokBad, w)
			}
		}
	}
	out = append(out, Token{Kind: tokEOF, Pos: diag.Pos(len(text)), Space: true, Line: true})
	return out, docs
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
