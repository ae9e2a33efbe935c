package props

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"egad/diag"
	"egad/internal/interrupt"
	"egad/internal/slice"
	"egad/rules"
	"egad/rules/match"
	"egad/rules/syntax"
	"egad/rules/typing"
	"egad/term"
)

// RuleChecks says how rules are checked.
type RuleChecks struct {
	Count int           // how many random instances of each rule shall be compared
	Seed  int64         // of the random instances
	Time  time.Duration // for the random instances of each rule; 0 for no bound
	// Done, if not nil, is called when another rule has been checked.
	Done func()
}

func (how RuleChecks) deadline() time.Time {
	if how.Time <= 0 {
		return time.Time{}
	}
	return time.Now().Add(how.Time)
}

// Verdict is what checking a rule says about it.
type Verdict string

// The verdicts.
const (
	Holds    Verdict = "holds"    // on all instances that were tested
	Wrong    Verdict = "wrong"    // there is a counterexample, or a mistake in its form
	Untested Verdict = "untested" // no instance says anything
	// NoMeaning is that of a rule about a relation without a meaning: it says what
	// holds of the relation, and cannot be tested.
	NoMeaning Verdict = "no meaning"
	// Agreed is that of a derivative rule that is labelled so: its maps are not compared
	// with difference quotients.
	Agreed Verdict = "agreed"
)

// Checked is what checking a rule found.
type Checked struct {
	Rule    *rules.Rule
	Verdict Verdict
	Types   []string     // the most general types, case by case
	Tested  int          // random instances on which elements of both sides were compared
	Skipped map[Skip]int // random instances that say nothing
	Late    bool         // the time was over before enough were tested
	// Finding is what is wrong, nil if the rule holds.
	Finding *diag.Error
}

// SkippedInAll counts the instances that say nothing.
func (c *Checked) SkippedInAll() int {
	n := 0
	for _, k := range c.Skipped {
		n += k
	}
	return n
}

// Why says why instances were skipped, the most frequent reason first.
func (c *Checked) Why() string {
	why := slices.Collect(maps.Keys(c.Skipped))
	slices.SortFunc(why, func(a, b Skip) int {
		if d := c.Skipped[b] - c.Skipped[a]; d != 0 {
			return d
		}
		return strings.Compare(string(a), string(b))
	})
	out := slice.Map(why, func(s Skip) string { return fmt.Sprintf("%d %s", c.Skipped[s], s) })
	if c.Late {
		out = append(out, "the time was over")
	}
	return strings.Join(out, ", ")
}

// RuleReport is what checking rules found.
type RuleReport struct {
	Operators int
	Laws      int // what declarations of a language say that was checked
	Rules     int // that were checked
	Left      int // rules that were not, as the process is to end
	Wrong     int // operators, laws and rules that are wrong
	Untested  int // operators, laws and rules that could not be tested
	Tested    int // random instances on which elements of both sides were compared
	Skipped   int // random instances that say nothing
	// Checked has the rules one by one.
	Checked []Checked
	// Notes are what is not wrong, but good to know.
	Notes diag.List
	// Findings are what is wrong or could not be tested, with a counterexample where
	// there is one.
	Findings diag.List
}

// CheckRules checks the types of rules for all shapes, runs their examples, and
// tests them on random instances. When the process is to end, it reports on those
// that it is through with.
func CheckRules(sig *term.Signature, rs []*rules.Rule, how RuleChecks) *RuleReport {
	rep := &RuleReport{}
	for i, r := range rs {
		before := len(rep.Findings)
		c := rep.check(sig, r, how)
		if interrupt.Requested() && c.Verdict != Wrong {
			rep.Findings, rep.Left = rep.Findings[:before], len(rs)-i
			break
		}
		if r.Claim != "" {
			rep.Laws++
		} else {
			rep.Rules++
		}
		if found := rep.Findings[before:]; len(found) > 0 {
			c.Finding = found[0]
			if c.Verdict == Holds { // an example does not come out
				c.Verdict = Wrong
			}
		}
		rep.count(c.Verdict)
		rep.Tested += c.Tested
		rep.Skipped += c.SkippedInAll()
		rep.Checked = append(rep.Checked, c)
		if how.Done != nil {
			how.Done()
		}
	}
	rep.noteExamples(rs)
	return rep
}

// noteExamples says which rules have no example. Facts and demands rewrite nothing.
func (rep *RuleReport) noteExamples(rs []*rules.Rule) {
	without := slice.Filter(rs, func(r *rules.Rule) bool {
		return (r.Kind == syntax.Rewrite || r.Kind == syntax.Both) && r.Of == nil && len(r.Examples) == 0
	})
	if len(without) == 0 {
		return
	}
	names, more := slice.Map(without, func(r *rules.Rule) string { return r.Name }), ""
	if n := len(names) - maxNamed; n > 0 {
		names, more = names[:maxNamed], fmt.Sprintf(" and %d more", n)
	}
	rep.Notes.Add(without[0].Src, without[0].Pos, "there is no example of %s%s", strings.Join(names, ", "), more)
}

// maxNamed is how many rules are named in a note.
const maxNamed = 8

func (rep *RuleReport) count(v Verdict) {
	switch v {
	case Wrong:
		rep.Wrong++
	case Untested:
		rep.Untested++
	}
}

func (rep *RuleReport) check(sig *term.Signature, r *rules.Rule, how RuleChecks) Checked {
	types := typing.Check(sig, r)
	c := Checked{Rule: r, Verdict: Wrong, Types: types.Types}
	if types.Undecided != "" {
		rep.Notes.Add(r.Src, r.Pos, "%s", types.Note())
	}
	if types.Err != nil {
		rep.Findings = append(rep.Findings, types.Err)
		return c
	}
	switch err := CheckExamples(sig, r).(type) {
	case nil:
	case diag.List:
		rep.Findings = append(rep.Findings, err...)
	default:
		rep.Findings.Add(r.Src, r.Pos, "the rule %s: %v", r.Name, err)
	}
	if d := r.Meaningless(sig); d != nil {
		rep.Notes.Add(r.Src, r.Pos, "the rule %s is not tested on random instances: the relation %s has no meaning", r.Name, d.Name)
		c.Verdict = NoMeaning
		return c
	}
	if r.Label == rules.Agreed {
		c.Verdict = Agreed
		return c
	}
	res := testRule(sig, r, types.Instances(), how.Count, how.Seed, how.deadline())
	c.Tested, c.Skipped, c.Late = res.Tested, res.Skipped, res.Late
	switch {
	case res.Counterexample != nil:
		what := "the sides of the rule %s differ"
		if r.Nabla {
			what = "the rule %s does not give the derivative"
		}
		e := diag.Errorf(r.Src, r.Pos, what, r.Name)
		e.Msg = cmp.Or(r.Claim, e.Msg)
		e.Detail = res.Counterexample.String()
		rep.Findings = append(rep.Findings, e)
		c.Tested++
	case res.Err != nil:
		if mistake := (*match.Mistake)(nil); !errors.As(res.Err, &mistake) {
			c.Verdict = Untested
		}
		rep.Findings.Add(r.Src, r.Pos, "the rule %s cannot be tested: %v", r.Name, res.Err)
	case res.Tested == 0:
		c.Verdict = Untested
		rep.Findings.Add(r.Src, r.Pos, "the rule %s is untested: no random instance says anything (%s)", r.Name, c.Why())
	default:
		c.Verdict = Holds
	}
	return c
}
