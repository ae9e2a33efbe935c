package diag

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Printable shows what is in s and cannot be seen, or would steer a terminal, as
// \u{1b}: control characters, line ends and tabs too, overrides of the direction of
// writing, what has no width, spaces but the usual one; and bytes that are not
// UTF-8 as \x{ff}.
func Printable(s string) string { return printable(s, "") }

// PrintableLines is [Printable] of each line of s, which may have tabs.
func PrintableLines(s string) string { return printable(s, "\n\t") }

// printable leaves the characters of keep as they are.
func printable(s, keep string) string {
	seen := func(r rune) bool { return visible(r) || strings.ContainsRune(keep, r) }
	clean := utf8.ValidString(s)
	for _, r := range s {
		clean = clean && seen(r)
	}
	if clean {
		return s
	}
	var b strings.Builder
	for s != "" {
		r, n := utf8.DecodeRuneInString(s)
		if r == utf8.RuneError && n == 1 || !seen(r) {
			b.WriteString(escaped(r, s[:n]))
		} else {
			b.WriteRune(r)
		}
		s = s[n:]
	}
	return b.String()
}

// escaped is how a character r is shown that is not visible; in is what it was
// decoded from.
func escaped(r rune, in string) string {
	if r == utf8.RuneError && len(in) == 1 {
		return fmt.Sprintf(`\x{%02x}`, in[0])
	}
	return fmt.Sprintf(`\u{%x}`, r)
}

// visible reports whether a character can be seen where it stands.
func visible(r rune) bool {
	return r == ' ' || r > ' ' && r < 0x7f ||
		r > 0x7f && unicode.IsPrint(r) && !unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}
