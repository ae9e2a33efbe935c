package rules

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"egad/diag"
	"egad/internal/slice"
	"egad/rules/syntax"
)

// Schedule says what rules are run on the e-graph of a program, how far, and what
// is taken from it then.
type Schedule struct {
	Name string
	Src  *diag.Source
	Pos  diag.Pos // of the name, where the schedule is opened first
	// Sets are the rule sets that are run; a step may also be of a single rule.
	Sets []string
	// Directed rules rewrite until none applies; the others saturate within limits.
	Directed bool
	// Steps are run one after the other. If there are none, the sets are run together.
	Steps []syntax.Step
	// Limits of the iterations, the e-nodes and the matches, by "iterations", "nodes"
	// and "matches".
	Limits map[string]*syntax.Bound
	// Backoffs are those of the schedule. The last that is for a rule counts.
	Backoffs []*syntax.Backoff
	// Finite says that numbers are taken for finite, unless only exact rules are used.
	Finite bool
	// Grammar is the cost grammar by which a term is extracted.
	Grammar string
}

// Schedule finds a schedule by name, nil if there is none.
func (l *Library) Schedule(name string) *Schedule {
	if l == nil {
		return nil
	}
	if i := slices.IndexFunc(l.Schedules, func(s *Schedule) bool { return s.Name == name }); i >= 0 {
		return l.Schedules[i]
	}
	return nil
}

// Named returns the rule set of a name, or the rule of that name as a set by itself; nil if
// there is none.
func (l *Library) Named(name string) *Set {
	set := l.Set(name)
	if r := l.Rule(name); set == nil && r != nil {
		set = &Set{Name: name, Rules: []*Rule{r}, Opaque: r.Set.Opaque, Lazy: r.Set.Lazy}
	}
	if set == nil && l != nil {
		for _, r := range l.All() {
			if r.Family == name {
				if set == nil {
					set = &Set{Name: name, Opaque: r.Set.Opaque, Lazy: r.Set.Lazy}
				}
				set.Rules = append(set.Rules, r)
			}
		}
	}
	return set
}

// Scheduled gives a schedule with its rule sets, of exact rules only if exact is
// set. A rule that a step names is a set by itself.
func (l *Library) Scheduled(name string, exact bool) (*Schedule, []*Set, error) {
	s := l.Schedule(name)
	if s == nil {
		return nil, nil, fmt.Errorf("there is no schedule %s", name)
	}
	var sets []*Set
	for _, n := range s.Sets {
		set := l.Named(n)
		if set == nil {
			return nil, nil, fmt.Errorf("there is no rule set %s", n)
		}
		if i := slices.IndexFunc(set.Rules, (*Rule).ForSaturation); i >= 0 && s.Directed {
			r := set.Rules[i]
			return nil, nil, diag.Errorf(r.Src, r.Pos, "the schedule %s runs the set %s until no rule applies, %s", name, n, r.AlwaysApplies())
		}
		sets = append(sets, set)
	}
	if exact {
		sets = without(sets, func(r *Rule) bool { return r.Label == Real })
	}
	return s, sets, nil
}

// Backoff returns the back-off of a rule in the schedule, nil if it has none.
func (s *Schedule) Backoff(r *Rule) *syntax.Backoff {
	return cmp.Or(syntax.BackoffOf(r.Known(), r.Set.Name, s.Backoffs), r.Backoff)
}

func (s *Schedule) clone() *Schedule {
	c := *s
	c.Sets, c.Steps, c.Backoffs, c.Limits = slices.Clip(c.Sets), slices.Clip(c.Steps), slices.Clip(c.Backoffs), maps.Clone(c.Limits)
	return &c
}

// AddSchedule adds a schedule, or more of one: sets, steps, and other limits.
func (l *Library) AddSchedule(m *Schedule) {
	s := l.Schedule(m.Name)
	if s == nil {
		l.Schedules = append(l.Schedules, m.clone())
		return
	}
	if len(s.Sets) == 0 {
		s.Directed = m.Directed
	}
	if len(s.Steps)+len(m.Steps) > 0 {
		s.Steps = slices.Concat(s.InSteps(), m.InSteps())
	}
	for _, n := range m.Sets {
		s.Sets = slice.With(s.Sets, n)
	}
	maps.Copy(s.Limits, m.Limits)
	s.Finite = s.Finite || m.Finite
	s.Backoffs = append(s.Backoffs, m.Backoffs...)
	if m.Grammar != "" {
		s.Grammar = m.Grammar
	}
}

// InSteps is the schedule in steps: sets that are run together until nothing changes
// are one.
func (s *Schedule) InSteps() []syntax.Step {
	if len(s.Steps) > 0 || len(s.Sets) == 0 {
		return s.Steps
	}
	run := syntax.Step{Kind: syntax.Run, N: 1}
	for _, n := range s.Sets {
		run.Names = append(run.Names, syntax.Name{Pos: s.Pos, Text: n})
	}
	return []syntax.Step{{Kind: syntax.Saturate, Steps: []syntax.Step{run}}}
}
