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

// schedule adds a schedule, or more of one.
func (f *fileParser) schedule(d *syntax.Schedule) {
	if f.lang == nil {
		f.set = nil
	} else if d.Finite {
		f.errs.Add(f.src, d.Name.Pos, "%s: finite is for arrays, whose numbers may be infinite", d.Name.Text)
	}
	s := &Schedule{
		Name: d.Name.Text, Src: f.src, Pos: d.Name.Pos, Directed: d.Directed,
		Limits: d.Limits, Finite: d.Finite, Grammar: d.Grammar.Text, Backoffs: d.Backoffs,
	}
	known := cmp.Or(f.lib.Schedule(s.Name), f.base.Schedule(s.Name))
	for _, n := range d.Sets {
		if known != nil && len(known.Sets) > 0 && s.Directed != known.Directed {
			f.errs.Add(f.src, n.Pos, "the sets of a schedule are all run, or all saturate")
			return
		}
		s.add(n.Text)
		f.named(n, false)
	}
	if len(d.Steps) > 0 {
		s.Steps = slices.Concat((&Schedule{Pos: s.Pos, Sets: s.Sets}).inSteps(), d.Steps)
	}
	if len(d.Steps) > 0 && (d.Directed || known != nil && known.Directed) {
		f.errs.Add(f.src, d.Steps[0].Pos, "the sets of %s are run until no rule applies; steps are for saturation", s.Name)
		return
	}
	f.steps(s, d.Steps)
	if len(d.Steps) > 0 && len(s.Sets) == 0 && (known == nil || len(known.Sets) == 0) {
		f.errs.Add(f.src, d.Steps[0].Pos, "all is what the schedule names, and %s names no rules", s.Name)
	}
	f.backoffs(d.Backoffs)
	if s.Grammar != "" {
		f.taken(d.Grammar)
	}
	f.lib.addSchedule(s)
}

func (s *Schedule) add(name string) {
	s.Sets = slice.With(s.Sets, name)
}

// named checks, when all is read, that there is a rule set of a name, or a rule.
func (f *fileParser) named(n syntax.Name, rule bool) {
	f.uses = append(f.uses, func() {
		what := "rule set"
		if rule {
			what = "rule or rule set"
		}
		if f.scheduled(n.Text) && rule {
			return
		}
		if f.lib.Set(n.Text) == nil && f.base.Set(n.Text) == nil && (!rule || f.lib.Named(n.Text) == nil && f.base.Rule(n.Text) == nil) {
			f.errs.Add(f.src, n.Pos, "there is no %s %s%s", what, n.Text, diag.DidYouMean(n.Text, f.lib.SetNames()))
		}
	})
}

// backoffs checks, when all is read, what back-offs name.
func (f *fileParser) backoffs(bs []*syntax.Backoff) {
	for _, b := range bs {
		for _, n := range b.Names {
			f.named(n, true)
		}
	}
}

// runs checks, when all is read, what a step of a test runs: rules and rule sets, or one
// schedule.
func (f *fileParser) runs(names []syntax.Name) {
	for _, n := range names {
		f.uses = append(f.uses, func() {
			if f.scheduled(n.Text) && len(names) > 1 {
				f.errs.Add(f.src, n.Pos, "the schedule %s is a step by itself", n.Text)
			}
		})
		f.named(n, true)
	}
}

// scheduled reports whether a name in a step of a test is that of a schedule.
func (f *fileParser) scheduled(name string) bool {
	return (f.lib.Schedule(name) != nil || f.base.Schedule(name) != nil) && f.lib.Named(name) == nil && f.base.Named(name) == nil
}

// steps notes what the steps of a schedule run.
func (f *fileParser) steps(s *Schedule, steps []syntax.Step) {
	for x := range syntax.Steps(steps) {
		if x.Kind == syntax.Until {
			f.errs.Add(f.src, x.Pos, "until is for tests: a schedule knows no terms")
		}
		for _, n := range x.Names {
			if n.Text != syntax.All {
				s.add(n.Text)
				f.named(n, true)
			}
		}
	}
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
		sets = onlyExact(sets)
	}
	return s, sets, nil
}

// Limited reports whether schedules that come with egad have other limits in the library.
func (l *Library) Limited() bool {
	return slices.ContainsFunc(builtin().Schedules, func(s *Schedule) bool {
		return !maps.Equal(s.Limits, l.Schedule(s.Name).Limits)
	})
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

// addSchedule adds a schedule, or more of one: sets, steps, and other limits.
func (l *Library) addSchedule(m *Schedule) {
	s := l.Schedule(m.Name)
	if s == nil {
		l.Schedules = append(l.Schedules, m.clone())
		return
	}
	if len(s.Sets) == 0 {
		s.Directed = m.Directed
	}
	if len(s.Steps)+len(m.Steps) > 0 {
		s.Steps = slices.Concat(s.inSteps(), m.inSteps())
	}
	for _, n := range m.Sets {
		s.add(n)
	}
	maps.Copy(s.Limits, m.Limits)
	s.Finite = s.Finite || m.Finite
	s.Backoffs = append(s.Backoffs, m.Backoffs...)
	if m.Grammar != "" {
		s.Grammar = m.Grammar
	}
}

// inSteps is the schedule in steps: sets that are run together until nothing changes
// are one.
func (s *Schedule) inSteps() []syntax.Step {
	if len(s.Steps) > 0 || len(s.Sets) == 0 {
		return s.Steps
	}
	run := syntax.Step{Kind: syntax.Run, N: 1}
	for _, n := range s.Sets {
		run.Names = append(run.Names, syntax.Name{Pos: s.Pos, Text: n})
	}
	return []syntax.Step{{Kind: syntax.Saturate, Steps: []syntax.Step{run}}}
}
