package props

import (
	"egad/diag"
	"egad/rules"
	"egad/term"
)

// RuleChecks says how rules are checked.
type RuleChecks struct {
	Count int   // random instances of each rule
	Seed  int64 // of the random instances
	// Done, if not nil, is called when another rule has been checked.
	Done func()
}

// RuleReport is what checking rules found.
type RuleReport struct {
	Operators int
	Rules     int
	Wrong     int // operators and rules with a finding
	Shapes    int // instances whose types were checked
	Tested    int // random instances on which both sides were evaluated
	Skipped   int // random instances that say nothing
	// Notes are what is not wrong, but good to know.
	Notes diag.List
	// Findings are what is wrong, with a counterexample where there is one.
	Findings diag.List
}

// CheckRules checks the types of rules for all shapes, runs their examples, and
// tests them on random instances.
func CheckRules(sig *term.Signature, rs []*rules.Rule, how RuleChecks) *RuleReport {
	rep := &RuleReport{Rules: len(rs)}
	for _, r := range rs {
		before := len(rep.Findings)
		rep.check(sig, r, how)
		if len(rep.Findings) > before {
			rep.Wrong++
		}
		if how.Done != nil {
			how.Done()
		}
	}
	return rep
}

func (rep *RuleReport) check(sig *term.Signature, r *rules.Rule, how RuleChecks) {
	types := r.CheckTypes(sig)
	rep.Shapes += types.Instances
	if types.Partial {
		rep.Notes.Add(r.Src, r.Pos, "the rule %s has too many shapes; %d were checked", r.Name, types.Instances)
	}
	if types.Err != nil {
		rep.Findings = append(rep.Findings, types.Err)
		return
	}
	switch err := r.CheckExamples(sig).(type) {
	case nil:
	case diag.List:
		rep.Findings = append(rep.Findings, err...)
	default:
		rep.Findings.Add(r.Src, r.Pos, "the rule %s: %v", r.Name, err)
	}
	res := TestRule(sig, r, types.Some, how.Count, how.Seed)
	rep.Tested += res.Tested
	rep.Skipped += res.Skipped
	switch {
	case res.Counterexample != nil:
		what := "the sides of the rule %s differ"
		if r.Nabla {
			what = "the rule %s does not give the derivative"
		}
		e := diag.Errorf(r.Src, r.Pos, what, r.Name)
		e.Detail = res.Counterexample.String()
		rep.Findings = append(rep.Findings, e)
	case res.Err != nil:
		rep.Findings.Add(r.Src, r.Pos, "the rule %s cannot be tested: %v", r.Name, res.Err)
	case res.Tested == 0:
		rep.Findings.Add(r.Src, r.Pos, "the rule %s could not be tested on any of %d random instances", r.Name, res.Skipped)
	}
}
