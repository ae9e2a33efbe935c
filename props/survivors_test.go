package props

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

// survivors are the mutants that are not found to be wrong, as they are kept: the
// numbered reasons why mutants are true, and then each mutant after the number of
// its reason.
type survivors struct {
	path      string
	reasons   []string
	survivors []survivor
}

type survivor struct {
	name string
	why  int // the number of the reason, 0 if there is none
}

func readSurvivors(t *testing.T, path string) *survivors {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, _ := strings.Cut(string(text), "\n\n")
	l := &survivors{path: path}
	for i, line := range strings.Split(head, "\n") {
		reason, numbered := strings.CutPrefix(strings.TrimSpace(line), fmt.Sprintf("%d. ", i+1))
		if !numbered {
			t.Fatalf("%s:%d: reasons are numbered", path, i+1)
		}
		l.reasons = append(l.reasons, reason)
	}
	for line := range strings.Lines(rest) {
		var s survivor
		number, name, _ := strings.Cut(strings.TrimSpace(line), " ")
		if s.name = name; number != "?" {
			if _, err := fmt.Sscan(number, &s.why); err != nil {
				t.Fatalf("%s: %q: %v", path, line, err)
			}
		}
		l.survivors = append(l.survivors, s)
	}
	return l
}

// reason is reason number n, "" if there is none.
func (l *survivors) reason(n int) string {
	if n < 1 || n > len(l.reasons) {
		return ""
	}
	return l.reasons[n-1]
}

func (l *survivors) find(name string) int {
	return slices.IndexFunc(l.survivors, func(s survivor) bool { return s.name == name })
}

// with lists the mutants that are alive, in the order given, with their reasons.
func (l *survivors) with(alive []string) *survivors {
	out := &survivors{reasons: l.reasons}
	for _, name := range alive {
		s := survivor{name: name}
		if i := l.find(name); i >= 0 {
			s = l.survivors[i]
		}
		out.survivors = append(out.survivors, s)
	}
	return out
}

func (l *survivors) String() string {
	var out strings.Builder
	for i, r := range l.reasons {
		fmt.Fprintf(&out, "%2d. %s\n", i+1, r)
	}
	out.WriteByte('\n')
	for _, s := range l.survivors {
		why := "?"
		if s.why > 0 {
			why = fmt.Sprint(s.why)
		}
		fmt.Fprintf(&out, "%2s %s\n", why, s.name)
	}
	return out.String()
}
