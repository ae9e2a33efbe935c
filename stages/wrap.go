package stages

import "strings"

// Lines longer than maxWidth are broken, at a column from minWidth on.
const (
	minWidth = 60
	maxWidth = 110
)

// wrap breaks long lines of program text, where there are spaces, at the place
// that is inside the fewest brackets. What is broken off is indented further.
func wrap(text string) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		indent := line[:len(line)-len(strings.TrimLeft(line, " "))] + "    "
		width := 0 // of the indentation that comes before what is left of the line
		for {
			at := breakAt(line, width)
			if at < 0 {
				break
			}
			out.WriteString(line[:at] + "\n" + indent)
			line, width = line[at+1:], len(indent)
		}
		out.WriteString(line)
	}
	return out.String()
}

// breakAt is the place of the space at which a line is to be broken, or -1. The
// line is indented by so many columns more.
func breakAt(line string, width int) int {
	if width+len(strings.TrimSuffix(strings.TrimSuffix(line, "\n"), " in")) <= maxWidth {
		return -1
	}
	first := len(line) - len(strings.TrimLeft(line, " ")) + minWidth
	depth, least, at := 0, 0, -1
	for i := range len(line) {
		switch line[i] {
		case '(', '[':
			depth++
		case ')', ']':
			depth--
		case ' ':
			if i >= first && (at < 0 || width+i <= maxWidth && depth <= least) {
				at, least = i, depth
			}
		}
		if width+i > maxWidth && at >= 0 {
			break
		}
	}
	return at
}
