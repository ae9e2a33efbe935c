package runner

import (
	"slices"
	"strings"
	"time"

	"egad/internal/interrupt"
)

// BlameTime bounds an explanation for which no time is set. A run without a rule may
// do as much work as the run with all, and WorkForTrial more.
const (
	BlameTime    = time.Minute
	WorkForTrial = 100_000
)

// Needed leaves rules out as long as a run shows what it shows: many at once, then
// one by one. It is false if the time was over before all had been tried.
func Needed(rules []int, end time.Time, shows func(only map[int]bool, within time.Duration) bool) ([]int, bool) {
	for size := (len(rules) + 1) / 2; ; size = (size + 1) / 2 {
		before := len(rules)
		for i := 0; i < len(rules); {
			left := max(0, time.Until(end))
			if left == 0 || interrupt.Requested() {
				return rules, false
			}
			without := slices.Delete(slices.Clone(rules), i, min(i+size, len(rules)))
			if shows(SetOf(without), left) {
				rules = without
			} else {
				i += size
			}
		}
		if size <= 1 && len(rules) == before {
			return rules, true
		}
	}
}

// SetOf is a set of rules.
func SetOf(rules []int) map[int]bool {
	out := make(map[int]bool)
	for _, x := range rules {
		out[x] = true
	}
	return out
}

// Blamed says what is to blame for a contradiction, or if valid is set for what was
// to be refuted and is proved. Not all says that there was no time to leave out what
// is not needed.
func Blamed(rules, assumed []string, notAll, valid bool) string {
	names, facts := strings.Join(rules, ", "), strings.Join(assumed, ", ")
	if notAll && names != "" {
		names += " (there was no time to try which can be left out)"
	}
	if facts != "" {
		facts = "; assumed: " + facts
	}
	switch {
	case valid && names == "" && facts == "":
		return "what was to be refuted is so without any rule"
	case valid && names == "":
		return "what was to be refuted is so without any rule" + facts
	case valid:
		return "what was to be refuted follows from these rules: " + names + facts
	case facts == "":
		return "of these rules one is unsound: " + names
	case names != "":
		return "of these rules one is unsound, or an assumption is wrong: " + names + facts
	case len(assumed) == 1:
		return "this assumption is wrong: " + assumed[0]
	}
	return "of these assumptions one is wrong: " + strings.Join(assumed, ", ")
}
