package load

import (
	"cmp"
	"slices"

	"egad/diag"
	"egad/internal/slice"
	"egad/rules"
	"egad/rules/syntax"
)

// schedule adds a schedule, or more of one.
func (f *fileParser) schedule(d *syntax.Schedule) {
	if f.lang == nil {
		f.set = nil
	} else if d.Finite {
		f.errs.Add(f.src, d.Name.Pos, "%s: finite is for arrays, whose numbers may be infinite", d.Name.Text)
	}
	s := &rules.Schedule{
		Name: d.Name.Text, Src: f.src, Pos: d.Name.Pos, Directed: d.Directed,
		Limits: d.Limits, Finite: d.Finite, Grammar: d.Grammar.Text, Backoffs: d.Backoffs,
	}
	known := cmp.Or(f.lib.Schedule(s.Name), f.base.Schedule(s.Name))
	for _, n := range d.Sets {
		if known != nil && len(known.Sets) > 0 && s.Directed != known.Directed {
			f.errs.Add(f.src, n.Pos, "the sets of a schedule are all run, or all saturate")
			return
		}
		s.Sets = slice.With(s.Sets, n.Text)
		f.named(n, false)
	}
	if len(d.Steps) > 0 {
		s.Steps = slices.Concat((&rules.Schedule{Pos: s.Pos, Sets: s.Sets}).InSteps(), d.Steps)
	}
	if len(d.Steps) > 0 && (d.Directed || known != nil && known.Directed) {
		f.errs.Add(f.src, d.Steps[0].Pos, "the sets of %s are run until no rule applies; steps are for saturation", s.Name)
		return
	}
	for _, what := range []string{"iterations", "work"} {
		if b := d.Limits[what]; b != nil && (d.Directed || known != nil && known.Directed) {
			f.errs.Add(f.src, b.Pos, "the sets of %s are run until no rule applies, with limits on matches and nodes alone", s.Name)
		}
	}
	f.steps(s, d.Steps)
	if len(d.Steps) > 0 && len(s.Sets) == 0 && (known == nil || len(known.Sets) == 0) {
		f.errs.Add(f.src, d.Steps[0].Pos, "all is what the schedule names, and %s names no rules", s.Name)
	}
	f.backoffs(d.Backoffs)
	if s.Grammar != "" {
		f.taken(d.Grammar)
	}
	f.lib.AddSchedule(s)
}

// named checks, when all is read, that there is a rule set of a name, or a rule.
func (f *fileParser) named(n syntax.Name, rule bool) {
	f.uses = append(f.uses, func() { f.names(n, rule) })
}

// names checks that there is a rule set of a name, or a rule.
func (f *fileParser) names(n syntax.Name, rule bool) {
	what := "rule set"
	if rule {
		what = "rule or rule set"
	}
	switch {
	case f.lib.Set(n.Text) != nil || f.base.Set(n.Text) != nil || rule && (f.lib.Named(n.Text) != nil || f.base.Rule(n.Text) != nil):
	case f.scheduled(n.Text):
		f.errs.Add(f.src, n.Pos, "there is no %s %s; a schedule of that name is a step of tests only", what, n.Text)
	default:
		f.errs.Add(f.src, n.Pos, "there is no %s %s%s", what, n.Text, diag.DidYouMean(n.Text, f.lib.SetNames()))
	}
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
			switch {
			case !f.scheduled(n.Text):
				f.names(n, true)
			case len(names) > 1:
				f.errs.Add(f.src, n.Pos, "the schedule %s is a step by itself", n.Text)
			}
		})
	}
}

// scheduled reports whether a name in a step of a test is that of a schedule.
func (f *fileParser) scheduled(name string) bool {
	return (f.lib.Schedule(name) != nil || f.base.Schedule(name) != nil) && f.lib.Named(name) == nil && f.base.Named(name) == nil
}

// steps notes what the steps of a schedule run.
func (f *fileParser) steps(s *rules.Schedule, steps []syntax.Step) {
	for x := range syntax.Steps(steps) {
		if x.Kind == syntax.Until {
			f.errs.Add(f.src, x.Pos, "until is for tests: a schedule knows no terms")
		}
		for _, n := range x.Names {
			if n.Text != syntax.All {
				s.Sets = slice.With(s.Sets, n.Text)
				f.named(n, true)
			}
		}
	}
}
