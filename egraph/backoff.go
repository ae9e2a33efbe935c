package egraph

import "math"

// Backoff bounds how often a rule matches: if it has more than Matches matches in
// an iteration, they are dropped, and the rule counts again Ban iterations later.
// Each time, both numbers double. This is the scheduler of egg (Willsey et al.,
// POPL 2021). A Matches of 0 is no bound.
type Backoff struct {
	Matches, Ban int
}

// ban is the state of a rule under back-off.
type ban struct {
	times int
	until int // the first iteration in which the rule counts again
}

// maxBackoff is more than any rule will match, and any run will take.
const maxBackoff = math.MaxInt / 4

// doubled is n doubled so often, as far as maxBackoff.
func doubled(n, times int) int {
	if n > maxBackoff>>times {
		return maxBackoff
	}
	return n << times
}

// limit is how many matches the rule may have now, 0 if that is not bounded.
func (b *ban) limit(how Backoff) int { return doubled(how.Matches, b.times) }

// strike bans the rule after iteration now.
func (b *ban) strike(how Backoff, now int) {
	b.until = now + max(1, doubled(how.Ban, b.times))
	b.times++
}

// release ends the first of the bans that held in iteration now, and moves the
// others as much. It reports whether there were any.
func release(states []*ruleState, now int) bool {
	first := 0
	for _, s := range states {
		if s.until > now && (first == 0 || s.until < first) {
			first = s.until
		}
	}
	if first == 0 {
		return false
	}
	for _, s := range states {
		if s.until > now {
			s.until -= first - now
		}
	}
	return true
}
