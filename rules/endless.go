package rules

import (
	"fmt"
	"strings"
	"time"

	"egad/diag"
)

// Endless is the error of a directed run that came to no normal form within its
// bounds. It names the rule that was applied most, and shows what it makes.
type Endless struct {
	Nodes int           // of the term, at the start
	Time  time.Duration // that was over; 0 if another bound was reached
	// Total is the number of rule applications, Applied that of Rule, which is nil
	// if none was applied.
	Total, Applied int
	Rule           *Rule
	// Terms are some that Rule made equal where it was applied most, in the order in
	// which they were made.
	Terms []string
}

// maxTerm bounds a term in a message, in characters.
const maxTerm = 200

func (e *Endless) Error() string {
	within := "no normal form of a term of " + diag.Count(e.Nodes, "node")
	if e.Time > 0 {
		within += fmt.Sprintf(" within %v", e.Time)
	}
	if e.Rule == nil {
		return within
	}
	d := diag.Errorf(e.Rule.Src, e.Rule.Pos, "%s after %d rule applications, %d of them by %s", within, e.Total, e.Applied, e.Rule.Name)
	for i, t := range e.Terms {
		t = strings.Join(strings.Fields(t), " ")
		if r := []rune(t); len(r) > maxTerm {
			t = string(r[:maxTerm]) + " …"
		}
		if i > 0 {
			t = "= " + t
		}
		d.Detail += t + "\n"
	}
	d.Detail += "…"
	if e.Rule.Language != nil && e.Time == 0 {
		d.Detail += "\nlimits matches N, nodes N in the schedule may allow more"
	}
	return d.Error()
}
