package data

import "strings"

// This file knows the tokens of JSON.

// skipSpace is the first position from i on that is not white space.
func skipSpace(text string, i int) int {
	for i < len(text) && (text[i] == ' ' || text[i] == '\n' || text[i] == '\t' || text[i] == '\r') {
		i++
	}
	return i
}

// scanNumber is the end of the JSON number at i, and whether there is one.
func scanNumber(text string, i int) (int, bool) {
	digits := func() bool {
		start := i
		for i < len(text) && '0' <= text[i] && text[i] <= '9' {
			i++
		}
		return i > start
	}
	next := func(chars string) bool {
		if i < len(text) && strings.IndexByte(chars, text[i]) >= 0 {
			i++
			return true
		}
		return false
	}
	next("-")
	if !next("0") && !digits() {
		return i, false
	}
	if next(".") && !digits() {
		return i, false
	}
	if next("eE") {
		next("+-")
		if !digits() {
			return i, false
		}
	}
	return i, true
}

// scanWord is the end of what looks like one word or number at i.
func scanWord(text string, i int) int {
	for i < len(text) && isWord(text[i]) {
		i++
	}
	return i
}

func isWord(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' ||
		c == '_' || c == '.' || c == '+' || c == '-' || c >= 0x80
}

// scanString is the end of the string at i, past its closing quote, and whether
// it has one.
func scanString(text string, i int) (int, bool) {
	for i++; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			return i + 1, true
		case c == '\\':
			i++
		case c < ' ':
			return i, false
		}
	}
	return len(text), false
}

// skipValue is the end of the value at i of a well-formed text.
func skipValue(text string, i int) int {
	depth := 0
	for i < len(text) {
		switch text[i] {
		case '[', '{':
			depth++
			i++
		case ']', '}':
			depth--
			i++
		case '"':
			i, _ = scanString(text, i)
		case ',', ':', ' ', '\n', '\t', '\r':
			i++
			continue
		default:
			i = max(i+1, scanWord(text, i))
		}
		if depth <= 0 {
			return i
		}
	}
	return i
}

// locate is the position of the item at path below the value at i of a
// well-formed text.
func locate(text string, i int, path []int) int {
	for _, k := range path {
		if i >= len(text) || text[i] != '[' {
			return i
		}
		i = skipSpace(text, i+1)
		for range k {
			i = skipSpace(text, skipValue(text, i))
			i = skipSpace(text, i+1) // the comma
		}
	}
	return i
}
