package theory

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"egad/diag"
)

// token is a delimiter ( ) [ ] : , or an atom, which is anything else without
// spaces in it. The text of the end of the file is empty.
type token struct {
	pos  diag.Pos
	text string
	line bool   // it is the first of its line
	doc  string // the comment -- | before it
}

const delimiters = "()[]:,"

// maxTokens bounds a text, and so the memory for what it says.
const maxTokens = 3_000_000

// lexer splits a text into tokens, one at a time. A comment begins with -- where an
// atom could begin.
type lexer struct {
	text   string
	i      int // where the text goes on
	tokens int // so far
	line   bool
	doc    []string
}

func newLexer(text string) *lexer { return &lexer{text: text, line: true} }

// over reports whether there are more tokens than are allowed.
func (l *lexer) over() bool { return l.tokens > diag.Words(maxTokens) }

// next is the next token, after the last one and again and again the end of the
// file.
func (l *lexer) next() *token {
	for l.i < len(l.text) && !l.over() {
		r, size := utf8.DecodeRuneInString(l.text[l.i:])
		switch {
		case r == '\n':
			l.line = true
			l.i++
		case unicode.IsSpace(r):
			l.i += size
		case strings.HasPrefix(l.text[l.i:], "--"):
			l.comment()
		default:
			return l.token(r, size)
		}
	}
	return &token{pos: diag.Pos(l.i), line: true}
}

func (l *lexer) comment() {
	comment, _, _ := strings.Cut(l.text[l.i:], "\n")
	l.i += len(comment)
	words, isDoc := strings.CutPrefix(comment, "-- |")
	more, isMore := strings.CutPrefix(comment, "--")
	switch {
	case isDoc:
		l.doc = []string{strings.TrimSpace(words)}
	case isMore && l.doc != nil:
		l.doc = append(l.doc, strings.TrimSpace(more))
	}
}

// token is the token that begins with r, of size bytes.
func (l *lexer) token(r rune, size int) *token {
	start, end := l.i, l.i+size
	if !strings.ContainsRune(delimiters, r) {
		for end < len(l.text) {
			r, size := utf8.DecodeRuneInString(l.text[end:])
			if unicode.IsSpace(r) || strings.ContainsRune(delimiters, r) {
				break
			}
			end += size
		}
	}
	t := &token{pos: diag.Pos(start), text: l.text[start:end], line: l.line, doc: strings.Join(l.doc, "\n")}
	l.doc, l.line = nil, false
	if l.tokens++; l.over() {
		return &token{pos: diag.Pos(start), line: true}
	}
	l.i = end
	return t
}
