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

// lex splits a text into tokens, the last of which is the end of the file. A
// comment begins with -- where an atom could begin.
func lex(text string) []token {
	var out []token
	var doc []string
	line := true
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case r == '\n':
			line = true
			i++
		case unicode.IsSpace(r):
			i += size
		case strings.HasPrefix(text[i:], "--"):
			comment, _, _ := strings.Cut(text[i:], "\n")
			i += len(comment)
			words, isDoc := strings.CutPrefix(comment, "-- |")
			more, isMore := strings.CutPrefix(comment, "--")
			switch {
			case isDoc:
				doc = []string{strings.TrimSpace(words)}
			case isMore && doc != nil:
				doc = append(doc, strings.TrimSpace(more))
			}
		default:
			end := i + size
			if !strings.ContainsRune(delimiters, r) {
				for end < len(text) {
					r, size := utf8.DecodeRuneInString(text[end:])
					if unicode.IsSpace(r) || strings.ContainsRune(delimiters, r) {
						break
					}
					end += size
				}
			}
			out = append(out, token{pos: diag.Pos(i), text: text[i:end], line: line, doc: strings.Join(doc, "\n")})
			doc, line = nil, false
			i = end
		}
	}
	return append(out, token{pos: diag.Pos(len(text)), line: true})
}
